// What every page has: times in the reader's own zone, and requests that carry the secret of the session.

/** The secret that a change must carry. */
export const csrf = () => document.querySelector('meta[name="csrf"]')?.getAttribute('content') ?? '';

/** A name that nothing else has; `crypto.randomUUID` is missing over plain HTTP. @returns {string} */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Sends JSON and gives the answer with its status; a network failure throws.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {RequestInit} [more]
 * @returns {Promise<{status: number, body: any}>}
 */
export async function send(method, path, body, more = {}) {
  const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf() };
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), ...more });
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  return { status: answer.status, body: isJson ? await answer.json() : null };
}

/**
 * Tells times in the reader's own zone.
 * @param {ParentNode} root
 */
export function times(root) {
  for (const time of root.querySelectorAll('time[data-ms]')) {
    const date = new Date(Number(time.getAttribute('data-ms')));
    time.setAttribute('title', time.textContent + ' UTC');
    time.setAttribute('datetime', date.toISOString());
    time.textContent = date.toLocaleString(document.documentElement.lang, { dateStyle: 'short', timeStyle: 'short' });
  }
}

times(document);
