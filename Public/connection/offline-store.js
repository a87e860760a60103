/** Its number rises with the format: what another version kept is not read. */
const cacheName = 'refreshable-rows-1';
/** Lists that are kept, the newest; bytes of one; milliseconds from a change till it is kept; rows that are written at once. */
const most = 20, largest = 2_000_000, pause = 2000, some = 200;

/**
 * The rows of a list between visits, in the browser's own store: shown at once when it is opened again, with or without
 * its server, and a position in its history from which the server resumes.
 */
export class OfflineStore {
  #watch;
  /** Runs while there is something new to keep. */ #timer = 0;
  /** Runs while it is being written. */ #turn = 0;
  #over = new AbortController();

  /** @param {import('./watch.js').Watch} watch */
  constructor(watch) {
    this.#watch = watch;
    const { signal } = this.#over;
    // @ts-ignore: it is a CustomEvent.
    watch.addEventListener('change', ({ detail }) => this.#hear(detail.what), { signal });
    for (const type of ['visibilitychange', 'pagehide']) addEventListener(type, () => this.save(true), { signal });
  }

  /**
   * Gives what an earlier visit kept to the list, if nothing newer has come.
   * @param {boolean} isWanted not: nothing of it is left behind, now or later
   */
  async restore(isWanted) {
    if (!isWanted) this.#over.abort();
    const { address, replica } = this.#watch;
    const cache = await caches.open(cacheName);
    if (!isWanted || this.#watch.isDenied) return cache.delete(address);
    const kept = await (await cache.match(address))?.json().catch(console.info);
    // Rows that came before us were not heard of.
    if (replica.revision !== null) this.#hear('rows');
    else if (isWhole(kept) && !this.#watch.isDenied) this.#show(kept);
  }

  /**
   * What is new is kept now.
   * @param {boolean} isLast else some rows at a time; in between the page draws, scrolls and hears fingers
   */
  async save(isLast = false) {
    const { signal } = this.#over;
    if (signal.aborted || !(this.#timer || (isLast && this.#turn))) return;
    clearTimeout(this.#timer);
    clearTimeout(this.#turn);
    this.#timer = this.#turn = 0;
    const { address, about, replica, state } = this.#watch;
    // A list that others only push to is as new as our last word of it.
    const { updatedAt = Date.now(), staleSince } = state ?? {};
    const { rows, resume, first, total } = replica;
    let kept = new Blob([JSON.stringify({ ...resume, first, total, about, updatedAt, staleSince, rows: [] }).slice(0, -2)]);
    for (let i = 0; i < rows.length && kept.size <= largest; i += some) {
      kept = new Blob([kept, i ? ',' : '', JSON.stringify(rows.slice(i, i + some)).slice(1, -1)]);
      if (isLast) continue;
      await new Promise((go) => { this.#turn = setTimeout(go); });
      if (signal.aborted) return;
    }
    this.#turn = 0;
    const cache = await caches.open(cacheName);
    if (!resume.epoch || kept.size > largest) return cache.delete(address);
    await cache.put(address, new Response(new Blob([kept, ']}']))).catch(console.info);
    // Rows that were given up meanwhile stay nowhere.
    if (replica !== this.#watch.replica) return cache.delete(address);
    const others = (await cache.keys()).filter(({ url }) => url !== address);
    for (const old of others.slice(0, 1 - most)) cache.delete(old);
  }

  /** The server no longer shows us the list: its rows are deleted. */
  async forget() {
    clearTimeout(this.#timer);
    clearTimeout(this.#turn);
    this.#timer = this.#turn = 0;
    const cache = await caches.open(cacheName);
    cache.delete(this.#watch.address);
  }

  /** Nobody shows the list any more. */
  end() {
    this.save(true);
    this.#over.abort();
  }

  #hear(what) {
    if (this.#watch.isDenied || (what !== 'rows' && what !== 'state')) return;
    this.#timer ||= setTimeout(() => this.save(), pause);
  }

  /** @param {any} kept */
  #show({ about, updatedAt, staleSince, ...snapshot }) {
    const watch = this.#watch;
    const { changes } = watch.replica.apply({ ...snapshot, type: 'snapshot' });
    watch.about ??= about;
    watch.state = about && { phase: 'waiting', updatedAt, staleSince, heard: null };
    for (const what of ['about', 'rows']) watch.dispatchEvent(new CustomEvent('change', { detail: { what, changes } }));
  }
}

/** Somebody else may have written it. */
function isWhole(kept) {
  const isRow = (row) => typeof row?.key === 'string' && row.position >= 0 && row.fields;
  return kept?.about && typeof kept.epoch === 'string' && Number.isSafeInteger(kept.revision) && kept.rows?.every?.(isRow);
}
