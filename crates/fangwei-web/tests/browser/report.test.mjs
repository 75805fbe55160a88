// The page of `fangwei report`, opened from disk: figures and tables in every size, theme and language, and no request to anywhere.
// Needs the program, which FANGWEI names.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch } from './browser.mjs';
import { ROOT, SHOTS, serious } from './site.mjs';

const program = process.env.FANGWEI ?? 'fangwei';
const folder = mkdtempSync(join(tmpdir(), 'fangwei-report-'));
let browser = /** @type {import('playwright-core').Browser} */ (/** @type {unknown} */ (null));

const fangwei = (/** @type {string[]} */ ...args) => execFileSync(program, args, { cwd: ROOT, stdio: 'pipe' });

before(async () => {
  const tasks = ['2022/judge', '2023/roles', '2023/anomaly'];
  const args = tasks.flatMap((task) => {
    const gold = `data/sample/pack/answers/${task}/test.jsonl`;
    const preds = join(folder, `${task.replace('/', '-')}.jsonl`);
    fangwei('predict', task, '--predictor', 'rule', '--input', gold, '--out', preds);
    return ['--gold', `${task}=${gold}`, '--run', `${task}:rule=${preds}`, '--baseline', `${task}:gold=${gold}`, '--person', `${task}:甲=${preds}`, '--person', `${task}:乙=${gold}`];
  });
  for (const lang of ['zh', 'en']) {
    fangwei('report', 'data/sample/pack', '--candidates', 'data/sample/candidates.jsonl', '--board', 'data/boards/2021.csv=2021', ...args, '--resamples', '200', '--lang', lang, '--out', join(folder, lang));
  }
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const lang of ['zh', 'en']) {
  test(`the report in ${lang}`, async () => {
    mkdirSync(SHOTS, { recursive: true });
    const page = await (await browser.newContext()).newPage();
    /** @type {string[]} */
    const faults = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => request.url().startsWith('file:') || faults.push(request.url()));
    await page.goto(pathToFileURL(join(folder, lang, 'report.html')).href);
    // Links of the contents lead somewhere, figures have words and their numbers.
    const links = await page.locator('nav a').evaluateAll((all) => all.filter((link) => !document.querySelector(link.getAttribute('href') ?? '#none')).length);
    assert.equal(links, 0);
    const figures = await page.locator('figure').count();
    assert.ok(figures > 30, `${figures} figures and tables`);
    const bare = await page.locator('figure').evaluateAll((all) => all.filter((one) => !one.querySelector('figcaption')?.textContent?.trim() || !one.querySelector('table tr')).map((one) => one.id));
    assert.deepEqual(bare, []);
    // Labels of figures stay inside of them.
    const outside = await page.locator('.drawing svg').evaluateAll((all) => all.flatMap((svg) => {
      const frame = svg.getBoundingClientRect();
      const beyond = (/** @type {Element} */ text) => { const box = text.getBoundingClientRect(); return box.left < frame.left - 2 || box.right > frame.right + 2 || box.bottom > frame.bottom + 2; };
      return Array.from(svg.querySelectorAll('text')).filter(beyond).map((text) => `${svg.closest('figure')?.id}: ${text.textContent}`);
    }));
    assert.deepEqual(outside, []);
    for (const [width, scheme] of /** @type {[number, 'light' | 'dark'][]} */ ([[1280, 'light'], [1280, 'dark'], [390, 'light'], [390, 'dark']])) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(over <= 1, `${lang} ${scheme} ${width}: ${over} px too wide`);
      faults.push(...(await serious(page)));
      if ((lang === 'zh') === (scheme === 'light')) await page.screenshot({ path: join(SHOTS, `report-${width}-${scheme}-${lang}.png`) });
    }
    assert.deepEqual(faults, []);
    if (lang === 'zh') {
      // The README shows this one.
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1100, height: 900 });
      await page.locator('#labels-2023-roles-roles').evaluate((one) => scrollBy(0, one.getBoundingClientRect().top - 60));
      await page.screenshot({ path: join(SHOTS, 'readme-report.png') });
    }
    // On paper the folded numbers are open.
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.locator('details table').first().isVisible());
    await page.context().close();
  });
}
