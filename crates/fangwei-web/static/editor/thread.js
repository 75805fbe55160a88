// Talking about an item: what reviewers said, questions and answers, a report that it is bad, and skipping it.

import { send } from '../fangwei.js';
import { askFor } from './dialogs.js';
import { h } from './dom.js';
import { say, time } from './words.js';

/** @import {Saver} from './save.js' */
/** @import {Store} from './store.js' */

/** @type {Record<string, import('./words.js').Key>} */
const VERDICTS = { approve: 'approved', approved: 'approved', return: 'returned', returned: 'returned', revise: 'revised', revised: 'revised' };

/** What reviewers said; a returned item shows it first. @param {Store} store @returns {HTMLElement[]} */
export function drawReviews(store) {
  const reviews = store.work.reviews ?? [];
  const newest = [...reviews].sort((a, b) => b.round - a.round);
  const isReturned = store.work.state === 'returned';
  return newest.filter((review, at) => review.comment || (at === 0 && isReturned)).map((review, at) => {
    const verdict = VERDICTS[review.verdict];
    const title = isReturned && at === 0 ? say('reviewReturned', review.round) : say('reviewOther', review.round, verdict ? say(verdict) : review.verdict);
    return h('aside', { class: `review${isReturned && at === 0 ? ' returned' : ''}`, 'data-key': `review-${review.round}-${at}` },
      h('strong', {}, title), ' ', h('small', {}, `${review.reviewer} · ${time(review.at)}`), h('p', {}, review.comment));
  });
}

/** @param {Store} store @returns {HTMLElement[]} */
export function drawThread(store) {
  const posts = store.work.thread ?? [];
  if (store.work.revision) return [];
  return [h('details', { class: 'thread card', 'data-key': 'thread', open: posts.some((post) => !post.mine) },
    h('summary', {}, say('thread'), ' ', h('small', {}, posts.length || '')),
    posts.length === 0 ? h('p', { class: 'soft' }, say('noPosts'))
      : h('ol', { class: 'posts' }, posts.map((post) => h('li', { class: `post${post.mine ? ' mine' : ''}`, 'data-key': `post-${post.id}` },
        h('small', {}, post.mine ? say('me') : post.author, ' · ', time(post.at), post.kind === 'report' && ` · ${say('report')}`, post.kind === 'skip' && ` · ${say('skip')}`),
        h('p', {}, post.text),
        !post.mine && h('button', { class: 'plain small', type: 'button', 'data-act': 'reply', 'data-post': post.id, 'aria-label': say('replyTo', post.author) }, say('reply'))))),
    h('form', { class: 'ask', 'data-submit': 'ask' },
      h('label', { for: 'ask-text' }, say('askLabel')),
      h('textarea', { id: 'ask-text', rows: 2, required: true, 'data-own': '' }),
      h('div', { class: 'row' }, h('button', { type: 'submit' }, say('ask')), h('button', { class: 'plain', type: 'button', 'data-act': 'report' }, say('report')))))];
}

/**
 * Sends something about the item and reads the thread again; gives the answer, or null if it was refused or did not arrive.
 * @param {Store} store
 * @param {string} what
 * @param {unknown} body
 * @returns {Promise<any>}
 */
async function tell(store, what, body) {
  const path = `/api/work/${store.work.assignment}`;
  try {
    const { status, body: answer } = await send('POST', `${path}/${what}`, body);
    if (status >= 300) {
      store.notice = answer?.message ?? say('notSent');
      store.changed();
      return null;
    }
    store.notice = say('sent');
    const fresh = await send('GET', path);
    if (fresh.status === 200) store.work.thread = fresh.body.thread;
    store.changed();
    return answer ?? {};
  } catch {
    store.notice = say('notSent');
    store.changed();
    return null;
  }
}

/** @param {Store} store @param {HTMLFormElement} form */
export async function ask(store, form) {
  const area = form.querySelector('textarea');
  if (area?.value.trim() && (await tell(store, 'ask', { text: area.value.trim() }))) area.value = '';
}

/** @param {Saver} saver @param {(id: string | null) => void} go @returns {Record<string, (store: Store, data: DOMStringMap) => void | Promise<void>>} */
export const threadActions = (saver, go) => ({
  reply: async (store, { post }) => {
    const model = store.work.thread.find((one) => one.id === post);
    const text = await askFor(say('replyTo', model?.author ?? ''), say('reply'), model?.text);
    if (text) await tell(store, 'reply', { to: post, text });
  },
  report: async (store) => {
    const text = await askFor(say('reportAsk'), say('reason'));
    if (text) await tell(store, 'report', { text });
  },
  skip: async (store) => {
    const reason = await askFor(say('skipAsk'), say('reason'));
    if (!reason) return;
    await saver.now();
    const answer = await tell(store, 'skip', { reason });
    if (answer) go(answer.next ?? null);
  },
});
