// What is open and what of it is looked at. There is one way to change the sheet, `edit`, which remembers how it was: undo has no limit.

import { isEmpty, recordParts, same, whole } from './sheet.js';

/** @import {Finding, Form, Ghost, Row, Saving, Selection, Sheet, Work} from './types.js' */
/**
 * @typedef {{record: number | null, field: string | null, selection: Selection | null, hover: {record: number, field?: string} | null,
 *   order: 'created' | 'text', how: 'fill' | 'append' | 'parallel', ghost: boolean, opened: Set<string>, lit: number[], litText: string | null,
 *   near: {text: string, idx: number} | null}} View
 * @typedef {{sheet: Sheet, record: number | null}} Step
 */

/** So long a field may be typed in before it becomes a step of its own for undo, in ms. */
const TYPING = 1500;
/** States in which an item is only looked at; in a human test what was answered is answered. */
const CLOSED = new Set(['approved', 'recalled']);

export class Store {
  /** @param {Work} work */
  constructor(work) {
    this.work = work;
    /** @type {Form} */
    this.form = work.form;
    this.texts = work.texts.map((text) => ({ ...text, chars: Array.from(text.text) }));
    /** @type {Sheet} */
    this.sheet = whole(work.sheet);
    /** Whose suggestion was taken over as it is and not confirmed by a person yet. */
    this.predictor = work.source?.startsWith('predictor:') ? work.source.slice('predictor:'.length) : '';
    /** @type {Ghost | null} */
    this.ghost = null;
    /** Which of our records was taken over from which suggested one. @type {Map<number, number>} */
    this.taken = new Map();
    const isPlain = ['human', 'agreement', 'grade'].includes(work.batch.mode);
    if (work.suggestion && !isPlain && !isEmpty(whole(work.suggestion.sheet))) {
      this.ghost = { title: work.suggestion.predictor, sheet: whole(work.suggestion.sheet), kind: 'suggestion' };
    }
    /** @type {Finding[]} */
    this.findings = work.findings ?? [];
    this.isStale = false;
    /** @type {Saving} */
    this.saving = { state: 'saved', at: null, waiting: 0, stored: true, message: '' };
    this.notice = '';
    this.spoken = '';
    /** @type {Step[]} */
    this.past = [];
    /** @type {Step[]} */
    this.future = [];
    this.lastTag = '';
    this.lastEdit = 0;
    /** @type {View} */
    this.view = {
      record: this.sheet.records[0]?.id ?? null, field: null, selection: null, hover: null, order: 'created', how: 'fill',
      ghost: true, opened: new Set(), lit: [], litText: null, near: null,
    };
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** @type {Set<() => void>} */
    this.editors = new Set();
    this.isDrawing = false;
  }

  get isClosed() {
    return CLOSED.has(this.work.state) || (this.mode === 'human' && this.work.state === 'done' && !this.work.revision);
  }

  /** What is suggested and not taken over yet; undo gives back what was. @returns {Sheet | null} */
  get openGhost() {
    if (!this.ghost) return null;
    const { sheet } = this.ghost;
    const isHere = (/** @type {Row} */ row) => this.sheet.records.some((one) => one.id === this.taken.get(row.id) || (one.type === row.type && same(one.fields, row.fields)));
    const open = { ...sheet, records: sheet.records.filter((row) => !isHere(row)) };
    const isNews = open.records.length > 0 || Object.keys(sheet.choices).some((name) => !this.sheet.choices[name]) || Object.keys(sheet.texts).some((name) => !this.sheet.texts[name]);
    return isNews || this.ghost.kind === 'theirs' ? open : null;
  }

  /** The part of it that is looked at. */
  get shownGhost() {
    return this.view.ghost ? this.openGhost : null;
  }

  get mode() {
    return this.work.batch.mode;
  }

  get hasRecords() {
    return recordParts(this.form).length > 0;
  }

  /** @returns {Row | null} */
  get record() {
    return this.sheet.records.find((row) => row.id === this.view.record) ?? null;
  }

  /** @param {string | null | undefined} name */
  text(name) {
    return this.texts.find((text) => text.name === name) ?? this.texts[0];
  }

  /** The errors that stand in the way of finishing. */
  get errors() {
    return this.findings.filter((finding) => finding.severity === 'error');
  }

  /** Draws again, once for all changes of this turn. */
  changed() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    queueMicrotask(() => {
      this.isDrawing = false;
      for (const listener of this.listeners) listener();
    });
  }

  /** @param {Partial<View>} patch */
  look(patch) {
    Object.assign(this.view, patch);
    this.changed();
  }

  /** Says something to those who look and to those who listen. @param {string} text */
  announce(text) {
    this.spoken = text;
    this.changed();
  }

  /**
   * Changes the sheet. Edits with the same tag in quick succession (typing) are one step.
   * @param {Sheet} sheet
   * @param {string} [tag]
   */
  edit(sheet, tag = '') {
    if (this.isClosed || same(sheet, this.sheet)) return false;
    const now = Date.now();
    const isTyping = tag !== '' && tag === this.lastTag && now - this.lastEdit < TYPING && this.past.length > 0;
    if (!isTyping) this.past.push({ sheet: this.sheet, record: this.view.record });
    this.future = [];
    [this.lastTag, this.lastEdit] = [tag, now];
    this.#set(sheet);
    return true;
  }

  /** @param {Sheet} sheet */
  #set(sheet) {
    this.sheet = sheet;
    if (!this.record) this.view.record = null;
    for (const editor of this.editors) editor();
    this.changed();
  }

  undo() {
    return this.#step(this.past, this.future);
  }

  redo() {
    return this.#step(this.future, this.past);
  }

  /** @param {Step[]} from @param {Step[]} to */
  #step(from, to) {
    const step = this.isClosed ? undefined : from.pop();
    if (!step) return false;
    to.push({ sheet: this.sheet, record: this.view.record });
    this.lastTag = '';
    this.view.record = step.record;
    this.#set(step.sheet);
    return true;
  }

  /** Takes the server's sheet as it is, without a step: nothing of one's own was there. @param {Sheet} sheet @param {number} version */
  adopt(sheet, version) {
    this.sheet = whole(sheet);
    this.work.version = version;
    if (!this.record) this.view.record = this.sheet.records[0]?.id ?? null;
    this.changed();
  }
}

/** Switches that are kept for the next item. @param {string} name @param {boolean} [otherwise] */
export function isOn(name, otherwise = true) {
  try {
    const kept = localStorage.getItem(`fangwei.switch.${name}`);
    return kept === null ? otherwise : kept === '1';
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {boolean} on */
export function turn(name, on) {
  try {
    localStorage.setItem(`fangwei.switch.${name}`, on ? '1' : '0');
  } catch {
    // A browser that keeps nothing forgets the switch with the page.
  }
}
