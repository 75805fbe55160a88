// Records as cards: the open one with all its fields, the others as one line each. A card lights up its spans in the text.

import { describe, valueText } from './commands.js';
import { h } from './dom.js';
import { drawFields, lookOf } from './fields.js';
import { isAsked, piecesOf, sorted, typeOf } from './sheet.js';
import { liveRange } from './selection.js';
import { occurrence } from './snap.js';
import { read, say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {RecordsPart, Row, Sheet} from './types.js' */

/** @param {Store} store @param {RecordsPart} part @returns {HTMLElement | null} */
export function drawRecords(store, part) {
  const rows = sorted(store.sheet, store.view.order).filter((row) => part.types.some((type) => type.type === row.type));
  if (!isAsked(part, store.sheet)) return rows.length > 0 ? drawHidden(store, part, rows.length) : null;
  const ghosts = (store.shownGhost?.records ?? []).filter((row) => part.types.some((type) => type.type === row.type));
  return h('section', { class: 'records', 'data-key': `part-${part.name}`, 'aria-label': read(part.label) },
    h('div', { class: 'records-head' },
      h('h3', {}, read(part.label), ' ', h('small', {}, rows.length)),
      rows.length > 1 && h('span', { class: 'ways', role: 'group', 'aria-label': say('order') },
        h('button', { class: 'way', type: 'button', 'data-act': 'order', 'data-order': 'text', 'aria-pressed': String(store.view.order === 'text') }, say('byText')),
        h('button', { class: 'way', type: 'button', 'data-act': 'order', 'data-order': 'created', 'aria-pressed': String(store.view.order === 'created') }, say('byCreation')))),
    rows.length === 0 && ghosts.length === 0 && h('p', { class: 'soft' }, say('noRecords')),
    h('ol', { class: 'cards' },
      rows.map((row) => drawCard(store, store.sheet, row)),
      ghosts.map((row) => drawGhost(store, row))),
    !store.isClosed && h('div', { class: 'new', role: 'group' }, part.types.map((type) =>
      h('button', { class: 'plain', type: 'button', 'data-act': 'new', 'data-type': type.type, disabled: rows.length >= (part.most ?? Infinity) }, '＋ ', say('newRecord', read(type.label))))));
}

/** Records of a part that the choices exclude are not thrown away in silence. @param {Store} store @param {RecordsPart} part @param {number} count */
function drawHidden(store, part, count) {
  return h('p', { class: 'notice', 'data-key': `part-${part.name}` }, say('hiddenRecords', count), ' ',
    !store.isClosed && h('button', { class: 'plain', type: 'button', 'data-act': 'remove-hidden', 'data-part': part.name }, say('removeHidden')));
}

/** @param {Store} store @param {Sheet} sheet @param {Row} row */
function drawCard(store, sheet, row) {
  const isOpen = store.view.record === row.id;
  const type = typeOf(store.form, row.type);
  const number = sheet.records.indexOf(row) + 1;
  const worst = worstOf(store, row.id);
  const tool = (/** @type {string} */ act, /** @type {import('./words.js').Key} */ key) => !store.isClosed && h('button', { class: 'plain small', type: 'button', 'data-act': act, 'data-record': row.id }, say(key));
  return h('li', { class: `record${isOpen ? ' open' : ''}${isUnderCaret(store, row) ? ' lit' : ''}`, 'data-key': `record-${row.id}`, 'data-hover': row.id },
    h('div', { class: 'record-head' },
      h('button', { class: 'record-name', type: 'button', 'data-act': 'open', 'data-record': row.id, 'aria-expanded': String(isOpen), 'aria-label': `${number}. ${read(type?.label)}：${describe(store, row)}` },
        h('span', { class: 'number' }, number),
        h('span', { class: 'type' }, read(type?.label)),
        worst && h('span', { class: `mark is-${worst}`, title: say(worst) }, SIGNS[worst]),
        !isOpen && h('span', { class: 'summary' }, drawSummary(store, row))),
      isOpen && h('span', { class: 'tools' }, tool('clone', 'clone'), tool('delete', 'remove'))),
    isOpen && type && drawFields(store, type, row));
}

export const SIGNS = { error: '✕', warning: '!', hint: 'i' };

/** @param {Store} store @param {number} id @returns {'error' | 'warning' | null} */
function worstOf(store, id) {
  const mine = store.findings.filter((finding) => finding.record === id && !finding.waived);
  return mine.some(({ severity }) => severity === 'error') ? 'error' : mine.some(({ severity }) => severity === 'warning') ? 'warning' : null;
}

/** Whether the pointer, the caret or the selection touches one of its spans. @param {Store} store @param {Row} row */
function isUnderCaret(store, row) {
  const { near, selection } = store.view;
  const place = near ?? selection;
  if (!place) return false;
  const [from, to] = near ? [near.idx, near.idx + 1] : (liveRange(selection) ?? [selection?.head ?? 0, (selection?.head ?? 0) + 1]);
  return Object.values(row.fields).flat().some((value) =>
    (value.text === undefined || value.text === place.text || store.texts.length < 2) && value.idxes?.some((idx) => idx >= from && idx < to));
}

/** @param {Store} store @param {Row} row */
function drawSummary(store, row) {
  const fields = typeOf(store.form, row.type)?.fields.filter((field) => row.fields[field.name]) ?? [];
  if (fields.length === 0) return h('span', { class: 'soft' }, say('emptyRecord'));
  return fields.map((field) => h('span', { class: `chip ${lookOf(field)}` }, h('small', {}, read(field.label)),
    (row.fields[field.name] ?? []).map((value, at) => h('span', { class: 'chip-value', lang: 'zh' }, at > 0 && ' ∥ ', valueText(store, field, value), numberOf(store, field.text, value)))));
}

/** @param {Store} store @param {string | null | undefined} text @param {import('./types.js').Value} value */
function numberOf(store, text, value) {
  const pieces = piecesOf(value.idxes ?? []);
  const chars = store.text(value.text ?? text)?.chars ?? [];
  if (pieces.length !== 1 || !pieces[0]) return null;
  const [ordinal, count] = occurrence(chars, pieces[0]);
  return count > 1 && h('sub', {}, ordinal);
}

/** A record that somebody else suggests: dashed, and not ours until taken. @param {Store} store @param {Row} row */
function drawGhost(store, row) {
  const type = typeOf(store.form, row.type);
  return h('li', { class: 'record ghost', 'data-key': `ghost-${row.id}` },
    h('div', { class: 'record-head' },
      h('span', { class: 'type' }, read(type?.label), ' ', h('small', {}, store.ghost?.kind === 'theirs' ? say('theirVersion') : say('suggested'))),
      !store.isClosed && h('button', { class: 'plain small', type: 'button', 'data-act': 'accept', 'data-record': row.id }, say('accept'))),
    h('div', { class: 'summary' }, drawSummary(store, row)));
}
