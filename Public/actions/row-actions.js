import { isField } from '../element/fields.js';
import { ActionMenu } from './action-menu.js';
import { actionStyles } from './action-styles.js';
import { Acts } from './acts.js';
import { RowMarks } from './row-marks.js';
import { Swipe, isSafe } from './swipe.js';
import { Toast } from './toast.js';
import { UndoOffers } from './undo-offers.js';

/** What a menu button is, ours or one in a page's template. */
const opens = '[part=actions], [data-actions]';
/** How long what failed, or waits, is to be read. Milliseconds. */
const readable = { fault: 8000, waiting: 5000 };
/** Another try of what failed so would help nobody, or might do it twice. */
const isFinal = /^(interrupted|forbidden|unauthorised|bad\w+)$/;
/** Of these our words tell as of a refresh. */
const isOfRefresh = /^(internal|abandoned|overdue|actionFailed)$/;

/**
 * The actions of a list's rows: by swipe, by a menu button, by keys and by code. What they will do is shown at once, and
 * taken back if it fails. Loaded only where a list has actions.
 *
 * @typedef {import('../refreshable-list.js').RowAction} RowAction
 */
export class RowActions {
  #view;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  /** @type {import('../rows/rows.js').Rows} */ #rows;
  #unread;
  /** @type {import('../connection/watch.js').Watch | null} */ #watch = null;
  /** Ends what was heard of it. */ #followed = new AbortController();
  /** @type {RowAction[]} */ #actions = [];
  #words;
  /** Whether rows are to be marked as seen, too. */ #isMarking = false;
  #menu;
  #toast;
  #swipe;
  #marks;
  #offers = new UndoOffers();
  /** Acts that are to be undone as soon as they can be. @type {Set<import('./pending-acts.js').Act>} */ #unwanted = new Set();
  /** The act that the toast tells of. */ #told = null;
  /** A key has opened the menu: the browser's own stays away. */ #keyedAt = -Infinity;

  /**
   * @param {HTMLElement} host @param {import('../element/view.js').View} view
   * @param {import('../element/list-renderer.js').ListContext} list @param {import('../rows/rows.js').Rows} rows
   * @param {() => import('../rows/unread-rows.js').UnreadRows | null} unread where the list notes what was seen
   */
  constructor(host, view, list, rows, unread) {
    this.#view = view;
    this.#list = list;
    this.#rows = rows;
    this.#unread = unread;
    const { shadowRoot } = host;
    shadowRoot.adoptedStyleSheets.push(actionStyles);
    this.#menu = new ActionMenu(shadowRoot);
    this.#toast = new Toast(shadowRoot);
    this.#marks = new RowMarks(view, rows, () => list.words);
    this.#swipe = new Swipe(host, {
      rowOf: (path) => (this.#actions.length && !list.isDown ? this.#rowOf(path) : undefined),
      actions: () => this.#actions,
      act: (item, { name }) => Boolean(this.#run(name, item.dataset.key)),
      more: (item) => this.#openMenu(item.querySelector(opens) ?? item, item),
      armed: () => this.#watch?.about?.pull?.haptics && navigator.vibrate?.(10),
      moreLabel: (item) => list.words.actionsFor(this.#titleOf(item.dataset.key)),
    });
    host.addEventListener('click', (event) => this.#clicked(event));
    host.addEventListener('keydown', (event) => this.#keyed(event));
    host.addEventListener('contextmenu', (event) => event.timeStamp - this.#keyedAt < 1000 && event.preventDefault());
  }

  /** The list, its actions, or the words may be others. */
  paint() {
    const { watch, words } = this.#list;
    const { actions = [], unread } = watch?.about ?? {};
    if (watch !== this.#watch) this.#follow(watch);
    // Each answer of the server has its own.
    const isSame = words === this.#words && Boolean(unread) === this.#isMarking;
    if (isSame && JSON.stringify(actions) === JSON.stringify(this.#actions)) return;
    this.#isMarking = Boolean(unread);
    this.#actions = actions;
    this.#words = words;
    if (actions.length && watch && !watch.acts) this.#resume(watch);
    this.#swipe.shut();
    this.#menu.close();
    this.drawn();
  }

  /** Rows as they are to be shown. @param {import('../connection/replica.js').Row[]} rows as the server has them */
  show(rows) {
    return this.#list.watch?.acts?.show(rows) ?? rows;
  }

  /** The rows are those of the list. */
  drawn() {
    this.#marks.offer(this.#isOffered);
    this.#marks.mark(this.#watch);
    this.#swipe.drawn((item) => this.#rows.element(item.dataset.key) === item);
  }

  /** Whether there is anything in the menu. */
  get #isOffered() {
    return this.#actions.length > 0 || this.#isMarking;
  }

  /**
   * Runs an action by code.
   * @param {string} action its name @param {string} key of a row
   * @returns {Promise<import('../refreshable-list.js').ActResult>}
   */
  act(action, key) {
    if (!this.#actions.some(({ name }) => name === action)) throw fault('unknownAction', `This list has no action ${action} for you.`);
    const over = this.#run(action, key);
    if (!over) throw fault('refused', 'The page refused the action.');
    return over;
  }

  /** Another list is shown, or none. */
  leave() {
    this.#swipe.shut();
    this.#menu.close();
    this.#toast.hide();
    this.#offers.clear();
    this.#follow(null);
    this.#unwanted.clear();
    this.#actions = [];
    this.#isMarking = false;
  }

  #follow(watch) {
    this.#followed.abort();
    this.#watch = watch;
    if (!watch) return;
    const { signal } = (this.#followed = new AbortController());
    watch.addEventListener('change', ({ detail }) => this.#changed(detail), { signal });
    // Wherever the focus went with a row.
    addEventListener('keydown', (event) => this.#undoKeyed(event), { signal });
    this.#marks.connect(signal);
  }

  #changed({ what, isProgress }) {
    if (what === 'acts' && !isProgress) this.#rows.render(false, false);
    if (what === 'acts' || what === 'connection') this.#marks.mark(this.#watch);
  }

  #resume(watch) {
    watch.acts = new Acts(watch);
    for (const asked of watch.acts.resume()) this.#tell(asked);
    this.#rows.render(false, false);
  }

  /** @returns {Promise<import('../refreshable-list.js').ActResult> | null} null: the page refuses it */
  #run(action, key) {
    const { acts } = this.#watch;
    if (!this.#list.fire('act', { action, key, isUndo: false }, true)) return null;
    return this.#tell(acts.act(action, key, this.#titleOf(key)));
  }

  #undo() {
    const { act } = this.#offers.take() ?? {};
    const { action, row: key } = act ?? {};
    if (!act || !this.#list.fire('act', { action, key, isUndo: true }, true)) return;
    const hadFocus = this.#toast.hasFocus;
    this.#tell(this.#watch.acts.undo(act));
    if (hadFocus && !this.#offers.newest) this.#focus(key);
    this.#offer();
  }

  /** Follows an act to its end, and says it. */
  async #tell({ act, over }) {
    const watch = this.#watch;
    if (!watch.isConnected) this.#tellWaiting(act);
    const result = await over;
    const { outcome, error } = result;
    const told = { action: act.action, key: act.row, outcome, ...(error && { error }) };
    if (watch === this.#watch) this.#tellResult(act, result);
    this.#list.fire('acted', { ...told, isUndo: Boolean(act.undoes) });
    return told;
  }

  #tellWaiting(act) {
    const { acts } = this.#watch;
    const undo = { label: this.#list.words.undo, pressed: () => acts.withdraw(act) };
    this.#told = act;
    this.#toast.show(`${this.#name(act)} · ${this.#list.words.actQueued}`, readable.waiting, act.isSent ? null : undo);
  }

  #tellResult(act, result) {
    const { outcome, undo } = result;
    if (outcome === 'success' && undo && !act.undoes) {
      this.#offers.add(act, performance.now() + undo);
      return this.#unwanted.delete(act) ? this.#undo() : this.#offer();
    }
    if (/success|gone|cancelled/.test(outcome)) {
      if (outcome === 'success') this.#list.say(this.#name(act));
      return this.#told === act && this.#offer();
    }
    this.#told = act;
    const { code, message, values = [] } = result.error ?? {};
    const { words } = this.#list;
    const why = isOfRefresh.test(code) ? '' : words.explain(result.error ?? {}) || message;
    // The identifier leads to the reason in the server's log.
    const id = code === 'actionFailed' ? ` (${values[0]})` : '';
    const text = code === 'interrupted' ? why : [words.actFailed + id, why].filter(Boolean).join('. ');
    const mayRetry = /failure|timeout/.test(outcome) && !act.undoes && !isFinal.test(code);
    const retry = { label: words.retry, pressed: () => this.#retry(act) };
    this.#toast.show(`${this.#name(act)} · ${text}`, readable.fault, mayRetry ? retry : null, () => this.#offer());
  }

  #retry({ action, row }) {
    const hadFocus = this.#toast.hasFocus;
    this.#toast.hide();
    this.#run(action, row);
    if (hadFocus) this.#focus(row);
  }

  /** The newest act that can be undone; nothing where there is none. */
  #offer() {
    const { newest } = this.#offers;
    this.#told = newest?.act ?? null;
    if (!newest) return this.#toast.hide();
    const { act, until } = newest;
    const undo = { label: this.#list.words.undo, pressed: () => this.#undo() };
    this.#toast.show(this.#name(act), until - performance.now(), undo, () => this.#offers.clear());
  }

  /**
   * What was done to what: “Archive: Alpha”.
   * @param {import('./pending-acts.js').Act} act
   */
  #name({ action, title, undoes }) {
    const name = undoes ? this.#list.words.undo : (this.#actions.find((one) => one.name === action)?.title ?? action);
    return `${name}: ${title}`;
  }

  #titleOf(key) {
    const { title } = this.show(this.#watch.replica.rows).find((row) => row.key === key)?.fields ?? {};
    return `${title ?? key}`;
  }

  /** To what was in the toast, that has gone. */
  #focus(key) {
    const target = this.#rows.element(key)?.querySelector(`a[href], button, ${opens}`) ?? this.#view.heading;
    target.focus({ preventScroll: true });
  }

  /** @param {any[]} path an event's composedPath() @returns {HTMLElement | undefined} */
  #rowOf(path) {
    const item = path.find((node) => node.dataset?.key !== undefined);
    return item && this.#rows.element(item.dataset.key) === item ? item : undefined;
  }

  #clicked(event) {
    const path = event.composedPath();
    const button = path.find((node) => node.matches?.(opens));
    const item = button && this.#rowOf(path);
    if (!item || !this.#isOffered || event.defaultPrevented) return;
    event.preventDefault();
    if (this.#menu.isOpen && button.ariaExpanded === 'true') return this.#menu.close(true);
    this.#openMenu(button, item);
  }

  #openMenu(opener, item, at = 0) {
    const { key } = item.dataset;
    const place = item.querySelector(opens) ?? item;
    const marks = this.#isMarking ? [this.#unread()?.action(key)].filter(Boolean) : [];
    const chosen = ({ name }) => (marks.some((mark) => mark.name === name) ? this.#unread().mark(key, name === 'seen') : this.#run(name, key));
    this.#menu.open(opener, place, [...this.#actions, ...marks], this.#list.words.actionsFor(this.#titleOf(key)), chosen, at);
  }

  #keyed(event) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const path = event.composedPath();
    const item = this.#rowOf(path);
    if (!item || !this.#isOffered || event.defaultPrevented || isField(path[0])) return;
    if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) {
      event.preventDefault();
      this.#keyedAt = event.timeStamp;
      return this.#openMenu(path[0], item);
    }
    const at = this.#actions.findIndex(({ destructive, effect }) => destructive || effect === 'remove');
    if (!/^(Delete|Backspace)$/.test(key) || at < 0 || shiftKey || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    if (!isSafe(this.#actions[at])) return this.#openMenu(path[0], item, at);
    this.#run(this.#actions[at].name, item.dataset.key);
  }

  #undoKeyed(event) {
    const [target] = event.composedPath();
    const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!isUndo || event.defaultPrevented || isField(target) || !this.#undoNewest()) return;
    event.preventDefault();
  }

  /** Of what is not over, too: it is undone as soon as it is. @returns {boolean} whether there is anything */
  #undoNewest() {
    const { acts } = this.#watch ?? {};
    const last = acts?.unfinished.findLast(({ undoes }) => !undoes);
    const isUndoable = last && (!last.isSent || this.#actions.find(({ name }) => name === last.action)?.undo);
    if (!isUndoable && !this.#offers.newest) return false;
    if (!isUndoable) this.#undo();
    else if (!acts.withdraw(last)) this.#unwanted.add(last);
    return true;
  }
}

/** @returns {Error} for who writes the page, in English */
const fault = (code, message) => Object.assign(new Error(message), { code });
