/**
 * A page's copy of one list, or of the part of a long one that is looked at: rows by key, in order of position, at one epoch
 * and revision.
 * Pure: no socket and no document. These are the rules that refreshable.v1 gives to clients.
 *
 * @typedef {import('../refreshable-list.js').Row} Row
 * @typedef {'applied' | 'held' | 'old' | 'behind' | 'lost'} Effect
 *   applied: the rows are at the frame's revision now · held: parts are missing yet · old: nothing new in it ·
 *   behind: a gap, watch again with `resume` · lost: this copy was unusable and is now empty, watch again
 */
export class Replica {
  /** @type {string | null} */ epoch = null;
  /** @type {number | null} null: nothing has come yet */ revision = null;
  /** How many rows the whole list has; null: all of them are here. @type {number | null} */ total = null;
  /** Whether these are the first that were found, and the rest is still being looked for. */ isSearching = false;
  /** How many come before these. */ first = 0;
  /** @type {Map<string, Row>} */ #rows = new Map();
  /** @type {Row[] | null} */ #ordered = null;
  /** @type {object[]} */ #parts = [];
  #isLost = false;

  /** @returns {Row[]} in order of position; not to be changed */
  get rows() {
    return (this.#ordered ??= [...this.#rows.values()].sort((a, b) => a.position - b.position));
  }

  /** @returns {number} */
  get count() {
    return this.#rows.size;
  }

  /** What a `watch` message carries so that the server sends only what is newer. */
  get resume() {
    return this.revision === null || this.#isLost ? {} : { epoch: this.epoch, revision: this.revision };
  }

  /** A watch was answered: parts of an earlier answer will not be completed. */
  begin() {
    this.#parts = [];
  }

  /**
   * Takes a snapshot or patch frame.
   * @param {object} frame
   * @returns {{effect: Effect, changes?: import('../refreshable-list.js').Changes}}
   */
  apply(frame) {
    const refusal = frame.type === 'patch' ? this.#refusal(frame) : null;
    if (refusal) return { effect: refusal };
    const [first] = this.#parts;
    const continues = first && ['type', 'from', 'revision'].every((name) => first[name] === frame[name]);
    this.#parts = continues ? [...this.#parts, frame] : [frame];
    if (frame.last === false) return { effect: 'held' };
    const parts = this.#parts;
    this.#parts = [];
    return frame.type === 'snapshot' ? this.#replace(parts) : this.#patch(parts, frame);
  }

  /** @returns {Effect | null} */
  #refusal(patch) {
    if (patch.epoch !== this.epoch) return this.#lose();
    if (patch.revision <= this.revision) return 'old';
    return patch.from > this.revision ? 'behind' : null;
  }

  /**
   * The rows stay for people to see; the next watch asks for all of them.
   * @returns {Effect}
   */
  #lose() {
    this.#isLost = true;
    return 'lost';
  }

  /** @returns {{effect: Effect, changes?: import('../refreshable-list.js').Changes}} */
  #replace(parts) {
    const before = this.#rows;
    const rows = parts.flatMap((part) => part.rows);
    // Those of a part that is looked at come without their fields where these are here already.
    for (const row of rows) row.fields ??= before.get(row.key)?.fields;
    if (rows.some(({ fields }) => !fields)) return { effect: this.#lose() };
    this.#rows = new Map(rows.map((row) => [row.key, row]));
    const changes = { inserted: [], changed: [], moved: [], removed: [] };
    for (const row of this.#rows.values()) note(changes, before.get(row.key), row);
    for (const key of before.keys()) if (!this.#rows.has(key)) changes.removed.push(key);
    return this.#arrive(parts.at(-1), changes);
  }

  /** @returns {{effect: Effect, changes?: import('../refreshable-list.js').Changes}} */
  #patch(parts, last) {
    const set = parts.flatMap((part) => part.set ?? []);
    if (set.some(({ key, fields }) => !fields && !this.#rows.has(key))) return { effect: this.#lose() };
    const changes = { inserted: [], changed: [], moved: [], removed: [] };
    for (const key of parts.flatMap((part) => part.remove ?? [])) if (this.#rows.delete(key)) changes.removed.push(key);
    for (const { key, position, fields } of set) {
      const before = this.#rows.get(key);
      const row = { key, position, fields: fields ?? before.fields };
      note(changes, before, row);
      this.#rows.set(key, row);
    }
    if (last.count !== undefined && last.count !== this.count) return { effect: this.#lose() };
    return this.#arrive(last, changes);
  }

  /** @returns {{effect: Effect, changes: import('../refreshable-list.js').Changes}} */
  #arrive({ epoch, revision, first = 0, total = null, searching = false }, changes) {
    this.epoch = epoch;
    this.revision = revision;
    this.first = first;
    this.total = total;
    this.isSearching = searching;
    this.#ordered = null;
    this.#isLost = false;
    return { effect: 'applied', changes };
  }
}

/** Fields are canonical JSON: equal ones are written alike. Most are plain values, which need not be written. */
export function differ(before, after) {
  if (before === after) return false;
  const names = Object.keys(after);
  if (names.length !== Object.keys(before).length) return true;
  return names.some((name) => before[name] !== after[name] && JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/**
 * Records the change of a row. A changed position counts as moved, whichever row caused it. Fields that are
 * equal stay the same object, so that they are not drawn again.
 */
function note(changes, before, row) {
  if (!before) changes.inserted.push(row.key);
  else if (differ(before.fields, row.fields)) changes.changed.push(row.key);
  else {
    row.fields = before.fields;
    if (before.position !== row.position) changes.moved.push(row.key);
  }
}
