// Changes of a sheet, as pure functions: each takes a sheet and gives another one, so that undo is a list of sheets.

/** @import {Form, Field, Part, RecordsPart, RecordType, Row, Sheet, Value} from './types.js' */

/** @returns {Sheet} */
export const emptySheet = () => ({ choices: {}, texts: {}, records: [], waivers: [] });

/**
 * A sheet as it came, with whatever was left out.
 * @param {Partial<Sheet> | null | undefined} sheet
 * @returns {Sheet}
 */
export const whole = (sheet) => ({ ...emptySheet(), ...sheet });

/** @param {Sheet} sheet */
export const isEmpty = (sheet) =>
  sheet.records.length === 0 &&
  Object.values(sheet.choices).every((values) => values.length === 0) &&
  Object.values(sheet.texts).every((text) => text === '');

/**
 * Whether two sheets say the same; waivers count, the order of keys does not.
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
export function same(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  const other = new Map(right);
  return left.length === right.length && left.every(([key, value]) => other.has(key) && same(value, other.get(key)));
}

/** @param {Form} form @returns {RecordsPart[]} */
export const recordParts = (form) => form.parts.filter((part) => part.kind === 'records');

/** @param {Form} form @param {string} type @returns {RecordType | undefined} */
export const typeOf = (form, type) => recordParts(form).flatMap((part) => part.types).find((one) => one.type === type);

/** @param {Form} form @param {Row} row @param {string} name @returns {Field | undefined} */
export const fieldOf = (form, row, name) => typeOf(form, row.type)?.fields.find((field) => field.name === name);

/** Whether a part is asked for, given the choices. @param {Part} part @param {Sheet} sheet */
export const isAsked = (part, sheet) => !part.when || part.when.in.some((value) => sheet.choices[part.when?.name ?? '']?.includes(value));

/**
 * The pieces of a span: runs of neighbouring characters, in the order as written, as [start, end).
 * @param {number[]} idxes
 * @returns {[number, number][]}
 */
export function piecesOf(idxes) {
  /** @type {[number, number][]} */
  const pieces = [];
  for (const idx of idxes) {
    const last = pieces.at(-1);
    if (last && last[1] === idx) last[1] = idx + 1;
    else pieces.push([idx, idx + 1]);
  }
  return pieces;
}

/** @param {[number, number][]} pieces @returns {number[]} */
export const idxesOf = (pieces) => pieces.flatMap(([start, end]) => Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i));

/**
 * Adds an empty record and tells its id.
 * @param {Sheet} sheet
 * @param {string} type
 * @returns {[Sheet, number]}
 */
export function addRecord(sheet, type) {
  const id = freeId(sheet);
  return [{ ...sheet, records: [...sheet.records, { id, type, fields: {} }] }, id];
}

/** @param {Sheet} sheet */
const freeId = (sheet) => 1 + sheet.records.reduce((most, row) => Math.max(most, row.id), 0);

/**
 * Copies a record (of this sheet or another) to the end, or after its model.
 * @param {Sheet} sheet
 * @param {Row} row
 * @returns {[Sheet, number]}
 */
export function copyRecord(sheet, row) {
  const id = freeId(sheet);
  const at = sheet.records.indexOf(row);
  const records = [...sheet.records];
  records.splice(at < 0 ? records.length : at + 1, 0, { ...row, id });
  return [{ ...sheet, records }, id];
}

/** @param {Sheet} sheet @param {number} id @returns {Sheet} */
export const removeRecord = (sheet, id) => ({ ...sheet, records: sheet.records.filter((row) => row.id !== id) });

/**
 * Sets the values of a field; a field without values is absent.
 * @param {Sheet} sheet
 * @param {number} id
 * @param {string} name
 * @param {(values: Value[]) => Value[]} change
 * @returns {Sheet}
 */
export function withValues(sheet, id, name, change) {
  const records = sheet.records.map((row) => {
    if (row.id !== id) return row;
    const { [name]: old, ...others } = row.fields;
    const values = change(old ?? []);
    return { ...row, fields: values.length > 0 ? { ...row.fields, [name]: values } : others };
  });
  return { ...sheet, records };
}

/**
 * Puts a value into a field: instead of what is there, joined to its last value, or beside its values.
 * @param {Sheet} sheet
 * @param {number} id
 * @param {string} name
 * @param {Value} value
 * @param {'fill' | 'append' | 'parallel'} how
 */
export function putValue(sheet, id, name, value, how) {
  return withValues(sheet, id, name, (values) => {
    const last = values.at(-1);
    if (how === 'fill' || !last) return [value];
    if (how === 'append' && value.value !== undefined) return [...values.slice(0, -1), { value: (last.value ?? '') + value.value }];
    if (how === 'parallel') return values.some((one) => same(one, value)) ? values : [...values, value];
    const idxes = [...(last.idxes ?? []), ...(value.idxes ?? []).filter((idx) => !last.idxes?.includes(idx))];
    return [...values.slice(0, -1), { ...last, idxes }];
  });
}

/** @template T @param {T[]} list @param {number} at @param {number} by @returns {T[]} */
function moved(list, at, by) {
  const [copy, to] = [[...list], at + by];
  if (at < 0 || at >= list.length || to < 0 || to >= list.length) return list;
  copy.splice(to, 0, ...copy.splice(at, 1));
  return copy;
}

/** @param {Sheet} sheet @param {number} id @param {string} name @param {number} at */
export const removeValue = (sheet, id, name, at) => withValues(sheet, id, name, (values) => values.filter((_, i) => i !== at));

/** @param {Sheet} sheet @param {number} id @param {string} name @param {number} at @param {number} by */
export const moveValue = (sheet, id, name, at, by) => withValues(sheet, id, name, (values) => moved(values, at, by));

/**
 * Changes the pieces of one value; a value without pieces is removed.
 * @param {Sheet} sheet
 * @param {number} id
 * @param {string} name
 * @param {number} at
 * @param {(pieces: [number, number][]) => [number, number][]} change
 */
function withPieces(sheet, id, name, at, change) {
  return withValues(sheet, id, name, (values) =>
    values
      .map((value, i) => (i === at ? { ...value, idxes: idxesOf(change(piecesOf(value.idxes ?? []))) } : value))
      .filter((value, i) => i !== at || (value.idxes ?? []).length > 0),
  );
}

/** @param {Sheet} sheet @param {number} id @param {string} name @param {number} at @param {number} piece */
export const removePiece = (sheet, id, name, at, piece) => withPieces(sheet, id, name, at, (pieces) => pieces.filter((_, i) => i !== piece));

/** @param {Sheet} sheet @param {number} id @param {string} name @param {number} at @param {number} piece @param {number} by */
export const movePiece = (sheet, id, name, at, piece, by) => withPieces(sheet, id, name, at, (pieces) => moved(pieces, piece, by));

/**
 * Chooses or un-chooses an option. What is empty is left out of a sheet.
 * @param {Sheet} sheet
 * @param {{name: string, many?: boolean, required?: boolean}} part
 * @param {string} value
 */
export function choose(sheet, part, value) {
  const old = sheet.choices[part.name] ?? [];
  const without = old.filter((one) => one !== value);
  const values = part.many ? (old.includes(value) ? without : [...old, value]) : old.includes(value) && !part.required ? [] : [value];
  const { [part.name]: _, ...others } = sheet.choices;
  return { ...sheet, choices: values.length > 0 ? { ...others, [part.name]: values } : others };
}

/** @param {Sheet} sheet @param {string} name @param {string} text @returns {Sheet} */
export function write(sheet, name, text) {
  const { [name]: _, ...others } = sheet.texts;
  return { ...sheet, texts: text === '' ? others : { ...others, [name]: text } };
}

/** @param {Sheet} sheet @param {{rule: string, at: string}} finding @param {string | null} reason  No reason takes the waiver back. */
export function waive(sheet, finding, reason) {
  const others = sheet.waivers.filter((waiver) => waiver.rule !== finding.rule || waiver.at !== finding.at);
  return { ...sheet, waivers: reason === null ? others : [...others, { rule: finding.rule, at: finding.at, reason }] };
}

/** Where a record begins in the text, for sorting; records without spans come last. @param {Row} row */
export const startOf = (row) => Object.values(row.fields).flat().flatMap((value) => value.idxes ?? []).reduce((least, idx) => Math.min(least, idx), Infinity);

/**
 * The records as a reader wants them.
 * @param {Sheet} sheet
 * @param {'created' | 'text'} order
 */
export function sorted(sheet, order) {
  if (order === 'created') return sheet.records;
  return [...sheet.records].sort((a, b) => startOf(a) - startOf(b) || a.id - b.id);
}
