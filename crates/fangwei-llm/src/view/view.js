// @ts-check
// The pages of runs: a list with filters, and an item with everything about it. Data comes from scripts beside this file, because a page that was opened
// from disk may not fetch.
'use strict';

const parts = /** @type {any} */ (window).fangwei.parts;
const index = parts.index;
const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const ROW = 56;

/** Both languages of everything that people read. @type {Record<string, [string, string]>} */
const WORDS = {
  title: ['模型评测', 'model evaluation'], other: ['English', '中文'], search: ['搜索题号或文本', 'search qid or text'],
  parsed: ['直接解析', 'parsed'], repaired: ['修复后解析', 'repaired'], unparsed: ['未能解析', 'unparsed'], refused: ['拒答', 'refused'],
  truncated: ['截断', 'truncated'], empty: ['空', 'empty'], missing: ['无回复', 'no reply'],
  scoredOf: ['可评分', 'scored'], leftOut: ['未解析不计', 'unparsed left out'], own: ['模型自己的字序', 'own indexes'], tokens: ['词元', 'tokens'],
  seconds: ['每题秒数', 'seconds each'], agreement: ['重复一致', 'repeats agree'], interval: ['95% 区间', '95% interval'], noGold: ['没有答案', 'no gold'],
  kinds: ['全部类型', 'any kind'], slip: ['失误', 'slip'], place: ['字序', 'place'], mend: ['修复', 'mend'], failed: ['请求失败', 'request failed'], unstable: ['重复不一致', 'repeats differ'],
  score: ['得分', 'score'], compare: ['比较', 'compare'], all: ['全部题目', 'all items'], better: ['更好', 'better'], differ: ['得分不同', 'scores differ'], same: ['得分相同', 'scores equal'],
  items: ['题', 'items'], of: ['共', 'of'], none: ['没有符合的题', 'no such item'], choose: ['选一题', 'choose an item'], loading: ['读取中…', 'loading…'],
  both: ['双方都有', 'both'], onlyGold: ['只在参考', 'gold only'], onlyPred: ['只在预测', 'prediction only'],
  align: ['对齐', 'alignment'], reply: ['回复', 'reply'], prompt: ['提示词', 'prompt'], repair: ['读取', 'reading'], gold: ['参考', 'gold'], pred: ['预测', 'prediction'],
  role: ['角色', 'role'], earned: ['得分', 'earned'], finish: ['结束', 'finish'], attempts: ['次数', 'attempts'], thought: ['思考', 'thoughts'], answer: ['读出的答案', 'answer read'],
  text: ['文本', 'text'], how: ['找到方式', 'found'], given: ['模型的字序', 'own indexes'], span: ['程序的字序', 'indexes'], repeat: ['第几遍', 'repeat'], previous: ['上一题', 'previous'], next: ['下一题', 'next'],
  noReply: ['没有回复', 'no reply'], notAsked: ['没有问这一题', 'not asked'], keys: ['j / k 换题，/ 搜索', 'j / k to move, / to search'], only: ['只看', 'only'], shots: ['个示例', 'shots'],
  'no-locative': ['P 中没有方位词', 'P without a locative'], 'no-conflict': ['四到六个片段而无矛盾', '4–6 fragments, no conflict'], 'repeated-role': ['角色重复', 'repeated role'], 'invented-role': ['自造角色', 'invented role'], 'not-spatial': ['没有空间义', 'not spatial'],
  exact: ['唯一', 'exact'], nearest: ['就近', 'nearest'], split: ['分段', 'split'], folded: ['折合', 'folded'], 'not-found': ['找不到', 'not found'],
};

const store = { get: (/** @type {string} */ key) => { try { return localStorage.getItem(key); } catch { return null; } }, set: (/** @type {string} */ key, /** @type {string} */ value) => { try { localStorage.setItem(key, value); } catch { /* a page from disk may have no storage */ } } };
let lang = store.get('fangwei.lang') || index.lang;
/** @param {string} key */
const t = (key) => (WORDS[key] ? WORDS[key][lang === 'zh' ? 0 : 1] : key);

const state = { task: 0, states: new Set(), kind: '', low: 0, high: 1, search: '', a: 0, b: -1, outcome: 'all', at: -1 };
/** @type {any[]} */
let shown = [];
const tabs = new Map();

/** @param {string} tag @param {Record<string, any> | null} [attributes] @param {...any} children */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name.startsWith('aria-')) element.setAttribute(name, String(value));
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** @param {number | null | undefined} value */
const number = (value) => (value === null || value === undefined ? '–' : value.toFixed(4).replace(/0{1,2}$/, ''));
/** @param {any} measures @param {string} path */
const measure = (measures, path) => path.split('.').reduce((at, name) => at && at[name], measures);
/** @param {number | null} score */
const grade = (score) => (score === null || score === undefined ? 'off' : score >= 0.9995 ? 'full' : score > 0 ? 'some' : 'none');
const STATES = [...index.states, 'missing'];
/** @param {any} one */
const stateOf = (one) => (one === null ? null : one[0] === null ? 'missing' : index.states[one[0]]);
const taskOf = () => index.tasks[state.task];
const runOf = (/** @type {number} */ system) => (system < 0 ? undefined : index.systems[system].runs[taskOf().id]);

// ---- the summary

function drawCards() {
  const cards = index.systems.map((/** @type {any} */ system, /** @type {number} */ at) => {
    const run = runOf(at);
    if (!run) return null;
    const path = taskOf().ranking;
    const value = measure(run.measures, path);
    const whole = run.items || 1;
    const legend = STATES.filter((name) => run[name] > 0);
    const facts = [
      [t('leftOut'), number(measure(run.measures_of_scored, path))],
      [t('own'), number(run.placing.without && measure(run.placing.without.measures, path))],
      [t('tokens'), `${run.spent.prompt.toLocaleString()} + ${run.spent.completion.toLocaleString()}`],
      [t('seconds'), run.seconds.toFixed(2)],
    ];
    if (run.repeats) facts.push([t('agreement'), `${(run.repeats.agreement * 100).toFixed(1)} %`]);
    return make('div', { class: 'card' },
      make('header', null, make('h2', null, system.name), make('div', { class: 'who' }, `${run.prompt.name} · ${run.prompt.shots} ${t('shots')}`)),
      make('div', { class: 'score' }, make('b', null, value === undefined || value === null ? '–' : (value * 100).toFixed(2)),
        make('small', null, value === undefined || value === null ? t('noGold') : `${path} · ${run.mode}`)),
      run.interval ? make('div', { class: 'range', title: `${t('interval')} [${number(run.interval.low)}, ${number(run.interval.high)}]` },
        make('i', { style: `left:${run.interval.low * 100}%;width:${(run.interval.high - run.interval.low) * 100}%` }), make('u', { style: `left:${value * 100}%` })) : null,
      make('div', { class: 'stack' }, legend.map((name) => make('i', { style: `flex:${run[name] / whole};background:var(--${name})`, title: `${t(name)} ${run[name]}` }))),
      make('div', { class: 'legend' }, make('span', null, make('b', null, `${t('scoredOf')} ${run.scored} / ${run.items}`)),
        legend.map((name) => make('span', null, make('i', { style: `background:var(--${name})` }), `${t(name)} ${run[name]}`))),
      make('div', { class: 'facts' }, facts.map(([name, text]) => make('div', null, make('span', null, name), make('b', null, text)))));
  });
  $('cards').replaceChildren(...cards.filter(Boolean));
}

function drawTasks() {
  const buttons = index.tasks.map((/** @type {any} */ task, /** @type {number} */ at) => make('button', {
    role: 'tab', type: 'button', 'aria-selected': at === state.task, onclick: () => { state.task = at; state.at = -1; state.kind = ''; drawAll(); },
  }, `${task.id} ${task.title[lang]}`));
  $('tasks').replaceChildren(...buttons);
}

// ---- the filters

function drawFilters() {
  const mine = index.items.filter((/** @type {any} */ item) => item[0] === state.task);
  /** @type {Record<string, number>} */
  const counts = {};
  /** @type {Record<string, number>} */
  const kinds = {};
  for (const item of mine) {
    const one = item[3][state.a];
    if (!one) continue;
    const name = /** @type {string} */ (stateOf(one));
    counts[name] = (counts[name] || 0) + 1;
    for (const kind of one[2]) kinds[kind] = (kinds[kind] || 0) + 1;
  }
  const chips = STATES.filter((name) => counts[name]).map((name) => make('button', {
    class: 'chip', type: 'button', 'aria-pressed': !state.states.has(name), title: `${t('only')} ${t(name)}: Alt`,
    onclick: (/** @type {MouseEvent} */ event) => {
      if (event.altKey) state.states = new Set(STATES.filter((other) => other !== name));
      else if (!state.states.delete(name)) state.states.add(name);
      drawFilters(); filter();
    },
  }, make('i', { style: `background:var(--${name})` }), t(name), make('small', null, String(counts[name]))));
  const words = (/** @type {string} */ kind) => kind.split(':').map(t).join(' · ');
  const choice = make('select', { 'aria-label': t('kinds'), onchange: (/** @type {any} */ event) => { state.kind = event.target.value; filter(); } },
    make('option', { value: '' }, t('kinds')),
    Object.keys(kinds).sort().map((kind) => make('option', { value: kind, selected: kind === state.kind }, `${words(kind)} (${kinds[kind]})`)));
  const bound = (/** @type {'low' | 'high'} */ name) => make('input', {
    type: 'number', min: 0, max: 1, step: 0.05, value: state[name], 'aria-label': `${t('score')} ${name}`,
    oninput: (/** @type {any} */ event) => { state[name] = event.target.value === '' ? (name === 'low' ? 0 : 1) : Number(event.target.value); filter(); },
  });
  const search = make('input', { type: 'search', id: 'search', placeholder: t('search'), value: state.search, oninput: (/** @type {any} */ event) => { state.search = event.target.value; filter(); } });
  const systems = index.systems.map((/** @type {any} */ system, /** @type {number} */ at) => ({ name: system.name, at })).filter((/** @type {any} */ { at }) => runOf(at));
  const pick = (/** @type {'a' | 'b'} */ which, /** @type {boolean} */ nobody) => make('select', {
    'aria-label': `${t('compare')} ${which}`, onchange: (/** @type {any} */ event) => { state[which] = Number(event.target.value); state.outcome = 'all'; drawFilters(); filter(); drawDetail(); },
  }, nobody ? make('option', { value: -1 }, `${t('compare')}…`) : null, systems.map((/** @type {any} */ { name, at }) => make('option', { value: at, selected: at === state[which] }, name)));
  const outcome = state.b < 0 ? null : make('select', { 'aria-label': t('score'), onchange: (/** @type {any} */ event) => { state.outcome = event.target.value; filter(); } },
    [['all', t('all')], ['a', `${index.systems[state.a].name} ${t('better')}`], ['b', `${index.systems[state.b].name} ${t('better')}`], ['differ', t('differ')], ['same', t('same')]]
      .map(([value, text]) => make('option', { value, selected: value === state.outcome }, text)));
  $('filters').replaceChildren(search, make('div', { class: 'chips' }, chips), choice,
    make('div', { class: 'between' }, t('score'), bound('low'), '–', bound('high')),
    ...(systems.length > 1 ? [pick('a', false), pick('b', true)] : []), ...(outcome ? [outcome] : []));
}

function filter() {
  const search = state.search.trim().toLowerCase();
  const kept = index.items[shown[state.at]];
  shown = [];
  index.items.forEach((/** @type {any} */ item, /** @type {number} */ at) => {
    if (item[0] !== state.task) return;
    const one = item[3][state.a];
    const other = state.b < 0 ? null : item[3][state.b];
    if (!one && !other) return;
    if (one && state.states.has(stateOf(one))) return;
    if (one && one[1] !== null && (one[1] < state.low - 1e-9 || one[1] > state.high + 1e-9)) return;
    if (state.kind && !(one && one[2].includes(state.kind))) return;
    if (search && !item[1].toLowerCase().includes(search) && !item[2].toLowerCase().includes(search)) return;
    if (state.outcome !== 'all') {
      if (!one || !other) return;
      const lead = (one[1] || 0) - (other[1] || 0);
      if (state.outcome === 'a' && lead <= 0) return;
      if (state.outcome === 'b' && lead >= 0) return;
      if (state.outcome === 'differ' && lead === 0) return;
      if (state.outcome === 'same' && lead !== 0) return;
    }
    shown.push(at);
  });
  state.at = kept ? shown.findIndex((at) => index.items[at] === kept) : -1;
  const all = index.items.filter((/** @type {any} */ item) => item[0] === state.task).length;
  $('count').textContent = `${shown.length} / ${all} ${t('items')} · ${t('keys')}`;
  $('list').scrollTop = Math.max(0, state.at * ROW - 120);
  drawList();
}

// ---- the list: only the rows in sight are there

function drawList() {
  const list = $('list');
  const sheet = $('sheet');
  sheet.style.height = `${Math.max(shown.length * ROW, 1)}px`;
  if (shown.length === 0) { sheet.replaceChildren(make('div', { class: 'nothing' }, t('none'))); return; }
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / ROW) + 8);
  const rows = [];
  for (let at = first; at < last; at += 1) {
    const item = index.items[shown[at]];
    const systems = state.b < 0 ? [state.a] : [state.a, state.b];
    const pills = systems.map((system) => {
      const one = item[3][system];
      if (!one) return make('span', { class: 'pill off' }, '–');
      const name = /** @type {string} */ (stateOf(one));
      return make('span', { class: `pill ${grade(one[1])}`, style: `border-color:var(--${name})`, title: `${index.systems[system].name}: ${t(name)}` }, one[1] === null ? '·' : one[1].toFixed(2));
    });
    rows.push(make('div', { class: 'item', role: 'option', style: `top:${at * ROW}px`, 'aria-selected': at === state.at, onclick: () => choose(at) },
      make('div', { class: 'qid' }, item[1]), make('div', { class: 'snippet' }, item[2]), make('div', { class: 'pills' }, pills)));
  }
  sheet.replaceChildren(...rows);
}

/** @param {number} at */
function choose(at) {
  if (at < 0 || at >= shown.length) return;
  state.at = at;
  const list = $('list');
  if (at * ROW < list.scrollTop) list.scrollTop = at * ROW;
  if ((at + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (at + 1) * ROW - list.clientHeight;
  const item = index.items[shown[at]];
  history.replaceState(null, '', `#${encodeURIComponent(taskOf().id)}&${encodeURIComponent(item[1])}`);
  drawList();
  drawDetail();
}

// ---- one item

/** @type {Map<string, Promise<any>>} */
const loading = new Map();
/** @param {string} name */
function part(name) {
  if (name in parts) return Promise.resolve(parts[name]);
  if (!loading.has(name)) {
    loading.set(name, new Promise((done, failed) => {
      const script = make('script', { src: `data/${name}.js` });
      script.addEventListener('load', () => done(parts[name]));
      script.addEventListener('error', () => { loading.delete(name); failed(new Error(`data/${name}.js`)); });
      document.head.append(script);
    }));
  }
  return /** @type {Promise<any>} */ (loading.get(name));
}

async function drawDetail() {
  const place = $('detail');
  if (state.at < 0) { place.replaceChildren(make('p', { class: 'nothing' }, t('choose'))); return; }
  const at = shown[state.at];
  const item = index.items[at];
  let details;
  try { details = await part(String(Math.floor(at / index.chunk))); } catch (error) {
    place.replaceChildren(make('p', { class: 'error' }, String(error)));
    return;
  }
  // Somebody may have gone on meanwhile.
  if (shown[state.at] !== at) return;
  const detail = details[at % index.chunk];
  const systems = (state.b < 0 || state.b === state.a ? [state.a] : [state.a, state.b]);
  const move = (/** @type {number} */ step, /** @type {string} */ name) => make('button', { class: 'plain', type: 'button', onclick: () => choose(state.at + step) }, t(name));
  place.replaceChildren(
    make('h1', null, item[1], make('small', null, `${taskOf().id} ${taskOf().title[lang]}`), make('span', { class: 'spacer' }), move(-1, 'previous'), move(1, 'next')),
    ...(systems.length > 1 && !systems.some((system) => places(detail.systems[system]).any) ? plainTexts(detail) : []),
    make('div', { class: systems.length > 1 ? 'systems two' : 'systems' }, systems.map((system) => drawSystem(system, item, detail, systems.length > 1))),
    ...(detail.gold ? [make('details', null, make('summary', { class: 'note' }, t('gold')), make('pre', null, JSON.stringify(detail.gold, null, 1)))] : []));
}

/** @param {any} detail */
const plainTexts = (detail) => detail.texts.map((/** @type {[string, string]} */ [name, text]) => make('p', { class: 'context' }, detail.texts.length > 1 ? make('small', null, name) : null, text));

/** @param {number} system @param {any} item @param {any} detail @param {boolean} narrow */
function drawSystem(system, item, detail, narrow) {
  const one = item[3][system];
  const more = detail.systems[system];
  const box = make('section', { class: 'system' });
  if (!one || !more) { box.append(make('h2', null, index.systems[system].name), make('p', { class: 'note' }, t('notAsked'))); return box; }
  const first = more.replies[0];
  const name = /** @type {string} */ (stateOf(one));
  box.append(make('h2', null, index.systems[system].name, make('span', { class: 'badge', style: `background:var(--${name})` }, t(name)),
    one[1] === null ? null : make('span', { class: `pill ${grade(one[1])}` }, number(one[1])),
    (first ? first.slips : []).map((/** @type {any} */ slip) => make('span', { class: 'tag bad', title: slip.what }, `${t(slip.kind)} ${slip.what}`))));
  if (more.failure) box.append(make('p', { class: 'error' }, more.failure));
  box.append(...marked(detail, more, narrow));
  /** @type {[string, () => any[]][]} */
  const panes = [['align', () => drawAlignment(more)], ['reply', () => drawReplies(more)], ['repair', () => drawReading(more)], ['prompt', () => drawPrompt(more)]];
  const open = tabs.get(system) || 'align';
  const pane = make('div');
  const buttons = panes.map(([key, draw]) => make('button', {
    type: 'button', role: 'tab', 'aria-selected': key === open,
    onclick: (/** @type {any} */ event) => {
      tabs.set(system, key);
      for (const other of event.target.parentElement.children) other.setAttribute('aria-selected', String(other === event.target));
      pane.replaceChildren(...draw());
    },
  }, t(key)));
  for (const [key, draw] of panes) if (key === open) pane.append(...draw());
  box.append(make('div', { class: 'tabs', role: 'tablist' }, buttons), pane);
  return box;
}

/** The characters of gold and of the prediction. @param {any} more */
function places(more) {
  const gold = new Set();
  const pred = new Set();
  for (const pair of more && more.alignment ? more.alignment.pairs : []) {
    for (const row of pair.rows) {
      for (const at of row.gold ? row.gold.idxes : []) gold.add(at);
      for (const at of row.pred ? row.pred.idxes : []) pred.add(at);
    }
  }
  return { gold, pred, any: gold.size + pred.size > 0 };
}

/** The texts with these characters marked. @param {any} detail @param {any} more @param {boolean} narrow */
function marked(detail, more, narrow) {
  const { gold, pred, any } = places(more);
  if (narrow && !any) return [];
  const texts = detail.texts.map((/** @type {[string, string]} */ [name, text], /** @type {number} */ number) => {
    const paragraph = make('p', { class: 'context' }, detail.texts.length > 1 ? make('small', null, name) : null);
    if (number > 0 || !any) { paragraph.append(text); return paragraph; }
    [...text].forEach((character, at) => {
      const kind = gold.has(at) && pred.has(at) ? 'both' : gold.has(at) ? 'gold' : pred.has(at) ? 'pred' : '';
      paragraph.append(kind ? make('span', { class: kind }, character) : character);
    });
    return paragraph;
  });
  if (any) texts.push(make('div', { class: 'key' }, make('span', { class: 'both' }, t('both')), make('span', { class: 'gold' }, t('onlyGold')), make('span', { class: 'pred' }, t('onlyPred'))));
  return texts;
}

/** @param {any} more */
function drawAlignment(more) {
  const alignment = more.alignment;
  if (!alignment) return [make('p', { class: 'note' }, t('noGold'))];
  const side = (/** @type {any} */ one) => (one ? [one.text || '–', one.idxes.length ? make('sub', null, span(one.idxes)) : null] : ['–']);
  const numbers = make('dl', null, Object.entries(alignment.numbers).map(([name, value]) => make('div', null, make('dt', null, name), make('dd', null, number(/** @type {number} */ (value))))));
  const pairs = alignment.pairs.map((/** @type {any} */ pair) => {
    const label = (/** @type {number | null} */ at) => (at === null ? '–' : `#${at + 1}`);
    return make('div', { class: 'wide' }, make('table', null,
      make('caption', null, `${t('gold')} ${label(pair.gold)} ~ ${t('pred')} ${label(pair.pred)} · ${t('earned')} ${number(pair.earned)}${pair.note ? ` · ${pair.note}` : ''}`),
      make('thead', null, make('tr', null, ['role', 'gold', 'pred'].map((name) => make('th', null, t(name))), make('th', { class: 'number' }, t('earned')))),
      make('tbody', null, pair.rows.map((/** @type {any} */ row) => {
        const most = Math.max(row.gold_size, row.pred_size);
        const share = most > 0 ? row.hits / most : 0;
        return make('tr', null, make('td', null, row.role), make('td', null, ...side(row.gold)), make('td', null, ...side(row.pred)),
          make('td', { class: 'number', title: row.note }, make('span', { class: `pill ${grade(share)}` }, most > 1 ? `${Number(row.hits.toFixed(2))}/${most}` : number(row.hits))));
      }))));
  });
  return [numbers, ...pairs, ...alignment.notes.map((/** @type {string} */ note) => make('p', { class: 'note' }, note))];
}

/** Indexes with runs shortened: 3–7 9. @param {number[]} list */
function span(list) {
  const runs = [];
  for (let at = 0; at < list.length;) {
    let end = at;
    while (end + 1 < list.length && list[end + 1] === (list[end] ?? 0) + 1) end += 1;
    runs.push(end > at ? `${list[at]}–${list[end]}` : String(list[at]));
    at = end + 1;
  }
  return runs.join(' ');
}

/** @param {any} more */
function drawReplies(more) {
  return more.replies.flatMap((/** @type {any} */ reply, /** @type {number} */ repeat) => {
    const head = more.replies.length > 1 ? [make('h3', { class: 'note' }, `${t('repeat')} ${repeat + 1}`)] : [];
    if (!reply) return [...head, make('p', { class: 'note' }, t('noReply'))];
    const facts = [[t('finish'), reply.finish || '–'], [t('tokens'), `${reply.usage.prompt} + ${reply.usage.completion}`], ['s', reply.seconds], [t('attempts'), reply.attempts], ['model', reply.model || '–']];
    return [...head, make('dl', null, facts.map(([name, value]) => make('div', null, make('dt', null, name), make('dd', null, String(value))))),
      reply.thought ? make('details', null, make('summary', { class: 'note' }, t('thought')), make('pre', null, reply.thought)) : null,
      make('pre', null, reply.text === '' ? `(${t('empty')})` : reply.text)].filter(Boolean);
  });
}

/** @param {any} more */
function drawReading(more) {
  return more.replies.flatMap((/** @type {any} */ reply, /** @type {number} */ repeat) => {
    if (!reply) return [];
    const mends = make('p', null, make('span', { class: 'badge', style: `background:var(--${reply.state})` }, t(reply.state)), ' ', reply.mends.map((/** @type {string} */ mend) => make('span', { class: 'tag' }, t(mend))));
    const table = reply.placed.length === 0 ? null : make('div', { class: 'wide' }, make('table', null,
      make('thead', null, make('tr', null, ['#', t('role'), t('text'), t('how'), t('given'), t('span')].map((name) => make('th', null, name)))),
      make('tbody', null, reply.placed.map((/** @type {any} */ one) => make('tr', null, make('td', null, String(one.tuple + 1)), make('td', null, one.role), make('td', null, one.text),
        make('td', null, make('span', { class: `tag ${one.how === 'not-found' ? 'bad' : ''}` }, t(one.how))), make('td', null, span(one.given) || '–'), make('td', null, span(one.span) || '–'))))));
    const head = more.replies.length > 1 ? make('h3', { class: 'note' }, `${t('repeat')} ${repeat + 1}`) : null;
    return [head, mends, table, make('p', { class: 'note' }, t('answer')), make('pre', null, reply.answer ? JSON.stringify(reply.answer, null, 1) : '–')].filter(Boolean);
  });
}

/** @param {any} more */
function drawPrompt(more) {
  const place = make('div', null, make('p', { class: 'note' }, t('loading')));
  part('texts').then((texts) => place.replaceChildren(...(more.messages || []).map((/** @type {[string, string | number]} */ [role, text]) => make('div', { class: 'message' },
    make('h3', null, role), make('pre', null, typeof text === 'number' ? texts[text] : text)))), (error) => place.replaceChildren(make('p', { class: 'error' }, String(error))));
  return [place];
}

// ---- everything together

function drawAll() {
  document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en';
  document.title = `方位 · ${t('title')}`;
  $('lang').textContent = t('other');
  if (!runOf(state.a)) state.a = Math.max(0, index.systems.findIndex((/** @type {any} */ _, /** @type {number} */ at) => runOf(at)));
  if (state.b >= 0 && !runOf(state.b)) state.b = -1;
  drawTasks(); drawCards(); drawFilters(); filter(); drawDetail();
}

$('lang').addEventListener('click', () => { lang = lang === 'zh' ? 'en' : 'zh'; store.set('fangwei.lang', lang); drawAll(); });
$('list').addEventListener('scroll', () => requestAnimationFrame(drawList), { passive: true });
window.addEventListener('resize', () => drawList());
document.addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === 'Escape' && typing) /** @type {HTMLElement} */ (event.target).blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'j' || event.key === 'ArrowDown') { choose(state.at + 1); event.preventDefault(); }
  if (event.key === 'k' || event.key === 'ArrowUp') { choose(state.at - 1); event.preventDefault(); }
  if (event.key === '/') { $('search').focus(); event.preventDefault(); }
});

const [task, qid] = location.hash.slice(1).split('&').map(decodeURIComponent);
const known = index.tasks.findIndex((/** @type {any} */ one) => one.id === task);
if (known >= 0) state.task = known;
if (index.systems.length > 1) state.b = 1;
drawAll();
const wanted = shown.findIndex((at) => index.items[at][1] === qid);
choose(wanted >= 0 ? wanted : 0);
