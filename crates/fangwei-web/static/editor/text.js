// The texts, character by character, with their spans as stacked lines below. Characters are made once; after that only those change
// whose look changes.

import { h } from './dom.js';
import { layersOf, roomOf } from './layers.js';
import { liveRange, offeredAt, selectedIdxes } from './selection.js';
import { differing } from './snap.js';
import { isOn } from './store.js';
import { read, say } from './words.js';

/** @import {Layer} from './layers.js' */
/** @import {Store} from './store.js' */

const CLASSES = new Set(['locative', 'place', 'directional', 'verb', 'preposition']);

/** @type {Record<string, import('./words.js').Key>} */
const TITLES = { context: 'textContext', context1: 'textContext1', context2: 'textContext2', reason: 'textReason', judge: 'textJudge', word1: 'textWord1', word2: 'textWord2' };

/** The name of a word class for styles. @param {string} name */
export const classOf = (name) => (CLASSES.has(name) ? name : 'other');

export class TextView {
  /** @param {HTMLElement} root @param {Store} store */
  constructor(root, store) {
    this.store = store;
    this.seen = new Map();
    const [left, right] = store.texts;
    const isPair = store.texts.length >= 2 && left && right;
    const [only, other] = isPair ? differing(left.chars, right.chars) : [new Set(), new Set()];
    // Texts that have little in common are not a pair: marking everything would mark nothing.
    this.isPair = Boolean(isPair && only.size < left.chars.length * 0.6 && other.size < right.chars.length * 0.6);
    this.different = this.isPair ? [only, other] : [];
    this.panes = store.texts.map((text, at) => {
      const chars = text.chars.map((char, i) => h('span', { class: 'ch', 'data-i': i }, char));
      // Where nothing can be marked the text is a text like any other: to be read, selected and copied.
      const pane = h('div', store.hasRecords ? {
        class: 'chars markable', 'data-text': text.name, tabindex: 0, role: 'application', lang: 'zh', 'aria-roledescription': say('markable'),
        'aria-label': `${this.title(at)}：${text.text}`, 'aria-describedby': 'text-help',
      } : { class: 'chars', lang: 'zh' }, chars);
      return { text, pane, chars };
    });
    root.classList.toggle('pair', this.isPair);
    root.replaceChildren(
      h('p', { id: 'text-help', class: 'unseen' }, say('textHelp')),
      ...this.panes.map(({ pane }, at) => h('section', { class: 'text' }, store.texts.length > 1 && h('h3', {}, this.title(at)), pane)),
      ...(this.isPair ? [h('small', { class: 'pair-note' }, say('differences'))] : []),
    );
    for (const { pane, text } of this.panes) {
      pane.addEventListener('focus', () => {
        if (store.view.selection?.text !== text.name) store.look({ selection: { text: text.name, anchor: 0, head: 0, kept: [] } });
      });
    }
  }

  /** @param {number} at */
  title(at) {
    const text = this.store.texts[at];
    if (text?.label) return read(text.label);
    const known = TITLES[text?.name ?? ''];
    return known ? say(known) : this.store.texts.length > 1 ? `${say('text')} ${at + 1}` : say('text');
  }

  draw() {
    const { store } = this;
    const withWords = isOn('words') && store.mode !== 'human';
    const ghost = store.shownGhost;
    const first = store.texts[0]?.name ?? '';
    for (const [at, { text, pane, chars }] of this.panes.entries()) {
      const layers = layersOf(store.form, text.name, first, store.sheet, ghost);
      const looks = chars.map(() => ({ classes: ['ch'], lanes: /** @type {HTMLElement[]} */ ([]), title: '' }));
      if (withWords) this.#words(text.words, looks);
      this.#selection(text.name, chars.length, looks);
      const offered = offeredAt(store, text.name).at(-1);
      if (offered) for (let idx = offered[0]; idx < offered[1]; idx += 1) looks[idx]?.classes.push('offered');
      for (const idx of this.different[at] ?? []) looks[idx]?.classes.push('diff');
      if ((store.view.litText ?? first) === text.name) for (const idx of store.view.lit) looks[idx]?.classes.push('found');
      for (const layer of layers) this.#layer(layers, layer, looks);
      const lanes = layers.reduce((most, layer) => Math.max(most, layer.lane + 1), 0);
      pane.style.setProperty('--lanes', String(lanes));
      pane.classList.toggle('tagged', isOn('tags'));
      for (const [i, look] of looks.entries()) this.#update(chars[i], text.text, i, look);
    }
  }

  /** @param {import('./types.js').Word[]} words @param {{classes: string[], title: string}[]} looks */
  #words(words, looks) {
    for (const [start, end, name] of words) {
      if (name === '') continue;
      for (let idx = start; idx < end; idx += 1) {
        looks[idx]?.classes.push('word', `word-${classOf(name)}`, ...(idx === start ? ['word-start'] : []), ...(idx === end - 1 ? ['word-end'] : []));
      }
    }
  }

  /** @param {string} name @param {number} length @param {{classes: string[]}[]} looks */
  #selection(name, length, looks) {
    const { selection } = this.store.view;
    if (selection?.text !== name) return;
    for (const idx of selectedIdxes(selection)) looks[idx]?.classes.push('selected');
    if (liveRange(selection)) return;
    if (selection.head < length) looks[selection.head]?.classes.push('caret');
    else looks[length - 1]?.classes.push('caret-after');
  }

  /** @param {Layer[]} layers @param {Layer} layer @param {{classes: string[], lanes: HTMLElement[]}[]} looks */
  #layer(layers, layer, looks) {
    const { record, hover } = this.store.view;
    const { field } = layer;
    const isHovered = hover !== null && !layer.ghost && layer.records.includes(hover.record) && (!hover.field || hover.field === field.name);
    const isCurrent = !layer.ghost && record !== null && layer.records.includes(record);
    const classes = ['lane', `colour-${field.colour ?? 7}`, `shape-${field.shape ?? 'solid'}`];
    if (layer.ghost) classes.push('ghost');
    if (isHovered) classes.push('hovered');
    if (isCurrent) classes.push('current');
    const label = read(field.label);
    for (const [number, piece] of layer.pieces.entries()) {
      for (let idx = piece[0]; idx < piece[1]; idx += 1) {
        const look = looks[idx];
        if (!look) continue;
        if (isHovered) look.classes.push('lit');
        const isStart = idx === piece[0];
        const lane = h('i', { class: [...classes, ...(isStart ? ['start'] : []), ...(idx === piece[1] - 1 ? ['end'] : [])].join(' '), 'aria-hidden': 'true' });
        lane.style.setProperty('--lane', String(layer.lane));
        if (isStart) lane.append(this.#tag(layer, label, number, roomOf(layers, layer, piece)));
        look.lanes.push(lane);
      }
    }
  }

  /** @param {Layer} layer @param {string} label @param {number} number @param {number} room  In characters of the text. */
  #tag(layer, label, number, room) {
    const order = layer.pieces.length > 1 ? String(number + 1) : '';
    const times = layer.records.length > 1 && number === 0 ? `×${layer.records.length}` : '';
    const target = layer.ghost ? {} : { 'data-act': 'open-layer', 'data-record': layer.records.includes(this.store.view.record ?? -1) ? this.store.view.record : layer.records[0], 'data-name': layer.field.name };
    const tag = h('b', { class: 'tag', title: label, ...target }, label, order && h('sup', {}, order), times);
    tag.style.setProperty('--room', String(room));
    return tag;
  }

  /** @param {HTMLElement | undefined} char @param {string} text @param {number} i @param {{classes: string[], lanes: HTMLElement[], title: string}} look */
  #update(char, text, i, look) {
    if (!char) return;
    const classes = look.classes.join(' ');
    if (char.className !== classes) char.className = classes;
    const lanes = look.lanes.map((lane) => lane.outerHTML).join('');
    if (this.seen.get(char) === lanes) return;
    this.seen.set(char, lanes);
    while (char.childNodes.length > 1) char.lastChild?.remove();
    char.append(...look.lanes);
  }
}

/** Where the caret goes one line up or down: to the character that stands nearest. @param {Element} pane @param {number} head @param {1 | -1} by */
export function lineJump(pane, head, by) {
  const chars = [...pane.querySelectorAll('.ch')];
  const at = chars[Math.min(head, chars.length - 1)]?.getBoundingClientRect();
  if (!at) return head;
  const boxes = chars.map((char, i) => ({ i, box: char.getBoundingClientRect() }));
  const beyond = boxes.filter(({ box }) => (by > 0 ? box.top > at.top + at.height / 2 : box.top < at.top - at.height / 2));
  if (beyond.length === 0) return by > 0 ? chars.length : 0;
  const tops = beyond.map(({ box }) => box.top);
  const line = by > 0 ? Math.min(...tops) : Math.max(...tops);
  const near = beyond.filter(({ box }) => Math.abs(box.top - line) < at.height / 2);
  near.sort((a, b) => Math.abs(a.box.left - at.left) - Math.abs(b.box.left - at.left));
  return near[0]?.i ?? head;
}
