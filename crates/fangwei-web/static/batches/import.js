// Sends a file of items and shows what came of it: how many, or every defect with its line.

import { show } from '../defects.js';
import { csrf } from '../fangwei.js';

const form = /** @type {HTMLFormElement} */ (document.getElementById('import'));
const outcome = /** @type {HTMLElement} */ (document.getElementById('outcome'));
const table = /** @type {HTMLTableElement} */ (document.getElementById('defects'));

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
    show(table, answer.ok ? said.noticed : said.detail?.defects ?? []);
    if (answer.ok && said.noticed.length === 0) location.reload();
  } catch {
    outcome.textContent = outcome.dataset.lost ?? '';
  } finally {
    button.disabled = false;
  }
});
