// A small picture of the scene that a record tells: the entity in its place, on its way from start to end, facing somewhere, at a distance.
// It is drawn from the groups of the fields alone, so that one sees at a glance what one marked.

import { describe, valueText } from './commands.js';
import { svg } from './dom.js';
import { typeOf } from './sheet.js';
import { read, say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {Field, Row} from './types.js' */
/** @typedef {{label: string, text: string, colour: number}} Sign  A value with the name of its role. */
/** @typedef {Record<string, Sign[]>} Scene  Signs by group. */

const [WIDTH, HEIGHT, MIDDLE] = [440, 222, 220];

const DRAWN = new Set(['entity', 'place', 'start', 'end', 'direction', 'orientation', 'path', 'part', 'event', 'time', 'distance', 'shape', 'fact']);

/** @param {Store} store @returns {SVGElement[]} */
export function drawDiagram(store) {
  const row = store.record;
  if (!row) return [];
  const fields = (typeOf(store.form, row.type)?.fields ?? []).filter((field) => field.group && row.fields[field.name]);
  const scenes = split(fields).map((some) => sceneOf(store, row, some));
  return scenes.filter((scene) => Object.keys(scene).some((group) => DRAWN.has(group))).map((scene, i) => drawScene(scene, `${say('sceneOf', say('scene'), describe(store, row))}${scenes.length > 1 ? ` (${i + 1})` : ''}`));
}

/** Two statements in one record (S1 P1 E1, S2 P2 E2) are two scenes. @param {Field[]} fields @returns {Field[][]} */
function split(fields) {
  const ending = (/** @type {string} */ digit) => fields.filter((field) => field.name.endsWith(digit));
  const isPaired = ending('2').some((field) => ['entity', 'place', 'event'].includes(field.group ?? ''));
  if (!isPaired) return [fields];
  return [fields.filter((field) => !field.name.endsWith('2')), ending('2')];
}

/** @param {Store} store @param {Row} row @param {Field[]} fields @returns {Scene} */
function sceneOf(store, row, fields) {
  /** @type {Scene} */
  const scene = {};
  for (const field of fields) {
    for (const value of row.fields[field.name] ?? []) {
      const text = valueText(store, field, value).replaceAll('+', '');
      (scene[field.group ?? ''] ??= []).push({ label: read(field.label), text, colour: field.colour ?? 7 });
    }
  }
  return scene;
}

/** @param {string} text @param {number} most */
const short = (text, most) => (Array.from(text).length > most ? `${Array.from(text).slice(0, most - 1).join('')}…` : text);

/** A text with the name of its role above it. @param {Sign} sign @param {number} x @param {number} y @param {'start' | 'middle' | 'end'} [anchor] @param {number} [most] */
function caption(sign, x, y, anchor = 'middle', most = 8) {
  return svg('g', { class: `colour-${sign.colour}`, 'text-anchor': anchor },
    svg('title', {}, `${sign.label}：${sign.text}`),
    svg('text', { class: 'scene-role', x, y: y - 15 }, sign.label),
    svg('text', { class: 'scene-text', x, y: y + 2 }, short(sign.text, most)));
}

/** @param {Sign[] | undefined} signs @returns {Sign | null} */
function joined(signs) {
  const first = signs?.[0];
  return first ? { ...first, text: [...new Set(signs.map((sign) => sign.text))].join(' ∥ ') } : null;
}

/** @param {Scene} scene @param {string} label */
function drawScene(scene, label) {
  const one = (/** @type {string} */ group) => joined(scene[group]);
  const [place, start, end, path] = [one('place'), one('start'), one('end'), one('path')];
  const isMoving = Boolean(start || end || path);
  const entities = scene.entity ?? [];
  const isPair = Boolean(scene.distance) && entities.length > 1;
  const y = isMoving ? 84 : 104;
  const parts = [
    place && drawPlace(place),
    isMoving && drawWay(start, end, path),
    isPair ? drawPair(entities, one('distance'), y) : drawEntity(joined(entities), MIDDLE, y),
    !isPair && scene.distance && caption(/** @type {Sign} */ (one('distance')), MIDDLE + 120, y),
    ...drawPointers(one('direction'), one('orientation'), y),
    drawBeside(one('part'), one('shape'), one('event'), y, isMoving),
    drawCorners(one('time'), one('fact')),
  ];
  return svg('svg', { class: 'scene', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label }, parts.flat().filter(Boolean));
}

/** The place is the ground on which everything stands. @param {Sign} place */
function drawPlace(place) {
  return svg('g', { class: `colour-${place.colour}` },
    svg('rect', { class: 'ground', x: 20, y: 30, width: WIDTH - 40, height: 150, rx: 16 }),
    caption(place, MIDDLE, 208, 'middle', 20));
}

/** @param {Sign | null} start @param {Sign | null} end @param {Sign | null} path */
function drawWay(start, end, path) {
  const colour = (path ?? end ?? start)?.colour ?? 7;
  const node = (/** @type {Sign | null} */ sign, /** @type {number} */ x) => sign && [
    svg('circle', { class: `stop colour-${sign.colour}`, cx: x, cy: 134, r: 6 }), caption(sign, x, 166, 'middle', 7)];
  return [
    svg('path', { class: `way colour-${colour}`, d: `M 72 132 Q ${MIDDLE} 30 366 128`, 'stroke-dasharray': start && end ? null : '7 5' }),
    svg('path', { class: `tip colour-${colour}`, d: 'M 374 134 l -14 -3 l 9 -10 z' }),
    node(start, 64), node(end, 382),
    path && caption(path, MIDDLE, 142, 'middle', 12),
  ].flat();
}

/** @param {Sign | null} entity @param {number} x @param {number} y */
function drawEntity(entity, x, y) {
  if (!entity) return null;
  const text = short(entity.text, 9);
  const width = Math.max(56, Array.from(text).length * 16 + 26);
  return svg('g', { class: `entity colour-${entity.colour}`, 'text-anchor': 'middle' },
    svg('title', {}, `${entity.label}：${entity.text}`),
    svg('rect', { x: x - width / 2, y: y - 18, width, height: 36, rx: 18 }),
    svg('text', { class: 'scene-entity', x, y: y + 6 }, text));
}

/** Two entities and what lies between them. @param {Sign[]} entities @param {Sign | null} distance @param {number} y */
function drawPair(entities, distance, y) {
  const [left, right] = [84, 356];
  return [
    svg('path', { class: `measure colour-${distance?.colour ?? 7}`, d: `M ${left + 52} ${y} H ${right - 52} M ${left + 52} ${y - 7} v 14 M ${right - 52} ${y - 7} v 14` }),
    drawEntity(entities[0] ?? null, left, y), drawEntity(entities[1] ?? null, right, y),
    distance && caption(distance, MIDDLE, y - 10),
  ];
}

/** Whereto it moves, and where it faces. @param {Sign | null} direction @param {Sign | null} orientation @param {number} y */
function drawPointers(direction, orientation, y) {
  return [
    direction && svg('path', { class: `way colour-${direction.colour}`, d: `M ${MIDDLE + 44} ${y - 22} l 44 -16` }),
    direction && svg('path', { class: `tip colour-${direction.colour}`, d: `M ${MIDDLE + 96} ${y - 41} l -14 -2 l 5 12 z` }),
    direction && caption(direction, MIDDLE + 102, y - 36, 'start', 6),
    orientation && svg('path', { class: `facing colour-${orientation.colour}`, d: `M ${MIDDLE - 36} ${y - 18} L ${MIDDLE - 92} ${y - 50} L ${MIDDLE - 96} ${y - 26} Z` }),
    orientation && caption(orientation, MIDDLE - 104, y - 32, 'end', 6),
  ];
}

/** @param {Sign | null} part @param {Sign | null} shape @param {Sign | null} event @param {number} y @param {boolean} isMoving */
function drawBeside(part, shape, event, y, isMoving) {
  return [
    event && caption(event, MIDDLE, isMoving ? y - 30 : y - 32, 'middle', 10),
    part && caption(part, MIDDLE - 104, y + (isMoving ? 24 : 34), 'middle', 6),
    shape && caption(shape, isMoving ? MIDDLE + 104 : MIDDLE, y + (isMoving ? 24 : 46), 'middle', 10),
  ];
}

/** @param {Sign | null} time @param {Sign | null} fact */
function drawCorners(time, fact) {
  return [
    time && svg('g', { class: `colour-${time.colour}` },
      svg('circle', { class: 'clock', cx: 18, cy: 16, r: 8 }), svg('path', { class: 'clock', d: 'M 18 11 V 16 H 22' }),
      svg('text', { class: 'scene-text', x: 32, y: 21 }, svg('title', {}, time.label), short(time.text, 14))),
    fact && svg('g', { class: 'fact', 'text-anchor': 'end' },
      svg('text', { class: 'scene-text', x: WIDTH - 12, y: 21 }, `${fact.label}：${fact.text}`)),
  ];
}
