// The lecturer's screen as it changes, and the screens before it, as far as they have come to this page.

const MOST = 2000; // screens that are kept
const SILENCE = 30_000, AGAIN = 2_000; // milliseconds: a line that says nothing is dead; until it is tried again

run = { size: [80, 24], palette: [] };
frames = [];
const places = [], sizes = []; // of each of the frames: the step that it shows, its columns and rows
const numbers = new Map(); // of styles, in the palette
let live = true; // whether what is shown goes with the lecturer
let trouble = "Waiting for the lecturer's screen."; // what keeps the newest from being here, "" if nothing does

// -- What comes

const colour = (packed) => `#${packed.toString(16).padStart(6, "0")}`;

/** Number a style: bold * 2^48 + ink * 2^24 + ground. */
function numberOf(style) {
  if (!numbers.has(style)) {
    const ink = colour(Math.floor(style / 2 ** 24) % 2 ** 24), ground = colour(style % 2 ** 24);
    numbers.set(style, run.palette.length);
    run.palette.push([ink, ground, ink, ground, style >= 2 ** 48]);
  }
  return numbers.get(style);
}

/** Make the rows of a screen: those of the one before, and what is other in them. */
function rowsOf({ whole, size: [columns, height], rows }) {
  const made = whole ? new Array(height) : frames.at(-1).slice();
  for (const [r, first, text, lengths] of rows) {
    const glyphs = made[r]?.glyphs.slice() ?? new Uint32Array(columns).fill(SPACE);
    const styles = made[r]?.styles.slice() ?? new Uint32Array(columns);
    let column = first;
    for (const character of text) glyphs[column++] = character.codePointAt(0);
    column = first;
    for (let k = 0; k < lengths.length; k += 2)
      styles.fill(numberOf(lengths[k]), column, (column += lengths[k + 1]));
    made[r] = { glyphs, styles };
  }
  return made;
}

function take(message) {
  frames.push(rowsOf(message));
  places.push(message.place);
  sizes.push(message.size);
  if (frames.length > MOST) {
    for (const kept of [frames, places, sizes]) kept.shift();
    t = Math.max(t - 1, 0);
  }
  trouble = "";
  if (live) t = frames.length - 1;
  show(t);
}

const unpacked = (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();

/** Take messages as they come, each after its length in four bytes, until the line ends or says nothing any more. */
async function follow() {
  const given = new AbortController();
  let silence, rest = new Uint8Array(0);
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => given.abort(), SILENCE);
  };
  heard();
  try {
    const answer = await fetch("screens", { signal: given.signal, cache: "no-store" });
    if (!answer.ok) return answer.status;
    for (const reader = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return 0;
      heard();
      const joined = new Uint8Array(rest.length + value.length);
      joined.set(rest);
      joined.set(value, rest.length);
      for (rest = joined; rest.length >= 4; ) {
        const length = new DataView(rest.buffer, rest.byteOffset).getUint32(0);
        if (rest.length < 4 + length) break;
        if (length) take(await unpacked(rest.slice(4, 4 + length)));
        rest = rest.slice(4 + length);
      }
    }
  } catch {
    return 0;
  } finally {
    clearTimeout(silence);
    given.abort();
  }
}

const REASONS = { 404: "This link has ended: ask for the new one.", 503: "All seats are taken: it is tried again." };

async function followOn() {
  for (;;) {
    trouble = REASONS[await follow()] ?? "The lecturer's screen is not reached: it is tried again.";
    say();
    await new Promise((over) => setTimeout(over, AGAIN));
  }
}

// -- What is shown

let drawing = 0;
function show(to) {
  if (!frames.length) return;
  t = Math.min(Math.max(to, 0), frames.length - 1);
  say();
  drawing ||= requestAnimationFrame(() => {
    drawing = 0;
    const [columns, rows] = sizes[t];
    const other = columns !== run.size[0] || rows !== run.size[1] || !shown.length;
    run.size = sizes[t];
    if (other) fit();
    else draw(), settle();
  });
}

/** Say whether it is what the lecturer shows, or how far back one is. */
function say() {
  const back = places.slice(t + 1).filter((place, i) => place !== places[t + i]).length;
  const where = live ? "With the lecturer." : back ? `${back} ${back === 1 ? "step" : "steps"} back.` : "Held here.";
  byId("where").textContent = [frames.length ? where : "", trouble].filter(Boolean).join(" ");
  byId("live").disabled = live;
}

/** Go to the lecturer's screen, and with it. */
function goLive() {
  live = true;
  show(frames.length - 1);
}

function goTo(to) {
  if (to >= frames.length) return goLive();
  live = false;
  show(to);
}

/** Go to the last picture of the step before, or of the step after. */
function goBy(by) {
  let to = t;
  while (frames[to] && places[to] === places[t]) to += by;
  if (by > 0) while (to < frames.length - 1 && places[to + 1] === places[to]) to++;
  goTo(to);
}

const KEYS = {
  ArrowLeft: () => goBy(-1), h: () => goBy(-1), ArrowRight: () => goBy(1), l: () => goBy(1),
  "⇧ArrowLeft": () => goTo(t - 1), "⇧ArrowRight": () => goTo(t + 1),
  Home: () => goTo(0), End: goLive, Escape: goLive,
};

addEventListener("keydown", (event) => {
  const key = (event.shiftKey ? "⇧" : "") + event.key;
  if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(KEYS, key)) return;
  event.preventDefault();
  KEYS[key]();
});
byId("back").addEventListener("click", () => goBy(-1));
byId("on").addEventListener("click", () => goBy(1));
byId("live").addEventListener("click", goLive);
keepFitted(() => !frames.length);
say();
followOn();
