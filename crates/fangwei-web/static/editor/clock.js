// How long a person works on an item: only while the page is seen and something was done in the last minute.

import { h } from './dom.js';
import { say } from './words.js';

/** @import {Store} from './store.js' */

const IDLE = 60_000;
const TICK = 1000;

export class Clock {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.counted = store.work.spent_ms ?? 0;
    this.lastTick = performance.now();
    this.lastDeed = performance.now();
    for (const name of ['pointerdown', 'pointermove', 'keydown', 'scroll']) {
      window.addEventListener(name, () => (this.lastDeed = performance.now()), { passive: true, capture: true });
    }
    window.setInterval(() => {
      this.#count();
      if (this.isTimed) store.changed();
    }, TICK);
  }

  /** A timed item counts all the time in which it is open. */
  get isTimed() {
    return this.store.mode === 'human' || Boolean(this.store.work.time_limit_s);
  }

  /** How long, up to this moment, in ms. */
  get spent() {
    this.#count();
    return this.counted;
  }

  #count() {
    const now = performance.now();
    const isAtWork = !document.hidden && now - this.lastDeed < IDLE;
    // A laptop that slept adds one tick, not a night.
    if (this.isTimed || isAtWork) this.counted += Math.min(now - this.lastTick, 5 * TICK);
    this.lastTick = now;
  }

  /** @returns {HTMLElement | null} */
  draw() {
    if (!this.isTimed) return null;
    const limit = this.store.work.time_limit_s;
    const seconds = Math.floor(this.spent / 1000);
    const shown = limit ? Math.max(0, limit - seconds) : seconds;
    const text = `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, '0')}`;
    const isUp = Boolean(limit) && shown === 0;
    return h('span', { class: `clock-face${isUp ? ' up' : ''}`, role: 'timer', 'aria-label': limit ? say('timeLeft') : say('timer') }, isUp ? say('timeUp') : text);
  }
}
