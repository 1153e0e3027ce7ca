"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const stage = at("stage");
  const SVG = "http://www.w3.org/2000/svg";
  const state = { step: 0, on: data.agents.map((a) => a.on), formula: -1, chosen: null, view: null, own: false };
  const full = data.view;

  // small helpers; names only ever become text nodes and attributes, never markup
  function make(tag, attributes, text) {
    const node = tag === "line" || tag === "circle" || tag === "svg" || tag === "rect"
      ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }
  const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  const frame = () => data.frames[state.step];
  const picture = () => stage.querySelector("svg");
  const sees = (agent, w) => {
    const ties = frame().ties[agent];
    return ties.cells ? ties.cells.find((cell) => cell.includes(w)) : ties.sees[w];
  };

  // --- drawing ---------------------------------------------------------------------------------

  function show(step) {
    state.step = Math.max(0, Math.min(data.frames.length - 1, step));
    const focused = document.activeElement && document.activeElement.closest(".world");
    const again = focused ? focused.dataset.name : null;
    const now = at(`frame-${state.step}`).content.querySelector("svg").cloneNode(true);
    picture().replaceWith(now);
    now.setAttribute("width", "100%");
    now.setAttribute("height", "100%");
    for (const world of now.querySelectorAll(".world")) {
      const w = Number(world.dataset.w);
      const title = world.querySelector("title");
      world.setAttribute("aria-label", title.textContent);
      title.remove(); // our own tip says more than the browser's
      world.setAttribute("tabindex", "-1"); // one world at a time is in the order of tabs, see `reachable`
      world.setAttribute("role", "button");
      world.dataset.name = frame().worlds[w].name;
      world.addEventListener("click", () => { if (!moved) choose(w); });
      world.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(w); }
        const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
        if (way) { event.preventDefault(); event.stopPropagation(); walk(world, way); }
      });
      world.addEventListener("focus", () => reachable(world));
      world.addEventListener("pointerenter", (event) => tip(event, w));
      world.addEventListener("pointermove", (event) => tip(event, w));
      world.addEventListener("pointerleave", () => { at("tip").hidden = true; });
      if (again !== null && world.dataset.name === again) world.focus({ preventScroll: true });
    }
    for (const edge of now.querySelectorAll(".edge title, .hull title")) edge.remove();
    at("tip").hidden = true; // its world may be gone
    reachable(now.querySelector(".world:focus") || now.querySelector(`.world[data-w="${first()}"]`));
    if (state.chosen !== null && !frame().worlds.some((x) => x.name === state.chosen)) state.chosen = null;
    view(state.own ? state.view : opening());
    paint();
  }

  // the designated world, or any
  function first() {
    return Math.max(0, frame().worlds.findIndex((world) => world.designated));
  }

  function reachable(world) {
    for (const other of picture().querySelectorAll(".world")) other.setAttribute("tabindex", other === world ? "0" : "-1");
  }

  // to the nearest world in a direction
  function walk(from, [dx, dy]) {
    const middle = (world) => { const b = world.getBBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
    const [x, y] = middle(from);
    const far = (world) => {
      const [u, v] = middle(world);
      const ahead = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      return ahead > 1 ? ahead + 2 * aside : Infinity;
    };
    const others = [...picture().querySelectorAll(".world")].filter((world) => far(world) < Infinity);
    if (!others.length) return;
    const next = others.reduce((a, b) => (far(b) < far(a) ? b : a));
    reachable(next);
    next.focus({ preventScroll: true });
    reveal(next);
  }

  // move the view so that a world is in it
  function reveal(world) {
    const box = world.getBBox();
    const [x, y, width, height] = state.view;
    const [u, v] = [box.x + box.width / 2, box.y + box.height / 2];
    const inside = u > x && u < x + width && v > y && v < y + height;
    if (inside) return;
    state.own = true;
    view([u - width / 2, v - height / 2, width, height]);
  }

  // everything up to this step; on a small screen the designated world and what has room around it
  function opening() {
    const least = 11 / 9.5; // pixels to a unit: names beside worlds are 9.5 units high
    const [width, height] = [stage.clientWidth / least, stage.clientHeight / least];
    const all = frame().view;
    const fits = all[2] <= width && all[3] <= height;
    if (fits || !window.matchMedia("(max-width: 46rem)").matches) return all;
    const box = (picture().querySelector(`.world[data-w="${first()}"]`) || picture().querySelector("g")).getBBox();
    const between = (middle, wide, from, whole) =>
      whole <= wide ? from + (whole - wide) / 2 : Math.max(from, Math.min(from + whole - wide, middle - wide / 2));
    return [
      between(box.x + box.width / 2, width, all[0], all[2]), between(box.y + box.height / 2, height, all[1], all[3]),
      width, height,
    ];
  }

  // hide the lines of agents that are not shown, and fill the worlds where the formula is true
  function dress(svg, current) {
    const truth = state.formula < 0 ? null : current.truth[state.formula];
    for (const part of svg.querySelectorAll("[data-agents]")) {
      part.toggleAttribute("hidden", !part.dataset.agents.split(" ").some((a) => state.on[Number(a)]));
    }
    for (const world of svg.querySelectorAll(".world")) {
      const fill = truth ? (truth[Number(world.dataset.w)] === "1" ? "var(--true)" : "var(--paper)") : "";
      world.querySelector(".face").style.fill = fill;
    }
    return truth;
  }

  function paint() {
    const svg = picture();
    const current = frame();
    const chosen = current.worlds.findIndex((x) => x.name === state.chosen);
    const truth = dress(svg, current);
    svg.querySelectorAll(".mark").forEach((mark) => mark.remove());
    const going = at("next").checked && current.lost ? new Set(current.lost) : new Set();
    const seen = new Map();
    if (chosen >= 0) {
      data.agents.forEach((_, a) => {
        if (state.on[a]) for (const v of sees(a, chosen)) seen.set(v, [...(seen.get(v) || []), a]);
      });
    }
    for (const world of svg.querySelectorAll(".world")) {
      const w = Number(world.dataset.w);
      const face = world.querySelector(".face");
      world.classList.toggle("chosen", w === chosen);
      world.classList.toggle("far", chosen >= 0 && w !== chosen && !seen.has(w));
      world.classList.toggle("lost", going.has(w));
      world.setAttribute("aria-pressed", String(w === chosen));
      (seen.get(w) || []).forEach((a, k) => mark(world, face, a, k));
    }
    for (const edge of svg.querySelectorAll(".edge[data-ends]")) {
      edge.classList.toggle("lost", edge.dataset.ends.split(" ").some((w) => going.has(Number(w))));
    }
    at("caption").textContent = [
      data.frames.length > 1 ? `${state.step + 1} of ${data.frames.length}` : "",
      (current.title ? `${current.title.replace(/[.:]$/, "")}: ` : "") + `${plural(current.size, "world")}. ${current.caption}`,
    ].filter(Boolean).join(" · ");
    at("step").value = state.step;
    at("step").setAttribute("aria-valuetext", current.title || `step ${state.step}`);
    at("back").disabled = state.step === 0;
    at("on").disabled = state.step === data.frames.length - 1;
    at("next").disabled = !(current.lost && current.lost.length);
    at("words").textContent = current.words;
    stage.setAttribute("aria-label", `Picture of the model, ${plural(current.worlds.length, "world")}`);
    at("verdict").textContent = truth ? current.answers[state.formula] : "";
    panel(chosen);
    rows(current.rows);
  }

  // a ring in the agent's colour around a world that the agent considers possible
  function mark(world, face, agent, k) {
    const box = face.getBBox();
    const gap = 7 + 4 * k;
    const corner = Math.min(box.width, box.height) / 2;
    const look = data.agents[agent];
    const ring = make("rect", {
      class: "mark", x: box.x - gap, y: box.y - gap, width: box.width + 2 * gap, height: box.height + 2 * gap,
      rx: corner + gap, fill: "none", stroke: look.colour, "stroke-width": 2, "pointer-events": "none",
    });
    if (look.dashes) ring.setAttribute("stroke-dasharray", look.dashes);
    face.after(ring); // below the names, which have a halo
  }

  function panel(chosen) {
    const out = at("world");
    out.replaceChildren();
    if (chosen < 0) {
      const what = data.agents.length ? "what each agent considers possible there" : "what is true there";
      out.append(make("p", { class: "hint" }, `Choose a world to see ${what}.`));
      return;
    }
    const current = frame();
    const world = current.worlds[chosen];
    out.append(make("p", {}, `${world.name}${world.designated ? " (designated)" : ""}: ${world.atoms || "no atom is true"}`));
    const list = make("dl");
    data.agents.forEach((agent, a) => {
      const names = sees(a, chosen).map((v) => current.worlds[v].name);
      list.append(make("dt", {}, agent.name));
      list.append(make("dd", {}, names.length ? `considers possible: ${names.join("; ")}` : "considers nothing possible"));
    });
    out.append(list);
  }

  function rows(table) {
    const out = at("table");
    out.replaceChildren();
    if (!table || !table.length) return;
    const node = make("table");
    table.forEach((row, r) => {
      const line = make("tr");
      for (const cell of row) line.append(make(r ? "td" : "th", r ? {} : { scope: "col" }, cell));
      node.append(line);
    });
    out.append(make("h2", {}, "Probabilities"), node);
  }

  function tip(event, w) {
    if (event.pointerType === "touch") return;
    const current = frame();
    const world = current.worlds[w];
    const lines = [world.name, world.atoms || "no atom is true"];
    data.agents.forEach((agent, a) => {
      if (!state.on[a]) return;
      const seen = sees(a, w);
      const names = seen.length > 6 ? `${seen.length} worlds` : seen.map((v) => current.worlds[v].name).join(", ");
      lines.push(`${agent.name}: ${names || "nothing"}`);
    });
    const box = at("tip");
    box.textContent = lines.join("\n");
    box.hidden = false;
    const left = Math.min(event.clientX + 14, window.innerWidth - box.offsetWidth - 8);
    const top = Math.min(event.clientY + 14, window.innerHeight - box.offsetHeight - 8);
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${Math.max(4, top)}px`;
  }

  function choose(w) {
    const name = frame().worlds[w].name;
    state.chosen = state.chosen === name ? null : name;
    paint();
  }

  // --- panning and zooming -----------------------------------------------------------------------

  function view(box) {
    state.view = box;
    picture().setAttribute("viewBox", box.map((x) => x.toFixed(2)).join(" "));
  }

  function zoom(factor, clientX, clientY) {
    state.own = true;
    const [x, y, width, height] = state.view;
    const scale = Math.max(full[2] / 20, Math.min(full[2] * 3, width * factor)) / width;
    let px = x + width / 2;
    let py = y + height / 2;
    if (clientX !== undefined) {
      const p = place(clientX, clientY);
      px = p.x;
      py = p.y;
    }
    view([px - (px - x) * scale, py - (py - y) * scale, width * scale, height * scale]);
  }

  // what is left in this step, but not closer than names can be read
  function fit() {
    state.own = true;
    const boxes = [...picture().querySelectorAll(".world, .edge:not([hidden])")].map((part) => part.getBBox());
    if (!boxes.length) { view(frame().view); return; }
    const left = Math.min(...boxes.map((b) => b.x));
    const top = Math.min(...boxes.map((b) => b.y));
    const wide = Math.max(...boxes.map((b) => b.x + b.width)) - left;
    const high = Math.max(...boxes.map((b) => b.y + b.height)) - top;
    const width = Math.max(wide + 30, 320);
    const height = Math.max(high + 30, 240);
    view([left + (wide - width) / 2, top + (high - height) / 2, width, height]);
  }

  function place(clientX, clientY) {
    return new DOMPoint(clientX, clientY).matrixTransform(picture().getScreenCTM().inverse());
  }

  const fingers = new Map();
  let moved = false;
  stage.addEventListener("pointerdown", (event) => {
    if (event.target.closest("#zoom")) return;
    if (!fingers.size) moved = false;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  window.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    if (!moved && Math.hypot(dx, dy) < 4) return;
    moved = true;
    at("tip").hidden = true;
    picture().classList.add("dragging");
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    const scale = 1 / picture().getScreenCTM().a;
    const [x, y, width, height] = state.view;
    if (others.length) {
      const other = others[0];
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      zoom(before / Math.max(after, 1), other.x, other.y);
    } else {
      state.own = true;
      view([x - dx * scale, y - dy * scale, width, height]);
    }
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  for (const end of ["pointerup", "pointercancel"]) {
    window.addEventListener(end, (event) => {
      fingers.delete(event.pointerId);
      if (!fingers.size) picture().classList.remove("dragging");
    });
  }
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 300), event.clientX, event.clientY);
  }, { passive: false });

  // --- controls ----------------------------------------------------------------------------------

  data.agents.forEach((agent, a) => {
    const label = make("label");
    const box = make("input", { type: "checkbox", id: `agent-${a}` });
    box.checked = agent.on;
    box.addEventListener("change", () => { state.on[a] = box.checked; paint(); });
    const sample = make("svg", { width: 34, height: 8, "aria-hidden": "true" });
    const line = make("line", { x1: 1, x2: 33, y1: 4, y2: 4, stroke: agent.colour, "stroke-width": 2.2 });
    if (agent.dashes) line.setAttribute("stroke-dasharray", agent.dashes);
    sample.append(line);
    label.append(box, sample, make("span", {}, agent.name));
    at("agents").append(label);
  });
  at("agents-part").hidden = !data.agents.length;

  at("formula").append(make("option", { value: "-1" }, "(choose a formula)"));
  data.formulas.forEach((text, f) => at("formula").append(make("option", { value: f }, text)));
  at("formula-part").hidden = !data.formulas.length;
  at("formula").addEventListener("change", (event) => { state.formula = Number(event.target.value); paint(); });
  if (data.formula !== null) { state.formula = data.formula; at("formula").value = data.formula; }

  at("step").max = data.frames.length - 1;
  at("time").hidden = data.frames.length < 2;
  at("step").addEventListener("input", (event) => show(Number(event.target.value)));
  at("back").addEventListener("click", () => show(state.step - 1));
  at("on").addEventListener("click", () => show(state.step + 1));
  at("next").addEventListener("change", paint);
  at("removing").hidden = !data.frames.some((f) => f.lost && f.lost.length);
  at("in").addEventListener("click", () => zoom(1 / 1.3));
  at("out").addEventListener("click", () => zoom(1.3));
  at("fit").addEventListener("click", fit);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    const [x, y, width, height] = state.view;
    const keys = {
      "+": () => zoom(1 / 1.3), "=": () => zoom(1 / 1.3), "-": () => zoom(1.3), "0": fit,
      ArrowRight: () => show(state.step + 1), ArrowLeft: () => show(state.step - 1),
      ArrowUp: () => { state.own = true; view([x, y - height / 10, width, height]); },
      ArrowDown: () => { state.own = true; view([x, y + height / 10, width, height]); },
      Escape: () => { state.chosen = null; at("tip").hidden = true; paint(); },
    };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });

  // on paper all steps stand side by side
  window.addEventListener("beforeprint", () => {
    if (data.frames.length < 2) return;
    const strip = at("strip");
    if (state.formula >= 0) strip.append(make("p", {}, `Filled: the worlds where ${data.formulas[state.formula]} is true.`));
    data.frames.forEach((step, k) => {
      const svg = at(`frame-${k}`).content.querySelector("svg").cloneNode(true);
      const figure = make("figure");
      dress(svg, step);
      const title = `${k + 1}. ${step.title} (${plural(step.size, "world")}). ${step.caption}`;
      figure.append(svg, make("figcaption", {}, title));
      strip.append(figure);
    });
  });
  window.addEventListener("afterprint", () => at("strip").replaceChildren());

  show(0);
})();
