// Merging marks: a tick at each record of each side; what is ticked stands together in the merged mark, which can still be changed by hand.

/** @param {string} pointer */
const steps = (pointer) => pointer.split('/').slice(1).map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));

/**
 * The value at a pointer.
 * @param {any} value
 * @param {string[]} path
 * @returns {any}
 */
const at = (value, path) => path.reduce((inner, step) => inner?.[step], value);

const form = document.querySelector('#decide');
const area = /** @type {HTMLTextAreaElement | null} */ (form?.querySelector('textarea[name="mark"]') ?? null);
const zh = document.documentElement.lang.startsWith('zh');

/** @typedef {{box: HTMLInputElement, mark: any, pointer: string}} Choice */
/** @type {Choice[]} */
const choices = [];

for (const side of form?.querySelectorAll('.side') ?? []) {
  const mark = JSON.parse(side.getAttribute('data-mark') ?? 'null');
  for (const record of side.querySelectorAll('.shown.record, .shown.coref')) {
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    label.className = 'box';
    label.append(box, zh ? '保留' : 'keep');
    record.querySelector('h3')?.after(label);
    choices.push({ box, mark, pointer: record.getAttribute('data-pointer') ?? '' });
    box.addEventListener('change', merge);
  }
}

/** Puts the ticked records together, each list in the order of the page and equal records once. */
function merge() {
  const [first] = choices;
  if (!area || !first) return;
  const merged = structuredClone(first.mark);
  /** @type {Map<string, string[]>} */
  const lists = new Map();
  for (const { mark, pointer } of choices) {
    const path = steps(pointer).slice(0, -1);
    if (Array.isArray(at(mark, path))) lists.set(path.join('/'), path);
  }
  for (const path of lists.values()) {
    const ticked = choices.filter(({ box, pointer }) => box.checked && steps(pointer).slice(0, -1).join('/') === path.join('/'));
    const records = ticked.map(({ mark, pointer }) => at(mark, steps(pointer)));
    const distinct = records.filter((record, place) => records.findIndex((other) => JSON.stringify(other) === JSON.stringify(record)) === place);
    const [parent, name] = [at(merged, path.slice(0, -1)), path.at(-1)];
    if (parent && name !== undefined) parent[name] = distinct;
  }
  area.value = JSON.stringify(merged);
}
