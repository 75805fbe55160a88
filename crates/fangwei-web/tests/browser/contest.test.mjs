// A competition in real browsers: an organiser makes it of a template and opens it, teams sign up, register and submit, the board moves.
// Needs the program, as site.test.mjs does. Tests stand on each other, in this order.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { launch } from './browser.mjs';
import { inspectAll, PASSWORD, Person, ROOT, Site, story } from './site.mjs';

const CONTEST = '/contests/space2022';
const site = new Site(process.env.FANGWEI ?? 'fangwei');
let browser = /** @type {import('playwright-core').Browser} */ (/** @type {unknown} */ (null));
/** @type {Record<string, Person>} */
const people = {};
const step = story(people);

before(async () => {
  browser = await launch();
  await site.start();
});
after(async () => {
  await browser?.close();
  await site.close();
});

/** Records of the shipped sample of a task of 2022. @param {string} task @returns {any[]} */
const gold = (task) => readFileSync(join(ROOT, `data/sample/2022/${task}/gold.jsonl`), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
/** A file as a browser chooses it. @param {string} name @param {any[]} records */
const file = (name, records) => ({ name, mimeType: 'application/jsonl', buffer: Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')) });
/** Judgements of which a share is right. @param {number} share */
const judged = (share) => gold('judge').map(({ qid, judge }, number, all) => ({ qid, judge: number < all.length * share ? judge : 1 - judge }));

/** Submits a file on the page and waits for what comes of it. @param {Person} person @param {string} place @param {any} chosen */
async function submit(person, place, chosen) {
  const page = await person.go(`${CONTEST}/submit`);
  await page.locator('input[type="file"]').setInputFiles(chosen);
  await page.locator('select[name="place"]').selectOption(place);
  await page.getByRole('button', { name: '提交', exact: true }).click();
}

step('an organiser makes a competition of a template, moves a deadline and opens it', async () => {
  const olga = await Person.at(browser, site, 'olga');
  people.olga = olga;
  await olga.join(site.firstLink);
  await olga.go('/contests');
  await olga.page.locator('select[name="template"]').selectOption('2022');
  await olga.press('建立草稿');
  assert.equal(new URL(olga.page.url()).pathname, `${CONTEST}/manage`);
  const dev = olga.page.locator('.card', { hasText: 'dev' }).locator('form', { hasText: '开始' });
  await dev.locator('input[name="to"]').fill(new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+Z/, '+00:00'));
  await dev.locator('input[name="reason"]').fill('提前开始');
  const loaded = olga.page.waitForEvent('load');
  await dev.getByRole('button', { name: '改时间' }).click();
  await loaded;
  await olga.press('开放比赛');
  const stranger = await Person.at(browser, site, 'stranger');
  people.stranger = stranger;
  await stranger.go('/contests');
  await stranger.page.getByRole('link', { name: /2022/ }).first().click();
  assert.match((await stranger.page.locator('.notice').first().textContent()) ?? '', /进行中/);
});

step('two teams make accounts, register with the agreement, and are approved', async () => {
  for (const [name, team] of [['lin', '山外山'], ['wu', '楼外楼']]) {
    const person = await Person.at(browser, site, name);
    people[name] = person;
    const page = await person.go(CONTEST);
    await page.getByRole('navigation', { name: /2022/ }).getByRole('link', { name: '报名' }).click();
    await page.getByLabel('用户名').fill(name);
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    await page.getByLabel('再输一次').fill(PASSWORD);
    await person.press('注册');
    await page.getByLabel('队名').fill(team);
    await page.getByLabel('单位').fill('某大学');
    await page.getByLabel('队长姓名').fill('王某某');
    await page.getByLabel('电子邮箱').fill(`${name}@example.org`);
    await page.getByLabel(/同意这份协议/).check();
    await person.press('报名');
    assert.match((await page.locator('main').textContent()) ?? '', /等待审核/);
  }
  const { olga } = people;
  for (const team of ['山外山', '楼外楼']) {
    await olga.go(`${CONTEST}/teams`);
    const loaded = olga.page.waitForEvent('load');
    await olga.page.locator('tr', { hasText: team }).getByRole('button', { name: '通过', exact: true }).click();
    await loaded;
  }
});

step('items are downloaded, and nothing that is not out', async () => {
  const { lin } = people;
  const page = await lin.go(`${CONTEST}/data`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`a[href="${CONTEST}/data/judge-dev"]`).click()]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(lines.length, gold('judge').length);
  assert.ok(lines.every((record) => !('judge' in record)), 'items have no answers');
  assert.equal(await page.locator(`a[href="${CONTEST}/data/roles-dev-answers"]`).count(), 0);
});

step('a bad file is refused with every defect, and costs nothing', async () => {
  const { lin } = people;
  const records = judged(1);
  const bad = [{ ...records[0], judge: 7 }, records[1], records[1], { qid: 'nobody', judge: 1 }, ...records.slice(3)];
  await submit(lin, 'dev|2022/judge', file('bad.jsonl', bad));
  await lin.page.locator('#defects').waitFor();
  const told = (await lin.page.locator('#defects').textContent()) ?? '';
  for (const word of ['7', 'nobody', records[1].qid, records[2].qid]) assert.ok(told.includes(word), `${word} in ${told}`);
  await lin.go(`${CONTEST}/submissions`);
  const { submissions } = await lin.json('/api/contests/space2022/submissions');
  assert.deepEqual(submissions, []);
  await lin.go(`${CONTEST}/submit`);
  assert.match((await lin.page.locator('tr', { hasText: '判断' }).first().textContent()) ?? '', /60/, 'sixty are left');
});

step('a good file has its score at once', async () => {
  const { lin, wu } = people;
  for (const [person, share] of /** @type {[Person, number][]} */ ([[lin, 0.5], [wu, 0.75]])) {
    await submit(person, 'dev|2022/judge', file('good.jsonl', judged(share)));
    await person.page.waitForURL(/\/submissions\/[0-9a-z]+$/);
    assert.match((await person.page.locator('#state').textContent()) ?? '', /已评分/);
  }
});

step('a file whose answer a proxy lost is counted once', async () => {
  const { wu } = people;
  const { submissions: before } = await wu.json('/api/contests/space2022/submissions');
  // The node has taken the file, and dies before the proxy has its answer.
  const isSending = (/** @type {URL} */ url) => url.pathname.endsWith('/submissions') && url.search !== '';
  await wu.page.route(isSending, async (route) => {
    await route.fetch();
    await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' });
  }, { times: 1 });
  await submit(wu, 'dev|2022/judge', file('lost.jsonl', judged(0.75)));
  await wu.page.locator('#outcome', { hasText: '可以再试' }).waitFor();
  await wu.page.getByRole('button', { name: '提交', exact: true }).click();
  await wu.page.waitForURL(/\/submissions\/[0-9a-z]+$/);
  const { submissions: after } = await wu.json('/api/contests/space2022/submissions');
  assert.equal(after.length, before.length + 1, 'sent twice, taken once');
});

step('a dropped file is taken by its name', async () => {
  const { lin } = people;
  const page = await lin.go(`${CONTEST}/submit`);
  const { buffer } = file('', gold('roles').map(({ qid, outputs }) => ({ qid, outputs })));
  const data = await page.evaluateHandle((text) => {
    const held = new DataTransfer();
    held.items.add(new File([text], '山外山-task3-dev-1-0812.jsonl'));
    return held;
  }, buffer.toString());
  await page.locator('#drop').dispatchEvent('drop', { dataTransfer: data });
  await page.getByRole('button', { name: '提交', exact: true }).click();
  await page.waitForURL(/\/submissions\/[0-9a-z]+$/);
  assert.match((await page.locator('h1').textContent()) ?? '', /roles/);
});

/** Names on the overall board, from the first. @param {import('playwright-core').Page} page */
const standing = (page) => page.locator('#overall tbody tr td:nth-child(2)').allTextContents();

step('the board has both teams, and moves while it is looked at', async () => {
  const { lin, stranger } = people;
  const page = await stranger.go(`${CONTEST}/boards/dev`);
  const before = await standing(page);
  assert.deepEqual(before, ['楼**', '山**'], 'the better one is first, and names are masked on this board');
  await submit(lin, 'dev|2022/judge', file('better.jsonl', judged(1)));
  await lin.page.waitForURL(/\/submissions\/[0-9a-z]+$/);
  await page.waitForFunction(() => document.querySelector('#task-1 tbody tr')?.textContent?.includes('山**'), undefined, { timeout: 30_000 });
  assert.match((await lin.go(`${CONTEST}/boards/dev`).then(standing)).join(), /山外山/, 'a team sees its own name');
  const { rows } = await people.olga.json('/api/contests/space2022/boards/dev');
  assert.deepEqual(new Set(rows.map((/** @type {any} */ row) => row.name)), new Set(['山外山', '楼外楼']));
  const csv = await stranger.page.request.get(`${site.url}${CONTEST}/boards/dev/board.csv`);
  assert.match(await csv.text(), /山\*\*/);
  const badge = await stranger.page.request.get(`${site.url}${CONTEST}/boards/dev/badge.svg`);
  assert.match(badge.headers()['content-type'] ?? '', /image\/svg\+xml/);
});

step('corrected gold turns the board over, and a page says why', async () => {
  const { stranger } = people;
  const turned = join(site.folder, 'turned.jsonl');
  writeFileSync(turned, file('', gold('judge').map((record) => ({ ...record, judge: 1 - record.judge }))).buffer);
  execFileSync(site.binary, ['competition', 'rescore', 'space2022', site.folder, '--gold', `dev/judge=${turned}`, '--reason', '答案录反'], { stdio: 'pipe' });
  const page = await stranger.go(`${CONTEST}/boards/dev`);
  assert.match((await page.locator('#task-1 tbody tr').first().textContent()) ?? '', /楼\*\*/, 'who was right is wrong');
  await stranger.go(`${CONTEST}/news`);
  assert.match((await page.locator('main').textContent()) ?? '', /答案录反/);
  await stranger.go(`${CONTEST}/generations/2`);
  assert.match((await page.locator('main').textContent()) ?? '', /答案改了 12 题/);
});

step('a report is handed in for the awards', async () => {
  const { lin } = people;
  const page = await lin.go(`${CONTEST}/documents`);
  await page.locator('input[type="file"]').first().setInputFiles({ name: '报告.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 report') });
  const loaded = page.waitForEvent('load');
  await page.locator('#report').getByRole('button', { name: '提交' }).click();
  await loaded;
  assert.match((await page.locator('main').textContent()) ?? '', /报告\.pdf/);
});

step('every page of a competition can be used by everybody, in light and dark, both languages, wide and narrow', async () => {
  const { olga, lin, stranger } = people;
  const { submissions } = await lin.json('/api/contests/space2022/submissions');
  await olga.go('/contests');
  await olga.page.locator('select[name="template"]').selectOption('2023');
  await olga.press('建立草稿');
  await inspectAll([
    [stranger, 'contests', '/contests'], [stranger, 'contest', CONTEST], [stranger, 'contest-rules', `${CONTEST}/pages/rules`], [stranger, 'contest-task', `${CONTEST}/tasks/roles`],
    [stranger, 'contest-data', `${CONTEST}/data`], [stranger, 'contest-schedule', `${CONTEST}/schedule`], [stranger, 'contest-news', `${CONTEST}/news`],
    [stranger, 'contest-boards', `${CONTEST}/boards`], [stranger, 'contest-board', `${CONTEST}/boards/dev`],
    [stranger, 'contest-agreement', `${CONTEST}/agreement`], [stranger, 'contest-sign-up', `${CONTEST}/sign-up`],
    [lin, 'contest-team', `${CONTEST}/team`], [lin, 'contest-submit', `${CONTEST}/submit`], [lin, 'contest-submissions', `${CONTEST}/submissions`],
    [lin, 'contest-submission', `${CONTEST}/submissions/${submissions[0].id}`],
    [lin, 'contest-items', `${CONTEST}/items?phase=dev&task=judge`],
    [stranger, 'contest-generations', `${CONTEST}/generations`], [olga, 'contest-generation', `${CONTEST}/generations/2`],
    [lin, 'contest-documents', `${CONTEST}/documents`], [olga, 'contest-awards', `${CONTEST}/awards`], [olga, 'contest-prompts', '/contests/space2023/prompts'],
    [olga, 'contest-manage', `${CONTEST}/manage`], [olga, 'contest-teams', `${CONTEST}/teams`],
  ]);
});
