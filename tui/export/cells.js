"use strict";
// Cells of a terminal's screen on a canvas. What comes from data goes to textContent and to the canvas, nowhere else;
// the policy of the page has the browser refuse every other way.

const byId = (id) => document.getElementById(id);
const canvas = byId("cells"), layer = byId("text");
const FONT = getComputedStyle(layer).fontFamily;
const SPACE = 32, CONTINUED = 0; // a blank, and the second cell of a character that is two wide
const DARK = 0, LIGHT = 2; // where the ink of a look is in a style; its ground is next to it
const BOLD = 4;

let run; // what is shown: its palette and its size in cells
let frames; // frames[t][row]: rows that did not change are the same object
let t = 0; // which of the frames is shown
const hooks = { fitted() {}, settled() {} }; // what a page has to do when all is drawn anew, and when one stays there
let look = DARK;
let pen = canvas.getContext("2d", { alpha: false });
let shown = []; // the rows that are on the canvas
let drawnAt = 1; // the ratio of device pixels to those of CSS for which it was drawn
let w = 10, h = 20, letterSize = 16, baseline = 15; // of a cell, in device pixels
const advances = new Map(); // the widths of characters

// -- Characters that are drawn here: no font has them all alike, and fonts leave gaps between them

const inCell = (x, y, wide, high) => {
  const left = Math.round(x), top = Math.round(y);
  pen.fillRect(left, top, Math.round(x + wide) - left, Math.round(y + high) - top);
};

// From U+2500 on, two digits each: left, right, up, down in two bits; 0 none, 1 light, 2 heavy, 3 double
const BOX =
  "050a50a0050a50a0050a50a04448848841428182141824281112212254586494a46898a851526191a16292a24546494a8586898a1516" +
  "191a2526292a5556595a6595a5666996996a9aa6a9aa050a50a00ff04cc4cc43c1c31c343c1331335cf4fc53f1f34fc5cf1f353f5ff5ff" +
  "00000000000000011004400220088009900660";
const sidesOf = (code) => [0, 2, 4, 6].map((by) => (parseInt(BOX.substr(2 * (code - 0x2500), 2), 16) >> by) & 3);
const isArc = (code) => code >= 0x256d && code <= 0x2570;
const drawsBox = (code) => isArc(code) || (sidesOf(code).some(Boolean) && !sidesOf(code).includes(3));

function dashesOf(code) {
  if (code <= 0x250b) return code >= 0x2508 ? 4 : code >= 0x2504 ? 3 : 0;
  return code >= 0x254c && code <= 0x254f ? 2 : 0;
}

function box(code, x, y) {
  const light = Math.max(1, Math.round(w / 10));
  if (isArc(code)) return arc(code, x, y, light);
  const heavy = Math.max(light + 1, Math.round(w / 4)), dashes = dashesOf(code);
  const [left, right, up, down] = sidesOf(code).map((side) => [0, light, heavy][side]);
  for (let i = 0; i < dashes; i++)
    if (left) inCell(x + ((i + 0.2) * w) / dashes, y + ((h - left) >> 1), (0.6 * w) / dashes, left);
    else inCell(x + ((w - up) >> 1), y + ((i + 0.2) * h) / dashes, up, (0.6 * h) / dashes);
  if (dashes) return;
  const across = Math.max(up, down, light), along = Math.max(left, right, light); // so that corners are whole
  const middle = (w - across) >> 1, centre = (h - along) >> 1;
  if (left) pen.fillRect(x, y + ((h - left) >> 1), middle + across, left);
  if (right) pen.fillRect(x + middle, y + ((h - right) >> 1), w - middle, right);
  if (up) pen.fillRect(x + ((w - up) >> 1), y, up, centre + along);
  if (down) pen.fillRect(x + ((w - down) >> 1), y + centre, down, h - centre);
}

/** Draw a round corner: from the middle of one side to that of another. */
function arc(code, x, y, thick) {
  const cx = x + ((w - thick) >> 1) + thick / 2, cy = y + ((h - thick) >> 1) + thick / 2;
  const endX = code === 0x256d || code === 0x2570 ? x + w : x, endY = code <= 0x256e ? y + h : y;
  pen.lineWidth = thick;
  pen.beginPath();
  pen.moveTo(endX, cy);
  pen.arcTo(cx, cy, cx, endY, w / 2);
  pen.lineTo(cx, endY);
  pen.stroke();
}

const QUADRANTS = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14]; // from U+2596 on: upper left, upper right, lower left, lower right

function block(code, x, y) {
  const n = code - 0x2580;
  if (n === 0) inCell(x, y, w, h / 2);
  else if (n <= 8) inCell(x, y + h - (h * n) / 8, w, (h * n) / 8);
  else if (n <= 15) inCell(x, y, (w * (16 - n)) / 8, h);
  else if (n === 16) inCell(x + w / 2, y, w / 2, h);
  else if (n <= 19) {
    pen.globalAlpha = (n - 16) / 4; // shades
    pen.fillRect(x, y, w, h);
    pen.globalAlpha = 1;
  } else if (n === 20) inCell(x, y, w, h / 8);
  else if (n === 21) inCell(x + (w * 7) / 8, y, w / 8, h);
  else
    for (let i = 0; i < 4; i++)
      if ((QUADRANTS[n - 22] >> i) & 1) inCell(x + ((i & 1) * w) / 2, y + ((i >> 1) * h) / 2, w / 2, h / 2);
}

function braille(code, x, y) {
  const side = Math.max(1, Math.round(w * 0.22));
  for (let i = 0; i < 8; i++) {
    if (!((code >> i) & 1)) continue;
    const column = i < 6 ? +(i > 2) : i - 6, row = i < 6 ? i % 3 : 3;
    const cx = x + ((2 * column + 1) * w) / 4, cy = y + ((2 * row + 1) * h) / 8;
    if (side < 3) {
      pen.fillRect(Math.round(cx - side / 2), Math.round(cy - side / 2), side, side);
      continue;
    }
    pen.beginPath();
    pen.arc(cx, cy, side * 0.6, 0, 2 * Math.PI);
    pen.fill();
  }
}

// Marks as outlines around (0, 0) in halves of a cell's width, y downwards: fonts have them of any size, or as emoji.
const along = (f) => Array.from({ length: 48 }, (_, i) => f((i / 24) * Math.PI));
const disc = (r, cx = 0, cy = 0) => along((a) => [cx + r * Math.cos(a), cy + r * Math.sin(a)]);
const scaled = (points, by) => points.map(([x, y]) => [by * x, by * y]);
const turned = (points, quarter) => points.map(([x, y]) => [[x, y], [-y, x], [-x, -y], [y, -x]][quarter]);
const cross = (thin, far) => [0, 1, 2, 3].flatMap((q) => turned([[-thin, -far], [thin, -far], [thin, -thin]], q));
const SQUARE = [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]];
const DIAMOND = [[0, -1], [0.85, 0], [0, 1], [-0.85, 0]];
const UP = [[0, -0.85], [0.92, 0.75], [-0.92, 0.75]];
const STEM = [[0, 0.1], [0.4, 0.95], [-0.4, 0.95]];
const STAR = Array.from({ length: 10 }, (_, i) => {
  const r = i % 2 ? 0.42 : 1.05;
  return [r * Math.sin((i * Math.PI) / 5), -r * Math.cos((i * Math.PI) / 5)];
});
const HEART = along((a) => {
  const height = 13 * Math.cos(a) - 5 * Math.cos(2 * a) - 2 * Math.cos(3 * a) - Math.cos(4 * a);
  return [0.95 * Math.sin(a) ** 3, -height / 17.5];
});
const SPADE = [HEART.map(([x, y]) => [x, -0.85 * y - 0.15]), STEM];
const CLUBS = [disc(0.42, 0, -0.48), disc(0.42, -0.5, 0.12), disc(0.42, 0.5, 0.12), STEM];
const half = (sign) => along((a) => [sign * Math.max(0, sign * Math.cos(a)) * 0.85, Math.sin(a) * 0.85]);
const DOTTED = Array.from({ length: 8 }, (_, i) =>
  disc(0.16, 0.8 * Math.cos((i * Math.PI) / 4), 0.8 * Math.sin((i * Math.PI) / 4)),
);
const FILLED = {
  "■": [SQUARE], "▪": [scaled(SQUARE, 0.65)], "●": [disc(0.85)], "•": [disc(0.5)], "◆": [DIAMOND], "★": [STAR],
  "✚": [cross(0.32, 0.95)], "◗": [half(1)], "◖": [half(-1)], "◌": DOTTED, "♥": [HEART], "♠": SPADE, "♣": CLUBS,
  "♦": [scaled(DIAMOND, 0.9)],
};
const HOLLOW = {
  "□": [SQUARE], "▫": [scaled(SQUARE, 0.65)], "○": [disc(0.8)], "◇": [DIAMOND], "☆": [STAR], "✛": [cross(0.25, 0.9)],
  "♡": [HEART], "♤": SPADE, "♧": CLUBS,
};
const TURNED = [["▲▶▼◀", FILLED, 1], ["▴▸▾◂", FILLED, 0.65], ["△▷▽◁", HOLLOW, 1], ["▵▹▿◃", HOLLOW, 0.65]];
for (const [signs, marks, size] of TURNED)
  [...signs].forEach((sign, quarter) => (marks[sign] = [scaled(turned(UP, quarter), size)]));
const MARKS = new Map();
for (const [marks, filled] of [[FILLED, true], [HOLLOW, false]])
  for (const [sign, outlines] of Object.entries(marks)) MARKS.set(sign.codePointAt(0), { outlines, filled });

function mark(code, x, y) {
  const { outlines, filled } = MARKS.get(code), unit = w / 2, cx = x + w / 2, cy = y + h / 2;
  pen.lineWidth = Math.max(1, w / 9);
  for (const points of outlines) {
    pen.beginPath();
    for (const [px, py] of points) pen.lineTo(cx + px * unit, cy + py * unit);
    pen.closePath();
    if (filled) pen.fill();
    else pen.stroke();
  }
}

/** Choose what draws a character; null where that is left to fonts. */
function drawerOf(code) {
  if (code < 0x2022) return null;
  if (MARKS.has(code)) return mark;
  if (code >= 0x2500 && code <= 0x257f) return drawsBox(code) ? box : null;
  if (code >= 0x2580 && code <= 0x259f) return block;
  return code >= 0x2800 && code <= 0x28ff ? braille : null;
}

// -- The canvas

/** Draw a letter as it is, and what another font has to lend squeezed into its cells; U+FE0E: not as emoji. */
function letter(code, x, y, cells) {
  let text = String.fromCodePoint(code);
  if (code > 126 && /\p{Emoji}/u.test(text)) text += "\ufe0e";
  if (!advances.has(code)) advances.set(code, pen.measureText(text).width);
  const room = w * cells, wide = Math.min(advances.get(code), room);
  pen.fillText(text, x + (room - wide) / 2, y + baseline, room);
}

function drawRow(r, { glyphs, styles }) {
  const y = r * h;
  for (let first = 0, end; first < glyphs.length; first = end) {
    for (end = first + 1; end < glyphs.length && styles[end] === styles[first]; ) end++;
    const style = run.palette[styles[first]];
    pen.fillStyle = style[look + 1];
    pen.fillRect(first * w, y, (end - first) * w, h);
    pen.fillStyle = pen.strokeStyle = style[look];
    pen.font = `${style[BOLD] ? "bold " : ""}${letterSize}px ${FONT}`;
    for (let column = first; column < end; column++) {
      const code = glyphs[column], drawer = drawerOf(code);
      if (code === SPACE || code === CONTINUED) continue;
      if (drawer) drawer(code, column * w, y);
      else letter(code, column * w, y, glyphs[column + 1] === CONTINUED ? 2 : 1);
    }
  }
}

/** Draw the rows that are not on the canvas yet. */
function draw() {
  frames[t].forEach((row, r) => {
    if (shown[r] !== row) drawRow(r, (shown[r] = row));
  });
}

/** Choose cells of whole device pixels, so that nothing shows between them, and letters that fill them. */
function measure(width, height) {
  const [columns, rows] = run.size;
  w = Math.max(3, Math.floor(Math.min(width / columns, height / rows / 2)));
  h = Math.max(2 * w, Math.min(Math.floor(height / rows), Math.round(2.2 * w)));
  Object.assign(canvas, { width: columns * w, height: rows * h });
  pen.font = `100px ${FONT}`;
  const m = pen.measureText("M"), high = m.fontBoundingBoxAscent + m.fontBoundingBoxDescent;
  letterSize = Math.min((100 * w) / m.width, (100 * h) / high);
  baseline = Math.round((h + ((m.fontBoundingBoxAscent - m.fontBoundingBoxDescent) * letterSize) / 100) / 2);
  advances.clear();
  shown = [];
}

/** Draw all of it anew for the room that there is. */
function fit() {
  document.documentElement.style.setProperty("--shape", (2 * run.size[1]) / run.size[0]); // for who gives it a height
  const ratio = devicePixelRatio, room = byId("screen").getBoundingClientRect();
  measure(room.width * ratio, room.height * ratio);
  draw();
  drawnAt = ratio;
  const left = Math.round((room.width * ratio - canvas.width) / 2) / ratio;
  const place = { left: `${left}px`, width: `${canvas.width / ratio}px`, height: `${canvas.height / ratio}px` };
  Object.assign(canvas.style, place);
  Object.assign(layer.style, place, { fontSize: `${letterSize / ratio}px`, lineHeight: `${h / ratio}px` });
  spaceLetters();
  hooks.fitted();
  settle();
}

/** Draw it for paper as one picture: browsers print drawing as outlines, between which the paper shows. */
function fitPaper() {
  const before = look, onto = pen;
  look = LIGHT;
  measure(30 * run.size[0], 60 * run.size[1]);
  pen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { alpha: false });
  draw();
  onto.drawImage(pen.canvas, 0, 0);
  pen = onto;
  look = before;
}

// -- The text over the canvas: not seen, to be selected, copied and found; what is drawn by hand is blank in it

/** Set letters as far apart as cells, from what the layout makes of their width. */
function spaceLetters() {
  layer.style.letterSpacing = "0";
  layer.textContent = "M".repeat(100);
  const range = document.createRange();
  range.selectNodeContents(layer);
  layer.style.letterSpacing = `${w / devicePixelRatio - range.getBoundingClientRect().width / 100}px`;
}

function lineOf({ glyphs }) {
  const line = document.createElement("div"), codes = [...glyphs];
  const room = codes.map((_, i) => (codes[i + 1] === CONTINUED ? 2 : 1));
  while (codes.length && (codes.at(-1) === SPACE || drawerOf(codes.at(-1)))) codes.pop();
  let plain = "";
  codes.forEach((code, i) => {
    if (code === CONTINUED) return;
    const text = drawerOf(code) ? " " : String.fromCodePoint(code);
    if (text === " " || code <= 126 || (room[i] === 1 && Math.abs((advances.get(code) ?? 0) - w) <= 0.01)) {
      plain += text;
      return;
    }
    const cell = document.createElement("span"); // of another width than a cell has
    cell.textContent = text;
    cell.style.width = `${(w * room[i]) / devicePixelRatio}px`;
    line.append(plain, cell);
    plain = "";
  });
  line.append(plain || (codes.length ? "" : " "));
  return line;
}

let settling = 0;
/** Do what waits until one stays at a frame: the text, and what else the page has to do then. */
function settle() {
  clearTimeout(settling);
  layer.replaceChildren();
  settling = setTimeout(() => {
    layer.replaceChildren(...frames[t].map(lineOf));
    hooks.settled();
  }, 250);
}

/** Draw anew when the room or the monitor becomes another, unless one is busy otherwise; returns what does it. */
function keepFitted(busy = () => false) {
  const refit = () => busy() || fit();
  new ResizeObserver(refit).observe(byId("screen"));
  setInterval(() => devicePixelRatio === drawnAt || refit(), 300); // another monitor: no event tells of it everywhere
  return refit;
}
