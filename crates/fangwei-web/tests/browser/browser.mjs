// Chromium for tests: pages that fail a test when a script throws or the security policy is broken.

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { chromium } from 'playwright-core';

import { start } from './mock.mjs';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });

/**
 * A browser and a mock server for the tests of a file; `view` is the page of the test. After each test nothing may have failed in it.
 * @param {(mock: any) => void} [reset] puts the mock back
 */
export function stage(reset = () => {}) {
  const on = { browser: /** @type {any} */ (null), mock: /** @type {any} */ (null), view: /** @type {any} */ (null) };
  before(async () => {
    on.browser = await launch();
    on.mock = await start({});
  });
  after(async () => {
    await on.browser?.close();
    on.mock?.close();
  });
  afterEach(async () => {
    reset(on.mock);
    assert.deepEqual(on.view?.faults, [], 'nothing failed in the page');
    await on.view?.context.close();
  });
  return on;
}

/** The page of an assignment. @param {string} id */
export const desk = (id) => `/work/${id}`;

/** @param {import('playwright-core').Browser} browser @param {string} url @param {import('playwright-core').BrowserContextOptions} [options] */
export async function visit(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'zh-CN', ...options });
  return { context, ...(await tab(context, url)) };
}

/** @param {import('playwright-core').BrowserContext} context @param {string} url */
export async function tab(context, url) {
  const page = await context.newPage();
  /** @type {string[]} */
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  // A failed request is what several tests are about; anything else on the console is a fault.
  page.on('console', (message) => message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text()) && faults.push(message.text()));
  await page.goto(url);
  await page.waitForSelector('#editor[data-ready]');
  return { page, faults };
}

/** The character at a place of the text. @param {import('playwright-core').Page} page @param {number} idx */
export const char = (page, idx) => page.locator(`.ch[data-i="${idx}"]`).first();

/** Drags over characters, in whichever direction. @param {import('playwright-core').Page} page @param {number} from @param {number} to */
export async function drag(page, from, to) {
  const middle = async (/** @type {number} */ idx) => {
    const box = await char(page, idx).boundingBox();
    if (!box) throw new Error(`no character ${idx}`);
    return /** @type {[number, number]} */ ([box.x + box.width / 2, box.y + 12]);
  };
  await page.mouse.move(...(await middle(from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(Math.round((from + to) / 2))));
  await page.mouse.move(...(await middle(to)));
  if (from === to) await page.mouse.move((await middle(to))[0] + 8, (await middle(to))[1]);
  await page.mouse.up();
}

/** @param {import('playwright-core').Page} page @param {string} state */
export const saved = (page, state = 'saved') => page.waitForSelector(`.state[data-state="${state}"]`);

/** Waits until so many elements are there: a page may be drawn a moment after the click. @param {import('playwright-core').Locator} locator @param {number} expected @param {string} [message] */
export async function counted(locator, expected, message) {
  for (let tries = 0; tries < 100 && (await locator.count()) !== expected; tries += 1) await new Promise((done) => setTimeout(done, 50));
  assert.equal(await locator.count(), expected, message);
}
