// A board that moves while it is looked at: asks now and then whether there is something new, and puts it in place without taking the reader away.

import { times } from '../fangwei.js';

/** So long between two questions, in milliseconds. */
const PAUSE = 15000;

let tag = '';

async function look() {
  const board = document.getElementById('standings');
  const path = board?.dataset.live;
  if (!board || !path || document.hidden) return;
  const answer = await fetch(path, { headers: tag ? { 'if-none-match': tag } : {} });
  if (answer.status !== 200) return;
  tag = answer.headers.get('etag') ?? '';
  const { stamp } = await answer.json();
  // Its last figure says whether intervals are there. A node that still draws them is no reason to take them away from who has them.
  const known = board.dataset.stamp ?? '';
  if (stamp === known || stamp === known.replace(/\.1$/, '.0')) return;
  const page = await fetch(location.href);
  if (!page.ok) return;
  const fresh = new DOMParser().parseFromString(await page.text(), 'text/html').getElementById('standings');
  if (!fresh) return;
  // Who reads a table that scrolls, by hand or by keyboard, goes on where they were.
  const tables = [...board.querySelectorAll('.wide')];
  const places = tables.map((table) => table.scrollLeft);
  const held = tables.findIndex((table) => table.contains(document.activeElement));
  const at = window.scrollY;
  times(fresh);
  board.replaceWith(document.adoptNode(fresh));
  [...fresh.querySelectorAll('.wide')].forEach((table, number) => {
    table.scrollLeft = places[number] ?? 0;
    if (number === held && table instanceof HTMLElement) table.focus({ preventScroll: true });
  });
  window.scrollTo({ top: at });
  const said = document.getElementById('live');
  if (said) said.textContent = `${fresh.dataset.said} (${new Date().toLocaleTimeString(document.documentElement.lang)})`;
}

// A network that fails is asked again later.
setInterval(() => look().catch(() => {}), PAUSE);
document.addEventListener('visibilitychange', () => look().catch(() => {}));
// Intervals that were still being computed come soon.
setTimeout(() => look().catch(() => {}), 3000);
