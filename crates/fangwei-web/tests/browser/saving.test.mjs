// Nothing is lost and nothing is overwritten: saving by itself, without a connection, after a reload, against another version, in two tabs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, desk, drag, saved, stage, tab, visit } from './browser.mjs';
import { at, filled, roles } from './forms.mjs';

const on = stage((mock) => {
  Object.assign(mock, { failure: null, delay: 0, log: [] });
  mock.clients.clear();
});

async function open(more = {}) {
  on.mock.items.one = roles('one', more);
  on.view = await visit(on.browser, `${on.mock.url}${desk('one')}`);
  return on.view.page;
}
/** Marks a part of the text by mouse and letter. */
async function mark(page, part, letter, nth = 1) {
  const idxes = at(part, nth);
  await drag(page, idxes[0], idxes.at(-1));
  await page.keyboard.press(letter);
}
const records = () => on.mock.items.one.sheet.records;
const puts = () => on.mock.log.filter((one) => one.method === 'PUT');
const kept = (page) => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('fangwei.pending')).length);

test('every change is saved by itself, several quick ones at once', async () => {
  const page = await open();
  await mark(page, '小满', 's');
  await mark(page, '抱', 'e');
  assert.equal(await kept(page), 1, 'kept on the device before it is sent');
  await saved(page);
  await page.waitForTimeout(500);
  assert.ok(puts().length <= 2, `${puts().length} requests`);
  assert.equal(on.mock.items.one.version, puts().length);
  assert.deepEqual(Object.keys(records()[0].fields), ['空间实体', '事件']);
  assert.equal(await kept(page), 0, 'what is saved is not kept twice');
});

test('changes during a slow save are saved after it', async () => {
  const page = await open();
  on.mock.delay = 700;
  await mark(page, '小满', 's');
  await saved(page, 'saving');
  await mark(page, '抱', 'e');
  on.mock.delay = 0;
  await page.waitForFunction(() => document.querySelector('.state')?.getAttribute('data-state') === 'saved');
  await page.waitForTimeout(600);
  await saved(page);
  assert.deepEqual(Object.keys(records()[0].fields), ['空间实体', '事件']);
  assert.deepEqual(puts().map((one) => one.body.base), [0, 1]);
});

test('without a server: work goes on, is kept, and is sent when the server is back', async () => {
  const page = await open();
  on.mock.failure = 'offline';
  await mark(page, '小满', 's');
  await saved(page, 'offline');
  await mark(page, '抱', 'e');
  assert.match((await page.locator('.state').textContent()) ?? '', /2 处改动待发送/);
  on.mock.items.one.next = 'two';
  await page.keyboard.press('PageDown');
  on.mock.failure = 'error';
  await page.waitForTimeout(1200);
  assert.equal(await page.locator('.state').getAttribute('data-state'), 'offline', 'a server that fails is as good as none');
  on.mock.failure = null;
  await saved(page);
  assert.deepEqual(Object.keys(records()[0].fields), ['空间实体', '事件']);
});

test('a page that is closed without a connection loses nothing', async () => {
  const page = await open();
  on.mock.failure = 'offline';
  await mark(page, '小满', 's');
  await saved(page, 'offline');
  await page.close();
  on.mock.failure = null;
  const { page: next, faults } = await tab(on.view.context, `${on.mock.url}${desk('one')}`);
  await next.waitForSelector('.record');
  await saved(next);
  assert.deepEqual(records()[0].fields, { 空间实体: [{ idxes: at('小满') }] });
  assert.equal(await kept(next), 0);
  assert.match((await next.locator('.toast').textContent()) ?? '', /已恢复/);
  assert.deepEqual(faults, []);
});

test('a reload without a connection loses nothing', async () => {
  const page = await open();
  on.mock.failure = 'offline';
  await mark(page, '小满', 's');
  await saved(page, 'offline');
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('alert').waitFor();
  on.mock.failure = null;
  await page.waitForSelector('#editor[data-ready]');
  await page.waitForSelector('.record');
  await saved(page);
  assert.deepEqual(records()[0].fields, { 空间实体: [{ idxes: at('小满') }] });
  assert.equal(await kept(page), 0);
});

test('a page that opens while the server is away waits for it', async () => {
  on.mock.items.one = roles('one');
  on.mock.failure = 'error';
  const context = await on.browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${on.mock.url}${desk('one')}`);
  await page.getByRole('alert').waitFor();
  on.mock.failure = null;
  await page.waitForSelector('#editor[data-ready]');
  on.view = { context, faults: [] };
});

test('an answer that got lost is not a conflict', async () => {
  const page = await open();
  // The server saves, but its answer never arrives.
  let isLost = false;
  await page.route(`**/api${desk('one')}`, async (route) => {
    if (isLost || route.request().method() !== 'PUT') return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  await mark(page, '小满', 's');
  await saved(page, 'offline');
  await saved(page);
  assert.equal(on.mock.items.one.version, 1, 'the retry is known by its client id');
  await counted(page.locator('dialog'), 0);
});

test('a conflict is shown with both versions; mine goes on top, nothing is lost', async () => {
  const page = await open();
  on.mock.saveElsewhere('one', filled());
  await mark(page, '小满', 's');
  const dialog = page.locator('dialog');
  await dialog.waitFor();
  const told = (await dialog.textContent()) ?? '';
  assert.match(told, /小周/);
  assert.match(told, /花盆/, 'what differs is told');
  assert.equal(on.mock.items.one.version, 1, 'nothing was overwritten');
  await page.getByRole('button', { name: '先看看' }).click();
  await counted(page.locator('.record.ghost'), 4, 'theirs beside mine');
  await mark(page, '抱', 'e');
  await page.waitForTimeout(600);
  assert.equal(on.mock.items.one.version, 1, 'saving waits for the decision');
  await page.locator('.state').getByRole('button', { name: '处理' }).click();
  await page.getByRole('button', { name: '以我的存为新版本' }).click();
  await saved(page);
  assert.deepEqual([on.mock.items.one.version, records().length], [2, 1]);
});

test('theirs can be taken, and taken back', async () => {
  const page = await open();
  on.mock.saveElsewhere('one', filled());
  await mark(page, '小满', 's');
  await page.getByRole('button', { name: '用对方的' }).click();
  await saved(page);
  await counted(page.locator('.record:not(.ghost)'), 4);
  assert.equal(on.mock.items.one.version, 1);
  await page.keyboard.press('Control+z');
  await page.waitForTimeout(600);
  await saved(page);
  assert.deepEqual([on.mock.items.one.version, records().length], [2, 1], 'undone, mine is a version on top of theirs');
});

test('two tabs: the other one follows, and meets a conflict only with changes of its own', async () => {
  const page = await open();
  const other = await tab(on.view.context, `${on.mock.url}${desk('one')}`);
  await page.bringToFront();
  await mark(page, '小满', 's');
  await saved(page);
  await other.page.waitForSelector('.record');
  assert.match((await other.page.locator('.toast').textContent()) ?? '', /另一个标签页/);
  await other.page.bringToFront();
  await mark(other.page, '抱', 'e');
  await saved(other.page);
  assert.deepEqual([on.mock.items.one.version, Object.keys(records()[0].fields)], [2, ['空间实体', '事件']]);
  assert.deepEqual(other.faults, []);
});

test('an ended session keeps the changes and says what to do', async () => {
  const page = await open();
  on.mock.failure = 'signed-out';
  await mark(page, '小满', 's');
  await saved(page, 'refused');
  assert.equal(await page.getByRole('link', { name: '重新登录' }).getAttribute('href'), '/login?next=%2Fwork%2Fone');
  assert.equal(await kept(page), 1);
});

test('a revision stays on the device until it is sent as the verdict', async () => {
  on.mock.items.one = roles('one', { state: 'done', version: 3, sheet: filled(), revision: { inspection: 'i1', annotator: '小周' }, next: null, previous: null });
  on.view = await visit(on.browser, `${on.mock.url}${desk('one')}?inspection=i1`);
  const { page } = on.view;
  // What the page of the test before sent when it closed.
  on.mock.log = [];
  assert.match((await page.locator('[data-key="revision"]').textContent()) ?? '', /小周/);
  await counted(page.getByRole('button', { name: '跳过' }), 0);
  await counted(page.locator('.thread'), 0);
  const before = records().length;
  await page.keyboard.press('n');
  await mark(page, '小满', 's');
  await saved(page, 'kept');
  await page.waitForTimeout(700);
  assert.deepEqual([puts().length, await kept(page)], [0, 1], 'nothing is sent');
  assert.ok(on.mock.log.filter((one) => one.what === 'check').every((one) => one.inspection === 'i1'), 'the rules are asked as a reviewer');
  await page.reload();
  await page.waitForSelector('#editor[data-ready]');
  await saved(page, 'kept');
  await counted(page.locator('.record'), before + 1, 'a reload loses nothing');
  await page.getByRole('button', { name: '以此为准' }).click();
  await page.waitForURL(`${on.mock.url}/review`);
  const sent = on.mock.log.filter((one) => one.what === 'review');
  assert.deepEqual([sent.length, sent[0].body.verdict, sent[0].body.version, on.mock.items.one.state], [1, 'revise', 3, 'approved']);
  assert.equal(records().length, before + 1);
});
