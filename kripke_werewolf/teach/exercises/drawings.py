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
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, product
from typing import ClassVar, NamedTuple, TypeAlias, TypeVar

from kripke_werewolf.base.errors import FormatError, KripkeError, UnknownNameError
from kripke_werewolf.base.files import parse_json
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.reader import Part
from kripke_werewolf.logic.english.sentences import names
from kripke_werewolf.logic.formulas.logics import logic_named
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.teach.exercises import forms
from kripke_werewolf.teach.exercises.forms import Form, Names, quiet, refuse
from kripke_werewolf.teach.language import one_of_names

T = TypeVar("T")

Pair: TypeAlias = tuple[str, str]
"""An arrow, from the first to the second."""

_DRAWABLE = {"world": ("a model", 64, "; write a larger model as JSON"), "event": ("an action", 16, "")}
"""What is drawn of worlds or events, the largest number of them, and what to do about more."""


# --- arrows ----------------------------------------------------------------------------------------

_ALL = re.compile(r"(?i)all|total|universal|full|(?:any|all) of them|(\w'?) *(?:x|×|\\times) *\1")
_LOOPS = re.compile(r"(?i)(?:only |nothing but )?(?:the )?(?:self-?)?loops(?: only)?|identity|id|reflexive")
_SIGNS = (
    r"(?P<k><-+(?![->])|[←⟵])|(?P<b><[-=]+>|[-–—]+(?![->])|[↔⟷⇔~∼≈]|\\sim\b|with\b|\\leftrightarrow\b)|"
    r"(?P<o>[-=]+>|[→⟶⇒↦]|\\to\b|\\rightarrow\b|\\mapsto\b|to\b|sees?\b|[RZ](?:_?\{?\w+\}?)?(?=\s))"
)


@lru_cache(256)
def _tokens_of_arrows(names: tuple[str, ...]) -> tuple[str, re.Pattern[str]]:
    """Return the pattern of a name, and that of the tokens of which arrows between the names consist.

    They are pairs, sides of arrows, arrows back, both ways and on, and gaps; the groups are letters.
    """
    one = rf"(?:(?:{one_of_names(names)})(?!\w))"
    some = rf"[{{(\[]\s*{one}(?:\s*(?:,|\s|and)\s*{one})*\s*[)}}\]]"
    pair = rf"[(⟨<]\s*{one}\s*,\s*{one}\s*[)⟩>]"
    return one, re.compile(
        rf"(?P<p>{pair})|(?P<s>{one}|{some}|itself\b)|{_SIGNS}|(?P<g>[,;{{}}\[\]]|and\b)|(?P<u>[\w'*]+|\S)"
    )


def read_arrows(given: Part, names: Sequence[str], noun: str = "world") -> frozenset[Pair]:
    """Return the arrows in a part of an answer.

    They are lines, arrows and pairs, `w -> {v, u}`, or cells of worlds that see each other: `{w, v}, {u}` or
    `w, v | u`. `all`, `loops only` and `none` are read too.
    """
    bare = given.text.strip()
    if _ALL.fullmatch(bare):
        return frozenset(product(names, names))
    if _LOOPS.fullmatch(bare):
        return frozenset(zip(names, names, strict=True))
    with suppress(FormatError):
        if bare in ("", "-") or not Names(tuple(names), noun).parse(given):
            return frozenset()
    one, pattern = _tokens_of_arrows(tuple(dict.fromkeys(names)))
    given = replace(given, text=forms.spelt(given.text, names))
    if re.search(r"[\w}]\s*[|]\s*[\w{]", given.text):
        cells = (Names(tuple(names), noun).parse(cell) for cell in given.split("|"))
        return frozenset(pair for cell in cells for pair in product(cell, cell))
    tokens = [*given.tokens(pattern)]
    if unknown := [token for kind, token in tokens if kind == "u"]:
        unknown[0].known(names, noun)
    shape = "".join(kind for kind, _ in tokens)
    sides = [re.findall(rf"{one}|itself\b", token.text) for _, token in tokens]
    found, targets = set[Pair](), list[str]()
    for said in re.finditer(r"s(?:[kbo]s)+|[spg]|.", shape):
        at = said.start()
        first, token = sides[at], tokens[at][1]
        if len(said[0]) > 1:
            for k in range(at, said.end() - 2, 2):
                pairs = _joined(sides[k], sides[k + 2])
                found |= pairs if shape[k + 1] != "k" else set()
                found |= {(v, w) for w, v in pairs} if shape[k + 1] != "o" else set()
            targets = sides[said.end() - 3] if shape[said.end() - 2] == "o" else []
        elif said[0] == "p":
            found.add((first[0], first[1]))
            targets = []
        elif said[0] == "s" and token.text[0] in "{[(" and token.text not in names:
            found.update(product(first, first))
        elif said[0] == "s" and targets:
            found |= _joined(targets, first)
        elif said[0] == "s":
            pair = f"{names[0]}-{names[-1]} or {names[0]}->{names[-1]}"
            token.fail(f"expected an arrow, such as {pair}, or a cell in braces")
        elif said[0] != "g":
            token.fail(f"expected the name of a {noun} on each side")
    return frozenset(found)


def _joined(sources: list[str], targets: list[str]) -> set[Pair]:
    return {(w, w if v == "itself" else v) for w in sources for v in targets}


# --- drawings --------------------------------------------------------------------------------------

_DRAWN = re.compile(r"[\w)}]\s*(?:<?[-=]+>|<?-+(?![->])|[–—→⟶⇒↔⟷⇔←⟵]|\bto\b)\s*[\w({]")
_MARK = r"\b(?:actual|designated|real|current|point)\b"
_MARKED = re.compile(rf"(?i)[*@!]|[(\[]?{_MARK}[)\]]?")
_SETS = frozenset("W S E world worlds state states event events".split())  # noqa: SIM905
_BEFORE = frozenset("the set of agent relation arrows edges R V π pre is true holds only at in".split())  # noqa: SIM905
_POINT = rf"(?i)(?:(?:the )?{_MARK}(?: world| event)?(?: is| =)?|(?:the formula is )?true at) +(\w+|\(.*\))"
_NO_HEAD = "expected a name and a colon, such as 'w: p' or 'a: w-v'"
_VALUE = r"(?:[{∅WS]|\\(?:empty|var)|all|every|no)"
_SIGN = {"world": rf":(?!=)|=(?=\s*{_VALUE})|⊨|\|=|\\models\b", "event": r":(?!=)|="}
_ENDS = (
    r"[{(]|[)}]|[;\n]|\.(?=\s)|\Z|"
    rf",(?=[^,;:{{}}()=\n.]*(?:\([^()\n]*\)[^,;:{{}}()=\n]*)?(?::(?!=)|⊨|=\s*{_VALUE}))|,(?=\s*(?:{_MARK}|pre\b))"
)


class DrawnEntry(NamedTuple):
    """A part of a drawing: its name, whether it is marked, and what stands after the sign.

    The kind says what it is about: a thing (a world or an event), all of them as a set, an agent, an atom, or
    the mark of the actual one.
    """

    kind: str
    whole: Part
    name: str
    marked: bool
    content: Part

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
        entries = [*self._entries(quiet(given))]
        of = grouped((entry.kind, entry) for entry in entries)
        declared = [w for entry in of.get("set", ()) for w in entry.words]
        if odd := [name for name in declared if not re.fullmatch(r"\w[\w']*|\(.*\)", name)]:
            refuse(given, f"{odd[0]!r} is not the name of a {self.noun}")
        found = dict.fromkeys(declared, DrawnEntry("thing", given.cut(0, 0), "", False, given.cut(0, 0)))
        for entry in of.get("thing", ()):
            if self.noun == "event" or self.names or not _DRAWN.search(entry.content.text):
                self._check(entry, found, declared)
                found[entry.name] = entry
            elif not self.others or len(entry.name) > 1:
                entry.whole.fail(str(UnknownNameError(entry.name, self.agents, kind="agent")))
        if not found:
            refuse(given, f"expected {_DRAWABLE[self.noun][0]}: no {self.noun} is drawn")
        order = self.names or tuple(found)
        form, true = Names(order, self.noun), {name: list[str]() for name in (*order, *found)}
        for entry in of.get("atom", ()):
            for name in form.parse(entry.content):
                true[name].append(entry.name)
        marked = [name for name, entry in found.items() if entry.marked]
        for entry in of.get("mark", ()):
            marked += [name for name in found if name in form.parse(entry.content)]
        arrows = {agent: frozenset[Pair]() for agent in self.agents}
        for entry in of.get("agent", ()):
            arrows[entry.name] |= read_arrows(entry.content, tuple(found), self.noun)
        contents = {name: content(entry, true[name]) for name, entry in found.items()}
        return contents, marked or [next(iter(found))], arrows

    def _entries(self, given: Part) -> Iterator[DrawnEntry]:
        """Yield the parts, which end outside braces; those of a model also at the comma before a name."""
        text = forms.spelt(given.text, self.names)
        if not self.names:
            text = text.translate(forms.SMALL)
        text = re.sub(rf"(?<=[~∼])(?=({one_of_names(self.agents)})\s+\w)", "_", text)  # w ~a v
        sight = rf"(?<!\w)(\w+)\s*(->|[-–—~∼→]|\bR)_\{{?({one_of_names(self.agents)})\}}?\s*(\w+)"
        text = re.sub(sight, r"\3: \1 \2 \4", text)  # w ~_a v
        depth = start = 0
        for sign in re.finditer(_ENDS, text):
            if sign[0] in ("{", "("):
                depth += 1
            elif sign[0] in ("}", ")"):
                depth = max(0, depth - 1)
            elif not depth or not sign[0]:
                piece = Part(text, given.start, given.source).cut(start, sign.start())
                start = sign.end()
                if piece.text.strip("., "):
                    yield self._entry(piece)

    def _entry(self, piece: Part) -> DrawnEntry:
        """Return a part of a drawing, which begins with a name and a sign."""
        agents, sign = one_of_names(self.agents), re.search(_SIGN[self.noun], piece.text)
        if sign is None and (point := re.fullmatch(_POINT, piece.text)):
            return DrawnEntry("mark", piece, "", False, piece.group(point, 1))
        if sign is None:
            piece.fail(_NO_HEAD)
        head, content = piece.text[: sign.start()], piece.cut(sign.end())
        if _DRAWN.search(content.text):
            head = forms.spelt(head, tuple(self.agents))
        marked = bool(_MARKED.search(head) or re.search(rf"(?i)\({_MARK}(?: \w+)?\)", content.text))
        plain = re.sub(
            rf"(?:\bR|[~∼→]|->|\\sim|\\to)_?\s*\{{?({agents})(?!\w)", r" \1", _MARKED.sub(" ", head)
        )
        words = re.findall(rf"(?:{one_of_names(self.names)})(?!\w)|\([^()]*,[^()]*\)|[\w']+", plain)
        said = [word for word in words if word not in _BEFORE and word.lower() not in _BEFORE]
        names = [word for word in said if word.strip("'") not in _SETS and word.lower() not in _SETS]
        if not said and not marked:  # the relation, if there is only one
            names = [*self.agents]
        if len(names) > 1:
            piece.fail(_NO_HEAD)
        name, kind = [*names, *said, ""][0], "thing"
        if not names and (len(name) != 1 or content.text.startswith("{")):
            kind = "mark" if marked else "set"
        elif name in self.agents:
            kind = "agent"
        elif name in self.atoms and self.noun == "world":
            kind = "atom"
        return DrawnEntry(kind, piece, name, marked, content)

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
        content = forms.blanked(entry.content, rf"(?i)\({_MARK}(?: \w+)?\)")
        atoms = {*self.atoms}
        if self.others:
            atoms.update(re.findall(rf"\b(?!(?i:{one_of_names(self.atoms)})\b)[A-Za-z]\d*\b", content.text))
        said = [one for one in forms.spoken(content, sorted(atoms), "atom") if one[0] != "s"]
        shape = "".join(letter for letter, _ in said)
        if not re.fullmatch("(d?n[yx]?)*|[zdty]", shape):
            content.fail("expected the true atoms between commas")
        found, lacking = {*more}, set[str]()
        for one in re.finditer("(d?)n([yx]?)", shape):
            denied = (one[1] == "d") != (one[2] == "x")
            told = lacking if denied else found
            told.add(said[one.end(1)][1].text)
        if both := sorted(found & lacking):
            content.fail(f"{both[0]} is both true and false at {entry.name}")
        return frozenset(found.intersection(self.atoms))

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
        if self.names or not re.match(r"\s*[\[{]\s*\"", given.text):
            allowed = Drawing(self.agents, self.atoms, names=self.names, others=self.others)
            drawn = allowed.model(given, self.logic)
            if len(drawn.designated) > 1 and not self.names:
                points = names([*map(str, drawn.designated)])
                refuse(given, f"{points} are all marked as actual; mark one world")
            return drawn
        data = parse_json(given.text, given.source.name)
        try:
            return forms.model_without_header(data).for_agents(self.agents, self.atoms)
        except KripkeError as error:
            raise FormatError(f"{given.source.name}: {error}") from None
