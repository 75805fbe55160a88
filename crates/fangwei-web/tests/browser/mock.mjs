// A stand-in for the platform: serves the static folder under the real security policy and answers the API of work from memory,
// with failures that tests switch on and off.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const statics = join(here, '../../static');
const policy = /"(default-src [^"]+)"/.exec(readFileSync(join(here, '../../src/app.rs'), 'utf8'))?.[1];
if (!policy) throw new Error('src/app.rs: no content security policy found');

const TYPES = { '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.svg': 'image/svg+xml' };

/** What the stand-in's rules find: enough to see every kind of finding. */
export function check(work, sheet) {
  const findings = [];
  const found = (rule, severity, message, record, field, more = {}) =>
    findings.push({ rule, severity, message, at: `/${record ?? ''}/${field ?? ''}`, spans: [], record, field, fix: null, waived: sheet.waivers.find((one) => one.rule === rule && one.at === `/${record ?? ''}/${field ?? ''}`)?.reason ?? null, ...more });
  for (const part of work.form.parts) {
    if (part.kind === 'choice' && part.required && !(sheet.choices[part.name]?.length > 0)) found('FM00', 'error', `缺少：${part.label.zh}`, null, part.name);
  }
  if (work.batch.mode === 'human') return findings;
  for (const row of sheet.records) {
    if (row.type !== 'tuple') continue;
    if (!row.fields['空间实体']) found('SR01', 'error', '缺少空间实体', row.id, '空间实体');
    const place = row.fields['处所']?.[0]?.idxes;
    if (place?.length === 1) found('SF01', 'warning', '处所只有一个字，是否缺少参照物', row.id, '处所', { spans: [place] });
    const event = row.fields['事件']?.[0]?.idxes;
    const text = (event ?? []).map((idx) => Array.from(work.texts[0].text)[idx]).join('');
    if (text.endsWith('着')) {
      const records = sheet.records.map((one) => (one === row ? { ...row, fields: { ...row.fields, 事件: [{ idxes: event.slice(0, -1) }] } } : one));
      found('SF03', 'warning', '事件以“着”结尾', row.id, '事件', { spans: [event], fix: { say: '去掉“着”', sheet: { ...sheet, records } } });
    }
  }
  if (sheet.records.length > 0 && sheet.records.length < 3) found('IT01', 'hint', '还有方位词没有用到', null, null, { spans: [] });
  return findings;
}

/** @param {Record<string, any>} items  Work by assignment. */
export async function start(items) {
  const mock = {
    items, log: [], failure: /** @type {null | 'offline' | 'error' | 'signed-out'} */ (null), delay: 0, lang: 'zh-CN', clients: new Map(),
    /** Saves as somebody else would, elsewhere. */
    saveElsewhere(id, sheet) {
      const work = items[id];
      work.version += 1;
      Object.assign(work, { sheet, author: '小周', at: 1_794_817_340_000 });
    },
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mock');
    response.setHeader('content-security-policy', policy);
    response.setHeader('cache-control', 'no-store');
    const isApi = pathname.startsWith('/api/');
    if (isApi && mock.delay > 0) await new Promise((done) => setTimeout(done, mock.delay));
    if (mock.failure === 'offline' && isApi) return request.socket.destroy();
    if (mock.failure === 'error' && isApi) return answer(response, 500, { error: 'internal', message: '服务器出错了' });
    if (mock.failure === 'signed-out' && isApi) return answer(response, 401, { error: 'sign-in', message: '请登录' });
    if (pathname.startsWith('/static/')) return asset(response, pathname.slice('/static/'.length));
    if (pathname.startsWith('/work/')) return page(response, mock.lang, pathname.slice('/work/'.length), searchParams.get('inspection'));
    if (pathname.startsWith('/api/review/')) return review(mock, pathname.slice('/api/review/'.length), JSON.parse(await read(request)), response);
    const [, id, what] = /^\/api\/work\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (!isApi || !id || !items[id]) return answer(response, isApi ? 404 : 200, isApi ? { error: 'not-found', message: '没有这一条' } : {});
    const body = request.method === 'GET' ? null : JSON.parse(await read(request));
    mock.log.push({ method: request.method, id, what: what ?? '', body, inspection: searchParams.get('inspection') });
    api(mock, request.method, items[id], what, body, response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)));
  const address = server.address();
  return Object.assign(mock, {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}

function api(mock, method, work, what, body, response) {
  if (method === 'GET') return answer(response, 200, { ...work, findings: check(work, work.sheet) });
  if (what === 'check') return answer(response, 200, { findings: check(work, body.sheet) });
  if (what === 'ask' || what === 'reply' || what === 'report') {
    work.thread.push({ id: `t${work.thread.length + 1}`, author: '我', kind: what, text: body.text, at: Date.now(), mine: true });
    return answer(response, 200, {});
  }
  if (what === 'skip') {
    work.state = 'skipped';
    return answer(response, 200, { next: work.next });
  }
  const known = mock.clients.get(body.client);
  // A change that is known is answered like the first time: whoever finishes under the name of an earlier save has finished nothing.
  if (known) return answer(response, 200, known);
  if (body.base !== work.version) {
    return answer(response, 409, { error: 'conflict', message: '别处也改过', detail: { version: work.version, sheet: work.sheet, author: work.author ?? '我', at: work.at ?? Date.now() } });
  }
  const findings = check(work, body.sheet);
  if (what === 'finish' && findings.some(({ severity }) => severity === 'error')) return answer(response, 422, { error: 'invalid', message: '还有错误', detail: { findings } });
  work.version += 1;
  Object.assign(work, { sheet: body.sheet, spent_ms: body.spent_ms, state: what === 'finish' ? 'done' : 'draft', source: 'person', author: '我', at: Date.now() });
  const saved = { version: work.version, at: work.at, findings };
  mock.clients.set(body.client, saved);
  return answer(response, 200, what === 'finish' ? { version: work.version, next: work.next } : saved);
}

/** A reviewer's verdict on the work that has this inspection. */
function review(mock, inspection, body, response) {
  const work = Object.values(mock.items).find((one) => one.revision?.inspection === inspection);
  mock.log.push({ method: 'POST', id: inspection, what: 'review', body });
  if (body.version !== work.version) return answer(response, 409, { error: 'conflict', message: '这份标注已经变了', detail: { version: work.version } });
  work.version += 1;
  Object.assign(work, { sheet: body.sheet, state: 'approved', source: 'revision' });
  return answer(response, 200, { state: 'approved', version: work.version });
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function answer(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function asset(response, path) {
  try {
    const bytes = await readFile(join(statics, normalize(path)));
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    response.end(bytes);
  } catch {
    answer(response, 404, {});
  }
}

function page(response, lang, id, inspection) {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="csrf" content="secret"><title>第 3 条 · 方位</title><link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/fangwei.css"><link rel="stylesheet" href="/static/editor/editor.css">
<script type="module" src="/static/fangwei.js"></script><script type="module" src="/static/editor/main.js"></script></head>
<body><header class="top"><a class="brand" href="/">方位 <span>fangwei</span></a></header>
<main id="main"><h1 class="unseen">第 3 条</h1><div id="editor" data-assignment="${id}"${inspection ? ` data-inspection="${inspection}" data-home="/review"` : ''}></div></main></body></html>`);
}
