// Around the work: which item this is, what is suggested, and the bar with the state of saving and the ways onward.

import { h } from './dom.js';
import { read, say, time } from './words.js';

/** @import {Clock} from './clock.js' */
/** @import {Store} from './store.js' */

/** @param {Store} store @param {Clock} clock @returns {(HTMLElement | false | null)[]} */
export function drawHead(store, clock) {
  const { batch, item, state, revision } = store.work;
  return [
    h('div', { class: 'item-name' }, h('strong', {}, batch.name), ' ', h('span', { class: 'soft' }, revision ? item.qid : `${say('item', item.number, item.of)} · ${item.qid}`)),
    clock.draw(),
    Boolean(batch.instructions) && h('details', { class: 'instructions', 'data-key': 'instructions' }, h('summary', {}, say('instructions')), h('p', {}, read(batch.instructions))),
    Boolean(revision) && h('p', { class: 'notice', 'data-key': 'revision' }, say('revising', revision?.annotator ?? ''), ' ', h('a', { href: `/review/${revision?.inspection}` }, say('backToReview'))),
    store.isClosed && h('p', { class: 'notice', 'data-key': 'closed', 'data-state': state }, say('readOnly')),
  ];
}

/** @param {Store} store @returns {HTMLElement[]} */
export function drawSuggestion(store) {
  const { ghost } = store;
  const open = store.openGhost;
  if (store.isClosed) return [];
  if (store.predictor && store.past.length === 0) return [h('p', { class: 'suggestion-bar', 'data-key': 'unconfirmed' }, say('unconfirmed', store.predictor))];
  if (!ghost || !open) return [];
  const count = open.records.length;
  const button = (/** @type {string} */ act, /** @type {string} */ text, more = {}) => h('button', { class: 'plain small', type: 'button', 'data-act': act, ...more }, text);
  return [h('div', { class: 'suggestion-bar', role: 'group', 'aria-label': say('suggestedBy', ghost.title), 'data-key': 'suggestion' },
    h('span', {}, ghost.kind === 'theirs' ? `${say('theirVersion')}：${ghost.title}` : say('suggestedBy', ghost.title), ' ', count > 0 && h('small', {}, say('suggestedCount', count))),
    button('look-ghost', say(store.view.ghost ? 'hide' : 'look'), { 'aria-pressed': String(store.view.ghost) }),
    ghost.kind === 'suggestion' ? button('accept-all', say('acceptAll')) : button('decide', say('decide')))];
}

/** @param {Store} store @returns {(HTMLElement | false)[]} */
export function drawFooter(store) {
  const { work } = store;
  const errors = store.errors.length;
  const icon = (/** @type {string} */ act, /** @type {string} */ sign, /** @type {string} */ label, /** @type {boolean} */ isOff) =>
    h('button', { class: 'plain icon', type: 'button', 'data-act': act, disabled: isOff, 'aria-label': label, title: label }, sign);
  return [
    store.notice !== '' && h('p', { class: 'toast', role: 'status', 'data-key': 'toast' }, h('span', {}, store.notice), h('button', { class: 'plain small', type: 'button', 'data-act': 'close-notice', 'aria-label': say('close') }, '✕')),
    h('div', { class: 'foot-row', 'data-key': 'foot' },
      h('span', { class: 'group' },
        icon('previous', '‹', say('previous'), work.previous === null),
        icon('next', '›', say('next'), work.next === null),
        !store.isClosed && icon('undo', '↶', say('undo'), store.past.length === 0),
        !store.isClosed && icon('redo', '↷', say('redo'), store.future.length === 0),
        icon('keys', '?', say('keys'), false)),
      drawState(store),
      !store.isClosed && h('span', { class: 'group' },
        !work.revision && h('button', { class: 'plain', type: 'button', 'data-act': 'skip' }, say('skip')),
        h('button', { class: errors > 0 ? 'finish has-errors' : 'finish', type: 'button', 'data-act': 'finish', 'aria-label': errors > 0 ? say('finishErrors', errors) : null }, say(work.revision ? 'revise' : 'finish'), errors > 0 && h('span', { class: 'mark is-error' }, errors)))),
  ];
}

/** @param {Store} store */
function drawState(store) {
  const { state, at, waiting, stored, message } = store.saving;
  const text = {
    saved: at ? say('savedAt', time(at)) : store.work.version > 0 ? say('saved') : say('unchanged'),
    dirty: say('saving'), saving: say('saving'), kept: say(stored ? 'kept' : 'keptLoose'),
    offline: say(stored ? 'offline' : 'offlineLoose', waiting),
    conflict: say('conflict'), refused: say('refused', message),
  }[state];
  return h('span', { class: `state ${state}`, role: 'status', 'aria-live': 'polite', 'data-state': state },
    h('span', { class: 'dot', 'aria-hidden': 'true' }), h('span', {}, text),
    state === 'conflict' && h('button', { class: 'plain small', type: 'button', 'data-act': 'decide' }, say('decide')),
    state === 'refused' && message === say('signIn') && h('a', { href: `/login?next=${encodeURIComponent(location.pathname + location.search)}` }, say('signInLink')));
}
