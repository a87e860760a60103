import { forgetActs, removeAct, storeAct, storedActs } from '../connection/act-storage.js';
import { randomKey } from '../connection/random-key.js';
import { PendingActs, inverse } from './pending-acts.js';

/** Between two messages, so that a hundred that waited are not refused; and until one is sent again. Milliseconds. */
const pace = 60, again = 2000;
/** A server knows a key for a week: one that may be older is not sent again. Milliseconds. */
const oldest = 6 * 24 * 3_600_000;
/** As a server says it; other languages have their own text for the code. */
const interrupted = { code: 'interrupted', message: 'It is not known whether this was done.' };

/**
 * What the person does to the rows of one list: sent once there is a connection, and again until it is over, shared by the
 * elements that show the list. The watch tells of every change by an event `change` for `acts`.
 *
 * @typedef {import('./pending-acts.js').Act} Act
 * @typedef {import('./pending-acts.js').Result} Result
 */
export class Acts {
  /** @type {import('../connection/watch.js').Watch} */ #watch;
  #pending = new PendingActs();
  /** Who waits for the results. @type {Map<Act, (result: Result) => void>} */ #settle = new Map();
  /** Sent over this connection, and those of them that were answered. @type {Set<Act>} */ #sent = new Set();
  #timer = 0;

  /** @param {import('../connection/watch.js').Watch} watch */
  constructor(watch) {
    this.#watch = watch;
    if (!watch.isKept) forgetActs(watch.address);
    // @ts-ignore: it is a CustomEvent.
    watch.addEventListener('change', ({ detail }) => this.#changed(detail.what));
  }

  /** Goes on with what an earlier visit left. @returns {{act: Act, over: Promise<Result>}[]} */
  resume() {
    const { about, address } = this.#watch;
    return storedActs(address).map((stored) => {
      const effect = stored.undoes ? undefined : about.actions.find(({ name }) => name === stored.action)?.effect;
      const act = { ...stored, effect, isSent: true, isStored: true };
      if (Date.now() - stored.at < oldest) return { act, over: this.#add(act) };
      removeAct(address, act.key);
      return { act, over: Promise.resolve({ outcome: 'failure', error: interrupted }) };
    });
  }

  /** Rows as they are to be shown. @param {import('./pending-acts.js').Row[]} rows */
  show(rows) {
    // Whoever draws hears of rows before we do.
    this.#pending.arrived(this.#watch.replica);
    return this.#pending.show(rows);
  }

  /** The newest act on a row that is not over. @param {string} row its key */
  on(row) {
    return this.#pending.on(row);
  }

  /** @returns {Act[]} that are not over */
  get unfinished() {
    return this.#pending.unfinished;
  }

  /** @param {string} name of the action @param {string} row the key of the row @param {string} title what it is called */
  act(name, row, title) {
    const { effect } = this.#watch.about.actions.find((action) => action.name === name);
    const before = this.show(this.#watch.replica.rows).find(({ key }) => key === row);
    return this.#ask({ action: name, row, title, effect, before });
  }

  /** @param {Act} act that succeeded */
  undo(act) {
    const { action, row, title, before, run } = act;
    return this.#ask({ action, row, title, before, effect: inverse(act), undoes: run });
  }

  /** Takes back what was never sent. @param {Act} act @returns {boolean} whether it was not */
  withdraw(act) {
    if (act.isSent) return false;
    this.#pending.drop(act);
    this.#over(act, { outcome: 'cancelled' });
    return true;
  }

  /** @param {any} frame of the type `act` */
  receive(frame) {
    const over = this.#pending.receive(frame, this.#watch.replica);
    for (const [act, result] of over) this.#over(act, result);
    if (!over.length) this.#tell(true);
  }

  /** @returns {{act: Act, over: Promise<Result>}} */
  #ask(wish) {
    const act = { ...wish, key: randomKey(), at: Date.now() };
    const { key, action, row, title, undoes, at } = act;
    if (this.#watch.isKept) storeAct(this.#watch.address, { key, action, row, title, undoes, at });
    return { act, over: this.#add(act) };
  }

  /** @param {Act} act @returns {Promise<Result>} */
  #add(act) {
    this.#pending.add(act);
    const over = new Promise((resolve) => this.#settle.set(act, resolve));
    this.#tell();
    this.#send();
    return over;
  }

  /** One after the other: the next once the last was answered. */
  #send() {
    const next = this.unfinished.find((act) => !this.#sent.has(act));
    if (!next || this.#timer || !this.#watch.isConnected) return;
    const { address, connection, name } = this.#watch;
    // Another tab has taken it back, or heard how it ended.
    if (next.isStored && storedActs(address).every((stored) => stored.key !== next.key)) {
      this.#pending.drop(next);
      this.#over(next, { outcome: 'cancelled' });
      return this.#send();
    }
    const { key, action, row, undoes } = next;
    this.#wait(again);
    this.#sent.add(next);
    next.isSent = true;
    const wish = undoes ? { undo: undoes } : { action, row };
    connection.send({ type: 'act', id: connection.nextID(), list: name, ...wish, key }, (answer) => this.#answered(next, answer));
  }

  #answered(act, answer) {
    const result = this.#pending.answered(act, answer);
    if (result) this.#over(act, result);
    if (result || act.run) return this.#wait(pace);
    this.#sent.delete(act);
    this.#wait(answer.after ?? again);
  }

  #wait(delay) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#send();
    }, delay);
  }

  /** @param {Act} act @param {Result} result */
  #over(act, result) {
    this.#sent.delete(act);
    removeAct(this.#watch.address, act.key);
    this.#settle.get(act)?.(result);
    this.#settle.delete(act);
    this.#tell();
  }

  #changed(what) {
    const { isDenied, isConnected } = this.#watch;
    if (what === 'left' || (what === 'about' && isDenied)) return this.#end(isDenied);
    if (what !== 'connection') return;
    // Whatever was sent before is sent again.
    this.#sent.clear();
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (isConnected) this.#send();
    this.#tell();
  }

  /** Nobody shows the list any more; what is stored goes on at the next visit, unless it is not ours to do any more. */
  #end(isDenied) {
    for (const settle of this.#settle.values()) settle({ outcome: 'cancelled' });
    this.#settle.clear();
    this.#pending.clear();
    clearTimeout(this.#timer);
    if (isDenied) this.#tell();
  }

  #tell(isProgress = false) {
    this.#watch.dispatchEvent(new CustomEvent('change', { detail: { what: 'acts', isProgress } }));
  }
}
