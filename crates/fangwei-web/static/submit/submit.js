// Sends a file by drop or choice, and shows its score or every defect with its line. A retry of the same file has the same name, so it is counted once.

import { show } from '../defects.js';
import { csrf, randomId } from '../fangwei.js';

const form = /** @type {HTMLFormElement | null} */ (document.getElementById('submit'));
const outcome = /** @type {HTMLElement} */ (document.getElementById('outcome'));
const table = /** @type {HTMLTableElement} */ (document.getElementById('defects'));

if (form) {
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem('file'));
  const drop = /** @type {HTMLElement} */ (document.getElementById('drop'));
  const chosen = /** @type {HTMLElement} */ (document.getElementById('chosen'));
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll('button'));
  let client = randomId();

  const named = () => {
    client = randomId();
    const file = input.files?.[0];
    chosen.textContent = file ? `${file.name} · ${file.size} B` : '';
    show(table, []);
  };
  input.addEventListener('change', named);
  for (const kind of ['dragover', 'dragleave', 'drop']) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle('over', kind === 'dragover');
    });
  }
  drop.addEventListener('drop', (event) => {
    const files = /** @type {DragEvent} */ (event).dataTransfer?.files;
    if (files?.length) {
      input.files = files;
      named();
    }
  });

  /** @param {'check' | 'submissions'} what */
  const send = async (what) => {
    const file = input.files?.[0];
    if (!file || !form.reportValidity()) return;
    const fields = new FormData(form);
    const [phase = '', task = ''] = String(fields.get('place') ?? '').split('|');
    const query = new URLSearchParams({ file: file.name, note: String(fields.get('note') ?? ''), phase, task, client });
    buttons.forEach((button) => (button.disabled = true));
    outcome.textContent = outcome.dataset.sends ?? '';
    try {
      const headers = { 'content-type': 'application/octet-stream', 'x-csrf-token': csrf() };
      const path = `/api/contests/${form.dataset.contest}/${what}?${query}`;
      const answer = await fetch(path, { method: 'POST', headers, body: file });
      // A proxy whose node is gone: the file may have been taken. Under the same name it is the same submission, so the name stays.
      if (answer.status > 500) throw new Error(String(answer.status));
      const said = await answer.json().catch(() => ({ message: String(answer.status) }));
      if (!answer.ok) {
        outcome.textContent = said.message;
        show(table, said.detail?.defects ?? []);
        if (answer.status < 500) client = randomId();
      } else if (what === 'check') {
        outcome.textContent = said.ok ? `${outcome.dataset.good}${said.phase} · ${said.task} · ${said.records}` : `${said.errors}`;
        show(table, said.defects);
      } else {
        location.assign(`/contests/${form.dataset.contest}/submissions/${said.submission.id}`);
      }
    } catch {
      outcome.textContent = outcome.dataset.lost ?? '';
    } finally {
      buttons.forEach((button) => (button.disabled = false));
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send('submissions');
  });
  document.getElementById('check')?.addEventListener('click', () => void send('check'));
}
