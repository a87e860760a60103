/**
 * Which state a page shows, and when a run is over. Pure.
 *
 * A page knows two states of a list: the list's (everybody's) and its own (of the gesture its finger makes).
 *
 * @typedef {import('../refreshable-list.js').Phase} Phase
 */

/**
 * @param {{phase: Phase} | null} list the list's state
 * @param {{phase: Phase, progress: number} | null} own the gesture's, null while there is none
 * @returns {{phase: Phase, progress: number}}
 */
export function displayedState(list, own) {
  if (list?.phase === 'loading') return { phase: 'loading', progress: 1 };
  if (own) return own;
  return list?.phase === 'closing' ? { phase: 'closing', progress: 1 } : { phase: 'waiting', progress: 0 };
}

/**
 * A person may put away a run that others want: to them the list waits.
 * @template {{phase: Phase, run?: string} | null} State
 * @param {State} state the list's @param {string | null} hidden the run that was put away
 * @returns {State}
 */
export function withoutHidden(state, hidden) {
  return state?.phase === 'loading' && state.run === hidden ? { ...state, phase: 'waiting' } : state;
}

/**
 * A page that loads at the end of the list is nothing to gestures, nor to what is shown above the rows: there the list
 * waits.
 * @param {{phase: Phase, run?: string, cause?: string, last?: {run: string, cause?: string}}} state the list's
 * @param {string | null} refreshed the newest known run that was a refresh
 * @returns {{phase: Phase, heard: string | null}} the state as it is at the top; `heard` is the newest refresh now
 */
export function ignoringPages(state, refreshed) {
  const isPage = (state.phase === 'loading' ? state.cause : state.last?.cause) === 'more';
  if (isPage) return { ...state, phase: 'waiting', heard: refreshed };
  return { ...state, heard: state.run ?? state.last?.run ?? null };
}

/**
 * Any state may be left out for a newer one: a run is over when the last run is it or a later one.
 * @param {string} run
 * @param {{last?: {run: string}} | null} state the list's
 */
export function isOver(run, state) {
  const last = state?.last?.run;
  return last !== undefined && (last === run || number(last) > number(run));
}

/** Runs end in a number that rises within an epoch. */
function number(run) {
  return Number(/\d+$/.exec(run)?.[0] ?? NaN);
}
