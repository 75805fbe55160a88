// Saving by itself: shortly after every change, one request at a time, again and again while the server is away. What is sent names the
// version that it stands on; if that is no longer the last, nothing is overwritten and the person decides (see conflict.js).

import { randomId, send } from '../fangwei.js';
import { forget, keep, leftBehind, otherTabs } from './offline.js';
import { same, whole } from './sheet.js';
import { say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {Saving, Sheet, Theirs} from './types.js' */

/** How long after a change it is saved, in ms. */
const DELAY = 400;
/** The waits between attempts while the server is away, in ms. */
const WAITS = [1000, 2000, 4000, 8000, 15_000, 30_000];

export class Saver {
  /**
   * @param {Store} store
   * @param {() => number} spent  How long the person worked on the item so far, in ms.
   * @param {(theirs: Theirs) => void} onConflict
   */
  constructor(store, spent, onConflict) {
    this.store = store;
    this.spent = spent;
    this.onConflict = onConflict;
    this.path = `/api/work/${store.work.assignment}`;
    /** Under this name it is kept on this device: a revision is not the annotator's work. */
    this.name = store.work.revision?.inspection ?? store.work.assignment;
    /** @type {Sheet} */
    this.savedSheet = store.sheet;
    this.client = randomId();
    this.timer = 0;
    this.failures = 0;
    /** @type {Promise<void> | null} */
    this.underWay = null;
    /** @type {Theirs | null} */
    this.theirs = null;
    this.tell = otherTabs(this.name, (version) => this.#heard(version));
    store.editors.add(() => this.#edited());
    window.addEventListener('online', () => this.now());
    window.addEventListener('focus', () => this.now());
    window.addEventListener('offline', () => this.isDirty && this.#show('offline'));
    document.addEventListener('visibilitychange', () => document.hidden && this.now());
    window.addEventListener('beforeunload', (event) => {
      if (this.isDirty && !store.saving.stored) event.preventDefault();
    });
  }

  get isDirty() {
    return !same(this.store.sheet, this.savedSheet);
  }

  /** Takes up what an earlier visit could not send. */
  async restore() {
    const pending = await leftBehind(this.name);
    if (!pending) return;
    if (same(whole(pending.sheet), this.store.sheet)) return forget(this.name);
    const server = this.store.work.version;
    this.store.edit(whole(pending.sheet));
    // It stands on the version that it was made from; the server tells whether that is still the last one.
    if (!this.store.work.revision) this.store.work.version = Math.min(pending.base, server);
    this.client = pending.client;
    this.store.saving.waiting = pending.count;
    this.store.notice = say(this.store.work.revision && pending.base !== server ? 'restoredOlder' : 'restored');
    this.#keep();
    await this.now();
  }

  #edited() {
    this.client = randomId();
    this.store.saving.waiting += 1;
    if (!this.isDirty && !this.underWay) return this.#done(this.store.saving.at);
    this.#keep();
    if (this.theirs) return;
    if (this.store.work.revision) return this.#show('kept');
    if (this.store.saving.state !== 'offline') this.#show('dirty');
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.now(), DELAY);
  }

  #keep() {
    const { sheet, work, saving } = this.store;
    saving.stored = keep(this.name, { base: work.version, sheet, client: this.client, at: Date.now(), count: saving.waiting });
  }

  /** @param {Saving['state']} state @param {string} [message] */
  #show(state, message = '') {
    Object.assign(this.store.saving, { state, message });
    this.store.changed();
  }

  /** @param {number | null} at */
  #done(at) {
    forget(this.name);
    Object.assign(this.store.saving, { waiting: 0, at, stored: true });
    this.#show('saved');
  }

  /** Saves at once what is unsaved; resolves when that is done or has failed. @returns {Promise<void>} */
  async now() {
    clearTimeout(this.timer);
    if (this.underWay) await this.underWay;
    if (!this.isDirty || this.theirs || this.store.isClosed || this.store.work.revision) return;
    this.underWay = this.#put().finally(() => (this.underWay = null));
    await this.underWay;
    if (this.isDirty && this.store.saving.state === 'dirty') this.timer = window.setTimeout(() => this.now(), DELAY);
  }

  /** What was sent by other ways is saved too. @param {number} version */
  accepted(version) {
    this.savedSheet = this.store.sheet;
    this.store.work.version = version;
    this.tell(version);
    this.#done(Date.now());
  }

  /** What a PUT carries. Finishing is a change of its own, though of the same sheet: its name has an ending. @param {string} [ending] */
  body(ending = '') {
    return { base: this.store.work.version, sheet: this.store.sheet, spent_ms: Math.round(this.spent()), client: this.client + ending };
  }

  /** What a reviewer's verdict carries: the version that was looked at, and what is to take its place. */
  verdict() {
    return { verdict: 'revise', version: this.store.work.version, sheet: this.store.sheet };
  }

  async #put() {
    const { store } = this;
    const [sent, waiting] = [store.sheet, store.saving.waiting];
    if (store.saving.state !== 'offline') this.#show('saving');
    /** @type {{status: number, body: any}} */
    let answer;
    try {
      answer = await send('PUT', this.path, this.body(), { signal: AbortSignal.timeout(15_000), keepalive: document.hidden });
    } catch {
      return this.#later();
    }
    const { status, body } = answer;
    if (status === 200) {
      this.failures = 0;
      this.savedSheet = sent;
      store.work.version = body.version;
      this.tell(body.version);
      if (store.sheet === sent) {
        if (body.findings) store.findings = body.findings;
        return this.#done(Date.now());
      }
      store.saving.waiting = Math.max(1, store.saving.waiting - waiting);
      this.#keep();
      return this.#show('dirty');
    }
    if (status === 409 && body?.detail) return this.conflict(body.detail);
    if (status === 401) return this.#show('refused', say('signIn'));
    if (status >= 500 || status === 429 || status === 408) return this.#later();
    this.#show('refused', body?.message ?? String(status));
  }

  #later() {
    const wait = WAITS[Math.min(this.failures, WAITS.length - 1)] ?? 1000;
    this.failures += 1;
    this.#show('offline');
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.now(), wait);
  }

  /** Two versions stand on the same one. If they say the same there is nothing to decide. @param {Theirs} theirs */
  conflict(theirs) {
    const sheet = whole(theirs.sheet);
    this.theirs = { ...theirs, sheet };
    if (same(sheet, this.store.sheet)) return this.takeTheirs();
    this.#show('conflict');
    this.onConflict(this.theirs);
  }

  takeTheirs() {
    if (!this.theirs) return;
    const { sheet, version } = this.theirs;
    this.theirs = null;
    this.store.work.version = version;
    this.savedSheet = sheet;
    this.store.edit(sheet);
    this.savedSheet = this.store.sheet;
    clearTimeout(this.timer);
    this.#done(Date.now());
  }

  /** Puts one's own version on top of theirs; theirs stays in the history. */
  async keepMine() {
    if (!this.theirs) return;
    this.store.work.version = this.theirs.version;
    this.savedSheet = this.theirs.sheet;
    this.theirs = null;
    this.client = randomId();
    this.#keep();
    await this.now();
  }

  /** Another tab has saved: shows its version if nothing of this tab waits; otherwise the next save meets the conflict. @param {number} version */
  async #heard(version) {
    const { store } = this;
    if (version <= store.work.version) return;
    if (this.isDirty || this.underWay) return this.now();
    try {
      const { status, body } = await send('GET', this.path);
      if (status !== 200 || this.isDirty) return;
      store.adopt(body.sheet, body.version);
      store.findings = body.findings ?? store.findings;
      this.savedSheet = store.sheet;
      store.notice = say('otherTab');
      store.changed();
    } catch {
      // The other tab's version is met when this one saves.
    }
  }
}
