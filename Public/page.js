import './refreshable-list.js';
import { speak } from './words.js';

/**
 * The page of a server: a directory of its lists, and the one whose name is behind the #. The directory is as new as
 * the last look at it: it is fetched again whenever a person returns to it.
 */
const directory = document.querySelector('nav ul');
const notice = document.querySelector('nav .notice');
const main = document.querySelector('main');
const hint = main.firstElementChild;
const words = speak('en');
const desk = matchMedia('(min-width: 800px)');

/** @type {{name: string, title: string, count: number, updatedAt?: number}[]} */
let lists = [];
/** Where the directory was scrolled to when a list was opened. px */
let place = 0;
let isFromDirectory = false;

async function look() {
  try {
    const answer = await fetch('lists', { cache: 'no-cache' });
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    lists = (await answer.json()).lists;
    tell('');
  } catch (error) {
    tell(`The lists could not be read. ${navigator.onLine === false ? 'You are offline.' : error.message}`);
  }
  draw();
  open();
}

function tell(text) {
  notice.hidden = !text;
  notice.textContent = text;
}

/** Entries are kept by name, so that focus stays where it is. */
function draw() {
  const old = new Map([...directory.children].map((item) => [item.dataset.name, item]));
  directory.replaceChildren(...lists.map((list) => describe(old.get(list.name) ?? entry(list.name), list)));
  directory.hidden = lists.length === 0;
}

function entry(name) {
  const item = document.createElement('li');
  item.dataset.name = name;
  const link = document.createElement('a');
  link.href = `#${encodeURIComponent(name)}`;
  const texts = ['strong', 'small', 'span'].map((kind) => document.createElement(kind));
  texts[2].className = 'count';
  link.append(...texts, drawing('m8 5 6 6-6 6', '0 0 22 22'));
  item.append(link);
  return item;
}

function describe(item, { title, name, count, updatedAt }) {
  const [heading, updated, counted] = item.firstElementChild.children;
  heading.textContent = title ?? name;
  updated.textContent = updatedAt ? words.updated(words.ago(updatedAt)) : count ? '' : 'Not loaded yet';
  counted.textContent = count ? count.toLocaleString() : '';
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

/** Shows the list behind the #; on a desk, the first one where none is named. */
function open() {
  const name = wanted();
  const shown = main.querySelector('refreshable-list');
  if (name !== shown?.dataset.name) {
    if (name && !shown) place = scrollY;
    shown?.remove();
    if (name) main.append(element(name));
    document.body.toggleAttribute('data-returned', Boolean(shown && !name));
    document.body.toggleAttribute('data-open', Boolean(name));
    scrollTo(0, name ? 0 : place);
  }
  hint.hidden = Boolean(name);
  for (const link of directory.querySelectorAll('a')) {
    if (link.parentNode.dataset.name === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = lists.find((list) => list.name === name)?.title ?? 'Lists';
}

function wanted() {
  // Unlike decodeURIComponent, it takes whatever a person types.
  const [name] = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B')).keys();
  return name || (desk.matches ? lists[0]?.name : '') || '';
}

function element(name) {
  const list = document.createElement('refreshable-list');
  list.dataset.name = name;
  list.setAttribute('level', '1');
  list.src = `lists/${encodeURIComponent(name)}`;
  const back = document.createElement('a');
  back.slot = 'start';
  back.className = 'back';
  back.href = '#';
  back.setAttribute('aria-label', 'All lists');
  back.append(drawing('m15 5-7 7 7 7', '0 0 24 24'));
  back.addEventListener('click', leave);
  list.append(back);
  list.addEventListener('phasechange', ({ detail }) => detail.from === 'loading' && look());
  return list;
}

/** Goes back to where the list was opened from, so that the phone's own way back doesn't lead to it again. */
function leave(event) {
  if (!isFromDirectory) return;
  event.preventDefault();
  history.back();
}

directory.addEventListener('click', () => {
  isFromDirectory = true;
});
addEventListener('hashchange', () => {
  open();
  isFromDirectory &&= Boolean(location.hash);
  if (!location.hash) look();
});
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
desk.addEventListener('change', open);
setInterval(() => document.visibilityState === 'visible' && (desk.matches || !location.hash) && look(), 30_000);
if (location.hash) open();
look();
