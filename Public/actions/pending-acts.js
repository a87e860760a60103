import { differ } from '../connection/replica.js';

/**
 * The acts of this page's person that are not over, and what rows look like meanwhile (an optimistic update). Pure: no
 * socket, no clock, no document.
 *
 *     asked ──ok, a run──▶ running ──success──▶ arriving ──its revision is here──▶ gone
 *       │                     └──────failure──▶ gone: the row is as it was
 *       └──ok, no run; error──▶ gone
 *
 * @typedef {import('../connection/replica.js').Row} Row
 * @typedef {'remove' | Record<string, unknown> | undefined} Effect
 *   what an action does to a row: the fields that it sets, of which null takes one away
 *
 * @typedef {object} Act
 * @property {string} key of the wish
 * @property {string} action its name
 * @property {string} row the key of the row
 * @property {string} title what the row is called
 * @property {number} at when it was asked for, in milliseconds since 1970
 * @property {string} [undoes] the run that it undoes
 * @property {Effect} [effect]
 * @property {Row} [before] the row before the act; where it undoes one, the row that comes back
 * @property {boolean} [isSent] whether the server may know of it
 * @property {boolean} [isStored] whether an earlier visit, or another tab, asked for it
 * @property {string} [run] that does it
 * @property {{completed?: number, total?: number, note?: string}} [progress]
 *
 * @typedef {object} Result how an act ended
 * @property {'success' | 'failure' | 'timeout' | 'cancelled' | 'gone' | 'refused' | 'spent'} outcome
 * @property {{code?: string, message?: string, values?: string[]}} [error]
 * @property {number} [undo] for how many milliseconds it can be undone
 */
export class PendingActs {
  /** @type {Map<string, Act>} by their keys, in the order in which they were asked for */ #acts = new Map();
  /** Those that succeeded, until their revision is here. @type {Map<Act, {epoch: string | null, revision: number}>} */ #arriving = new Map();
  /** Fields as the newest act shows them: equal ones stay the same object. @type {WeakMap<Act, [object, object]>} */ #merged = new WeakMap();

  /** @param {Act} act */
  add(act) {
    this.#acts.set(act.key, act);
  }

  /** It was not sent, and never will be. @param {Act} act */
  drop(act) {
    this.#acts.delete(act.key);
  }

  clear() {
    this.#acts.clear();
    this.#arriving.clear();
  }

  /** @returns {Act[]} that are not over */
  get unfinished() {
    return [...this.#acts.values()].filter((act) => !this.#arriving.has(act));
  }

  /** The newest act on a row that is not over. @param {string} row its key */
  on(row) {
    return this.unfinished.findLast((act) => act.row === row);
  }

  /**
   * @param {Act} act @param {any} answer of the server to its message
   * @returns {Result | null} null: it is not over; a run does it, or it is to be sent again
   */
  answered(act, answer) {
    if (answer.type === 'error' && answer.retry !== 'never') return null;
    act.run = answer.run ?? undefined;
    if (act.run) return null;
    this.drop(act);
    const { code, message, values, reason } = answer;
    return reason ? { outcome: reason, error: { message } } : { outcome: 'failure', error: { code, message, values } };
  }

  /**
   * @param {any} frame of the type `act` @param {{epoch: string | null, revision: number | null}} replica where the rows are
   * @returns {[Act, Result][]} those that are over
   */
  receive(frame, { epoch, revision }) {
    const acts = this.unfinished.filter(({ run }) => run === frame.run);
    if (frame.phase !== 'closing') {
      for (const act of acts) act.progress = frame;
      return [];
    }
    // A failure has no revision.
    const isHere = frame.revision === undefined || frame.revision <= (revision ?? 0);
    for (const act of acts) {
      if (isHere) this.drop(act);
      else this.#arriving.set(act, { epoch, revision: frame.revision });
    }
    return acts.map((act) => [act, frame]);
  }

  /**
   * Rows came: what is in them need not be shown by us. In another epoch there is all that was done before.
   * @param {{epoch: string | null, revision: number | null, rows: Row[]}} replica where they are; fields that are as we showed
   *   them become the same object, so that nobody draws them again
   */
  arrived({ epoch, revision, rows }) {
    for (const [act, at] of this.#arriving) {
      if (at.epoch === epoch && revision < at.revision) continue;
      this.#arriving.delete(act);
      this.drop(act);
      const row = rows.find(({ key }) => key === act.row);
      const shown = this.#merged.get(act)?.[1] ?? act.before?.fields;
      if (row && shown && !differ(shown, row.fields)) row.fields = shown;
    }
  }

  /** @param {Row[]} rows as the server has them, in order @returns {Row[]} as they are to be shown; the same array where nothing is pending */
  show(rows) {
    if (!this.#acts.size) return rows;
    /** @type {Map<string, Act[]>} */
    const byRow = new Map();
    for (const act of this.#acts.values()) byRow.set(act.row, [...(byRow.get(act.row) ?? []), act]);
    const shown = [];
    for (const row of rows) {
      const after = this.#after(row, byRow.get(row.key));
      byRow.delete(row.key);
      if (after) shown.push(after);
    }
    // What comes back is not among the server's rows.
    const returned = [...byRow.values()].flatMap((acts) => this.#after(null, acts) ?? []);
    return returned.length ? [...shown, ...returned].sort((one, other) => one.position - other.position) : shown;
  }

  /** @param {Row | null} row @param {Act[]} [acts] @returns {Row | null} */
  #after(row, acts = []) {
    let shown = row;
    for (const act of acts) {
      if (act.effect === 'remove') shown = null;
      else if (!shown) shown = (act.undoes && act.before) || null;
      else if (act.effect) shown = { ...shown, fields: this.#merge(act, shown.fields) };
    }
    return shown;
  }

  #merge(act, fields) {
    const [known, merged] = this.#merged.get(act) ?? [];
    if (known === fields) return merged;
    const set = Object.entries({ ...fields, ...act.effect }).filter(([, value]) => value !== null);
    const made = Object.fromEntries(set);
    this.#merged.set(act, [fields, made]);
    return made;
  }
}

/**
 * What undoing an act does to its row.
 * @param {Act} act
 * @returns {Effect}
 */
export function inverse({ effect, before }) {
  if (!effect || effect === 'remove' || !before) return undefined;
  return Object.fromEntries(Object.keys(effect).map((name) => [name, before.fields[name] ?? null]));
}
