// The fields of an open record: spans with their pieces and parallel values, labels, texts; as rows, or as slots in a sentence.

import { valueText } from './commands.js';
import { h } from './dom.js';
import { piecesOf } from './sheet.js';
import { occurrence } from './snap.js';
import { read, say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {Field, RecordType, Row, Value} from './types.js' */

/** @param {Field} field */
export const lookOf = (field) => `colour-${field.colour ?? 7} shape-${field.shape ?? 'solid'}`;

/**
 * The fields of a record: those of its frame inside the sentence, the others as rows.
 * @param {Store} store
 * @param {RecordType} type
 * @param {Row} row
 */
export function drawFields(store, type, row) {
  const frame = read(type.frame);
  const inFrame = new Set([...frame.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]));
  const isShown = (/** @type {Field} */ field) =>
    !inFrame.has(field.name) && (field.primary !== false || row.fields[field.name] !== undefined || store.view.opened.has(`${row.id}/${field.name}`));
  const rows = type.fields.filter(isShown);
  const more = type.fields.filter((field) => !inFrame.has(field.name) && !isShown(field));
  return [
    inFrame.size > 0 && drawFrame(store, type, row, frame),
    rows.length > 0 && h('div', { class: 'fields' }, rows.map((field) => drawRow(store, row, field))),
    more.length > 0 && !store.isClosed && h('div', { class: 'more', role: 'group', 'aria-label': say('addField') },
      h('span', { class: 'soft' }, say('addField')),
      more.map((field) => h('button', { class: 'plain small', type: 'button', 'data-act': 'open-field', 'data-record': row.id, 'data-name': field.name }, field.key && h('kbd', {}, field.key), read(field.label)))),
  ];
}

/** @param {Store} store @param {RecordType} type @param {Row} row @param {string} frame */
function drawFrame(store, type, row, frame) {
  const parts = frame.split(/(\{[^}]+\})/).map((part) => {
    const field = type.fields.find((one) => part === `{${one.name}}`);
    return field ? drawSlot(store, row, field) : part;
  });
  return h('p', { class: 'frame' }, parts);
}

/** @param {Store} store @param {Row} row @param {Field} field */
function drawRow(store, row, field) {
  const isCurrent = store.view.field === field.name;
  return h('div', { class: `field ${lookOf(field)}${isCurrent ? ' current' : ''}`, 'data-field': field.name, 'data-record': row.id, 'data-key': `field-${field.name}` },
    h('button', {
      class: 'name', type: 'button', 'data-act': 'field', 'data-record': row.id, 'data-name': field.name, disabled: store.isClosed,
      'aria-label': field.key ? say('fieldOf', read(field.label), field.key) : read(field.label), 'aria-current': isCurrent ? 'true' : null,
    }, field.key && h('kbd', {}, field.key), h('span', {}, read(field.label))),
    h('div', { class: 'values' }, drawValues(store, row, field)));
}

/** A slot in a sentence: its name while empty, its values when filled. @param {Store} store @param {Row} row @param {Field} field */
function drawSlot(store, row, field) {
  const values = row.fields[field.name];
  const isCurrent = store.view.field === field.name;
  return h('span', { class: `slot ${lookOf(field)}${isCurrent ? ' current' : ''}${values ? '' : ' empty'}`, 'data-field': field.name, 'data-record': row.id },
    h('button', { class: 'name', type: 'button', 'data-act': 'field', 'data-record': row.id, 'data-name': field.name, disabled: store.isClosed, 'aria-current': isCurrent ? 'true' : null },
      field.key && h('kbd', {}, field.key), read(field.label)),
    (values || field.kind !== 'span') && drawValues(store, row, field));
}

/** @param {Store} store @param {Row} row @param {Field} field */
function drawValues(store, row, field) {
  const values = row.fields[field.name] ?? [];
  if (field.kind === 'label') return [drawLabels(store, row, field, values)];
  if (field.kind === 'text') return drawWritten(store, row, field, values);
  if (values.length === 0) return [h('span', { class: 'soft empty-value' }, '—')];
  return values.flatMap((value, at) => [at > 0 && h('span', { class: 'beside', title: say('parallel') }, '∥'), drawSpan(store, row, field, values, value, at)]);
}

/** @param {Store} store @param {Row} row @param {Field} field @param {Value[]} values @param {Value} value @param {number} at */
function drawSpan(store, row, field, values, value, at) {
  const chars = store.text(value.text ?? field.text)?.chars ?? [];
  const pieces = piecesOf(value.idxes ?? []);
  const target = { 'data-record': row.id, 'data-name': field.name, 'data-at': at };
  const all = valueText(store, field, value);
  const tool = (/** @type {string} */ act, /** @type {string} */ label, /** @type {string} */ sign, more = {}) =>
    !store.isClosed && h('button', { class: 'tool', type: 'button', 'data-act': act, ...target, ...more, 'aria-label': label, title: label }, sign);
  return h('span', { class: 'value', 'data-key': `value-${at}` },
    at > 0 && tool('move-value', say('moveValue', all), '⇠'),
    pieces.map(([start, end], piece) => {
      const text = chars.slice(start, end).join('');
      const [ordinal, count] = occurrence(chars, [start, end]);
      return h('span', { class: 'piece' },
        piece > 0 && h('span', { class: 'join', 'aria-hidden': 'true' }, '＋'),
        piece > 0 && tool('move-piece', say('movePiece', text), '‹', { 'data-piece': piece }),
        h('span', { class: 'piece-text', lang: 'zh' }, text, count > 1 && h('sub', { title: `${ordinal} / ${count}` }, ordinal)),
        pieces.length > 1 && tool('remove-piece', say('removePiece', text), '×', { 'data-piece': piece }));
    }),
    store.texts.length > 1 && value.text && !field.text && h('small', {}, store.texts.findIndex((text) => text.name === value.text) + 1),
    tool('remove-value', say('removeValue', all), '✕'));
}

/** Few labels are buttons, many are a list. @param {Store} store @param {Row} row @param {Field} field @param {Value[]} values */
function drawLabels(store, row, field, values) {
  const target = { 'data-record': row.id, 'data-name': field.name };
  const options = field.options ?? [];
  const isSet = (/** @type {string} */ value) => values.some((one) => one.label === value);
  if (options.length > 6 && !field.many) {
    return h('select', { ...target, 'data-change': 'label', 'aria-label': read(field.label), disabled: store.isClosed },
      h('option', { value: '' }, '—'), options.map((option) => h('option', { value: option.value, selected: isSet(option.value) }, read(option.label))));
  }
  return h('span', { class: 'labels', role: 'group', 'aria-label': read(field.label) }, options.map((option) =>
    h('button', { class: 'way', type: 'button', ...target, 'data-act': 'label', 'data-value': option.value, 'aria-pressed': String(isSet(option.value)), disabled: store.isClosed },
      option.key && store.view.field === field.name && h('kbd', {}, option.key), read(option.label))));
}

/** A line for each value; where several may stand side by side, another one that is empty. @param {Store} store @param {Row} row @param {Field} field @param {Value[]} values */
function drawWritten(store, row, field, values) {
  const written = values.map((value) => value.value ?? '');
  const shown = field.many || written.length === 0 ? [...written, ''] : written;
  return shown.map((value, at) => h('input', {
    type: 'text', 'data-input': 'written', 'data-key': `written-${at}`, 'data-record': row.id, 'data-name': field.name, 'data-at': at, value,
    'aria-label': shown.length > 1 ? `${read(field.label)} ${at + 1}` : read(field.label), disabled: store.isClosed,
  }));
}
