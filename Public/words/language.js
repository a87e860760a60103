import { speak } from './words.js';

/** English, and the languages of translations.js; of a tag, we need no more than language, script and region. */
const spokenTag = /^(en|de|fr|es|ja|zh|ar)(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(?![a-z\d])/i;
/** Shared by all elements, as formats are costly to make. @type {Map<string, Promise<import('./words.js').Words>>} */
const spoken = new Map();

/** The language that an element speaks: that of the nearest `lang` attribute, else the browser's. */
export class Language {
  /** English till another is loaded. */ words = speak('en');
  #host;
  #changed;
  #locale = 'en';
  #observer = new MutationObserver(() => this.#adopt());

  /** @param {HTMLElement} host @param {() => void} changed called when the language has changed */
  constructor(host, changed) {
    this.#host = host;
    this.#changed = changed;
  }

  /** Hears from now on of another language of the element or of the document. @returns {Promise<void>} the words are loaded */
  connect() {
    for (const element of [this.#host, document.documentElement]) {
      this.#observer.observe(element, { attributeFilter: ['lang'] });
    }
    return this.#adopt();
  }

  disconnect() {
    this.#observer.disconnect();
  }

  async #adopt() {
    const locale = localeOf(this.#host);
    if (locale === this.#locale) return;
    this.#locale = locale;
    const words = await wordsOf(locale);
    if (locale !== this.#locale) return;
    this.words = words;
    this.#changed();
  }
}

/** @param {string} locale one of ours @returns {Promise<import('./words.js').Words>} */
export function wordsOf(locale) {
  if (!spoken.has(locale)) spoken.set(locale, load(locale));
  return spoken.get(locale);
}

/** The table of a locale among some that are named like those of translations.js. */
export function tableOf(locale, tables) {
  const { language, script } = new Intl.Locale(locale).maximize();
  return tables[script === 'Hant' ? 'hant' : language];
}

async function load(locale) {
  if (locale.startsWith('en')) return speak(locale);
  try {
    const { languages } = await import('./translations.js');
    return speak(locale, tableOf(locale, languages));
  } catch (error) {
    // Without its texts a list is still a list.
    console.warn(`${locale}: ${error.message}`);
    return speak('en');
  }
}

/** The element's language as the person's browser has it, or their English where it is none of ours. */
export function localeOf(host) {
  const wished = navigator.languages;
  const named = nearest(host);
  const beginning = (start) => wished.find((tag) => tag.startsWith(start));
  const tags = [beginning(`${named}-`), named || wished[0], beginning('en'), 'en'];
  const locale = tags.map((tag) => spokenTag.exec(tag)?.[0]).find(Boolean);
  return Intl.getCanonicalLocales(locale)[0];
}

/** The nearest `lang` attribute, across shadow roots. */
function nearest(host) {
  for (let element = host; element; element = element.getRootNode().host) {
    const named = element.closest('[lang]');
    if (named) return named.lang;
  }
  return '';
}
