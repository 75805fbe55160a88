// The pages of `fangwei llm view`, opened from disk: lists, filters, comparison, every pane of an item, both languages, and no request to anywhere.
// Needs a program with the feature llm, which FANGWEI names; without it the test is skipped.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch } from './browser.mjs';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const program = process.env.FANGWEI ?? 'fangwei';
const folder = mkdtempSync(join(tmpdir(), 'fangwei-view-'));
const axe = readFileSync(fileURLToPath(new URL('node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');
let browser = /** @type {import('playwright-core').Browser} */ (/** @type {unknown} */ (null));
let able = true;

const fangwei = (/** @type {string[]} */ ...args) => execFileSync(program, args, { cwd: root, stdio: 'pipe' });

before(async () => {
  try {
    fangwei('llm', 'prompts');
  } catch {
    able = false;
    return;
  }
  const inputs = ['2022/judge', '2023/anomaly'].flatMap((task) => ['--input', `${task}=data/sample/${task}/gold.jsonl`]);
  for (const [name, noise] of [['甲', '0.5'], ['乙', '0.9']]) {
    fangwei('llm', 'run', '--task', '2022/judge', '2023/anomaly', '--model', String(name), '--provider', 'mock', '--noise', String(noise), ...inputs, '--out', join(folder, String(name)));
  }
  fangwei('llm', 'view', join(folder, '甲'), join(folder, '乙'), '--out', join(folder, 'pages'), '--lang', 'zh');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('pages from disk', async (context) => {
  if (!able) return context.skip('the program has no feature llm');
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'zh-CN' })).newPage();
  /** @type {string[]} */
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => request.url().startsWith('file:') || request.url().startsWith('data:') || faults.push(request.url()));
  await page.goto(pathToFileURL(join(folder, 'pages', 'index.html')).href);

  await page.getByRole('tab', { name: /2023\/anomaly/ }).click();
  assert.equal(await page.locator('.card').count(), 2);
  assert.match(await page.locator('#count').innerText(), /^12 \/ 12/);
  await page.locator('.item').first().click();
  await page.waitForSelector('.systems.two .system table');

  await page.locator('.system').first().getByRole('tab', { name: '提示词' }).click();
  await page.waitForSelector('.message pre');
  assert.ok((await page.locator('.message').count()) > 2, 'instructions, shots and the question');
  await page.locator('.system').first().getByRole('tab', { name: '回复' }).click();
  assert.ok(await page.locator('.system').first().locator('pre').first().innerText());
  await page.locator('.system').first().getByRole('tab', { name: '读取' }).click();
  await page.waitForSelector('.system .badge');

  // Leaving out one state leaves out exactly its items.
  const chip = page.locator('.chip').first();
  const count = Number(await chip.locator('small').innerText());
  await chip.click();
  assert.match(await page.locator('#count').innerText(), new RegExp(`^${12 - count} / 12`));
  await page.locator('.chip').first().click();
  await page.locator('#search').fill('没有这样的题');
  assert.match(await page.locator('#count').innerText(), /^0 \/ 12/);
  await page.locator('#search').fill('');

  // Better, worse and equal are all items.
  let sum = 0;
  for (const outcome of ['a', 'b', 'same']) {
    await page.locator('#filters select').last().selectOption(outcome);
    sum += Number((await page.locator('#count').innerText()).split(' ')[0]);
  }
  assert.equal(sum, 12);
  await page.locator('#filters select').last().selectOption('all');

  await page.locator('#lang').click();
  assert.match(await page.locator('#count').innerText(), /items/);
  await page.keyboard.press('j');
  await page.waitForSelector('#detail h1');

  await page.evaluate(axe);
  const found = await page.evaluate(() => /** @type {any} */ (window).axe.run({ runOnly: ['wcag2a', 'wcag2aa'] }));
  assert.deepEqual(found.violations.map((/** @type {any} */ one) => `${one.id}: ${one.nodes[0].html}`), []);
  assert.deepEqual(faults, []);
});
