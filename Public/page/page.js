import { translate } from './page-words.js';
import { age } from '../words/words.js';

/**
 * The page of a server: a directory of its lists, and the one whose name is behind the #. The directory is as new as
 * the last look at it: it is fetched again whenever a person returns to it.
 */
/** @type {HTMLElement} */
const directory = document.querySelector('nav ul');
/** @type {HTMLElement} */
const notice = document.querySelector('nav .notice');
const main = document.querySelector('main');
/** @type {HTMLElement} */
const hint = main.querySelector(':scope > *');
const wideScreen = matchMedia('(min-width: 800px)');

/** Milliseconds: till the directory is read again; the same where it could not be; and for its answer. */
const usual = 30_000, soon = 4000, patience = 10_000;

/** @type {{name: string, title: string, count: number, notify?: string, updatedAt?: number, staleSince?: number}[]} */
let lists = [];
/** Where the directory was scrolled to when a list was opened. px */
let place = 0;
let isFromDirectory = false;
let again = 0;
/** The state of a place in the history where a row was opened from its list. */
const isRowFromList = 'row';

/** What is said in the person's language, once that is loaded: lists don't wait for it. @type {any} */
let words = null;

async function speak() {
  words = await translate(document);
  document.querySelector('h1').textContent = words.lists;
  document.querySelector('nav').ariaLabel = words.lists;
  hint.textContent = words.choose;
  label(main.querySelector('refreshable-list'));
}

async function refreshDirectory() {
  clearTimeout(again);
  const fault = await read();
  const told = fault || (lists.length ? '' : words.none);
  notice.hidden = !told;
  if (notice.textContent !== told) notice.textContent = told;
  draw();
  open();
  again = setTimeout(refreshIfVisible, fault ? soon : usual);
}

function refreshIfVisible() {
  if (document.visibilityState !== 'visible') return;
  if (wideScreen.matches || !location.hash) refreshDirectory();
}

/** @returns {Promise<string>} why the directory is not as it is now, for people; '' if it is */
async function read() {
  try {
    // @ts-ignore: older compilers do not know AbortSignal.timeout.
    const answer = await fetch('lists', { cache: 'no-cache', signal: AbortSignal.timeout(patience) });
    // Of lists that we may not see any more, no name stays.
    if (answer.status === 401) lists = [];
    if (!answer.ok) return words.unread.replace('#', answer.status);
    lists = (await answer.json()).lists;
    // Our worker says how old the answer is that it kept.
    /** @type {any} */
    const seconds = answer.headers.get('age');
    return seconds === null ? '' : words.asOf.replace('#', words.ago(Date.now() - seconds * 1000));
  } catch (error) {
    if (error instanceof SyntaxError) return words.unread.replace('#', () => error.message);
    return navigator.onLine ? words.unreachable : words.offline;
  }
}

/** Entries are reused by name, so that focus is kept. */
function draw() {
  const old = [...directory.children];
  const items = lists.map((list) => describe(entryOf(list.name) ?? entry(list.name), list));
  directory.hidden = items.length === 0;
  if (items.length === old.length && items.every((item, i) => item === old[i])) return;
  /** @type {any} */
  const focused = document.activeElement;
  directory.replaceChildren(...items);
  if (directory.contains(focused)) focused.focus({ preventScroll: true });
}

function entry(name) {
  const item = document.createElement('li');
  item.dataset.name = name;
  const link = document.createElement('a');
  link.href = `#${encodeURIComponent(name)}`;
  const said = ['strong', 'small', 'span'].map((kind) => document.createElement(kind));
  said[2].className = 'count';
  link.append(...said, drawing('m8 5 6 6-6 6', '0 0 22 22'));
  item.append(link);
  return item;
}

function describe(item, { title, name, count, ...state }) {
  const [heading, updated, counted] = item.firstElementChild.children;
  heading.textContent = title ?? name;
  updated.textContent = age(state, words);
  item.toggleAttribute('data-stale', Boolean(state.staleSince));
  counted.textContent = count ? words.number(count) : '';
  return item;
}

/** An icon of one stroke. */
function drawing(path, viewBox) {
  const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  picture.setAttribute('viewBox', viewBox);
  picture.setAttribute('aria-hidden', 'true');
  picture.append(document.createElementNS(picture.namespaceURI, 'path'));
  picture.firstElementChild.setAttribute('d', path);
  return picture;
}

/** Shows the list behind the #; on a wide screen, the first one where none is named. */
function open() {
  const name = wanted();
  const shown = main.querySelector('refreshable-list');
  if (name !== (shown?.dataset.name ?? '')) change(shown, name);
  openRow(main.querySelector('refreshable-list'));
  find(main.querySelector('refreshable-list'));
  offerNotifications(main.querySelector('refreshable-list'));
  look();
  hint.hidden = Boolean(name) || lists.length === 0;
  for (const link of directory.querySelectorAll('a')) mark(link, link.closest('li').dataset.name === name);
  const { title } = lists.find((list) => list.name === name) ?? {};
  if (title) main.querySelector('refreshable-list').setAttribute('heading', title);
  document.title = title ?? (name || words?.lists || document.title);
}

function mark(link, isCurrent) {
  if (isCurrent === link.hasAttribute('aria-current')) return;
  if (!isCurrent) return link.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'page');
  if (wideScreen.matches) link.scrollIntoView({ block: 'nearest' });
}

function change(shown, name) {
  if (name && !shown) place = scrollY;
  shown?.remove();
  if (name) main.append(element(name));
  document.body.toggleAttribute('data-returned', Boolean(shown && !name));
  document.body.toggleAttribute('data-open', Boolean(name));
  scrollTo(0, name ? 0 : place);
  if (!wideScreen.matches) passFocus(shown, name);
}

/** What had the focus is hidden now: the way back takes it, and gives it to the list that was left. */
function passFocus(shown, name) {
  /** @type {HTMLElement} */
  const back = main.querySelector('.back');
  if (name && directory.contains(document.activeElement)) back.focus({ preventScroll: true });
  else if (!name) entryOf(shown.dataset.name)?.firstElementChild.focus({ preventScroll: true });
}

/** @returns {any} */
function entryOf(name) {
  return directory.querySelector(`:scope > [data-name="${CSS.escape(name)}"]`);
}

/** What the address names behind its #: a list, and perhaps a row of it. @returns {string[]} */
function named() {
  const [path = ''] = location.hash.slice(1).replace(/^\//, '').split(/[&?]/);
  return path.split('/').map(decoded);
}

/** What the address looks for in the list; null: nothing. */
function query() {
  return new URLSearchParams(location.hash.split('?')[1]).get('find');
}

/** Unlike decodeURIComponent, it takes whatever a person types. */
function decoded(text) {
  return new URLSearchParams(`=${text.replaceAll('+', '%2B')}`).get('') ?? '';
}

/** Opens the row that the address names, or closes the one that it names no more. */
function openRow(list) {
  const [, key = ''] = named();
  if (!list || key === (list.getAttribute('open-row') ?? '')) return;
  if (key) list.setAttribute('open-row', key);
  else list.removeAttribute('open-row');
}

function find(list) {
  const wished = query();
  if (!list || wished === list.getAttribute('query')) return;
  if (wished === null) list.removeAttribute('query');
  else list.setAttribute('query', wished);
}

/** Puts a bell on a list that notifies, where the browser can. */
async function offerNotifications(list) {
  const { notify } = lists.find(({ name }) => name === list?.dataset.name) ?? {};
  const bell = list?.querySelector('.bell');
  if (!notify) return bell?.remove();
  if (bell || !words || !('PushManager' in window)) return;
  const { addBell } = await import('./notifications.js');
  if (list.isConnected && !list.querySelector('.bell')) addBell(list, words, document.documentElement.lang);
}

/** The icon counts what has come since each list was looked at: the worker keeps the counts, also while no page is open. */
function look() {
  const { name } = main.querySelector('refreshable-list')?.dataset ?? {};
  if (name && !document.hidden) navigator.serviceWorker?.controller?.postMessage({ list: name, unread: 0 });
}

/** Counts what comes while the page is hidden, where no notification does. */
function countUnread(list) {
  let isLoaded = false;
  list.addEventListener('patch', ({ detail }) => {
    const more = isLoaded && document.hidden && !list.querySelector('.bell[aria-pressed=true]') ? detail.inserted.length : 0;
    isLoaded = true;
    if (more) navigator.serviceWorker?.controller?.postMessage({ list: list.dataset.name, more });
  });
}

function wanted() {
  const [name] = named();
  return name || (wideScreen.matches ? lists[0]?.name : '') || '';
}

function element(name) {
  const list = document.createElement('refreshable-list');
  list.dataset.name = name;
  list.setAttribute('level', '1');
  list.toggleAttribute('find', true);
  list.src = `lists/${encodeURIComponent(name)}`;
  const back = document.createElement('a');
  back.slot = 'start';
  back.className = 'back';
  back.href = '#';
  back.append(drawing('m15 5-7 7 7 7', '0 0 24 24'));
  back.addEventListener('click', leave);
  const elsewhere = document.createElement('a');
  elsewhere.slot = 'unknown';
  elsewhere.className = 'elsewhere';
  elsewhere.href = '#';
  list.append(back, elsewhere);
  label(list);
  list.addEventListener('rowopen', ({ detail }) => {
    // One row after another is one step: the way back leads to the list.
    const address = `#/${encodeURIComponent(name)}/${encodeURIComponent(detail.key)}`;
    if (named()[1]) history.replaceState(history.state, '', address);
    else history.pushState(isRowFromList, '', address);
  });
  list.addEventListener('rowclose', (event) => {
    event.preventDefault();
    if (history.state === isRowFromList) return history.back();
    history.replaceState(null, '', `#${encodeURIComponent(name)}`);
    open();
  });
  list.addEventListener('find', ({ detail }) => {
    const found = detail.query === null ? '' : `?${new URLSearchParams({ find: detail.query })}`;
    history.replaceState(history.state, '', `#${encodeURIComponent(name)}${found}`);
  });
  countUnread(list);
  list.addEventListener('phasechange', ({ detail }) => detail.from === 'loading' && refreshDirectory());
  return list;
}

/** @param {Element | null} list with its ways back */
function label(list) {
  if (!list || !words) return;
  list.querySelector('.back').ariaLabel = words.back;
  list.querySelector('.elsewhere').textContent = words.back;
}

/** Goes back to where the list was opened from, so that the phone's own way back doesn't lead to it again. */
function leave(event) {
  if (!isFromDirectory) return;
  event.preventDefault();
  history.go(history.state === isRowFromList ? -2 : -1);
}

/** Lets the page be opened without its server, where the address is a secure one. */
async function install() {
  try {
    // A strict policy takes the address of a script only so.
    const policy = globalThis.trustedTypes?.createPolicy('refreshable-page', { createScriptURL: (url) => url });
    await navigator.serviceWorker?.register(policy?.createScriptURL('sw.js') ?? 'sw.js', { updateViaCache: 'none' });
  } catch (error) {
    console.info(`The page can’t be opened offline: ${error.message}`);
  }
}

directory.addEventListener('click', () => {
  isFromDirectory = true;
});
addEventListener('hashchange', () => {
  open();
  isFromDirectory &&= Boolean(location.hash);
  if (!location.hash) refreshDirectory();
});
// Wherever a person is on the page.
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target !== document.body) return;
  // At once: what is typed next is typed into the field.
  const pressed = new KeyboardEvent('keydown', { key: '/', cancelable: true });
  if (main.querySelector('refreshable-list')?.dispatchEvent(pressed) === false) event.preventDefault();
});
document.addEventListener('visibilitychange', refreshIfVisible);
document.addEventListener('visibilitychange', look);
navigator.serviceWorker?.addEventListener('message', ({ data }) => {
  if (data.place) location.hash = data.place;
  look();
});
addEventListener('online', refreshDirectory);
if (globalThis.BroadcastChannel) {
  new BroadcastChannel('refreshable-signed-out').onmessage = () => {
    lists = [];
    refreshDirectory();
  };
}
wideScreen.addEventListener('change', () => {
  open();
  refreshIfVisible();
});
// The document may have loaded while our words did.
if (document.readyState === 'complete') install();
else addEventListener('load', install);
// At once, under what is known; the directory and words follow.
if (location.hash) open();
document.body.toggleAttribute('data-ready', true);
await speak();
refreshDirectory();
