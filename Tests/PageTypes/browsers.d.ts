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

interface WindowEventMap {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
}

declare const clients: { claim(): Promise<void> };
declare function skipWaiting(): Promise<void>;

// The CSS Custom Highlight API, where a browser has it.
declare class Highlight extends Set<Range> {
  priority: number;
}
declare namespace CSS {
  const highlights: Map<string, Highlight>;
}
