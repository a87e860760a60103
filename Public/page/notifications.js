import { icon, make } from '../element/make.js';

/**
 * A bell in a list's bar, by which a person asks to be notified of new rows, or no longer. The browser is asked by their tap
 * alone. While the list is on the screen the server is told so, and notifies nobody of what they see.
 *
 *     tap ─▶ permission ─▶ the browser's subscription ─▶ PUT lists/NAME/notifications/ID ─▶ pressed
 *     pressed and visible ─▶ PUT …/seen every 20 s; hidden ─▶ once more, and no longer
 *
 * An ID is the SHA-256 of the subscription's endpoint: so a secret stands in no address.
 */
const beat = 20_000;

/** @param {any} list without a bell @param {any} words of the page and its lists @param {string} locale */
export function addBell(list, words, locale) {
  list.append(new Bell(list, words, locale).button);
}

class Bell {
  #address;
  #words;
  #locale;
  #timer = 0;
  #departure = new MutationObserver(() => this.#look());
  #notice = make('p', { slot: 'header', role: 'status', class: 'notice', hidden: '' });

  constructor(list, words, locale) {
    this.#address = `lists/${encodeURIComponent(list.dataset.name)}/notifications/`;
    this.#words = words;
    this.#locale = locale;
    this.button = make('button', { type: 'button', slot: 'end', class: 'bell', 'aria-pressed': 'false', 'aria-label': words.notify, title: words.notify },
      icon(24, 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15Z', 'M10.2 21.5h3.6'));
    this.button.addEventListener('click', () => this.#toggle());
    document.addEventListener('visibilitychange', this.#look);
    this.#departure.observe(list.parentNode, { childList: true });
    this.#find();
  }

  get #isOn() {
    return this.button.getAttribute('aria-pressed') === 'true';
  }

  set #isOn(isOn) {
    this.button.setAttribute('aria-pressed', String(isOn));
    this.#look();
  }

  /** What the browser and the server know. */
  async #find() {
    const subscription = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
    if (!subscription || Notification.permission !== 'granted') return;
    const answer = await fetch(`notifications/${await id(subscription)}`).catch(() => null);
    if (!answer?.ok) return;
    const { lists } = await answer.json();
    this.#isOn = lists.some((name) => this.#address === `lists/${encodeURIComponent(name)}/notifications/`);
  }

  async #toggle() {
    this.button.disabled = true;
    this.#say('');
    try {
      await (this.#isOn ? this.#leave() : this.#join());
    } catch (error) {
      this.#say(`${this.#words.notNotified} (${error.message})`);
    }
    this.button.disabled = false;
  }

  async #join() {
    // First of all, while the tap counts.
    if ((await Notification.requestPermission()) !== 'granted') return this.#say(this.#words.blocked);
    const registration = await navigator.serviceWorker.ready;
    const subscription = await subscribe(registration.pushManager);
    const name = await id(subscription);
    const body = JSON.stringify({ ...subscription.toJSON(), language: this.#locale.slice(0, 2) });
    await answered(fetch(this.#address + name, { method: 'PUT', body }));
    registration.active?.postMessage({ id: name, texts: texts(this.#words, this.#locale) });
    this.#isOn = true;
  }

  async #leave() {
    const { pushManager } = await navigator.serviceWorker.ready;
    const subscription = await pushManager.getSubscription();
    if (subscription) await answered(fetch(this.#address + (await id(subscription)), { method: 'DELETE' }));
    this.#isOn = false;
  }

  #say(text) {
    this.button.after(this.#notice);
    this.#notice.textContent = text;
    this.#notice.hidden = !text;
  }

  /** Says that the list is on the screen, or no longer; nothing where nobody is notified. */
  #look = async () => {
    clearTimeout(this.#timer);
    const isShown = this.button.isConnected;
    if (!isShown) {
      document.removeEventListener('visibilitychange', this.#look);
      this.#departure.disconnect();
    }
    if (!this.#isOn) return;
    const visible = isShown && !document.hidden;
    if (visible) this.#timer = setTimeout(this.#look, beat);
    const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
    const answer = subscription && (await fetch(`${this.#address}${await id(subscription)}/seen`, {
      method: 'PUT', body: JSON.stringify({ visible }), keepalive: true,
    }).catch(() => null));
    // Its right is gone, or the browser's subscription.
    if (!subscription || answer?.status === 404) this.button.setAttribute('aria-pressed', 'false');
  };
}

/** The browser's one subscription; a new one where the server has another key than it was made for. */
async function subscribe(pushManager) {
  const { key } = await (await answered(fetch('notifications'))).json();
  const old = await pushManager.getSubscription();
  if (old && encoded(old.options.applicationServerKey) === key) return old;
  await old?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** @param {Promise<Response>} asked */
async function answered(asked) {
  const answer = await asked;
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer;
}

async function id({ endpoint }) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Base64URL. */
function encoded(buffer) {
  const letters = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The templates by which the worker words a notification: `#` stands for a number, and for what rows are called. */
function texts(words, locale) {
  const rules = new Intl.PluralRules(locale);
  // Numbers of every form that our languages have.
  const forms = [0, 1, 2, 3, 11, 100].map((number) => [rules.select(number), words.news(number).replace(words.number(number), '#')]);
  return { locale, news: Object.fromEntries(forms), newOf: words.newOf('#', '#') };
}
