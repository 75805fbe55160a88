// How spans lie under the text: every value is a line in the lowest lane that is free at all its characters, so that overlapping
// spans are stacked and pieces of one value share a lane. The same span in the same role of several records is one line.

import { fieldOf, piecesOf } from './sheet.js';

/** @import {Field, Form, Sheet} from './types.js' */
/**
 * @typedef {{field: Field, records: number[], idxes: number[], pieces: [number, number][], lane: number, ghost: boolean}} Layer
 */

/**
 * @param {Form} form
 * @param {string} text  The name of the text.
 * @param {string} first  The name of the first text, which values without a name mean.
 * @param {Sheet} sheet
 * @param {Sheet | null} ghost
 * @returns {Layer[]}
 */
export function layersOf(form, text, first, sheet, ghost) {
  const layers = new Map();
  /** @param {Sheet} from @param {boolean} isGhost */
  const collect = (from, isGhost) => {
    for (const row of from.records) {
      for (const [name, values] of Object.entries(row.fields)) {
        const field = fieldOf(form, row, name);
        for (const value of values) {
          if (field?.kind !== 'span' || !value.idxes?.length || (value.text ?? field.text ?? first) !== text) continue;
          const key = `${isGhost}/${row.type}/${name}/${value.idxes.join(' ')}`;
          const layer = layers.get(key) ?? { field, records: [], idxes: value.idxes, pieces: piecesOf(value.idxes), lane: 0, ghost: isGhost };
          layer.records.push(row.id);
          layers.set(key, layer);
        }
      }
    }
  };
  collect(sheet, false);
  if (ghost) collect(ghost, true);
  return place([...layers.values()]);
}

/** @param {Layer[]} layers */
function place(layers) {
  const start = (/** @type {Layer} */ layer) => Math.min(...layer.idxes);
  const order = [...layers].sort((a, b) => start(a) - start(b) || b.idxes.length - a.idxes.length);
  /** @type {Set<number>[]} */
  const lanes = [];
  for (const layer of order) {
    let lane = 0;
    while (lanes[lane] && layer.idxes.some((idx) => lanes[lane]?.has(idx))) lane += 1;
    const taken = (lanes[lane] ??= new Set());
    for (const idx of layer.idxes) taken.add(idx);
    layer.lane = lane;
  }
  return order;
}

/**
 * How many characters a tag may cover before it runs into the next line of its lane.
 * @param {Layer[]} layers
 * @param {Layer} layer
 * @param {[number, number]} piece
 */
export function roomOf(layers, layer, [start, end]) {
  let to = end;
  const taken = (/** @type {number} */ idx) => layers.some((one) => one.lane === layer.lane && one.idxes.includes(idx));
  while (to < start + 4 && !taken(to)) to += 1;
  return to - start;
}
