// How a person answers: what the sample's answers say of an item, and hands that fill it into the editor, by mouse or by keyboard alone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { char, drag } from './browser.mjs';
import { ROOT } from './site.mjs';

/** @typedef {{type: string, spans: [string, number[]][], label?: [string, string]}} Marked  Fields with the characters that go into them. */
/** @typedef {{choices: [string, string][], records: Marked[], texts: [string, string][]}} Answer */

export const fileOf = (/** @type {string} */ task) => join(ROOT, `data/sample/${task}/gold.${task.startsWith('2021') ? 'json' : 'jsonl'}`);

/** The records of a task's sample. @param {string} task @returns {any[]} */
export function sample(task) {
  const text = readFileSync(fileOf(task), 'utf8');
  return task.startsWith('2021') ? JSON.parse(text) : text.trim().split('\n').map((line) => JSON.parse(line));
}

export const qidOf = (/** @type {any} */ record) => record.qid ?? record.qID;

/** Where a piece of the text is. @param {string} context @param {string} part */
function find(context, part) {
  const [chars, wanted] = [Array.from(context), Array.from(part)];
  const at = chars.findIndex((_, i) => wanted.every((one, j) => chars[i + j] === one));
  assert.ok(at >= 0, `${part} is in the text`);
  return wanted.map((_, j) => at + j);
}

const SLOTS = ['空间实体', '参照实体', '事件', '事实性', '时间(文本)', '参照事件', '时间(标签)', '处所', '起点', '终点', '方向', '朝向', '部件处所', '部位', '形状', '路径', '距离(文本)', '距离(标签)'];

/** @type {Record<string, (record: any) => Partial<Answer>>} */
const READ = {
  '2021/judge': ({ judge1 }) => ({ choices: [['level', judge1 ? 'fine' : 'bad']] }),
  '2021/reason': ({ judge2 }) => ({ choices: [['judge', String(judge2)]] }),
  '2021/joint': ({ judge1, judge2 }) => ({ choices: judge1 ? [['judge1', 'true']] : [['judge1', 'false'], ['judge2', String(judge2)]] }),
  '2022/judge': ({ judge }) => ({ choices: [['level', judge ? 'fine' : 'bad']] }),
  '2022/attribute': ({ reasons }) => ({ choices: [['level', 'bad']], records: reasons.map((/** @type {any} */ one) => ({ type: one.type, spans: one.fragments.map((/** @type {any} */ part) => [part.role, part.idxes]) })) }),
  '2022/roles': ({ outputs }) => ({ records: outputs.slice(0, 2).map((/** @type {any[]} */ slots) => ({ type: 'tuple', spans: slots.flatMap((slot, at) => (slot?.idxes ? [[SLOTS[at], slot.idxes]] : [])) })) }),
  '2022-draft/attribute': ({ context, reason }) => ({ records: [{ type: 'reason', spans: reason.slice(0, -1).map((/** @type {string} */ part, /** @type {number} */ at) => [`text${at + 1}`, find(context, part)]), label: ['type', reason.at(-1)] }] }),
  '2022-draft/relations': ({ context, result }) => {
    const [head, roles] = Object.entries(result.events[0])[0];
    const plain = (/** @type {string} */ text) => text.replace(/<[^>]*>|[%#]/g, '');
    return { records: [{ type: 'event', spans: [['head', find(context, plain(head))], ...Object.entries(roles).map(([role, text]) => [role, find(context, plain(text))])] }] };
  },
  '2023/anomaly': ({ results }) => ({ choices: [['level', 'bad']], records: results.map((/** @type {any[]} */ parts) => ({ type: 'candidate', spans: parts.map((part) => [part.role, part.idxes]) })) }),
  '2023/roles': ({ results }) => ({ records: results.slice(0, 2).map((/** @type {any[]} */ parts) => ({ type: 'tuple', spans: parts.flatMap((part) => (part.fragment ? [[part.role, part.fragment.idxes]] : [])) })) }),
  '2023/scene': ({ results }) => ({ choices: [['judge', results[0].judge]], texts: [['reason', results[0].reason]] }),
};
/** All tasks, or those that somebody who mends a test names. */
export const TASKS = process.env.FANGWEI_TASKS?.split(',') ?? Object.keys(READ);

/** What the sample says of an item. @param {string} task @param {any} record @returns {Answer} */
export const answerOf = (task, record) => ({ choices: [], records: [], texts: [], .../** @type {any} */ (READ[task]?.(record)) });

/** Runs of neighbours, in the order in which they stand. @param {number[]} idxes @returns {[number, number][]} */
function pieces(idxes) {
  /** @type {[number, number][]} */
  const all = [];
  for (const idx of idxes) {
    const last = all.at(-1);
    if (last && last[1] + 1 === idx) last[1] = idx;
    else all.push([idx, idx]);
  }
  return all;
}

/** @param {import('playwright-core').Page} page @param {Answer} answer */
export async function byMouse(page, answer) {
  for (const [part, value] of answer.choices) await page.locator(`[data-part="${part}"] .option[data-key="${value}"]`).click();
  for (const record of answer.records) {
    await page.locator(`[data-act="new"][data-type="${record.type}"]`).click();
    for (const [field, idxes] of record.spans) {
      await char(page, idxes[0]).scrollIntoViewIfNeeded();
      for (const [at, [from, to]] of pieces(idxes).entries()) {
        if (at > 0) await page.keyboard.down('Control');
        await drag(page, from, to);
        if (at > 0) await page.keyboard.up('Control');
      }
      await page.locator(`.role[data-type="${record.type}"][data-name="${field}"]`).click();
    }
    if (record.label) await page.locator(`.record.open .labels button[data-name="${record.label[0]}"][data-value="${record.label[1]}"]`).click();
  }
  for (const [name, text] of answer.texts) {
    await page.locator(`#text-${name}`).click();
    await page.keyboard.insertText(text);
  }
}

/** Never touches the mouse: digits choose, arrows move and select, letters fill, Tab goes to what is no text. @param {import('playwright-core').Page} page @param {any} form @param {Answer} answer */
export async function byKeyboard(page, form, answer) {
  const press = async (/** @type {string} */ key, times = 1) => {
    for (let i = 0; i < times; i += 1) await page.keyboard.press(key);
  };
  const tabTo = async (/** @type {string} */ selector) => {
    for (let i = 0; i < 300; i += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      await press('Tab');
    }
    assert.fail(`Tab does not come to ${selector}`);
  };
  for (const [name, value] of answer.choices) {
    const { key } = form.parts.find((/** @type {any} */ part) => part.name === name).options.find((/** @type {any} */ one) => one.value === value);
    assert.ok(key, `${name} ${value} has a key`);
    await press(key);
  }
  for (const record of answer.records) {
    const type = form.parts.flatMap((/** @type {any} */ part) => part.types ?? []).find((/** @type {any} */ one) => one.type === record.type);
    const keyOf = (/** @type {string} */ name) => type.fields.find((/** @type {any} */ field) => field.name === name).key;
    // Out of the record before: the next letter makes another one.
    await press('Escape', 3);
    for (const [field, idxes] of record.spans) {
      for (const [at, [from, to]] of pieces(idxes).entries()) {
        if (at > 0) await press('+');
        await press('Control+Home');
        await press('ArrowRight', from);
        await press('Shift+ArrowRight', to - from + 1);
      }
      await press(keyOf(field));
    }
    if (record.label) {
      await press(keyOf(record.label[0]));
      await tabTo(`.labels button[data-name="${record.label[0]}"][data-value="${record.label[1]}"]`);
      await press('Enter');
    }
  }
  for (const [name, text] of answer.texts) {
    await tabTo(`#text-${name}`);
    await page.keyboard.insertText(text);
  }
}

/** Whether a sheet says what the answer says. @param {any} sheet @param {Answer} answer @param {any} form @param {string} context */
export function assertSays(sheet, answer, form, context) {
  assert.deepEqual(sheet.choices, Object.fromEntries(answer.choices.map(([part, value]) => [part, [value]])));
  const fields = (/** @type {Marked} */ { type, spans, label }) => {
    const known = form.parts.flatMap((/** @type {any} */ part) => part.types ?? []).find((/** @type {any} */ one) => one.type === type).fields;
    const isText = (/** @type {string} */ name) => known.find((/** @type {any} */ field) => field.name === name).kind === 'text';
    const value = (/** @type {string} */ name, /** @type {number[]} */ idxes) => (isText(name) ? { value: idxes.map((idx) => Array.from(context)[idx]).join('') } : { idxes });
    return { ...Object.fromEntries(spans.map(([name, idxes]) => [name, [value(name, idxes)]])), ...(label ? { [label[0]]: [{ label: label[1] }] } : {}) };
  };
  assert.deepEqual(sheet.records.map((/** @type {any} */ row) => [row.type, row.fields]), answer.records.map((record) => [record.type, fields(record)]));
  for (const [name, text] of answer.texts) assert.equal(sheet.texts[name], text);
}
