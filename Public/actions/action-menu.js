import { make } from '../element/make.js';

/** Between the menu and its button, and the edge of the view. px */
const gap = 4, margin = 8;
const steps = { ArrowDown: 1, ArrowUp: -1 };

/** The menu of a row's actions, as https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/ has it; one for all rows. */
export class ActionMenu {
  /** @type {any} */ #menu = make('div', { part: 'menu', role: 'menu', popover: 'manual' });
  /** What opened it. @type {any} */ #opener = null;
  #over = new AbortController();

  /** @param {ShadowRoot} root */
  constructor(root) {
    this.#menu.hidden = true;
    root.append(this.#menu);
    this.#menu.addEventListener('keydown', (event) => this.#keyed(event));
  }

  get isOpen() {
    return !this.#menu.hidden;
  }

  /**
   * @param {any} opener gets the focus back @param {Element} place beside which it opens
   * @param {import('../refreshable-list.js').RowAction[]} actions @param {string} label
   * @param {(action: import('../refreshable-list.js').RowAction) => void} chosen @param {number} [at] the action that has the focus first
   */
  open(opener, place, actions, label, chosen, at = 0) {
    this.close();
    this.#opener = opener;
    this.#menu.ariaLabel = label;
    this.#menu.replaceChildren(...actions.map((action) => {
      const item = make('button', { part: 'action', role: 'menuitem', type: 'button', tabindex: -1 }, action.title);
      item.toggleAttribute('data-destructive', Boolean(action.destructive));
      item.addEventListener('click', () => {
        this.close(true);
        chosen(action);
      });
      return item;
    }));
    this.#menu.hidden = false;
    // Above everything, where the browser can.
    this.#menu.showPopover?.();
    this.#put(place.getBoundingClientRect());
    if (opener.ariaHasPopup) opener.ariaExpanded = 'true';
    this.#menu.children[at].focus({ preventScroll: true });
    this.#listen();
  }

  /** @param {boolean} [isKept] whether the focus goes back */
  close(isKept = false) {
    if (!this.isOpen) return;
    this.#over.abort();
    this.#menu.hidePopover?.();
    this.#menu.hidden = true;
    if (this.#opener.ariaHasPopup) this.#opener.ariaExpanded = 'false';
    if (isKept) this.#opener.focus({ preventScroll: true });
  }

  #listen() {
    const { signal } = (this.#over = new AbortController());
    const isInside = (event) => event.composedPath().some((node) => node === this.#menu || node === this.#opener);
    for (const name of ['pointerdown', 'touchstart', 'focusin']) {
      addEventListener(name, (event) => isInside(event) || this.close(), { signal, capture: true, passive: true });
    }
    // By script, or by a wheel: what it stands beside is gone.
    addEventListener('scroll', () => this.close(true), { signal, capture: true, passive: true });
    for (const name of ['resize', 'blur']) addEventListener(name, () => this.close(), { signal });
  }

  /** Below its button, or above it where there is more room; always within the view. @param {DOMRect} at */
  #put(at) {
    const { style, offsetWidth: width, offsetHeight: height } = this.#menu;
    const isFromRight = getComputedStyle(this.#menu).direction === 'rtl';
    const { clientWidth } = document.documentElement;
    const x = isFromRight ? at.left : at.right - width;
    const y = at.bottom + gap + height > innerHeight - margin && at.top > innerHeight - at.bottom ? at.top - gap - height : at.bottom + gap;
    style.left = `${Math.max(margin, Math.min(x, clientWidth - width - margin))}px`;
    style.top = `${Math.max(margin, Math.min(y, innerHeight - height - margin))}px`;
  }

  #keyed(event) {
    const { key } = event;
    const items = [...this.#menu.children];
    const at = items.indexOf(event.target);
    event.stopPropagation();
    // The focus goes on from the button.
    if (key === 'Tab') return this.close(true);
    const isTyped = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey;
    const typed = isTyped ? [...items.slice(at + 1), ...items].find(({ textContent }) => textContent.toLocaleLowerCase().startsWith(key.toLocaleLowerCase())) : null;
    const moved = steps[key] && items.at((at + steps[key]) % items.length);
    const target = { Home: items[0], End: items.at(-1) }[key] ?? moved ?? typed;
    if (!target && key !== 'Escape') return;
    event.preventDefault();
    if (target) target.focus();
    else this.close(true);
  }
}
