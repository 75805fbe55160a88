// The whole platform in real browsers, from the first link to the gold file: `fangwei serve`, an admin, a manager, two annotators, a reviewer.
// Needs the program: FANGWEI names it (tests/browser/run builds it otherwise). Tests stand on each other, in this order.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { answerOf, assertSays, byKeyboard, byMouse, fileOf, qidOf, sample, TASKS } from './answers.mjs';
import { counted, drag, launch, saved } from './browser.mjs';
import { inspectAll, Person, Site, story } from './site.mjs';

const site = new Site(process.env.FANGWEI ?? 'fangwei');
let browser = /** @type {import('playwright-core').Browser} */ (/** @type {unknown} */ (null));
/** @type {Record<string, Person>} */
const people = {};
/** The address of each task's batch. @type {Record<string, string>} */
const batches = {};
before(async () => {
  browser = await launch();
  await site.start();
});
after(async () => {
  await browser?.close();
  await site.close();
});

const step = story(people);

step('the printed link makes the admin, and works once', async () => {
  const root = await Person.at(browser, site, 'root');
  await root.join(site.firstLink);
  people.root = root;
  const late = await browser.newPage();
  assert.equal((await late.goto(site.firstLink))?.status(), 422);
  await late.close();
});

step('people are invited through the page and sign in again', async () => {
  for (const [name, role] of [['mei', 'manager'], ['an', 'annotator'], ['bo', 'annotator'], ['rui', 'reviewer']]) {
    await people.root.go('/people');
    await people.root.page.locator('select[name="role"]').first().selectOption(role);
    await people.root.press('生成邀请链接');
    const link = (await people.root.page.locator('.notice code').textContent()) ?? '';
    people[name] = await Person.at(browser, site, name);
    await people[name].join(link);
  }
  const { an } = people;
  await an.press('退出');
  await an.go('/');
  assert.match(an.page.url(), /\/login\?next=/);
  await an.page.getByLabel('用户名').fill('an');
  await an.page.getByLabel('密码').fill('not the password');
  await an.press('登录');
  assert.match((await an.page.locator('[role="alert"]').textContent()) ?? '', /密码/);
  await an.page.getByLabel('密码').fill('wide river 7 stones');
  await an.press('登录');
  assert.equal(new URL(an.page.url()).pathname, '/');
});

step('a batch of every task: made, filled by upload, given out after a preview, opened', async () => {
  const { mei } = people;
  const { page } = mei;
  for (const task of TASKS) {
    await mei.go('/batches');
    await page.getByLabel('名称').fill(`样例 ${task}`);
    await page.locator('select[name="task"]').selectOption(task);
    await mei.press('建立');
    batches[task] = new URL(page.url()).pathname.replace(/\/items$/, '');
    await page.locator('input[type="file"]').setInputFiles(fileOf(task));
    const reloaded = page.waitForEvent('load');
    await page.getByRole('button', { name: '导入' }).click();
    await reloaded;
    await counted(page.locator('.tile'), sample(task).length, `items of ${task}`);
    await mei.go(`${batches[task]}/assign`);
    for (const name of ['an', 'bo']) await page.locator('fieldset').first().getByLabel(name, { exact: true }).check();
    await page.getByLabel(/^每人至多/).fill('50');
    await mei.press('预览');
    await counted(page.locator('table').first().locator('tbody tr'), 2, 'a line a person');
    await mei.press('照此分配');
    await mei.go(batches[task]);
    await mei.press('打开批次');
  }
});

step('a file with faults is refused, with the line of each', async () => {
  const { mei } = people;
  await mei.go(`${batches['2022/judge']}/items`);
  await mei.page.locator('input[type="file"]').setInputFiles({ name: 'bad.jsonl', mimeType: 'application/json', buffer: Buffer.from('{"qid":"x-1","context":"灯在桌上。","judge":1}\n{"qid":"x-2"}\n') });
  await mei.page.getByRole('button', { name: '导入' }).click();
  await mei.page.locator('#defects tbody tr').first().waitFor();
  assert.equal(await mei.page.locator('#defects tbody tr td').first().textContent(), '2');
});

for (const task of TASKS) {
  step(`${task}: an item by mouse, an item by keyboard alone`, async () => {
    const { an } = people;
    const { page } = an;
    for (const [hand, record] of /** @type {['mouse' | 'keys', any][]} */ ([['mouse', sample(task)[0]], ['keys', sample(task)[1]]])) {
      const id = await an.open(`样例 ${task}`, qidOf(record));
      const { form } = await an.json(`/api/work/${id}`);
      const answer = answerOf(task, record);
      if (hand === 'mouse') await byMouse(page, answer);
      else await byKeyboard(page, form, answer);
      await page.waitForTimeout(500);
      await saved(page);
      assertSays((await an.json(`/api/work/${id}`)).sheet, answer, form, record.context);
      if (hand === 'mouse') await page.getByRole('button', { name: /^完成/ }).click();
      else await page.keyboard.press('Control+Enter');
      await an.finished(id);
    }
  });
}

step('the server dies in the middle: editing goes on, and nothing is lost when it is back', async () => {
  const { an } = people;
  const { page } = an;
  const task = '2023/roles';
  const id = await an.open(`样例 ${task}`, qidOf(sample(task)[2]));
  await drag(page, 0, 1);
  await page.keyboard.press('s');
  await page.waitForTimeout(500);
  await saved(page);
  await site.kill();
  await drag(page, 3, 4);
  await page.keyboard.press('p');
  await page.waitForSelector('.state[data-state="offline"]');
  await drag(page, 6, 7);
  await page.keyboard.press('e');
  await site.start();
  await page.waitForSelector('.state[data-state="saved"]', { timeout: 60_000 });
  const { sheet, version } = await an.json(`/api/work/${id}`);
  assert.deepEqual(sheet.records[0].fields, { 空间实体: [{ idxes: [0, 1] }], 处所: [{ idxes: [3, 4] }], 事件: [{ idxes: [6, 7] }] });
  assert.ok(version >= 2);
  // Killed again, the tab closed with unsaved changes and opened when the server is back: the changes are taken up.
  await site.kill();
  await drag(page, 8, 8);
  await page.keyboard.press('t');
  await page.waitForSelector('.state[data-state="offline"]');
  await page.close();
  await site.start();
  an.page = await an.context.newPage();
  await an.open(`样例 ${task}`, qidOf(sample(task)[2]));
  await an.page.waitForSelector('.state[data-state="saved"]', { timeout: 60_000 });
  assert.deepEqual((await an.json(`/api/work/${id}`)).sheet.records[0].fields['时间'], [{ idxes: [8] }]);
});

/** Judges items of 2022/judge with digits. @param {Person} person @param {Record<string, string>} levels */
async function judge(person, levels) {
  for (const [qid, key] of Object.entries(levels)) {
    const id = await person.open('样例 2022/judge', qid);
    await person.page.keyboard.press(key);
    await person.page.keyboard.press('Control+Enter');
    await person.finished(id);
  }
}

step('two annotators judge the same items, and differ in one; a question is asked and answered', async () => {
  const { an, bo, mei } = people;
  await judge(bo, { '1-dev-1': '1', '1-dev-2': '4', '1-dev-3': '1', '1-dev-4': '4', '1-dev-5': '1' });
  await judge(an, { '1-dev-3': '1', '1-dev-4': '4', '1-dev-5': '4' });
  await an.open('样例 2022/judge', '1-dev-6');
  await an.page.locator('details.thread summary').click();
  await an.page.locator('#ask-text').fill('路口东侧算处所吗？');
  await an.page.getByRole('button', { name: '提问' }).click();
  await an.page.waitForFunction(() => document.body.textContent?.includes('路口东侧算处所吗'));
  await mei.go(`${batches['2022/judge']}/threads`);
  await mei.page.getByLabel('回答').fill('算，按参照物标。');
  await mei.press('发送');
  await an.page.reload();
  await an.page.waitForFunction(() => document.body.textContent?.includes('按参照物标'));
});

step('review: sampled, one approved, one returned and done again', async () => {
  const { mei, rui, an } = people;
  const batch = batches['2022/judge'].split('/').at(-1);
  await mei.go(`/review/sample/${batch}`);
  await mei.page.getByLabel('比例（0 到 1）').fill('1');
  await mei.page.getByLabel('审核员，用逗号隔开').fill('rui');
  await mei.press('预览');
  await mei.press('分发');
  assert.match((await mei.page.locator('[role="status"]').textContent()) ?? '', /10/, 'ten marks are finished');
  const openCase = async (/** @type {string} */ qid, /** @type {string} */ annotator) => {
    await rui.go('/review');
    await rui.page.locator('tr', { hasText: qid }).filter({ hasText: annotator }).getByRole('link').click();
  };
  await openCase('1-dev-1', 'an');
  await rui.press('通过');
  await openCase('1-dev-5', 'an');
  await rui.page.getByLabel('意见（退回时必填）').fill('再看一眼：松鼠回到了树洞。');
  await rui.press('退回');
  const id = await an.open('样例 2022/judge', '1-dev-5');
  assert.equal((await an.json(`/api/work/${id}`)).state, 'returned');
  await an.page.waitForFunction(() => document.body.textContent?.includes('松鼠回到了树洞'));
  await an.page.keyboard.press('3');
  await an.page.waitForTimeout(600);
  await an.page.keyboard.press('Control+Enter');
  await an.finished(id);
  await openCase('1-dev-5', 'an');
  assert.match((await rui.page.locator('main').textContent()) ?? '', /退回/, 'the first round is kept');
  await rui.press('通过');
  assert.equal((await an.json(`/api/work/${id}`)).state, 'approved');
});

step('triage, adjudication, agreement, gold', async () => {
  const { mei, rui } = people;
  const batch = batches['2022/judge'].split('/').at(-1);
  await mei.go(`/agree/${batch}`);
  assert.match((await mei.page.locator('main').textContent()) ?? '', /kappa/i);
  await mei.go(`/agree/${batch}/triage`);
  await mei.page.getByLabel('其余').selectOption('adjudicate');
  await mei.page.getByLabel('至少几份标注').fill('2');
  await mei.press('预览');
  await mei.press(/^写入/);
  await mei.go(`/adjudicate?batch=${batch}`);
  await mei.page.getByLabel('交给（用逗号隔开）').fill('rui');
  await mei.press('分发');
  await rui.go('/adjudicate');
  await rui.page.getByRole('link', { name: /1-dev-5/ }).click();
  await counted(rui.page.locator('.side'), 2, 'both marks side by side');
  // Whose is whose is not told: what bo said is found by what it says.
  assert.equal(await rui.page.locator('details textarea[name="mark"]').isVisible(), false, 'JSON only on demand');
  await rui.page.locator('.side[data-mark*="fine"]').getByRole('button', { name: /^在编辑器里继续/ }).click();
  await rui.page.waitForURL(/\/work\//);
  await rui.page.waitForSelector('#editor[data-ready]');
  await rui.page.keyboard.press('Control+Enter');
  await rui.page.waitForURL(/\/adjudicate\//);
  await counted(rui.page.locator('.side'), 3, 'the own mark stands beside the others');
  const taken = rui.page.waitForEvent('load');
  await rui.page.getByRole('button', { name: '采用 你自己的' }).click();
  await taken;
  await mei.go(`/agree/${batch}/gold`);
  const [download] = await Promise.all([mei.page.waitForEvent('download'), mei.page.getByRole('link', { name: '下载官方格式的文件' }).click()]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  // Both said normal of 1, 3 and wrong of 2, 4; of 5 the adjudicator took what bo said, normal.
  assert.deepEqual(lines.map((line) => [line.qid, line.judge]), [['1-dev-1', 1], ['1-dev-2', 0], ['1-dev-3', 1], ['1-dev-4', 0], ['1-dev-5', 1]]);
});

step('a second tab and a second person never overwrite in silence', async () => {
  const { an } = people;
  const task = '2023/roles';
  const id = await an.open(`样例 ${task}`, qidOf(sample(task)[3]));
  const other = await an.context.newPage();
  await other.goto(`${site.url}/work/${id}`);
  await other.waitForSelector('#editor[data-ready]');
  await drag(an.page, 0, 1);
  await an.page.keyboard.press('s');
  await an.page.waitForTimeout(600);
  await saved(an.page);
  await other.waitForFunction(() => document.querySelectorAll('.record').length === 1);
  await other.close();
});

step('every kind of page can be used by everybody, in light and dark, both languages, wide and narrow', async () => {
  const { root, mei, rui, an } = people;
  const judged = batches['2022/judge'];
  const batch = judged.split('/').at(-1);
  const inspection = (await rui.json('/api/review'));
  const reviewed = JSON.stringify(inspection).match(/"inspection":"([^"]+)"/)?.[1];
  await rui.go('/adjudicate');
  const decided = await rui.page.getByRole('link', { name: /1-dev-5/ }).getAttribute('href');
  const person = await mei.go('/people').then((page) => page.getByRole('link', { name: 'an', exact: true }).getAttribute('href'));
  const roles = await an.assignment('样例 2023/roles', qidOf(sample('2023/roles')[0]));
  const stranger = await Person.at(browser, site, 'stranger');
  await inspectAll([
    [stranger, 'login', '/login'], [an, 'home', '/'], [an, 'me', '/me'], [an, 'mine', '/me/work'], [an, 'work', `/work/${roles}`],
    [mei, 'manager', '/'], [mei, 'list', '/batches'], [mei, 'batch', judged], [mei, 'items', `${judged}/items`],
    [mei, 'assign', `${judged}/assign?people=${person?.split('/').at(-1)}&load=50&checks=0&seed=1&recall=unfinished`], [mei, 'threads', `${judged}/threads`],
    [mei, 'people', '/people'], [mei, 'person', person], [root, 'log', '/log'],
    [rui, 'review', '/review'], [rui, 'inspection', `/review/${reviewed}`], [mei, 'sample', `/review/sample/${batch}`],
    [rui, 'adjudicate', '/adjudicate'], [rui, 'case', decided],
    [mei, 'agree', '/agree'], [mei, 'report', `/agree/${batch}`], [mei, 'triage', `/agree/${batch}/triage?rest=adjudicate`], [mei, 'gold', `/agree/${batch}/gold`],
  ]);
});
