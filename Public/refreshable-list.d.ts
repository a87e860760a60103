/** The types of `<refreshable-list>`; what its attributes, events, slots and parts are stands in refreshable-list.js. */

/** As people see it: our own gesture's phase while a finger is down, else the list's. */
export type Phase = 'waiting' | 'primed' | 'loading' | 'closing';

/** Why a refresh is asked for here. */
export type Cause = 'pull' | 'button' | 'code';

export type Outcome = 'success' | 'failure' | 'timeout' | 'cancelled';

/** How many rows a run inserted, changed, moved and removed. */
export interface ChangeCounts {
  inserted: number;
  changed: number;
  moved: number;
  removed: number;
}

/** The keys of rows, by what became of them. */
export interface Changes {
  inserted: string[];
  changed: string[];
  moved: string[];
  removed: string[];
}

/** A row as it comes from the server. */
export interface Row {
  key: string;
  /** Rows are in order of position; unique in a list. */
  position: number;
  fields: Record<string, unknown>;
}

/** A run that is over; of one that the element has withdrawn from, as it left the page, only that it was cancelled. */
export interface LastRun {
  run?: string;
  outcome: Outcome;
  /** Milliseconds. */
  duration?: number;
  /** Absent where the page's own handler ran. */
  changes?: ChangeCounts;
  /** For the server's own codes, `values` are what a text in another language has to name. */
  error?: { code: string; message: string; values?: string[]; retryAfter?: number };
}

/** What can be done to a row, as the server has it. */
export interface RowAction {
  name: string;
  title: string;
  /** What it does to the row: the fields that it sets, of which null takes one away. Absent: it is not known before. */
  effect?: 'remove' | Record<string, unknown>;
  /** For some seconds it can be undone. */
  undo?: boolean;
  destructive?: boolean;
}

/** How an action on a row ended. `gone`: there is no such row; `refused`: by the server; `spent`: it can't be undone any more. */
export interface ActResult {
  action: string;
  key: string;
  outcome: Outcome | 'gone' | 'refused' | 'spent';
  error?: { code?: string; message?: string; values?: string[] };
}

/** What a handler of the page's own is given. */
export interface HandlerContext {
  /** Aborted when the person cancels or the element is gone; a run whose signal is aborted ends as cancelled. */
  signal: AbortSignal;
  /** Tells how far the work has come. Without a total, what is done is told as a number alone. */
  progress(completed: number, total?: number | null, note?: string): void;
}

/** The run lasts exactly until the promise settles; its rejection is shown with the error's message. */
export type Handler = (context: HandlerContext) => Promise<unknown> | unknown;

/** Details of the element's events, by type. */
export interface RefreshableListEventMap extends Omit<HTMLElementEventMap, 'error'> {
  /** A finger displaces the content: `offset` in displayed px, `progress` 0…1. */
  pull: CustomEvent<{ offset: number; progress: number; gesture: number }>;
  /**
   * Cancelable where it is of this page's own doing: under its finger to `primed`, which abandons the pull, and to `loading`
   * after it asked here, which withdraws from the run. `refresh` is heard earlier, before anything is asked for.
   */
  phasechange: CustomEvent<{ from: Phase; to: Phase }>;
  /** A refresh is about to be asked for; `preventDefault` refuses it. */
  refresh: CustomEvent<{ cause: Cause }>;
  /** The rows changed: the keys of those that did. */
  patch: CustomEvent<{ revision: number } & Changes>;
  /** A person is about to open a row, or to close it; `preventDefault` leaves it as it is. */
  rowopen: CustomEvent<{ key: string }>;
  rowclose: CustomEvent<{ key: string }>;
  /** A person looks for something else; null: for nothing any more. */
  find: CustomEvent<{ query: string | null }>;
  /** An action is about to be run on a row, or undone; `preventDefault` refuses it. */
  act: CustomEvent<{ action: string; key: string; isUndo: boolean }>;
  /** It is over. */
  acted: CustomEvent<ActResult & { isUndo: boolean }>;
  error: CustomEvent<{ code: string; message: string }>;
}

/** The element's own attributes, as JSX and templates that are checked write them. */
export interface RefreshableListAttributes {
  src?: string;
  heading?: string;
  level?: string | number;
  preset?: 'standard' | 'recipe' | 'progress' | 'classic';
  indicator?: string;
  behind?: boolean | '';
  keep?: 'none';
  whole?: boolean | '';
  'open-row'?: string;
  find?: boolean | '';
  query?: string;
  'text-waiting'?: string;
  'text-primed'?: string;
  'text-loading'?: string;
  'text-closing'?: string;
}

/** A list that people pull down to refresh. Importing the module defines the element. */
export class RefreshableList extends HTMLElement {
  /** The list's address, as an absolute one; '' where there is none. */
  src: string;
  /** Instead of a list from a server: what this page does when it is refreshed. Null: there is none. */
  handler: Handler | null;
  /** As people see it; reflected as the attribute. */
  readonly phase: Phase;
  /** Whether the list has a refresh action. */
  readonly refreshable: boolean;
  /**
   * Starts a refresh or joins the one that runs; settles once it is over.
   * @param how quietly: the content stays where it is, and the indicator floats above it
   * @throws {Error} with a `code`, where the server or the page refuses, or no server is reached for a minute
   */
  refresh(how?: { quietly?: boolean }): Promise<LastRun | undefined>;
  /**
   * Runs an action on a row; its effect is shown at once, and taken back where it fails. Without a connection it waits.
   * @param action its name
   * @param key of the row
   * @throws {Error} with a `code`, where the list has no such action, or the page refuses
   */
  act(action: string, key: string): Promise<ActResult>;
  /** Abandons a pull that is under way, and withdraws from a refresh that runs or was asked for here. */
  cancel(): void;
  addEventListener<Type extends keyof RefreshableListEventMap>(
    type: Type,
    listener: (this: RefreshableList, event: RefreshableListEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Type extends keyof RefreshableListEventMap>(
    type: Type,
    listener: (this: RefreshableList, event: RefreshableListEventMap[Type]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'refreshable-list': RefreshableList;
  }
  /** For tools that take the elements of JSX from there; React's are in refreshable-list.react.d.ts. */
  namespace JSX {
    interface IntrinsicElements {
      'refreshable-list': RefreshableListAttributes & Record<string, unknown>;
    }
  }
}
