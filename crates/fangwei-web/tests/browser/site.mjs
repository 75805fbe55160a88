// A real platform for tests: `fangwei serve` on a folder and a port of its own, people in browsers of their own, and axe on whatever they see.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../../..');
export const SHOTS = join(dirname(fileURLToPath(import.meta.url)), 'shots');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const PASSWORD = 'wide river 7 stones';

/** A port that nobody uses. @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });

export class Site {
  /** @param {string} binary */
  constructor(binary) {
    this.binary = binary;
    this.folder = mkdtempSync(join(tmpdir(), 'fangwei-site-'));
    this.out = '';
  }

  /** Starts the program and waits until it answers; again after `kill`, on the same port. */
  async start() {
    this.port ??= await freePort();
    this.url = `http://127.0.0.1:${this.port}`;
    const child = spawn(this.binary, ['serve', this.folder, '--listen', `127.0.0.1:${this.port}`], { env: { ...process.env, LANG: 'en_US.UTF-8', LC_ALL: '' } });
    child.stdout.on('data', (data) => (this.out += data));
    child.stderr.on('data', (data) => (this.out += data));
    this.child = child;
    for (let i = 0; i < 300; i += 1) {
      if (child.exitCode !== null) break;
      if (await fetch(`${this.url}/healthz`).then((answer) => answer.ok, () => false)) return this;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the platform does not start:\n${this.out}`);
  }

  /** Ends it as a power cut would. */
  async kill() {
    const ended = new Promise((resolve) => this.child?.once('exit', resolve));
    this.child?.kill('SIGKILL');
    await ended;
  }

  async close() {
    if (this.child?.exitCode === null) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The link for the first admin, as printed. */
  get firstLink() {
    const link = /http\S+\/join\/\S+/.exec(this.out);
    assert.ok(link, `a link is printed:\n${this.out}`);
    return link[0];
  }
}

/** Somebody with a browser of their own. Scripts that throw and broken policies are kept in `faults`. */
export class Person {
  /** @param {import('playwright-core').Browser} browser @param {Site} site @param {string} name */
  static async at(browser, site, name) {
    const person = new Person();
    person.site = site;
    person.name = name;
    person.context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'zh-CN', acceptDownloads: true });
    person.context.setDefaultTimeout(20_000);
    person.page = await person.context.newPage();
    /** @type {string[]} */
    person.faults = [];
    person.page.on('pageerror', (error) => person.faults.push(String(error)));
    person.page.on('console', (message) => message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text()) && person.faults.push(message.text()));
    return person;
  }

  /** @param {string} path */
  async go(path) {
    const answer = await this.page.goto(path.startsWith('http') ? path : `${this.site.url}${path}`);
    assert.ok((answer?.status() ?? 599) < 400, `${path} answers ${answer?.status()}`);
    return this.page;
  }

  /** Takes a link of invitation. @param {string} link */
  async join(link) {
    await this.go(link);
    await this.page.getByLabel('用户名').fill(this.name);
    await this.page.getByLabel('密码（至少 10 个字符）').fill(PASSWORD);
    await this.page.getByLabel('再输一次').fill(PASSWORD);
    await this.page.getByRole('button', { name: '确定' }).click();
    await this.page.waitForURL(`${this.site.url}/`);
  }

  /** What the JSON API says to this person. @param {string} path */
  async json(path) {
    const answer = await this.page.request.get(`${this.site.url}${path}`);
    assert.equal(answer.status(), 200, path);
    return answer.json();
  }

  /** The assignment of an item. @param {string} batch @param {string} qid */
  async assignment(batch, qid) {
    const { queue } = await this.json('/api/work');
    const found = queue.find((/** @type {any} */ one) => one.batch === batch && one.qid === qid);
    assert.ok(found, `${this.name} has ${qid} of ${batch}`);
    return found.assignment;
  }

  /** Opens an item from the first page. @param {string} batch @param {string} qid */
  async open(batch, qid) {
    const id = await this.assignment(batch, qid);
    await this.go('/');
    await this.page.locator(`a.tile[href="/work/${id}"]`).click();
    await this.page.waitForSelector('#editor[data-ready]');
    return id;
  }

  /** Waits until the editor has finished an item and gone on to another. @param {string} id */
  async finished(id) {
    await this.page.waitForURL((url) => url.pathname.startsWith('/work/') && !url.pathname.endsWith(id)).catch(() => {});
    const { state, findings } = await this.json(`/api/work/${id}`);
    assert.equal(state, 'done', JSON.stringify(findings));
    await this.page.waitForSelector('#editor[data-ready]');
  }

  /** Presses a button that sends a form, and waits for the page that comes of it. @param {string | RegExp} name */
  async press(name) {
    const loaded = this.page.waitForEvent('load');
    await this.page.getByRole('button', { name, exact: typeof name === 'string' }).click();
    await loaded;
    assert.deepEqual(this.faults, [], 'nothing failed in the page');
  }
}

/**
 * Tests that stand on each other: once one fails, the rest is meaningless and skipped. In nobody's page may anything have failed.
 * @param {Record<string, Person>} people
 */
export function story(people) {
  let broken = false;
  return (/** @type {string} */ name, /** @type {() => Promise<void>} */ body) =>
    test(name, async (context) => {
      if (broken) return context.skip('an earlier step failed');
      broken = true;
      await body();
      for (const person of Object.values(people)) assert.deepEqual(person.faults, [], `nothing failed in the pages of ${person.name}`);
      broken = false;
    });
}

/** What axe finds serious in the page as it is. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
export async function serious(page) {
  // The page's policy lets no foreign script in; the debugger may.
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: AXE });
  await client.detach();
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run(document, { resultTypes: ['violations'] });
    const bad = violations.filter((/** @type {any} */ one) => ['serious', 'critical'].includes(one.impact));
    return bad.map((/** @type {any} */ one) => `${one.id}: ${one.nodes.map((/** @type {any} */ node) => `${node.html.slice(0, 140)} | ${node.failureSummary.replace(/\s+/g, ' ').slice(0, 160)}`).join('; ')}`);
  });
}

/** Looks at pages of several people, and asserts that nothing is wrong with any. @param {[Person, string, string | null][]} pages */
export async function inspectAll(pages) {
  const faults = [];
  for (const [person, name, path] of pages) faults.push(...(await inspect(person, name, path ?? '')));
  assert.deepEqual(faults, []);
}

/**
 * Looks at an address in every way: light and dark, both languages, wide and narrow. Keeps a picture of most, and tells what is wrong.
 * @param {Person} person @param {string} name @param {string} path
 */
async function inspect(person, name, path) {
  mkdirSync(SHOTS, { recursive: true });
  const { page } = person;
  const faults = [];
  for (const lang of ['zh', 'en']) {
    await person.go(`/lang/${lang}`);
    await person.go(path);
    if (await page.locator('#editor').count()) await page.waitForSelector('#editor[data-ready]');
    for (const [width, scheme] of /** @type {[number, 'light' | 'dark'][]} */ ([[1280, 'light'], [1280, 'dark'], [390, 'light'], [390, 'dark']])) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      const where = `${name} ${lang} ${scheme} ${width}`;
      faults.push(...(await serious(page)).map((one) => `${where}: ${one}`));
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (over > 1) faults.push(`${where}: ${over} px too wide`);
      // One picture of each size and theme; languages take turns.
      if ((lang === 'zh') === (scheme === 'light')) await page.screenshot({ path: join(SHOTS, `site-${name}-${width}-${scheme}-${lang}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await person.go('/lang/zh');
  return faults;
}
