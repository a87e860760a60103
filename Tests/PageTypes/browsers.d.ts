/** What browsers have and the oldest compiler that we use does not know, or only where there is no page. */

interface Element {
  role: string | null;
}

interface Node {
  // Ours are asked for theirs where they have a shadow tree.
  getRootNode(options?: GetRootNodeOptions): ShadowRoot;
}

interface Array<T> {
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
}

interface Navigator {
  setAppBadge?(count: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

declare namespace Intl {
  function getCanonicalLocales(locales?: string | readonly string[]): string[];
}

/** https://html.spec.whatwg.org/multipage/interaction.html#commandevent */
interface CommandEvent extends Event {
  command: string;
}

interface HTMLElementEventMap {
  command: CommandEvent;
}

// Of a service worker's own scope.
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  clientId: string;
  resultingClientId: string;
  respondWith(answer: Promise<Response>): void;
}

/** https://www.w3.org/TR/push-api/#the-push-event */
interface PushEvent extends ExtendableEvent {
  data: { json(): any };
}

interface PushSubscriptionChangeEvent extends ExtendableEvent {
  oldSubscription: PushSubscription | null;
  newSubscription: PushSubscription | null;
}

interface NotificationEvent extends ExtendableEvent {
  notification: Notification;
}

interface MessageEvent extends ExtendableEvent {}

interface WindowEventMap {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  push: PushEvent;
  pushsubscriptionchange: PushSubscriptionChangeEvent;
  notificationclick: NotificationEvent;
}

interface WindowClient {
  visibilityState: string;
  focus(): Promise<WindowClient>;
  postMessage(message: object): void;
}

declare const clients: {
  claim(): Promise<void>;
  matchAll(options: { type: 'window' }): Promise<WindowClient[]>;
  openWindow(url: string): Promise<WindowClient | null>;
};
declare const registration: ServiceWorkerRegistration;
declare function skipWaiting(): Promise<void>;

// The CSS Custom Highlight API, where a browser has it.
declare class Highlight extends Set<Range> {
  priority: number;
}
declare namespace CSS {
  const highlights: Map<string, Highlight>;
}
