// A run's page: the cells of its screen a step at a time, and its words.

const lightAsked = matchMedia("(prefers-color-scheme: light)");
let all; // the document: its title, what steps are called, and the runs
Object.assign(hooks, { shown() {}, opened() {} }); // what a lesson has to say when a run is shown, and when all is there

// -- The document

async function unpacked() {
  const bytes = Uint8Array.from(atob(byId("data").textContent), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

/** Make the frames of what changes in each row, one row after the other. */
function framesOf({ size: [columns, rows], places, texts, styles, steps }) {
  const made = steps.map(() => new Array(rows));
  for (let r = 0; r < rows; r++) {
    let row = { glyphs: new Uint32Array(columns).fill(SPACE), styles: new Uint16Array(columns) };
    let at = 0;
    texts[r].forEach((text, i) => {
      const [since, first] = places[r].slice(2 * i, 2 * i + 2);
      for (const next = at + since; at < next; at++) made[at][r] = row;
      row = { glyphs: row.glyphs.slice(), styles: row.styles.slice() };
      let column = first;
      for (const character of text) row.glyphs[column++] = character.codePointAt(0);
      column = first;
      const lengths = styles[r][i];
      for (let k = 0; k < lengths.length; k += 2) row.styles.fill(lengths[k], column, (column += lengths[k + 1]));
    });
    for (; at < made.length; at++) made[at][r] = row;
  }
  return made;
}

// -- Runs and steps

/** Show another run, at the step that is shown or the last before it. */
function showRun(which) {
  if (!all.runs[which] || all.runs[which] === run) return;
  const step = run ? run.steps[t][0] : 0;
  run = all.runs[which];
  frames = run.frames ??= framesOf(run);
  t = run.at ?? Math.max(run.steps.findLastIndex(([at]) => at <= step), 0);
  byId("at").max = lastOpen();
  byId("n").hidden = !run.events.length;
  byId("iteration").hidden = iterationOf(0) === null;
  [...byId("runs").children].forEach((button, i) => button.setAttribute("aria-pressed", i === which));
  fit();
  hooks.shown();
  show(t);
}

/** Say which frame is the last that may be seen: in a lesson a question hides what answers it. */
const lastOpen = () => run.until ?? frames.length - 1;

/** Make a button for each run, where there are several. */
function listRuns() {
  byId("digits").hidden = all.runs.length < 2;
  if (all.runs.length < 2) return;
  byId("runs").append(...all.runs.map(({ name }, i) => {
    const button = document.createElement("button");
    button.textContent = name;
    button.addEventListener("click", () => showRun(i));
    return button;
  }));
}

hooks.fitted = () => drawStrip();
hooks.settled = () => {
  try {
    history.replaceState(null, "", addressOf(all.runs.indexOf(run), run.steps[t][0])); // 200 in a row are too many
  } catch {} // a frame that has no address
};

const addressOf = (which, step) => (which ? `#run=${which + 1}&step=${step}` : `#step=${step}`);

const eventsOf = (i) => run.steps[i][3];
const iterationOf = (i) => run.steps[i][1];

function show(to) {
  t = Math.min(Math.max(Math.round(to) || 0, 0), lastOpen());
  draw();
  const [step, iteration, phase, events, sentence, verdicts] = run.steps[t];
  const happened = [...new Set([run.phases[phase], ...events.map((event) => run.events[event])])].filter(Boolean);
  const number = `${all.unit} ${step} of ${run.steps[lastOpen()][0]}`;
  const counted = iteration === null ? number : `${number}, iteration ${iteration}`;
  const where = happened.length ? `${counted}: ${happened.join(", ")}` : counted;
  byId("at").value = t;
  byId("at").setAttribute("aria-valuetext", where);
  byId("go").value = step;
  byId("where").textContent = where;
  byId("sentence").textContent = `${where}. ${run.sentences[sentence]}`;
  byId("theorems").replaceChildren(...verdicts.map(theorem));
  settle();
}

function theorem(verdict) {
  const [statement, stands] = run.verdicts[verdict], item = document.createElement("li");
  item.textContent = `${run.statements[statement]}: ${stands}`;
  return item;
}

/** Go to the next frame of a kind, or the last one before; where there is none, stay. */
function towards(by, wanted) {
  for (let i = t + by; i >= 0 && i < frames.length; i += by) if (wanted(i)) return show(i);
}
const toEvent = (by) => towards(by, (i) => eventsOf(i).length > 0);
const toIteration = (by) => towards(by, (i) => i === 0 || iterationOf(i) !== iterationOf(i - 1));
const toStep = (step) => show(run.steps.findLastIndex(([at]) => at <= step));

let playing = 0; // the request for the next picture, 0 while it stands
function play(on) {
  cancelAnimationFrame(playing);
  playing = 0;
  if (on) {
    if (t === lastOpen()) show(0);
    let due = performance.now();
    const tick = (now) => {
      const each = 1000 / speed(), steps = Math.floor((now - due) / each);
      if (steps > 0) {
        due += steps * each;
        show(t + steps);
      }
      if (t === lastOpen()) play(false);
      else playing = requestAnimationFrame(tick);
    };
    playing = requestAnimationFrame(tick);
  }
  byId("play").textContent = on ? "pause" : "play";
  byId("sentence").setAttribute("aria-live", on ? "off" : "polite"); // else it is read out at every step
}

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10, 25, 60];
const speed = () => Math.min(Math.max(+byId("speed").value || 1, SPEEDS[0]), SPEEDS.at(-1));
const faster = () => (byId("speed").value = SPEEDS.find((each) => each > speed()) ?? SPEEDS.at(-1));
const slower = () => (byId("speed").value = SPEEDS.findLast((each) => each < speed()) ?? SPEEDS[0]);

/** Draw over the slider what each step is: its phase as a colour, and a stroke where an event happens. */
function drawStrip() {
  const strip = byId("marks"), ratio = devicePixelRatio, brush = strip.getContext("2d");
  const wide = (strip.width = strip.clientWidth * ratio), high = (strip.height = strip.clientHeight * ratio);
  const first = 8 * ratio, last = wide - first, each = (last - first) / Math.max(lastOpen(), 1); // between the thumb's ends
  run.steps.slice(0, lastOpen() + 1).forEach(([, , phase], i) => {
    const x = first + i * each, from = Math.max(x - each / 2, first), to = Math.min(x + each / 2, last);
    brush.fillStyle = `hsl(${(phase * 137 + 210) % 360} 45% 45%)`;
    brush.fillRect(from, high / 2, (lastOpen() ? to : last) - from + 0.5, high / 2);
    brush.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
    if (eventsOf(i).length) brush.fillRect(x - ratio / 2, 0, Math.max(ratio, 1), high / 2);
  });
}

// -- What a person does

const KEYS = {
  ArrowRight: () => show(t + 1), l: () => show(t + 1), ArrowLeft: () => show(t - 1), h: () => show(t - 1),
  Home: () => show(0), 0: () => show(0), End: () => show(frames.length - 1), $: () => show(frames.length - 1),
  n: () => toEvent(1), N: () => toEvent(-1), L: () => toIteration(1), H: () => toIteration(-1),
  g: () => byId("go").select(), Escape: () => {},
};
for (let i = 1; i <= 9; i++) KEYS[i] = () => showRun(i - 1);
const WHILE_IT_PLAYS = { " ": () => play(!playing), "+": faster, "=": faster, "-": slower };
const SHIFTED = { ArrowRight: "L", ArrowLeft: "H" };

function pressed(event) {
  const key = (event.shiftKey && SHIFTED[event.key]) || event.key, typed = event.target.matches("#go, #speed");
  if (event.ctrlKey || event.altKey || event.metaKey || (key === " " && event.target.matches("button"))) return;
  if (typed) return void (["Enter", "Escape"].includes(key) && event.target.blur());
  const act = Object.hasOwn(KEYS, key) ? KEYS[key] : Object.hasOwn(WHILE_IT_PLAYS, key) ? WHILE_IT_PLAYS[key] : null;
  if (!act) return;
  event.preventDefault();
  if (Object.hasOwn(KEYS, key)) play(false);
  act();
}

function followAddress() {
  const asked = /^#(?:run=([1-9]\d?)&)?step=(\d{1,9})$/.exec(location.hash);
  if (!asked) return;
  showRun((asked[1] ?? 1) - 1);
  toStep(+asked[2]);
}

function lookAsAsked() {
  look = lightAsked.matches ? LIGHT : DARK;
  shown = [];
}

function listen() {
  addEventListener("keydown", pressed);
  addEventListener("hashchange", followAddress);
  byId("play").addEventListener("click", () => play(!playing));
  byId("at").addEventListener("input", () => (play(false), show(+byId("at").value)));
  byId("go").addEventListener("change", () => (play(false), toStep(+byId("go").value || run.steps[0][0])));
  let from = null; // where a finger came down
  byId("screen").addEventListener("pointerdown", (e) => (from = e.pointerType === "touch" ? e.clientX : null));
  byId("screen").addEventListener("pointerup", (e) => {
    if (from !== null && Math.abs(e.clientX - from) > 30) show(t + (e.clientX < from ? 1 : -1));
  });
  let printing = false;
  const refit = keepFitted(() => printing);
  lightAsked.addEventListener("change", () => (lookAsAsked(), refit()));
  addEventListener("beforeprint", () => ((printing = true), fitPaper()));
  addEventListener("afterprint", () => ((printing = false), fit()));
}

unpacked().then((read) => {
  all = read;
  byId("old").remove();
  document.title = byId("title").textContent = all.title;
  lookAsAsked();
  listRuns();
  hooks.opened();
  showRun(0);
  followAddress();
  listen();
});
