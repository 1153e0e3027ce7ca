"""The words of the operators, prepared for writing and reading sentences.

A phrase consists of words and of slots for agents, names, a number or clauses. All phrases come from the
declarations (`operators.English`); those of questions are derived: "a knows that" makes "does a know that"
and "who knows that", "it is common knowledge among" makes "is it common knowledge among".

`forms.txt` lists what can be asked, each form with what it means: the page "What you can ask" is made from
it, every form is tested, and a question that is not understood is answered by two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from pkgutil import get_data
from typing import Any, NamedTuple

from kripke_werewolf.logic.english.atom_words import AtomWords, base_form
from kripke_werewolf.logic.english.questions import HIM
from kripke_werewolf.logic.english.vocabulary import MoveWords, Vocabulary
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import GREEK_ALPHABET
from kripke_werewolf.logic.formulas.operators import English
from kripke_werewolf.logic.formulas.syntax import Formula, group_of, read_off


class Slot(Enum):
    """A placeholder in a phrase: for one agent, a group, a name, several names, a number or a clause."""

    AGENT = "agent"
    GROUP = "group"
    NAME = "name"
    NAMES = "names"
    NUMBER = "number"
    CLAUSE = "clause"


class ClauseList(NamedTuple):
    """The slot of several clauses: commas between them, and the joint before the last."""

    joint: str


Piece = str | Slot | ClauseList


class Phrase(NamedTuple):
    """The words of an operator, or of its negation: a declared template, complete with its clauses.

    `variant`: the form of the operator (the kind of a count, the kind of an announcement); `several`: whether
    it is for any number of clauses; `wrong`: whether it is for agents who may be wrong; `given`: values that
    the words imply, such as the group of all agents.
    """

    kind: type[Formula]
    variant: Any
    template: str
    denied: bool = False
    several: bool = False
    wrong: bool = False
    given: tuple[Any, ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The words and slots of the template."""
        of_one = issubclass(self.kind, s.OfAgent | s.KnowsValue | s.Atom)
        return pieces_of(self.template, group=not of_one)

    def of(self, values: Iterable[Any], parts: tuple[Formula, ...]) -> Formula:
        """Return the formula expressed by the phrase, given the values of its slots and its clauses."""
        found: Formula = _made(self.kind, self.variant, [*self.given, *values], parts)
        return ~found if self.denied else found


def variant_of(node: Formula) -> tuple[Any, list[Any]]:
    """Return the variant of a formula's operator, and the values of its slots before the clauses."""
    match node:
        case s.Atom(name):
            return None, [name]
        case s.Constant(value):
            return value, []
        case s.Count(kind, number, _):
            return kind, [number]
        case s.KnowsValue(agent, variable):
            return None, [(agent,), variable]
        case s.Dynamic(s.Announce(_, group, whether), _):
            return (group is not None, whether), [] if group is None else [group]
        case s.Dynamic(s.Act(name, event, _), _):
            return event is not None, [name] if event is None else [str(event), name]
        case s.Dynamic(s.Upgrade(_, kind), _):
            return kind, []
    return None, [node.label] if node.label else []


def _made(kind: Any, variant: Any, values: list[Any], parts: tuple[Formula, ...]) -> Any:
    if issubclass(kind, s.Dynamic):
        if isinstance(variant, str):
            return kind(s.Upgrade(parts[0], variant), parts[1])
        if isinstance(variant, bool):
            event, name = values if variant else (None, *values)
            return kind(s.Act(name, event), *parts)
        to_group, whether = variant
        return kind(s.Announce(parts[0], values[0] if to_group else None, whether), parts[1])
    if issubclass(kind, s.Modal | s.Nary | s.Binary | s.Not):
        return kind._make(group_of(values[0]) if values else (), parts)
    if issubclass(kind, s.KnowsValue):
        return kind(values[0][0], values[1])
    return kind(*([] if variant is None else [variant]), *values, *parts)


# --- facts about agents --------------------------------------------------------------------------


@lru_cache(maxsize=8)
def sections(name: str, package: str = __package__ or "") -> Mapping[str, Mapping[str, str]]:
    """Return the sections of a text file in a package, by default this one, each with its entries."""
    text = (get_data(package, f"{name}.txt") or b"").decode("utf-8")
    sections = re.split(r"^\[([\w, -]+)\]$", f"[{name}]\n{text}", flags=re.MULTILINE)[1:]
    entries = re.compile(r"^([^#\s].*?): (.*(?:\n +.*)*)", re.MULTILINE)
    parts = zip(sections[::2], sections[1::2], strict=True)
    return {
        section: {key: " ".join(said.split()) for key, said in entries.findall(part)}
        for section, part in parts
    }


FACTS = {**sections("verbs")["facts"], **{letter: f"the {letter} wolf" for letter in GREEK_ALPHABET}}
"""The words after "is" in a sentence for an atom such as `wolf_4`."""


def written_words(about: Vocabulary) -> list[AtomWords]:
    """Return the words with which atoms are written: those that are declared, then those for facts."""
    nouns = {fact: said for said, fact in about.facts if re.match("(an?|the) ", said)}
    facts = ((f"{fact}_{{who}}", f"{{who}} is {said}") for fact, said in {**nouns, **FACTS}.items())
    declared = [AtomWords.of(*words) for words in (*about.phrases, *facts) if words[0][0] != "~"]
    return [*chain.from_iterable(map(_words_for, about.moves)), *declared]


_NIGHTS = ((" in night {night}", "_{night}"), ("", ""))
"""The words for a night, and the end of the atom; both are empty for any night."""


def _words_for(move: MoveWords) -> Iterator[AtomWords]:
    """Yield the words for a move: with each of its results, in a night or in any."""
    targets = ("{whom}", "{whom_else}") if move.two else ("{whom}",)
    whom = " and ".join(targets)
    for result, (night, when) in product(move.results or ("",), _NIGHTS):
        atom = "_".join(filter(None, (move.stem, "{who}", *targets, result))) + when
        rest = (f" that {whom} is {FACTS.get(result, result)}" if result else f" {whom}") + night
        said, denied = f"{{who}} {move.past}{rest}", f"{{who}} did not {move.base}{rest}"
        yield AtomWords(atom, "{who}", move.past, rest, "did", move.base, said, denied)


class FactWords:
    """The words for facts about agents, each with the stem of its atoms and whether it denies them."""

    def __init__(self, about: Vocabulary | None) -> None:
        self.stems, self.single, further = {*FACTS}, {*()}, {}
        self.atoms = frozenset(about.atoms) if about else None
        if about:
            said = [AtomWords.of(*words) for words in about.phrases]
            facts = [words for words in said if words.said == f"{{who}} is {words.rest}"]
            further = {words.rest: words.atom.removesuffix("_{who}") for words in facts} | dict(about.facts)
            ends = tuple(f"_{agent}" for agent in about.agents)
            self.stems = {atom.partition("_")[0] for atom in about.atoms if atom.endswith(ends)}
            self.single = {*about.single}
        words = {FACTS.get(stem, stem): stem for stem in sorted(self.stems)} | further
        plain = [said for said in words if re.fullmatch(r"\w+( \w+)*", said)]
        bare = {said: re.sub("^(a|an|the) ", "", said.lower()) for said in plain}
        self.nouns = {bare[said]: (words[said], False) for said in plain if said != bare[said]}
        ranks = {noun.removesuffix(" wolf"): fact for noun, fact in self.nouns.items() if " wolf" in noun}
        self.single |= {stem for stem, _ in ranks.values()}
        self.roles = [stem for noun, (stem, _) in self.nouns.items() if " wolf" not in noun]
        same = [said for said in plain if said == bare[said]]
        self.adjectives = {said: (words[said].lstrip("~"), words[said][0] == "~") for said in same} | ranks
        if "dead" in self.stems:
            self.adjectives["alive"] = "dead", True

    def atom(self, stem: str, denied: bool, name: str) -> Formula | None:
        """Return the formula that a fact is true of an agent; None if there is no such atom."""
        atom = self.known(s.Atom(f"{stem}_{name}"))
        return ~atom if atom is not None and denied else atom

    def known(self, literal: Formula) -> Formula | None:
        """Return an atom, or its denial, that there is, or may be when a pronoun in it is known."""
        (atom,) = literal.atoms
        return literal if self.atoms is None or atom in self.atoms or HIM in atom else None


def plural(noun: str) -> str:
    """Return the plural of a noun: `wolves` of `wolf`."""
    return re.sub("(?<![aeiou])y$", "ie", re.sub("lf$", "lve", noun)) + "s"


# --- from the declarations -----------------------------------------------------------------------

_SLOTS = re.compile(r"\{(?P<field>\w*)\}|…, … (?P<joint>\w+) …|…")


@lru_cache(maxsize=512)
def pieces_of(template: str, *, group: bool) -> tuple[Piece, ...]:
    """Split a declared template into its pieces; `group`: whether `{}` is a group.

    >>> pieces_of("{} knows {name} if …", group=False)
    (<Slot.AGENT: 'agent'>, 'knows', <Slot.NAME: 'name'>, 'if', <Slot.CLAUSE: 'clause'>)
    """
    found: list[Piece] = []
    end = 0
    for slot in _SLOTS.finditer(template):
        found.append(template[end : slot.start()].strip())
        end = slot.end()
        if slot["joint"]:
            found.append(ClauseList(slot["joint"]))
        elif slot["field"] is None:
            found.append(Slot.CLAUSE)
        else:
            found.append(Slot(slot["field"] or ("group" if group else "agent")))
    return tuple(piece for piece in (*found, template[end:].strip()) if piece != "")


@read_off
def wordings(operators: tuple[type[Formula], ...]) -> tuple[Phrase, ...]:
    """Return all phrases of the operators, including those of negations."""
    found: list[Phrase] = []
    kinds: list[type[Formula]] = [s.Atom, *operators]
    for kind in kinds:
        if kind is not s.Probability and kind.english is not None:
            forms = kind.english if isinstance(kind.english, Mapping) else {None: kind.english}
            for variant, english in forms.items():
                found += _worded(kind, variant, english)
    return tuple(found)


def _worded(kind: type[Formula], variant: Any, english: English) -> Iterator[Phrase]:
    for number, words in enumerate(english):
        if not words:
            continue
        form = number in (1, 3), number == 4, number in (2, 3)
        if issubclass(kind, s.Dynamic):
            upgraded = {kind: s.Upgrade(s.TRUE, kind).english for kind in s.UPGRADES}
            for happening, way in (*s.ANNOUNCED.items(), *s.ACTED.items(), *upgraded.items()):
                yield Phrase(kind, happening, words.replace("{update}", way), *form)
        else:
            at_end = issubclass(kind, s.Unary) and "…" not in words
            yield Phrase(kind, variant, words + " …" * at_end, *form)


@read_off
def _by_form(operators: tuple[type[Formula], ...]) -> dict[tuple[Any, ...], Phrase]:
    return {(w.kind, w.variant, w.denied, w.several, w.wrong): w for w in wordings()}


def phrase_for(node: Formula, believers: frozenset[str], *, denied: bool = False) -> Phrase | None:
    """Return the phrase for a formula, or its negation, or None; `believers`: those who may be wrong."""
    variant, _ = variant_of(node)
    wrong = isinstance(node, s.Modal) and not believers.isdisjoint(node.label)
    kind = s.Believes if wrong and type(node) is s.Knows else type(node)
    form, known = (kind, variant, denied), _by_form()
    single = known.get((*form, False, wrong), known.get((*form, False, False)))
    fits = single is not None and single.pieces.count(Slot.CLAUSE) == len(node.children)
    return single if fits else known.get((*form, True, False))


# --- questions -----------------------------------------------------------------------------------


def asked(template: str) -> str | None:
    """Return the yes-or-no question of a template, if its words have the order of a sentence.

    >>> asked("{} knows that"), asked("it is common knowledge among {} that"), asked("{name} is true")
    ('does {} know that', 'is it common knowledge among {} that', 'is {name} true')
    """
    found = re.fullmatch(r"(it|[^{…]*\{\w*\}) (\w+)\b(.*)", template)
    if found is None:
        return None
    subject, verb, rest = found.groups()
    if verb in ("is", "can", "does", "has"):
        return f"{verb} {subject}{rest}"
    return f"does {subject} {base_form(verb)}{rest}"


TAGS = re.findall(r"\w+", "is are was were does do did has have had can could must might would will should")
PRONOUNS = re.findall(r"\w+", "he she they him them himself herself themselves themself her")


def synonyms(template: str) -> tuple[str, ...]:
    """Return a template and others that mean the same.

    >>> synonyms("{} believes that …")
    ('{} believes that …', '{} thinks that …')
    """
    declared = sections("verbs")["declared"].items()
    same = [(known, said.split(" | ")) for known, said in declared if template.startswith(known)]
    return template, *(template.replace(known, other) for known, others in same for other in others)


def verbs_of(move: MoveWords) -> list[tuple[str, ...]]:
    """Return the verbs for a move, each with its past; all but the first are read and never written.

    >>> verbs_of(MoveWords("looked", "look at", "looked at"))[:3]
    [('look at', 'looked at'), ('see', 'saw'), ('check', 'checked')]
    """
    others = filter(None, sections("verbs")["moves"].get(move.stem, "").split(" | "))
    return [(move.base, move.past), *(tuple(verb.split(", ")) for verb in others)]


# --- words of sentences and questions ------------------------------------------------------------

COMPARED = {words: said.split() for words, said in sections("grammar")["compared"].items()}
"""For words before a number the kind of count, what is added to it, and the sign for probabilities."""
HALF, ONCE = Fraction(1, 2), Fraction(1)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
NUMBERS = sections("grammar")["numbers"]
JOINTS = ("and", "or", "nor", "then")
NUMBERED = ("player", "child", "agent")
"""The words before the number of an agent."""
OBJECTIVE = ("her", *PRONOUNS[3:5])
BOUNDARIES = {*re.findall(r"\S+", "that who which whether if unless when while and or but yet although , -")}
"""The words after which another clause may begin."""
POSSESSIVES = re.findall(r"\w+", "his her their my")
PARTS = dict(zip(Slot, ("Subject", "Group", "<any>", "Any", "Count", "S"), strict=True))
"""The categories of the grammar for the slots of phrases."""
AUXILIARIES = {"is": "Is", "can": "Can", "has": "Been", "was": "Passive", "does": "Do", "did": "Did"}
AUXILIARIES |= {"would": "Would"}
"""The categories of what comes after an auxiliary verb and perhaps "not"."""
SAYING = re.compile(r"\b(knows?|believes?|thinks?|tell|sure|certain|learnt?|learns) that S$")
"""The ends of phrases whose "that" may be left out before a person."""
TOKEN = (
    r'"(?:[^"\\\n]|\\.)*"|[0-9]+(?:/[0-9]+|\.[0-9]+)?(?![\w\'])|(?ai:can(?=not\b)|[a-z]+(?=n[\'’]t\b)|n[\'’]?t\b|'
    r"\b(?:do|does|did|is|are|was|were|ha[sd]|have|would|could|ca|wo)(?=nt\b))|"
    r"(?ai:\b(?:i|he|she|they|it|who|what|there|that|(?:every|any|some|no)(?:one|body)|other|another|wolf|seer|villager|player)"
    r"(?=['’](?:s|re|m|ve|ll|d)\b)|\b(?:who|what|that|there|he|she)(?=s\b)|\bi(?=m\b)|\b[cw]ould(?=ve\b)|"
    r"\bit(?=s\b(?! (?:own|role|card))))|\w[\w'’]*|['’](?:s|re|m|ve|ll|d)(?!\w)|[^\s]"
)
"""Words, among which "can't", "doesnt" and "she's" are two, names in quotation marks, numbers and signs."""

# --- forms of questions --------------------------------------------------------------------------

_PLACES = re.compile(r"\b[XYFGSN]\b")
"""The places of a form: X and Y agents, F and G facts, S a statement, N a number."""


class AskedForm(NamedTuple):
    """A question with places, and what it means: a formula with the same places."""

    title: str
    question: str
    meaning: str

    @property
    def places(self) -> tuple[str, ...]:
        """The places of the question, in their order."""
        return tuple(dict.fromkeys(_PLACES.findall(self.question)))

    def filled(self, **said: str) -> str:
        """Return the question with words for its places.

        >>> AskedForm("", "Does X know that S?", "K_X S").filled(X="Bo", S="Di is dead")
        'Does Bo know that Di is dead?'
        """
        return _PLACES.sub(lambda place: said[place[0]], self.question)


@lru_cache(maxsize=1)
def asked_forms() -> tuple[AskedForm, ...]:
    """Return the forms of what can be asked."""
    return tuple(
        AskedForm(title, *said)
        for title, entries in sections("forms").items()
        for questions, meaning in entries.items()
        for question in questions.split(" | ")
        for said in _variants(question, meaning)
    )


def _variants(*texts: str) -> Iterator[tuple[str, ...]]:
    """Yield the variants of strings, where `[a / b]` is first a and then b in all of them."""
    chosen = re.compile(r"\[([^]]* / [^]]*)\]")
    number = max(len(choice.split(" / ")) for text in texts for choice in [*chosen.findall(text), ""])
    for at in range(number):
        yield tuple(chosen.sub(lambda found: found[1].split(" / ")[at], text) for text in texts)  # noqa: B023
