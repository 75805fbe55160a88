// Every shape of form, findings and finishing, suggestions, talk; and pages that everybody can use.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { counted, desk, drag, saved, stage, visit } from './browser.mjs';
import * as forms from './forms.mjs';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const on = stage((mock) => Object.assign(mock, { lang: 'zh-CN' }));

async function open(work, options = {}) {
  on.mock.items = Object.assign(on.mock.items, { [work.assignment]: work });
  on.view = await visit(on.browser, `${on.mock.url}/work/${work.assignment}`, options);
  return on.view.page;
}
const settled = async (page) => {
  await page.waitForTimeout(600);
  await saved(page);
};

test('findings appear by themselves, lead to their place, are mended and waived', async () => {
  const page = await open(forms.roles('f'));
  const event = forms.at('抱着');
  await drag(page, event[0], event[1]);
  await page.keyboard.press('e');
  await page.waitForSelector('.finding.is-error');
  assert.deepEqual(await page.locator('.finding').evaluateAll((all) => all.map((one) => one.className)), ['finding is-error', 'finding is-warning', 'finding is-hint']);
  await page.getByRole('button', { name: '修正：去掉“着”' }).click();
  await settled(page);
  assert.deepEqual(on.mock.items.f.sheet.records[0].fields['事件'], [{ idxes: event.slice(0, 1) }]);
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: '说明理由' }).click();
  await page.locator('dialog textarea').fill('这里是持续的状态');
  await page.getByRole('button', { name: '确定' }).click();
  await settled(page);
  assert.deepEqual(on.mock.items.f.sheet.waivers, [{ rule: 'SF03', at: '/1/事件', reason: '这里是持续的状态' }]);
  await page.waitForSelector('.finding.is-warning', { state: 'hidden' });
});

test('finishing with errors goes to the first; without, to the next item', async () => {
  on.mock.items.g = forms.roles('g');
  const page = await open(forms.roles('f', { next: 'g' }));
  await drag(page, 6, 6);
  await page.keyboard.press('e');
  await page.getByRole('button', { name: '完成（1 处错误）' }).click();
  assert.match((await page.locator('.toast').textContent()) ?? '', /还有 1 处错误/);
  assert.equal(await page.locator('.field.current').getAttribute('data-field'), '空间实体');
  assert.notEqual(on.mock.items.f.state, 'done');
  await drag(page, 3, 4);
  await page.keyboard.press('s');
  await page.waitForSelector('.finding.is-error', { state: 'detached' });
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(`**${desk('g')}`);
  assert.equal(on.mock.items.f.state, 'done');
});

test('a human test has a clock, no suggestion, no word classes, and is answered with one key', async () => {
  const page = await open(forms.judge('h'));
  assert.match((await page.getByRole('timer').textContent()) ?? '', /^1:(30|29|28)$/);
  await counted(page.locator('.suggestion-bar, .ch.word, .switches input'), 0);
  await page.keyboard.press('2');
  await settled(page);
  assert.deepEqual(on.mock.items.h.sheet.choices, { judge: ['false'] });
  assert.ok(on.mock.items.h.spent_ms > 0);
});

test('attribution: a choice opens the frames, slots are filled inline, hidden records are told', async () => {
  const page = await open(forms.attribute('a'));
  await counted(page.locator('.records'), 0);
  await page.keyboard.press('1');
  await page.getByRole('button', { name: '新建搭配不当' }).click();
  await drag(page, 5, 6);
  await page.locator('.slot', { hasText: '片段一' }).locator('.name').click();
  await drag(page, 7, 10);
  await page.keyboard.press('y');
  // The letters of another type make a record of that type.
  await drag(page, 3, 4);
  await page.keyboard.press('a');
  await settled(page);
  assert.deepEqual(on.mock.items.a.sheet.records, [
    { id: 1, type: 'A', fields: { text1: [{ idxes: [5, 6] }], text2: [{ idxes: [7, 8, 9, 10] }] } },
    { id: 2, type: 'B', fields: { S1: [{ idxes: [3, 4] }] } },
  ]);
  await page.keyboard.press('2');
  await page.waitForSelector('.notice');
  await page.getByRole('button', { name: '删掉它们' }).click();
  await settled(page);
  assert.deepEqual(on.mock.items.a.sheet.records, []);
});

test('scene pairs: differences marked, a reason from the pattern', async () => {
  const page = await open(forms.scene('s'));
  assert.deepEqual(await page.locator('.ch.diff').allTextContents(), ['下', '上']);
  await page.getByRole('button', { name: /套用句式/ }).click();
  await page.keyboard.type('灯笼');
  await page.keyboard.press('Tab');
  await page.keyboard.type('屋檐下');
  await settled(page);
  assert.equal(on.mock.items.s.sheet.texts.reason, '两段都说灯笼在屋檐下。');
});

test('grading by a digit, authoring by writing', async () => {
  let page = await open(forms.grade('g'));
  await page.keyboard.press('4');
  await settled(page);
  assert.deepEqual(on.mock.items.g.sheet.choices, { grade: ['4'] });
  await on.view.context.close();
  page = await open(forms.author('w'));
  await page.getByLabel('文本一').fill('风筝挂在树梢上面。');
  await settled(page);
  assert.equal(on.mock.items.w.sheet.texts.context1, '风筝挂在树梢上面。');
  assert.match((await page.locator('.count').first().textContent()) ?? '', /9 字/);
});

test('suggestions are dashed until taken, one by one or all; undo gives them back', async () => {
  const page = await open(forms.roles('p', { suggestion: { predictor: 'encoder', sheet: forms.filled() } }));
  assert.match((await page.locator('.suggestion-bar').textContent()) ?? '', /encoder/);
  await counted(page.locator('.record.ghost'), 4);
  assert.ok((await page.locator('.lane.ghost').count()) > 10);
  await page.locator('.record.ghost').first().getByRole('button', { name: '采用' }).click();
  const split = async (ghosts, own, message) => {
    await counted(page.locator('.record.ghost'), ghosts, message);
    await counted(page.locator('.record:not(.ghost)'), own, message);
  };
  await split(3, 1);
  await page.keyboard.press('!');
  await split(2, 2);
  await page.keyboard.press('Control+z');
  await split(3, 1, 'undone, it is a suggestion again');
  await page.getByRole('button', { name: '全部采用' }).click();
  await settled(page);
  assert.equal(on.mock.items.p.sheet.records.length, 4);
  await counted(page.locator('.suggestion-bar'), 0);
});

test('a suggested choice is marked and taken with all', async () => {
  const page = await open(forms.attribute('q', { suggestion: { predictor: 'rule', sheet: { choices: { level: ['fine'] }, texts: {}, records: [], waivers: [] } } }));
  assert.match((await page.locator('.option.suggested').textContent()) ?? '', /并无异常/);
  await page.getByRole('button', { name: '全部采用' }).click();
  await settled(page);
  assert.deepEqual(on.mock.items.q.sheet.choices, { level: ['fine'] });
  // Taken over as it is, it stays the predictor's until somebody changes or finishes it.
  on.mock.items.q.source = 'predictor:rule';
  await page.reload();
  await page.waitForSelector('#editor[data-ready]');
  assert.match((await page.locator('.suggestion-bar').textContent()) ?? '', /尚未确认/);
  await page.keyboard.press('1');
  await page.waitForSelector('.suggestion-bar', { state: 'detached' });
});

test('questions, reports, skipping; what the reviewer said stands on top', async () => {
  const reviews = [{ round: 1, verdict: 'returned', comment: '请再看处所。', pointer: null, at: 1_794_817_340_000, reviewer: '小周' }];
  const page = await open(forms.roles('t', { state: 'returned', reviews, next: 'f' }));
  assert.match((await page.locator('.review.returned').textContent()) ?? '', /请再看处所/);
  await page.locator('.thread summary').click();
  await page.getByLabel('问负责人').fill('“旁边”要不要补参照物？');
  await page.getByRole('button', { name: '提问' }).click();
  await page.waitForSelector('.post.mine');
  assert.equal(on.mock.items.t.thread[0].text, '“旁边”要不要补参照物？');
  await page.getByRole('button', { name: '跳过' }).click();
  await page.locator('dialog textarea').fill('看不懂');
  await page.getByRole('button', { name: '确定' }).click();
  await page.waitForURL(`**${desk('f')}`);
  assert.equal(on.mock.items.t.state, 'skipped');
});

test('an approved item is only looked at', async () => {
  const page = await open(forms.roles('r', { state: 'approved', sheet: forms.filled(), version: 5, source: 'person' }));
  await drag(page, 3, 4);
  await page.keyboard.press('s');
  await page.waitForTimeout(500);
  assert.deepEqual([on.mock.items.r.version, on.mock.items.r.sheet.records.length], [5, 4]);
  await counted(page.getByRole('button', { name: '完成' }), 0);
});

const PAGES = {
  roles: () => forms.roles('x', { sheet: forms.filled(), version: 1, source: 'person' }),
  suggested: () => forms.roles('x', { suggestion: { predictor: 'encoder', sheet: forms.filled() } }),
  attribute: () => forms.attribute('x', { sheet: { choices: { level: ['bad'] }, texts: {}, waivers: [], records: [{ id: 1, type: 'B', fields: { S1: [{ idxes: [3, 4] }] } }] } }),
  judge: () => forms.judge('x'), scene: () => forms.scene('x'), grade: () => forms.grade('x'), author: () => forms.author('x'),
};
for (const [name, make] of Object.entries(PAGES)) {
  for (const [width, colorScheme, lang] of /** @type {const} */ ([[1280, 'light', 'zh-CN'], [390, 'dark', 'en']])) {
    test(`axe finds nothing serious: ${name}, ${width} px, ${colorScheme}, ${lang}`, async () => {
      on.mock.lang = lang;
      const page = await open(make(), { viewport: { width, height: 900 }, colorScheme });
      if (name === 'roles') await page.locator('.record-name').nth(2).focus();
      await page.waitForTimeout(150);
      // Axe is put in from outside: the policy of the page lets no foreign script in.
      await page.evaluate((await import('node:fs')).readFileSync(axe, 'utf8'));
      const found = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run());
      const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
      assert.deepEqual(serious, []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} px too wide`);
      if (width > 390) return;
      const small = await page.locator('#editor button:visible').evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 40).map((one) => one.outerHTML.slice(0, 120)));
      assert.deepEqual(small, [], 'targets for fingers are at least 40 px high');
    });
  }
}
