import { Gap } from './gap.js';
import { Vibration } from './motion.js';
import { KnownRun, Pull, presets } from './pull.js';
import { RubberBand } from './rubber-band.js';
import { contain, distanceFromTop, scroller } from './scroller.js';
import { ScriptedScroll } from './scripted-scroll.js';
import { isOver } from '../connection/list-state.js';
import { Touch, Wheel, arriving } from './touch-and-wheel.js';

/** Milliseconds: of the ways to hold and back; until a finger rests; until a request is given up whose pull was lost. */
const toHold = 250, toCancel = 200, resting = 500, givingUp = 5000;
/** A server that contradicts our prediction of a finger that rests for so long is right. Milliseconds. */
const conceding = 300;
/** Of the tick that a phone may give when a pull fires and when its refresh is over; twice as long where it primes. Milliseconds. */
const tick = 10;
/**
 * The pull: the finger that opens the gap above the rows, the prediction that moves it in the same frame, and what is asked
 * of the list. The element passes it the list's states and reads the gesture's.
 */
export class PullController {
  /**
   * The finger that pulls: what it last showed and sent, whether it has asked by itself, and whether it came down while the
   * list loads: then it asks for nothing, and is felt only here. Where it goes on as a scroll, that is of its scroller, which was
   * `below` the top by so many px when it was claimed, and `top` px now.
   * @type {{gesture: number, offset: number, band: RubberBand, base: number, isSpent: boolean, scroller: Element | null, below: number, top: number, sentPhase: string,
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
  /** Gives up a request that its lost pull made. */ #timer = 0;
  #host;
  /** @type {import('../element/list-renderer.js').ListContext} */ #list;
  #view;
  #gap;
  /** What scrolls the element, as the touch or turn began. @type {Element} */ #scroller;
  #scroll = new ScriptedScroll();
  #sources;
  /** Tells whether the top of the element is in view. */ #top;
  /** Undoes what `connect` did. @type {AbortController} */ #connected;

  /** @param {HTMLElement} host @param {import('../element/view.js').View} view @param {import('../element/list-renderer.js').ListContext} list */
  constructor(host, view, list) {
    this.#host = host;
    this.#list = list;
    this.#view = view;
    const controller = this;
    this.#gap = new Gap(host, view, list, {
      get isDown() { return controller.isDown; },
      get pending() { return controller.#pending; },
      get own() { return controller.own; },
      get configuration() { return controller.#pull.configuration; },
    });
    const delegate = {
      mayPull: () => list.refreshable && !this.isDown && !list.isFirst,
      isHandle: (path) => path.includes(view.bar) || path[0] === host,
      distance: (path) => distanceFromTop(path, (this.#scroller = scroller(host))),
      claimed: (mayScroll) => this.#claimed(mayScroll),
      moved: (travel, isFlick) => this.#moved(travel, isFlick),
      released: (velocity) => this.#released(velocity),
      cancelled: (velocity) => this.#cancelled(velocity),
    };
    this.#sources = [new Touch(host, delegate), new Wheel(host, delegate)];
    this.#top = new IntersectionObserver((entries) => {
      for (const source of this.#sources) source.near(entries.at(-1).isIntersecting);
    }, { rootMargin: `${arriving}px 0px 0px` });
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
    clearTimeout(this.#timer);
    this.#pending = null;
    this.#isTheirs = this.#isAsked = false;
    this.#adopt(this.#pull.configuration);
    this.#gap.reset();
  }

  /** @param {import('./pull.js').PullConfiguration} configuration of the list's newest ok */
  configure(configuration) {
    if (JSON.stringify(configuration) !== JSON.stringify(this.#pull.configuration)) {
      this.cancel();
      this.#adopt(configuration);
    }
    this.#host.style.setProperty('--rl-hold', `${configuration.hold}px`);
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
    if (!own) return;
    const { phase } = own;
    if (phase !== this.#list.phase) this.#list.turn();
    else this.#gap.fill(phase === 'waiting' ? own.progress : 1);
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
    this.#await();
    this.#gap.expand(isQuiet);
    return this.#pending;
  }

  /** The pending request has ended, or will never be served. @param {object | null} asked nothing happens if it isn't pending */
  drop(asked) {
    if (!asked || asked !== this.#pending) return;
    this.#pending = null;
    this.#isAsked = false;
    this.#gap.rest();
    this.#list.paint();
  }

  /** The phase that people see has changed. */
  turn(from, to) {
    if (to !== 'waiting') this.#gap.forgetResult();
    if (to === 'primed' && !this.#pending) this.#vibrate(2 * tick);
    if (from === 'loading' && this.#isTheirs) this.#vibrate(tick);
    if (from === 'loading') this.#isTheirs = this.#isAsked = false;
    if (to === 'loading') this.#gap.begin();
    else if (from === 'loading' && to === 'closing') this.#gap.showResult();
    else if (to === 'waiting' && !this.#finger && !this.#gap.hasResult) this.#gap.finish();
  }

  /** Draws the indicator. */
  paint() {
    this.#gap.paint();
  }

  #adopt(configuration) {
    this.#pull = new Pull(configuration);
    this.#known = new KnownRun();
    if (this.#list.watch?.state) this.update(this.#list.watch.state);
  }

  #claimed(mayScroll) {
    const { offset } = this.#gap;
    const isSpent = this.#list.watch.state?.phase === 'loading' || this.#pending !== null;
    this.#gap.grip(isSpent);
    const gesture = this.#list.watch.connection.nextGesture();
    const scrolled = this.#scroller;
    const band = new RubberBand(scrolled);
    const below = mayScroll ? scrolled.scrollTop : 0;
    const way = { scroller: mayScroll ? scrolled : null, below, top: below };
    this.#finger = { gesture, offset, isSpent, ...way, sentPhase: 'waiting', band, base: band.travel(offset) };
  }

  /** Every sample of a finger comes here: what is done must fit into a frame of a slow phone many times over. */
  #moved(travel, isFlick) {
    const finger = this.#finger;
    const way = finger.base + travel - finger.below;
    if (finger.scroller) this.#scrollWith(finger, Math.max(0, -way));
    const displayed = finger.band.stretch(way);
    const shown = Math.round(displayed * 10) / 10;
    this.#gap.follow(shown);
    finger.offset = shown;
    if (finger.isSpent) return way < 0 ? way : displayed;
    if (!isFlick) finger.timer ||= setInterval(() => this.#beat(), resting);
    const { threshold, hysteresis } = this.#pull.configuration;
    const offset = (finger.offset = isFlick ? Math.min(shown, threshold - hysteresis) : shown);
    const { refresh } = this.#pull.handle({ type: 'sample', gesture: finger.gesture, offset });
    if (refresh !== undefined) this.#fired();
    if (finger !== this.#finger) return displayed;
    if (this.#pull.phase !== finger.sentPhase) this.#sample(finger, true);
    const detail = { offset: shown, progress: this.#pull.progress, gesture: finger.gesture };
    this.#host.dispatchEvent(new CustomEvent('pull', { detail }));
    this.follow();
    return way < 0 ? way : displayed;
  }

  /** What a pull has left over for a scroll. Where the list is scrolled is kept here: to ask for it would lay out each frame. */
  #scrollWith(finger, top) {
    if (top === finger.top) return;
    finger.top = top;
    this.#scroll.to(finger.scroller, top);
  }

  /** One that was put away is wanted again by whoever pulls far enough. */
  #letGo({ offset }, velocity, isPull) {
    const isHidden = isPull && this.#list.watch?.state?.phase === 'loading' && this.#list.phase !== 'loading';
    if (isHidden && offset >= this.#pull.configuration.threshold) this.#list.ask();
    const isLoading = this.#pending || this.#list.phase === 'loading';
    if (!isLoading) this.#gap.close();
    this.#gap.rest(toCancel, velocity);
    if (!isLoading) this.#list.turn();
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
    this.#isTheirs = true;
    this.#gap.open();
    this.#await();
    this.#vibrate(tick);
  }

  #released(velocity) {
    const finger = this.#lift(velocity);
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
      this.#gap.rest(toCancel, velocity);
      return this.#list.turn();
    }
    if (runs) this.#gap.open();
    if (refresh !== undefined) this.#isTheirs = true;
    if (refresh !== undefined && this.#list.phase !== 'loading') this.#await();
    this.#follow(watch.releasePull(gesture, offset, peak), runs);
    this.#gap.rest(runs ? toHold : toCancel, velocity);
    this.#list.turn();
  }

  #cancelled(velocity) {
    const finger = this.#lift(velocity);
    if (finger.isSpent) return this.#letGo(finger, velocity, false);
    const { gesture, isFired } = finger;
    this.#pull.handle({ type: 'cancel', gesture });
    // It had asked by itself; nobody will answer for it if that was lost.
    if (isFired) this.#timer = setTimeout(() => this.drop(this.#pending), givingUp);
    this.#list.watch?.cancelPull(gesture);
    this.#gap.rest(toCancel, velocity);
    this.#list.turn();
  }

  #lift(velocity) {
    const finger = this.#finger;
    this.#finger = null;
    clearInterval(finger.timer);
    if (finger.top > 0) this.#scroll.fling(finger.scroller, -velocity);
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

  /** @param {number} duration milliseconds */
  #vibrate(duration) {
    if (this.#pull.configuration.haptics) this.#vibration.play(duration);
  }
}
