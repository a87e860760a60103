/**
 * Opens the page where its server can't be reached. Asked first, always, is the server: files are revalidated by their
 * ETag anyway, so what is kept would hardly be faster, and nobody is ever held in an old page. What it answers is new
 * is kept as a whole: modules of two versions are not to meet.
 *
 *     a visit ──▶ server ──answers──▶ the page as it is now; another ETag than the kept one: keep all files anew
 *                   └──fails, or is silent──▶ the kept page, and all of its files
 */
const page = 'refreshable-page', directory = 'refreshable-directory';
const home = new URL('./', location.href).href;
/** A server that has not answered for so long is taken for gone. Milliseconds. */
const patience = 3000;
/** Pages that were opened from what is kept: their files come from there too. */
const offlineClients = new Set();
/** Under way, of all that ask for it at once. @type {Promise<void> | null} */
let caching = null;

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(Promise.all([cachePage(), fetchDirectory(`${home}lists`)]));
});

addEventListener('activate', (event) => {
  event.waitUntil(clients.claim());
});

addEventListener('fetch', (event) => {
  const { method, mode, destination, url } = event.request;
  const [address] = url.split(/[?#]/);
  if (method !== 'GET' || !url.startsWith(home)) return;
  if (mode === 'navigate') return void ([home, `${home}index.html`].includes(address) && event.respondWith(openPage(event)));
  if (address === `${home}lists`) return event.respondWith(fetchDirectory(event.request));
  if (['script', 'style', 'image', 'manifest'].includes(destination)) event.respondWith(fetchFile(event));
});

async function openPage(event) {
  const asked = fetch(event.request);
  event.waitUntil(compare(home, asked));
  const answer = await inTime(asked);
  if (answer) return answer;
  offlineClients.add(event.resultingClientId);
  return (await cached(home)) ?? asked;
}

async function fetchFile(event) {
  const { request, clientId } = event;
  const file = offlineClients.has(clientId) && (await cached(request.url));
  if (file) return file;
  const asked = fetch(request);
  event.waitUntil(compare(request.url, asked));
  try {
    return await asked;
  } catch (error) {
    return (await cached(request.url)) ?? Promise.reject(error);
  }
}

/** The directory of lists; a stored one has an `Age` (RFC 9111 §5.1). */
async function fetchDirectory(request) {
  const cache = await caches.open(directory);
  const asked = fetch(request);
  const answer = await inTime(asked);
  if (answer?.ok) await cache.put(request, dated(answer.clone(), { date: new Date().toUTCString() }));
  else if (answer) await cache.delete(request);
  if (answer) return answer;
  const old = await cache.match(request);
  return old ? dated(old, { age: Math.max(0, Math.round((Date.now() - Date.parse(old.headers.get('date'))) / 1000)) }) : asked;
}

function dated({ body, headers }, more) {
  return new Response(body, { headers: { ...Object.fromEntries(headers), ...more } });
}

/** @returns {Promise<Response | undefined>} nothing, where the server is not reached in time */
function inTime(asked) {
  const late = new Promise((resolve) => setTimeout(resolve, patience));
  // Above 500 speaks what stands before a server that is gone. Whoever called waits for the failed request itself.
  return Promise.race([asked.then((answer) => (answer.status < 500 ? answer : undefined)), late]).catch(() => undefined);
}

/** Keeps all files anew where one of them is new. */
async function compare(address, asked) {
  const [answer, old] = await Promise.all([asked.catch(() => null), cached(address)]);
  const tag = answer?.headers.get('etag');
  if (!answer?.ok || (tag && tag === old?.headers.get('etag'))) return;
  // What is no part of the page, as a picture in a row, is not kept.
  if (!old && address !== home) return;
  await (caching ??= cachePage().finally(() => (caching = null)));
}

/** Files are in a store of their own until all are there; the oldest store is the one that counts. */
async function cachePage() {
  const files = new Map();
  await collect(home, files);
  const store = `${page} ${Date.now()}`;
  const cache = await caches.open(store);
  await Promise.all([...files].map(([address, answer]) => cache.put(address, answer)));
  const stores = (await caches.keys()).filter((name) => name.startsWith(page));
  // Older ones alone: a newer one may be filled by the worker that follows this. The oldest last: between them may be one
  // that was never whole.
  for (const older of stores.slice(0, Math.max(0, stores.indexOf(store))).reverse()) await caches.delete(older);
}

/** What the page is made of is read from the page: links, scripts, and imports of modules. No list can forget one. */
async function collect(address, files) {
  if (files.has(address)) return;
  files.set(address, null);
  const answer = await fetch(address, { cache: 'no-cache' });
  if (answer.status >= 500 || (!answer.ok && address === home)) throw new Error(`${address} answered ${answer.status}.`);
  if (!answer.ok) return files.delete(address);
  files.set(address, answer.clone());
  if (!/html|javascript/.test(answer.headers.get('content-type'))) return;
  const named = (await answer.text()).matchAll(/<(?:link|script)\s[^>]*?(?:href|src)="([^"#]+)"|['"](\.\.?\/[\w./-]+\.js)['"]/g);
  const others = [...named].map(([, link, module]) => new URL(link ?? module, address).href);
  await Promise.all(others.filter((other) => other.startsWith(home)).map((other) => collect(other, files)));
}

/** From the oldest store, by one look at all of them: to open a store that was deleted meanwhile is to make it again. */
function cached(address) {
  return caches.match(address, { ignoreVary: true });
}

// Notifications, and the number on the icon. What is kept for them is in a cache of its own.

const notifications = 'refreshable-notifications';
/** Till a page has told its language's: # is a number, then what the rows are called. */
const english = { locale: 'en', news: { one: '# new row', other: '# new rows' }, newOf: '# new #' };
/** One change after another, so that no count is lost. */
let counting = Promise.resolve();

addEventListener('push', (event) => event.waitUntil(notify(event.data.json())));

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));

/** A page tells by what words and under which name it subscribed, or what was seen or came of a list. */
addEventListener('message', (event) => {
  const { list, unread = 0, more, ...settings } = event.data;
  event.waitUntil(list ? count(list, (old) => (more ? old + more : unread)) : keep('settings', settings));
});

/** The server sends one only to who does not look; for one that was on its way meanwhile, the page says that it is seen. */
async function notify({ list, title, count: unread, noun, row }) {
  const body = word(unread, noun, row, (await kept('settings'))?.texts ?? english);
  const windows = await clients.matchAll({ type: 'window' });
  const silent = windows.some(({ visibilityState }) => visibilityState === 'visible');
  const data = { list, key: unread === 1 ? row?.key : undefined };
  // Browsers want to see one for each push.
  await registration.showNotification(title, { body, data, tag: list, renotify: !silent, silent, icon: 'icon-192.png' });
  await count(list, () => unread);
  for (const open of windows) open.postMessage({});
}

function word(unread, noun, row, { locale, news, newOf }) {
  if (unread === 1 && row?.title) return row.title;
  const form = (forms) => forms[new Intl.PluralRules(locale).select(unread)] ?? forms.other;
  const number = new Intl.NumberFormat(locale).format(unread);
  const text = noun ? newOf.replace('#', number).replace('#', () => form(noun)) : form(news).replace('#', number);
  return [text, row?.title].filter(Boolean).join('\n');
}

/** Opens the list, or the one row that is new, in a page that is open if there is one. */
async function show({ list, key }) {
  const place = key ? `#/${encodeURIComponent(list)}/${encodeURIComponent(key)}` : `#${encodeURIComponent(list)}`;
  const [open] = await clients.matchAll({ type: 'window' });
  if (!open) return clients.openWindow(home + place);
  open.postMessage({ place });
  return open.focus();
}

/** A browser may give its subscription another address by itself. */
async function renew({ oldSubscription, newSubscription }) {
  const { id: old, ...settings } = (await kept('settings')) ?? {};
  if (!old) return;
  const subscription = newSubscription ?? (await registration.pushManager.subscribe(oldSubscription.options));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint));
  const id = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const { lists } = await (await fetch(`${home}notifications/${old}`)).json();
  const body = JSON.stringify({ ...subscription.toJSON(), language: settings.texts?.locale.slice(0, 2) });
  for (const list of lists) {
    const address = `${home}lists/${encodeURIComponent(list)}/notifications/`;
    await fetch(address + id, { method: 'PUT', body });
    await fetch(address + old, { method: 'DELETE' });
  }
  await keep('settings', { ...settings, id });
}

/** Changes how many rows of a list are unread; the icon shows the sum. */
function count(list, change) {
  counting = counting.then(async () => {
    const unread = (await kept('unread')) ?? {};
    const { [list]: old = 0, ...others } = unread;
    const number = change(old);
    if (number === 0) for (const told of await registration.getNotifications({ tag: list })) told.close();
    if (number === old) return;
    const counts = number ? { ...others, [list]: number } : others;
    await keep('unread', counts);
    const sum = Object.values(counts).reduce((one, other) => one + other, 0);
    await (sum ? navigator.setAppBadge?.(sum) : navigator.clearAppBadge?.());
  }).catch((error) => console.info(`The icon can’t count: ${error.message}`));
  return counting;
}

async function keep(name, value) {
  await (await caches.open(notifications)).put(`${home}${name}`, new Response(JSON.stringify(value)));
}

async function kept(name) {
  return (await (await caches.open(notifications)).match(`${home}${name}`))?.json();
}
