// Dialogs: a question with a text to write, and a choice between buttons.

import { h } from './dom.js';
import { say } from './words.js';

let count = 0;

/**
 * Shows a dialog until it is closed; gives the value of the button that closed it, empty for Escape.
 * @param {HTMLElement} dialog
 * @returns {Promise<string>}
 */
function show(dialog) {
  if (!(dialog instanceof HTMLDialogElement)) return Promise.resolve('');
  document.body.append(dialog);
  return new Promise((done) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue);
    });
    dialog.showModal();
  });
}

/**
 * Asks for a text; null if nothing was written.
 * @param {string} title
 * @param {string} label
 * @param {string} [about]
 * @returns {Promise<string | null>}
 */
export async function askFor(title, label, about = '') {
  const id = `dialog-${(count += 1)}`;
  const area = /** @type {HTMLTextAreaElement} */ (h('textarea', { rows: 3, required: true, autofocus: true, id: `${id}-text` }));
  const answer = await show(h('dialog', { class: 'dialog', 'aria-labelledby': id },
    h('form', { method: 'dialog' },
      h('h2', { id }, title),
      about && h('p', { class: 'soft' }, about),
      h('label', { for: `${id}-text` }, label), area,
      h('div', { class: 'row' }, h('button', { value: 'ok' }, say('ok')), h('button', { class: 'plain', value: '', formnovalidate: true }, say('cancel'))))));
  return answer === 'ok' && area.value.trim() ? area.value.trim() : null;
}

/**
 * Shows something and offers ways to go on.
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {{value: string, label: string, isPlain?: boolean}[]} buttons
 */
export function offer(title, content, buttons) {
  const id = `dialog-${(count += 1)}`;
  return show(h('dialog', { class: 'dialog wide-dialog', 'aria-labelledby': id },
    h('form', { method: 'dialog' },
      // The title has the focus: somebody who is typing when the dialog comes up decides nothing by it.
      h('h2', { id, tabindex: -1, autofocus: true }, title), content,
      h('div', { class: 'row' }, buttons.map(({ value, label, isPlain }) => h('button', { value, class: isPlain ? 'plain' : null }, label))))));
}
