import { Replica } from './replica.js';
import { forgetActs } from './act-storage.js';
import { ignoringPages, isOver } from './list-state.js';
import { randomKey } from './random-key.js';

/** Elements have a text for it, each in its language. */
const unreachable = { code: 'unavailable', message: '' };
/** What became of a refresh for those who left. */
const withdrawn = { last: { outcome: 'cancelled' } };
/** A request that no server has answered for so long is given up. Milliseconds. */
const patience = 60_000;
/** So long are the rows of an earlier visit waited for. Milliseconds. */
const hasty = 250;
/** Of a list of more rows than this, only those that are looked at are here: a page can search and print what it has of it. */
const longest = 2000;
/** So many rows of a long list are looked at before it is known how many fit a screen. */
const usual = 100;

/**
 * One list, watched over a connection: its rows, its states and what is asked of it, shared by the elements that
 * show it. It decides nothing about looks. Listeners get `change` events, whose detail has what is new:
 * `about`, `rows` (with changes), `looked`, `state`, `progress`, `connection`, and `own`: the run under way was requested here.
 */
export class Watch extends EventTarget {
  /** Title, refreshable and pull of the last ok. @type {object | null} */ about = null;
  /** The list's newest state, as it is at the top of the list. @type {object | null} */ state = null;
  /** @type {object | null} */ progress = null;
  /** Why the server won't show this list. @type {object | null} */ refusal = null;
  replica = new Replica();
  /** What is done to its rows, once a list with actions was shown. @type {import('../actions/acts.js').Acts | undefined} */ acts;
  /** The keys of rows that this person has not seen, if the server knows who it is. @type {string[] | null} */ unread = null;
  /** Whether the browser may keep anything of the list between visits. */ isKept = true;
  /** Whether all rows are wanted, however many. */ isWhole = false;
  /** What was last looked at of a long list. @type {object | null} */ #part = null;
  /** The newest look, until its rows are here. Once it is answered, they are the next snapshot. @type {{id: string, isAnswered: boolean} | null} */ #look = null;
  /** Whether the list turned out not to be long. */ #isShort = false;
  /** The newest state of a gesture of ours. @type {object | null} */ #own = null;
  /** The newest gesture that was sampled, and how many of its samples the server has yet to answer. */ #sampled = 0;
  #unanswered = 0;
  #awaited = null;
  /** What the browser keeps of the list between visits. @type {import('./offline-store.js').OfflineStore | null} */ #store = null;
  /** Settles once the rows of an earlier visit are here, or are not to be waited for. */ #restored;
  /** The newest run that was requested here. @type {string | undefined} */ #ownRun;
  /** The elements that show it. */ #users = new Set();
  /** @type {Map<string, {message: object, settle: (answer: object) => void, timer: number}>} */ #asked = new Map();

  constructor(connection, name) {
    super();
    this.connection = connection;
    this.name = name;
  }

  /** The server's state of our gesture, once it has answered all messages about it. @type {object | null} */
  get own() {
    return this.#unanswered > 0 ? null : this.#own;
  }

  /** Whether the server shows this list to us no more, for good. */
  get isDenied() {
    return this.refusal?.retry === 'never' || this.connection.isDenied;
  }

  get isConnected() {
    return this.connection.isOpen && this.#awaited === null;
  }

  retain(element) {
    this.#users.add(element);
    return this;
  }

  release(element) {
    this.#users.delete(element);
    // An element that is moved releases and retains in one turn.
    setTimeout(() => this.#users.size === 0 && this.#leave(), 0);
  }

  /** Whether another element, which was here first, decides which part of a long list is looked at. */
  isLookedAtBesides(element) {
    return this.isLong && this.#users.values().next().value !== element;
  }

  /** Where the list is. */
  get address() {
    return `${this.connection.server}/lists/${encodeURIComponent(this.name)}`;
  }

  /**
   * Keeps the rows between visits, where the browser can.
   * @param {boolean} isWanted not: nothing is left behind, whoever else shows the list
   */
  keep(isWanted) {
    this.isKept &&= isWanted;
    const late = new Promise((resolve) => setTimeout(resolve, hasty));
    if (isSecureContext) this.#restored = Promise.race([this.#restore(isWanted).catch(console.info), late]);
  }

  /** Watches from where the rows are; whatever comes of this list before the answer is of an earlier watch. */
  async watch() {
    const id = (this.#awaited = this.connection.nextID());
    this.#look = null;
    await this.#restored;
    if (id !== this.#awaited) return;
    const message = { type: 'watch', id, list: this.name, ...this.#resume, ...this.#window };
    this.connection.send(message, (answer) => id === this.#awaited && this.#watched(answer));
  }

  /** Whether the list has more rows than are here, or these are those that are looked for. */
  get isLong() {
    const { total, count } = this.replica;
    return total !== null && (total > count || this.#part !== null);
  }

  /** Whether the server is yet to send the rows of the newest look. */
  get isLooking() {
    return this.#look !== null;
  }

  /**
   * Looks at another part of a long list, or for rows in it. Its rows come with a change whose detail has `isLook`; a
   * `looked` change without rows says why there are none.
   * @param {object} part a window, as the protocol has it
   */
  look(part) {
    this.#part = part;
    if (!this.isConnected) return;
    const id = this.connection.nextID();
    this.#look = { id, isAnswered: false };
    this.connection.send({ type: 'look', id, list: this.name, window: part }, (answer) => this.#looked(id, answer));
  }

  #looked(id, answer) {
    this.replica.begin();
    if (id !== this.#look?.id) return;
    this.#look.isAnswered = answer.type === 'ok';
    if (this.#look.isAnswered) return;
    this.#look = null;
    this.#tell('looked', { refusal: answer });
  }

  get #isPart() {
    return this.replica.total !== null;
  }

  /** Rows in the midst of a long list are of no use for another part of it, nor for all of it. */
  get #resume() {
    const { first, resume } = this.replica;
    return this.#isPart && (this.isWhole || this.#isShort || (!this.#part && first > 0)) ? {} : resume;
  }

  get #window() {
    if (this.isWhole) return {};
    if (!this.isLong || this.#isShort) return { window: { first: 0, count: usual, allUpTo: longest } };
    const part = this.#part ?? { first: 0, count: usual };
    const { first, rows } = this.replica;
    if (!part.first || !rows.length) return { window: part };
    // The rows in the midst that were here are looked at again, wherever they lie now.
    const middle = rows.length >> 1;
    const around = { around: rows[middle].key, before: middle, after: rows.length - 1 - middle, index: first + middle };
    return { window: part.find ? { ...around, find: part.find } : around };
  }

  /** The socket was lost; what was asked is asked again once the list is watched again. */
  lost() {
    this.#awaited = this.#own = this.#look = null;
    this.#unanswered = 0;
    if (this.isDenied) this.#drop();
    this.#tell('connection');
  }

  /** Rows that are not ours to see any more go, from the screen and from what the browser keeps. */
  #drop() {
    const removed = this.replica.rows.map(({ key }) => key);
    this.replica = new Replica();
    this.about = this.state = this.progress = null;
    this.#store?.forget();
    forgetActs(this.address);
    this.unread = null;
    this.#tell('about');
    this.#tell('rows', { changes: { inserted: [], changed: [], moved: [], removed } });
  }

  /** @param {object} frame of this list */
  receive(frame) {
    if (this.#awaited !== null) return;
    switch (frame.type) {
      case 'snapshot':
      case 'patch':
        return this.#rows(frame);
      case 'state':
        return frame.gesture === undefined ? this.#listState(frame) : this.#ownState(frame);
      case 'progress':
        this.progress = frame;
        return this.#tell('progress');
      case 'act':
        return this.acts?.receive(frame);
      case 'unread':
        this.unread = frame.keys;
        return this.#tell('unread');
      case 'settings':
        this.about = { ...this.about, noun: undefined, section: undefined, actions: undefined, unread: undefined, ...frame };
        return this.#tell('about');
      case 'unwatched':
        this.refusal = frame;
        return this.#refused(frame);
    }
  }

  /** A sample of the finger: lost without regret, unless it is an important one. */
  pull(gesture, offset, isImportant) {
    if (!this.isConnected || (this.connection.isCongested && !isImportant)) return;
    if (gesture !== this.#sampled) this.#unanswered = 0;
    this.#sampled = gesture;
    this.#unanswered += 1;
    this.connection.send({ type: 'pull', list: this.name, gesture, offset });
  }

  cancelPull(gesture) {
    this.connection.send({ type: 'cancel', list: this.name, gesture });
  }

  /** @returns {Promise<object>} the answer: a run, or null and the reason */
  releasePull(gesture, offset, peak) {
    return this.#ask({ type: 'release', list: this.name, gesture, offset, peak });
  }

  /** @returns {Promise<object>} the state in which the run was over */
  async refresh() {
    const { run } = await this.#ask({ type: 'refresh', list: this.name, key: randomKey() });
    return run ? this.#over(run) : this.#users.size ? this.state : withdrawn;
  }

  /**
   * Loads the next page, if there is one and nobody else has asked for it.
   * @param {string} after the key of the last row
   * @returns {Promise<object>} the state in which it was over
   */
  async more(after) {
    const { run } = await this.#ask({ type: 'more', list: this.name, after });
    return run ? this.#over(run) : this.state;
  }

  /** @param {'seen' | 'unseen'} action @param {string} row its key */
  mark(action, row) {
    return this.#ask({ type: 'act', list: this.name, action, row, key: randomKey() });
  }

  /** @param {string} run which this page no longer wants */
  stop(run) {
    return this.#ask({ type: 'stop', list: this.name, run });
  }

  async #restore(isWanted) {
    const { OfflineStore } = await import('./offline-store.js');
    this.#store ??= new OfflineStore(this);
    return this.#store.restore(isWanted);
  }

  /** Withdraws an unanswered request: if unsent it is dropped, if sent its run is cancelled. */
  withdraw() {
    for (const { message, settle } of this.#asked.values()) {
      if (/re(lease|fresh)/.test(message.type)) settle({ type: 'ok', run: null });
    }
  }

  /** Withdraws on leaving; a pending refresh is rejected. */
  #leave() {
    this.#awaited = null;
    this.#store?.end();
    const { phase, run } = this.state ?? {};
    if (phase === 'loading' && this.#isOwn()) this.connection.send({ type: 'stop', list: this.name, run });
    for (const { settle } of this.#asked.values()) settle({ type: 'ok', run: null });
    this.#tell('left');
    this.connection.leave(this);
  }

  #over(run) {
    const { epoch } = this.replica;
    return new Promise((resolve) => {
      const look = () => {
        if (this.#users.size && !isOver(run, this.state) && this.replica.epoch === epoch) return;
        this.removeEventListener('change', look);
        resolve(this.#users.size ? this.state : withdrawn);
      };
      this.addEventListener('change', look);
      look();
    });
  }

  #watched(answer) {
    this.#awaited = null;
    this.refusal = answer.type === 'error' ? answer : null;
    if (this.refusal) return this.#refused(answer);
    this.replica.begin();
    this.#isShort = false;
    this.about = answer;
    this.#tell('about');
    this.#tell('connection');
    for (const asked of this.#asked.values()) this.#send(asked);
  }

  #refused({ retry, after = 5000 }) {
    if (retry === 'never') this.#drop();
    else setTimeout(() => this.#users.size > 0 && this.watch(), after);
    this.#tell('connection');
  }

  #rows(frame) {
    const { first, isSearching } = this.replica;
    const { effect, changes } = this.replica.apply(frame);
    if (effect === 'behind' || effect === 'lost') this.watch();
    if (effect !== 'applied') return;
    const isAnswer = frame.type === 'snapshot' && Boolean(this.#look?.isAnswered);
    if (isAnswer) this.#look = null;
    // The rest of what is found is of the same look.
    const isLook = isAnswer || isSearching;
    // Rows that came somewhere above a part in the midst are not among the changes.
    const above = first && frame.type === 'patch' ? Math.max(0, this.replica.first - first) : 0;
    this.#tell('rows', { changes, isOwn: this.#isOwn(frame.run), isLook, above });
    this.#shorten();
  }

  /** Of a list that is not long, all rows are wanted: it was loaded since it was first watched, or others have taken rows away. */
  #shorten() {
    const { total } = this.replica;
    const isSettled = this.state?.updatedAt && this.state.phase !== 'loading' && !this.isLooking && !this.#part?.find;
    if (!this.isLong || total > longest || !isSettled || this.isWhole) return;
    this.#part = null;
    this.#isShort = true;
    this.watch();
  }

  /** Whether the run under way was requested here. */
  get isOwnRun() {
    return this.#isOwn();
  }

  /** Whether rows are of a run that this page requested; those that answer a watch may not name their run. */
  #isOwn(run = this.state?.run) {
    return run !== undefined && run === this.#ownRun;
  }

  #listState(frame) {
    const isNew = frame.run !== this.state?.run;
    this.state = ignoringPages(frame, this.state?.heard ?? null);
    if (isNew) this.progress = null;
    this.#tell('state');
    this.#shorten();
  }

  #ownState(frame) {
    this.#own = frame;
    if (frame.gesture === this.#sampled) this.#unanswered -= 1;
  }

  /** Asked until answered, over lost connections too; sent twice it has the effect of one. */
  #ask(message) {
    const id = this.connection.nextID();
    return new Promise((resolve, reject) => {
      const settle = (answer) => {
        clearTimeout(asked.timer);
        if (!this.#asked.delete(id) && answer.run) this.connection.send({ type: 'stop', list: this.name, run: answer.run });
        this.#ownRun = answer.run ?? this.#ownRun;
        if (this.#isOwn()) this.#tell('own');
        if (answer.type === 'ok') resolve(answer);
        else reject(Object.assign(new Error(answer.message), { code: answer.code }));
      };
      const timer = setTimeout(() => settle(unreachable), patience);
      const asked = { message: { ...message, id }, settle, timer };
      this.#asked.set(id, asked);
      if (this.isConnected) this.#send(asked);
    });
  }

  #send({ message, settle }) {
    this.connection.send(message, settle);
  }

  #tell(what, detail = {}) {
    this.dispatchEvent(new CustomEvent('change', { detail: { what, ...detail } }));
  }
}
