import { styles } from './styles.js';

/** An icon of strokes on a square. */
const icon = (size, strokes) => `<svg viewBox="0 0 ${size} ${size}" aria-hidden="true">${strokes}</svg>`;
const again = icon(24, '<path d="M19.2 12a7.2 7.2 0 1 1-2.1-5.1l2.1 2.1"/><path d="M19.4 4.4V9h-4.6"/>');
const alarm = icon(24, '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.4m0 3.3v.1"/>');
const sheet = icon(48, '<rect x="9" y="7" width="30" height="34" rx="7"/><path d="M17 17h14M17 24h14M17 31h8"/>');

const markup = `
<header part="bar"><div class="face">
  <button part="refresh" type="button" aria-label="Refresh" title="Refresh">${again}</button>
  <button part="cancel" type="button" hidden>Cancel</button>
  <slot name="start"></slot>
  <div class="about"><h2 part="heading" tabindex="-1" dir="auto"></h2><p part="updated"></p></div>
</div>
<div class="gap"><div part="indicator" class="indicator" aria-hidden="true"><slot name="indicator">
  ${icon(24, '')}<span class="words"><span class="label"></span><span class="note"></span></span>
</slot></div></div><button part="news" type="button" hidden></button></header>
<div part="content">
  <slot name="header"></slot>
  <div part="error" hidden>
    ${alarm}<p><strong></strong><span></span></p><button part="retry" type="button">Retry</button>
  </div>
  <ul part="rows" role="list"></ul>
  <div part="more" hidden><span></span><button type="button"></button></div>
  <div part="skeleton" aria-hidden="true">${'<div><i></i><i></i></div>'.repeat(7)}</div>
  <div class="empty" hidden><slot name="empty"><div part="empty">
    ${sheet}<strong>Nothing here yet</strong><span></span>
  </div></slot></div>
</div>
<div class="foot"><p part="banner" hidden></p></div>
<p role="status" class="unseen"></p>`;

/** The element's shadow tree, built once, and its pieces by name. */
export class View {
  /** @param {ShadowRoot} root */
  constructor(root) {
    root.adoptedStyleSheets = [styles];
    root.innerHTML = markup;
    const find = (selector) => root.querySelector(selector);
    const part = (name) => find(`[part="${name}"]`);
    this.bar = part('bar');
    this.refresh = part('refresh');
    this.cancel = part('cancel');
    this.heading = part('heading');
    this.updated = part('updated');
    this.gap = find('.gap');
    this.indicator = part('indicator');
    this.news = part('news');
    this.content = part('content');
    this.error = part('error');
    this.retry = part('retry');
    this.rows = part('rows');
    this.more = part('more');
    this.skeleton = part('skeleton');
    this.empty = find('.empty');
    this.hint = find('[part="empty"] span');
    this.banner = part('banner');
    this.status = find('[role="status"]');
  }

  /** @param {{title: string, message: string} | null} fault with texts meant for people; null: there is none */
  fault(fault) {
    this.error.hidden = !fault;
    if (!fault) return;
    write(this.error.querySelector('strong'), fault.title);
    write(this.error.querySelector('span'), fault.message);
  }

  /** @param {string} text '' for none */
  notice(text) {
    this.banner.hidden = !text;
    write(this.banner, text);
  }

  /** Spoken by screen readers; its element is never replaced. */
  say(text) {
    write(this.status, text);
  }
}

/** Writes only what is new, so that nothing is laid out or spoken twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
