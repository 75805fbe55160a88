// Chooses a submission to count, or no longer.

import { send } from '../fangwei.js';

const button = /** @type {HTMLButtonElement | null} */ (document.getElementById('choose'));
button?.addEventListener('click', async () => {
  const { contest, submission, chosen } = button.dataset;
  const { status, body } = await send('POST', `/api/contests/${contest}/submissions/${submission}/choose`, { chosen: chosen !== 'true' });
  if (status === 200) location.reload();
  else /** @type {HTMLElement} */ (document.getElementById('outcome')).textContent = body?.message ?? String(status);
});
