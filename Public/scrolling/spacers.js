import { make } from '../element/make.js';
import { sheet } from '../element/styles.js';

const styles = sheet(`
.spacer {
  margin: 0 var(--rl-gutter); overflow: hidden; background:
    linear-gradient(transparent 30%, var(--rl-line) 30% 48%, transparent 48%) 16px 0 / 46% var(--rl-row) repeat-y,
    linear-gradient(transparent 62%, var(--rl-line) 62% 76%, transparent 76%) 16px 0 / 24% var(--rl-row) repeat-y var(--rl-surface);
}
[data-below] { border-end-start-radius: 0 !important; border-end-end-radius: 0 !important; }
[data-above] { border-start-start-radius: 0 !important; border-start-end-radius: 0 !important; }
[data-long], .spacer { overflow-anchor: none; }
/* What did not change is not painted anew. */
[data-long] .group { isolation: isolate; }
`);

/** In place of the rows of a long list that are not drawn: as high as they would be, with the shapes of rows. */
export class Spacers {
  #view;
  #above = make('div', { class: 'spacer above', 'aria-hidden': 'true' });
  #below = make('div', { class: 'spacer below', 'aria-hidden': 'true' });

  /** @param {HTMLElement} host @param {import('../element/view.js').View} view */
  constructor(host, view) {
    this.#view = view;
    host.shadowRoot.adoptedStyleSheets.push(styles);
    view.content.querySelector('slot:not([name])').after(this.#above);
    view.content.querySelector('slot[name=rows]').after(this.#below);
  }

  /** Where the list begins in the viewport. px */
  get top() {
    return this.#above.getBoundingClientRect().top;
  }

  /** @param {import('./virtual-layout.js').VirtualLayout} layout @param {number} [spare] room below that will be taken by rows. px */
  fit({ above, below, rowHeight }, spare = 0) {
    for (const [element, extent, name] of /** @type {const} */ ([[this.#above, above, 'data-above'], [this.#below, below + spare, 'data-below']])) {
      element.style.blockSize = `${extent}px`;
      this.#view.rows.toggleAttribute(name, extent > 0);
    }
    this.#view.content.style.setProperty('--rl-row', `${rowHeight}px`);
  }
}
