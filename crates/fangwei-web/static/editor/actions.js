// What clicks, changes and typing do: views name an action in `data-act`, `data-change` or `data-input`; here are all of them.

import * as commands from './commands.js';
import { escape, showKeys } from './keys.js';
import { select } from './selection.js';
import { choose, moveValue, movePiece, recordParts, removePiece, removeValue, withValues, write } from './sheet.js';
import { nextSlot } from './parts.js';
import { isOn, turn } from './store.js';
import { read } from './words.js';

/** @import {Store} from './store.js' */
/** @typedef {(store: Store, data: DOMStringMap, event: Event) => void | Promise<void>} Action */

/** @type {Record<string, Action>} */
export const actions = {
  clear: (store) => escape(store),
  keys: (store) => showKeys(store),
  undo: (store) => void store.undo(),
  redo: (store) => void store.redo(),
  offer: (store, { start, end, textName }) => select(store, { text: textName ?? '', anchor: Number(start), head: Number(end), kept: [] }),
  how: (store, { how }) => store.look({ how: /** @type {'fill'} */ (how) }),
  order: (store, { order }) => store.look({ order: /** @type {'text'} */ (order) }),
  assign: (store, { type, name }, event) => {
    const found = commands.typesAsked(store).find((one) => one.type === type);
    const field = found?.fields.find((one) => one.name === name);
    if (found && field) commands.assign(store, { type: found, field }, wayOf(store, event));
  },
  field: (store, { record, name }, event) => {
    const id = Number(record);
    if (store.view.record !== id) store.look({ record: id });
    const target = commands.findField(store, (field) => field.name === name);
    if (target) commands.assign(store, target, wayOf(store, event));
  },
  new: (store, { type }) => commands.newRecord(store, type),
  open: (store, { record }) => {
    const id = Number(record);
    store.look(store.view.record === id ? { record: null, field: null } : { record: id, field: commands.firstOpen(store, id) });
  },
  'open-layer': (store, { record, name }) => commands.goToField(store, Number(record), name ?? ''),
  'open-field': (store, { record, name }) => commands.goToField(store, Number(record), name ?? ''),
  clone: (store, { record }) => commands.cloneRecord(store, Number(record)),
  delete: (store, { record }) => commands.deleteRecord(store, Number(record)),
  accept: (store, { record }) => commands.acceptRecord(store, Number(record)),
  'accept-all': (store) => commands.acceptAll(store),
  'look-ghost': (store) => store.look({ ghost: !store.view.ghost }),
  'remove-value': (store, { record, name, at }) => void store.edit(removeValue(store.sheet, Number(record), name ?? '', Number(at))),
  'move-value': (store, { record, name, at }) => void store.edit(moveValue(store.sheet, Number(record), name ?? '', Number(at), -1)),
  'remove-piece': (store, { record, name, at, piece }) => void store.edit(removePiece(store.sheet, Number(record), name ?? '', Number(at), Number(piece))),
  'move-piece': (store, { record, name, at, piece }) => void store.edit(movePiece(store.sheet, Number(record), name ?? '', Number(at), Number(piece), -1)),
  frame: (store, { part }) => {
    const found = store.form.parts.find((one) => one.name === part);
    if (found?.kind !== 'text') return;
    store.edit(write(store.sheet, found.name, read(found.frame)));
    const area = document.getElementById(`text-${found.name}`);
    if (area instanceof HTMLTextAreaElement) queueMicrotask(() => queueMicrotask(() => nextSlot(area, 0)));
  },
  label: (store, { record, name, value }) => setLabel(store, Number(record), name ?? '', value ?? ''),
  'remove-hidden': (store, { part }) => {
    const types = recordParts(store.form).find((one) => one.name === part)?.types ?? [];
    store.edit({ ...store.sheet, records: store.sheet.records.filter((row) => !types.some((type) => type.type === row.type)) });
  },
};

/** @param {Store} store @param {Event} event @returns {'fill' | 'append' | 'parallel'} */
function wayOf(store, event) {
  if (event instanceof MouseEvent && event.shiftKey) return 'append';
  if (event instanceof MouseEvent && event.altKey) return 'parallel';
  return store.view.how;
}

/** @param {Store} store @param {number} id @param {string} name @param {string} label */
function setLabel(store, id, name, label) {
  const field = commands.findField(store, (one) => one.name === name)?.field;
  store.edit(withValues(store.sheet, id, name, (values) => {
    const others = field?.many ? values.filter((one) => one.label !== label) : [];
    return label === '' || values.some((one) => one.label === label) ? others : [...others, { label }];
  }));
}

/** @type {Record<string, (store: Store, data: DOMStringMap, value: string, isChecked: boolean) => void>} */
export const changes = {
  switch: (store, { name }, _, isChecked) => {
    if (isOn(name ?? '') !== isChecked) turn(name ?? '', isChecked);
    store.changed();
  },
  choice: (store, { part }, value) => {
    const found = store.form.parts.find((one) => one.name === part);
    if (found?.kind === 'choice') store.edit(choose(store.sheet, found.many ? found : { ...found, required: true }, value));
  },
  label: (store, { record, name }, value) => setLabel(store, Number(record), name ?? '', value),
};

/** @type {Record<string, (store: Store, data: DOMStringMap, value: string) => void>} */
export const inputs = {
  text: (store, { part }, value) => void store.edit(write(store.sheet, part ?? '', value), `text-${part}`),
  written: (store, { record, name, at }, value) => {
    const put = (/** @type {import('./types.js').Value[]} */ values) => Object.assign([...values], { [Number(at)]: { value } }).filter((one) => one.value !== '');
    store.edit(withValues(store.sheet, Number(record), name ?? '', put), `written-${record}-${name}-${at}`);
  },
};
