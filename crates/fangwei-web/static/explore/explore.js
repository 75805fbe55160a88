// The form of the page on which passages are explored: counts code points as the server does, and Ctrl+Enter sends.

const area = /** @type {HTMLTextAreaElement | null} */ (document.querySelector('#text'));
const count = /** @type {HTMLElement | null} */ (document.querySelector('#count'));

/** Tells how long the passage is. */
function tell() {
  if (!area || !count) return;
  const [found, most] = [Array.from(area.value).length, Number(area.dataset.most)];
  count.textContent = `${found} ${count.dataset.says} ${most}`;
  count.classList.toggle('over', found > most);
}

area?.addEventListener('input', tell);
area?.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  area.form?.requestSubmit();
});
tell();

export {};
