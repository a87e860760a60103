import { Indicator, IndicatorTexts } from '../element/indicator.js';
import { Motion, Vibration, gapParts } from './motion.js';
import { KnownRun, Pull, presets } from './pull.js';
import { RubberBand } from './rubber-band.js';
import { contain, isAtTop, isTopAllTheWay, scrollTarget, scroller } from './scroller.js';
import { isOver } from '../connection/list-state.js';
import { gapHeight } from '../element/styles.js';
import { Touch, Wheel } from './touch-and-wheel.js';
import { age, report, result } from '../words/words.js';

/** Milliseconds: of the ways to hold, to rest and back; until a finger rests. */
const toHold = 250, toRest = 300, toCancel = 200, resting = 500;
/** How long a result stands before its gap closes: one that is to be read, and one that says what was to be expected. Milliseconds. */
const reading = 700, lingering = 280;
/** Milliseconds without an answer until the page shows it: where the connection is lost, and where it seems not to be. */
const slow = 1000, hopeless = 5000;
/** A server that contradicts our prediction of a finger that rests for so long is right. Milliseconds. */
const conceding = 300;
/** Of the tick that a phone may give when a pull fires and when its refresh is over; twice as long where it primes. Milliseconds. */
const tick = 10;
/** The class of a gap that shows the indicator. */
const visibleGap = 'gap visible';

/**
 * The gap above the rows: the finger that opens it, the prediction that moves it in the same frame, the way it closes,
 * and the indicator in it. The element passes it the list's states and reads the gesture's.
 */
export class PullController {
  /**
   * The finger that pulls: what it last showed and sent, whether it has asked by itself, and whether it came down while the
   * list loads: then it asks for nothing, and is felt only here.
   * @type {{gesture: number, offset: number, band: RubberBand, base: number, isSpent: boolean, sentPhase: string,
   *   sentOffset?: number, sentAt?: number, wasAt?: number, isFired?: boolean, timer?: number} | null}
   */
  #finger = null;
  /** Our pending request, which the list does not show yet. @type {{since: number, run: string | null} | null} */
  #pending = null;
  #pull = new Pull(presets.standard);
  #known = new KnownRun();
  #vibration = new Vibration();
  /** Whether this page's person pulled for the refresh that is shown. */ #isTheirs = false;
  /** Whether it was requested here, by pull, button or code. */ #isAsked = false;
  /** Whether a refresh is shown in the gap, or floats above the rows. */ #isExpanded = false;
  #isFloating = false;
  /** What came of the last run, while its result stands. @type {object | null} */ #result = null;
  /** What scrolls, while the gap is open, and how far: no further than the gap. px */
  /** @type {Element | null} */ #scroller = null;
  #scrolled = 0;
  /** Whether the indicator stands still, as it did when the content last began to move. */ #isBehind = false;
  #timers = { linger: 0, patience: 0 };
  #host;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  #view;
  #indicator;
  #texts;
  #motion;
  #sources;
  /** Tells whether the top of the element is in view. */ #top;
  /** Undoes what `connect` did. @type {AbortController} */ #connected;

  /** @param {HTMLElement} host @param {import('../element/view.js').View} view @param {import('../element/list-renderer.js').ListContext} list */
  constructor(host, view, list) {
    this.#host = host;
    this.#list = list;
    this.#view = view;
    this.#indicator = new Indicator(view.indicator);
    this.#texts = new IndicatorTexts(host, list);
    const parts = gapParts(view, {
      hold: () => this.#hold, isBehind: () => this.#isBehind, height: gapHeight, scrolled: () => this.#scrolled,
    });
    this.#motion = new Motion(parts, (isAtRest) => (isAtRest ? this.#rested() : this.#show(true)));
    const delegate = {
      mayPull: () => list.refreshable && !this.isDown && !list.isFirst,
      isHandle: (path) => path.includes(view.bar) || path[0] === host,
      isAtTop: (path) => isTopAllTheWay(path, scroller(host)),
      claimed: () => this.#claimed(),
      moved: (travel, isFlick) => this.#moved(travel, isFlick),
      released: (velocity) => this.#released(velocity),
      cancelled: (velocity) => this.#cancelled(velocity),
    };
    this.#sources = [new Touch(host, delegate), new Wheel(host, delegate)];
    this.#top = new IntersectionObserver((entries) => {
      for (const source of this.#sources) source.near(entries.at(-1).isIntersecting);
    });
  }

  connect() {
    const { signal } = (this.#connected = new AbortController());
    signal.addEventListener('abort', contain(this.#host));
    for (const source of this.#sources) source.connect(signal);
    this.#top.observe(this.#view.status);
  }

  /** Undoes what `connect` did, in the midst of a pull too. */
  disconnect() {
    this.#top.disconnect();
    this.#connected.abort();
    this.reset();
  }

  /** Another list: nothing of the one before is pulled or shown. */
  reset() {
    this.cancel();
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#pending = this.#result = null;
    this.#isExpanded = this.#isFloating = this.#isTheirs = this.#isAsked = false;
    this.#adopt(this.#pull.configuration);
    this.#motion.follow(0);
  }

  /** @param {import('./pull.js').PullConfiguration} configuration of the list's newest ok */
  configure(configuration) {
    if (JSON.stringify(configuration) !== JSON.stringify(this.#pull.configuration)) {
      this.cancel();
      this.#adopt(configuration);
    }
    this.#host.style.setProperty('--rl-hold', `${this.#hold}px`);
  }

  /** The state of our gesture: predicted, unless the server has contradicted for long enough. */
  get own() {
    if (this.#pending) return { phase: 'primed', progress: 1 };
    const finger = this.#finger;
    const { phase } = this.#pull;
    if (!finger || finger.isSpent || phase === 'loading' || phase === 'closing') return null;
    const isTold = finger.offset === finger.sentOffset && performance.now() - finger.sentAt > conceding;
    const said = isTold ? this.#list.watch.own : null;
    return said?.gesture === finger.gesture ? said : this.#pull;
  }

  /** Shows what has become of the gesture: in most frames of a pull nothing but how full the indicator is. */
  follow() {
    const { own } = this;
    if (own && own.phase !== this.#list.phase) this.#list.turn();
    else if (own) this.#indicator.fill(own.phase === 'waiting' ? own.progress : 1);
  }

  /** True while nothing may move under the finger. */
  get isDown() {
    return this.#finger !== null;
  }

  /** Whether this page's person is asking for what is new. */
  get isAsking() {
    return this.isDown || this.#pending !== null;
  }

  /** Whether another phase would be of this page's own doing, so that the page may refuse it. */
  isOurs(phase) {
    return phase === 'primed' ? this.isDown : phase === 'loading' && this.#isAsked;
  }

  /** Abandons the pull that is under way. */
  cancel() {
    for (const source of this.#sources) source.cancel();
  }

  /** @param {object} state the list's */
  update(state) {
    for (const event of this.#known.hear(state.phase, state.heard)) this.#pull.handle(event);
    const isLoading = state.phase === 'loading';
    if (isLoading || (this.#pending?.run && isOver(this.#pending.run, state))) this.#pending = null;
  }

  /**
   * A button or code asks: the gap opens before the server answers.
   * @param {boolean} isQuiet whether the gap stays closed and the indicator floats instead
   * @returns {object | null} to drop later
   */
  ask(isQuiet) {
    if (this.#list.phase === 'loading') return null;
    this.#expand(isQuiet);
    this.#await();
    this.#rest(toHold);
    return this.#pending;
  }

  /** The pending request has ended, or will never be served. @param {object | null} asked nothing happens if it isn't pending */
  drop(asked) {
    if (!asked || asked !== this.#pending) return;
    this.#pending = null;
    this.#isAsked = false;
    this.#rest(toRest);
    this.#list.paint();
  }

  /** The phase that people see has changed. */
  turn(from, to) {
    if (to !== 'waiting') this.#forgetResult();
    if (to === 'primed' && !this.#pending) this.#vibrate(2 * tick);
    if (from === 'loading' && this.#isTheirs) this.#vibrate(tick);
    if (from === 'loading') this.#isTheirs = this.#isAsked = false;
    if (to === 'loading') this.#began();
    else if (from === 'loading' && to === 'closing') this.#showResult();
    else if (to === 'waiting' && !this.#finger && !this.#result) this.#finish();
  }

  /** The result of a run stands for a moment, though the list may wait again before it is over. */
  #showResult() {
    if (this.#motion.offset === 0 && !this.#isFloating) return;
    this.#result = this.#list.state;
    const { outcome, changes = {} } = this.#result.last ?? {};
    const isNews = outcome !== 'success' || Object.values(changes).some((count) => count > 0);
    this.#timers.linger = setTimeout(() => this.#finish(), isNews ? reading : lingering);
  }

  #forgetResult() {
    clearTimeout(this.#timers.linger);
    this.#result = null;
  }

  /** The gap is closed. */
  #rested() {
    this.#forgetResult();
    this.paint();
  }

  /** Draws the indicator. */
  paint() {
    const { watch, words } = this.#list;
    const phase = this.#shownPhase;
    const isLoading = phase === 'loading';
    this.#show();
    const progress = isLoading ? watch?.progress : null;
    this.#indicator.kind = this.#host.getAttribute('indicator') ?? this.#pull.configuration.indicator;
    this.#indicator.paint({
      phase: this.#pending ? 'loading' : phase,
      outcome: (this.#result ?? watch?.state)?.last?.outcome ?? 'success',
      progress: phase === 'waiting' ? (this.own?.progress ?? (this.#motion.offset > 0 ? null : 0)) : 1,
      share: progress?.total ? Math.min(1, progress.completed / progress.total) : null,
      label: this.#label,
      widest: () => this.#texts.widest,
      note: progress ? report(progress, words) : isLoading || phase === 'closing' || this.#pending ? '' : age(watch?.state, words),
    });
  }

  /** The phase of the indicator: that of the list, or the end of a run whose result still stands. */
  get #shownPhase() {
    const { phase } = this.#list;
    return phase === 'waiting' && this.#result && !this.#finger ? 'closing' : phase;
  }

  /** Where there is something to see: in the gap, or floating above the rows once the gap has left the view. */
  #show(isMoving = this.#motion.offset > 0) {
    const phase = this.#shownPhase;
    if (phase === 'waiting' && !this.#pending) this.#isFloating = false;
    const isSeen = phase === 'loading' ? !this.#list.isFirst : this.#isFloating || isMoving || this.#pending;
    this.#followScroller(Boolean(isSeen && isMoving));
    const isAway = this.#scrolled > 0 && this.#scrolled >= this.#hold && !this.#finger;
    const className = isSeen ? visibleGap + (this.#isFloating || isAway ? ' floating' : '') : 'gap';
    if (className !== this.#view.gap.className) this.#view.gap.className = className;
  }

  /** The indicator stands in the bar, which stays; so it is moved with the gap where that is scrolled. */
  #followScroller(isOpen) {
    if (isOpen === Boolean(this.#scroller)) return;
    if (this.#scroller) scrollTarget(this.#scroller).removeEventListener('scroll', this.#scrolledGap);
    this.#scroller = isOpen ? scroller(this.#host) : null;
    if (isOpen) scrollTarget(this.#scroller).addEventListener('scroll', this.#scrolledGap, { passive: true });
    this.#scrolledGap();
  }

  #scrolledGap = () => {
    const scrolled = Math.min(Math.max(0, this.#scroller?.scrollTop ?? 0), this.#hold);
    if (scrolled === this.#scrolled) return;
    this.#scrolled = scrolled;
    this.#motion.place();
    if (this.#scroller) this.#show();
  };

  get #hold() {
    return this.#pull.configuration.hold;
  }

  #adopt(configuration) {
    this.#pull = new Pull(configuration);
    this.#known = new KnownRun();
    if (this.#list.watch?.state) this.update(this.#list.watch.state);
  }

  #claimed() {
    const { offset } = this.#motion;
    this.#isBehind = this.#host.hasAttribute('behind');
    const isSpent = this.#list.watch.state?.phase === 'loading' || this.#pending !== null;
    if (!isSpent) this.#forgetResult();
    this.#isExpanded ||= isSpent;
    this.#isFloating = false;
    const gesture = this.#list.watch.connection.nextGesture();
    const band = new RubberBand(scroller(this.#host));
    this.#finger = { gesture, offset, isSpent, sentPhase: 'waiting', band, base: band.travel(offset) };
  }

  /** Every sample of a finger comes here: what is done must fit into a frame of a slow phone many times over. */
  #moved(travel, isFlick) {
    const finger = this.#finger;
    const displayed = finger.band.stretch(finger.base + travel);
    if (finger.isSpent) return this.#stretched(finger, displayed);
    if (!isFlick) finger.timer ||= setInterval(() => this.#beat(), resting);
    const { threshold, hysteresis } = this.#pull.configuration;
    const shown = Math.round(displayed * 10) / 10;
    const offset = (finger.offset = isFlick ? Math.min(shown, threshold - hysteresis) : shown);
    this.#motion.follow(shown);
    const { refresh } = this.#pull.handle({ type: 'sample', gesture: finger.gesture, offset });
    if (refresh !== undefined) this.#fired();
    if (finger !== this.#finger) return displayed;
    if (this.#pull.phase !== finger.sentPhase) this.#sample(finger, true);
    const detail = { offset: shown, progress: this.#pull.progress, gesture: finger.gesture };
    this.#host.dispatchEvent(new CustomEvent('pull', { detail }));
    this.follow();
    return displayed;
  }

  /** The content gives, though there is nothing to ask for. */
  #stretched(finger, displayed) {
    finger.offset = displayed;
    this.#motion.follow(Math.round(displayed * 10) / 10);
    return displayed;
  }

  /** One that was put away is wanted again by whoever pulls far enough. */
  #letGo({ offset }, velocity, isPull) {
    const isHidden = isPull && this.#list.watch?.state?.phase === 'loading' && this.#list.phase !== 'loading';
    if (isHidden && offset >= this.#pull.configuration.threshold) this.#list.ask();
    if (this.#pending || this.#list.phase === 'loading') return this.#rest(toCancel, velocity);
    this.#isExpanded = false;
    this.#rest(toCancel, velocity);
    this.#list.turn();
  }

  #sample(finger, isImportant) {
    finger.sentPhase = this.#pull.phase;
    finger.sentOffset = finger.offset;
    finger.sentAt = performance.now();
    this.#list.watch.pull(finger.gesture, finger.offset, isImportant);
  }

  /** A resting finger is reported once; then the server may have contradicted. */
  #beat() {
    const finger = this.#finger;
    const isResting = finger.offset === finger.wasAt;
    finger.wasAt = finger.offset;
    if (isResting && finger.offset !== finger.sentOffset) this.#sample(finger, false);
    else if (isResting) this.follow();
  }

  /** In the triggers `return` and `crossing` a pull asks by itself, with the finger still down. */
  #fired() {
    if (!this.#list.consents('pull')) this.cancel();
    if (!this.#finger) return;
    this.#finger.isFired = true;
    this.#isExpanded = this.#isTheirs = true;
    this.#await();
    this.#vibrate(tick);
  }

  #released(velocity) {
    const finger = this.#lift();
    if (finger.isSpent) return this.#letGo(finger, velocity, true);
    const { gesture, offset, isFired } = finger;
    const peak = Math.max(this.#pull.peak ?? offset, offset);
    const { refresh } = this.#pull.handle({ type: 'release', gesture, offset, peak });
    const runs = refresh !== undefined || isFired;
    const { watch } = this.#list;
    const isRefused = refresh !== undefined && !this.#list.consents('pull');
    // The page has taken the list away.
    if (watch !== this.#list.watch) return;
    if (isRefused) {
      this.#pull.handle({ type: 'refuse' });
      watch.cancelPull(gesture);
      this.#rest(toCancel, velocity);
      return this.#list.turn();
    }
    if (runs) this.#isExpanded = true;
    if (refresh !== undefined) this.#isTheirs = true;
    if (refresh !== undefined && this.#list.phase !== 'loading') this.#await();
    this.#follow(watch.releasePull(gesture, offset, peak), runs);
    this.#rest(runs ? toHold : toCancel, velocity);
    this.#list.turn();
  }

  #cancelled(velocity) {
    const finger = this.#lift();
    if (finger.isSpent) return this.#letGo(finger, velocity, false);
    const { gesture, isFired } = finger;
    this.#pull.handle({ type: 'cancel', gesture });
    // It had asked by itself; nobody will answer for it if that was lost.
    if (isFired) this.#timers.patience = setTimeout(() => this.drop(this.#pending), hopeless);
    this.#list.watch?.cancelPull(gesture);
    this.#rest(toCancel, velocity);
    this.#list.turn();
  }

  #lift() {
    const finger = this.#finger;
    this.#finger = null;
    clearInterval(finger.timer);
    return finger;
  }

  /** Handles the answer to a release: it names a run, or has the reason why there is none. */
  async #follow(answered, runs) {
    const { watch } = this.#list;
    try {
      const { run, reason } = await answered;
      if (watch !== this.#list.watch) return;
      if (run && this.#pending) this.#pending.run = run;
      if (run && !isOver(run, watch.state)) return;
      if (!run && runs) this.#refused(reason);
      else this.drop(this.#pending);
    } catch (error) {
      if (watch !== this.#list.watch) return;
      this.#refused();
      this.#list.fail('failed', error);
    }
  }

  #refused(reason) {
    this.#pull.handle({ type: 'refuse' });
    if (reason === 'tooSoon') this.#list.say(this.#list.words.noNews);
    this.drop(this.#pending);
  }

  #await() {
    this.#pending = { since: performance.now(), run: null };
    this.#isAsked = true;
  }

  /** Brings the content to where it belongs without a finger. */
  #rest(duration, velocity = 0) {
    if (this.#finger) return;
    this.#isBehind = this.#host.hasAttribute('behind');
    const isHeld = this.#isExpanded && (this.#pending || this.#list.phase === 'loading');
    this.#motion.settle(isHeld ? this.#hold : 0, duration, velocity);
  }

  /** A refresh shows in the gap above the rows; for a reader further down it floats. */
  #expand(isQuiet = false) {
    this.#isExpanded = !isQuiet && isAtTop(scroller(this.#host)) && !this.#list.isFirst;
    this.#isFloating = !this.#isExpanded && !this.#list.isFirst;
  }

  #began() {
    if (!this.#isExpanded && !this.#isFloating) this.#expand();
    this.#rest(toHold);
  }

  #finish() {
    if (this.#finger || this.#pending) return;
    const scrolled = scroller(this.#host);
    const isOpen = this.#motion.offset > 0;
    if (this.#isExpanded && scrolled.scrollTop > this.#hold && this.#motion.offset >= this.#hold) {
      // Whoever reads further down must not see the rows jump.
      this.#motion.follow(0);
      scrolled.scrollTop -= this.#hold;
    }
    this.#isExpanded = false;
    this.#rest(toRest);
    // In the gap the result is seen until that is closed.
    if (!isOpen) this.#forgetResult();
    this.paint();
  }

  get #label() {
    const { watch, words, lostAt } = this.#list;
    const phase = this.#shownPhase;
    if (phase === 'closing' && !this.#pending) return result(this.#result ?? watch?.state ?? {}, words, this.#texts.own('closing'));
    const text = this.#texts.of(this.#pending ? 'loading' : phase);
    if (!this.#pending) return text;
    const left = (lostAt ? slow : hopeless) - (performance.now() - this.#pending.since);
    if (left < 0) return words.queued;
    this.#later('patience', left + 10);
    return text;
  }

  /** @param {number} duration milliseconds */
  #vibrate(duration) {
    if (this.#pull.configuration.haptics) this.#vibration.play(duration);
  }

  /** Paints again for what shows with time. */
  #later(name, delay) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(() => this.#list.paint(), delay);
  }
}
