import { make } from '../element/make.js';
import { groupsOf } from '../rows/row-groups.js';
import { write } from '../element/view.js';

/** An act that takes longer is seen on its row. Milliseconds. */
const shown = 400;

/** What rows show of actions: the button that opens the menu, and that something is done to them, or waits to be. */
export class RowMarks {
  #view;
  #rows;
  #words;
  #isOffered = false;
  /** @type {Set<HTMLElement>} rows to which something is done */ #marked = new Set();
  #timer = 0;

  /** @param {import('../element/view.js').View} view @param {import('../rows/rows.js').Rows} rows @param {() => import('../words/words.js').Words} words */
  constructor(view, rows, words) {
    this.#view = view;
    this.#rows = rows;
    this.#words = words;
    const root = view.content.getRootNode();
    // Rows that were never in view have no button: there may be thousands.
    root.addEventListener('contentvisibilityautostatechange', ({ target }) => target.className === 'group' && this.#offer(target), true);
  }

  /** @param {AbortSignal} signal ends it */
  connect(signal) {
    globalThis.visualViewport?.addEventListener('resize', () => this.#leaveFingers(), { signal });
  }

  /** @param {boolean} isOffered whether the list has actions */
  offer(isOffered) {
    const { rows } = this.#view;
    this.#isOffered = isOffered;
    rows.toggleAttribute('data-acts', isOffered);
    this.#leaveFingers();
    if (rows.slot) for (const button of rows.querySelectorAll('[data-actions]')) this.#name(button, button.closest('[data-key]'));
    else if (isOffered) for (const group of groupsOf(rows)) this.#offer(group);
    else for (const button of rows.querySelectorAll('[part=actions]')) button.remove();
  }

  /** Shows on rows what is done to them. @param {import('../connection/watch.js').Watch | null} watch */
  mark(watch) {
    clearTimeout(this.#timer);
    const acts = new Map(watch?.acts?.unfinished.map((act) => [this.#rows.element(act.row), act]));
    acts.delete(undefined);
    for (const item of this.#marked) if (!acts.has(item)) this.#put(item, '');
    this.#marked = new Set(acts.keys());
    for (const [item, { at, progress }] of acts) {
      const isBusy = watch.isConnected && Date.now() - at >= shown;
      this.#put(item, watch.isConnected ? isBusy && 'running' : 'waiting', progress);
    }
    if (acts.size && watch.isConnected) this.#timer = setTimeout(() => this.mark(watch), shown);
  }

  /** @param {HTMLElement} item @param {string | false} state @param {{completed?: number, total?: number}} [progress] */
  #put(item, state, progress = {}) {
    item.ariaBusy = state === 'running' ? 'true' : null;
    if (state) item.dataset.act = state;
    else delete item.dataset.act;
    const { completed, total } = progress;
    if (state && total) item.style.setProperty('--rl-done', `${Math.min(1, completed / total)}`);
    else item.style.removeProperty('--rl-done');
    if (this.#view.rows.slot) return;
    const note = state === 'waiting' ? this.#words().actQueued : '';
    const line = item.querySelector(':scope > [part=note]');
    if (!note) line?.remove();
    else if (line) write(line, note);
    else item.append(make('span', { part: 'note' }, note));
  }

  #offer(group) {
    if (!this.#isOffered || this.#view.rows.slot || isSkipped(group)) return;
    for (const item of group.children) {
      let button = item.querySelector(':scope > [part=actions]');
      if (!button) item.append((button = make('button', { part: 'actions', type: 'button' })));
      this.#name(button, item);
    }
  }

  #name(button, item) {
    const label = this.#words().actionsFor((item.querySelector('[data-field]') ?? item).textContent);
    if (button.ariaLabel === label) return;
    button.ariaLabel = label;
    button.ariaHasPopup = 'menu';
    button.ariaExpanded ??= 'false';
  }

  /** A browser leaves to us what is flat, but not while a page is enlarged: then it is moved about. */
  #leaveFingers() {
    const isEnlarged = (globalThis.visualViewport?.scale ?? 1) > 1.01;
    this.#view.rows.style.touchAction = this.#isOffered && !isEnlarged ? 'pan-y pinch-zoom' : '';
  }
}

/** Whether a group is out of view, in a list so long that such is not laid out. */
const isSkipped = (group) => Boolean(group.style.contentVisibility) && group.firstElementChild?.checkVisibility?.({ contentVisibilityAuto: true }) === false;
