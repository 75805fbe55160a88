// The annotation editor. It draws whatever form the server sends and edits a sheet; it knows no task. A page has it where it holds
// `<div id="editor" data-assignment="ID">`; links between items go to `data-link`
// (`/work/` unless told), and to `data-home` (`/`) after the last. With `data-inspection` a reviewer revises the work of somebody else: nothing
// is saved before it is whole, and finishing sends it as the verdict.

import { send } from '../fangwei.js';
import { actions, changes, inputs } from './actions.js';
import { drawBar, drawSwitches } from './bar.js';
import { Clock } from './clock.js';
import { typesAsked } from './commands.js';
import { decide } from './conflict.js';
import { drawDiagram } from './diagram.js';
import { h, redraw } from './dom.js';
import { drawFindings, findingActions, goTo, keepChecking, light } from './findings.js';
import { drawFooter, drawHead, drawSuggestion } from './frame.js';
import { listenToKeys } from './keys.js';
import { drawParts } from './parts.js';
import { Saver } from './save.js';
import { listenToPointers } from './selection.js';
import { isOn, Store } from './store.js';
import { TextView } from './text.js';
import { ask, drawReviews, drawThread, threadActions } from './thread.js';
import { say } from './words.js';

/** @import {Action} from './actions.js' */
/** @import {Work} from './types.js' */

const RETRY = 3000;

/** @param {HTMLElement} root */
async function open(root) {
  const assignment = root.dataset.assignment ?? '';
  root.replaceChildren(h('p', { class: 'soft', role: 'status' }, say('loading')));
  try {
    const query = root.dataset.inspection ? `?inspection=${root.dataset.inspection}` : '';
    const { status, body } = await send('GET', `/api/work/${assignment}${query}`);
    if (status === 200) return start(root, body);
    root.replaceChildren(h('p', { class: 'error', role: 'alert' }, body?.message ?? say('cannotOpen')));
    if (status < 500) return;
  } catch {
    root.replaceChildren(h('p', { class: 'error', role: 'alert' }, say('cannotOpen')));
  }
  window.setTimeout(() => open(root), RETRY);
}

/** @param {HTMLElement} root @param {Work} work */
function start(root, work) {
  const store = new Store(work);
  const clock = new Clock(store);
  const saver = new Saver(store, () => clock.spent, () => void decide(store, saver));
  const [link, home] = [root.dataset.link ?? '/work/', root.dataset.home ?? '/'];
  const go = async (/** @type {string | null} */ id) => {
    if (id === null) return;
    await saver.now();
    if (store.saving.state !== 'offline') return location.assign(link + id);
    // The next page could not be shown either; here one can work on.
    store.notice = say('goLater');
    store.changed();
  };

  const finish = async () => {
    await saver.now();
    if (store.saving.state === 'conflict') return decide(store, saver);
    if (store.errors.length > 0) {
      store.notice = say('finishOpen', store.errors.length);
      return goTo(store, store.errors[0]);
    }
    const isSent = await sendFinish(store, saver);
    if (isSent) location.assign(after(store.work, home, link));
  };

  const areas = makeAreas(root);
  const text = new TextView(areas.texts, store);
  store.listeners.add(() => {
    text.draw();
    redraw(areas.head, drawHead(store, clock));
    redraw(areas.reviews, drawReviews(store));
    redraw(areas.suggestion, drawSuggestion(store));
    redraw(areas.switches, drawSwitches(store));
    redraw(areas.bar, drawBar(store));
    redraw(areas.diagram, isOn('scene') ? drawDiagram(store) : []);
    redraw(areas.parts, drawParts(store));
    redraw(areas.findings, drawFindings(store));
    redraw(areas.thread, drawThread(store));
    redraw(areas.footer, drawFooter(store));
    if (areas.spoken.textContent !== store.spoken) areas.spoken.textContent = store.spoken;
  });

  /** @type {Record<string, Action>} */
  const all = {
    ...actions, ...findingActions, ...threadActions(saver, (id) => location.assign(id === null ? home : link + id)),
    finish, next: () => go(store.work.next), previous: () => go(store.work.previous), decide: () => decide(store, saver), 'save-now': () => saver.now(),
    'close-notice': () => {
      store.notice = '';
      store.changed();
    },
  };
  listen(root, store, all);
  listenToPointers(areas.texts, store);
  listenToKeys(store, { finish, save: () => void saver.now(), go });
  keepChecking(store);
  store.changed();
  void saver.restore();
  const pane = areas.texts.querySelector('.markable');
  if (pane instanceof HTMLElement && typesAsked(store).length > 0) pane.focus({ preventScroll: true });
  root.dataset.ready = '1';
}

/**
 * Where one goes from a finished item: an adjudicator back to the marks of the others, where the own one can be taken.
 * @param {Work} work @param {string} home @param {string} link
 */
function after(work, home, link) {
  if (work.part === 'adjudicate') return `/adjudicate/${work.item.id}`;
  return work.next === null ? home : link + work.next;
}

/** @param {Store} store @param {Saver} saver */
async function sendFinish(store, saver) {
  try {
    const { revision } = store.work;
    const [path, sent] = revision ? [`/api/review/${revision.inspection}`, saver.verdict()] : [`${saver.path}/finish`, saver.body('.finish')];
    const { status, body } = await send('POST', path, sent);
    if (status === 200) {
      saver.accepted(body.version);
      store.work.state = revision ? body.state : 'done';
      store.work.next = body.next ?? null;
      store.notice = say('finished');
      store.changed();
      return true;
    }
    if (status === 409 && body?.detail && !revision) saver.conflict(body.detail);
    else if (body?.detail?.findings) {
      store.findings = body.detail.findings;
      store.notice = say('finishOpen', store.errors.length);
      goTo(store, store.errors[0]);
    } else store.notice = status >= 500 ? say('finishLater') : (body?.message ?? say('finishLater'));
  } catch {
    store.notice = say('finishLater');
  }
  store.changed();
  return false;
}

/** @param {HTMLElement} root */
function makeAreas(root) {
  const areas = {
    head: h('header', { class: 'item-head' }), reviews: h('div', { class: 'reviews' }), suggestion: h('div', { class: 'suggestion' }),
    texts: h('div', { class: 'texts' }), bar: h('div', { class: 'bar' }), switches: h('div', { class: 'switches' }), diagram: h('div', { class: 'diagram' }),
    parts: h('div', { class: 'parts' }), findings: h('section', { class: 'findings', 'aria-label': say('findings') }), thread: h('div', {}),
    footer: h('footer', { class: 'item-foot' }), spoken: h('p', { class: 'unseen', 'aria-live': 'polite', id: 'spoken' }),
  };
  root.replaceChildren(areas.head, areas.reviews, areas.suggestion,
    h('div', { class: 'desk' },
      h('div', { class: 'reading' }, h('div', { class: 'reading-top' }, areas.texts, areas.bar), areas.switches, areas.diagram),
      h('div', { class: 'work' }, areas.parts, areas.findings, areas.thread)),
    areas.footer, areas.spoken);
  return areas;
}

/** @param {HTMLElement} root @param {Store} store @param {Record<string, Action>} all */
function listen(root, store, all) {
  const near = (/** @type {Event} */ event, /** @type {string} */ name) =>
    event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest(`[data-${name}]`)) : null;
  root.addEventListener('click', (event) => {
    const place = near(event, 'act');
    if (place) void all[place.dataset.act ?? '']?.(store, place.dataset, event);
  });
  root.addEventListener('change', (event) => {
    const place = near(event, 'change');
    if (place instanceof HTMLInputElement || place instanceof HTMLSelectElement) changes[place.dataset.change ?? '']?.(store, place.dataset, place.value, 'checked' in place && place.checked);
  });
  root.addEventListener('input', (event) => {
    const place = near(event, 'input');
    if (place instanceof HTMLInputElement || place instanceof HTMLTextAreaElement) inputs[place.dataset.input ?? '']?.(store, place.dataset, place.value);
  });
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.target instanceof HTMLFormElement && event.target.dataset.submit === 'ask') void ask(store, event.target);
  });
  // A card or a finding under the pointer or with the focus lights up its spans.
  const point = (/** @type {Event} */ event) => {
    const [card, field, finding] = [near(event, 'hover'), near(event, 'field'), near(event, 'find')];
    const hover = card ? { record: Number(card.dataset.hover), field: field?.dataset.field } : null;
    const old = store.view.hover;
    if (old?.record !== hover?.record || old?.field !== hover?.field) store.look({ hover });
    if (finding) light(store, store.findings[Number(finding.dataset.find)]);
    else if (store.view.lit.length > 0 && event.type === 'pointerover' && near(event, 'act')) light(store, undefined);
  };
  root.addEventListener('pointerover', point);
  root.addEventListener('focusin', point);
}

const root = document.getElementById('editor');
if (root) void open(root);
