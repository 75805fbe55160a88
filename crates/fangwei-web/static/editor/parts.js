// The parts of a form besides records: choices with digits, and texts to write.

import { h } from './dom.js';
import { drawRecords } from './records.js';
import { isAsked } from './sheet.js';
import { read, say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {ChoicePart, Part, TextPart} from './types.js' */

/** @param {Store} store @returns {(HTMLElement | null)[]} */
export const drawParts = (store) => store.form.parts.map((part) => drawPart(store, part));

/** @param {Store} store @param {Part} part */
function drawPart(store, part) {
  if (part.kind === 'records') return drawRecords(store, part);
  if (!isAsked(part, store.sheet)) return null;
  return part.kind === 'choice' ? drawChoice(store, part) : drawText(store, part);
}

/** @param {Store} store @param {ChoicePart} part */
function drawChoice(store, part) {
  const chosen = store.sheet.choices[part.name] ?? [];
  const suggested = chosen.length === 0 ? (store.shownGhost?.choices[part.name] ?? []) : [];
  return h('fieldset', { class: 'choice', 'data-key': `part-${part.name}`, 'data-part': part.name, disabled: store.isClosed },
    h('legend', {}, read(part.label), part.required && h('small', {}, ` ${say('required')}`)),
    h('div', { class: 'options' }, part.options.map((option) =>
      h('label', { class: `option${chosen.includes(option.value) ? ' chosen' : suggested.includes(option.value) ? ' suggested' : ''}`, 'data-key': option.value },
        h('input', { type: part.many ? 'checkbox' : 'radio', name: `choice-${part.name}`, value: option.value, checked: chosen.includes(option.value), 'data-change': 'choice', 'data-part': part.name, 'aria-keyshortcuts': option.key }),
        option.key && option.key !== read(option.label) && h('kbd', {}, option.key), h('span', {}, read(option.label)), suggested.includes(option.value) && h('small', {}, say('suggested'))))));
}

/** @param {Store} store @param {TextPart} part */
function drawText(store, part) {
  const text = store.sheet.texts[part.name] ?? '';
  const name = `text-${part.name}`;
  const area = h('textarea', { id: name, rows: part.lines ?? 3, 'data-input': 'text', 'data-part': part.name, disabled: store.isClosed, 'aria-required': part.required ? 'true' : null }, text);
  return h('div', { class: 'writing', 'data-key': `part-${part.name}` },
    h('label', { for: name }, read(part.label), part.required && h('small', {}, ` ${say('required')}`)),
    area,
    part.frame && text === '' && !store.isClosed && h('button', { class: 'plain frame-use', type: 'button', 'data-act': 'frame', 'data-part': part.name, title: read(part.frame) }, say('useFrame')),
    h('small', { class: 'count' }, say('chars', Array.from(text).length)));
}

/** Selects the next slot of a frame, so that it can be typed over; false if none is left. @param {HTMLTextAreaElement} area @param {number} from */
export function nextSlot(area, from) {
  const slot = /\{[^}]*\}/.exec(area.value.slice(from));
  if (!slot) return false;
  area.focus();
  area.setSelectionRange(from + slot.index, from + slot.index + slot[0].length);
  return true;
}
