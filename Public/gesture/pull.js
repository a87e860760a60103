/**
 * The gesture, predicted: the twin of Sources/Pulling, held to the same tables (Tests/Traces). A pure reducer,
 * (state, event) → actions; no DOM, no clock. The server's word is official; this one moves the indicator in the same
 * frame as the finger. Lengths are displayed px. The reasons for each rule stand in Pull.swift.
 *
 * @typedef {"waiting"|"primed"|"loading"|"closing"} Phase
 * @typedef {"run"|"joins"|"belowThreshold"|"spent"|"own"|"repeated"} Answer  how the server will answer a release
 * @typedef {{trigger: "release"|"return"|"crossing", threshold: number, minimum: number, hold: number,
 *   hysteresis: number, indicator?: string | null, haptics?: boolean, texts?: Record<string, string>}} PullConfiguration  `pull` of the answer to `watch`; the server has checked it
 * @typedef {{type: "sample", gesture: number, offset: number}
 *   | {type: "release", gesture: number, offset: number, peak?: number|null}
 *   | {type: "cancel", gesture: number}
 *   | {type: "begin"|"refuse"|"end"|"settle"}} PullEvent
 * @typedef {{gesture: number, phase: Phase, progress: number}} PrivateState
 * @typedef {{refresh?: number, answer?: Answer, state?: PrivateState}} Actions  what the server does after the same
 *   event: a refresh for this gesture, an answer to its release, a private state
 */

const limit = 10_000;

/** @type {Readonly<Record<"standard"|"recipe"|"progress"|"classic", Readonly<PullConfiguration>>>} */
export const presets = Object.freeze({
  standard: Object.freeze({ trigger: "release", threshold: 64, minimum: 10, hold: 56, hysteresis: 8 }),
  recipe: Object.freeze({ trigger: "return", threshold: 50, minimum: 10, hold: 50, hysteresis: 8 }),
  progress: Object.freeze({ trigger: "crossing", threshold: 100, minimum: 10, hold: 36, hysteresis: 8 }),
  classic: Object.freeze({ trigger: "release", threshold: 70, minimum: 10, hold: 70, hysteresis: 8 }),
});

/** One person's pull on one list. A pull that asks is loading at once: feed `begin` when the list says so, `refuse` when
 *  the answer names no run or can't come any more, `end` and `settle` by the list's states (see {@link KnownRun}). */
export class Pull {
  /** @type {Phase|"asked"} asked: loading by our own word, until the list's `begin` */ #stage;
  /** Of the newest gesture: down, fired, spent, released, cancelled. */ #fate = "cancelled";
  /** @type {PrivateState|undefined} */ #told;
  #gesture = 0;
  /** @type {number|null} */ #peak = null;
  #progress = 0;
  #ignored = 0;

  /**
   * @param {PullConfiguration} configuration
   * @param {boolean} [isLoading] whether the list is in the midst of a run
   */
  constructor(configuration, isLoading = false) {
    /** @readonly */ this.configuration = configuration;
    this.#stage = isLoading ? "loading" : "waiting";
  }

  /** @returns {Phase} */
  get phase() { return this.#stage === "asked" ? "loading" : this.#stage; }
  /** 0…1; frozen while loading and closing. */
  get progress() { return this.#progress; }
  /** The newest gesture's number; 0 before the first. They rise from 1. */
  get gesture() { return this.#gesture; }
  /** The newest gesture's highest offset since touch-down or its last unpriming: what its release should say. */
  get peak() { return this.#peak; }
  /** How many events did not fit and changed nothing. */
  get ignored() { return this.#ignored; }

  /**
   * Takes one event in. Never throws for what an event says; `progress` and `phase` are new at once.
   * @param {PullEvent} event
   * @returns {Actions}
   */
  handle(event) {
    if (!isSound(event)) return this.#ignore();
    const actions = this.#perform(event);
    // Closing is the list's: whoever pulled waits again.
    const told = this.#told;
    if (told && told.phase !== "waiting" && (this.#stage === "waiting" || this.#stage === "closing")) {
      actions.state = this.#tell(told.gesture, "waiting", 0);
    }
    return actions;
  }

  /**
   * @param {PullEvent} event
   * @returns {Actions}
   */
  #perform(event) {
    switch (event.type) {
      case "sample": return this.#sample(event.gesture, event.offset);
      case "release": return this.#release(event.gesture, event.offset, event.peak ?? null);
      case "cancel": return this.#cancel(event.gesture);
      case "begin": return this.#move(this.#stage !== "loading", "loading");
      case "refuse": return this.#move(this.#stage === "asked", "waiting");
      case "end": return this.#move(this.phase === "loading", "closing");
      case "settle": return this.#move(this.#stage === "closing", "waiting");
      default: return this.#ignore();
    }
  }

  #sample(gesture, offset) {
    this.#takeUp(gesture);
    if (gesture !== this.#gesture || !isDown(this.#fate)) return this.#ignore();
    if (this.#peak === null || offset > this.#peak || this.#unprimes(offset)) this.#peak = offset;
    /** @type {Actions} */ const actions = {};
    if (this.#fate === "down" && this.phase !== "loading" && this.#pull(offset)) actions.refresh = gesture;
    actions.state = this.#tell(gesture, this.phase, this.#progress);
    return actions;
  }

  /** Moves a gesture that may still ask; true if it asks by itself. */
  #pull(offset) {
    const { threshold, trigger } = this.configuration;
    this.#progress = this.#progressAt(offset);
    if (this.#peak < threshold) {
      this.#stage = "waiting";
      return false;
    }
    const fires = trigger === "crossing" || (trigger === "return" && offset < threshold);
    this.#stage = fires ? "asked" : "primed";
    if (fires) this.#fate = "fired";
    return fires;
  }

  #release(gesture, offset, peak) {
    this.#takeUp(gesture);
    if (gesture !== this.#gesture) return this.#ignore("repeated");
    switch (this.#fate) {
      case "down": return this.#letGo(offset, Math.max(peak ?? this.#peak ?? offset, offset));
      case "fired": return this.#finish("own");
      case "spent": return this.#finish("spent");
      case "released": return { answer: "repeated" };
      default: return this.#ignore("spent");
    }
  }

  #letGo(offset, peak) {
    if (peak < this.configuration.threshold || this.#unprimes(offset)) return this.#finish("belowThreshold");
    this.#fate = "released";
    if (this.phase === "loading") return { refresh: this.#gesture, answer: "joins" };
    this.#progress = this.#progressAt(offset);
    this.#stage = "asked";
    return { refresh: this.#gesture, answer: "run" };
  }

  #finish(answer) {
    this.#fate = "released";
    this.#letRest();
    return { answer };
  }

  #cancel(gesture) {
    this.#takeUp(gesture);
    if (gesture !== this.#gesture || !isDown(this.#fate)) return this.#ignore();
    this.#fate = "cancelled";
    this.#letRest();
    return {};
  }

  /** A higher number is a new finger; the gesture before it is over. */
  #takeUp(gesture) {
    if (gesture <= this.#gesture) return;
    this.#gesture = gesture;
    this.#fate = "down";
    this.#peak = null;
  }

  /** Nobody pulls any more; a refresh and its closing go on. */
  #letRest() {
    if (this.#stage !== "waiting" && this.#stage !== "primed") return;
    this.#stage = "waiting";
    this.#progress = 0;
  }

  /** A fact of the list. Whoever is down when loading is left is spent. */
  #move(fits, stage) {
    if (!fits) return this.#ignore();
    if (this.phase === "loading" && stage !== "loading" && this.#fate === "down") this.#fate = "spent";
    this.#stage = stage;
    if (stage === "waiting") this.#progress = 0;
    return {};
  }

  #ignore(answer) {
    this.#ignored += 1;
    return answer ? { answer } : {};
  }

  #tell(gesture, phase, progress) {
    return (this.#told = { gesture, phase, progress });
  }

  #progressAt(offset) {
    const { minimum, threshold } = this.configuration;
    if (offset <= minimum) return 0;
    return offset >= threshold ? 1 : (offset - minimum) / (threshold - minimum);
  }

  #unprimes(offset) {
    const { trigger, threshold, hysteresis } = this.configuration;
    return trigger === "release" && offset <= threshold - hysteresis;
  }
}

/** Turns a list's states, of which any may have been left out, into the events to feed. Make one with each Pull; keep
 *  both over a lost connection. Not for the answers to releases. */
export class KnownRun {
  /** @type {string|null} */ #run = null;
  /** @type {Phase|null} */ #phase = null;

  /**
   * @param {Phase} phase the list's
   * @param {string|null} [run] the run in progress, or else `last.run`
   * @returns {PullEvent[]}
   */
  hear(phase, run = null) {
    if (!(phase in order)) return [];
    const known = this.#phase ?? "waiting";
    const isHistory = phase === "waiting" && (this.#phase === null || run === null);
    const isNew = !isHistory && (run !== this.#run || order[phase] < order[known]);
    this.#run = run;
    this.#phase = phase;
    if (!isNew) return steps(known, phase);
    return [...(known === "loading" ? steps(known, "closing") : []), { type: "begin" }, ...steps("loading", phase)];
  }
}

const order = { loading: 0, closing: 1, waiting: 2 };

/** @type {PullEvent[]} */
const afterBegin = [{ type: "end" }, { type: "settle" }];

/** What happens to one run between two phases of its list. */
function steps(from, to) {
  return afterBegin.slice(order[from], order[to]);
}

/**
 * Whether the numbers of an event can be reckoned with.
 * @param {any} event
 */
function isSound({ type, gesture, offset, peak }) {
  if (type !== "sample" && type !== "release" && type !== "cancel") return true;
  return Number.isSafeInteger(gesture) && gesture > 0 && (type === "cancel" || (isReasonable(offset) && isReasonable(peak ?? 0)));
}

/** @param {any} length px */
function isReasonable(length) {
  return typeof length === "number" && Math.abs(length) <= limit;
}

/** Whether the finger of a gesture still touches. No private getter: a browser calls its runtime for each. */
function isDown(fate) {
  return fate === "down" || fate === "fired" || fate === "spent";
}
