"""Models, relations and actions drawn as text, such as `w*: p; v: ; a: w-v`.

The parts are separated by line breaks or semicolons. `w: p, q` is a world with its true atoms, `*` marks the
actual world (by default the first), `a: w-v, v->u` are the arrows of an agent: a line `w-v` stands for arrows
both ways. For agents of S5, loops and the line w-u if there are w-v and v-u may be omitted. For others every
arrow is written, a loop as `w->w`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, NoReturn, TypeAlias, TypeVar

from kripke_werewolf.errors import FormatError, KripkeError, UnknownNameError
from kripke_werewolf.exercises.forms import Form, Given, model_without_header, one_world_model, spelt, tidy
from kripke_werewolf.files import parse_json
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import logic_named
from kripke_werewolf.language.sentences import names
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics.action import ActionModel, Event
from kripke_werewolf.semantics.bits import Rows, members
from kripke_werewolf.semantics.explanation import world_text
from kripke_werewolf.stories.text import begin, read_formula

T = TypeVar("T")

Pair: TypeAlias = tuple[str, str]
"""An arrow, from the first to the second."""

MOST_DRAWN = 64
"""The most worlds of a model drawn as text."""

MOST_EVENTS = 16
"""The most events of an action drawn as text."""

EQUIVALENCE = ("reflexive", "symmetric", "transitive")
"""The properties of the relations that lines draw."""

_SIGN = re.compile(r"\s*(<->|->|--|-|→|↔|–|—|\\?\bto\b|\\(?:left)?rightarrow\b)\s*")
_ARROWS = ("->", "→", "to", "\\to", "\\rightarrow")
_BLANKS = re.compile(r"(?:[\s,;{}]|\band\b)*")


def closed(pairs: Iterable[Pair], names: Iterable[str], properties: Collection[str]) -> frozenset[Pair]:
    """Return the least relation that has the given arrows and properties.

    The properties are `reflexive`, `symmetric`, `transitive` and `euclidean`; any others are ignored.

    >>> sorted(closed([("w", "v")], "wv", ["symmetric", "transitive"]))
    [('v', 'v'), ('v', 'w'), ('w', 'v'), ('w', 'w')]
    """
    given = {*pairs, *((w, w) for w in names if "reflexive" in properties)}
    order = list(dict.fromkeys(w for pair in given for w in pair))
    sights = [sum(1 << n for n, v in enumerate(order) if (w, v) in given) for w in order]
    asked = {"symmetric", "transitive", "euclidean"} & {*properties}
    found = Rows.of_sights(sights).closed((1 << len(order)) - 1, asked)
    return frozenset(
        (order[i], order[j]) for who, seen in found.rows for i in members(who) for j in members(seen)
    )


class DrawingPart(NamedTuple):
    """A part of a drawing: the name before the colon, whether it is marked, and the text after the colon."""

    name: str
    marked: bool
    content: str
    place: int
    content_place: int


def drawing_parts(given: Given) -> Iterator[DrawingPart]:
    """Yield the parts of a drawing; rejects one without a colon."""
    for piece in re.finditer(r"[^;\n]+", given.quiet):
        if not piece[0].strip():
            continue
        name, colon, content = piece[0].partition(":")
        place = piece.start() + begin(name)
        if not colon:
            given.refuse("expected a name and a colon, such as 'w: p' or 'a: w-v'", place)
        name = name.strip()
        marked = name.endswith("*")
        yield DrawingPart(tidy(name.rstrip("*")), marked, content, place, piece.end() - len(content))


def read_arrows(
    given: Given, text: str, place: int, names: Sequence[str], noun: str = "world"
) -> frozenset[Pair]:
    """Return the arrows in a part of an answer: lines, arrows, pairs, or `none`."""
    if text.strip().rstrip(".").casefold() in ("", "none", "-", "{}"):
        return frozenset()
    tokens, text = sorted(dict.fromkeys(names), key=len, reverse=True), spelt(text, names)
    one = rf"((?:{'|'.join(map(re.escape, tokens))})(?!\w))" if tokens else r"((?!))"
    name = re.compile(one)
    pair = re.compile(rf"\(\s*{one}\s*,\s*{one}\s*\)")
    found: set[Pair] = set()
    at = _end(_BLANKS, text, 0)
    while at < len(text.rstrip()):
        if both := pair.match(text, at):
            found.add((tidy(both[1]), tidy(both[2])))
            at = _end(_BLANKS, text, both.end())
            continue
        first = name.match(text, at)
        sign = _SIGN.match(text, first.end()) if first else None
        if first is None:
            _refuse_name(given, text, at, place, names, noun)
        if sign is None:
            given.refuse(f"expected an arrow, such as {_example(names)}", place + at)
        here = tidy(first[1])
        while sign is not None:
            second = name.match(text, sign.end())
            if second is None:
                _refuse_name(given, text, sign.end(), place, names, noun)
            there = tidy(second[1])
            found.add((here, there))
            if sign[1] not in _ARROWS:
                found.add((there, here))
            here, at = there, second.end()
            sign = _SIGN.match(text, at)
        at = _end(_BLANKS, text, at)
    return frozenset(found)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _refuse_name(given: Given, text: str, at: int, place: int, names: Sequence[str], noun: str) -> NoReturn:
    word = re.match(r"[\w'*]+|.", text[at:], re.DOTALL)
    given.refuse(str(UnknownNameError(word[0] if word else "", names, kind=noun)), place + at)


def _example(names: Sequence[str]) -> str:
    first, second = [*names, "w", "v"][:2]
    return f"{first}-{second} or {first}->{second}"


def collected(
    given: Given,
    agents: Collection[str],
    read: Callable[[DrawingPart], T],
    noun: str = "world",
    *,
    most: int = MOST_DRAWN,
    hint: str = "",
    names: Collection[str] = (),
) -> tuple[dict[str, T], list[str], dict[str, frozenset[Pair]]]:
    """Return the content of each part that is not an agent's, the marked names, and the arrows.

    Without a mark the first name is marked. `read` reads the content of a part. `noun`: what the parts are, a
    world or an event, of which `most` can be drawn; `hint`: what to do about more. `names`: the only possible
    names, if they are known.
    """
    found: dict[str, T] = {}
    marked: list[str] = []
    relations: list[DrawingPart] = []
    for entry in drawing_parts(Given(spelt(given.text, names), given.source)):
        if entry.name in agents:
            relations.append(entry)
            continue
        if names and entry.name not in names:
            given.refuse(str(UnknownNameError(entry.name, (*names, *agents), kind=noun)), entry.place)
        if noun == "world" and not names and _SIGN.search(entry.content.strip("- ")):
            given.refuse(str(UnknownNameError(entry.name, agents, kind="agent")), entry.place)
        if entry.name in found:
            given.refuse(f"the {noun} {entry.name!r} is drawn twice", entry.place)
        if len(found) == most:
            given.refuse(f"at most {most} {noun}s can be drawn{hint}", entry.place)
        found[entry.name] = read(entry)
        marked += [entry.name] if entry.marked else []
    if not found:
        what = "a model" if noun == "world" else "an action"
        given.refuse(f"expected {what}: no {noun} is drawn")
    arrows = {agent: frozenset[Pair]() for agent in agents}
    for entry in relations:
        known = list(names or found)
        arrows[entry.name] |= read_arrows(given, entry.content, entry.content_place, known, noun)
    return found, marked or [next(iter(found))], arrows


def without_others(f: Formula, given: Given) -> Given:
    """Return a drawn model without the atoms p, q, … and agents a, b, … that a formula is not about."""

    def atom(word: re.Match[str]) -> str:
        return word[0] if spelt(word[0], f.atoms) in f.atoms else " " * len(word[0])

    def kept(part: re.Match[str]) -> str:
        name, content = part[1].strip(), part[2]
        if not _SIGN.search(content.strip("- ")):
            return part[1] + ":" + re.sub(r"\b[A-Za-z]\d*\b", atom, content)
        return part[0] if name in f.agents or len(name) > 1 else " " * len(part[0])

    return Given(re.sub(r"(?<![^;\n])([^;:\n]*):([^;\n]*)", kept, given.text), given.source)


def true_atoms(given: Given, atoms: Collection[str]) -> Callable[[DrawingPart], frozenset[str]]:
    """Return the reader of the atoms that are true at a world."""

    def read(entry: DrawingPart) -> frozenset[str]:
        words = list(re.finditer(r"[^\s,{}]+", spelt(entry.content, atoms)))
        for word in words:
            if word[0] not in atoms and word[0].casefold() not in ("none", "true", "and", "&", "∧", "-", "∅"):
                error = UnknownNameError(word[0], atoms, kind="atom")
                given.refuse(str(error), entry.content_place + word.start())
        return frozenset(word[0] for word in words).intersection(atoms)

    return read


def read_drawing(given: Given, atoms: Collection[str], agents: Collection[str], logic: str) -> KripkeModel:
    """Return the model drawn; rejects anything but a model with these atoms and agents."""
    hint = "; write a larger model as JSON"
    worlds, marked, arrows = collected(given, agents, true_atoms(given, atoms), hint=hint)
    for agent, pairs in arrows.items():
        if logic_named(logic).of((agent,)).equivalent:
            arrows[agent] = closed(pairs, worlds, EQUIVALENCE)
    valuation = {atom: [w for w, true in worlds.items() if atom in true] for atom in sorted(atoms)}
    return KripkeModel(list(worlds), arrows, valuation, marked)


def arrows_text(pairs: Collection[Pair], order: Sequence[str], *, s5: bool = False) -> str:
    """Return a drawing of arrows; in S5 loops are omitted, and classes are chains of lines.

    >>> arrows_text([("w", "v"), ("v", "w"), ("w", "w")], "wv")
    'w->w, w-v'
    """
    place = {name: n for n, name in enumerate(order)}
    found: list[str] = []
    if s5:
        seen: set[str] = set()
        for w in order:
            cell = [v for v in order if (w, v) in pairs]
            if w not in seen and len(cell) > 1:
                found.append("-".join(cell))
            seen.update(cell)
        return ", ".join(found)
    for w, v in sorted(pairs, key=lambda pair: (place[pair[0]], place[pair[1]])):
        if w != v and (v, w) in pairs:
            found += [f"{w}-{v}"] if place[w] < place[v] else []
        else:
            found.append(f"{w}->{v}")
    return ", ".join(found)


def drawing(model: KripkeModel, *, logic: str = "") -> str:
    """Return a model of a logic drawn as text, with designated worlds marked.

    By default the logic is S5 if all relations are equivalences, else K.

    >>> print(drawing(KripkeModel.from_partitions("wv", {"a": [["w", "v"]]}, {"p": ["w"]}, "w")))
    w*: p
    v:
    a: w-v
    """
    names = [world_text(w) for w in model.worlds]
    marked = set() if model.designates_all else {world_text(w) for w in model.designated}
    lines = []
    for world, name in zip(model.worlds, names, strict=True):
        lines.append(f"{name}{'*' * (name in marked)}: {', '.join(model.atoms_at(world))}".rstrip())
    partitions = all(model.classes(agent) is not None for agent in model.agents)
    chosen = logic_named(logic or ("S5" if partitions else "K"))
    for agent in model.agents:
        short = chosen.of((agent,)).equivalent
        lines.append(f"{agent}: {arrows_text(relation_of(model, agent), names, s5=short)}".rstrip())
    return "\n".join(lines)


def relation_of(model: KripkeModel, agent: str) -> frozenset[Pair]:
    """Return an agent's arrows, with the names of worlds as used in sentences."""
    return frozenset((world_text(w), world_text(v)) for w, v in model.relation(agent))


def drawn_action(given: Given, atoms: Sequence[str], agents: Sequence[str]) -> ActionModel:
    """Return the action model drawn: events with a precondition instead of worlds with atoms.

    Changes follow the precondition: `e: p, q := ~q`.
    """
    known = one_world_model(atoms, agents)

    def event(entry: DrawingPart) -> Event:
        changes = list(_CHANGE.finditer(entry.content))
        ends = [*(change.start() for change in changes), len(entry.content)]
        formulas = [
            _formula_at(given, entry, start, end, known)
            for start, end in zip([0, *(change.end() for change in changes)], ends, strict=True)
        ]
        post = {}
        for change, f in zip(changes, formulas[1:], strict=True):
            if change[1] not in atoms:
                error = UnknownNameError(change[1], atoms, kind="atom")
                given.refuse(str(error), entry.content_place + change.start(1))
            post[change[1]] = f
        return Event(formulas[0], post)

    events, marked, arrows = collected(given, agents, event, "event", most=MOST_EVENTS)
    try:
        return ActionModel(events, arrows, marked)
    except KripkeError as error:
        given.refuse(str(error))


_CHANGE = re.compile(r"(?:,|^)\s*([^\s,:=]+)\s*:=")


def _formula_at(given: Given, entry: DrawingPart, start: int, end: int, known: KripkeModel) -> Formula:
    """Return the formula in a part of an entry."""

    def refuse(message: str, position: int | None = None) -> NoReturn:
        given.refuse(message, entry.content_place + start + (position or 0))

    return read_formula(entry.content[start:end], known, refuse)


def action_drawing(action: ActionModel, agents: Iterable[str]) -> str:
    """Return an action model drawn as text.

    >>> from kripke_werewolf.semantics import private
    >>> print(action_drawing(private("a", "p"), "ab"))
    told*: p
    nothing: true
    a: told->told, nothing->nothing
    b: told->nothing, nothing->nothing
    """
    names = [str(event) for event in action.events]
    lines = [
        f"{name}{'*' * (event in action.designated)}: "
        + ", ".join([str(happens.pre), *(f"{atom} := {f}" for atom, f in happens.post.items())])
        for name, (event, happens) in zip(names, action.events.items(), strict=True)
    ]
    for agent in agents:
        pairs = sight_pairs(action, agent)
        lines.append(f"{agent}: {arrows_text(pairs, names)}")
    return "\n".join(lines)


def sight_pairs(action: ActionModel, agent: str) -> frozenset[Pair]:
    """Return the pairs of events such that an agent considers the second possible when the first happens."""
    return frozenset((str(e), str(f)) for e, f in action.relation(agent))


def lacking(model: KripkeModel, agent: str) -> dict[str, str]:
    """Return a sentence for each property that an agent's relation lacks.

    >>> lacking(KripkeModel(["w"], {"a": []}, {}), "a")["reflexive"]
    'not reflexive: w does not see itself'
    """
    return {p: _unquoted(flaw) for p, flaw in model.frame_class(agent).flaws.items()}


def frame_flaw(model: KripkeModel, logic: str) -> str:
    """Return why a pointed model does not belong to a logic, or lacks a single designated world; else ""."""
    if len(model.designated) != 1:
        return f"{len(model.designated)} worlds are designated; designate the one you mean"
    flaws = model.frame_flaws(logic)
    return next((f"the relation of {agent} is {_unquoted(flaw)}" for agent, flaw in flaws.items()), "")


def _unquoted(flaw: str) -> str:
    return flaw.replace("'", "")


# --- forms -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AModel(Form):
    """A model with a designated world, drawn as text or as JSON.

    `about`: a formula whose atoms and agents it must have. `logic`: for agents of S5, loops and transitive
    lines may be omitted.
    """

    about: Formula
    logic: str = "K"
    lines: ClassVar[int] = 6
    takes_model: ClassVar[bool] = True

    @property
    def words(self) -> str:
        """The form in words."""
        drawn = "the model drawn as text, such as w*: p; v: ; a: w-v with the actual world marked"
        agents, logic = sorted(self.about.agents), logic_named(self.logic)
        short = [agent for agent in agents if logic.of((agent,)).equivalent]
        if len(short) == len(agents):
            return f"{drawn} (loops need not be written), or as JSON"
        omitted = f"; for {names(short)} loops need not be written" if short else ""
        return f"{drawn} (w-v is an arrow each way, w->v one, w->w a loop{omitted}), or as JSON"

    def of_model(self, model: KripkeModel) -> str:
        """Return the model as JSON."""
        return json.dumps(model.to_dict(), ensure_ascii=False)

    def write(self, answer: KripkeModel) -> str:
        """Return the model drawn as text."""
        return drawing(answer, logic=self.logic)

    def parse(self, given: Given) -> KripkeModel:
        """Return the model."""
        if given.text.lstrip()[:1] not in ("{", "["):
            f = self.about
            return read_drawing(given, sorted(f.atoms), sorted(f.agents), self.logic)
        data = parse_json(given.text, given.source)
        try:
            model = model_without_header(data)
            model.where(self.about)
        except KripkeError as error:
            raise FormatError(f"{given.source}: {error}") from None
        return model


@dataclass(frozen=True, slots=True)
class ARelation(Form):
    """Arrows between named things, as a set of pairs.

    `understood`: whether the relation is an equivalence, so that loops, and lines that follow from two
    others, may be omitted; the answer then includes them.
    """

    names: tuple[str, ...]
    understood: bool = False

    @property
    def words(self) -> str:
        """The form in words."""
        first, last = self.names[0], self.names[-1]
        if self.understood:
            return f"lines such as {first}-{last} (loops need not be written), or none"
        return f"arrows such as {first}->{last} (or {first}-{last} for both ways), or none"

    def parse(self, given: Given) -> frozenset[Pair]:
        """Return the pairs."""
        if not given.word:
            given.refuse(f"expected {self.words}")
        found = read_arrows(given, given.quiet.rstrip(), 0, self.names)
        return closed(found, self.names, EQUIVALENCE if self.understood else ())

    def write(self, answer: frozenset[Pair]) -> str:
        """Return the arrows."""
        return arrows_text(answer, self.names, s5=self.understood) or "none"
