// The board with what belongs to it: the agents as switches, buttons to zoom, a caption, and the steps.
import { createBoard } from "./board.js";
import { button, fill, h, picture } from "./dom.js";
import { say } from "./words.js";

// Return the number of the node that shows a world, or -1.
export function nodeOf(view, world) {
  return view.picture?.nodes.findIndex((node) => node.worlds.includes(world)) ?? -1;
}

// `on`: what a board tells. A view has the `picture`, the `model`, and the `formula` whose truth is shown.
export function createStage(on) {
  const legend = h("div", { class: "legend", "aria-label": say("agents"), role: "group" });
  const caption = h("p", { class: "caption hint", lang: "en" });
  const unseen = new Set(); // the agents whose lines are not shown
  let hidden = 0; // the number of worlds with texts for which the picture has no room
  let outside = 0; // the number of worlds out of view
  let view = {};
  const board = createBoard({
    ...on,
    away: (count) => { hidden = count; queueMicrotask(drawCaption); }, // it takes room from the picture: not before that is set
    outside: (count) => { outside = count; queueMicrotask(drawCaption); },
  });
  const element = h("div", { class: "stage" }, board.element, h("div", { class: "stage-foot" }, legend, board.zoom), caption);

  // `chosen`: nodes that are outlined; `selected`: says which worlds are; `path`: steps between nodes.
  function tell(next, { chosen = new Set(), selected = () => false, path = [] } = {}) {
    view = next;
    drawLegend();
    drawCaption();
    if (!view.picture) return;
    board.tell(view.picture.nodes.map((node, k) => ({ ...told(node, k), chosen: chosen.has(k), selected: node.worlds.some(selected) })));
    board.path(path);
  }

  // What the world of a node, or its worlds, are called, and what is true there.
  function told(node, k) {
    const { model, formula } = view;
    const inside = node.worlds.map((w) => model?.worlds?.[w]).filter(Boolean);
    const truth = formula?.error ? null : formula?.nodes?.[k] ?? null;
    const actual = inside.some((w) => w.actual) && !model?.all_actual;
    const more = node.worlds.length > 1 ? say("worlds", { n: node.worlds.length }) : node.omitted.join(", ") || (inside[0]?.atoms.length === 0 ? say("no-atoms") : "");
    const called = more ? say("world-name", { name: node.text, more }) : node.text;
    const parts = [called, actual ? say("actual") : null, truth === null ? null : say(`truth-${truth}`)];
    const atoms = node.worlds.length === 1 && inside.length ? inside[0].atoms : node.omitted;
    const title = inside.length === 1 ? inside[0].name : node.text;
    return { name: parts.filter(Boolean).join("; "), title, atoms, truth, actual, repeats: node.repeats };
  }

  function drawCaption() {
    const text = [unseen.size ? say("unseen", { names: [...unseen].join(", ") }) : "", hidden ? say("away", { n: hidden }) : "", view.picture?.remarks].filter(Boolean).join(" ");
    fill(caption, outside ? [`${say("outside", { n: outside })} `, button(say("show-all"), () => board.fit(true), { class: "plain" }), " "] : [], text);
  }

  function drawLegend() {
    const agents = view.model?.agents ?? [];
    fill(legend, agents.map((agent) => {
      const sample = picture('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 8" width="30" height="8" aria-hidden="true"><line x1="1" y1="4" x2="29" y2="4" stroke-width="2"/></svg>');
      sample.firstElementChild.setAttribute("stroke", agent.colour);
      if (agent.dashes) sample.firstElementChild.setAttribute("stroke-dasharray", agent.dashes);
      return button([sample, agent.name], () => toggle(agent.name), {
        class: "agent", "data-key": `agent ${agent.name}`, "aria-pressed": String(!unseen.has(agent.name)), title: say("show-agent", { name: agent.name }),
      });
    }));
    board.hide(new Set(agents.flatMap(({ name }, number) => (unseen.has(name) ? [number] : []))));
  }

  function toggle(name) {
    if (!unseen.delete(name)) unseen.add(name);
    drawLegend();
    drawCaption();
    on.switched?.();
  }

  return { element, board, unseen, tell };
}

// The steps to go to, as a list of buttons: of each its `name`, the `size` of its model, and whether it `forks`.
export function createChips(go) {
  const element = h("ol", { class: "chips", lang: "en" });
  function show(steps, at) {
    fill(element, steps.map(({ step, name, size, forks }) => h("li", {}, button(name, () => go(step), {
      "aria-current": step === at ? "step" : null, "data-key": `step ${step}`,
      class: forks ? "fork" : null, title: say("step-long", { name, n: size }),
    }))));
    element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  return { element, show };
}

// Fill the strip that is printed: all steps on paper, each with its `title` and its `words`.
export function fillStrip(strip, title, frames) {
  fill(strip, h("h1", {}, title), frames.map((one, k) => {
    const drawn = h("figure", {}, picture(one.svg));
    drawn.append(h("figcaption", {}, h("strong", {}, `${k}. ${one.title}`), one.words ? ` ${one.words}` : ""));
    return drawn;
  }));
}
