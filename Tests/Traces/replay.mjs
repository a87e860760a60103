// Replays the tables of this folder against Public/gesture/pull.js; README.md explains them.
//   node Tests/Traces/replay.mjs [FILE…|-]      exits 1 on any mismatch, 2 if a table can't be read
// Without a FILE it replays all tables and tells each rule.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { basename, join } from "node:path";

const folder = fileURLToPath(new URL(".", import.meta.url));
const source = readFileSync(new URL("../../Public/gesture/pull.js", import.meta.url));
// Imported as text: Node before 20.19 takes a .js file without a package.json for CommonJS.
const { Pull, KnownRun, presets } = await import(`data:text/javascript;base64,${source.toString("base64")}`);

const phases = ["waiting", "primed", "loading", "closing"];
const answers = ["run", "joins", "belowThreshold", "spent", "own", "repeated"];
const distances = ["threshold", "minimum", "hold", "hysteresis"];
const facts = ["begin", "refuse", "end", "settle"];

/** A table that can't be read: not a fault of the reducer. */
class Unreadable extends Error {}

/** One rule of a table: its settings, and the state its steps move. */
class Replay {
  title;
  #settings = { preset: presets.standard, isLoading: false, isStrict: false };
  #pull = null;
  #known = new KnownRun();
  #gesture = 1;
  #offset = 0;
  steps = 0;

  constructor(title) { this.title = title; }

  /** Performs one line; returns what differs as [column, expected, got]. */
  step(line) {
    const [event, ...columns] = line.trim().split(/ {2,}|\t+/);
    const words = event.split(" ");
    if (!this.#pull && columns.length === 0 && this.#set(words)) return [];
    if (event === "touch" && columns.length === 0) return this.#touch();
    const { isStrict, preset, isLoading } = this.#settings;
    this.#pull ??= new Pull(preset, isLoading);
    this.steps += 1;
    const seen = this.#observe(words);
    const wanted = { ...defaults(seen, words[0], isStrict), ...expectations(columns) };
    return Object.keys(wanted).filter((name) => wanted[name] !== seen[name])
      .map((name) => [name, wanted[name], seen[name]]);
  }

  #set([name, ...rest]) {
    if (name === "loading" && rest.length === 0) this.#settings.isLoading = true;
    else if (name === "strict" && rest.length === 0) this.#settings.isStrict = true;
    else if (name === "preset") this.#settings.preset = configuration(rest);
    else return false;
    return true;
  }

  #touch() {
    this.#gesture += 1;
    this.#offset = 0;
    return [];
  }

  /** Feeds the events of one line; returns every column as it came out. */
  #observe(words) {
    const before = this.#pull.ignored;
    const { events, gesture } = this.#events(words);
    const actions = {};
    for (const event of events) Object.assign(actions, this.#pull.handle(event));
    const { phase, progress, peak, ignored } = this.#pull;
    return {
      phase,
      progress: String(progress),
      peak: peak === null ? "nothing" : String(peak),
      gesture: String(this.#pull.gesture),
      ignored: ignored > before ? "ignored" : "nothing",
      asks: actions.refresh === undefined ? "nothing" : about(actions.refresh, gesture) || "asks",
      answer: actions.answer ?? "nothing",
      tells: told(actions.state, gesture),
      feeds: words[0] === "list" && events.length ? events.map((event) => event.type).join(" ") : "nothing",
    };
  }

  #events([type, ...rest]) {
    if (facts.includes(type) && rest.length === 0) return { events: [{ type }], gesture: this.#gesture };
    if (type === "list" && phases.includes(rest[0]) && rest.length <= 2) {
      return { events: this.#known.hear(rest[0], rest[1] ?? null), gesture: this.#gesture };
    }
    if (type === "pull") this.#offset = number(rest.shift());
    else if (type === "release" && rest.length % 2 === 1) this.#offset = number(rest.shift());
    else if (type !== "release" && type !== "cancel") throw new Unreadable(`no such event: ${type}`);
    const { gesture = this.#gesture, peak } = pairs(rest, type === "release" ? ["gesture", "peak"] : ["gesture"]);
    const event = { type: type === "pull" ? "sample" : type, gesture };
    if (type !== "cancel") event.offset = this.#offset;
    if (peak !== undefined) event.peak = peak;
    return { events: [event], gesture };
  }
}

/** The columns that are checked although they are not written. */
function defaults(seen, type, isStrict) {
  const mayAsk = type === "release" && (seen.answer === "run" || seen.answer === "joins");
  const always = { ignored: "nothing", asks: mayAsk ? "asks" : "nothing" };
  return isStrict ? { ...always, answer: "nothing", tells: "nothing", feeds: "nothing" } : always;
}

function expectations([phase, ...columns]) {
  if (!phases.includes(phase)) throw new Unreadable(`the first column must be a phase, not ${phase ?? "nothing"}`);
  return Object.assign({ phase }, ...columns.map(expectation));
}

function expectation(column) {
  const [name, ...rest] = column.split(" ");
  if (answers.includes(name) && rest.length === 0) return { answer: name };
  if ((name === "ignored" || name === "asks") && rest.length === 0) return { [name]: name };
  if (["progress", "peak", "gesture", "tells", "feeds"].includes(name) && rest.length > 0) {
    return { [name]: rest.map((word) => (Number.isNaN(Number(word)) ? word : String(Number(word)))).join(" ") };
  }
  throw new Unreadable(`no such column: ${column}`);
}

function configuration([preset, ...rest]) {
  if (!Object.hasOwn(presets, preset)) throw new Unreadable(`no such preset: ${preset}`);
  return { ...presets[preset], ...pairs(rest, [...distances, "trigger"]) };
}

function pairs(words, names) {
  const found = {};
  for (let index = 0; index < words.length; index += 2) {
    const [name, value] = [words[index], words[index + 1]];
    if (!names.includes(name)) throw new Unreadable(`no such word here: ${name}`);
    found[name] = name === "trigger" ? value : number(value);
  }
  return found;
}

function number(word) {
  const special = { nan: NaN, inf: Infinity, "-inf": -Infinity };
  const value = word in special ? special[word] : Number(word);
  if (word === "" || (Number.isNaN(value) && word !== "nan")) throw new Unreadable(`not a number: ${word}`);
  return value;
}

function told(state, gesture) {
  if (!state) return "nothing";
  const suffix = about(state.gesture, gesture);
  return `${state.phase} ${state.progress}${suffix && ` ${suffix}`}`;
}

function about(gesture, expected) {
  return gesture === expected ? "" : `of ${gesture}`;
}

/** Replays one table; prints what differs and, if told to, each rule; returns how many rules and steps there were. */
function replay(name, text, isTold) {
  const count = { rules: 0, steps: 0, mismatches: 0 };
  let rule = null;
  let before = 0;
  const close = () => {
    if (rule?.steps === 0) throw new Unreadable(`a rule without steps: ${rule.title}`);
    count.steps += rule?.steps ?? 0;
    if (rule && isTold) console.log(`${count.mismatches > before ? "✘" : "✔"} ${name}: ${rule.title}`);
    before = count.mismatches;
  };
  text.split("\n").forEach((whole, index) => {
    const line = whole.replace(/#.*/, "").trimEnd();
    if (line === "") return;
    try {
      if (/^\s/.test(line)) {
        if (!rule) throw new Unreadable("a step before the first rule");
        for (const difference of rule.step(line)) report(name, index + 1, rule.title, line, difference, count);
      } else {
        close();
        rule = new Replay(line);
        count.rules += 1;
      }
    } catch (error) {
      if (error instanceof Unreadable) error.message = `${name}:${index + 1}: ${error.message}`;
      throw error;
    }
  });
  close();
  if (count.rules === 0) throw new Unreadable(`no rules in ${name}`);
  return count;
}

function report(name, line, title, step, [column, expected, got], count) {
  count.mismatches += 1;
  if (count.mismatches > 20) return;
  console.log(`${name}:${line}: ${title}\n  ${step.trim()}\n  ${column}: expected ${expected}, got ${got}`);
}

function main(names) {
  const files = names.length ? names : readdirSync(folder).filter((name) => name.endsWith(".trace")).sort()
    .map((name) => join(folder, name));
  if (files.length === 0) throw new Unreadable(`no tables in ${folder}`);
  const total = { rules: 0, steps: 0, mismatches: 0 };
  for (const file of files) {
    const text = readFileSync(file === "-" ? 0 : file, "utf8");
    const count = replay(file === "-" ? "stdin" : basename(file), text, names.length === 0);
    for (const key of Object.keys(total)) total[key] += count[key];
  }
  const verdict = total.mismatches ? `${total.mismatches} mismatches` : "all as expected";
  console.log(`pull.js: ${files.length} tables, ${total.rules} rules, ${total.steps} steps: ${verdict}`);
  return total.mismatches ? 1 : 0;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Unreadable) && error.code !== "ENOENT") throw error;
  console.error(`Cannot replay: ${error.message}`);
  process.exitCode = 2;
}
