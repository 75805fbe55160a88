// What a person can do to the sheet, whether by key, click or touch.

import { addRecord, copyRecord, isAsked, piecesOf, putValue, recordParts, removePiece, removeRecord, removeValue, sorted, typeOf } from './sheet.js';
import { select, selectedIdxes, selectedText } from './selection.js';
import { read, say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {Field, RecordType, Row, Value} from './types.js' */

/** The record types that may be made, given the choices. @param {Store} store */
export const typesAsked = (store) => recordParts(store.form).filter((part) => isAsked(part, store.sheet)).flatMap((part) => part.types);

/** Makes a record and goes to it. @param {Store} store @param {string} [type] */
export function newRecord(store, type) {
  const made = withRecord(store, type ?? store.record?.type ?? typesAsked(store)[0]?.type);
  if (!made) return;
  const [sheet, id] = made;
  store.edit(sheet);
  store.look({ record: id, field: firstOpen(store, id) });
}

/** The sheet with another record, if there is room for it. @param {Store} store @param {string | undefined} type */
function withRecord(store, type) {
  const part = recordParts(store.form).find((one) => one.types.some((known) => known.type === type));
  if (!type || !part || store.isClosed) return null;
  const count = store.sheet.records.filter((row) => part.types.some((known) => known.type === row.type)).length;
  if (count >= (part.most ?? Infinity)) {
    store.announce(say('tooMany', part.most ?? 0));
    return null;
  }
  return addRecord(store.sheet, type);
}

/** The first field that is shown at once and still empty. @param {Store} store @param {number} id @param {string} [after] */
export function firstOpen(store, id, after) {
  const row = store.sheet.records.find((one) => one.id === id);
  const fields = row ? (typeOf(store.form, row.type)?.fields ?? []) : [];
  const from = after ? fields.findIndex((field) => field.name === after) + 1 : 0;
  const rest = [...fields.slice(from), ...fields.slice(0, from)];
  return rest.find((field) => field.primary !== false && !row?.fields[field.name])?.name ?? null;
}

/**
 * The field with a key: in the open record, or in the first type that has it.
 * @param {Store} store
 * @param {(field: Field) => boolean} test
 * @returns {{type: RecordType, field: Field} | null}
 */
export function findField(store, test) {
  const asked = typesAsked(store);
  const mine = store.record && asked.find((type) => type.type === store.record?.type);
  for (const type of mine ? [mine, ...asked] : asked) {
    const field = type.fields.find(test);
    if (field) return { type, field };
  }
  return null;
}

/**
 * Puts the selection into a field; where nothing is selected, goes to the field.
 * @param {Store} store
 * @param {{type: RecordType, field: Field}} target
 * @param {'fill' | 'append' | 'parallel'} how
 */
export function assign(store, { type, field }, how) {
  const { selection } = store.view;
  const idxes = selectedIdxes(selection);
  const isOpen = store.record?.type === type.type;
  if (field.kind === 'label' || idxes.length === 0 || !selection) {
    if (isOpen) goToField(store, store.view.record, field.name);
    else store.announce(say('needsSpan'));
    return;
  }
  const label = read(field.label);
  const refusal = refuse(store, field, selection.text, idxes, how, isOpen ? store.record : null);
  if (refusal) {
    store.announce(refusal);
    return;
  }
  const made = isOpen && store.record ? /** @type {const} */ ([store.sheet, store.record.id]) : withRecord(store, type.type);
  if (!made) return;
  const [sheet, id] = made;
  const text = selectedText(store);
  /** @type {Value} */
  const value = field.kind === 'text' ? { value: text } : store.texts.length > 1 ? { idxes, text: selection.text } : { idxes };
  store.edit(putValue(sheet, id, field.name, value, how));
  const end = selection.head;
  select(store, { text: selection.text, anchor: end, head: end, kept: [] });
  store.look({ record: id, field: firstOpen(store, id, field.name) ?? field.name, how: 'fill' });
  store.announce(say('put', label, text));
}

/**
 * Why a selection cannot go into a field.
 * @param {Store} store
 * @param {Field} field
 * @param {string} text
 * @param {number[]} idxes
 * @param {string} how
 * @param {Row | null} row
 */
function refuse(store, field, text, idxes, how, row) {
  const label = read(field.label);
  const old = row?.fields[field.name];
  if (field.kind === 'span' && field.text && store.texts.length > 1 && field.text !== text) return say('wrongText', label);
  if (field.kind === 'span' && !field.pieces && (piecesOf(idxes).length > 1 || (how === 'append' && old))) return say('onePiece', label);
  if (!field.many && how === 'parallel' && old) return say('oneValue', label);
  return '';
}

/** Goes to a field of a record; labels and texts get the focus. @param {Store} store @param {number | null} id @param {string} name */
export function goToField(store, id, name) {
  if (id === null) return;
  store.view.opened.add(`${id}/${name}`);
  store.look({ record: id, field: name });
  queueMicrotask(() => queueMicrotask(() => {
    const place = document.querySelector(`#editor [data-key="record-${id}"] [data-field="${CSS.escape(name)}"]`);
    const control = place?.querySelector('select, input, textarea, .labels button');
    place?.scrollIntoView({ block: 'nearest' });
    if (control instanceof HTMLElement) control.focus();
  }));
}

/** Fills the current field, or the first empty one. @param {Store} store @param {'fill' | 'append' | 'parallel'} how */
export function assignCurrent(store, how) {
  const name = store.view.field ?? (store.view.record !== null ? firstOpen(store, store.view.record) : null);
  const target = name && store.record ? findField(store, (field) => field.name === name) : findField(store, (field) => field.kind !== 'label');
  if (target) assign(store, target, how);
}

/** Makes the next or previous field of the open record the current one; false beyond the last, where Tab leaves the text. @param {Store} store @param {1 | -1} by */
export function stepField(store, by) {
  const row = store.record;
  const fields = row ? (typeOf(store.form, row.type)?.fields ?? []).filter((field) => field.primary !== false || row.fields[field.name] || store.view.opened.has(`${row.id}/${field.name}`)) : [];
  const at = fields.findIndex((field) => field.name === store.view.field);
  const next = fields[at < 0 ? (by > 0 ? 0 : fields.length - 1) : at + by];
  if (!next || fields.length === 0) return false;
  store.look({ field: next.name });
  store.announce(next.key ? say('fieldOf', read(next.label), next.key) : read(next.label));
  return true;
}

/** Takes the last piece of the current field away. @param {Store} store */
export function removeLast(store) {
  const { record: id, field: name } = store.view;
  const values = name ? store.record?.fields[name] : undefined;
  if (id === null || !name || !values?.length) return;
  const at = values.length - 1;
  const pieces = piecesOf(values[at]?.idxes ?? []).length;
  store.edit(pieces > 1 ? removePiece(store.sheet, id, name, at, pieces - 1) : removeValue(store.sheet, id, name, at));
}

/** @param {Store} store @param {1 | -1} by */
export function stepRecord(store, by) {
  const rows = sorted(store.sheet, store.view.order);
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row.id === store.view.record);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length];
  if (!next) return;
  store.look({ record: next.id, field: firstOpen(store, next.id) });
  store.announce(describe(store, next));
}

/** @param {Store} store @param {number | null} [id] */
export function cloneRecord(store, id = store.view.record) {
  const row = store.sheet.records.find((one) => one.id === id);
  if (!row) return;
  const [sheet, copy] = copyRecord(store.sheet, row);
  store.edit(sheet);
  store.look({ record: copy, field: null });
}

/** @param {Store} store @param {number | null} [id] */
export function deleteRecord(store, id = store.view.record) {
  if (id === null) return;
  const rows = sorted(store.sheet, store.view.order);
  const at = rows.findIndex((row) => row.id === id);
  const next = rows[at + 1] ?? rows[at - 1];
  if (!store.edit(removeRecord(store.sheet, id))) return;
  store.look({ record: next?.id ?? null, field: null, hover: null });
  store.announce(say('deleted'));
}

/** Takes over one record of the ghost, or the next that is not there yet. @param {Store} store @param {number} [id] */
export function acceptRecord(store, id) {
  const row = store.openGhost?.records.find((one) => id === undefined || one.id === id);
  if (!row) return;
  const [sheet, copy] = copyRecord(store.sheet, row);
  store.taken.set(row.id, copy);
  if (store.edit(sheet)) store.look({ record: copy, field: null });
}

/** Takes over all that is suggested: records beside one's own, choices and texts where nothing is chosen or written. @param {Store} store */
export function acceptAll(store) {
  const other = store.openGhost;
  if (!other) return;
  let sheet = { ...store.sheet, choices: { ...other.choices, ...store.sheet.choices }, texts: { ...other.texts, ...store.sheet.texts } };
  for (const row of other.records) {
    const [grown, copy] = copyRecord(sheet, row);
    store.taken.set(row.id, copy);
    sheet = grown;
  }
  if (store.edit(sheet)) store.look({ record: store.view.record ?? store.sheet.records[0]?.id ?? null });
}

/** The text of a value. @param {Store} store @param {Field | undefined} field @param {Value} value */
export function valueText(store, field, value) {
  if (value.label !== undefined) return read(field?.options?.find((option) => option.value === value.label)?.label) || value.label;
  if (!value.idxes) return value.value ?? '';
  const chars = store.text(value.text ?? field?.text)?.chars ?? [];
  return piecesOf(value.idxes).map(([start, end]) => chars.slice(start, end).join('')).join('+');
}

/** A record in one line, for lists and for those who listen. @param {Store} store @param {Row} row */
export function describe(store, row) {
  const type = typeOf(store.form, row.type);
  const fields = (type?.fields ?? []).filter((field) => row.fields[field.name]);
  const parts = fields.map((field) => say('put', read(field.label), (row.fields[field.name] ?? []).map((value) => valueText(store, field, value)).join(' / ')));
  return parts.join('；') || say('emptyRecord');
}
