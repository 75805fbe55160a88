// What is not sent yet is kept on this device, at every change and before it is sent: a crash, a reload or a dead server loses nothing.
// Every tab keeps its own; what a closed tab left behind is taken up by the next one that opens the item.

import { randomId } from '../fangwei.js';

/** @import {Sheet} from './types.js' */
/** @typedef {{base: number, sheet: Sheet, client: string, at: number, count: number}} Pending */

const tab = randomId();

// The lock is held as long as the tab lives: so others can tell whose changes are orphans.
if (navigator.locks) navigator.locks.request(`fangwei.tab.${tab}`, () => new Promise(() => {})).catch(() => {});

/** @param {string} assignment */
const prefix = (assignment) => `fangwei.pending.${assignment}.`;

/** Keeps what is not sent; false if the browser cannot. @param {string} assignment @param {Pending} pending */
export function keep(assignment, pending) {
  try {
    localStorage.setItem(prefix(assignment) + tab, JSON.stringify(pending));
    return true;
  } catch {
    return false;
  }
}

/** All is sent. @param {string} assignment */
export function forget(assignment) {
  try {
    localStorage.removeItem(prefix(assignment) + tab);
  } catch {
    // Where nothing can be kept, nothing is to be forgotten.
  }
}

/**
 * What tabs that are gone left unsent, the newest first; it becomes this tab's own.
 * @param {string} assignment
 * @returns {Promise<Pending | null>}
 */
export async function leftBehind(assignment) {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix(assignment)));
    if (names.length === 0) return null;
    let orphans = await withoutTab(assignment, names);
    if (orphans.length < names.length) {
      // A page that was just reloaded may hold its lock a moment longer than it lives.
      await new Promise((done) => setTimeout(done, 400));
      orphans = await withoutTab(assignment, names);
    }
    const all = orphans.map((name) => ({ name, pending: parse(localStorage.getItem(name)) }));
    all.sort((a, b) => (b.pending?.at ?? 0) - (a.pending?.at ?? 0));
    const newest = all[0]?.pending ?? null;
    if (newest && !keep(assignment, newest)) return newest;
    for (const { name } of all) localStorage.removeItem(name);
    return newest;
  } catch {
    return null;
  }
}

/** Those of the names whose tab is gone. @param {string} assignment @param {string[]} names */
async function withoutTab(assignment, names) {
  const held = (await navigator.locks?.query())?.held ?? [];
  const alive = new Set(held.map((lock) => lock.name));
  return names.filter((name) => !alive.has(`fangwei.tab.${name.slice(prefix(assignment).length)}`));
}

/** @param {string | null} text @returns {Pending | null} */
function parse(text) {
  try {
    const pending = JSON.parse(text ?? 'null');
    return pending && typeof pending.base === 'number' && pending.sheet ? pending : null;
  } catch {
    return null;
  }
}

/**
 * Tells other tabs of this browser which version was saved, and hears of theirs.
 * @param {string} assignment
 * @param {(version: number) => void} heard
 * @returns {(version: number) => void}
 */
export function otherTabs(assignment, heard) {
  if (!('BroadcastChannel' in window)) return () => {};
  const channel = new BroadcastChannel(`fangwei.work.${assignment}`);
  channel.addEventListener('message', ({ data }) => {
    if (typeof data?.version === 'number') heard(data.version);
  });
  return (version) => channel.postMessage({ version });
}
