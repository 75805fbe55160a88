// Under the texts: what is selected, what the lexicon offers at the caret, and the roles it can go into.

import { typesAsked, describe } from './commands.js';
import { h } from './dom.js';
import { offeredAt, selectedText } from './selection.js';
import { isOn } from './store.js';
import { classOf } from './text.js';
import { read, say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {Key} from './words.js' */

/** @param {Store} store @returns {HTMLElement[]} */
export function drawBar(store) {
  if (!store.hasRecords || typesAsked(store).length === 0) return [];
  const text = selectedText(store);
  const offers = drawOffers(store);
  return [
    h('div', { class: 'picked', 'data-key': 'picked' },
      text ? [h('span', { class: 'picked-text', lang: 'zh' }, text), h('button', { class: 'plain small', type: 'button', 'data-act': 'clear', 'aria-label': say('clear') }, '✕')]
        : offers.length > 0 ? [h('span', { class: 'soft' }, say('offer')), ...offers] : h('span', { class: 'soft' }, say('hintSelect')),
      text !== '' && offers),
    drawRoles(store),
  ];
}

/** Word and phrase under the pointer or at the caret, to be taken by a click or with Space. @param {Store} store */
function drawOffers(store) {
  const name = (store.view.near ?? store.view.selection)?.text;
  const text = name === undefined ? undefined : store.text(name);
  if (!text) return [];
  return offeredAt(store, text.name).map(([start, end]) => {
    const word = text.words.find((one) => one[0] >= start && one[1] <= end && one[2] !== '');
    return h('button', { class: `offer word-${classOf(word?.[2] ?? '')}`, type: 'button', 'data-act': 'offer', 'data-text-name': text.name, 'data-start': start, 'data-end': end, lang: 'zh' }, text.chars.slice(start, end).join(''));
  });
}

/** @param {Store} store */
function drawRoles(store) {
  const asked = typesAsked(store);
  const types = store.record ? asked.filter((type) => type.type === store.record?.type) : asked;
  const isPicked = selectedText(store) !== '';
  const buttons = types.flatMap((type) => type.fields.filter((field) => field.kind !== 'label').map((field) => h('button', {
    class: `role colour-${field.colour ?? 7} shape-${field.shape ?? 'solid'}${isPicked ? '' : ' idle'}`, type: 'button', 'data-act': 'assign', 'data-type': type.type, 'data-name': field.name,
    'data-key': `role-${type.type}-${field.name}`, disabled: store.isClosed,
    'aria-keyshortcuts': field.key, title: store.record ? null : read(type.label),
  }, field.key && h('kbd', {}, field.key), read(field.label))));
  /** @type {['fill' | 'append' | 'parallel', Key][]} */
  const ways = [['fill', 'into'], ['append', 'append'], ['parallel', 'parallel']];
  const can = { fill: true, append: types.some((type) => type.fields.some((field) => field.pieces)), parallel: types.some((type) => type.fields.some((field) => field.many)) };
  return h('div', { class: 'roles', 'data-key': 'roles' },
    (can.append || can.parallel) && h('span', { class: 'ways', role: 'group', 'aria-label': say('howLabel') }, ways.filter(([how]) => can[how]).map(([how, key]) =>
      h('button', { class: 'way', type: 'button', 'data-act': 'how', 'data-how': how, 'aria-pressed': String(store.view.how === how) }, say(key)))),
    h('span', { class: 'role-list', role: 'group', 'aria-label': store.record ? describe(store, store.record) : say('newRecord', '') }, buttons));
}

/** The classes of words that are marked, with their colours; and the switches. @param {Store} store @returns {HTMLElement[]} */
export function drawSwitches(store) {
  const names = new Set(store.texts.flatMap((text) => text.words.map((word) => word[2])).filter((name) => name !== ''));
  /** @type {[string, Key][]} */
  const known = [['locative', 'classLocative'], ['place', 'classPlace'], ['directional', 'classDirectional'], ['verb', 'classVerb'], ['preposition', 'classPreposition'], ['other', 'classOther']];
  const present = known.filter(([name]) => [...names].some((one) => classOf(one) === name));
  const box = (/** @type {string} */ name, /** @type {Key} */ key) => h('label', { class: 'box' }, h('input', { type: 'checkbox', 'data-change': 'switch', 'data-name': name, checked: isOn(name) }), say(key));
  const withWords = names.size > 0 && store.mode !== 'human';
  return [
    ...(withWords ? [box('words', 'showWords')] : []),
    ...(withWords && isOn('words') ? [h('span', { class: 'legend' }, present.map(([name, key]) => h('span', { class: `word word-start word-end word-${name}` }, say(key))))] : []),
    ...(store.hasRecords ? [box('tags', 'showTags'), box('scene', 'showScene')] : []),
  ];
}
