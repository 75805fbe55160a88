// What the rules found: asked for shortly after every change, shown beside the records, each with the way to it, its remedy and its waiver.

import { send } from '../fangwei.js';
import { goToField } from './commands.js';
import { askFor } from './dialogs.js';
import { h } from './dom.js';
import { SIGNS } from './records.js';
import { waive, whole } from './sheet.js';
import { say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {Finding} from './types.js' */

/** How long after a change the rules are asked, in ms. */
const DELAY = 120;

/** Asks the rules after every change; only the answer to the last question counts. @param {Store} store */
export function keepChecking(store) {
  let [timer, asked] = [0, 0];
  const ask = async () => {
    const mine = (asked += 1);
    const { sheet, work } = store;
    const query = work.revision ? `?inspection=${work.revision.inspection}` : '';
    try {
      const { status, body } = await send('POST', `/api/work/${work.assignment}/check${query}`, { sheet }, { signal: AbortSignal.timeout(10_000) });
      if (mine !== asked) return;
      store.isStale = status !== 200;
      if (status === 200) store.findings = body.findings;
    } catch {
      if (mine !== asked) return;
      store.isStale = true;
    }
    store.changed();
  };
  store.editors.add(() => {
    clearTimeout(timer);
    timer = window.setTimeout(ask, DELAY);
  });
  window.addEventListener('online', ask);
}

const RANK = { error: 0, warning: 1, hint: 2 };

/** @param {Store} store @returns {(HTMLElement | false)[]} */
export function drawFindings(store) {
  const all = store.findings.map((finding, at) => ({ finding, at })).sort((a, b) => RANK[a.finding.severity] - RANK[b.finding.severity] || a.at - b.at);
  const open = all.filter(({ finding }) => !finding.waived);
  const waived = all.filter(({ finding }) => finding.waived);
  const counts = /** @type {const} */ (['error', 'warning', 'hint']).map((severity) => [severity, open.filter(({ finding }) => finding.severity === severity).length]);
  return [
    h('h3', {}, say('findings'), ' ', counts.map(([severity, count]) => Number(count) > 0 && h('span', { class: `mark is-${severity}`, title: say(/** @type {'error'} */ (severity)) }, count)), store.isStale && h('small', {}, ` ${say('staleFindings')}`)),
    open.length === 0 && h('p', { class: 'soft good' }, say('noFindings')),
    open.length > 0 && h('ul', { class: 'finding-list' }, open.map(({ finding, at }) => drawFinding(store, finding, at))),
    waived.length > 0 && h('details', { 'data-key': 'waived' }, h('summary', {}, say('showWaived', waived.length)), h('ul', { class: 'finding-list' }, waived.map(({ finding, at }) => drawFinding(store, finding, at)))),
  ];
}

/** @param {Store} store @param {Finding} finding @param {number} at */
function drawFinding(store, finding, at) {
  const tool = (/** @type {string} */ act, /** @type {string} */ label, /** @type {string} */ text) =>
    !store.isClosed && h('button', { class: 'plain small', type: 'button', 'data-act': act, 'data-at': at, title: label }, text);
  const isWarning = finding.severity === 'warning';
  return h('li', { class: `finding is-${finding.severity}`, 'data-key': `${finding.rule}-${finding.at}-${at}`, 'data-find': at },
    h('span', { class: `mark is-${finding.severity}`, 'aria-hidden': 'true' }, SIGNS[finding.severity]),
    h('button', { class: 'finding-text', type: 'button', 'data-act': 'go-finding', 'data-at': at },
      h('span', { class: 'unseen' }, `${say(finding.severity)}：`), finding.message, ' ', h('small', {}, finding.rule)),
    finding.waived && h('small', {}, say('waived', finding.waived)),
    h('span', { class: 'tools' },
      finding.fix && !finding.waived && tool('fix', finding.fix.say, `${say('fix')}：${finding.fix.say}`),
      isWarning && !finding.waived && tool('waive', finding.message, say('waive')),
      isWarning && finding.waived && tool('unwaive', finding.message, say('unwaive'))));
}

/** Lights up where a finding is. @param {Store} store @param {Finding | undefined} finding */
export function light(store, finding) {
  store.look({ lit: finding?.spans?.flat() ?? [], litText: finding?.text ?? null });
}

/** Goes to where a finding is. @param {Store} store @param {Finding | undefined} finding */
export function goTo(store, finding) {
  if (!finding) return;
  light(store, finding);
  if (finding.record !== null && finding.field) goToField(store, finding.record, finding.field);
  else if (finding.record !== null) store.look({ record: finding.record });
  const part = finding.record === null && finding.field ? document.querySelector(`#editor [data-part="${CSS.escape(finding.field)}"]`) : null;
  part?.scrollIntoView({ block: 'nearest' });
  const control = part?.matches('textarea') ? part : part?.querySelector('input');
  if (control instanceof HTMLElement) control.focus({ preventScroll: true });
  const idx = finding.spans?.[0]?.[0];
  if (idx !== undefined) document.querySelector(`#editor .ch[data-i="${idx}"]`)?.scrollIntoView({ block: 'nearest' });
  store.announce(`${say(finding.severity)}：${finding.message}`);
}

/** @type {Record<string, (store: Store, data: DOMStringMap) => void | Promise<void>>} */
export const findingActions = {
  'go-finding': (store, { at }) => goTo(store, store.findings[Number(at)]),
  fix: (store, { at }) => {
    const fix = store.findings[Number(at)]?.fix;
    if (fix) store.edit(whole(fix.sheet));
  },
  waive: async (store, { at }) => {
    const finding = store.findings[Number(at)];
    if (!finding) return;
    const reason = await askFor(say('waiveAsk'), say('reason'), finding.message);
    if (reason) store.edit(waive(store.sheet, finding, reason));
  },
  unwaive: (store, { at }) => {
    const finding = store.findings[Number(at)];
    if (finding) store.edit(waive(store.sheet, finding, null));
  },
};
