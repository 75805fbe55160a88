// Brings the folder of a competition as a zip file: to its page when it is sound, with every defect when it is not.

import { csrf } from '../fangwei.js';

const form = /** @type {HTMLFormElement | null} */ (document.getElementById('upload'));
const answer = /** @type {HTMLElement} */ (document.getElementById('answer'));

/**
 * Shows a message and what it lists.
 * @param {string} message
 * @param {string[]} lines
 */
function tell(message, lines) {
  const said = document.createElement('p');
  said.className = 'error';
  said.textContent = message;
  const list = document.createElement('ul');
  for (const line of lines) {
    const item = document.createElement('li');
    item.textContent = line;
    list.append(item);
  }
  answer.replaceChildren(said, list);
}

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const archive = /** @type {File} */ (data.get('archive'));
  const reason = encodeURIComponent(String(data.get('reason') ?? ''));
  const headers = { 'content-type': 'application/zip', 'x-csrf-token': csrf() };
  const sent = await fetch(`/api/contests?reason=${reason}`, { method: 'POST', headers, body: archive });
  const body = await sent.json();
  if (sent.ok) {
    location.assign(`/contests/${body.contest}/manage`);
    return;
  }
  const defects = /** @type {{line: number | null, pointer: string, message: string, expected: string, found: string}[]} */ (body.detail?.defects ?? []);
  tell(body.message, defects.map((one) => `${one.line ?? ''} ${one.pointer} ${one.message}: ${one.expected} / ${one.found}`));
});
