// The keyboard. One table drives what keys do and the list that `?` opens; letters and digits come from the form.

import { acceptRecord, assign, assignCurrent, cloneRecord, deleteRecord, findField, newRecord, removeLast, stepField, stepRecord, typesAsked } from './commands.js';
import { h } from './dom.js';
import { offer } from './dialogs.js';
import { choose, isAsked, withValues } from './sheet.js';
import { keepPiece, move, select, selectedIdxes, takeOffer } from './selection.js';
import { nextSlot } from './parts.js';
import { lineJump } from './text.js';
import { read, say } from './words.js';

/** @import {Store} from './store.js' */
/** @import {ChoicePart} from './types.js' */
/** @import {Key} from './words.js' */
/** @typedef {{finish: () => void, save: () => void, go: (id: string | null) => void}} Ways  What keys can do besides the sheet. */
/** @typedef {{combos: string[], shown: string, about: Key, group: Key, run: (store: Store, ways: Ways, combo: string) => void, inFields?: boolean}} Binding */

/** @param {string} combo */
const isExtending = (combo) => combo.includes('Shift+');
/** @param {string} combo @returns {1 | -1} */
const side = (combo) => (/Right|Down|End/.test(combo) ? 1 : -1);
/** With and without Shift. @param {string[]} combos */
const orShift = (combos) => [...combos, ...combos.map((combo) => combo.replace(/([^+]+)$/, 'Shift+$1'))];

/** @param {Store} store @param {string} combo */
function moveLine(store, combo) {
  const name = store.view.selection?.text ?? store.texts[0]?.name ?? '';
  const pane = document.querySelector(`#editor [data-text="${CSS.escape(name)}"]`);
  if (pane) move(store, lineJump(pane, store.view.selection?.head ?? 0, side(combo)), side(combo), isExtending(combo));
}

/** @type {Binding[]} */
const BINDINGS = [
  { group: 'groupText', combos: orShift(['ArrowLeft', 'ArrowRight']), shown: '← →', about: 'kMove', run: (store, _, combo) => move(store, 'char', side(combo), isExtending(combo)) },
  { group: 'groupText', combos: orShift(['ArrowUp', 'ArrowDown']), shown: '↑ ↓', about: 'kMove', run: (store, _, combo) => moveLine(store, combo) },
  { group: 'groupText', combos: [], shown: 'Shift + ← → ↑ ↓ …', about: 'kExtend', run: () => {} },
  { group: 'groupText', combos: orShift(['Ctrl+ArrowLeft', 'Ctrl+ArrowRight', 'Alt+ArrowLeft', 'Alt+ArrowRight']), shown: 'Ctrl / Alt + ← →', about: 'kWord', run: (store, _, combo) => move(store, 'word', side(combo), isExtending(combo)) },
  { group: 'groupText', combos: orShift(['Home', 'End', 'Ctrl+ArrowUp', 'Ctrl+ArrowDown']), shown: 'Home End', about: 'kClause', run: (store, _, combo) => move(store, 'clause', side(combo), isExtending(combo)) },
  { group: 'groupText', combos: orShift(['Ctrl+Home', 'Ctrl+End']), shown: 'Ctrl + Home End', about: 'kEnds', run: (store, _, combo) => move(store, 'all', side(combo), isExtending(combo)) },
  { group: 'groupText', combos: ['Space'], shown: 'Space', about: 'kOffer', run: (store) => takeOffer(store) },
  { group: 'groupText', combos: ['+', 'Shift++', '='], shown: '+', about: 'kKeep', run: (store) => keepPiece(store) },
  { group: 'groupText', combos: ['Escape'], shown: 'Esc', about: 'kEscape', run: (store) => escape(store) },
  { group: 'groupRoles', combos: ['Enter', 'Shift+Enter', 'Alt+Enter'], shown: 'Enter', about: 'kEnter', run: (store, _, combo) => assignCurrent(store, howOf(combo)) },
  { group: 'groupRoles', combos: [], shown: 'Tab', about: 'kTab', run: () => {} },
  { group: 'groupRoles', combos: ['Backspace', 'Delete'], shown: 'Backspace', about: 'kBack', run: (store) => removeLast(store) },
  { group: 'groupRecords', combos: [',', '.'], shown: ', | .', about: 'kRecord', run: (store, _, combo) => stepRecord(store, combo === ',' ? -1 : 1) },
  { group: 'groupRecords', combos: ['n', 'Insert'], shown: 'N | Insert', about: 'kNew', run: (store) => newRecord(store) },
  { group: 'groupRecords', combos: ['Ctrl+d'], shown: 'Ctrl + D', about: 'kClone', run: (store) => cloneRecord(store) },
  { group: 'groupRecords', combos: ['Shift+Delete', 'Ctrl+Backspace'], shown: 'Shift + Delete', about: 'kDelete', run: (store) => deleteRecord(store) },
  { group: 'groupRecords', combos: ['!', 'Shift+!'], shown: '!', about: 'kAccept', run: (store) => acceptRecord(store) },
  { group: 'groupItem', combos: ['Ctrl+z', 'u', 'Ctrl+y', 'Ctrl+Shift+z', 'Shift+u'], shown: 'Ctrl + Z | Ctrl + Y', about: 'kUndo', run: (store, _, combo) => step(store, combo) },
  { group: 'groupItem', combos: ['PageUp', 'PageDown', 'j', 'k'], shown: 'K | J | PageUp | PageDown', about: 'kItem', run: ({ work }, { go }, combo) => go(combo === 'PageDown' || combo === 'j' ? work.next : work.previous) },
  { group: 'groupItem', combos: ['Ctrl+s'], shown: 'Ctrl + S', about: 'kSave', run: (_, { save }) => save(), inFields: true },
  { group: 'groupItem', combos: ['Ctrl+Enter'], shown: 'Ctrl + Enter', about: 'kFinish', run: (_, { finish }) => finish(), inFields: true },
  { group: 'groupItem', combos: ['?', 'Shift+?', '？', 'Shift+？'], shown: '?', about: 'kHelp', run: (store) => void showKeys(store) },
];

/** @param {string} combo @returns {'fill' | 'append' | 'parallel'} */
const howOf = (combo) => (combo.includes('Shift+') ? 'append' : combo.includes('Alt+') ? 'parallel' : 'fill');

/** @param {Store} store @param {string} combo */
function step(store, combo) {
  const isUndo = combo === 'Ctrl+z' || combo === 'u';
  const isDone = isUndo ? store.undo() : store.redo();
  store.announce(isDone ? say(isUndo ? 'undone' : 'redone') : say('nothingToUndo'));
}

/** @param {Store} store */
export function escape(store) {
  const { selection } = store.view;
  if (selection && selectedIdxes(selection).length > 0) select(store, { ...selection, anchor: selection.head, kept: [] });
  else store.look({ record: null, field: null, lit: [], hover: null });
}

/** How a key press is named here: modifiers, then the letter in lower case or the name of the key. @param {KeyboardEvent} event */
function comboOf(event) {
  // With Alt some systems type signs; the place of the key then tells the letter.
  const isSign = event.altKey && !/^[a-z0-9]$/i.test(event.key) && event.key.length === 1;
  const letter = isSign && event.code.startsWith('Key') ? event.code.slice(3) : event.key;
  const key = letter === ' ' ? 'Space' : letter.length === 1 ? letter.toLowerCase() : letter;
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}${key}`;
}

/** @param {EventTarget | null} target */
const isTyping = (target) => target instanceof Element && target.matches('textarea, select, input:not([type="checkbox"]):not([type="radio"]), [contenteditable]');

/** @param {Store} store @param {Ways} ways */
export function listenToKeys(store, ways) {
  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const combo = comboOf(event);
    const binding = BINDINGS.find((one) => one.combos.includes(combo));
    if (isTyping(event.target)) {
      if (combo === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
      if (combo === 'Tab' && event.target instanceof HTMLTextAreaElement && nextSlot(event.target, event.target.selectionEnd)) event.preventDefault();
      if (!binding?.inFields) return;
    }
    // Enter and Space belong to the button or link that has the focus; arrows to a group of radio buttons.
    const isControl = event.target instanceof Element && event.target.closest('button, a, summary, input');
    if (isControl && /^(Enter|Space|Backspace)$/.test(combo)) return;
    if (event.target instanceof HTMLInputElement && combo.startsWith('Arrow')) return;
    // Beyond the last role Tab goes on through the page: the text holds nobody.
    const isInText = event.target instanceof Element && event.target.matches('.markable');
    if (isInText && /^(Shift\+)?Tab$/.test(combo) && stepField(store, combo === 'Tab' ? 1 : -1)) return event.preventDefault();
    const isDone = pressDigit(store, combo) || pressLetter(store, combo) || (binding && (binding.run(store, ways, combo), true));
    if (isDone) event.preventDefault();
  });
  document.addEventListener('copy', (event) => {
    const { selection } = store.view;
    const chars = store.text(selection?.text)?.chars ?? [];
    const text = selectedIdxes(selection).map((idx) => chars[idx]).join('');
    if (!text || isTyping(event.target) || !document.getSelection()?.isCollapsed) return;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  });
}

/** A letter puts the selection into the role that has it. @param {Store} store @param {string} combo */
function pressLetter(store, combo) {
  const match = /^(Alt\+|Shift\+)?([a-z])$/.exec(combo);
  const target = match && findField(store, (field) => field.key?.toLowerCase() === match[2]);
  if (!match || !target) return false;
  assign(store, target, store.view.how === 'fill' ? howOf(combo) : store.view.how);
  return true;
}

/** A digit or another key of an option chooses it: in the label field that is current, else in the first choice that waits or that has the key. @param {Store} store @param {string} combo */
function pressDigit(store, combo) {
  if (combo.length !== 1 || store.isClosed) return false;
  const { record, field: name } = store.view;
  const field = store.record && name ? findField(store, (one) => one.name === name)?.field : null;
  const label = field?.kind === 'label' ? field.options?.find((option) => option.key === combo) : null;
  if (label && field && record !== null) {
    store.edit(withValues(store.sheet, record, field.name, (values) => (values.some((one) => one.label === label.value) ? [] : [{ label: label.value }])));
    return true;
  }
  const asked = /** @type {ChoicePart[]} */ (store.form.parts.filter((part) => part.kind === 'choice' && isAsked(part, store.sheet)));
  const fitting = asked.filter((part) => part.options.some((option) => option.key === combo));
  const focused = document.activeElement?.closest('[data-part]')?.getAttribute('data-part');
  const part = fitting.find((one) => one.name === focused) ?? fitting.find((one) => !store.sheet.choices[one.name]?.length) ?? fitting.at(-1);
  const option = part?.options.find((one) => one.key === combo);
  if (!part || !option) return false;
  store.edit(choose(store.sheet, part, option.value));
  store.announce(`${read(part.label)}：${read(option.label)}`);
  return true;
}

/** @param {Store} store */
export async function showKeys(store) {
  const row = (/** @type {string} */ keys, /** @type {string} */ about) => h('tr', {}, h('td', {}, keys.split(' | ').map((one) => h('kbd', {}, one))), h('td', {}, about));
  const group = (/** @type {Key} */ name, /** @type {HTMLElement[]} */ rows, /** @type {HTMLElement | false} */ more = false) => h('section', {}, h('h3', {}, say(name)), h('table', {}, h('tbody', {}, rows)), more);
  const bound = (/** @type {Key} */ name) => BINDINGS.filter((one) => one.group === name).map((one) => row(one.shown, say(one.about)));
  const signs = (/** @type {{key?: string | null, label: import('./types.js').Say}[]} */ all) => {
    const named = all.filter((one) => one.key);
    return named.length > 0 && h('p', { class: 'key-list' }, named.map((one) => h('span', {}, h('kbd', {}, one.key), read(one.label))));
  };
  const roles = signs(typesAsked(store).flatMap((type) => type.fields));
  const choices = signs(store.form.parts.flatMap((part) => (part.kind === 'choice' ? part.options : [])));
  await offer(say('keysTitle'), [h('div', { class: 'key-groups' },
    store.hasRecords && [group('groupText', bound('groupText')), group('groupRoles', [row('a … z', say('kLetter')), ...bound('groupRoles')], roles), group('groupRecords', bound('groupRecords'))],
    choices && h('section', {}, h('h3', {}, say('groupChoices')), choices), group('groupItem', bound('groupItem')))], [{ value: '', label: say('close') }]);
}
