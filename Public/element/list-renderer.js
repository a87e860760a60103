import { enableRefreshButtons, isRefreshClick } from './command-buttons.js';
import { scrollBehavior } from '../gesture/motion.js';
import { StatusViews } from './status-views.js';
import { OpenRow } from '../rows/open-row.js';
import { Rows } from '../rows/rows.js';
import { ShownRows } from '../rows/shown-rows.js';
import { isAtTop, scroller } from '../gesture/scroller.js';
import { ScrollActivity } from '../scrolling/scroll-activity.js';
import { templateOf } from '../rows/template.js';
import { write } from './view.js';
import { age, fault, sentence } from '../words/words.js';

/** A list of fewer rows is not long. */
const long = 100;

/**
 * What is seen of a list besides the gap: the bar, the rows, and what stands in their place.
 *
 * @typedef {object} ListContext what the parts of the element may know and do of it
 * @property {import('../connection/watch.js').Watch | null} watch
 * @property {import('../connection/list-state.js').Phase} phase as people see it
 * @property {any} state the list's, as people see it
 * @property {boolean} isOwn whether what loads was requested here
 * @property {boolean} isFirst the first load, which has a placeholder of its own
 * @property {boolean} refreshable
 * @property {import('../connection/connection-loss.js').ConnectionLoss} loss of the connection
 * @property {{title: string, code: string, message: string} | null} fault of a request of ours; its title is a key of
 *   the words, and so is its code where there is no message
 * @property {import('../words/words.js').Words} words in the element's language
 * @property {() => void} ask refreshes, as the person wishes
 * @property {(cause: string) => boolean} consents whether the page lets a refresh begin
 * @property {(type: string, detail: object, cancelable?: boolean) => boolean} fire an event of the element; false where a
 *   listener prevented it
 * @property {() => void} paint
 * @property {() => void} turn paints no more than another phase needs
 * @property {boolean} isDown a finger pulls: rows must stay
 * @property {(title: string, error: Error) => void} fail its title is a key of the words
 * @property {(text: string) => void} say
 */
export class ListRenderer {
  #host;
  #view;
  #rows;
  #statusViews;
  #list;
  /** The page's own for rows. @type {HTMLTemplateElement | null} */ #template = null;
  #observer = new MutationObserver((records) => this.#applyTemplate(records));
  /** @type {import('../rows/load-more.js').LoadMore | null} */ #more = null;
  /** @type {import('../actions/row-actions.js').RowActions | null} */ #actions = null;
  /** @type {import('../rows/unread-rows.js').UnreadRows | null} */ #unread = null;
  /** Says where one is in a long list. @type {Promise<import('../scrolling/scroll-position.js').ScrollPosition> | null} */ #position = null;
  /** Shows the row that is open. @type {OpenRow} */ #open;
  /** @type {ShownRows} */ #shown;
  /** The description of the sections that rows stand in, or will once what divides them is here. */
  #divided = '';
  #isDividing = false;
  #announcement = 0;
  /** Whether what loads is a refresh: of the first rows none is new. */ #isNews = false;
  /** How many rows have come above what is in view. */ #missed = 0;

  /** @param {HTMLElement} host @param {import('./view.js').View} view @param {ListContext} list */
  constructor(host, view, list) {
    this.#host = host;
    this.#view = view;
    this.#list = list;
    host.addEventListener('click', (event) => isRefreshClick(event, host) && list.ask());
    this.#statusViews = new StatusViews(view, () => this.#retry());
    const activity = new ScrollActivity(host);
    this.#shown = new ShownRows(host, view, list, {
      acted: (rows) => this.#actions?.show(rows) ?? rows,
      element: (key) => this.#rows.element(key),
      isMoving: () => activity.isMoving(),
      render: () => this.render(true),
    });
    this.#rows = new Rows(view, {
      rows: () => this.#shown.rows,
      scroller: () => scroller(host),
      isMoving: () => list.isDown || (!this.#shown.virtualizer && activity.isMoving()),
      virtualizer: () => this.#shown.virtualizer,
      drawn: () => {
        this.#shown.drawn();
        this.#open.update();
        this.#unread?.drawn();
        this.#actions?.drawn();
        this.#followScroll();
      },
      missed: (count) => this.miss(count),
      get words() { return list.words; },
    });
    this.#open = new OpenRow(host, list, (key) => this.#rows.element(key));
    this.#statusViews.name(list.words);
    view.bar.addEventListener('click', (event) => isBare(event) && this.#returnToTop());
    view.news.addEventListener('click', () => {
      this.#returnToTop();
      view.heading.focus({ preventScroll: true });
    });
    this.#observer.observe(host, { childList: true });
    this.#applyTemplate([]);
  }

  /**
   * @param {boolean} isFirst whether another list is shown than before
   * @param {boolean} [isOwn] whether people asked for the rows themselves
   * @param {boolean} [isLook] whether it is another part of the list
   */
  render(isFirst, isOwn = false, isLook = false) {
    if (!this.#shown.begin() && !this.#divide()) this.#rows.render(isFirst, isOwn, isLook);
  }

  /** A part of a long list could not be looked at. @param {object} refusal */
  looked(refusal) {
    this.#shown.refused(refusal);
  }

  paint() {
    const { refresh } = this.#view;
    const { activeElement } = refresh.getRootNode();
    this.#paintBar();
    this.#divide();
    this.#paintContent();
    this.#paintMore();
    this.#paintUnread();
    this.actions();
    // A button that goes, as Cancel and Retry do, hands the focus on.
    if (activeElement?.closest('[hidden]')) refresh.focus();
  }

  /** Brings the relative times up to date. */
  tick() {
    this.#rows.tick();
    this.#paintBar();
  }

  /** The words are others. */
  translate() {
    this.#statusViews.name(this.#list.words);
    this.#tellMissed();
    this.tick();
    this.paint();
  }

  /** Says to those who can't see it what a new phase means; a short refresh only how it ended. */
  turn(from, to) {
    const { watch, words } = this.#list;
    clearTimeout(this.#announcement);
    if (to === 'loading') {
      this.#isNews = !this.#list.isFirst;
      if (this.#isNews) this.#announcement = setTimeout(() => this.#view.say(words.loading.replace(/ ?…/, '')), 500);
    } else if (from === 'loading' && watch?.state && watch.state.phase !== 'loading' && (this.#isNews || fault(watch.state, words))) {
      this.#view.say(sentence(watch.state, words, watch.about?.noun));
    }
  }

  #returnToTop() {
    // Thousands of rows are too many to be flown over.
    scroller(this.#host).scrollTo({ top: 0, behavior: this.#shown.virtualizer?.part.first ? 'auto' : scrollBehavior() });
  }

  /** Rows came above what is in view: a pill leads to them. @param {number} [count] */
  miss(count) {
    if (!count) return;
    if (!this.#missed) addEventListener('scroll', this.#scrolled, { capture: true, passive: true });
    this.#missed += count;
    this.#view.news.hidden = false;
    this.#tellMissed();
  }

  #tellMissed() {
    write(this.#view.news, this.#list.words.missed(this.#missed));
  }

  #scrolled = () => isAtTop(scroller(this.#host)) && this.catchUp();

  /** A list that is long says where one is in it while one flings. */
  async #followScroll() {
    const { rows, count, virtualizer } = this.#shown;
    if (!this.#position && count < long) return;
    // Without that a list is still a list.
    this.#position ??= import('../scrolling/scroll-position.js')
      .then(({ ScrollPosition }) => new ScrollPosition(this.#host, this.#view, this.#list), () => null);
    const position = await this.#position;
    position?.follow(this.#host.isConnected && count >= long ? scroller(this.#host) : null, rows, virtualizer);
  }

  /** The list is no longer shown. */
  leave() {
    this.#position?.then((position) => position?.follow(null, [], null));
    this.catchUp();
    this.#shown.leave();
    this.#actions?.leave();
    this.#unread?.leave();
  }

  /** The newest rows are in view. */
  catchUp() {
    removeEventListener('scroll', this.#scrolled, { capture: true });
    this.#missed = 0;
    this.#view.news.hidden = true;
  }

  /** Another row is to be open. */
  open() {
    this.#open.open();
    this.#shown.open();
  }

  /** Something else is looked for. */
  find() {
    this.#shown.update();
    this.paint();
  }

  /** Renders rows by the page's template, and again when it changes. */
  #applyTemplate(records) {
    const template = templateOf(this.#host);
    if (template === this.#template && records.every(({ target }) => target === this.#host)) return;
    this.#template = template;
    if (template) this.#observer.observe(template.content, { attributes: true, characterData: true, childList: true, subtree: true });
    this.#rows.applyTemplate();
  }

  /** Rows in sections wait for what divides them. @returns {boolean} whether they do */
  #divide() {
    const { about } = this.#list.watch ?? {};
    const said = about?.section ? JSON.stringify(about.section) : '';
    if (about && said !== this.#divided) {
      this.#divided = said;
      this.#isDividing = true;
      this.#loadSections(said, about.section);
    }
    return this.#isDividing;
  }

  async #loadSections(said, rule) {
    // Without its headings a list is still a list.
    const module = said ? await import('../rows/sections.js').catch(() => null) : null;
    if (said !== this.#divided) return;
    this.#isDividing = false;
    this.#rows.divide(module && new module.Sections(rule, this.#host, this.#view, this.#list));
  }

  #retry() {
    const { watch, ask } = this.#list;
    if (watch?.refusal) return watch.watch();
    if (!watch?.isConnected) watch?.connection.connectNow();
    if (this.#list.refreshable) ask();
  }

  #paintBar() {
    const { watch, phase, isFirst, isOwn, loss, refreshable, words } = this.#list;
    const { heading, updated, refresh, search, cancel } = this.#view;
    search.hidden = !this.#shown.find.isOffered;
    this.#shown.paint();
    // Its name is not its title: that comes with the first answer, if there is one.
    const name = watch?.refusal || this.#connection ? watch?.name : '';
    write(heading, this.#host.getAttribute('heading') ?? watch?.about?.title ?? name ?? '');
    heading.ariaLevel = this.#host.getAttribute('level') ?? '2';
    write(updated, age(watch?.state, words, isFirst ? '' : this.#connection));
    updated.hidden = !isFirst && !updated.textContent;
    updated.title = watch?.state?.updatedAt ? words.full(watch.state.updatedAt) : '';
    this.#host.toggleAttribute('stale', Boolean(watch?.state?.staleSince || this.#connection));
    this.#host.toggleAttribute('offline', loss.isLost);
    refresh.disabled = !refreshable;
    enableRefreshButtons(this.#host, refreshable);
    cancel.hidden = phase !== 'loading';
    write(cancel, isOwn ? words.cancel : words.hide);
  }

  #paintContent() {
    const { watch, isFirst, refreshable, words } = this.#list;
    const shown = this.#fault();
    const isAway = isFirst && this.#connection && watch.connection.isAway;
    const { isUnfound, all } = this.#shown;
    const isEmpty = Boolean(watch) && (isUnfound || watch.replica.count === 0 || (watch.replica.rows.length > 0 && !all.length)) && !isFirst && !shown;
    // What was never loaded is not empty.
    const isUnloaded = isEmpty && refreshable && !watch.state?.updatedAt;
    const absence = isAway ? 'offline' : isEmpty ? 'empty' : '';
    const title = isUnfound ? words.noneFound : isUnloaded ? words.notLoaded : words[absence];
    this.#view.loading.hidden = this.#view.skeleton.hidden = !isFirst || isAway || Boolean(shown);
    this.#statusViews.paint(shown, absence, title, isAway ? words.unavailable : refreshable && !isUnfound ? words.waiting : '');
  }

  #fault() {
    const { watch, phase, fault: ours, words } = this.#list;
    if (watch?.refusal) {
      const { code, retry } = watch.refusal;
      const isUnknown = code === 'unknownList';
      const message = isUnknown ? '' : words.explain(watch.refusal);
      return { title: isUnknown ? words.unknownList : words.notShown, message, isFinal: retry === 'never', isUnknown };
    }
    if (watch?.connection.refusal) return { title: words.notShown, message: words.explain(watch.connection.refusal) };
    if (ours) return { title: words[ours.title], message: words.explain(ours) || words[ours.code] };
    return watch?.state && phase !== 'loading' ? fault(watch.state, words) : null;
  }

  /** What people should know of a connection that is lost. */
  get #connection() {
    const { watch, loss, words } = this.#list;
    return watch?.connection.refusal || !loss.word ? '' : words[loss.word];
  }

  /**
   * What acts on rows, where the list has actions.
   * @param {boolean} [isAsked] or code asks for one
   * @returns {Promise<import('../actions/row-actions.js').RowActions | undefined>}
   */
  async actions(isAsked = false) {
    const { actions, unread } = this.#list.watch?.about ?? {};
    if (!this.#actions && !isAsked && !actions && !unread) return;
    if (!this.#actions) this.#view.rows.toggleAttribute('data-acts', true);
    const { RowActions } = await import('../actions/row-actions.js');
    this.#actions ??= new RowActions(this.#host, this.#view, this.#list, this.#rows, () => this.#unread);
    this.#actions.paint();
    return this.#actions;
  }

  async #paintUnread() {
    if (!this.#unread && !this.#list.watch?.about?.unread) return;
    const { UnreadRows } = await import('../rows/unread-rows.js');
    this.#unread ??= new UnreadRows(this.#host, this.#list, this.#rows);
    this.#unread.paint();
  }

  async #paintMore() {
    if (!this.#more && !this.#list.watch?.state?.more) return;
    const { LoadMore } = await import('../rows/load-more.js');
    this.#more ??= new LoadMore(this.#statusViews.more, this.#list, this.#rows);
    this.#more.paint();
  }
}

/** Whether a click is on nothing that does something else, and ends no selection. */
function isBare(event) {
  return getSelection()?.type !== 'Range' && !event.composedPath().some((node) => node.matches?.('a, button, input, [slot]:not([slot=header])'));
}
