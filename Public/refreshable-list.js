import { Connection } from './connection/connection.js';
import { ConnectionLoss } from './connection/connection-loss.js';
import { displayedState } from './connection/list-state.js';
import { RefreshRequests, fault } from './element/refresh-requests.js';
import { View } from './element/view.js';

// Needed once the server has answered, which takes longer than to fetch them.
const deferred = Promise.all([import('./element/list-renderer.js'), import('./gesture/pull-controller.js'), import('./words/language.js')]);

/**
 * A list that people pull down to refresh. The server owns the refresh: one run for all who pull, an indicator that
 * lasts exactly as long as the work, rows that stream in meanwhile.
 *
 *     <script type="module" src="http://host:8080/refreshable-list.js"></script>
 *     <refreshable-list src="http://host:8080/lists/names"></refreshable-list>
 *
 * Content with gestures of its own, such as a map, needs `data-pull-ignore`. Types are in refreshable-list.d.ts.
 *
 * @element refreshable-list
 *
 * @attr {string} src - The list's address, as /lists/names; the socket is at /ws beside /lists.
 * @attr {string} heading - Instead of the list's own title.
 * @attr {string} level - Of the heading among the page's; 2 unless given.
 * @attr {string} preset - Where a handler refreshes, of the gesture: standard, recipe, progress or classic.
 * @attr {string} indicator - Its kind, instead of the list's: default, simple or circular.
 * @attr {boolean} behind - The indicator stands still behind the content instead of coming down with it.
 * @attr {'none'} keep - The browser keeps no rows between visits, as on a computer that people share.
 * @attr {boolean} whole - All rows are in the document, however many: to be searched and printed by the browser. Else only
 *   those near the view are, of a list of more than 2,000.
 * @attr {string} lang - Of the texts; the nearest element's that has one, else the browser's. English, German, French,
 *   Spanish, Japanese, Chinese and Arabic are built in.
 * @attr {string} text-waiting - The indicator's text in that phase, instead of the texts of list and language.
 * @attr {string} text-primed - The same, once it is far enough.
 * @attr {string} text-loading - The same, while the list loads.
 * @attr {string} text-closing - The same, of a refresh that succeeded.
 * @attr {boolean} find - A button, or the key `/`, opens a field that finds rows.
 * @attr {string} query - What is looked for; reflected while a person types it. Empty: the field alone is shown.
 * @attr {string} open-row - The key of the row that is open, with all that it says.
 * @attr {'waiting' | 'primed' | 'loading' | 'closing'} phase - Reflected, to be styled by; never to be set.
 * @attr {boolean} offline - Reflected: there is no connection to the server.
 * @attr {boolean} stale - Reflected: the rows could not be refreshed when they last should have been, or can't be for want of a server.
 *
 * @fires {CustomEvent<{ offset: number, progress: number, gesture: number }>} pull - A finger displaces the content by
 *   `offset` displayed px; `progress` is 0…1.
 * @fires {CustomEvent<{ from: Phase, to: Phase }>} phasechange - The phase that people see is another.
 *   Cancelable where it is of this page's own doing: a pull that primes is abandoned, a refresh asked for here withdrawn.
 * @fires {CustomEvent<{ cause: Cause }>} refresh - A pull, button or call is about to ask for a refresh; `preventDefault`
 *   refuses it.
 * @fires {CustomEvent<{ revision: number } & Changes>} patch - The rows changed: the keys of those inserted, changed,
 *   moved and removed.
 * @fires {CustomEvent<{ query: string | null }>} find - A person looks for something else, or for nothing any more.
 * @fires {CustomEvent<{ key: string }>} rowopen - A person is about to open a row, by tap or Enter; `preventDefault` keeps it as it is.
 * @fires {CustomEvent<{ key: string }>} rowclose - The same, of closing it.
 * @fires {CustomEvent<{ action: string, key: string, isUndo: boolean }>} act - An action is about to be run on a row, or to be undone;
 *   `preventDefault` refuses it.
 * @fires {CustomEvent<{ action: string, key: string, isUndo: boolean } & ActResult>} acted - It is over.
 * @fires {CustomEvent<{ code: string, message: string }>} error - A refresh or request failed.
 *
 * @slot - Above the rows: a page's own content, where a handler refreshes it.
 * @slot start - In the bar, before the title: a way back.
 * @slot end - In the bar, after the title: buttons of the page's own.
 * @slot header - Above the rows; scrolls with them. A `<button command="--refresh">` in it, or elsewhere by `commandfor`,
 *   shares the list's action.
 * @slot indicator - Instead of ours; hears by attributes: `phase`, `progress` (0…1 of the pull, then of the work; none
 *   while nobody knows how much there is), `outcome` while closing (success, failure, timeout, cancelled), and by
 *   `--pull-progress`.
 * @slot rows - Taken by a list that the element adds where it has a `<template>` child: its rows are made of that, and show
 *   fields by `data-field="title"`, `data-field-href="link"`, `data-if="badge"`, `data-unless="badge"` (see template.js).
 *   They are the page's to style, as `refreshable-list li` (`article` in a list that loads more), and carry their `data-key`; headings
 *   of sections are `refreshable-list h3`.
 *   A `<button data-actions>` opens the menu of a row's actions; `data-act` is `running` or `waiting` while one is not over.
 * @slot details - In the row that is open, instead of what we show of it; its pieces show fields by `data-field`, as in a template.
 * @slot loading - Instead of our placeholder, till the first rows come.
 * @slot error - Above the rows, where a refresh failed; `data-field="title"` and `data-field="message"` in it say how.
 * @slot unknown - Beside the error where the server has no such list: a way to others.
 * @slot empty - Where the list has no rows.
 * @slot offline - Where none have come yet, and the server can't be reached.
 *
 * @csspart bar - Stays in view above the rows: title, age and buttons.
 * @csspart heading - The title, in the bar.
 * @csspart updated - The age of the rows, below the title.
 * @csspart refresh - The round button in the bar.
 * @csspart cancel - The button before it, while the list loads: cancels what was requested here, and else hides it.
 * @csspart search - The round button in the bar that opens the field to find rows.
 * @csspart find - That field.
 * @csspart indicator - What is seen of a refresh, in the gap that a pull opens.
 * @csspart news - The pill that leads to rows which came above what is in view.
 * @csspart position - The bubble that says where one is in a long list, while one flings.
 * @csspart content - All that is pulled down: what is below the bar.
 * @csspart rows - The list of rows.
 * @csspart section - The heading above consecutive rows of one section; stays in view while they pass.
 * @csspart row - One of them.
 * @csspart image - Of a row: its picture.
 * @csspart title - Of a row: its first line, a link where the row leads somewhere.
 * @csspart subtitle - Of a row: its second line.
 * @csspart badge - Of a row: a word or number beside the title.
 * @csspart detail - Of a row: a short text beside the title, or a longer one below.
 * @csspart time - Of a row: how long ago, or until when.
 * @csspart disclosure - Of a row that leads somewhere: the button that opens it.
 * @csspart details - Of a row that is open: what is below its lines.
 * @csspart picture - In there: the row's picture.
 * @csspart actions - Of a row: the button that opens the menu of its actions.
 * @csspart menu - That menu.
 * @csspart action - One of them, in the menu and beside a row that is swiped.
 * @csspart note - Of a row: that its action waits for the connection.
 * @csspart toast - Says at the bottom what was done, or failed.
 * @csspart undo - The button in it.
 * @csspart more - The row at the end of a list that has more.
 * @csspart error - Says above the rows what failed.
 * @csspart retry - The button in it.
 * @csspart skeleton - In the place of the rows, till the first are here.
 * @csspart empty - What is said where there are no rows, unless the slots do.
 *
 * @cssprop {<color>} --refreshable-accent - Of buttons, indicator and badges.
 * @cssprop {<color>} --refreshable-danger - Of what failed.
 * @cssprop {<color>} --refreshable-warning - Of rows that are out of date.
 * @cssprop {<color>} --refreshable-background - Behind the bar; opaque.
 * @cssprop {<color>} --refreshable-surface - Behind the rows.
 * @cssprop {<integer>} --refreshable-lines - Of a title, a subtitle and a long detail; 2 unless given.
 * @cssprop {<length>} --refreshable-gutter - Left and right of the rows.
 * @cssprop {<length>} --refreshable-radius - Of the corners of what the rows stand on.
 * @cssprop {<length>} --refreshable-inset-top - What a notch or a bar of the page takes from the top.
 */
export class RefreshableList extends HTMLElement {
  static get observedAttributes() {
    return ['src', 'keep', 'whole', 'preset', 'heading', 'level', 'indicator', 'behind', 'open-row', 'find', 'query', 'text-waiting', 'text-primed', 'text-loading', 'text-closing'];
  }

  /** @type {import('./connection/watch.js').Watch | null} */ #watch = null;
  #handler = null;
  /** The list that the handler makes. */ #local = null;
  /** Settles once that list is here. */ #joining = null;
  /** @type {import('./refreshable-list.js').Phase} */ #phase = 'waiting';
  #timers = { tick: 0, nameless: 0 };
  #loss = new ConnectionLoss(() => this.#paint());
  #view = new View(this.attachShadow({ mode: 'open' }));
  #requests = new RefreshRequests({
    watch: () => this.#watch,
    pullController: () => this.#pullController,
    words: () => this.#language?.words,
    fire: (...given) => this.#fire(...given),
    paint: () => this.#paint(),
  });
  /** @type {import('./element/list-renderer.js').ListRenderer | null} */ #renderer = null;
  /** @type {import('./gesture/pull-controller.js').PullController | null} */ #pullController = null;
  /** @type {import('./words/language.js').Language | null} */ #language = null;

  constructor() {
    super();
    this.#view.refresh.addEventListener('click', () => this.#requests.ask());
    this.#view.cancel.addEventListener('click', () => (this.#requests.isOwn ? this.cancel() : this.#requests.hide()));
    this.addEventListener('command', ({ command }) => command === '--refresh' && this.#requests.ask());
    this.#loadDeferred();
  }

  connectedCallback() {
    // What a page said before this script was here.
    for (const name of ['src', 'handler']) {
      if (!Object.hasOwn(this, name)) continue;
      // @ts-ignore: both are properties.
      const { [name]: said } = this;
      delete this[name];
      this[name] = said;
    }
    this.#language?.connect();
    this.#pullController?.connect();
    this.#timers.tick = setInterval(() => this.#tick(), 10_000);
    this.#join();
  }

  disconnectedCallback() {
    this.#language?.disconnect();
    this.#pullController?.disconnect();
    this.#leave();
    clearInterval(this.#timers.tick);
  }

  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || before === after) return;
    if (name === 'preset') this.#local = null;
    if (['src', 'keep', 'whole'].includes(name) || (name === 'preset' && this.#handler)) this.#rejoin();
    else if (name === 'open-row') this.#renderer?.open();
    else if (name === 'query') this.#renderer?.find();
    else this.#paint();
  }

  /** The attribute as an absolute address; '' where it is none. */
  get src() {
    const src = this.getAttribute('src');
    // @ts-ignore: older compilers do not know URL.canParse.
    return src && URL.canParse(src, document.baseURI) ? new URL(src, document.baseURI).href : '';
  }

  set src(value) { this.setAttribute('src', value); }

  /** The page's own refresh action, instead of a server's. @type {import('./refreshable-list.js').Handler | null} */
  get handler() { return this.#handler; }

  set handler(handler) {
    this.#handler = handler;
    this.#local = null;
    if (this.isConnected) this.#rejoin();
  }

  /** As people see it. */
  get phase() { return this.#phase; }

  /** Whether the list has a refresh action. */
  get refreshable() {
    return this.#watch?.about?.refreshable ?? false;
  }

  /** Starts a refresh or joins the one that runs, and gives it once it is over. Refused, it throws an error with a code. */
  async refresh({ quietly = false } = {}) {
    await this.#joining;
    return this.#requests.request('code', quietly);
  }

  /** Runs an action on the row of a key, and gives its result. Refused, it throws an error with a code. */
  async act(action, key) {
    await deferred;
    return (await this.#renderer.actions(true)).act(action, key);
  }

  /** Cancels the current pull, and withdraws from a refresh that was requested here. */
  cancel() {
    this.#pullController?.cancel();
    this.#requests.withdraw();
  }

  async #loadDeferred() {
    const [{ ListRenderer }, { PullController }, { Language }] = await deferred;
    this.#language = new Language(this, () => this.#translate());
    if (this.isConnected) await this.#language.connect();
    const list = this.#context();
    this.#view.name(list.words);
    this.#renderer = new ListRenderer(this, this.#view, list);
    this.#pullController = new PullController(this, this.#view, list);
    if (!this.isConnected) return;
    this.#pullController.connect();
    this.#renderer.open();
    this.#renderer.find();
    this.#updateAll();
    this.#paint();
  }

  /** The words are others. */
  #translate() {
    this.#view.name(this.#language.words);
    this.#renderer?.translate();
    this.#pullController?.paint();
  }

  /** What the renderer and the gesture may know and do of us. */
  #context() {
    const element = this;
    const requests = this.#requests;
    return {
      get watch() { return element.#watch; },
      get phase() { return element.#phase; },
      get state() { return requests.state; },
      get isFirst() { return element.#isFirst; },
      get isOwn() { return requests.isOwn; },
      get refreshable() { return element.refreshable; },
      get fault() { return requests.fault; },
      get words() { return element.#language.words; },
      loss: this.#loss,
      ask: () => requests.ask(),
      consents: (cause) => requests.consents(cause),
      fire: (...given) => this.#fire(...given),
      paint: () => this.#paint(),
      turn: () => this.#turn(),
      get isDown() { return element.#pullController?.isDown ?? false; },
      fail: (title, error) => requests.fail(title, error),
      say: (text) => this.#view.say(text),
    };
  }

  /** @param {number} [number] of the connection */
  #join(number) {
    // What stands in the page's markup is told of its attributes, and then that it is connected.
    if (this.#watch) return;
    this.#requests.fault = null;
    if (this.#local) return this.#follow(this.#local);
    if (this.#handler) return (this.#joining = this.#joinHandler());
    const { origin, pathname } = this.src ? new URL(this.src) : { origin: '', pathname: '' };
    // A server may be below a path: its socket and its lists are beside each other.
    const [, path, name] = /^(.*)\/lists\/([^/]+)\/?$/.exec(pathname) ?? [];
    if (name) {
      const isKept = this.getAttribute('keep') !== 'none';
      return this.#follow(Connection.to(origin + path, number).join(decodeURIComponent(name), isKept, this.hasAttribute('whole')));
    }
    // A page may be about to give it a handler.
    this.#timers.nameless = setTimeout(() => this.#requests.fail('notShown', nameless), 200);
  }

  /** Another list, or another connection: nothing of the one before stays. */
  #rejoin(number = 0) {
    this.#leave();
    this.#join(number);
    if (this.#watch) return;
    this.#renderer?.render(true);
    this.#paint();
  }

  async #joinHandler() {
    const { LocalWatch } = await import('./connection/local-watch.js');
    if (this.#local || !this.#handler) return;
    this.#local = new LocalWatch(this, this.#handler);
    if (this.isConnected && !this.#watch) this.#follow(this.#local);
  }

  #follow(watch) {
    this.#watch = watch.retain(this);
    watch.addEventListener('change', this.#changed);
    if (watch.isLookedAtBesides(this)) this.#lookBesides();
    else this.#updateAll();
  }

  /** By a connection at which nobody looks at the list yet. */
  #lookBesides() {
    this.#rejoin(this.#watch.connection.number + 1);
  }

  #leave() {
    clearTimeout(this.#timers.nameless);
    this.#loss.end();
    this.#requests.reset();
    this.#renderer?.leave();
    this.#pullController?.cancel();
    this.#watch?.removeEventListener('change', this.#changed);
    this.#watch?.release(this);
    this.#watch = null;
    this.#pullController?.reset();
    this.#setPhase('waiting');
  }

  /** @param {any} event */
  #changed = ({ detail: { what, refusal, ...rows } }) => {
    if (this.#watch.isLookedAtBesides(this)) return this.#lookBesides();
    if (what === 'progress') return this.#pullController?.paint();
    if (what === 'about') this.#configure();
    if (what === 'rows') this.#updateRows(rows);
    if (what === 'looked') this.#renderer?.looked(refusal);
    if (what === 'state') this.#updateState();
    if (what === 'connection') this.#loss.update(this.#watch.isConnected);
    // What else is seen of a list does not depend on which part of it is looked at.
    if (!rows.isLook) this.#paint();
  };

  /** Catches up with a list that others show already, or with what came before the renderer was here. */
  #updateAll() {
    if (!this.#watch) return;
    this.#configure();
    this.#loss.update(this.#watch.isConnected);
    if (this.#watch.state) this.#updateState();
    this.#renderer?.render(true);
    this.#paint();
  }

  #configure() {
    const { pull } = this.#watch.about ?? {};
    if (pull) this.#pullController?.configure(pull);
  }

  /** The list's state makes phases official. */
  #updateState() {
    const { state } = this.#watch;
    this.#pullController?.update(state);
    if (state.phase === 'loading') this.#requests.fault = null;
  }

  #updateRows({ changes, isOwn, isLook, above }) {
    this.#renderer?.render(false, isOwn || this.#pullController?.isAsking, isLook);
    this.#renderer?.miss(above);
    if (!isLook) this.#fire('patch', { revision: this.#watch.replica.revision, ...changes });
  }

  /** The first load has a placeholder of its own, never an indicator too. */
  get #isFirst() {
    const { replica, refusal } = this.#watch ?? {};
    if (!replica || refusal) return false;
    const { state } = this.#requests;
    return replica.revision === null || !state || (state.phase === 'loading' && state.cause === 'initial');
  }

  /** The indicator last: it repeats the bar's texts. */
  #paint() {
    this.#setPhase();
    this.#renderer?.paint();
    this.#pullController?.paint();
  }

  #turn() {
    this.#setPhase();
    this.#pullController?.paint();
  }

  /** The indicator shows it too. Nothing is written under a finger. */
  #tick() {
    if (this.#pullController?.isDown) return;
    this.#renderer?.tick();
    this.#turn();
  }

  #setPhase(to = displayedState(this.#requests.state, this.#pullController?.own ?? null).phase) {
    const from = this.#phase;
    if (this.getAttribute('phase') !== to && this.isConnected) this.setAttribute('phase', to);
    if (from === to) return;
    this.#phase = to;
    const isOurs = this.#pullController?.isOurs(to);
    this.#pullController?.turn(from, to);
    this.#renderer?.turn(from, to);
    if (!this.#fire('phasechange', { from, to }, isOurs)) this.cancel();
    const { phase, last } = this.#watch?.state ?? {};
    const error = phase !== 'loading' && last?.error;
    if (from === 'loading' && error) this.#fire('error', error);
  }

  /** @returns {boolean} false where a listener prevented it */
  #fire(type, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(type, { detail, cancelable }));
  }
}

const nameless = fault('badField', 'Give the element a list, as src="/lists/names", or a handler.');

customElements.define('refreshable-list', RefreshableList);
