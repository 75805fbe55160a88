// Hands in a file: the page is loaded again with the version that was kept, or says why it was refused.

import { csrf } from '../fangwei.js';

const outcome = /** @type {HTMLElement} */ (document.getElementById('outcome'));

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form[data-document]'))) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (form.elements.namedItem('file'));
    const file = input.files?.[0];
    if (!file) return;
    const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
    button.disabled = true;
    outcome.textContent = outcome.dataset.sends ?? '';
    try {
      const address = `${form.dataset.document}?file=${encodeURIComponent(file.name)}`;
      const headers = { 'x-csrf-token': csrf(), 'content-type': 'application/octet-stream' };
      const answer = await fetch(address, { method: 'POST', headers, body: file });
      if (answer.ok) {
        location.reload();
        return;
      }
      outcome.textContent = (await answer.json()).message;
    } catch {
      outcome.textContent = outcome.dataset.lost ?? '';
    }
    button.disabled = false;
  });
}
