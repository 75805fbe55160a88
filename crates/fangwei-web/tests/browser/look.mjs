// Takes pictures of the editor in all its shapes, to be looked at: `node look.mjs [FOLDER WITH DUMPS OF FORMS]`.

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drag, launch, visit } from './browser.mjs';
import * as forms from './forms.mjs';
import { start } from './mock.mjs';

const shots = fileURLToPath(new URL('shots/', import.meta.url));
mkdirSync(shots, { recursive: true });

const thread = [{ id: 't1', author: '负责人', kind: 'reply', text: '“旁边”的参照物要补上。', at: 1_794_817_340_000, mine: false }];
const reviews = [{ round: 1, verdict: 'returned', comment: '第 3 条的处所请再看一下。', pointer: null, at: 1_794_817_340_000, reviewer: '小周' }];
const items = {
  roles: forms.roles('roles', { sheet: forms.filled(), version: 1, source: 'person', next: 'attribute', previous: 'scene' }),
  suggested: forms.roles('suggested', { suggestion: { predictor: 'encoder', sheet: forms.filled() } }),
  returned: forms.roles('returned', { state: 'returned', sheet: forms.filled(), version: 4, source: 'person', thread, reviews }),
  empty: forms.roles('empty'), attribute: forms.attribute('attribute', { sheet: { choices: { level: ['bad'] }, texts: {}, waivers: [], records: [{ id: 1, type: 'B', fields: { S1: [{ idxes: [3, 4] }], P1: [{ idxes: [6, 7, 8, 9, 10] }], E1: [{ idxes: [5] }] } }] } }),
  judge: forms.judge('judge'), scene: forms.scene('scene'), grade: forms.grade('grade'), author: forms.author('author'),
};
items.conflict = forms.roles('conflict', { sheet: forms.filled(), version: 1, source: 'person' });
items.found = forms.roles('found', { version: 1, source: 'person', sheet: { choices: {}, texts: {}, waivers: [], records: [{ id: 1, type: 'tuple', fields: { 事件: [{ idxes: forms.at('抱着') }], 处所: [{ idxes: forms.at('上') }] } }, { id: 2, type: 'tuple', fields: { 空间实体: [{ idxes: forms.at('小满') }, { idxes: forms.at('门口') }], 距离: [{ idxes: forms.at('一只') }], 事实性: [{ label: '假' }] } }] } });
const dumps = process.argv[2];
if (dumps) for (const file of readdirSync(dumps).filter((name) => name.endsWith('.json'))) items[file.slice(0, -5)] = forms.from(join(dumps, file), file.slice(0, -5));

const mock = await start(items);
const browser = await launch();
for (const [name, width, dark] of [['wide', 1280, false], ['narrow', 390, false], ['dark', 1280, true]]) {
  for (const id of Object.keys(items)) {
    if (dark && !['roles', 'suggested', 'attribute'].includes(id)) continue;
    const { page, context, faults } = await visit(browser, `${mock.url}/work/${id}`, { viewport: { width: Number(width), height: width === 390 ? 844 : 900 }, colorScheme: dark ? 'dark' : 'light', hasTouch: width === 390 });
    if (id === 'roles') {
      await page.locator('[data-key="record-3"] .record-name').evaluate((button) => button.click());
      if (width !== 390) await drag(page, 20, 22);
    }
    if (id === 'empty') await page.keyboard.press('?');
    if (id === 'conflict') {
      mock.saveElsewhere('conflict', { ...forms.filled(), records: forms.filled().records.slice(0, 2) });
      await page.keyboard.press('n');
      await page.waitForSelector('dialog');
    }
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(shots, `${id}-${name}.png`), fullPage: width === 390 });
    if (faults.length > 0) console.log(id, name, faults);
    await context.close();
  }
}
await browser.close();
mock.close();
