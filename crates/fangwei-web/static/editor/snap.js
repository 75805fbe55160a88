// Where words, phrases and clauses begin and end: for jumps, for double clicks, and for what is offered at the caret.

/** @import {Word} from './types.js' */
/** @typedef {[number, number]} Range  From start to before end. */

const MARKS = new Set('，。；：！？、,.;:!?…—“”‘’（）()《》「」\n');
const CLAUSE_ENDS = new Set('，。；：！？,;:!?\n');

/** @param {string} char */
export const isMark = (char) => MARKS.has(char);

/**
 * The clause around a position, without the mark that ends it.
 * @param {string[]} chars
 * @param {number} at
 * @returns {Range}
 */
export function clauseAt(chars, at) {
  let start = Math.min(at, chars.length);
  while (start > 0 && !CLAUSE_ENDS.has(chars[start - 1] ?? '')) start -= 1;
  let end = Math.min(at, chars.length);
  while (end < chars.length && !CLAUSE_ENDS.has(chars[end] ?? '')) end += 1;
  return [start, end];
}

/**
 * The word that holds the character at a position; a single character where no word is known.
 * @param {string[]} chars
 * @param {Word[]} words
 * @param {number} at
 * @returns {Word}
 */
export function wordAt(chars, words, at) {
  const idx = Math.min(at, chars.length - 1);
  const found = words.filter(([start, end]) => start <= idx && idx < end);
  // Where words of the lexicon overlap, the longest is what a reader sees.
  found.sort((a, b) => b[1] - b[0] - (a[1] - a[0]));
  return found[0] ?? [idx, idx + 1, ''];
}

/**
 * Where a jump by a word lands.
 * @param {string[]} chars
 * @param {Word[]} words
 * @param {number} from
 * @param {1 | -1} by
 */
export function wordJump(chars, words, from, by) {
  if (by > 0) return from >= chars.length ? from : Math.max(from + 1, wordAt(chars, words, from)[1]);
  return from <= 0 ? from : Math.min(from - 1, wordAt(chars, words, from - 1)[0]);
}

/**
 * Where a jump to the start or end of a clause lands; from there, of the clause before or after.
 * @param {string[]} chars
 * @param {number} from
 * @param {1 | -1} by
 */
export function clauseJump(chars, from, by) {
  let at = from + by;
  if (at < 0 || at > chars.length) return from;
  const edge = () => (by > 0 ? clauseAt(chars, at)[1] : clauseAt(chars, at)[0]);
  while (at > 0 && at < chars.length && edge() !== at) at += by;
  return at;
}

/**
 * The phrase that a spatial word belongs to: 在 + ground + locative, directional + place, verb + directional.
 * @param {string[]} chars
 * @param {Word[]} words
 * @param {Word} word
 * @returns {Range}
 */
export function phraseAt(chars, words, word) {
  const [low, high] = clauseAt(chars, word[0]);
  const inside = words.filter(([start, end]) => start >= low && end <= high).sort((a, b) => a[0] - b[0]);
  const at = inside.findIndex(([start, end]) => start === word[0] && end === word[1]);
  if (at < 0) return [word[0], word[1]];
  const isPlace = (/** @type {Word} */ one) => one[2] === 'locative' || one[2] === 'place';
  const opens = (/** @type {Word} */ one) => one[2] === 'preposition' || one[2] === 'directional';
  if (isPlace(word)) {
    const before = inside.slice(Math.max(0, at - 4), at);
    const opener = before.findLast(opens);
    if (opener) return [opener[0], word[1]];
    const ground = before.at(-1);
    return word[2] === 'locative' && ground && ground[1] === word[0] && !isMark(chars[ground[0]] ?? '') ? [ground[0], word[1]] : [word[0], word[1]];
  }
  if (opens(word)) {
    const place = inside.slice(at + 1, at + 6).find(isPlace);
    if (place) return [word[0], place[1]];
    const next = inside[at + 1];
    if (word[2] === 'preposition' && next) return [word[0], next[1]];
    const verb = inside[at - 1];
    if (verb && verb[1] === word[0] && verb[2] !== 'preposition') return [verb[0], word[1]];
  }
  return [word[0], word[1]];
}

/**
 * What can be taken with one key at a position, from small to large: word, phrase, clause.
 * @param {string[]} chars
 * @param {Word[]} words
 * @param {number} at
 * @returns {Range[]}
 */
export function offersAt(chars, words, at) {
  if (chars.length === 0) return [];
  const word = wordAt(chars, words, at);
  /** @type {Range[]} */
  const offers = [[word[0], word[1]]];
  if (word[2] !== '') offers.push(phraseAt(chars, words, word));
  offers.push(clauseAt(chars, word[0]));
  return offers.filter(([start, end], i) => end > start && !offers.slice(0, i).some((one) => one[0] === start && one[1] === end));
}

/**
 * Which occurrence of its string a piece is: [ordinal, how many]. People tell 她₁ from 她₂ by it.
 * @param {string[]} chars
 * @param {Range} piece
 * @returns {[number, number]}
 */
export function occurrence(chars, [start, end]) {
  const wanted = chars.slice(start, end).join('');
  let [ordinal, count] = [0, 0];
  for (let i = 0; i + (end - start) <= chars.length; i += 1) {
    if (chars.slice(i, i + end - start).join('') !== wanted) continue;
    count += 1;
    if (i === start) ordinal = count;
  }
  return [ordinal, count];
}

/**
 * Which characters of two texts have no partner in the other, by the longest common subsequence.
 * @param {string[]} left
 * @param {string[]} right
 * @returns {[Set<number>, Set<number>]}
 */
export function differing(left, right) {
  const width = right.length + 1;
  const longest = new Uint16Array((left.length + 1) * width);
  const at = (/** @type {number} */ i, /** @type {number} */ j) => longest[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const [only, other] = [new Set(left.keys()), new Set(right.keys())];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) {
      only.delete(i);
      other.delete(j);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return [only, other];
}
