import { Reconnection } from './reconnection.js';
import { Watch } from './watch.js';

/** Milliseconds: for the socket to open, and for an answer to a ping. */
const opening = 10_000, answering = 8_000;
/** By which codes a server closes on those who may see nothing any more. */
const denials = [4001, 4003];
/** With so much still to send, samples are kept. Bytes. */
const congested = 4096;
const signedOut = 'This browser has signed out. Sign in again.';
/** By the address of the server, and their number. @type {Map<string, Connection>} */
const connections = new Map();

/**
 * The socket that a page has to a server, shared by all of its lists, and the way back after it was lost. It looks at one part of
 * a long list: whoever looks at another has another connection.
 *
 *     lists ──watch──▶ Connection ──▶ WebSocket /ws, refreshable.v1
 *       ▲                 │ closed: Reconnection decides when to retry
 *       └──── frames ─────┘ opened: hello with the old session, each list watched from where it was
 */
export class Connection {
  /**
   * @param {string} server its address, as “http://192.168.1.7:8080”, or “https://example.org/live” below a path
   * @param {number} [number] which of several
   * @returns {Connection} shared
   */
  static to(server, number = 0) {
    const id = `${server} ${number}`;
    if (!connections.has(id)) connections.set(id, new Connection(server, number));
    return connections.get(id);
  }

  /** The address of the server, without a slash at its end. */ server;
  /** Which of several it is. */ number;
  /** True from the moment the socket is open until it is lost. */ isOpen = false;
  /** The server was not there at the last attempt. */ isAway = false;
  /** Set when the server told us not to reconnect; it may have a reason. @type {{code: number, message: string} | null} */ refusal = null;
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Map<string, Watch>} */ #watches = new Map();
  /** @type {Map<string, (answer: object) => void>} */ #answers = new Map();
  #reconnection = new Reconnection();
  #session = null;
  #goodbye = null;
  #heartbeat = 25_000;
  #heardAt = 0;
  /** The channel to the browser's other tabs for sign-outs, by the server's origin. */
  #tabs = globalThis.BroadcastChannel && new BroadcastChannel('refreshable-signed-out');
  #timers = { retry: 0, opening: 0, silence: 0, pong: 0 };
  #ids = 0;
  #gestures = 0;

  constructor(server, number) {
    const { origin } = new URL(server);
    this.server = server;
    this.number = number;
    // A tab that has lost the server hears of it, too.
    if (this.#tabs) this.#tabs.onmessage = ({ data }) => data === origin && this.#abandon(4001, signedOut);
  }

  /** Whether nothing may be shown before the next sign-in. */
  get isDenied() {
    return denials.includes(this.refusal?.code);
  }

  /**
   * Begins or joins the watch of a list; `leave` ends it.
   * @param {string} name
   * @param {boolean} isKept whether the browser may keep its rows between visits
   * @param {boolean} isWhole whether all rows are wanted, however many
   * @returns {Watch}
   */
  join(name, isKept, isWhole) {
    const known = this.#watches.get(name);
    const watch = known ?? new Watch(this, name);
    watch.keep(isKept);
    const isAnother = !known || (isWhole && !watch.isWhole);
    watch.isWhole ||= isWhole;
    this.#watches.set(name, watch);
    if (isAnother && this.isOpen) watch.watch();
    if (!this.#socket && !this.#timers.retry) this.#connect();
    return watch;
  }

  /** @param {Watch} watch that is no longer shown */
  leave(watch) {
    if (!this.#watches.delete(watch.name)) return;
    this.send({ type: 'unwatch', list: watch.name });
    if (this.#watches.size === 0) this.#end();
  }

  /** Gesture numbers rise within a session. */
  nextGesture() {
    return (this.#gestures += 1);
  }

  nextID() {
    return String((this.#ids += 1));
  }

  /** True where a sample would only queue behind others. */
  get isCongested() {
    return (this.#socket?.bufferedAmount ?? 0) > congested;
  }

  /**
   * @param {object} message
   * @param {(answer: object) => void} [answer] hears the ok or error with the message's id, on this socket
   * @returns {boolean} whether it was sent
   */
  send(message, answer) {
    if (!this.isOpen) return false;
    if (answer) this.#answers.set(message.id, answer);
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Connects now, not when the wait is over. */
  connectNow() {
    this.#reconnection.encourage();
    if (this.isOpen) return this.#listen();
    if (this.#socket || this.#watches.size === 0) return;
    this.#connect();
  }

  #connect() {
    this.#stopTimers();
    this.refusal = null;
    addEventListener('online', this.#returned);
    document.addEventListener('visibilitychange', this.#returned);
    const socket = (this.#socket = new WebSocket(`${this.server.replace(/^http/, 'ws')}/ws`, 'refreshable.v1'));
    socket.onopen = () => this.#opened();
    socket.onmessage = ({ data }) => this.#received(JSON.parse(data));
    socket.onclose = ({ code, reason }) => this.#closed(code, reason);
    this.#timers.opening = setTimeout(() => this.#abandon(), opening);
  }

  #opened() {
    clearTimeout(this.#timers.opening);
    this.isOpen = true;
    this.isAway = false;
    this.#goodbye = null;
    this.#heardAt = performance.now();
    this.#reconnection.opened(performance.now());
    if (this.#session) this.#greet();
    for (const watch of this.#watches.values()) watch.watch();
    this.#listen();
  }

  /** Takes up the session that was lost with the last socket; a server that no longer knows it gives another. */
  #greet() {
    this.send({ type: 'hello', id: this.nextID(), session: this.#session }, ({ session }) => {
      this.#session = session ?? this.#session;
    });
  }

  #received(message) {
    this.#heardAt = performance.now();
    switch (message.type) {
      case 'welcome':
        this.#heartbeat = message.heartbeat ?? this.#heartbeat;
        this.#session ??= message.session;
        return this.#listen();
      case 'goodbye':
        this.#goodbye = message;
        return;
      case 'ok':
      case 'error':
        return this.#answered(message);
      default:
        this.#watches.get(message.list)?.receive(message);
    }
  }

  #answered(message) {
    const answer = this.#answers.get(message.id);
    this.#answers.delete(message.id);
    if (answer) answer(message);
    else if (message.type === 'error') console.warn(`${this.server}: ${message.message}`);
  }

  #closed(code, reason) {
    this.isAway = !this.isOpen;
    const wait = this.#reconnection.closed(code, performance.now(), this.#goodbye);
    const message = this.#goodbye?.message || reason;
    this.#forget();
    // Whoever signs in next is another.
    if (denials.includes(code)) this.#session = null;
    if (this.#watches.size === 0) return;
    if (wait === null) this.refusal = { code, message };
    else this.#timers.retry = setTimeout(() => this.#connect(), wait);
    for (const watch of this.#watches.values()) watch.lost();
  }

  /** Gives a socket up, as one that is silent, whose close event may be a minute away; and the next try, if there is none. */
  #abandon(code = 1006, reason = '') {
    this.#cut();
    this.#closed(code, reason);
  }

  #cut() {
    const socket = this.#socket;
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    socket?.close(1000);
  }

  #forget() {
    this.#stopTimers();
    this.#socket = null;
    this.isOpen = false;
    this.#answers.clear();
  }

  #end() {
    this.#cut();
    this.#forget();
    this.#tabs?.close();
    removeEventListener('online', this.#returned);
    document.removeEventListener('visibilitychange', this.#returned);
    connections.delete(`${this.server} ${this.number}`);
  }

  #returned = () => {
    if (document.visibilityState === 'visible') this.connectNow();
  };

  /** A page can't see the server's pings: silent for a heartbeat, it asks. */
  #listen() {
    clearTimeout(this.#timers.silence);
    const silent = performance.now() - this.#heardAt;
    if (silent >= this.#heartbeat && !this.#timers.pong) this.#ask();
    this.#timers.silence = setTimeout(() => this.#listen(), Math.max(1000, this.#heartbeat - silent));
  }

  #ask() {
    this.#timers.pong = setTimeout(() => this.#abandon(), answering);
    this.send({ type: 'ping', id: this.nextID() }, () => {
      clearTimeout(this.#timers.pong);
      this.#timers.pong = 0;
    });
  }

  #stopTimers() {
    for (const name of Object.keys(this.#timers)) {
      clearTimeout(this.#timers[name]);
      this.#timers[name] = 0;
    }
  }
}
