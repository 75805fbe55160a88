// Two versions of one item: who made the other, what differs, and three ways to go on. Nothing happens until one is taken.

import { differences } from './compare.js';
import { offer } from './dialogs.js';
import { h } from './dom.js';
import { say, time } from './words.js';

/** @import {Saver} from './save.js' */
/** @import {Store} from './store.js' */

/** @param {Store} store @param {Saver} saver */
export async function decide(store, saver) {
  const { theirs } = saver;
  if (!theirs || document.querySelector('dialog[open]')) return;
  const told = differences(store, store.sheet, theirs.sheet);
  const table = h('div', { class: 'wide' }, h('table', { class: 'differences' },
    h('thead', {}, h('tr', {}, h('th', {}, say('where')), h('th', {}, say('mine')), h('th', {}, say('theirs')))),
    h('tbody', {}, told.map((one) => h('tr', {}, h('th', { scope: 'row' }, one.where), h('td', { lang: 'zh' }, one.mine || '—'), h('td', { lang: 'zh' }, one.theirs || '—'))))));
  const chosen = await offer(say('conflictTitle'), [
    h('p', {}, say('conflictWho', theirs.author, time(theirs.at), theirs.version)),
    told.length > 0 ? table : h('p', {}, say('noDifference')),
  ], [
    { value: 'mine', label: say('keepMine') },
    { value: 'theirs', label: say('takeTheirs') },
    { value: 'look', label: say('lookFirst'), isPlain: true },
  ]);
  if (chosen === 'mine' || chosen === 'theirs') {
    if (store.ghost?.kind === 'theirs') store.ghost = null;
    if (chosen === 'mine') await saver.keepMine();
    else saver.takeTheirs();
  } else {
    store.ghost = { title: theirs.author, sheet: theirs.sheet, kind: 'theirs' };
    store.look({ ghost: true });
  }
}
