import { ago, clock } from './time.js';

/** What the page says of a list's state, in English. The list's configuration may say other texts for the phases. */
export const english = {
  waiting: 'Pull to refresh', primed: 'Release to refresh', loading: 'Refreshing…', closing: 'Updated',
};

/** The age of the rows, and whether a refresh failed since. */
export function age(state) {
  const updated = state?.updatedAt ? `Updated ${ago(state.updatedAt)}` : '';
  if (!state?.staleSince) return updated;
  return updated ? `Out of date · ${updated.toLowerCase()}` : 'Out of date';
}

/** A failed run as a title and a text meant for people; null where the last one did not fail. */
export function fault({ last }) {
  if (!last?.outcome || last.outcome === 'success' || last.outcome === 'cancelled') return null;
  // A page that failed says so where it would have been.
  if (last.cause === 'more') return null;
  const title = last.outcome === 'timeout' ? 'The refresh took too long' : 'Couldn’t refresh';
  return { title, message: last.error?.message ?? '' };
}

/** How a run went, in a word or two. */
export function result({ last }, closing = english.closing) {
  if (last?.outcome === 'failure') return 'Couldn’t refresh';
  if (last?.outcome === 'timeout') return 'Took too long';
  if (last?.outcome === 'cancelled') return 'Cancelled';
  return closing === english.closing ? (news(last?.changes) ?? closing) : closing;
}

/** The same, as a sentence to be spoken. */
export function sentence(state) {
  const { last, updatedAt } = state;
  if (fault(state)) return `Refresh failed: ${last.error?.message ?? last.outcome}`;
  return last?.outcome === 'cancelled' || !updatedAt ? result(state) : `${result(state)}, updated ${clock(updatedAt)}`;
}

/** How far a run has come, as “120 of 400 · page 3”. */
export function report({ completed, total, note }) {
  return [total ? `${completed} of ${total}` : completed || '', note].filter(Boolean).join(' · ');
}

function news({ inserted, changed, moved, removed } = { changed: 1 }) {
  if (inserted) return `${inserted} new ${inserted === 1 ? 'row' : 'rows'}`;
  return changed || moved || removed ? null : 'No new rows';
}
