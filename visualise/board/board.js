// The picture: pan and zoom, choosing and editing worlds by mouse, touch and keyboard, worlds that go.
import { h, picture } from "./dom.js";
import { clamp, lettering } from "./letters.js";
import { say } from "./words.js";

const EMPTY = 1.5, LARGEST = 2.4, TIGHTEST = 0.08, CLOSEST = 8; // scales: of an empty board, of the first view at most, and of zooming
const SLOP = 6; // pixels that a click may move

// `on`: world(node, event, what of it is clicked: an icon or null), blank(plane point, event), moved(node, plane point, the one before), joined(node, node),
// remove(node), away(number of worlds with hidden texts), outside(number of worlds out of view)
export function createBoard(on) {
  const canvas = h("div", { class: "canvas" });
  const zoom = h("div", { class: "zoom", role: "group", "aria-label": say("zoom") },
    [["in", "+", 1.3], ["out", "−", 1 / 1.3]].map(([key, sign, by]) =>
      h("button", { type: "button", "data-zoom": key, "aria-label": say(`zoom-${key}`), title: say(`zoom-${key}`), onclick: () => scaleBy(by) }, sign)),
    h("button", { type: "button", "data-zoom": "fit", title: say("zoom-fit-long"), "aria-label": say("zoom-fit-long"), onclick: () => fit(true) }, say("zoom-fit")));
  const details = h("div", { class: "details", ".hidden": true });
  const element = h("section", { class: "board", "aria-label": say("picture") }, canvas, details);

  let svg = null, shown = null, labels = [], worlds = [], current = 0, pending = null;
  let changing = false, marked = [], latest = null, unseen = new Set();
  let camera = { x: 0, y: 0, scale: 1 }, view = "whole", wholly = false, tool = "look", busy = Promise.resolve();
  let letters = null, away = new Set(), lettered = false; // the texts, the worlds with hidden ones, and for which scale

  // ---- the view
  function frame() {
    if (!svg) return;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    const w = width / camera.scale, hh = height / camera.scale;
    const [left, top] = shown.origin;
    svg.setAttribute("viewBox", `${camera.x - left - w / 2} ${top - camera.y - hh / 2} ${w} ${hh}`);
    details.hidden = true;
    if (lettered !== camera.scale) letter();
    on.outside(shown.nodes.filter((node) => !inView(node)).length);
  }

  // Set the texts for the scale; those without room are hidden, and told when somebody points at their world.
  function letter() {
    lettered = camera.scale;
    away = letters.set(camera.scale, labels.map((label) => label.repeats), view === "whole" ? svg.viewBox.baseVal : null);
    on.away(away.size);
  }

  // Show everything; unless asked for, never so small that names do not fit: then the actual world is in the middle.
  function target(whole) {
    const width = canvas.clientWidth || 1, height = canvas.clientHeight || 1;
    const [left, top] = shown.origin;
    const all = Math.min(width / (shown.width + 8), height / (shown.height + 8), LARGEST);
    const centre = { x: left + shown.width / 2, y: top - shown.height / 2 };
    if (!shown.nodes.length) return { ...centre, scale: EMPTY };
    if (whole || all >= letters.readable) return { ...centre, scale: all };
    const middle = shown.nodes[Math.max(0, labels.findIndex((label) => label.actual))] ?? centre;
    const scale = letters.readable;
    const hold = (value, low, high, size) => (high - low <= size ? (low + high) / 2 : clamp(value, low + size / 2, high - size / 2));
    return {
      x: hold(middle.x, left, left + shown.width, width / scale),
      y: hold(middle.y, top - shown.height, top, height / scale),
      scale,
    };
  }

  function fit(whole = false) {
    if (!shown) return;
    wholly = whole;
    camera = target(whole);
    relettered(false);
    if (shown.nodes.length && seen("every")) embrace(whole);
    relettered(seen("every"));
  }

  // Set all texts anew; of a picture in full view only those that are in view.
  function relettered(whole) {
    view = whole ? "whole" : "part";
    lettered = false;
    frame();
  }

  // Enlarged texts reach beyond the picture as it was made: show them, too, if names still fit.
  function embrace(whole) {
    const { x, y, width, height } = letters.box(), [left, top] = shown.origin;
    const scale = Math.min(camera.scale, (canvas.clientWidth - 12) / width, (canvas.clientHeight - 12) / height);
    camera = { x: left + x + width / 2, y: top - y - height / 2, scale: whole ? scale : Math.max(scale, Math.min(camera.scale, letters.readable)) };
  }

  // Texts of a picture in full view that reach beyond it come into view: it is moved, or fitted if that is not enough.
  function keepTexts() {
    if (view !== "whole" || !shown.nodes.length) return;
    relettered(false);
    const { x, y, width, height } = letters.box(), [left, top] = shown.origin, rim = 6 / camera.scale;
    const free = [canvas.clientWidth / camera.scale - width - 2 * rim, canvas.clientHeight / camera.scale - height - 2 * rim];
    if (Math.min(...free) < 0) return fit(wholly);
    const [across, up] = [left + x + width / 2, top - y - height / 2]; // the middle of the texts
    camera.x = clamp(camera.x, across - free[0] / 2, across + free[0] / 2);
    camera.y = clamp(camera.y, up - free[1] / 2, up + free[1] / 2);
    relettered(seen("every"));
  }

  // Scale the view; the given point stays where it is.
  function scaleBy(factor, { x, y } = camera) {
    const scale = clamp(camera.scale * factor, TIGHTEST, CLOSEST), by = camera.scale / scale;
    camera = { x: x + (camera.x - x) * by, y: y + (camera.y - y) * by, scale };
    view = "hand";
    frame();
  }

  function pan(dx, dy) {
    camera.x -= dx / camera.scale;
    camera.y += dy / camera.scale;
    view = "hand";
    frame();
  }

  function plane(event) {
    const box = canvas.getBoundingClientRect();
    return {
      x: camera.x + (event.clientX - box.left - box.width / 2) / camera.scale,
      y: camera.y - (event.clientY - box.top - box.height / 2) / camera.scale,
    };
  }

  function inView({ x, y }, rim = 0) {
    const w = canvas.clientWidth / camera.scale / 2, hh = canvas.clientHeight / camera.scale / 2;
    return Math.abs(x - camera.x) < w - rim && Math.abs(y - camera.y) < hh - rim;
  }

  function seen(how) {
    return shown.nodes[how]((node) => inView(node));
  }

  // Worlds stay where they are on the screen, unless some, which were all in view, or all have left it.
  const lost = () => shown.nodes.length > 0 && !seen(view === "whole" ? "every" : "some");

  // After a step others are there; a view that nobody has chosen then shows all, or at least their names.
  const misfits = () => view !== "hand" && (!seen("every") || (!wholly && camera.scale < letters.readable));

  // Go back to a picture that did not have to be fitted: it lies where it lay, unless somebody has zoomed.
  let left = null; // the last picture before one that was fitted: its key, its view, and the scale that came
  function back(key) {
    if (left?.key !== key || Math.abs(left.scale - camera.scale) > 1e-6) return;
    camera = resized(left.camera, left.size);
    view = seen("every") ? "whole" : left.view;
  }

  const resized = ({ x, y, scale }, before) => ({ x: x + (size[0] - before[0]) / 2 / scale, y: y - (size[1] - before[1]) / 2 / scale, scale });
  let size = [0, 0];
  new ResizeObserver(() => {
    const now = [canvas.clientWidth, canvas.clientHeight];
    if (!shown || !now[0] || !now[1]) return;
    const before = size;
    size = now;
    if (before[0]) camera = resized(camera, before);
    if (view === "whole" && lost()) fit(wholly); // who has zoomed in stays there: the caption counts worlds out of view
    else frame();
    keepTexts();
  }).observe(canvas);

  // ---- what is drawn
  const endsOf = (edge) => edge.dataset.ends.split(" ").map(Number);
  const edges = () => [...(svg?.querySelectorAll("g.edge[data-ends]") ?? [])];
  const edgesAt = (nodes) => edges().filter((edge) => endsOf(edge).some((end) => nodes.includes(end)));

  function put(next) {
    const fresh = picture(next.svg);
    fresh.removeAttribute("width");
    fresh.removeAttribute("height");
    fresh.setAttribute("role", "group");
    fresh.setAttribute("aria-label", next.words || say("picture"));
    fresh.querySelector(":scope > title")?.remove();
    worlds = [];
    for (const group of fresh.querySelectorAll("g.world")) {
      worlds[Number(group.dataset.w)] = group;
      group.setAttribute("role", "button");
      group.querySelector("title")?.remove();
    }
    canvas.replaceChildren(fresh);
    svg = fresh;
    shown = next;
    letters = lettering(worlds, [...fresh.querySelectorAll(":is(g.edge > path, g.hull > polygon)")]);
    lettered = false;
    hide(unseen);
    current = Math.min(current, Math.max(0, worlds.length - 1));
    pending = null;
  }

  // Show a picture; worlds that went fade first, and those that stay move to their new places.
  // `fresh`: something else is opened.
  function show(next, { animate = false, fresh = false } = {}) {
    latest = next;
    busy = busy.then(() => change(next, animate, fresh)).catch((error) => console.error(error));
    return busy;
  }

  async function change(next, animate, fresh) {
    const hadFocus = svg?.contains(svg.getRootNode().activeElement);
    const before = fresh ? null : shown, from = { ...camera }, had = view, place = [...size];
    const stays = before && next.nodes.every(({ x, y }, node) => before.nodes[node]?.x === x && before.nodes[node]?.y === y);
    changing = true;
    if (animate && before && !matchMedia("(prefers-reduced-motion: reduce)").matches && (next.gone.length || next.came.some((node) => node !== null))) {
      await leave(next.gone);
      const places = before.nodes;
      put(next);
      current = Math.max(0, next.came.indexOf(current));
      arrive(next.came.map((node) => (node === null || node === undefined ? null : places[node])));
      if (lost() || (!stays && misfits())) {
        fit();
        left = { key: before.key, camera: from, view: had, size: place, scale: camera.scale };
      }
    } else {
      put(next);
      back(next.key);
      if (!before || lost()) fit();
    }
    frame();
    changing = false;
    tell(labels);
    if (stays) keepTexts(); // a world that is put somewhere lies under the pointer
    path(marked);
    if (hadFocus) worlds[current]?.focus();
  }

  const rest = (time) => new Promise((done) => setTimeout(done, time));

  async function leave(nodes) {
    if (!nodes.length) return;
    const leaving = [...nodes.map((node) => worlds[node]), ...edgesAt(nodes)];
    for (const part of leaving) part?.classList.add("leaving");
    await rest(650);
  }

  function arrive(places) {
    for (const [node, place] of places.entries()) {
      const group = worlds[node];
      if (!group) continue;
      const now = shown.nodes[node];
      if (place) group.animate([{ transform: `translate(${place.x - now.x}px, ${now.y - place.y}px)` }, { transform: "none" }], { duration: 450, easing: "ease-in-out" });
      else group.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 450 });
    }
    for (const edge of svg.querySelectorAll("g.edge, g.hull")) {
      edge.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], { duration: 600 });
    }
  }

  // Tell what the worlds are: per node {name, truth: "1" | "0" | "m" | null, actual, chosen, selected, gone}.
  function tell(given) {
    labels = given;
    if (changing) return;
    for (const [node, group] of worlds.entries()) {
      const label = labels[node];
      if (!group || !label) continue;
      group.classList.toggle("true", label.truth === "1");
      group.classList.toggle("mixed", label.truth === "m");
      group.classList.toggle("false", label.truth === "0");
      group.classList.toggle("chosen", Boolean(label.chosen));
      group.classList.toggle("selected", Boolean(label.selected));
      group.classList.toggle("pending", node === pending);
      group.setAttribute("aria-label", label.name);
      group.setAttribute("aria-pressed", String(Boolean(label.chosen || label.selected)));
      group.setAttribute("tabindex", node === current ? "0" : "-1");
    }
    if (svg) letter();
  }

  // Tell beside a world what its texts say, if some of them are hidden.
  function tip(node) {
    const label = labels[node], spot = shown?.nodes[node];
    details.hidden = !label || !spot || !away.has(node);
    if (details.hidden) return;
    details.replaceChildren(h("strong", {}, label.title), h("span", {}, label.atoms.join(", ") || say("no-atoms")));
    const { clientWidth: width, clientHeight: height } = canvas;
    const x = width / 2 + (spot.x - camera.x) * camera.scale, y = height / 2 + (camera.y - spot.y) * camera.scale;
    const far = (worlds[node].querySelector(".face").getBoundingClientRect().height / 2) + 8;
    details.style.left = `${Math.max(4, Math.min(x - details.offsetWidth / 2, width - details.offsetWidth - 4))}px`;
    details.style.top = `${y + far + details.offsetHeight < height ? y + far : Math.max(4, y - far - details.offsetHeight)}px`;
  }
  canvas.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse" && !drag) tip(nodeOf(event.target)); });
  canvas.addEventListener("pointerleave", () => { details.hidden = true; });
  canvas.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) tip(nodeOf(event.target)); });
  canvas.addEventListener("focusout", () => { details.hidden = true; });

  // Mark the lines of a path: a list of {from, to, agents} in nodes and numbers of agents.
  function path(steps) {
    marked = steps;
    if (changing) return;
    for (const edge of edges()) {
      const [a, b] = endsOf(edge);
      const agents = (edge.dataset.agents ?? "").split(" ").map(Number);
      edge.classList.toggle("path", steps.some((step) =>
        ((step.from === a && step.to === b) || (step.from === b && step.to === a)) && step.agents.some((agent) => agents.includes(agent))));
    }
  }

  function dim(nodes) {
    for (const [node, group] of worlds.entries()) group?.classList.toggle("will-go", nodes.includes(node));
  }

  // Show the lines and outlines of all agents but some, given by number.
  function hide(agents) {
    unseen = agents;
    for (const part of svg?.querySelectorAll("[data-agents]") ?? []) {
      part.classList.toggle("unseen", part.dataset.agents.split(" ").every((agent) => unseen.has(Number(agent))));
    }
  }

  // ---- mouse and touch
  const pointers = new Map();
  let drag = null, spread = null;
  const nodeOf = (target) => {
    const group = target.closest?.("g.world");
    return group && svg.contains(group) ? Number(group.dataset.w) : null;
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (!svg || event.button > 0) return;
    const node = nodeOf(event.target);
    pointers.set(event.pointerId, event);
    if (pointers.size === 2) {
      cancel();
      spread = distance();
      return;
    }
    drag = { node, start: event, last: event, far: false, from: plane(event) };
    canvas.setPointerCapture(event.pointerId);
  });

  const distance = () => {
    const [a, b] = [...pointers.values()];
    return { far: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
  };

  canvas.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, event);
    if (pointers.size === 2 && spread) {
      const now = distance();
      pan(now.clientX - spread.clientX, now.clientY - spread.clientY);
      scaleBy(now.far / (spread.far || 1), plane(now));
      spread = now;
      return;
    }
    if (!drag) return;
    if (!drag.far && Math.hypot(event.clientX - drag.start.clientX, event.clientY - drag.start.clientY) < SLOP) return;
    drag.far = true;
    const here = plane(event);
    if (drag.node !== null && tool === "select") {
      worlds[drag.node].style.transform = `translate(${here.x - drag.from.x}px, ${drag.from.y - here.y}px)`;
      for (const edge of edgesAt([drag.node])) edge.classList.add("loose");
    } else if (drag.node !== null && tool === "join") {
      pending = drag.node;
      worlds[pending].classList.add("pending");
    } else {
      canvas.classList.add("dragging");
      pan(event.clientX - drag.last.clientX, event.clientY - drag.last.clientY);
    }
    drag.last = event;
  });

  canvas.addEventListener("pointerup", (event) => {
    pointers.delete(event.pointerId);
    spread = null;
    if (!drag || drag.start.pointerId !== event.pointerId) return;
    const { node, far, from } = drag;
    const here = plane(event);
    const over = nodeOf((element.getRootNode() ?? document).elementFromPoint(event.clientX, event.clientY) ?? canvas);
    cancel();
    if (!far) return node === null ? on.blank(here, event) : click(node, event, iconOf(over === node ? event : null));
    if (node === null) return;
    if (tool === "select") {
      const place = shown.nodes[node];
      on.moved(node, { x: place.x + here.x - from.x, y: place.y + here.y - from.y }, place);
    } else if (tool === "join" && over !== null && over !== node) click(over);
  });

  canvas.addEventListener("pointercancel", (event) => { pointers.delete(event.pointerId); spread = null; cancel(); });
  canvas.addEventListener("wheel", (event) => {
    if (!svg) return;
    event.preventDefault();
    scaleBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), plane(event));
  }, { passive: false });

  function cancel() {
    if (drag?.node !== null && drag !== null) worlds[drag.node]?.style.removeProperty("transform");
    for (const edge of svg?.querySelectorAll(".loose") ?? []) edge.classList.remove("loose");
    canvas.classList.remove("dragging");
    drag = null;
  }

  // What is drawn under the pointer: the atoms that an icon is about, and those of them that are true there.
  function iconOf(event) {
    const spot = event && element.getRootNode().elementFromPoint(event.clientX, event.clientY);
    const icon = spot?.closest("g.icon");
    return icon ? { about: JSON.parse(icon.dataset.about), truths: JSON.parse(icon.dataset.true) } : null;
  }

  function click(node, event, icon = null) {
    current = node;
    if (tool === "join") {
      const first = pending;
      pending = first === null ? node : null;
      if (first !== null && first !== node) on.joined(first, node);
      tell(labels);
    } else on.world(node, event, icon);
    worlds[node]?.focus({ preventScroll: true });
    tip(node);
  }

  // ---- keyboard
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

  canvas.addEventListener("keydown", (event) => {
    if (!svg || event.ctrlKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow && event.shiftKey) pan(-60 * arrow[0], 60 * arrow[1]);
    else if (arrow && event.altKey && tool !== "look") {
      const place = shown.nodes[current];
      on.moved(current, { x: place.x + 20 * arrow[0], y: place.y + 20 * arrow[1] }, place);
    } else if (arrow) step(arrow);
    else if (event.key === "Enter" || event.key === " ") click(current, event);
    else if (event.key === "+" || event.key === "=") scaleBy(1.3);
    else if (event.key === "-") scaleBy(1 / 1.3);
    else if (event.key === "0") fit(true);
    else if (event.key === "Escape" && !details.hidden) details.hidden = true;
    else if ((event.key === "Delete" || event.key === "Backspace") && tool !== "look") on.remove(current);
    else return;
    event.preventDefault();
  });

  // Go to the next world in a direction: the one that is near, and least off the way.
  function step([dx, dy]) {
    const here = shown.nodes[current];
    let best = null, least = Infinity;
    for (const [node, place] of shown.nodes.entries()) {
      const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
      const off = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
      if (node !== current && along > 1 && along + 2.5 * off < least) [best, least] = [node, along + 2.5 * off];
    }
    if (best === null) return;
    current = best;
    tell(labels);
    const { x, y } = shown.nodes[best];
    if (!inView({ x, y }, 30)) pan((camera.x - x) * camera.scale, (y - camera.y) * camera.scale);
    worlds[best].focus({ preventScroll: true });
  }

  return {
    element, zoom, show, tell, path, dim, hide, fit,
    get latest() { return latest; }, // also if it is not drawn yet
    get centre() { return { x: camera.x, y: camera.y }; },
    set tool(name) { tool = name; pending = null; canvas.dataset.hand = name; tell(labels); },
  };
}
