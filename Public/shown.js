/**
 * Which state a page shows, and when a run is over. Pure.
 *
 * A page knows two states of a list: the list's (everybody's) and its own (of the gesture its finger makes).
 *
 * @typedef {'waiting' | 'primed' | 'loading' | 'closing'} Phase
 */

/**
 * @param {{phase: Phase} | null} list the list's state
 * @param {{phase: Phase, progress: number} | null} own the gesture's, null while there is none
 * @returns {{phase: Phase, progress: number}}
 */
export function shown(list, own) {
  if (list?.phase === 'loading') return { phase: 'loading', progress: 1 };
  if (own) return own;
  return list?.phase === 'closing' ? { phase: 'closing', progress: 1 } : { phase: 'waiting', progress: 0 };
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

/** Run identifiers end in a number that rises within an epoch. */
function number(run) {
  return Number(/\d+$/.exec(run)?.[0] ?? NaN);
}
