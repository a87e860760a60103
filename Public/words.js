import { lazy, times } from './time.js';

/**
 * All that the element shows and speaks, in English. The other languages (languages.js) have the same keys. Forms of a
 * number are named as `Intl.PluralRules` names them, and `#` stands for it; texts with something in them are functions.
 */
export const english = {
  // A list's configuration and the element's attributes may say others for the phases.
  waiting: 'Pull to refresh', primed: 'Release to refresh', loading: 'Refreshing…', closing: 'Updated',
  connecting: 'Connecting…', kept: 'Offline, will refresh when connected',

  refresh: 'Refresh', cancel: 'Cancel', retry: 'Retry', loadMore: 'Load more',
  loadingMore: 'Loading…', notMore: 'Couldn’t load more', exhausted: 'No more rows',
  missed: { other: '↑ # new' },
  empty: 'Nothing here yet', lookAgain: 'Pull down to look again.',
  offline: 'Offline', reconnecting: 'Reconnecting…',

  now: 'just now', on: '', updated: (ago) => `Updated ${ago}`, stale: 'Out of date',
  share: (completed, total) => `${completed} of ${total}`,

  refreshing: 'Refreshing', cancelled: 'Cancelled', late: 'Took too long', fresh: 'Already up to date',
  noNews: 'No new rows', news: { one: '# new row', other: '# new rows' },
  spoken: (said, time) => `${said}, updated ${time}`, updatedAt: (time) => `Updated ${time}`,
  failure: (message) => `Refresh failed: ${message}`,

  failed: 'Couldn’t refresh', timeout: 'The refresh took too long', notCancelled: 'Couldn’t cancel',
  noList: 'No list', unknownList: 'No such list', notShown: 'This list can’t be shown', disconnected: 'Disconnected',
  // Said of a fault by its code, where no message came with it.
  badField: 'Give the element a list, as src="/lists/names", or a handler.',
  notRefreshable: 'This list can’t be refreshed.', refused: 'The page refused the refresh.',
  unavailable: 'The server could not be reached. Try again once you are connected.',
  ended: 'The server ended the connection.',
};

/**
 * A language's texts, ready to be said: with counts, times and numbers as people write them there.
 * @param {string} locale as “de-AT”
 * @param {typeof english} table
 */
export function speak(locale, table = english) {
  const select = lazy(() => new Intl.PluralRules(locale), 'select');
  const format = lazy(() => new Intl.NumberFormat(locale), 'format');
  const counted = (forms) => (count) => (forms[select(count)] ?? forms.other).replace('#', format(count));
  return { ...table, ...times(locale, table), number: format, missed: counted(table.missed), news: counted(table.news) };
}

/** The age of the rows, and whether a refresh failed since. */
export function age(state, words) {
  // A clock that is behind the server's must not have rows from the future.
  const updated = state?.updatedAt ? words.updated(words.ago(Math.min(state.updatedAt, Date.now()), words.on)) : '';
  return [state?.staleSince && words.stale, updated].filter(Boolean).join(' · ');
}

/** A failed run as a title and a text meant for people; null where the last one did not fail. */
export function fault({ last }, words) {
  if (!last?.outcome || last.outcome === 'success' || last.outcome === 'cancelled') return null;
  // A page that failed says so where it would have been.
  if (last.cause === 'more') return null;
  return { title: last.outcome === 'timeout' ? words.timeout : words.failed, message: last.error?.message ?? '' };
}

/** How a run went, in a word or two. @param {string} [closing] said of a success, instead of what is new */
export function result({ last }, words, closing) {
  const bad = { failure: words.failed, timeout: words.late, cancelled: words.cancelled }[last?.outcome];
  return bad ?? closing ?? news(last, words) ?? words.closing;
}

/** The same, as a sentence to be spoken. */
export function sentence(state, words) {
  const { last, updatedAt } = state;
  const failed = fault(state, words);
  if (failed) return failed.message ? words.failure(failed.message) : failed.title;
  if (last?.outcome === 'cancelled' || !updatedAt) return result(state, words);
  const time = words.clock(updatedAt);
  const told = news(last, words);
  return told ? words.spoken(told, time) : words.updatedAt(time);
}

/** How far a run has come, as “120 of 400 · page 3”. */
export function report({ completed, total, note }, { number, share }) {
  const done = completed ? number(completed) : '';
  return [total ? share(number(completed), number(total)) : done, note].filter(Boolean).join(' · ');
}

/** @returns {string | null} null where rows changed, but none are new, or nothing is known of them */
function news(last, words) {
  const { inserted, changed, moved, removed } = last?.changes ?? { changed: 1 };
  if (inserted) return words.news(inserted);
  return changed || moved || removed ? null : words.noNews;
}
