// Sends a file of items and shows what came of it: how many, or every defect with its line.

import { csrf } from '../fangwei.js';

const form = /** @type {HTMLFormElement} */ (document.getElementById('import'));
const outcome = /** @type {HTMLElement} */ (document.getElementById('outcome'));
const table = /** @type {HTMLTableElement} */ (document.getElementById('defects'));

/**
 * Fills the table of defects.
 * @param {{line: number | null, qid: string | null, pointer: string, message: string, expected: string, found: string}[]} defects
 */
function show(defects) {
  const body = table.tBodies[0] ?? table.createTBody();
  body.replaceChildren();
  for (const defect of defects) {
    const row = body.insertRow();
    for (const value of [defect.line, defect.qid, defect.pointer, defect.message, defect.expected, defect.found]) {
      row.insertCell().textContent = String(value ?? '');
    }
  }
  table.hidden = defects.length === 0;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  const file = /** @type {File} */ (fields.get('file'));
  const query = new URLSearchParams({ file: file.name, checks: String(fields.has('checks')), gold: String(fields.has('gold')) });
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  button.disabled = true;
  try {
    const headers = { 'content-type': 'application/octet-stream', 'x-csrf-token': csrf() };
    const answer = await fetch(`/api/batches/${form.dataset.batch}/items?${query}`, { method: 'POST', headers, body: file });
    const said = await answer.json().catch(() => ({ message: String(answer.status) }));
    outcome.textContent = answer.ok ? `${outcome.dataset.done}${said.items}` : said.message;
    show(answer.ok ? said.noticed : said.detail?.defects ?? []);
    if (answer.ok && said.noticed.length === 0) location.reload();
  } catch {
    outcome.textContent = outcome.dataset.lost ?? '';
  } finally {
    button.disabled = false;
  }
});
