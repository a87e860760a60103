import { Indicator, IndicatorTexts } from '../element/indicator.js';
import { Motion, transforms } from './motion.js';
import { isAtTop, scrollTarget, scroller } from './scroller.js';
import { gapHeight } from '../element/styles.js';
import { age, report, result } from '../words/words.js';

/** Milliseconds: of the ways to hold, and to rest. */
const toHold = 250, toRest = 300;
/** How long a result stands before its gap closes: one that is to be read, and one that says what was to be expected. Milliseconds. */
const reading = 700, lingering = 280;
/** Milliseconds without an answer until the page shows it: where the connection is lost, and where it seems not to be. */
const slow = 1000, hopeless = 5000;
/** The class of a gap that shows the indicator. */
const visible = 'gap visible';

/**
 * The room above the rows that a pull opens, and the indicator in it: how far it is open, how it closes, and what of a refresh
 * is shown there. Further down the list, and where the gap has been scrolled out of view, the indicator floats instead.
 *
 * @typedef {object} PullState what the gap may know of the pull
 * @property {boolean} isDown a finger is pulling
 * @property {{since: number} | null} pending a request that the list does not show yet
 * @property {{phase: string, progress: number} | null} own the gesture's state
 * @property {import('./pull.js').PullConfiguration} configuration
 */
export class Gap {
  /** Whether a refresh is shown in the gap, or floats above the rows. */ #isExpanded = false;
  #isFloating = false;
  /** Whether the indicator stands still, as it did when the content last began to move. */ #isBehind = false;
  /** What came of the last run, while its result stands. @type {object | null} */ #result = null;
  /** What scrolls, while the gap is open, and how far: no further than the gap. px */
  /** @type {Element | null} */ #scroller = null;
  #scrolled = 0;
  #timers = { linger: 0, patience: 0 };
  /** How old the rows of a state are, as it was said last. @type {{state?: object | null, text: string}} */ #age = { text: '' };
  #host;
  #view;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  /** @type {PullState} */ #pull;
  #indicator;
  #texts;
  #motion;

  /**
   * @param {HTMLElement} host @param {import('../element/view.js').View} view
   * @param {import('../element/list-renderer.js').ListContext} list @param {PullState} pull
   */
  constructor(host, view, list, pull) {
    this.#host = host;
    this.#view = view;
    this.#list = list;
    this.#pull = pull;
    this.#indicator = new Indicator(view.indicator);
    this.#texts = new IndicatorTexts(host, list);
    const place = (offset) => transforms(offset, this.#scrolled, pull.configuration.hold, this.#isBehind ? gapHeight : 0);
    this.#motion = new Motion([view.content, view.indicator, view.gap], place, (isAtRest) => (isAtRest ? this.#closed() : this.#show(true)));
  }

  /** How far it is open, in the midst of an animation too. px */
  get offset() {
    return this.#motion.offset;
  }

  /** Whether the result of the last run still stands. */
  get hasResult() {
    return this.#result !== null;
  }

  /** A finger takes hold of it. @param {boolean} isLoading the refresh that is shown stays */
  grip(isLoading) {
    this.#isBehind = this.#host.hasAttribute('behind');
    if (!isLoading) this.forgetResult();
    this.#isExpanded ||= isLoading;
    this.#isFloating = false;
  }

  /** Follows a finger. @param {number} offset px */
  follow(offset) {
    this.#motion.follow(offset);
  }

  /** How full the indicator is: all that a frame of a pull needs. @param {number} share 0…1 */
  fill(share) {
    this.#indicator.fill(share);
  }

  /** A pull has asked: its refresh is shown here. */
  open() {
    this.#isExpanded = true;
  }

  /** No refresh is shown here any more. */
  close() {
    this.#isExpanded = false;
  }

  /** A refresh shows in the gap above the rows; for a reader further down, or quietly, it floats. */
  expand(isQuiet = false) {
    this.#isExpanded = !isQuiet && isAtTop(scroller(this.#host)) && !this.#list.isFirst;
    this.#isFloating = !this.#isExpanded && !this.#list.isFirst;
    this.rest(toHold);
  }

  /** A refresh has begun, of whoever asked for it. */
  begin() {
    if (this.#isExpanded || this.#isFloating) this.rest(toHold);
    else this.expand();
  }

  /** Brings the content to where it belongs without a finger. @param {number} [duration] ms @param {number} [velocity] px/ms */
  rest(duration = toRest, velocity = 0) {
    if (this.#pull.isDown) return;
    this.#isBehind = this.#host.hasAttribute('behind');
    const isHeld = this.#isExpanded && (this.#pull.pending || this.#list.phase === 'loading');
    this.#motion.settle(isHeld ? this.#hold : 0, duration, velocity);
  }

  /** The result of a run stands for a moment, though the list may wait again before it is over. */
  showResult() {
    if (this.offset === 0 && !this.#isFloating) return;
    this.#result = this.#list.state;
    const { outcome, changes = {} } = this.#result.last ?? {};
    const isNews = outcome !== 'success' || Object.values(changes).some((count) => count > 0);
    this.#timers.linger = setTimeout(() => this.finish(), isNews ? reading : lingering);
  }

  forgetResult() {
    clearTimeout(this.#timers.linger);
    this.#result = null;
  }

  /** What was shown is over: it closes. */
  finish() {
    if (this.#pull.isDown || this.#pull.pending) return;
    const scrolled = scroller(this.#host);
    const isOpen = this.offset > 0;
    if (this.#isExpanded && scrolled.scrollTop > this.#hold && this.offset >= this.#hold) {
      // Whoever reads further down must not see the rows jump.
      this.#motion.follow(0);
      scrolled.scrollTop -= this.#hold;
    }
    this.#isExpanded = false;
    this.rest();
    // In the gap the result is seen until that is closed.
    if (!isOpen) this.forgetResult();
    this.paint();
  }

  /** Another list: nothing of the one before is shown. */
  reset() {
    clearTimeout(this.#timers.patience);
    this.forgetResult();
    this.#isExpanded = this.#isFloating = false;
    this.#motion.follow(0);
  }

  /** Draws the indicator. */
  paint() {
    const { watch, words } = this.#list;
    const { pending } = this.#pull;
    const phase = this.#phase;
    const isLoading = phase === 'loading';
    this.#show();
    const progress = isLoading ? watch?.progress : null;
    this.#indicator.kind = this.#host.getAttribute('indicator') ?? this.#pull.configuration.indicator;
    this.#indicator.paint({
      phase: pending ? 'loading' : phase,
      outcome: (this.#result ?? watch?.state)?.last?.outcome ?? 'success',
      progress: phase === 'waiting' ? (this.#pull.own?.progress ?? (this.offset > 0 ? null : 0)) : 1,
      share: progress?.total ? Math.min(1, progress.completed / progress.total) : null,
      label: this.#label,
      widest: () => this.#texts.widest,
      note: progress ? report(progress, words) : isLoading || phase === 'closing' || pending ? '' : this.#ageOf(watch?.state, words),
    });
  }

  /** Not worked out anew under a finger: to write a time takes a tenth of the frame that primes. */
  #ageOf(state, words) {
    if (!this.#pull.isDown || state !== this.#age.state) this.#age = { state, text: age(state, words) };
    return this.#age.text;
  }

  /** That of the list, or the end of a run whose result still stands. */
  get #phase() {
    const { phase } = this.#list;
    return phase === 'waiting' && this.#result && !this.#pull.isDown ? 'closing' : phase;
  }

  get #hold() {
    return this.#pull.configuration.hold;
  }

  get #label() {
    const { watch, words, loss } = this.#list;
    const { pending } = this.#pull;
    if (!pending && this.#phase === 'closing') return result(this.#result ?? watch?.state ?? {}, words, watch?.about?.noun, this.#texts.own('closing'));
    const text = this.#texts.of(pending ? 'loading' : this.#phase);
    if (!pending) return text;
    const left = (loss.isLost ? slow : hopeless) - (performance.now() - pending.since);
    if (left < 0) return words.queued;
    clearTimeout(this.#timers.patience);
    this.#timers.patience = setTimeout(() => this.#list.paint(), left + 10);
    return text;
  }

  /** Where there is something to see: in the gap, or floating above the rows once the gap has left the view. */
  #show(isMoving = this.offset > 0) {
    const phase = this.#phase;
    const { pending, isDown } = this.#pull;
    if (phase === 'waiting' && !pending) this.#isFloating = false;
    const isSeen = phase === 'loading' ? !this.#list.isFirst : this.#isFloating || isMoving || pending !== null;
    // A pull begins at the top: to look for the scroller then would lay out its first frame.
    this.#followScroller(isSeen && isMoving && (this.#scroller !== null || !isDown));
    const isAway = this.#scrolled > 0 && this.#scrolled >= this.#hold && !isDown;
    const className = isSeen ? visible + (this.#isFloating || isAway ? ' floating' : '') : 'gap';
    if (className !== this.#view.gap.className) this.#view.gap.className = className;
  }

  #closed() {
    this.forgetResult();
    this.paint();
  }

  /** The indicator stands in the bar, which stays; so it is moved with the gap where that is scrolled. */
  #followScroller(isOpen) {
    if (isOpen === Boolean(this.#scroller)) return;
    if (this.#scroller) scrollTarget(this.#scroller).removeEventListener('scroll', this.#scrolledAway);
    this.#scroller = isOpen ? scroller(this.#host) : null;
    if (isOpen) scrollTarget(this.#scroller).addEventListener('scroll', this.#scrolledAway, { passive: true });
    this.#scrolledAway();
  }

  #scrolledAway = () => {
    const scrolled = Math.min(Math.max(0, this.#scroller?.scrollTop ?? 0), this.#hold);
    if (scrolled === this.#scrolled) return;
    this.#scrolled = scrolled;
    this.#motion.place();
    if (this.#scroller) this.#show();
  };
}
