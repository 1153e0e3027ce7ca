// Says at once whether an answer has its form, never whether it is right. `form` is what Form.to_dict gives in
// Python, whose readers have the last word: what they read is never refused here.
function readable(form, text) {
  const small = (word) => word.replace(/[₀-₉]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0x2050));
  const bare = (word) => small(word).replace(/[\s_{}]/g, "").toLowerCase();
  const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const longest = (names) => [...new Set(names)].sort((x, y) => y.length - x.length);
  const wrong = (said) => { throw new Error(said); };

  function clean(given) {
    const signs = given.replace(/\$|\\[()[\]{},;!]|\*\*|```\w*|`|\.(?=[\s$]*$)/g, " ");
    return signs.replace(/^\s*(?:(?:the |my )?(?:answer|solution|formula)(?: is)?\s*:|(?:\[\[.*?\]\]|‖.*?‖|\|\|.*?\|\|)\s*=|φ\s*=)/i, "");
  }

  // names in their own spelling: w1 for W_1
  function spelt(given, names) {
    const plain = new Map(names.map((name) => [bare(name), name]));
    if (!names.length || plain.size < new Set(names).size) return given;
    const shapes = longest(names).map((name) =>
      escaped(name).replace(/ +/g, "\\s*").replace(/\d+/g, "_?(?:\\{$&\\}|$&)"));
    const known = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${shapes.join("|")})(?![\\p{L}\\p{N}_])`, "giu");
    return small(given).replace(known, (found) => plain.get(bare(found)) ?? found);
  }

  const opening = /^\s*(?:[ZR](?:_?\{?\w+\}?)?\s*=|(?:[\p{L}\p{N}_]+ )?(?:can ?not|can't|can’t) (?:tell apart|distinguish)(?: between)?(?: the)?(?: worlds)?(?: in)?\b)\s*(?=\S)/iu;
  // lines, arrows, pairs, `w -> {v, u}` and cells, as `read_arrows` in Python
  function arrows(given, names, noun = "world") {
    const word = given.replace(opening, "").trim().replace(/\.$/, "");
    if (/^(?:|-|\{\}|no arrows|none|nothing|empty(?: set)?|∅|\\emptyset|\\varnothing)$/i.test(word)) return [];
    const loops = names.map((name) => `${name}->${name}`);
    if (/^(?:(?:all|total|universal|full|complete|everything|w\s*[x×]\s*w|w\s*(?:\^\s*2|²))(?![\p{L}\p{N}_]).{0,20}|.*times W)$/iu.test(word)) {
      return names.flatMap((name) => names.map((other) => `${name}->${other}`));
    }
    if (/^(?:(?:(?:only|just)?\s*(?:the\s+)?(?:loops?|identity|id|reflexive (?:arrows|loops)?)(?:\s+only)?)|.*\b(?:only itself|itself only))$/i.test(word)) return loops;
    const one = `(?:(?:${longest(names).map(escaped).join("|") || "(?!)"})(?![\\p{L}\\p{N}_]))`;
    const blanks = /(?:[\s,;{}[\]]|\b(?:and|from)\b)/y, every = new RegExp(one, "gu");
    const back = "<-+(?![->])|[←⟵]|\\\\(?:long)?leftarrow\\b";
    const lines = "<[-=]+>|[-–—]+(?![->])|[↔⟷⇔~∼≈]|\\\\sim\\b|\\\\(?:long)?leftrightarrow\\b|(?:is |are )?(?:linked|connected|related) (?:to|with)\\b";
    const on = "[-=]+>|[→⟶⇒↦]|\\\\?to\\b|\\\\(?:long)?[rR]ightarrow\\b|sees?\\b|R(?:_?\\{?\\w+\\}?)?(?=\\s)|considers?\\b";
    const sign = new RegExp(`\\s*(?:(${back})|(${lines})|(?:${on}))\\s*`, "yu");
    const pair = new RegExp(`[(⟨<]\\s*(${one})\\s*,\\s*(${one})\\s*[)⟩>]`, "yu");
    const side = new RegExp(`(${one})|[{([]\\s*(${one}(?:\\s*(?:,|\\s|and)\\s*${one})*)\\s*[)}\\]]|(itself\\b)`, "yu");
    const body = spelt(given.replace(opening, ""), names).trimEnd(), found = [];
    const barred = new RegExp(`[\\p{L}\\p{N}_)}]\\s*[|/]\\s*${one}`, "u").test(body);
    const all = (some) => some.forEach((w, n) => found.push(`${w}->${w}`, ...some.slice(n + 1).map((v) => `${w}-${v}`)));
    let at = 0, cell = [], targets = [];
    const take = (pattern) => {
      pattern.lastIndex = at;
      const match = pattern.exec(body);
      if (match) at = pattern.lastIndex;
      return match;
    };
    const meets = (pattern) => { const start = at, match = take(pattern); at = start; return match !== null; };
    const here = () => body.slice(at).match(/^(?:[\p{L}\p{N}_'*]+|.|$)/u)?.[0] || "nothing";
    const read = () => {
      const match = take(side) ?? wrong(`unknown ${noun}: ${here()}`);
      return match[3] ? ["itself"] : (match[1] ?? match[2]).match(every);
    };
    for (;;) {
      while (at < body.length && !meets(side) && take(blanks));
      if (at >= body.length) break;
      const both = take(pair);
      if (both) {
        found.push(`${both[1]}->${both[2]}`);
        targets = [];
      } else if (barred && "|/".includes(body[at])) {
        all(cell);
        cell = [];
        at += 1;
      } else {
        const whole = "{[(".includes(body[at]);
        let first = read(), between = take(sign);
        if (!between) {
          if (barred) cell.push(...first);
          else if (whole) all(first);
          else if (targets.length) targets.forEach((w) => first.forEach((v) => found.push(`${w}->${v}`)));
          else wrong("expected an arrow, such as w-v or w->v, or a cell in braces");
        }
        while (between) {
          const second = read();
          for (const w of first) {
            for (const v of second.map((name) => (name === "itself" ? w : name))) {
              found.push(between[1] ? `${v}->${w}` : `${w}${between[2] ? "-" : "->"}${v}`);
            }
          }
          targets = between[1] || between[2] ? [] : first;
          first = second;
          between = take(sign);
        }
      }
    }
    all(cell);
    return found;
  }

  function brackets(given, where = "") {
    const open = [], ends = { ")": "(", "]": "[", "}": "{" };
    for (const sign of given.replace(/\\[{}]/g, " ")) {
      if ("([{".includes(sign)) open.push(sign);
      else if (ends[sign] && open.pop() !== ends[sign]) wrong(`${where}there is no bracket before this one: ${sign}`);
    }
    if (open.length) wrong(`${where}this bracket is never closed: ${open.pop()}`);
  }

  function formula(given, where = "") {
    const body = given.trim();
    if (!body) wrong(`${where}expected a formula`);
    brackets(body, where);
    if (/(?:[&|∧∨¬~]|->|→|↔|\\(?:land|lor|to|neg|lnot))\s*$/.test(body)) wrong(`${where}the formula ends too early`);
    if (/(?<![\p{L}\p{N}_])(?:K|M|Kw|E|C|D)_(?:[\p{L}\p{N}_]+|\{[^}]*\})\s*$/u.test(body)) wrong(`${where}the formula ends too early`);
    if (form.atoms === undefined) return;
    const constant = /[⊤⊥01]|true|false|top|bot/i.test(body);
    const about = form.atoms.some((atom) =>
      new RegExp(`(?:^|[^a-z]|[KMECDw][a-z]?)${escaped(atom).replace(/_/g, "_?")}(?![a-z])`, "i").test(body));
    if (!constant && !about) wrong(`${where}expected a formula about ${form.atoms.join(", ")}`);
    const letters = body.replace(/\\[a-zA-Z]+/g, " ").match(/(?<![\p{L}\p{N}_])[b-uw-z]\d*(?![\p{L}\p{N}_])/gu) ?? [];
    const unknown = letters.find((letter) => !form.atoms.some((atom) => bare(atom) === letter) && !form.agents.includes(letter));
    if (unknown) wrong(`${where}unknown letter ${unknown}; the atoms are ${form.atoms.join(", ")}`);
  }

  function drawing(given) {
    const extra = form.form === "ValidOrModel", action = form.form === "AnAction", noun = action ? "event" : "world";
    const worlds = new Map(), lines = [], marked = new Set();
    for (const piece of spelt(given, form.names ?? []).split(/[;\n]/).filter((part) => part.trim())) {
      const colon = piece.indexOf(":");
      if (colon < 0) wrong(`expected a name and a colon, such as w: p or a: w-v, got ${piece.trim().slice(0, 40)}`);
      const name = piece.slice(0, colon).trim(), content = piece.slice(colon + 1);
      const drawn = /->|--|→|↔|–|—|\w\s*-\s*\w|\bto\b|rightarrow/.test(content.replace(/^[- ]+|[- ]+$/g, ""));
      if (form.agents.includes(name)) lines.push([name, content]);
      else if (drawn && !action) extra && name.length < 2 ? null : wrong(`unknown agent: ${name}`);
      else {
        const plain = name.replace(/\*+$/, "").split(",").map((part) => part.trim().replace(/\s*([()])\s*/g, "$1")).join(", ");
        if (form.names && !form.names.includes(plain)) wrong(`unknown ${noun}: ${plain}`);
        if (worlds.has(plain)) wrong(`the ${noun} ${plain} is drawn twice`);
        if (/\*$/.test(name)) marked.add(plain);
        worlds.set(plain, action ? content.trim() : atoms(content, extra));
        const changed = action ? [...content.matchAll(/(?:,|^)\s*([^\s,:=]+)\s*:=/g)].map((found) => found[1]) : [];
        const strange = changed.find((atom) => !form.atoms.includes(atom));
        if (strange) wrong(`unknown atom: ${strange}; the atoms are ${form.atoms.join(", ")}`);
        if (action) content.split(/(?:,|^)\s*[^\s,:=]+\s*:=/).forEach((part) => formula(part, `${plain}: `));
      }
    }
    if (!worlds.size) wrong(`no ${noun} is drawn; expected a line such as w*: p`);
    if (marked.size > 1 && !form.names && !action) wrong("several worlds are marked as actual; mark one world");
    const known = form.names ?? [...worlds.keys()];
    const read = lines.map(([agent, content]) => `${agent}: ${arrows(content, known, noun).join(", ")}`);
    return [...[...worlds].map(([name, content]) => `${name}${marked.has(name) ? "*" : ""}: ${content}`), ...read].join("; ");
  }

  // other forms of models are read in Python: in sets, in words, or with several parts in a line
  function model(given) {
    try {
      return `read as: ${drawing(given)}`;
    } catch (error) {
      const other = /[={}|⊨⊩~¬!@]|\\|\b(?:actual|designated|real|current|worlds?|states?|not?|nothing|empty|only|just|atoms?|both|is|true|false)\b|:[^;\n]*:/i;
      if (!/[:=⊨⊩]|\|=|\\models/.test(given) || !other.test(given)) throw error;
      return "this is not in the form of the example; it is read when it is graded, if it can be";
    }
  }

  function atoms(content, extra) {
    const words = spelt(content, form.atoms).match(/[^\s,{}]+/g) ?? [];
    const fill = ["none", "true", "and", "&", "∧", "-", "∅"];
    const found = words.filter((word) => !fill.includes(word.toLowerCase()) || form.atoms.includes(word));
    const unknown = found.find((word) => !form.atoms.includes(word) && !(extra && /^[A-Za-z]\d*$/.test(word)));
    if (unknown) wrong(`unknown atom: ${unknown}; the atoms are ${form.atoms.join(", ")}`);
    return found.join(", ");
  }

  function claim(given) {
    const start = /^\s*(?:(?:yes\b\W*)?(?:(?:it|this|the formula) is )?(?:always )?(?:valid|true)\b|yes\b)[\s,.:;()–-]*/i;
    const said = given.match(start);
    if (!said) return null;
    const reason = given.slice(said[0].length).replace(/[\s.)]+$/, "");
    if (!reason) return "read as: valid, without a reason; a reason earns more";
    const plain = /^(?:no property|(?:(?:reflexive|serial|transitive|symmetric|euclidean)(?:,? and |, |$))+)$/i;
    return plain.test(reason) ? `read as: valid: ${reason}` : "read as: valid; the reason is not checked here";
  }

  const after = (given, verdict) =>
    given.replace(new RegExp(`^\\s*(?:it is |they are )?(?:${verdict})(?![\\p{L}\\p{N}_])\\s*[.,:;]?(?=\\s*\\S)`, "iu"), "");

  const readers = {
    Number(given) {
      const plain = given.replace(/\\[dt]?frac\{(\d+)\}\{(\d+)\}/g, "$1/$2").replace(/^.*=/s, "").replace(/\\/g, "").trim();
      const thousand = /^[1-9]\d*,\d{3}(?!\d)/.test(plain), zero = /\/\s*0+\s*%?$/.test(plain);
      const number = /^[+-]?(?:\d{1,30}\s*\/\s*\d{1,30}|\d{0,30}[.,]?\d{1,30})\s*(?:%|per ?cent)?$/i.test(plain);
      const sum = /^[\d(][\d.+*/()\s×·÷-]*[+*/×·÷-][\d.+*/()\s×·÷-]*[\d)]$/.test(plain);
      if (sum && !number && !zero && !/\d\s*\(|\)\s*[\d(]|[*/×·÷]\s*[*/×·÷]/.test(plain)) {
        brackets(plain);
        const value = new Function(`return ${plain.replace(/[×·]/g, "*").replace(/÷/g, "/")}`)();
        if (Number.isFinite(value) && value > -1e-9) return "this is worked out when it is graded";
      }
      return number && !thousand && !zero ? `read as: ${plain}` : wrong("expected a number such as 3, 2/3 or 0.25");
    },
    AFormula: (given) => formula(given) ?? "this looks like a formula",
    ABisimulation(given) {
      const body = after(given, "not bisimilar|bisimilar|(?:no|yes)(?=[.,:;])"), names = [...form.left, ...form.right];
      const start = spelt(body.replace(opening, ""), names).replace(/^[\s({]+/, "");
      const said = body.replace(/\s+(?:is|holds)(?: true| false)?(?: only)? (?:at|in) .*/s, "");
      if (!names.some((name) => start.startsWith(name))) return formula(said) ?? "this looks like a formula";
      return `read as: ${arrows(body, names).join(", ")}`;
    },
    ValidOrModel(given) {
      const verdict = claim(given);
      if (verdict) return verdict;
      const body = after(after(given, "not valid|invalid|no(?=[.,;])"), "counter-?(?:model|example)");
      return /[:=⊨]/.test(body) ? readers.AModel(body) : wrong("expected valid with a reason, or a counter-model");
    },
    AModel(given) {
      if (!/^\s*[{[]/.test(given)) return model(given);
      try { JSON.parse(given); } catch { wrong("this is not JSON"); }
      return "this is JSON";
    },
    AnUpdatedModel: (given) => `read as: ${drawing(given)}`,
    AnAction: (given) => `read as: ${drawing(given)}`,
    ProofLines(given) {
      const lines = given.split("\n").filter((line) => line.trim());
      lines.forEach((line, n) => {
        const where = `line ${n + 1}: `, body = line.replace(/^\s*\(?\d+[.)]/, "");
        if (form.noun === "tableau" && !/^\s*(?:\d+\s+)?(?:[^\s:]+\s*:|[x×])/i.test(body)) wrong(`${where}expected a world and a colon, or x`);
        if (body.split("(").length > body.split(")").length) wrong(`${where}a bracket is never closed`);
      });
      return `${lines.length} line${lines.length === 1 ? "" : "s"}, not checked here`;
    },
  };

  if (!text.trim() || !readers[form.form]) return { ok: true, said: "" };
  try {
    return { ok: true, said: readers[form.form](form.form === "AFormula" ? text.replace(/^\s*(?:the formula(?: is)?\s*:|φ\s*=)/i, "") : clean(text)) };
  } catch (error) {
    return { ok: false, said: error.message };
  }
}
