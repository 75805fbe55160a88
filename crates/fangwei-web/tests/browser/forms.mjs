// Items to test the editor with: one of each shape of form, with sentences made for the purpose. The shapes are those that
// `fangwei::annotate::form` derives from the tasks; `from` reads its dumps where somebody wants to look at all of them.

import { readFileSync } from 'node:fs';

const say = (zh, en) => ({ zh, en });

/** @param {string} name @param {string} key @param {object} [more] */
const field = (name, key, more = {}) => ({ name, label: say(name, ENGLISH[name] ?? name), key, kind: 'span', text: 'context', many: true, pieces: true, options: [], group: '', primary: true, colour: 7, shape: 'solid', ...more });

const ENGLISH = { 空间实体: 'entity', 参照实体: 'reference', 事件: 'event', 事实性: 'factuality', 时间: 'time', 处所: 'place', 起点: 'start', 终点: 'end', 方向: 'direction', 朝向: 'facing', 部位: 'part', 形状: 'shape', 路径: 'path', 距离: 'distance' };

const TUPLE = {
  type: 'tuple', label: say('元组', 'tuple'), least_fields: 1, frame: null,
  fields: [
    field('空间实体', 's', { group: 'entity', colour: 0 }),
    field('参照实体', 'r', { group: 'entity', colour: 0, shape: 'dashed', primary: false, many: false }),
    field('事件', 'e', { group: 'event', colour: 1, many: false }),
    field('事实性', 'f', { kind: 'label', group: 'fact', colour: 1, shape: 'dashed', primary: false, many: false, pieces: false, text: null, options: [{ value: '假', label: say('假', 'false'), key: '' }] }),
    field('时间', 't', { group: 'time', colour: 2, many: false }),
    field('处所', 'p', { group: 'place', colour: 3 }),
    field('起点', 'b', { group: 'start', colour: 4 }),
    field('终点', 'g', { group: 'end', colour: 5 }),
    field('方向', 'd', { group: 'direction', colour: 6 }),
    field('朝向', 'o', { group: 'orientation', colour: 6, shape: 'dashed', primary: false }),
    field('部位', 'a', { group: 'part', colour: 3, shape: 'dotted', primary: false }),
    field('形状', 'h', { group: 'shape', primary: false, many: false }),
    field('路径', 'l', { group: 'path', colour: 4, shape: 'dashed', primary: false }),
    field('距离', 'i', { group: 'distance', shape: 'dashed', primary: false, many: false }),
  ],
};
const COREF = { type: 'coref', label: say('同指', 'coreference'), least_fields: 1, frame: null, fields: [field('mention', 'c', { label: say('指称', 'mention'), group: 'mention', colour: 0, shape: 'dotted' })] };

/** Texts with the words that are spatial; the others are cut where the next begins. @param {string} name @param {[string, string][]} words */
const text = (name, words) => {
  let at = 0;
  const cut = words.map(([word, kind]) => {
    const start = at;
    at += Array.from(word).length;
    return [start, at, kind];
  });
  return { name, text: words.map(([word]) => word).join(''), words: cut };
};

/** @param {string} line  Words parted by blanks; a class after a slash. @param {string} [name] */
export const words = (line, name = 'context') => text(name, line.split(' ').map((word) => /** @type {[string, string]} */ ([word.split('/')[0], word.split('/')[1] ?? ''])));

export const GARDEN = words('傍晚 ， 小满 抱/verb 着 花盆 从/preposition 阳台 上/locative 走/verb 进/directional 客厅 ， 把 花盆 摆/verb 在/preposition 窗台 左边/locative 。 花盆 旁边/locative 趴/verb 着 一 只 橘猫 ， 它 正 朝/preposition 门口/place 张望 。');

const work = (assignment, mode, task, form, texts, more = {}) => ({
  assignment, state: 'new', version: 0, part: 'annotate', batch: { id: 'b1', name: '第一批', task, mode, instructions: '' },
  item: { id: `i-${assignment}`, qid: `${task}-${assignment}`, number: 3, of: 20 }, texts, form: { task, mode, parts: form },
  sheet: { choices: {}, texts: {}, records: [], waivers: [] }, source: 'empty', suggestion: null, findings: [], thread: [], reviews: [],
  next: null, previous: null, spent_ms: 0, time_limit_s: null, ...more,
});

const note = { kind: 'text', name: 'note', label: say('备注', 'note'), lines: 2, required: false, when: null };
const tuples = { kind: 'records', name: 'records', label: say('元组', 'tuples'), types: [TUPLE, COREF], most: 100, when: null };
const option = (value, zh, en, key) => ({ value, label: say(zh, en), key });

export const roles = (id, more = {}) => work(id, 'annotate', '2023/roles', [tuples, note], [GARDEN], more);

const slot = (name, key, colour, shape) => field(name, key, { colour, shape, group: name[0] === 'S' ? 'entity' : name[0] === 'P' ? 'place' : 'event', many: false });

export const attribute = (id, more = {}) => work(id, 'annotate', '2022/attribute', [
  { kind: 'choice', name: 'level', label: say('有没有空间语义异常', 'spatial anomaly'), required: true, many: false, when: null, options: [option('bad', '存在异常', 'anomalous', '1'), option('fine', '并无异常', 'fine', '2'), option('unsuitable', '不适合', 'unsuitable', '3')] },
  { kind: 'records', name: 'records', label: say('归因', 'reasons'), most: 20, when: { name: 'level', in: ['bad', 'unsuitable'] }, types: [
    { type: 'A', label: say('搭配不当', 'collocation'), least_fields: 2, frame: say('{text1} 与 {text2} 搭配不当', '{text1} does not go with {text2}'), fields: [field('text1', 't', { label: say('片段一', 'text 1'), colour: 3, many: false }), field('text2', 'y', { label: say('片段二', 'text 2'), colour: 4, many: false })] },
    { type: 'B', label: say('语义冲突', 'conflict'), least_fields: 4, frame: say('{S1} {P1} {E1} 与 {S2} {P2} {E2} 语义冲突', '{S1} {P1} {E1} conflicts with {S2} {P2} {E2}'), fields: [slot('S1', 'a', 0, 'dashed'), slot('P1', 'i', 1, 'dashed'), slot('E1', 'w', 2, 'dashed'), slot('S2', 'd', 0, 'double'), slot('P2', 'o', 1, 'double'), slot('E2', 'r', 2, 'double')] },
  ] },
  note,
], [words('小满 把 钥匙 锁/verb 进/directional 抽屉 外面/locative ， 又 从/preposition 抽屉 里/locative 取/verb 出/directional 信封 。')], more);

export const judge = (id, more = {}) => work(id, 'human', '2022/judge', [
  { kind: 'choice', name: 'judge', label: say('这句话的空间表达', 'the sentence is'), required: true, many: false, when: null, options: [option('true', '正常', 'fine', '1'), option('false', '异常', 'wrong', '2')] },
], [words('老人 坐/verb 在/preposition 桥 下面/locative 钓鱼 。')], { time_limit_s: 90, suggestion: { predictor: 'rule', sheet: { choices: { judge: ['true'] }, texts: {}, records: [], waivers: [] } }, ...more });

export const scene = (id, more = {}) => work(id, 'annotate', '2023/scene', [
  { kind: 'choice', name: 'judge', label: say('两段文字的空间场景是否相同', 'same scene'), required: true, many: false, when: null, options: [option('true', '相同', 'same', '1'), option('false', '不同', 'different', '2')] },
  { kind: 'text', name: 'reason', label: say('理由', 'reason'), lines: 4, required: true, when: null, frame: say('两段都说{实体}在{处所}。', 'Both say that {entity} is at {place}.') },
], [words('灯笼 挂/verb 在/preposition 屋檐 下/locative ， 风 一 吹 就 晃 。', 'context1'), words('灯笼 挂/verb 在/preposition 屋檐 上/locative ， 风 一 吹 就 晃 。', 'context2')], more);

export const grade = (id, more = {}) => work(id, 'grade', '2023/scene', [
  { kind: 'choice', name: 'grade', label: say('给理由打分', 'grade the reason'), required: true, many: false, when: null, options: ['0', '1', '2', '3', '4', '5'].map((one) => option(one, one, one, one)) }, note,
], [...scene(id).texts, words('不同', 'judge'), words('一 个 在 屋檐 下 ， 一 个 在 屋檐 上 。', 'reason')], more);

export const author = (id, more = {}) => work(id, 'author', '2023/scene', [
  { kind: 'text', name: 'context1', label: say('文本一', 'text 1'), lines: 4, required: true, when: null },
  { kind: 'text', name: 'context2', label: say('文本二', 'text 2'), lines: 4, required: true, when: null },
], [words('上面', 'word1'), words('下面', 'word2')], more);

/** Characters of the garden text by what they say. @param {string} part @param {number} [nth] */
export function at(part, nth = 1) {
  const chars = Array.from(GARDEN.text);
  const wanted = Array.from(part);
  let found = -1;
  for (let i = 0, seen = 0; i + wanted.length <= chars.length && seen < nth; i += 1) {
    if (wanted.every((char, j) => chars[i + j] === char)) [seen, found] = [seen + 1, i];
  }
  return wanted.map((_, j) => found + j);
}

export const filled = () => ({
  choices: {}, texts: {}, waivers: [], records: [
    { id: 1, type: 'tuple', fields: { 空间实体: [{ idxes: at('花盆') }], 事件: [{ idxes: at('走') }], 时间: [{ idxes: at('傍晚') }], 起点: [{ idxes: at('从阳台上') }], 终点: [{ idxes: at('进客厅') }] } },
    { id: 2, type: 'tuple', fields: { 空间实体: [{ idxes: at('花盆', 2) }], 事件: [{ idxes: at('摆') }], 处所: [{ idxes: at('在窗台左边') }] } },
    { id: 3, type: 'tuple', fields: { 空间实体: [{ idxes: at('橘猫') }, { idxes: at('它') }], 事件: [{ idxes: at('趴') }], 处所: [{ idxes: [...at('花盆', 3), ...at('旁边')] }, { idxes: [...at('窗台'), ...at('旁边')] }], 朝向: [{ idxes: at('朝门口') }] } },
    { id: 4, type: 'coref', fields: { mention: [{ idxes: at('橘猫') }, { idxes: at('它') }] } },
  ],
});

/** An item from a dump of a derived form. @param {string} file @param {string} id */
export function from(file, id) {
  const { form, examples } = JSON.parse(readFileSync(file, 'utf8'));
  const example = examples[0] ?? { texts: [GARDEN], sheet: {}, findings: [] };
  return work(id, form.mode, form.task, form.parts, example.texts, { sheet: { choices: {}, texts: {}, records: [], waivers: [], ...example.sheet }, source: 'person', findings: example.findings ?? [], version: 1 });
}
