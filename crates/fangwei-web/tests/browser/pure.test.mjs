// The parts of the editor that need no browser: changes of sheets, words and phrases, how spans are stacked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layersOf } from '../../static/editor/layers.js';
import * as sheets from '../../static/editor/sheet.js';
import { clauseAt, clauseJump, differing, occurrence, offersAt, wordJump } from '../../static/editor/snap.js';
import { GARDEN, at, roles } from './forms.mjs';

const chars = Array.from(GARDEN.text);
const [start] = sheets.addRecord(sheets.emptySheet(), 'tuple');
const idxes = (sheet, name) => sheet.records[0]?.fields[name]?.map((value) => value.idxes);

test('values are filled, joined and put side by side', () => {
  const one = sheets.putValue(start, 1, '处所', { idxes: [5, 6] }, 'fill');
  const joined = sheets.putValue(one, 1, '处所', { idxes: [2, 3] }, 'append');
  assert.deepEqual(idxes(joined, '处所'), [[5, 6, 2, 3]], 'pieces stand in the order in which they were taken');
  assert.deepEqual(sheets.piecesOf([5, 6, 2, 3]), [[5, 7], [2, 4]]);
  const beside = sheets.putValue(joined, 1, '处所', { idxes: [9] }, 'parallel');
  assert.deepEqual(idxes(beside, '处所'), [[5, 6, 2, 3], [9]]);
  assert.deepEqual(idxes(sheets.movePiece(beside, 1, '处所', 0, 1, -1), '处所'), [[2, 3, 5, 6], [9]]);
  assert.deepEqual(idxes(sheets.moveValue(beside, 1, '处所', 1, -1), '处所'), [[9], [5, 6, 2, 3]]);
  assert.deepEqual(idxes(sheets.removePiece(beside, 1, '处所', 0, 0), '处所'), [[2, 3], [9]]);
  const none = sheets.removeValue(sheets.removeValue(beside, 1, '处所', 1), 1, '处所', 0);
  assert.deepEqual(none.records[0]?.fields, {}, 'an empty field is absent');
  assert.deepEqual(start.records[0]?.fields, {}, 'the sheet that was changed is as it was');
});

test('a copy stands after its model and has a number of its own', () => {
  const [two] = sheets.addRecord(start, 'coref');
  const [copied, id] = sheets.copyRecord(two, two.records[0]);
  assert.deepEqual(copied.records.map((row) => [row.id, row.type]), [[1, 'tuple'], [3, 'tuple'], [2, 'coref']]);
  assert.equal(id, 3);
});

test('sheets are the same whatever the order of their keys, and not if anything differs', () => {
  assert.ok(sheets.same({ a: [1, { b: 2, c: 3 }] }, { a: [1, { c: 3, b: 2 }] }));
  assert.ok(!sheets.same({ a: [1, 2] }, { a: [2, 1] }));
  assert.ok(!sheets.same({ a: undefined }, { b: undefined }));
});

test('jumps land on words and clauses', () => {
  assert.equal(wordJump(chars, GARDEN.words, 3, 1), 5, '小满 ends at 5');
  assert.equal(wordJump(chars, GARDEN.words, 5, -1), 3);
  assert.equal(chars[2], '，');
  assert.deepEqual(clauseAt(chars, 1), [0, 2]);
  assert.equal(clauseJump(chars, 4, 1), clauseAt(chars, 4)[1]);
  assert.equal(clauseJump(chars, 4, -1), 3);
  assert.equal(clauseJump(chars, 3, -1), 0, 'from the start of a clause to the start of the one before');
  assert.equal(clauseJump(chars, 0, -1), 0);
});

test('the word, its phrase and its clause are offered', () => {
  const text = ([from, to]) => chars.slice(from, to).join('');
  const offers = offersAt(chars, GARDEN.words, at('左边')[1]).map(text);
  assert.deepEqual(offers, ['左边', '在窗台左边', '把花盆摆在窗台左边']);
  assert.equal(text(offersAt(chars, GARDEN.words, at('旁边')[0])[1]), '花盆旁边', 'a ground without a preposition');
  assert.equal(text(offersAt(chars, GARDEN.words, at('朝')[0])[1]), '朝门口');
});

test('the same string at two places has two numbers', () => {
  const [first, second] = [at('花盆')[0] ?? 0, at('花盆', 2)[0] ?? 0];
  assert.deepEqual(occurrence(chars, [first, first + 2]), [1, 3]);
  assert.deepEqual(occurrence(chars, [second, second + 2]), [2, 3]);
});

test('overlapping spans lie in different lanes, pieces of one value in the same', () => {
  const { form } = roles('x');
  let sheet = sheets.putValue(start, 1, '处所', { idxes: [3, 4, 5, 6] }, 'fill');
  sheet = sheets.putValue(sheet, 1, '终点', { idxes: [5, 6, 20] }, 'fill');
  sheet = sheets.putValue(sheet, 1, '事件', { idxes: [8] }, 'fill');
  const layers = layersOf(form, 'context', 'context', sheet, null);
  assert.deepEqual(layers.map((layer) => [layer.field.name, layer.lane, layer.pieces.length]), [['处所', 0, 1], ['终点', 1, 2], ['事件', 0, 1]]);
  const [twice] = sheets.copyRecord(sheet, sheet.records[0]);
  assert.deepEqual(layersOf(form, 'context', 'context', twice, null).map((layer) => layer.records.length), [2, 2, 2], 'the same span in the same role is one line');
});

test('what differs between two texts is found', () => {
  const [left, right] = differing(Array.from('灯笼挂在檐下'), Array.from('灯笼挂在檐上'));
  assert.deepEqual([[...left], [...right]], [[5], [5]]);
});
