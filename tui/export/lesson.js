
// -- A lesson: its runs are moments, with what is said of them beside the screen. All words go to textContent.

const answers = new Map(); // by moment: which choice, or which number

function made(kind, text = "", name = "") {
  const element = document.createElement(kind);
  element.textContent = text;
  if (name) element.className = name;
  return element;
}

const offered = (words, i) => `${i + 1})  ${words}`;
const placeOf = (which) => all.runs.indexOf(which) + 1;
const stepOf = (moment) => moment.steps[moment.at][0];

/** Write a moment: its heading, the command that shows its run, and its paragraphs. */
function textOf(moment) {
  const heading = made("h2", `${placeOf(moment)}  ${moment.heading}`);
  const command = moment.command ? [made("code", moment.command)] : [];
  return [heading, ...command, ...moment.paragraphs.map((pieces) => {
    const paragraph = made("p");
    paragraph.append(...pieces.map(([kind, text]) => made(kind === "strong" ? "strong" : "span", text, kind)));
    return paragraph;
  })];
}

const isRight = ({ ask }, given) =>
  ask.number ? Math.abs(given - ask.number.value) <= ask.number.within : given === ask.right;

/** Say what is right, and what is to be said to who answered so; null has it told. */
function replyOf(moment, given) {
  const { ask } = moment, lines = [];
  if (given !== null) lines.push(made("p", isRight(moment, given) ? "Right." : "Not so.", "verdict"));
  if (ask.number) lines.push(made("p", `It is ${ask.number.text}; right within ${ask.number.within}.`));
  else {
    if (given !== null && given !== ask.right) lines.push(made("p", ask.choices[given].reply));
    lines.push(made("p", `${offered(ask.choices[ask.right].words, ask.right)}: ${ask.choices[ask.right].reply}`));
  }
  if (ask.why) lines.push(made("p", ask.why));
  return lines;
}

function answer(given) {
  if (!run.ask || answers.has(run)) return;
  answers.set(run, given);
  run.until = null;
  byId("at").max = lastOpen();
  hooks.shown();
  drawStrip();
  show(lastOpen());
}

function questionOf(moment) {
  const box = made("section", "", "ask");
  box.append(made("p", moment.ask.question, "question"));
  if (answers.has(moment)) {
    box.append(...replyOf(moment, answers.get(moment)));
    return box;
  }
  moment.ask.choices.forEach(({ words }, i) => {
    const button = made("button", offered(words, i));
    button.addEventListener("click", () => answer(i));
    box.append(button);
  });
  if (moment.ask.number) {
    const field = made("input"), button = made("button", "answer");
    Object.assign(field, { type: "number", step: "any", id: "number" });
    field.setAttribute("aria-label", "your number");
    const given = () => field.value !== "" && answer(+field.value);
    button.addEventListener("click", given);
    field.addEventListener("keydown", (event) => {
      event.stopPropagation(); // digits are of the number, and arrows turn it
      if (event.key === "Enter") given();
    });
    box.append(field, button);
  }
  const told = made("button", "tell me");
  told.addEventListener("click", () => answer(null));
  box.append(told);
  return box;
}

/** List the moments, each a link to it. */
function contents() {
  const list = made("ol");
  list.append(...all.runs.map((moment, i) => {
    const item = made("li"), link = made("a", moment.heading);
    link.href = addressOf(i, stepOf(moment));
    if (moment === run) link.setAttribute("aria-current", "step");
    item.append(link);
    return item;
  }));
  return list;
}

hooks.shown = () => {
  const page = byId("lesson");
  page.replaceChildren(...textOf(run));
  if (run.ask) page.append(questionOf(run));
  page.append(made("h3", all.title), contents());
  page.scrollTop = 0;
};

hooks.opened = () => {
  document.body.classList.add("with-lesson");
  const keys = made("span");
  keys.append(made("kbd", "pgdn"), " ", made("kbd", "pgup"), " moments");
  byId("keys").append(" ", keys);
};

function goBy(by) {
  if (by > 0 && run.ask && !answers.has(run)) return answer(null); // on past a question it is told first
  showRun(all.runs.indexOf(run) + by);
}
Object.assign(KEYS, { PageDown: () => goBy(1), PageUp: () => goBy(-1) });
for (let i = 1; i <= 9; i++)
  KEYS[i] = () => {
    const asking = run.ask && !answers.has(run) && run.ask.choices.length;
    if (!asking) showRun(i - 1);
    else if (i <= asking) answer(i - 1);
  };

// -- The handout: every moment with its picture and its question, and what is right at the end

/** Draw the screen of a moment as a picture of its own. */
function pictureOf(moment) {
  const before = { run, frames, t, look, pen };
  run = moment;
  frames = run.frames ??= framesOf(run);
  t = run.at;
  look = LIGHT;
  const picture = document.createElement("canvas"), size = [canvas.width, canvas.height];
  measure(16 * run.size[0], 32 * run.size[1]);
  Object.assign(picture, { width: canvas.width, height: canvas.height });
  pen = picture.getContext("2d", { alpha: false });
  draw();
  ({ run, frames, t, look, pen } = before);
  [canvas.width, canvas.height] = size;
  shown = [];
  return picture;
}

function handout() {
  const right = made("section", "", "answers"), sheet = byId("handout");
  sheet.replaceChildren(made("h1", all.title));
  right.append(made("h2", "What is right"));
  for (const moment of all.runs) {
    const part = made("section");
    part.append(...textOf(moment), pictureOf(moment));
    if (moment.ask) {
      part.append(made("p", moment.ask.question, "question"));
      part.append(...moment.ask.choices.map(({ words }, i) => made("p", offered(words, i), "choice")));
      right.append(made("h3", `${placeOf(moment)}  ${moment.ask.question}`), ...replyOf(moment, null));
    }
    sheet.append(part);
  }
  if (right.childElementCount > 1) sheet.append(right);
}
addEventListener("beforeprint", () => all && handout());
addEventListener("afterprint", () => (byId("handout").replaceChildren(), fit()));
