import { speak } from './words.js';

/** English, and the languages that languages.js has. */
const ours = /^(en|de|fr|es|ja|zh|ar)(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(?![a-z\d])/i;
/** Those in use, by locale: their formats are costly to make. @type {Map<string, Promise<ReturnType<typeof speak>>>} */
const spoken = new Map();

/** The language that an element speaks: that of the nearest `lang` attribute, else the browser's. */
export class Language {
  /** The texts in it; English till it is loaded, or where we don't speak it. */ words = speak('en');
  #host;
  #heard;
  #locale = 'en';
  #observer = new MutationObserver(() => this.adopt());

  /** @param {HTMLElement} host @param {() => void} heard hears that the words are others */
  constructor(host, heard) {
    this.#host = host;
    this.#heard = heard;
  }

  /** Reads the attributes again; those of the element and of the document it does by itself while connected. */
  async adopt() {
    const locale = localeOf(this.#host);
    if (locale === this.#locale) return;
    this.#locale = locale;
    try {
      const words = await wordsOf(locale);
      if (locale !== this.#locale) return;
      this.words = words;
      this.#heard();
    } catch (error) {
      console.warn(`The texts for ${locale} could not be loaded: ${error.message}`);
    }
  }

  connect() {
    for (const element of [this.#host, document.documentElement]) {
      this.#observer.observe(element, { attributeFilter: ['lang'] });
    }
    return this.adopt();
  }

  disconnect() {
    this.#observer.disconnect();
  }
}

function wordsOf(locale) {
  if (!spoken.has(locale)) spoken.set(locale, load(locale));
  return spoken.get(locale);
}

async function load(locale) {
  const language = locale.slice(0, 2);
  if (language === 'en') return speak(locale);
  const { languages } = await import('./languages.js');
  return speak(locale, languages[language]);
}

/** The element's language as the person's browser has it, or their English where we don't speak it. */
function localeOf(host) {
  const wished = navigator.languages;
  const named = nearest(host);
  const tag = wished.find((other) => other.startsWith(`${named}-`)) ?? (named || wished[0]);
  return known(tag) ?? wished.map(known).find((other) => other?.startsWith('en')) ?? 'en';
}

/** @returns {string | undefined} language, script and region of a tag, where it is one of ours */
function known(tag) {
  const [locale] = ours.exec(tag) ?? [];
  return locale && Intl.getCanonicalLocales(locale)[0];
}

/** The nearest `lang` attribute, across shadow roots. */
function nearest(host) {
  for (let element = host; element; element = element.getRootNode().host) {
    const named = element.closest('[lang]');
    if (named) return named.lang;
  }
  return '';
}
