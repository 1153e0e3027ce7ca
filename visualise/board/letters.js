// The texts of a picture: never too small to read, and those without room give way.

export const SMALLEST = 11.1; // pixels of letters on the screen: not below 11 after rounding
export const SVG = "http://www.w3.org/2000/svg";
const sizeOf = (text) => Number(text.getAttribute("font-size"));

// Make the indices of a picture as large as their line: their own size is below what can be read.
function evened(element) {
  return [...element.querySelectorAll("tspan[font-size]")].map((index) => {
    const own = sizeOf(index), most = sizeOf(index.parentElement);
    index.setAttribute("font-size", most);
    return { index, own, most };
  });
}

function resize(indices, scale) {
  for (const { index, own, most } of indices) index.setAttribute("font-size", Math.min(most, Math.max(own, SMALLEST / scale)));
}

// Give a figure in a panel its size: wider than the panel, it is scrolled.
export function legible(figure) {
  const least = Math.min(...[...figure.querySelectorAll("text")].map(sizeOf));
  const own = figure.viewBox.baseVal.width, drawn = Number(figure.getAttribute("width"));
  const scale = Math.max(drawn / own, Number.isFinite(least) ? SMALLEST / least : 1);
  resize(evened(figure), scale);
  figure.setAttribute("width", own * scale);
  figure.setAttribute("height", figure.viewBox.baseVal.height * scale);
  return figure;
}

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const about = ({ x, y }, by) => `matrix(${by} 0 0 ${by} ${x * (1 - by)} ${y * (1 - by)})`;
const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const within = (a, b) => b.x <= a.x && b.y <= a.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;

// The size of the largest text in an icon; labels below it do not count: they may be hidden.
function largest(icon) {
  const bottom = Math.max(...[...icon.querySelectorAll("polygon")].map((shape) => shape.getBBox()).map(({ y, height }) => y + height));
  const inside = [...icon.querySelectorAll("text")].filter((text) => Number(text.getAttribute("y")) < bottom);
  return Math.max(0, ...inside.map(sizeOf));
}

// The texts of one world: its name inside, the lines beside it, and those of its icon.
function textsOf(group) {
  const indices = evened(group);
  const name = group.querySelector(":scope > text:not([paint-order])");
  const lines = [...group.querySelectorAll(":scope > text[paint-order]")];
  const face = group.querySelector(".face").getBBox();
  const middle = { x: face.x + face.width / 2, y: face.y + face.height / 2 };
  const texts = { group, indices, name, face, middle, beside: null, inner: [...group.querySelectorAll(".icon text")], width: name ? name.getBBox().width : 0 };
  if (lines.length) {
    texts.beside = document.createElementNS(SVG, "g");
    texts.beside.append(...lines);
    group.append(texts.beside);
    texts.size = sizeOf(lines[0]);
    texts.box = texts.beside.getBBox();
    const { x, y, width, height } = texts.box;
    texts.anchor = { x: clamp(middle.x, x, x + width), y: clamp(middle.y, y, y + height) };
  }
  return texts;
}

function grown({ box, anchor }, by) {
  return { x: anchor.x + (box.x - anchor.x) * by, y: anchor.y + (box.y - anchor.y) * by, width: box.width * by, height: box.height * by };
}

// Spots on a line, close enough to each other for none to miss a text.
function spotsOn(line) {
  const length = line.getTotalLength(), count = Math.ceil(length / 4);
  return Array.from({ length: count + 1 }, (_, k) => line.getPointAtLength((length * k) / count));
}

// Take the texts of the worlds of a picture on the page, and its lines. `readable`: the least scale at which names
// fit into the worlds. `set(scale, redundant, view)`: enlarge and hide texts for a scale, and those beyond the box in
// view if it is given; what only repeats a name goes first.
export function lettering(groups, lines) {
  const all = groups.map(textsOf);
  let spots = null; // on the lines: needed if texts are enlarged
  const struck = ({ x, y, width, height }, margin) => (spots ??= lines.flatMap(spotsOn)).some((spot) =>
    x + margin < spot.x && spot.x < x + width - margin && y + margin < spot.y && spot.y < y + height - margin);
  const enlarged = (size, scale) => Math.max(1, SMALLEST / (size * scale));
  const room = ({ name, face, width }) => (name ? (SMALLEST * width) / (sizeOf(name) * (face.width - 2)) : 0);
  const readable = Math.max(0, ...all.map(room), ...all.flatMap(({ group }) => [...group.querySelectorAll(".icon")].map(largest).filter(Boolean).map((size) => SMALLEST / size)));

  function set(scale, redundant, view = null) {
    const taken = all.map(({ face }) => face);
    const away = new Set();
    const show = (element, shown, node) => {
      element.classList.toggle("away", !shown);
      if (!shown) away.add(node);
    };
    for (const [node, { name, face, middle, width, inner }] of all.entries()) {
      for (const text of inner) show(text, sizeOf(text) * scale >= SMALLEST - 0.01, node);
      if (!name) continue;
      const by = enlarged(sizeOf(name), scale);
      name.setAttribute("transform", about(middle, by));
      show(name, by * width <= face.width - 1.9, node);
    }
    const place = (nodes, together) => {
      const placed = nodes.map((node) => {
        const texts = all[node], by = enlarged(texts.size, scale), box = grown(texts, by);
        texts.drawn = box;
        texts.beside.setAttribute("transform", about(texts.anchor, by));
        resize(texts.indices, scale * by);
        const fits = (!view || within(box, view)) && (by === 1 || !(taken.some((other) => other !== texts.face && meet(box, other)) || struck(box, 0.15 * texts.size * by)));
        if (fits) taken.push(box);
        return fits;
      });
      nodes.forEach((node, k) => show(all[node].beside, together ? placed.every(Boolean) : placed[k], node));
    };
    const written = [...all.keys()].filter((node) => all[node].beside);
    place(written.filter((node) => !redundant[node]), false);
    place(written.filter((node) => redundant[node]), true);
    return away;
  }

  // Return the box of all worlds, and of the texts shown at the last scale.
  function box() {
    const boxes = all.flatMap(({ face, beside, drawn }) => (beside && !beside.classList.contains("away") ? [face, drawn] : [face]));
    const [x, y] = ["x", "y"].map((key) => Math.min(...boxes.map((one) => one[key])));
    return { x, y, width: Math.max(...boxes.map((one) => one.x + one.width)) - x, height: Math.max(...boxes.map((one) => one.y + one.height)) - y };
  }

  return { readable, set, box };
}
