"""Models, relations and actions drawn as text, such as `w*: p; v: ; a: w-v`.

The parts are separated by line breaks or semicolons. `w: p, q` is a world with its true atoms, `*` marks the
actual world (by default the first), `a: w-v, v->u` are the arrows of an agent: a line `w-v` stands for arrows
both ways. For agents of S5, loops and the line w-u if there are w-v and v-u may be omitted. For others every
arrow is written, a loop as `w->w`. Arrows of agents with an order lead to the more plausible world, and lines
join equally plausible ones. The grammar, in which {} is repetition and [] may be missing:

    drawing = part {";" part}
    part    = agent ":" arrows  |  name ["*"] ":" content  |  "W =" names  |  "V(" atom ") =" names  |
              "actual:" names
    content = {["not"] atom ["=" verdict]}                 of a world
            | formula {"," atom ":=" formula}              of an event
    arrows  = "none" | "all" | "loops" | {pair | side {sign side} | cell | "|"}
    pair    = "(" name "," name ")"
    side    = name | "{" names "}" | "itself"
    sign    = "-" | "->" | "<-"
    cell    = "{" names "}"  |  names between bars
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, product
from typing import ClassVar, NamedTuple, NoReturn, TypeAlias, TypeVar

from kripke_werewolf.base.errors import FormatError, KripkeError, UnknownNameError, check_known
from kripke_werewolf.base.files import parse_json
from kripke_werewolf.base.reader import Part
from kripke_werewolf.logic.english.sentences import names
from kripke_werewolf.logic.formulas.logics import logic_named
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.teach.exercises import forms
from kripke_werewolf.teach.exercises.forms import Form, Names, past, quiet, refuse
from kripke_werewolf.teach.language import one_of_names

T = TypeVar("T")

Pair: TypeAlias = tuple[str, str]
"""An arrow, from the first to the second."""

_DRAWABLE = {"world": ("a model", 64, "; write a larger model as JSON"), "event": ("an action", 16, "")}
"""What is drawn of worlds or events, the largest number of them, and what to do about more."""


# --- arrows ----------------------------------------------------------------------------------------

_AT_ONCE = re.compile(rf"(?i)(?P<none>(?:{forms.SAID['empty']}|no arrows|-|\{{\}})?)|{forms.SAID['arrows']}")


@lru_cache(256)
def _arrows_between(names: tuple[str, ...]) -> tuple[str, re.Pattern[str]]:
    """Return the pattern of a name, and that of the tokens of which arrows between the names consist."""
    one = rf"(?:(?:{one_of_names(names)})(?!\w))"
    some = rf"[{{(\[]\s*{one}(?:\s*(?:,|\s|and)\s*{one})*\s*[)}}\]]"
    return one, re.compile(
        rf"(?P<pair>(?:[(⟨<]|\\langle)\s*{one}\s*,\s*{one}\s*(?:[)⟩>]|\\rangle))|(?P<side>{one}|{some}|itself\b)|{forms.SAID['signs']}|(?P<bar>[|/])|"
        r"(?P<gap>[,;{}\[\]]|(?:and|from)\b)|(?P<other>[\w'*]+|\S)"
    )


def read_arrows(given: Part, names: Sequence[str], noun: str = "world") -> frozenset[Pair]:
    """Return the arrows in a part of an answer.

    They are lines, arrows and pairs, `w -> {v, u}`, or cells of worlds that see each other: `{w, v}, {u}` or
    `w, v | u`. Words for all of them, loops only, and `none` are read too.
    """
    given = past(given, forms.SAID["opening"])
    if at_once := _AT_ONCE.fullmatch(given.text.strip().rstrip(".")):
        words = {"none": (), "every": product(names, names), "loops": zip(names, names, strict=True)}
        return frozenset(words[str(at_once.lastgroup)])
    one, tokens = _arrows_between(tuple(dict.fromkeys(names)))
    given = replace(given, text=forms.spelt(given.text, names).rstrip())
    end = Part("", given.start + len(given.text), given.source)
    barred = re.search(rf"[\w)}}]\s*[|/]\s*{one}", given.text)
    found, cell, here, targets = set[Pair](), list[str](), list[str](), list[str]()
    sign, alone = "", end
    for kind, token in chain(given.tokens(tokens), [("end", end)]):
        there = re.findall(rf"{one}|itself\b", token.text)
        if sign:
            if kind not in ("side", "pair"):
                _unknown(token, names, noun)
            pairs, targets = _joined(here, there), []
            if sign != "back":
                found |= pairs
            if sign == "on":
                targets = here
            else:
                found |= {(v, w) for w, v in pairs}
            here, sign = there, ""
            continue
        if here and kind in ("back", "both", "on"):
            sign, alone = kind, end
            continue
        if alone.text:
            if barred:
                cell += here
            elif alone.text[0] in "{[(":
                found.update(product(here, here))
            elif targets:
                found |= _joined(targets, here)
            else:
                first, second = [*names, "w", "v"][:2]
                such = f"{first}-{second} or {first}->{second}"
                alone.fail(f"expected an arrow, such as {such}, or a cell in braces")
        here, alone = [], end
        if kind == "pair":
            found.add((there[0], there[1]))
            targets = []
        elif kind == "loops":
            found.update(zip(names, names, strict=True))
        elif kind == "side":
            here, alone = there, token
        elif kind == "end" or (kind == "bar" and barred):
            found.update(product(cell, cell))
            cell = []
        elif kind != "gap":
            _unknown(token, names, noun)
    return frozenset(found)


def _joined(sources: list[str], targets: list[str]) -> set[Pair]:
    return {(w, w if v == "itself" else v) for w in sources for v in targets}


def _unknown(token: Part, names: Collection[str], kind: str) -> NoReturn:
    """Fail at a token that should be a name."""
    word = re.match(r"[\w'*]*", token.text)
    token.fail(str(UnknownNameError((word and word[0]) or token.text[:1], names, kind=kind)))


# --- drawings --------------------------------------------------------------------------------------

_DRAWN = re.compile(r"[\w)}]\s*(?:<?[-=]+>|<?-+(?![->])|[–—→⟶⇒↔⟷⇔←⟵]|\bto\b)\s*[\w({]")
_NO_ATOM = rf"(?i){forms.SAID['empty']}|true|and|[&∧–—-]+|only|just|atoms?|both|no"


@lru_cache(256)
def _about(agents: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of names that do not name a world: `a`, `R_a`, `worlds`, `V(p)`, `p true at`."""
    return re.compile(
        r"(?:(?:the )?(?:agent|relations?|arrows|edges|R|~|∼|→|->|\\to|\\sim)(?: (?:of|for))?[\s_]*)?"
        rf"[({{]?\s*(?P<agent>{one_of_names(agents)})\s*[)}}]?(?:(?:'s |-)(?:relation|arrows|edges))?|"
        r"(?P<worlds>[WES]|(?i:(?:the )?(?:set of )?(?:worlds|states|events)))|"
        r"(?:V|v|val|valuation|π|\\pi)\s*[(_\[]\s*(?P<of>\w+)\s*[)\]]?|"
        r"(?P<at>\w+)(?: is)? (?:true|holds)(?: only)?(?: at| in)?"
    )


def _agents_first(text: str, agents: Collection[str]) -> str:
    """Return a drawing with `a: w-v` for `w-v: a`, `w -a- v` and `w ~a v`."""
    agent, begin, end = one_of_names(agents), r"(?m)((?:^|[;,.])\s*)", r"(?=\s*(?:[;,\n]|\.\s|\Z))"
    blind = rf"{begin}(?:agent )?({agent}) {forms.SAID['blind']}{end}"
    text = re.sub(blind, r"\1\2: {\3}", text)
    text = re.sub(rf"{begin}(\w+\s*(?:[-–—~∼→]|->)\s*\w+)\s*:\s*({agent}){end}", r"\1\3: \2", text)
    arrow = rf"{begin}(\w+)\s*(<?)[-–—~∼=]+_?({agent})\s*[-–—~∼=]*([>→]?)\s*(\w+){end}"
    return re.sub(arrow, r"\1\4: \2\3--\5\6", text).replace("--→", "-->")


class DrawnEntry(NamedTuple):
    """A part of a drawing: its name, whether it is marked, and what stands after the sign."""

    whole: Part
    name: str
    marked: bool
    content: Part

    def lists(self, certain: bool) -> bool:
        """Return whether the content is a list of worlds or events; `certain`: whether the name says so."""
        return certain or len(self.name) > 1 or self.content.text.lstrip()[:1] == "{"

    @property
    def words(self) -> list[str]:
        """The names in the content."""
        return re.findall(r"\([^()]*\)|[^\s,{}]+", re.sub(r"\band\b", " ", self.content.text))


@dataclass(frozen=True, slots=True)
class Drawing:
    """What may be drawn: a model of some agents and atoms, or an action if the `noun` is event.

    `names`: the only possible names of worlds, if they are known. With `others`, what a model says about
    other agents and atoms is left out.
    """

    agents: Collection[str]
    atoms: Collection[str]
    noun: str = "world"
    names: tuple[str, ...] = ()
    others: bool = False

    def read(
        self, given: Part, content: Callable[[DrawnEntry, Collection[str]], T]
    ) -> tuple[dict[str, T], list[str], dict[str, frozenset[Pair]]]:
        """Return the content of each world or event, the marked names, and the arrows.

        `content` is given a part and the atoms that the drawing says elsewhere to be true there. Without a
        mark the first name is marked. A model may also say `W = {w, v}`, `R_a = {(w, v)}`, `V(p) = {w}` and
        `actual: w`.
        """
        worlds, about = self.noun == "world", _about(tuple(self.agents))
        entries = [(entry, about.fullmatch(entry.name)) for entry in self._entries(quiet(given))]
        sets = [entry for entry, said in entries if said and said["worlds"] and entry.lists(worlds)]
        declared = [w for entry in sets for w in entry.words]
        if odd := [name for name in declared if not re.fullmatch(r"\w[\w']*|\(.*\)", name)]:
            refuse(given, f"{odd[0]!r} is not the name of a {self.noun}")
        known = {*declared, *(entry.name for entry, _ in entries if entry.name not in self.atoms)}
        found, points = dict[str, DrawnEntry](), list[DrawnEntry]()
        lines, values = list[tuple[str, DrawnEntry]](), list[tuple[str, DrawnEntry]]()
        for entry, said in entries:
            valued = worlds and said and (said["of"] or said["at"])
            listed = worlds and entry.name in self.atoms and (declared or entry.words)
            if said and said["agent"]:
                lines.append((said["agent"], entry))
            elif declared and entry in sets:
                none = entry.content.cut(0, 0)
                found = {w: entry._replace(name=w, content=none) for w in declared} | found
            elif not entry.name:
                points.append(entry)
            elif valued or (listed and (declared or known.issuperset(entry.words))):
                values.append((valued or entry.name, entry))
            elif not worlds or self.names or not _DRAWN.search(entry.content.text):
                self._check(entry, found, declared)
                found[entry.name] = entry
            elif not self.others or len(entry.name) > 1:
                entry.whole.fail(str(UnknownNameError(entry.name, self.agents, kind="agent")))
        if not found:
            refuse(given, f"expected {_DRAWABLE[self.noun][0]}: no {self.noun} is drawn")
        order = self.names or tuple(found)
        form, true = Names(order), {name: list[str]() for name in (*order, *found)}
        for atom, entry in values:
            if atom in self.atoms:
                for name in form.parse(entry.content):
                    true[name].append(atom)
            elif not self.others:
                entry.whole.fail(str(UnknownNameError(atom, self.atoms, kind="atom")))
        marked = [entry.name for entry in found.values() if entry.marked]
        for entry in points:
            marked += sorted(form.parse(entry.content), key=order.index)
        arrows = {agent: frozenset[Pair]() for agent in self.agents}
        for agent, entry in lines:
            arrows[agent] |= read_arrows(entry.content, tuple(found), self.noun)
        contents = {name: content(entry, true[name]) for name, entry in found.items()}
        return contents, marked or [next(iter(found))], arrows

    def _entries(self, given: Part) -> Iterator[DrawnEntry]:
        """Yield the parts, which end outside braces; those of a model also at the comma before a name."""
        text = forms.spelt(given.text, self.names)
        if not self.names:
            text = text.translate(forms.SMALL)
        for said, meant in forms.DRAWN.items():
            text = re.sub(said, meant, text)
        if self.noun == "world":
            text = _agents_first(text, self.agents)
        depth = start = 0
        for sign in re.finditer(forms.SAID["ends"], text):
            if sign[0] in ("{", "("):
                depth += 1
            elif sign[0] in ("}", ")"):
                depth = max(0, depth - 1)
            elif not depth or not sign[0]:
                piece = Part(text, given.start, given.source).cut(start, sign.start())
                start = sign.end()
                if not piece.text:
                    continue
                if (head := re.match(forms.SAID[f"head-{self.noun}"], piece.text)) is None:
                    piece.fail("expected a name and a colon, such as 'w: p' or 'a: w-v'")
                name = next(filter(None, head.groups()), "").strip()
                bare = re.sub(forms.SAID["marks"], "", name)
                content = Part(piece.text[head.end() :], piece.start + head.end(), piece.source)
                said = bare.strip()
                if _DRAWN.search(content.text):
                    said = forms.spelt(said, tuple(self.agents))
                yield DrawnEntry(piece, said, bare != name, content)

    def _check(self, entry: DrawnEntry, found: Collection[str], declared: Collection[str]) -> None:
        """Fail at a world or event of another name, at one drawn twice, and at too many."""
        _, most, hint = _DRAWABLE[self.noun]
        if self.names and entry.name not in self.names:
            entry.whole.fail(str(UnknownNameError(entry.name, (*self.names, *self.agents), kind=self.noun)))
        if entry.name in found and entry.name not in declared:
            entry.whole.fail(f"the {self.noun} {entry.name!r} is drawn twice")
        if len(found) == most and not self.names:
            entry.whole.fail(f"at most {most} {self.noun}s can be drawn{hint}")

    def true_atoms(self, entry: DrawnEntry, more: Collection[str]) -> frozenset[str]:
        """Return the atoms that are true at a world."""
        text = re.sub(r"\b(?:is|are) true\b", lambda found: " " * len(found[0]), entry.content.text)
        content = replace(entry.content, text=forms.spelt(text, self.atoms))
        found, lacking = {*more}, set[str]()
        if re.search(r"[({][^)}]*[({]", content.text):
            content.fail("expected the true atoms between commas")
        for part in re.finditer(forms.SAID["atom"], content.text):
            if (word := part["word"]) in self.atoms:
                true = (part["value"] or part["said"] or "").casefold() not in forms.DENIED
                if part["no"]:
                    true = not true
                told = found if true else lacking
                told.add(word)
            elif not re.fullmatch(rf"{_NO_ATOM}|[A-Za-z]\d*" if self.others else _NO_ATOM, word):
                content.group(part, "word").known(self.atoms, "atom")
        if both := sorted(found & lacking):
            content.fail(f"{both[0]} is both true and false at {entry.name}")
        return frozenset(found)

    def model(self, given: Part, logic: str) -> KripkeModel:
        """Return the model drawn, of a logic."""
        worlds, marked, arrows = self.read(given, self.true_atoms)
        ranks = dict[str, dict[Hashable, int]]()
        for agent, pairs in arrows.items():
            if logic_named(logic).of((agent,)).equivalent:
                arrows[agent] = closed(pairs, worlds)
            if logic_named(logic).of((agent,)).ordered:
                better = closed(pairs, worlds, ("reflexive", "transitive"))
                for w, v in sorted(arrows[agent] - better):
                    if (v, w) not in better:
                        refuse(given, f"no arrow of {agent} says which is more plausible, {w} or {v}")
                above = [w for w, v in better if (v, w) not in better]
                ranks[agent] = {w: above.count(w) for w in worlds}
        valuation = {atom: [w for w, true in worlds.items() if atom in true] for atom in sorted(self.atoms)}
        return KripkeModel(list(worlds), arrows, valuation, marked, ranks=ranks)


def closed(
    pairs: Iterable[Pair],
    names: Iterable[str],
    properties: Collection[str] = ("reflexive", "symmetric", "transitive"),
) -> frozenset[Pair]:
    """Return the least relation between some things that has the given arrows and properties.

    >>> sorted(closed([("w", "v")], "wv", ["symmetric", "transitive"]))
    [('v', 'v'), ('v', 'w'), ('w', 'v'), ('w', 'w')]
    """
    pairs = list(pairs)
    model = KripkeModel(list(dict.fromkeys(chain(names, *pairs))), {"a": pairs}, {})
    return frozenset((str(w), str(v)) for w, v in model.closed("a", under=properties).relation("a"))


# --- writing ---------------------------------------------------------------------------------------


def arrows_text(pairs: Collection[Pair], order: Sequence[str], *, s5: bool = False) -> str:
    """Return a drawing of arrows; in S5 loops are omitted, and classes are chains of lines.

    >>> arrows_text([("w", "v"), ("v", "w"), ("w", "w")], "wv")
    'w->w, w-v'
    """
    if s5:
        cells = dict.fromkeys(tuple(v for v in order if (w, v) in pairs) for w in order)
        return ", ".join("-".join(cell) for cell in cells if len(cell) > 1)
    lines = {(w, v) for w, v in combinations(order, 2) if (w, v) in pairs and (v, w) in pairs}
    drawn = [(w, v) for w, v in product(order, order) if (w, v) in pairs and (v, w) not in lines]
    return ", ".join(f"{w}{'-' if (w, v) in lines else '->'}{v}" for w, v in drawn)


def drawing(model: KripkeModel, *, logic: str = "") -> str:
    """Return a model of a logic drawn as text, with designated worlds marked.

    By default the logic is S5 if all relations are equivalences, else K. Arrows of an agent with ranks lead
    to worlds that are at least as plausible.

    >>> print(drawing(KripkeModel.from_partitions("wv", {"a": [["w", "v"]]}, {"p": ["w"]}, "w")))
    w*: p
    v:
    a: w-v
    """
    names = [world_text(w) for w in model.worlds]
    marked = set() if model.designates_all else {world_text(w) for w in model.designated}
    named = [f"{name}*" if name in marked else name for name in names]
    lines = [f"{w}: {', '.join(model.atoms_at(v))}" for w, v in zip(named, model.worlds, strict=True)]
    if not logic:
        partitions = all(model.classes(agent) is not None for agent in model.agents)
        logic = "S5" if partitions else "K"
    for agent in model.agents:
        short = logic_named(logic).of((agent,)).equivalent
        arrows = relation_of(model, agent)
        if agent in model.ranks:
            rank = {world_text(w): number for w, number in model.ranks[agent].items()}
            short, arrows = False, frozenset((w, v) for w, v in arrows if w != v and rank[v] <= rank[w])
        lines.append(f"{agent}: {arrows_text(arrows, names, s5=short)}")
    return "\n".join(map(str.rstrip, lines))


def relation_of(model: KripkeModel, agent: str) -> frozenset[Pair]:
    """Return an agent's arrows, with the names of worlds as used in sentences."""
    return frozenset((world_text(w), world_text(v)) for w, v in model.relation(agent))


def true_atoms(model: KripkeModel) -> dict[str, frozenset[str]]:
    """Return the atoms that are true at each world."""
    return {world_text(w): frozenset(model.atoms_at(w)) for w in model.worlds}


def sight_pairs(action: ActionModel, agent: str) -> frozenset[Pair]:
    """Return the pairs of events such that an agent considers the second possible when the first happens."""
    return frozenset((str(e), str(f)) for e, f in action.relation(agent))


# --- forms -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AModel(Form):
    """A model with a designated world, drawn as text or as JSON; or, of some worlds, all that is left.

    `atoms`, `agents`: those it must have. `logic`: for agents of S5, loops and transitive lines may be
    left out. `names`: the worlds it may have, if they are known; then none need be designated.
    """

    atoms: tuple[str, ...]
    agents: tuple[str, ...]
    logic: str = "K"
    names: tuple[str, ...] = ()
    lines: ClassVar[int] = 6
    takes_model: ClassVar[bool] = True
    others: ClassVar[bool] = False
    """Whether other atoms and agents are left out."""

    @property
    def words(self) -> str:
        """The form in words."""
        logic = logic_named(self.logic)
        short = [agent for agent in self.agents if logic.of((agent,)).equivalent]
        rules = "w-v is an arrow each way, w->v one, w->w a loop"
        if len(short) == len(self.agents):
            rules = "loops need not be written"
        elif short:
            rules += f"; for {names(short)} loops need not be written"
        if logic.ordered:
            rules = f"w->v says that v is more plausible, w-v that both are equally plausible; {rules}"
        if not self.names:
            drawn = "the model drawn as text, such as w*: p; v: ; a: w-v with the actual world marked"
            return f"{drawn} ({rules}), or as JSON"
        first, last, agent = self.names[0], self.names[-1], self.agents[0]
        world, lines = f"{first}: {self.atoms[0]}", f"{agent}: {first}-{last} ({rules})"
        return f"a line for each world, such as {world}, and one for each agent, such as {lines}"

    def of_model(self, model: KripkeModel) -> str:
        """Return the model as text, or as JSON if its worlds may have any names."""
        if self.names:
            return drawing(model, logic=self.logic)
        return json.dumps(model.to_dict(), ensure_ascii=False)

    def write(self, answer: KripkeModel) -> str:
        """Return the model drawn as text; nothing if its worlds are known."""
        return "" if self.names else drawing(answer, logic=self.logic)

    def parse(self, given: Part) -> KripkeModel:
        """Return the model."""
        if self.names or given.text.lstrip()[:1] not in ("{", "["):
            allowed = Drawing(self.agents, self.atoms, names=self.names, others=self.others)
            drawn = allowed.model(given, self.logic)
            if len(drawn.designated) > 1 and not self.names:
                points = names([*map(str, drawn.designated)])
                refuse(given, f"{points} are all marked as actual; mark one world")
            return drawn
        data = parse_json(given.text, given.source.name)
        try:
            model = forms.model_without_header(data)
            for atom in self.atoms:
                check_known(atom, model.atoms, kind="atom")
            for agent in self.agents:
                check_known(agent, model.agents, kind="agent")
            return model
        except KripkeError as error:
            raise FormatError(f"{given.source.name}: {error}") from None
