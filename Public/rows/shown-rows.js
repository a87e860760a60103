import { scroller } from '../gesture/scroller.js';
import { Find } from './find.js';

/**
 * Which rows of a list are shown: those that are looked for, and of a long list those near the view, which the server finds.
 *
 * @typedef {object} Renderer what shows them
 * @property {(rows: import('../connection/replica.js').Row[]) => import('../connection/replica.js').Row[]} acted rows as the person's own acts have them
 * @property {(key: string) => HTMLElement | undefined} element of a row, where it is drawn
 * @property {() => boolean} isMoving whether a reader moves the list
 * @property {() => void} render shows them anew
 */
export class ShownRows {
  #host;
  #view;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  /** @type {Renderer} */ #renderer;
  /** What is looked for. @type {Find} */ find;
  /** Has the rows of a long list. @type {import('../scrolling/virtualizer.js').Virtualizer | null} */ #virtualizer = null;
  /** Whether that is being loaded, or could not be. */ #loading = '';
  /** Of the open row that was last gone to. @type {string | null} */ #openKey = null;

  /** @param {HTMLElement} host @param {import('../element/view.js').View} view @param {import('../element/list-renderer.js').ListContext} list @param {Renderer} renderer */
  constructor(host, view, list, renderer) {
    this.#host = host;
    this.#view = view;
    this.#list = list;
    this.#renderer = renderer;
    this.find = new Find(host, view, list);
  }

  /** The list's rows, as the person's own acts have them. */
  get all() {
    return this.#renderer.acted(this.#list.watch?.replica.rows ?? []);
  }

  /** Those of them that are looked for. */
  get rows() {
    return this.#isFoundByServer ? this.all : this.find.filter(this.all);
  }

  /** Whether words are looked for, and no row says them. */
  get isUnfound() {
    const isAny = this.#isFoundByServer || this.all.length > 0;
    return this.find.isFinding && isAny && this.rows.length === 0;
  }

  /** How many there are, also of those that are not here. */
  get count() {
    return this.virtualizer?.part.total ?? this.rows.length;
  }

  /** What has the rows, where the list is long. */
  get virtualizer() {
    return this.#list.watch?.isLong ? this.#virtualizer : null;
  }

  /** A long list is not here as a whole to be looked through. */
  get #isFoundByServer() {
    const { watch } = this.#list;
    return Boolean(watch?.isLong && watch.isConnected);
  }

  /**
   * Rows are about to be drawn.
   * @returns {boolean} whether they wait: for what has those of a long list
   */
  begin() {
    this.#virtualizer?.begin();
    if (this.#list.watch?.isLong && !this.#virtualizer && !this.#loading) this.#load();
    return this.#loading === 'loading';
  }

  async #load() {
    this.#loading = 'loading';
    // Without that, its first rows are shown.
    const module = await import('../scrolling/virtualizer.js').catch(() => null);
    this.#loading = module ? '' : 'failed';
    this.#virtualizer = module && new module.Virtualizer(this.#host, this.#view, this.#list, this.#renderer);
    this.#renderer.render();
  }

  /** They are drawn. */
  drawn() {
    this.find.mark(this.#view.rows);
    const { watch } = this.#list;
    if (!watch?.isLong) return this.#virtualizer?.leave();
    this.#virtualizer?.drawn(scroller(this.#host));
    if (!watch.isConnected) return;
    this.#virtualizer?.find(this.find.said, this.find.isTyped);
    this.open();
    this.paint();
  }

  /** Goes to the row that is open, once, where it is in another part of a long list. */
  open() {
    const key = this.#host.getAttribute('open-row');
    if (!this.virtualizer || key === this.#openKey) return;
    this.#openKey = key;
    if (key !== null) this.#virtualizer.show(key);
  }

  /** Something else is looked for. */
  update() {
    // The field that opens may move the rows.
    this.virtualizer?.rememberPosition();
    this.find.update();
    if (this.#isFoundByServer) this.#virtualizer?.find(this.find.said, this.find.isTyped);
    else this.#renderer.render();
  }

  /** A part of a long list could not be looked at. @param {object} refusal */
  refused(refusal) {
    this.#virtualizer?.refused(refusal);
  }

  paint() {
    this.find.isBusy = Boolean(this.virtualizer?.isFinding);
  }

  /** The list is no longer shown. */
  leave() {
    this.find.unmark();
    this.#virtualizer?.leave();
  }
}
