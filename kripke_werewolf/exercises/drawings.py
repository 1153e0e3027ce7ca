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
from functools import lru_cache
from itertools import product
from typing import ClassVar, NamedTuple, NoReturn, TypeAlias, TypeVar

from kripke_werewolf.base.reader import begin
from kripke_werewolf.errors import FormatError, KripkeError, UnknownNameError
from kripke_werewolf.exercises.forms import (
    DENIED,
    EMPTY,
    Form,
    Given,
    Names,
    model_without_header,
    one_world_model,
    spelt,
    tidy,
)
from kripke_werewolf.files import parse_json
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import logic_named
from kripke_werewolf.language.sentences import names
from kripke_werewolf.models import KripkeModel
from kripke_werewolf.semantics.action import ActionModel, Event
from kripke_werewolf.semantics.bits import Rows, members
from kripke_werewolf.semantics.explanation import world_text
from kripke_werewolf.stories.text import read_formula

T = TypeVar("T")

Pair: TypeAlias = tuple[str, str]
"""An arrow, from the first to the second."""

MOST_DRAWN = 64
"""The largest number of worlds in a model drawn as text."""

MOST_EVENTS = 16
"""The largest number of events of an action drawn as text."""

EQUIVALENCE = ("reflexive", "symmetric", "transitive")
"""The properties of the relations that lines draw."""

_SIGN = re.compile(
    r"\s*(?:(?P<back><-+(?![->])|[←⟵]|\\(?:long)?leftarrow\b)|(?P<both><[-=]+>|[-–—]+(?![->])|[↔⟷⇔~∼≈]|\\sim\b|"
    r"\\(?:long)?leftrightarrow\b|(?:is |are )?(?:linked|connected|related) (?:to|with)\b)|"
    r"(?P<on>[-=]+>|[→⟶⇒↦]|\\?to\b|\\(?:long)?[rR]ightarrow\b|sees?\b|R(?:_?\{?\w+\}?)?(?=\s)|considers?\b))\s*"
)
_BLANK = re.compile(r"[\s,;{}\[\]]|(?:and|from)\b")
OPENING = re.compile(
    r"\s*(?:[ZR](?:_?\{?\w+\}?)?\s*=|(?:\w+ )?(?:can ?not|can['’]t) (?:tell apart|distinguish)"
    r"(?: between)?(?: the)?(?: worlds)?(?: in)?\b)\s*(?=\S)",
    re.IGNORECASE,
)
"""What students write before arrows: the name of the relation, or the words of the task."""
_EVERY = re.compile(
    r"(?i)(?:all|total|universal|full|complete|everything|w\s*[x×]\s*w|w\s*(?:\^\s*2|²))\b.{0,20}|.*\btimes W"
)
_LOOPS = re.compile(
    r"(?i)(?:only|just)?\s*(?:the\s+)?(?:loops?|identity|id|reflexive (?:arrows|loops)?)(?:\s+only)?|"
    r".*\b(?:only itself|itself only)"
)
_HEAD = re.compile(
    r"((?:\([^()]*\)|[^:=(⊨⊩|\\])*?(?:\\\w+)?(?:\([^()]*\)|[^:=(⊨⊩|\\])*?)\s*(?::=|[:=⊨⊩]|\|=|\\models|\\Vdash)"
)
_NAME = re.compile(r"([^:]*):")
_COMMA = r"|,(?=[^,;:{}()=\n]*(?:\([^()\n]*\)[^,;:{}()=\n]*)?(?::(?!=)|=\s*\{))"
_MARKS = re.compile(
    r"(?i)^\s*[*@]|[*@!]\s*$|[(\[]?\b(?:actual|designated|real|current)\b[)\]]?(?: (?:world|state|point)$)?"
)
_POINT = re.compile(
    r"(?i)((?:actual|designated|real|current) (?:world|state|point))(?: is)? (?=[^:;,\n]*(?:[;\n]|\Z))"
)
_WORLDS = re.compile(r"W|(?:the )?(?:worlds|states|set of worlds)")
_VALUES = re.compile(
    r"(?:V|v|val|valuation|π|\\pi)\s*[(_\[]\s*(?P<of>\w+)\s*[)\]]?|(?P<at>\w+)(?: is)? (?:true|holds)(?: at)?"
)
_DRAWN = re.compile(r"[\w)}]\s*(?:<?[-=]+>|<?-+(?![->])|[–—→⟶⇒↔⟷⇔←⟵]|\bto\b)\s*[\w({]")
_NO_ARROWS = re.compile(rf"(?i)(?:{EMPTY}|no arrows|-|\{{\}})?")


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


def drawing_parts(given: Given, *, lists: bool = False) -> Iterator[DrawingPart]:
    """Yield the parts of a drawing: a name, a colon or `=`, and the rest; rejects one without.

    Parts end at line breaks and semicolons outside braces; with `lists`, at a comma before a name and colon.
    """
    ends = rf"[;\n]{_COMMA if lists else ''}|\Z"
    depth = start = 0
    text = _POINT.sub(lambda said: f"{said[1]}:".ljust(len(said[0])), given.quiet) if lists else given.quiet
    for sign in re.finditer(rf"[{{(]|[)}}]|{ends}", text):
        if sign[0] and sign[0] in "{(})":
            depth = max(0, depth + (1 if sign[0] in "{(" else -1))
            continue
        if depth and sign[0]:
            continue
        piece, place, start = text[start : sign.start()], start, sign.end()
        if not piece.strip():
            continue
        head = (_HEAD if lists else _NAME).match(piece)
        if head is None:
            given.refuse("expected a name and a colon, such as 'w: p' or 'a: w-v'", place + begin(piece))
        name, content = head[1].strip(), piece[head.end() :]
        name, marked = _MARKS.subn("", name) if lists else (name.rstrip("*"), name.endswith("*"))
        yield DrawingPart(
            tidy(name), bool(marked), content, place + begin(piece), start - len(sign[0]) - len(content)
        )


def read_arrows(
    given: Given, text: str, place: int, names: Sequence[str], noun: str = "world"
) -> frozenset[Pair]:
    """Return the arrows in a part of an answer.

    They are lines, arrows and pairs, `w -> {v, u}`, or cells of worlds that see each other: `{w, v}, {u}` or
    `w, v | u`. Words for all of them, loops only, and `none` are read too.
    """
    opening = OPENING.match(text)
    text = " " * opening.end() + text[opening.end() :] if opening else text
    word = text.strip().rstrip(".")
    if _NO_ARROWS.fullmatch(word):
        return frozenset()
    if _EVERY.fullmatch(word):
        return frozenset(product(names, names))
    if _LOOPS.fullmatch(word):
        return frozenset(zip(names, names, strict=True))
    tokens, text = sorted(dict.fromkeys(names), key=len, reverse=True), spelt(text, names)
    one = rf"(?:(?:{'|'.join(map(re.escape, tokens))})(?!\w))" if tokens else r"(?!)"
    pair = re.compile(rf"[(⟨<]\s*({one})\s*,\s*({one})\s*[)⟩>]")
    side = re.compile(
        rf"(?P<one>{one})|[{{(\[]\s*(?P<some>{one}(?:\s*(?:,|\s|and)\s*{one})*)\s*[)}}\]]|(?P<same>itself\b)"
    )
    barred = re.search(rf"(?<=\w|[)}}])\s*[|/]\s*(?={one})", text)
    found, cell, targets = set[Pair](), list[str](), list[str]()

    def read(at: int) -> tuple[list[str], int]:
        there = side.match(text, at)
        if there is None:
            _refuse_name(given, text, at, place, names, noun)
        if there["same"]:
            return ["itself"], there.end()
        return [tidy(name[0]) for name in re.finditer(one, there["one"] or there["some"])], there.end()

    at = 0
    while (at := _skip(text, at, side)) < len(text.rstrip()):
        if both := pair.match(text, at):
            found.add((tidy(both[1]), tidy(both[2])))
            at, targets = both.end(), []
            continue
        if barred and text[at] in "|/":
            found.update(product(cell, cell))
            cell, at = [], at + 1
            continue
        begun = at
        here, at = read(at)
        sign = _SIGN.match(text, at)
        if sign is None:
            if barred:
                cell += here
            elif text[begun] in "{[(":
                found.update(product(here, here))
            elif targets:
                found.update(product(targets, here))
            else:
                given.refuse(
                    f"expected an arrow, such as {_example(names)}, or a cell in braces", place + begun
                )
        while sign is not None:
            there, at = read(sign.end())
            pairs = {(w, w if v == "itself" else v) for w in here for v in there}
            if not sign["back"]:
                found |= pairs
            if not sign["on"]:
                found |= {(v, w) for w, v in pairs}
            targets, here = (here if sign["on"] else []), there
            sign = _SIGN.match(text, at)
    return frozenset(found.union(product(cell, cell)))


def _skip(text: str, at: int, side: re.Pattern[str]) -> int:
    """Return the position after blanks, commas and braces; a brace around names is not skipped."""
    while at < len(text) and not side.match(text, at) and (blank := _BLANK.match(text, at)):
        at = blank.end()
    return at


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
    atoms: Collection[str] = (),
    others: bool = False,
) -> tuple[dict[str, T], list[str], dict[str, frozenset[Pair]]]:
    """Return the content of each part that is not an agent's, the marked names, and the arrows.

    Without a mark the first name is marked. `read` reads the content of a part. `noun`: what the parts are, a
    world or an event; `most`: how many can be drawn; `hint`: what to do about more. `names`: the only
    possible names, if they are known. A model may also say `W = {w, v}`, `R_a = {(w, v)}`, `V(p) = {w}` for
    `atoms`, and `actual: w`; with `others`, what it says about other agents and atoms is left out.
    """
    found: dict[str, DrawingPart] = {}
    relations, values, points = list[tuple[str, DrawingPart]](), list[tuple[str, DrawingPart]](), []
    worlds = noun == "world"
    parts = list(drawing_parts(Given(spelt(given.text, names), given.source), lists=worlds))
    declared = [name for part in parts if worlds and _WORLDS.fullmatch(part.name) for name in _words(part)]
    known = {*declared, *(part.name for part in parts if part.name not in atoms)}
    for entry in parts:
        owner = next((a for a in agents if _whose(a).fullmatch(entry.name)), None)
        valued = _VALUES.fullmatch(entry.name) if worlds else None
        words = _words(entry)
        listed = entry.name in atoms and (declared or (words and known.issuperset(words)))
        if owner is not None:
            relations.append((owner, entry))
        elif declared and _WORLDS.fullmatch(entry.name):
            found |= {name: entry._replace(name=name, content="") for name in declared if name not in found}
        elif worlds and not entry.name:
            points.append(entry)
        elif valued or (worlds and listed):
            values.append(((valued["of"] or valued["at"]) if valued else entry.name, entry))
        elif worlds and not names and _DRAWN.search(entry.content):
            if not others or len(entry.name) > 1:
                given.refuse(str(UnknownNameError(entry.name, agents, kind="agent")), entry.place)
        elif names and entry.name not in names:
            given.refuse(str(UnknownNameError(entry.name, (*names, *agents), kind=noun)), entry.place)
        elif entry.name in found and entry.name not in declared:
            given.refuse(f"the {noun} {entry.name!r} is drawn twice", entry.place)
        elif len(found) == most:
            given.refuse(f"at most {most} {noun}s can be drawn{hint}", entry.place)
        else:
            found[entry.name] = entry
    if not found:
        what = "a model" if noun == "world" else "an action"
        given.refuse(f"expected {what}: no {noun} is drawn")
    form, order = Names(tuple(names or found)), list(names or found)

    def some(entry: DrawingPart) -> frozenset[str]:
        return form.parse(Given(" " * entry.content_place + entry.content, given.source))

    for atom, entry in values:
        if atom not in atoms and not others:
            given.refuse(str(UnknownNameError(atom, atoms, kind="atom")), entry.place)
        for name in some(entry):
            found[name] = found[name]._replace(content=f"{found[name].content}, {atom}")
    marked = [entry.name for entry in found.values() if entry.marked]
    marked += [name for entry in points for name in order if name in some(entry)]
    arrows = {agent: frozenset[Pair]() for agent in agents}
    for agent, entry in relations:
        arrows[agent] |= read_arrows(given, entry.content, entry.content_place, order, noun)
    return {name: read(entry) for name, entry in found.items()}, marked or [next(iter(found))], arrows


def _words(entry: DrawingPart) -> list[str]:
    return re.findall(r"\([^()]*\)|[^\s,{}]+", re.sub(r"\band\b", " ", entry.content))


@lru_cache(256)
def _whose(agent: str) -> re.Pattern[str]:
    """Return the pattern of what stands before an agent's arrows: `a`, `agent a`, `R_a`, `~_a`."""
    before = r"(?:(?:the )?(?:agent|relations?|arrows|edges|R|~|∼|→|->|\\to|\\sim)(?: (?:of|for))?[\s_]*)?"
    return re.compile(rf"{before}[({{]?\s*{re.escape(agent)}\s*[)}}]?(?:'s (?:relation|arrows))?")


def true_atoms(
    given: Given, atoms: Collection[str], *, others: bool = False
) -> Callable[[DrawingPart], frozenset[str]]:
    """Return the reader of the atoms that are true at a world; `others`: whether other atoms are left out."""

    def read(entry: DrawingPart) -> frozenset[str]:
        found, lacking = set[str](), set[str]()
        for part in _TRUE.finditer(spelt(entry.content, atoms)):
            if (word := part["word"]) in atoms:
                false = (part["value"] or part["said"] or "").casefold() in DENIED
                (found if bool(part["no"]) == false else lacking).add(word)
            elif not _NO_ATOMS.fullmatch(word) and not (others and re.fullmatch(r"[A-Za-z]\d*", word)):
                error = UnknownNameError(word, atoms, kind="atom")
                given.refuse(str(error), entry.content_place + part.start("word"))
        if both := sorted(found & lacking):
            given.refuse(f"{both[0]} is both true and false at {entry.name}", entry.content_place)
        return frozenset(found)

    return read


_TRUE = re.compile(
    r"(?i)\s*(?P<no>[~¬!]|\\(?:neg|lnot)\b|\bnot\b|\bno\b|-(?=\w))?\s*(?P<word>[^\s,{}=~¬!:()]+)"
    r"(?:(?:\s*[=:]\s*|\s+is\s+)(?P<value>true|false|[01TF])\b|\s+(?P<said>true|false)\b)?"
)
_NO_ATOMS = re.compile(rf"(?i){EMPTY}|true|and|[&∧-]|only|just|atoms?|both|no")


def read_drawing(
    given: Given, atoms: Collection[str], agents: Collection[str], logic: str, *, others: bool = False
) -> KripkeModel:
    """Return the model drawn; rejects anything but a model with these atoms and agents.

    `others`: whether what it says about other atoms and agents is left out instead.
    """
    hint, read = "; write a larger model as JSON", true_atoms(given, atoms, others=others)
    worlds, marked, arrows = collected(given, agents, read, hint=hint, atoms=atoms, others=others)
    for agent, pairs in arrows.items():
        if logic_named(logic).of((agent,)).equivalent:
            arrows[agent] = closed(pairs, worlds, EQUIVALENCE)
    valuation = {atom: [w for w, true in worlds.items() if atom in true] for atom in sorted(atoms)}
    return KripkeModel(list(worlds), arrows, valuation, marked)


def _arrows_text(pairs: Collection[Pair], order: Sequence[str], *, s5: bool = False) -> str:
    """Return a drawing of arrows; in S5 loops are omitted, and classes are chains of lines.

    >>> _arrows_text([("w", "v"), ("v", "w"), ("w", "w")], "wv")
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
        lines.append(f"{agent}: {_arrows_text(relation_of(model, agent), names, s5=short)}".rstrip())
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
        lines.append(f"{agent}: {_arrows_text(pairs, names)}")
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
    others: ClassVar[bool] = False
    """Whether other atoms and agents are left out."""

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
            drawn = read_drawing(given, sorted(f.atoms), sorted(f.agents), self.logic, others=self.others)
            if len(drawn.designated) > 1:
                given.refuse(
                    f"{names([*map(str, drawn.designated)])} are all marked as actual; mark one world"
                )
            return drawn
        data = parse_json(given.text, given.source)
        try:
            model = model_without_header(data)
            model.where(self.about)
        except KripkeError as error:
            raise FormatError(f"{given.source}: {error}") from None
        return model
