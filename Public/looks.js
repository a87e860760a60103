import { isAsked, offer } from './controls.js';
import { Rows } from './rows.js';
import { full } from './time.js';
import { write } from './view.js';
import { age, fault, sentence } from './words.js';

/** What is seen of a list besides the gap: the bar, the rows, and what stands in their place. */
export class Looks {
  #host;
  #view;
  #rows;
  #list;
  #hushed = 0;

  /** @param {HTMLElement} host @param {import('./view.js').View} view @param {import('./pulling.js').ListFacts} list */
  constructor(host, view, list) {
    this.#host = host;
    this.#view = view;
    this.#list = list;
    this.#rows = new Rows(view.rows, () => view.heading.focus());
    host.addEventListener('click', (event) => isAsked(event, host) && list.ask());
  }

  /** @param {boolean} isAnimated whether people should see what became of each row */
  render(isAnimated) {
    this.#rows.render(this.#list.watch?.replica.rows ?? [], isAnimated && !document.hidden);
  }

  paint() {
    this.#paintBar();
    this.#paintContent();
    this.#paintBanner();
  }

  /** Brings the relative times up to date. */
  tick() {
    this.#rows.tick();
    this.#paintBar();
  }

  /** Says to those who can't see it what a new phase means; a short refresh only how it ended. */
  turn(from, to) {
    clearTimeout(this.#hushed);
    if (to === 'loading') this.#hushed = setTimeout(() => this.#view.say('Refreshing'), 500);
    else if (from === 'loading' && this.#list.watch?.state) this.#view.say(sentence(this.#list.watch.state));
  }

  #paintBar() {
    const { watch, phase, refreshable } = this.#list;
    const { heading, updated, refresh, cancel } = this.#view;
    write(heading, this.#host.getAttribute('heading') ?? watch?.about?.title ?? watch?.name ?? '');
    heading.ariaLevel = this.#host.getAttribute('level') ?? '2';
    write(updated, age(watch?.state));
    updated.title = watch?.state?.updatedAt ? full(watch.state.updatedAt) : '';
    this.#host.toggleAttribute('stale', Boolean(watch?.state?.staleSince));
    refresh.disabled = !refreshable;
    offer(this.#host, refreshable);
    const isFocused = cancel.matches(':focus');
    cancel.hidden = phase !== 'loading';
    if (cancel.hidden && isFocused) refresh.focus();
  }

  #paintContent() {
    const { watch, isFirst, refreshable } = this.#list;
    const shown = this.#fault();
    const { skeleton, empty, hint } = this.#view;
    this.#view.fault(shown);
    skeleton.hidden = !isFirst || Boolean(shown);
    empty.hidden = !watch || watch.replica.count > 0 || isFirst || Boolean(shown);
    write(hint, refreshable ? 'Pull down to look again.' : '');
  }

  #fault() {
    const { watch, phase, fault: ours } = this.#list;
    if (watch?.refusal) {
      const { code, message } = watch.refusal;
      return { title: code === 'unknownList' ? 'No such list' : 'This list can’t be shown', message };
    }
    if (watch?.connection.refusal) return { title: 'Disconnected', message: watch.connection.refusal };
    return ours ?? (watch?.state && phase !== 'loading' ? fault(watch.state) : null);
  }

  #paintBanner() {
    const { watch, lostAt } = this.#list;
    const isNoticed = lostAt && !watch?.connection.refusal && performance.now() - lostAt >= 1000;
    this.#host.toggleAttribute('offline', lostAt > 0);
    this.#view.notice(isNoticed ? (navigator.onLine === false ? 'Offline' : 'Reconnecting…') : '');
  }
}
