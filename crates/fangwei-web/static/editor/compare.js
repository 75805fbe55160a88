// What differs between two sheets, told record by record and field by field.

import { describe, valueText } from './commands.js';
import { fieldOf, same } from './sheet.js';
import { read, say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {Row, Sheet} from './types.js' */
/** @typedef {{where: string, mine: string, theirs: string}} Difference */

/** @param {Store} store @param {Sheet} mine @param {Sheet} theirs @returns {Difference[]} */
export function differences(store, mine, theirs) {
  return [...partDifferences(store, mine, theirs), ...recordDifferences(store, mine, theirs)];
}

/** @param {Store} store @param {Sheet} mine @param {Sheet} theirs @returns {Difference[]} */
function partDifferences(store, mine, theirs) {
  const told = store.form.parts.flatMap((part) => {
    if (part.kind === 'choice') {
      const tell = (/** @type {Sheet} */ sheet) => (sheet.choices[part.name] ?? []).map((value) => read(part.options.find((option) => option.value === value)?.label) || value).join('、');
      return [{ where: read(part.label), mine: tell(mine), theirs: tell(theirs) }];
    }
    if (part.kind === 'text') return [{ where: read(part.label), mine: mine.texts[part.name] ?? '', theirs: theirs.texts[part.name] ?? '' }];
    return [];
  });
  return told.filter((one) => one.mine !== one.theirs);
}

/** Records are paired by their id, then by what they say: an id given by both sides may name two different records. @param {Store} store @param {Sheet} mine @param {Sheet} theirs */
function recordDifferences(store, mine, theirs) {
  /** @type {Difference[]} */
  const told = [];
  const says = (/** @type {Row} */ a) => (/** @type {Row} */ b) => a.type === b.type && same(a.fields, b.fields);
  const left = mine.records.filter((row) => !theirs.records.some(says(row)));
  const right = theirs.records.filter((row) => !mine.records.some(says(row)));
  for (const row of left) {
    const other = right.find((one) => one.id === row.id && one.type === row.type);
    const where = say('recordName', mine.records.indexOf(row) + 1);
    if (other) told.push(...fieldDifferences(store, row, other, where));
    else told.push({ where, mine: describe(store, row), theirs: '—' });
  }
  for (const row of right.filter((one) => !left.some((other) => other.id === one.id && other.type === one.type))) {
    told.push({ where: say('recordName', theirs.records.indexOf(row) + 1), mine: '—', theirs: describe(store, row) });
  }
  return told;
}

/** @param {Store} store @param {Row} mine @param {Row} theirs @param {string} where */
function fieldDifferences(store, mine, theirs, where) {
  const names = [...new Set([...Object.keys(mine.fields), ...Object.keys(theirs.fields)])];
  return names.filter((name) => !same(mine.fields[name], theirs.fields[name])).map((name) => {
    const field = fieldOf(store.form, mine, name);
    const tell = (/** @type {Row} */ row) => (row.fields[name] ?? []).map((value) => valueText(store, field, value)).join(' ∥ ') || '—';
    return { where: `${where} · ${read(field?.label) || name}`, mine: tell(mine), theirs: tell(theirs) };
  });
}
