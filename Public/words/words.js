import { lazy, times } from './time.js';

/**
 * All that the element shows and speaks, in English; the other languages (translations.js) have the same keys. A text with
 * `#` is a template for a value, in the form that `Intl.PluralRules` selects if there are several.
 */
export const english = {
  // A list's configuration and the element's attributes may say others for the phases.
  waiting: 'Pull to refresh', primed: 'Release to refresh', loading: 'Refreshing…',
  connecting: 'Connecting…', queued: 'Will refresh when connected',

  refresh: 'Refresh', cancel: 'Cancel', hide: 'Hide', retry: 'Retry', loadMore: 'Load more',
  loadingMore: 'Loading…', notMore: 'Couldn’t load more', exhausted: 'No more rows',
  missed: '↑ # new', details: 'Details', find: 'Find', noneFound: 'Nothing found', empty: 'Nothing here yet', notLoaded: 'Not loaded yet', offline: 'Offline',

  now: 'just now', updated: 'Updated #', stale: 'Out of date', share: '# of #', cancelled: 'Cancelled',
  noNews: 'No new rows', news: { one: '# new row', other: '# new rows' },
  // Of rows that have a name of their own: how many, and what they are called.
  newOf: '# new #', changedOf: '# # changed', changes: { one: '# row changed', other: '# rows changed' }, upToDate: 'Up to date',

  // Of a row's actions: the menu's name, and what is said after “Archive: Alpha”.
  unread: 'Unread', markSeen: 'Mark as read', markUnseen: 'Mark as unread',
  actionsFor: 'Actions for #', undo: 'Undo', actFailed: 'Couldn’t be done', actQueued: 'Waits for the connection',

  failed: 'Refresh failed', unknownList: 'No such list', notShown: 'This list can’t be shown',
  unavailable: 'The server can’t be reached.',
};

/**
 * What a server says of a fault, in the language's own text for its code where that has one; English is as it was sent.
 * @typedef {{code?: string, message?: string, values?: string[]}} Fault
 */

/**
 * A language's texts as functions.
 * @typedef {ReturnType<typeof speak>} Words
 * @param {string} locale as “de-AT”
 * @param {Record<string, any>} table named as `english` is
 */
export function speak(locale, table = english) {
  const select = lazy(() => new Intl.PluralRules(locale), 'select');
  const number = lazy(() => new Intl.NumberFormat(locale), 'format');
  const put = (text, value) => text.replace('#', () => (typeof value === 'number' ? number(value) : value));
  const language = locale.slice(0, 2);
  /** What a list calls so many rows; undefined where it has no word for them. @returns {string | undefined} */
  const called = (noun, count) => {
    const forms = noun?.[language] ?? noun?.[''];
    return forms?.[select(count)] ?? forms?.other;
  };
  /** @param {Fault} fault */
  const explain = ({ code, message = '', values = [] }) => {
    const own = table.errors?.[code];
    const text = own ? values.reduce(put, own) : message;
    // A server of another version may tell less.
    return own && text.includes('#') ? message : text;
  };
  const words = Object.entries(table).filter(([key]) => key !== 'errors').map(([key, text]) => {
    if (text.other) return [key, (count) => put(text[select(count)] ?? text.other, count)];
    return [key, text.includes('#') ? (...values) => values.reduce(put, text) : text];
  });
  return { ...Object.fromEntries(words), ...times(locale, table.now), locale, number, called, explain };
}

/**
 * The age of the rows, and whether a later refresh failed or is impossible. Empty before the first rows.
 * @param {string} [connection] what is to be said of it
 */
export function age(state, words, connection = '') {
  const { updatedAt, staleSince } = state ?? {};
  // A clock that is behind the server's must not have rows from the future.
  const updated = updatedAt ? words.updated(words.ago(Math.min(updatedAt, Date.now()))) : '';
  return [connection || (updated && staleSince && words.stale), updated].filter(Boolean).join(' · ');
}

/** A failed run as a title and a text meant for people; null where the last one did not fail. */
export function fault({ last }, words) {
  if (!last?.outcome || last.outcome === 'success' || last.outcome === 'cancelled') return null;
  // A page that failed says so where it would have been.
  if (last.cause === 'more') return null;
  return { title: words.failed, message: words.explain(last.error ?? {}) };
}

/**
 * The outcome of a run, in a word or two.
 * @param {any} state @param {Words} words
 * @param {object} [noun] what the list calls its rows
 * @param {string} [closing] the text of a success, instead of what is new
 */
export function result({ last }, words, noun, closing) {
  if (last?.outcome === 'cancelled') return words.cancelled;
  if (last?.outcome && last.outcome !== 'success') return words.failed;
  return closing ?? news(last, words, noun) ?? words.upToDate;
}

/** The same, as a sentence to be spoken. */
export function sentence(state, words, noun) {
  const { last, updatedAt } = state;
  const failed = fault(state, words);
  if (failed) return [failed.title, failed.message].filter(Boolean).join(': ');
  if (last?.outcome === 'cancelled' || !updatedAt) return result(state, words, noun);
  const updated = words.updated(words.clock(updatedAt));
  const told = news(last, words, noun);
  return told ? `${told}, ${updated[0].toLowerCase()}${updated.slice(1)}` : updated;
}

/**
 * The progress of a run, as “120 of 400 · page 3”; a note with the total replaces it.
 * @param {{completed?: number, total?: number, note?: string}} progress @param {Words} words
 */
export function report({ completed, total, note }, { number, share }) {
  if (total && note?.includes(`${total}`)) return note;
  const done = completed && number(completed);
  return [total ? share(completed, total) : done, note].filter(Boolean).join(' · ');
}

/** @returns {string | null} null where rows only went or moved, or nothing is known of them */
function news(last, words, noun) {
  const { inserted, changed, moved, removed } = last?.changes ?? { moved: 1 };
  const name = words.called(noun, inserted || changed || 0);
  if (inserted) return name ? words.newOf(inserted, name) : words.news(inserted);
  if (changed) return name ? words.changedOf(changed, name) : words.changes(changed);
  return moved || removed ? null : words.noNews;
}
