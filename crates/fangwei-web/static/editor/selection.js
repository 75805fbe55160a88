// Selecting characters: by mouse in any direction, by touch (tap first and last, or press and drag), and the moves of the keyboard.
// Positions stand between characters; a selection runs from the smaller to the larger of anchor and head.

import { clauseAt, clauseJump, offersAt, wordAt, wordJump } from './snap.js';
import { idxesOf } from './sheet.js';
import { say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {Selection} from './types.js' */

/** How long a finger rests until it selects instead of scrolling, in ms. */
const PRESS = 320;
/** How far a pointer moves until it is a drag, in pixels. */
const SLACK = 5;

/** @param {Selection | null} selection @returns {[number, number] | null} */
export function liveRange(selection) {
  if (!selection || selection.anchor === selection.head) return null;
  return [Math.min(selection.anchor, selection.head), Math.max(selection.anchor, selection.head)];
}

/** All pieces of a selection, in the order in which they were taken. @param {Selection | null} selection */
export function selectedIdxes(selection) {
  if (!selection) return [];
  const live = liveRange(selection);
  return [...new Set(idxesOf(live ? [...selection.kept, live] : selection.kept))];
}

/** @param {Store} store */
export function selectedText(store) {
  const { selection } = store.view;
  const chars = store.text(selection?.text)?.chars ?? [];
  return selectedIdxes(selection).map((idx) => chars[idx]).join('');
}

/**
 * Puts the selection somewhere and tells it to screen readers.
 * @param {Store} store
 * @param {Selection | null} selection
 */
export function select(store, selection) {
  store.look({ selection, near: null });
  if (!selection) return;
  const chars = store.text(selection.text)?.chars ?? [];
  const text = selectedText(store);
  store.announce(text ? say('selected', text) : selection.head < chars.length ? say('caretAt', chars[selection.head] ?? '', selection.head + 1) : say('atEnd'));
}

/** @param {Store} store @returns {Selection} */
const current = (store) => store.view.selection ?? { text: store.texts[0]?.name ?? '', anchor: 0, head: 0, kept: [] };

/**
 * Moves the caret, or the head of the selection where it is extended.
 * @param {Store} store
 * @param {'char' | 'word' | 'clause' | 'all' | number} by  A number is a position.
 * @param {1 | -1} to
 * @param {boolean} isExtending
 */
export function move(store, by, to, isExtending) {
  const old = current(store);
  const text = store.text(old.text);
  if (!text) return;
  const { chars, words } = text;
  const live = liveRange(old);
  let head = old.head;
  if (typeof by === 'number') head = by;
  else if (by === 'word') head = wordJump(chars, words, head, to);
  else if (by === 'clause') head = clauseJump(chars, head, to);
  else if (by === 'all') head = to > 0 ? chars.length : 0;
  // As in every editor, a plain arrow leaves a selection at its side.
  else if (live && !isExtending) head = to > 0 ? live[1] : live[0];
  else head += to;
  head = Math.max(0, Math.min(chars.length, head));
  select(store, { ...old, head, anchor: isExtending ? old.anchor : head });
}

/**
 * What the lexicon offers under the pointer or at the caret: the spatial word there and its phrase.
 * @param {Store} store
 * @param {string} name  The name of the text.
 */
export function offeredAt(store, name) {
  const { near, selection } = store.view;
  const text = store.text(name);
  if ((near ?? selection)?.text !== name || !text || store.isClosed || store.mode === 'human') return [];
  const live = liveRange(selection);
  const word = wordAt(text.chars, text.words, live ? live[0] : (near?.idx ?? selection?.head ?? 0));
  if (!word[2]) return [];
  return offersAt(text.chars, text.words, word[0]).slice(0, 2).filter(([start, end]) => !live || live[0] !== start || live[1] !== end);
}

/** Takes the word under the pointer or at the caret; where it is taken, the phrase around it, then the clause. @param {Store} store */
export function takeOffer(store) {
  const { near } = store.view;
  const isNear = near && !liveRange(store.view.selection) && offeredAt(store, near.text).length > 0;
  const old = isNear ? { text: near.text, anchor: near.idx, head: near.idx, kept: [] } : current(store);
  const text = store.text(old.text);
  if (!text) return;
  const live = liveRange(old);
  const offers = offersAt(text.chars, text.words, live ? live[0] : old.head);
  // From a phrase, the words inside it are behind: go on with what is larger.
  const larger = live ? offersAt(text.chars, text.words, live[1] - 1).concat(offers).filter(([s, e]) => s <= live[0] && e >= live[1] && e - s > live[1] - live[0]) : offers;
  larger.sort((a, b) => a[1] - a[0] - (b[1] - b[0]));
  const [start, end] = larger[0] ?? offers[0] ?? [old.head, old.head];
  select(store, { ...old, anchor: start, head: end });
}

/** Puts the live piece by, so that another can be selected. @param {Store} store */
export function keepPiece(store) {
  const { selection } = store.view;
  const live = liveRange(selection);
  if (!selection || !live) return;
  select(store, { ...selection, kept: [...selection.kept, live], anchor: selection.head });
}

/** @param {EventTarget | null} target @returns {{text: string, idx: number} | null} */
function charAt(target) {
  const char = target instanceof Element ? target.closest('[data-i]') : null;
  const text = char?.closest('[data-text]');
  if (!char || !text) return null;
  return { text: text.getAttribute('data-text') ?? '', idx: Number(char.getAttribute('data-i')) };
}

/** Characters from one to another, both included, in whichever direction. @param {number} from @param {number} to */
const across = (from, to) => (to >= from ? { anchor: from, head: to + 1 } : { anchor: from + 1, head: to });

/**
 * Listens to mouse, pen and finger on the texts.
 * @param {HTMLElement} root
 * @param {Store} store
 */
export function listenToPointers(root, store) {
  /** @type {{text: string, idx: number, x: number, y: number, kept: [number, number][], isDrag: boolean} | null} */
  let drag = null;
  /** @type {number | null} */
  let tapped = null;

  /** @param {{text: string, idx: number}} to */
  const dragTo = (to) => {
    if (!drag || to.text !== drag.text) return;
    drag.isDrag = true;
    select(store, { text: drag.text, kept: drag.kept, ...across(drag.idx, to.idx) });
  };

  root.addEventListener('pointerdown', (event) => {
    const at = charAt(event.target);
    if (!at || event.pointerType === 'touch' || event.button !== 0) return;
    if (event.target instanceof Element && event.target.closest('[data-act]')) return;
    const old = store.view.selection;
    const isPiece = (event.ctrlKey || event.metaKey) && old?.text === at.text;
    const live = liveRange(old);
    if (event.shiftKey && old?.text === at.text) {
      select(store, { ...old, head: at.idx >= old.anchor ? at.idx + 1 : at.idx });
      return;
    }
    drag = { ...at, x: event.clientX, y: event.clientY, kept: isPiece ? [...(old?.kept ?? []), ...(live ? [live] : [])] : [], isDrag: false };
    const box = /** @type {Element} */ (event.target).getBoundingClientRect();
    const caret = at.idx + (event.clientX > box.left + box.width / 2 ? 1 : 0);
    select(store, { text: at.text, anchor: caret, head: caret, kept: drag.kept });
  });
  window.addEventListener('pointermove', (event) => {
    if (!drag || event.pointerType === 'touch') return;
    if (!drag.isDrag && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
    const to = charAt(document.elementFromPoint(event.clientX, event.clientY));
    if (to) dragTo(to);
  });
  window.addEventListener('pointerup', (event) => {
    // A finger ends with its own event, which comes after this one.
    if (event.pointerType !== 'touch') drag = null;
  });

  root.addEventListener('pointerover', (event) => {
    const at = event.pointerType === 'mouse' && !drag ? charAt(event.target) : null;
    if (at && (store.view.near?.idx !== at.idx || store.view.near.text !== at.text)) store.look({ near: at });
  });
  root.addEventListener('pointerleave', () => store.view.near && !offeredAt(store, store.view.near.text).length && store.look({ near: null }));

  root.addEventListener('dblclick', (event) => {
    const at = charAt(event.target);
    const text = store.text(at?.text);
    if (!at || !text) return;
    const [start, end] = wordAt(text.chars, text.words, at.idx);
    select(store, { text: at.text, anchor: start, head: end, kept: [] });
  });
  root.addEventListener('click', (event) => {
    const at = event.detail === 3 ? charAt(event.target) : null;
    const text = store.text(at?.text);
    if (!at || !text) return;
    const [anchor, head] = clauseAt(text.chars, at.idx);
    select(store, { text: at.text, anchor, head, kept: [] });
  });

  let press = 0;
  const release = () => {
    window.clearTimeout(press);
    drag = null;
  };
  root.addEventListener('touchstart', (event) => {
    const touch = event.touches[0];
    const at = charAt(event.target);
    release();
    if (!at || !touch || event.touches.length > 1 || (event.target instanceof Element && event.target.closest('[data-act]'))) return;
    drag = { ...at, x: touch.clientX, y: touch.clientY, kept: [], isDrag: false };
    press = window.setTimeout(() => drag && dragTo(drag), PRESS);
  }, { passive: true });
  root.addEventListener('touchmove', (event) => {
    const touch = event.touches[0];
    if (!drag || !touch) return;
    if (!drag.isDrag) {
      // A finger that moves at once wants to scroll.
      if (Math.hypot(touch.clientX - drag.x, touch.clientY - drag.y) > 2 * SLACK) release();
      return;
    }
    event.preventDefault();
    const to = charAt(document.elementFromPoint(touch.clientX, touch.clientY));
    if (to) dragTo(to);
  }, { passive: false });
  root.addEventListener('touchend', (event) => {
    if (!drag) return;
    // No mouse events after a touch: they would put a caret where the finger was.
    if (event.cancelable) event.preventDefault();
    const [{ text, idx, isDrag }, old] = [drag, store.view.selection];
    release();
    if (isDrag) {
      tapped = null;
      return;
    }
    if (tapped !== null && old?.text === text && liveRange(old)) {
      const words = store.text(text);
      const word = words && tapped === idx ? wordAt(words.chars, words.words, idx) : null;
      select(store, { text, kept: old.kept, ...(word ? { anchor: word[0], head: word[1] } : across(tapped, idx)) });
      tapped = null;
    } else {
      tapped = idx;
      select(store, { text, kept: [], ...across(idx, idx) });
    }
  });
  root.addEventListener('touchcancel', release);
  root.addEventListener('contextmenu', (event) => {
    if (drag?.isDrag) event.preventDefault();
  });
}
