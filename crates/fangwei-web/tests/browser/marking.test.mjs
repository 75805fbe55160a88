// Marking in a real browser: by mouse, by keyboard alone, by touch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { char, counted, desk, drag, saved, stage, visit } from './browser.mjs';
import { at, filled, roles, words } from './forms.mjs';

const ids = (/** @type {string} */ part, nth = 1) => at(part, nth);
const on = stage();

/** @param {object} [more] @param {object} [options] */
async function open(more = {}, options = {}) {
  on.mock.items.one = roles('one', more);
  on.view = await visit(on.browser, `${on.mock.url}${desk('one')}`, options);
  return on.view.page;
}
const sheet = () => on.mock.items.one.sheet;
const first = () => sheet().records[0].fields;

test('by mouse, forward and backward; a letter makes the record', async () => {
  const page = await open();
  const [entity, place] = [ids('花盆', 2), ids('在窗台左边')];
  await drag(page, entity[0], entity[1]);
  await page.keyboard.press('s');
  await drag(page, place.at(-1), place[0]);
  await page.keyboard.press('p');
  await saved(page);
  assert.deepEqual(first(), { 空间实体: [{ idxes: entity }], 处所: [{ idxes: place }] });
  assert.equal(sheet().records.length, 1);
  assert.equal(await page.locator('.piece-text sub').first().textContent(), '2', 'the second of three 花盆');
});

test('one character by a short drag, a word by double click, a role by its button', async () => {
  const page = await open();
  await drag(page, ids('摆')[0], ids('摆')[0]);
  await page.locator('.role', { hasText: '事件' }).click();
  await char(page, ids('窗台')[1]).dblclick();
  await page.locator('.role', { hasText: '处所' }).click();
  await saved(page);
  assert.deepEqual(first(), { 事件: [{ idxes: ids('摆') }], 处所: [{ idxes: ids('窗台') }] });
});

test('wholly by keyboard: move, extend, jump by words, take a phrase, fill', async () => {
  const page = await open();
  const press = async (/** @type {string[]} */ ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // 傍晚 ， | 小满: two jumps, then a word.
  await press('Control+ArrowRight', 'Control+ArrowRight', 'Control+Shift+ArrowRight', 's');
  await press('ArrowRight', 'ArrowLeft', 'Shift+ArrowRight', 'e');
  // 从 … 上 is what the lexicon offers at 从.
  const to = ids('从阳台上')[0];
  await press('Control+Home', ...Array.from({ length: to }, () => 'ArrowRight'), 'Space', 'Space', 'b');
  await saved(page);
  assert.deepEqual(first(), { 空间实体: [{ idxes: ids('小满') }], 事件: [{ idxes: ids('抱') }], 起点: [{ idxes: ids('从阳台上') }] });
  // Enter fills the field that is current: after 起点 that is 终点.
  await press('Control+End', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Enter');
  await saved(page, 'dirty').catch(() => {});
  await saved(page);
  assert.deepEqual(first().终点, [{ idxes: ids('张望') }]);
  await press('Backspace');
  await page.waitForFunction(() => document.querySelectorAll('.chip, .value').length > 0);
  await press('Home', 'Shift+End', 'Escape', 'Escape');
  await counted(page.locator('.record.open'), 0, 'Escape leaves the record');
});

test('a spatial word under the pointer is offered with its phrase', async () => {
  const page = await open();
  await char(page, ids('左边')[0]).hover();
  assert.deepEqual(await page.locator('.offer').allTextContents(), ['左边', '在窗台左边']);
  await page.keyboard.press('Space');
  await page.keyboard.press('Space');
  await page.keyboard.press('p');
  await saved(page);
  assert.deepEqual(first(), { 处所: [{ idxes: ids('在窗台左边') }] });
  await char(page, ids('橘猫')[0]).hover();
  await char(page, ids('门口')[0]).click();
  await page.locator('.offer', { hasText: '朝门口' }).click();
  assert.equal(await page.locator('.picked-text').textContent(), '朝门口');
});

test('up and down go to the character above and below', async () => {
  const page = await open();
  await page.keyboard.press('ArrowDown');
  const caret = await page.locator('.ch.caret').getAttribute('data-i');
  assert.ok(Number(caret) > 5, 'the caret is in the second line');
  await page.keyboard.press('ArrowUp');
  assert.equal(await page.locator('.ch.caret').getAttribute('data-i'), '0');
});

test('discontinuous: pieces in the order in which they are taken, by Shift, by + and by Ctrl', async () => {
  const page = await open();
  const [ground, beside] = [ids('窗台'), ids('旁边')];
  await drag(page, beside[0], beside[1]);
  await page.keyboard.press('p');
  await drag(page, ground[0], ground[1]);
  await page.keyboard.press('Shift+P');
  await saved(page);
  assert.deepEqual(first().处所, [{ idxes: [...beside, ...ground] }]);
  await page.getByRole('button', { name: '这一段前移：窗台' }).click();
  await drag(page, ground[0], ground[1]);
  await page.keyboard.down('Control');
  await drag(page, beside[0], beside[1]);
  await page.keyboard.up('Control');
  await page.keyboard.press('g');
  await drag(page, ground[0], ground[0]);
  await page.keyboard.press('+');
  await drag(page, 0, 0);
  await page.keyboard.press('Escape');
  await page.waitForTimeout(600);
  await saved(page);
  assert.deepEqual(first(), { 处所: [{ idxes: [...ground, ...beside] }], 终点: [{ idxes: [...ground, ...beside] }] });
  await counted(page.locator('.tag sup'), 4, 'two values of two numbered pieces');
});

test('overlapping and parallel values, each in a lane of its own', async () => {
  const page = await open();
  const [long, short] = [ids('在窗台左边'), ids('窗台')];
  await drag(page, long[0], long.at(-1));
  await page.keyboard.press('p');
  await drag(page, short[0], short[1]);
  await page.keyboard.press('Alt+p');
  await saved(page);
  assert.deepEqual(first().处所, [{ idxes: long }, { idxes: short }]);
  const lanes = await char(page, short[0]).locator('.lane').evaluateAll((all) => all.map((lane) => lane.getBoundingClientRect().top));
  assert.equal(lanes.length, 2);
  assert.ok(Math.abs(lanes[0] - lanes[1]) >= 6, 'the lines do not cover each other');
});

test('what cannot be is refused in words', async () => {
  const page = await open();
  await drag(page, ids('走')[0], ids('走')[0]);
  await page.keyboard.press('e');
  await drag(page, ids('摆')[0], ids('摆')[0]);
  await page.keyboard.press('Alt+e');
  assert.match((await page.locator('#spoken').textContent()) ?? '', /只能有一个值/);
});

test('undo and redo without limit', async () => {
  const page = await open();
  for (let i = 0; i < 30; i += 1) {
    await drag(page, i, i);
    await page.keyboard.press(i % 2 ? 'p' : 's');
  }
  for (let i = 0; i < 30; i += 1) await page.keyboard.press('Control+z');
  await counted(page.locator('.record'), 0, 'all the way back');
  for (let i = 0; i < 30; i += 1) await page.keyboard.press('Control+y');
  await page.waitForTimeout(600);
  await saved(page);
  assert.deepEqual(first(), { 空间实体: [{ idxes: [28] }], 处所: [{ idxes: [29] }] });
});

test('records: clone, delete, step, sort; labels and fields on demand', async () => {
  const page = await open({ sheet: filled(), version: 1, source: 'person' });
  await page.keyboard.press('.');
  assert.match((await page.locator('.record.open').textContent()) ?? '', /摆/);
  await page.keyboard.press('Control+d');
  await page.keyboard.press('f');
  await page.getByRole('button', { name: '假' }).click();
  await page.keyboard.press('Shift+Delete');
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: '按原文' }).click();
  await page.waitForTimeout(600);
  await saved(page);
  assert.deepEqual(sheet().records.map((row) => row.id), [1, 2, 5, 3, 4]);
  assert.deepEqual(sheet().records[2].fields['事实性'], [{ label: '假' }]);
});

test('cards light up their spans, and spans open their cards', async () => {
  const page = await open({ sheet: filled(), version: 1, source: 'person' });
  await page.locator('[data-key="record-2"]').hover();
  await page.waitForSelector('.ch.lit');
  const lit = await page.locator('.ch.lit').evaluateAll((all) => all.map((one) => Number(one.getAttribute('data-i'))));
  assert.deepEqual(lit, [...ids('花盆', 2), ...ids('摆'), ...ids('在窗台左边')]);
  await page.locator('.tag', { hasText: '朝向' }).click();
  assert.equal(await page.locator('.record.open').getAttribute('data-key'), 'record-3');
  assert.equal(await page.locator('.scene').getAttribute('role'), 'img');
  assert.match((await page.locator('.scene').getAttribute('aria-label')) ?? '', /橘猫/);
});

test('Tab goes through the roles, then leaves the text', async () => {
  const page = await open({ sheet: filled(), version: 1, source: 'person' });
  await page.keyboard.press('Tab');
  assert.equal(await page.locator('.field.current').getAttribute('data-field'), '空间实体');
  await page.keyboard.press('Tab');
  assert.equal(await page.locator('.field.current').getAttribute('data-field'), '事件');
  for (let i = 0; i < 6; i += 1) await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.matches('.markable')), false, 'no trap');
});

test('a long text with many records is redrawn at once', async () => {
  const long = Array.from({ length: 12 }, () => '灯笼/ 挂/verb 在/preposition 屋檐 下面/locative ， 风 从/preposition 巷子 里/locative 吹/verb 来/directional 。').join(' ');
  const records = Array.from({ length: 24 }, (_, i) => ({ id: i + 1, type: 'tuple', fields: { 空间实体: [{ idxes: [i * 8, i * 8 + 1] }], 处所: [{ idxes: [i * 8 + 3, i * 8 + 4, i * 8 + 5] }], 事件: [{ idxes: [i * 8 + 2] }] } }));
  const page = await open({ texts: [words(long)], sheet: { choices: {}, texts: {}, records, waivers: [] }, version: 1, source: 'person' });
  const times = await page.evaluate(async () => {
    const taken = [];
    for (let i = 0; i < 20; i += 1) {
      const from = performance.now();
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      await Promise.resolve();
      await Promise.resolve();
      taken.push(performance.now() - from);
    }
    return taken.sort((a, b) => a - b);
  });
  assert.ok(times[10] < 50, `half of the moves take more than ${times[10]} ms`);
  console.log(`    redraw of 200 characters and 24 records: median ${times[10].toFixed(1)} ms`);
});

test('keys stay out of inputs, and ? lists them', async () => {
  const page = await open();
  await page.locator('#text-note').fill('');
  await page.locator('#text-note').pressSequentially('sp?j');
  await page.waitForTimeout(600);
  await saved(page);
  assert.deepEqual([sheet().texts.note, sheet().records.length], ['sp?j', 0]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  assert.match((await page.locator('dialog').textContent()) ?? '', /空间实体/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
});

test('the switch for word classes is kept', async () => {
  const page = await open();
  assert.ok((await page.locator('.ch.word-locative').count()) > 0);
  await page.getByLabel('词类').uncheck();
  await counted(page.locator('.ch.word'), 0);
  await page.reload();
  await page.waitForSelector('#editor[data-ready]');
  await counted(page.locator('.ch.word'), 0);
});

test('by touch: tap first and last, tap twice for a word, press and drag', async () => {
  const page = await open({}, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  const place = ids('在窗台左边');
  await char(page, place[0]).tap();
  await char(page, place.at(-1)).tap();
  await page.locator('.role', { hasText: '处所' }).tap();
  await char(page, ids('花盆')[0]).tap();
  await char(page, ids('花盆')[0]).tap();
  await page.locator('.role', { hasText: '空间实体' }).tap();
  const client = await on.view.context.newCDPSession(page);
  const point = async (/** @type {number} */ idx) => {
    const box = await char(page, idx).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + 10 };
  };
  const from = ids('从阳台上');
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [await point(from[0])] });
  await page.waitForTimeout(450);
  await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [await point(from[2])] });
  await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [await point(from.at(-1))] });
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.locator('.role', { hasText: '起点' }).tap();
  await page.waitForTimeout(600);
  await saved(page);
  assert.deepEqual(first(), { 处所: [{ idxes: place }], 空间实体: [{ idxes: ids('花盆') }], 起点: [{ idxes: from }] });
});
