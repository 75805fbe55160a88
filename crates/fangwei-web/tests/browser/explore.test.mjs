// The page on which passages are explored, in a real browser: a stranger types a text and sees roles in colour; nothing is out of place in any size or theme.
// Needs the program: FANGWEI names it (tests/browser/run builds it otherwise).

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { counted, launch } from './browser.mjs';
import { inspectAll, Person, SHOTS, Site, story } from './site.mjs';

const site = new Site(process.env.FANGWEI ?? 'fangwei');
let browser = /** @type {import('playwright-core').Browser} */ (/** @type {unknown} */ (null));
/** @type {Record<string, Person>} */
const people = {};
before(async () => {
  browser = await launch();
  await site.start();
});
after(async () => {
  await browser?.close();
  await site.close();
});

const step = story(people);
const LONG = '清晨，小船从上游的渡口漂到大桥下面，又沿着河岸向东驶去。书放在桌子上，猫躺在桌子下，灯在桌子旁边，雨伞靠在门后，孩子们从屋里跑出来，妈妈把面粉装在袋子外。';

step('a stranger types a text and sees roles in colour', async () => {
  const guest = await Person.at(browser, site, 'guest');
  people.guest = guest;
  const { page } = guest;
  await guest.go('/explore');
  await page.locator('#text').fill('雨伞靠在门后，他跳进山洞外。');
  assert.match((await page.locator('#count').textContent()) ?? '', /^14 /);
  await guest.press('探查');
  await counted(page.locator('.explored .passage .lane.start b'), 6, 'the roles of two tuples');
  const colour = (/** @type {string} */ selector) => page.locator(selector).first().evaluate((one) => getComputedStyle(one).color);
  const [entity, place, plain] = [await colour('.passage .lane.colour-0'), await colour('.passage .lane.colour-3'), await colour('.passage')];
  assert.equal(new Set([entity, place, plain]).size, 3, `${entity} ${place} ${plain}`);
  assert.match((await page.locator('.passage .wrong').textContent()) ?? '', /^外/);
  assert.equal(await page.locator('.mended span').textContent(), '雨伞靠在门后，他跳进山洞里。');
  await counted(page.locator('svg.scene'), 2, 'a ground and a way');
  // The README shows this one.
  mkdirSync(SHOTS, { recursive: true });
  await page.locator('.explored').screenshot({ path: join(SHOTS, 'readme-explore.png') });
});

step('a sentence to begin with is a link, and the keyboard sends', async () => {
  const { page } = people.guest;
  await people.guest.go('/explore');
  await page.locator('.examples a').nth(1).click();
  await page.waitForSelector('.explored.normal');
  await page.locator('#text').fill('石头从崖边坠上去。');
  await page.locator('#text').press('Control+Enter');
  await page.waitForSelector('.explored.abnormal');
});

step('words of pictures stay apart and inside', async () => {
  const { page } = people.guest;
  await people.guest.go(`/explore?text=${encodeURIComponent(LONG)}`);
  const faults = await page.evaluate(() => {
    const found = [];
    for (const picture of document.querySelectorAll('svg.scene')) {
      const frame = picture.getBoundingClientRect();
      const boxes = Array.from(picture.querySelectorAll('text'), (text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
      for (const [i, one] of boxes.entries()) {
        if (one.box.left < frame.left - 1 || one.box.right > frame.right + 1) found.push(`${one.text} leaves its picture`);
        for (const two of boxes.slice(i + 1)) {
          const across = Math.min(one.box.right, two.box.right) - Math.max(one.box.left, two.box.left);
          const down = Math.min(one.box.bottom, two.box.bottom) - Math.max(one.box.top, two.box.top);
          // Boxes of lines are higher than their letters.
          if (across > 2 && down > 7) found.push(`${one.text} meets ${two.text}`);
        }
      }
    }
    return found;
  });
  assert.deepEqual(faults, []);
});

step('every size, theme and language', async () => {
  await inspectAll([
    [people.guest, 'explore', '/explore'],
    [people.guest, 'explore-wrong', `/explore?rivals=all&text=${encodeURIComponent('他跳进山洞外。')}`],
    [people.guest, 'explore-long', `/explore?text=${encodeURIComponent(LONG)}`],
  ]);
});
