"""The phrases of sentences and questions, as trees of words that may begin and continue a clause.

Phrases come from the declarations of the operators (`phrases`), together with the known facts and names. A
question is a formula, or a formula with a hole: "who knows that …", "how likely is it for a that …".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, group_of
from kripke_werewolf.language.operators import Mode, Scope, conjunction, disjunction, modal
from kripke_werewolf.language.phrases import (
    FACTS,
    Fact,
    Phrase,
    Piece,
    Slot,
    asked,
    fact_template,
    of_all,
    pieces_of,
    synonyms,
    wordings,
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that may occur in a sentence: those of a model or of a game.

    `agents`: names that may consist of several words, or look like words of sentences; they are recognised
    wherever a name may stand. `atoms`: all atoms. `numbers`: the names of agents that also have a number
    ("player 2"). `facts`: further words for facts, with the fact each stands for: with `evil` for `wolf`, "Di
    is evil" is `wolf_Di`. `single`: the stems of facts that exactly one agent has, who can be called by them:
    "the seer is dead".
    """

    agents: tuple[str, ...]
    atoms: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    single: tuple[str, ...] = ()

    def agent(self, name: str) -> str:
        """Return the name of an agent who may be given by a number."""
        return name if name in self.agents else dict(self.numbers).get(name, name)

    def atom(self, name: str) -> str:
        """Return the name of an atom about an agent who may be given by a number: `wolf_Ann` for `wolf_1`."""
        stem, _, agent = name.partition("_")
        return name if name in self.atoms or not agent else f"{stem}_{self.agent(agent)}"


@dataclass(frozen=True, slots=True)
class Who:
    """A question with a hole: which agents satisfy the formula?"""

    phrase: AnyPhrase
    values: tuple[Any, ...]
    parts: tuple[Formula, ...]

    def of(self, agent: str) -> Formula:
        """Return the formula for an agent."""
        found = self.phrase.of([(agent,), *self.values], self.parts)
        assert isinstance(found, Formula)
        return found


@dataclass(frozen=True, slots=True)
class HowLikely:
    """The question how likely an agent holds something; without an agent, how likely it is."""

    agent: str | None
    body: Formula


Question: TypeAlias = Formula | Who | HowLikely


class Asking(NamedTuple):
    """A phrase with a value other than the formula of an operator; `denied`: it means the negation."""

    pieces: tuple[Piece, ...]
    make: Callable[[Sequence[Any], tuple[Formula, ...]], Question]
    denied: bool = False

    def of(self, values: Sequence[Any], parts: tuple[Formula, ...]) -> Question:
        """Return the question with values in the slots of the phrase."""
        found = self.make(values, parts)
        return ~found if self.denied and isinstance(found, Formula) else found


AnyPhrase: TypeAlias = Phrase | Asking


class Trie:
    """The possible continuations of phrases with the same beginning: words, slots, or the end of a phrase."""

    __slots__ = ("ended", "following", "words")

    def __init__(self, phrases: Iterable[AnyPhrase], at: int = 0) -> None:
        groups: dict[Piece, list[AnyPhrase]] = {}
        self.ended: AnyPhrase | None = None
        for phrase in phrases:
            if len(phrase.pieces) > at:
                groups.setdefault(phrase.pieces[at], []).append(phrase)
            else:
                self.ended = self.ended or phrase
        self.following = {piece: Trie(group, at + 1) for piece, group in groups.items()}
        self.words = tuple(piece for piece in groups if isinstance(piece, str))


class Phrases:
    """The phrases that may begin a clause: by their first words, or with a name."""

    def __init__(self, phrases: Iterable[AnyPhrase]) -> None:
        found = list(phrases)
        self.openings = Trie(phrase for phrase in found if isinstance(phrase.pieces[0], str))
        self.subjects = Trie(phrase for phrase in found if not isinstance(phrase.pieces[0], str))
        self.words = self.openings.words
        self.verbs = tuple(word for node in self.subjects.following.values() for word in node.words)


@lru_cache(maxsize=64)
def phrases_about(
    operators: tuple[type[Formula], ...], vocabulary: Vocabulary | None, asking: bool, holes: bool
) -> Phrases:
    """Return the phrases of clauses about the known names; with those of whole questions if `asking`."""
    ways: list[Callable[[str], str | None]] = [lambda template: template, *([asked] if asking else [])]
    found: list[AnyPhrase] = [
        phrase
        for way in ways
        for phrases in (_of_operators, _of_groups, _of_facts, _who_is, _ruled_out)
        for phrase in phrases(way, vocabulary)
    ]
    if vocabulary:
        found += [more for phrase in found for more in _of_quantified(phrase, vocabulary)]
    if asking:
        plain = ("is it the case that", "is it true that", "it is true that")
        found += [Asking((words, Slot.CLAUSE), lambda _, parts: parts[0]) for words in plain]
        found += _possibly(vocabulary)
    return Phrases([*found, *(_with_a_hole(vocabulary) if holes else [])])


def _of_operators(way: Callable[[str], str | None], vocabulary: Vocabulary | None) -> Iterator[Phrase]:
    for wording in wordings():
        for template in filter(None, map(way, synonyms(wording.template))):
            yield wording.with_words(template)
            if vocabulary and vocabulary.agents and (without := of_all(template)):
                yield wording.with_words(without, (vocabulary.agents,))
    for template, denied in (("{name} holds", False), ("{name} does not hold", True)):
        if found := way(template):
            yield Phrase(pieces_of(found, group=False), s.Atom, denied=denied)


def _of_groups(way: Callable[[str], str | None], vocabulary: Vocabulary | None) -> Iterator[Asking]:
    """Yield phrases about groups without an operator: "someone among {} knows whether".

    Their words come from the operators; the formula is a conjunction or a disjunction.
    """
    for scope, join in ((Scope.EACH, conjunction), (Scope.SOME, disjunction)):
        box, single = modal(scope, Mode.BOX), modal(Scope.AGENT, Mode.BOX)
        for mode in Mode:
            kind = modal(Scope.AGENT, mode)
            if modal(scope, mode) or not (kind and box and single):
                continue
            ending, other = (k.english.says.removeprefix("{}") for k in (single, kind))
            for words, denied in ((box.english.says, False), (box.english.denies, True)):
                template = way(f"{words.removesuffix(ending)}{other} …")
                if template is None:
                    continue
                made = partial(_of_each, kind, join)
                yield Asking(pieces_of(template, group=True), made, denied)
                if vocabulary and vocabulary.agents and (without := of_all(template)):
                    everybody = partial(_of_all_agents, made, vocabulary.agents)
                    yield Asking(pieces_of(without, group=True), everybody, denied)


def _of_each(
    kind: type[s.Modal], join: Callable[..., Formula], values: Sequence[Any], parts: tuple[Formula, ...]
) -> Formula:
    return join(kind._make((agent,), parts) for agent in group_of(values[0]))


def _of_all_agents(
    made: Callable[..., Formula], agents: tuple[str, ...], _: Sequence[Any], parts: tuple[Formula, ...]
) -> Formula:
    return made([agents], parts)


def _of_quantified(phrase: AnyPhrase, vocabulary: Vocabulary) -> Iterator[Asking]:
    """Yield a phrase about an agent with other subjects: "somebody is a wolf", "the seer is dead"."""
    if phrase.pieces.count(Slot.AGENT) != 1:
        return
    agents, fact = vocabulary.agents, getattr(phrase, "variant", None)
    if isinstance(fact, Fact):
        agents = tuple(agent for agent in agents if f"{fact.stem}_{agent}" in vocabulary.atoms)
    before, after = phrase.pieces[: (at := phrase.pieces.index(Slot.AGENT))], phrase.pieces[at + 1 :]
    everyone, someone = partial(together, scope=Scope.EACH), partial(together, scope=Scope.SOME)
    subjects: dict[str, Callable[[dict[str, Formula]], Formula]] = {
        "someone": lambda said: someone([*said.values()]),
        "nobody": lambda said: ~someone([*said.values()]),
    }
    if not any("not" in piece.split() for piece in phrase.pieces if isinstance(piece, str)):
        # "everyone is not" may mean that some are not
        subjects["everyone"] = lambda said: everyone([*said.values()])
        subjects["not everyone"] = lambda said: ~everyone([*said.values()])
    for stem in vocabulary.single:
        subjects[f"the {FACTS[stem].split(maxsplit=1)[1]}"] = partial(_of_the, stem)
    for subject, join in subjects.items() if agents else ():
        pieces = " ".join([*map(str, before), subject]), *after
        yield Asking(pieces, partial(_of_every, phrase, agents, join))


def _of_every(
    phrase: AnyPhrase,
    agents: tuple[str, ...],
    join: Callable[[dict[str, Formula]], Formula],
    values: Sequence[Any],
    parts: tuple[Formula, ...],
) -> Formula:
    said = {agent: phrase.of([(agent,), *values], parts) for agent in agents}
    return join({agent: found for agent, found in said.items() if isinstance(found, Formula)})


def _of_the(stem: str, said: dict[str, Formula]) -> Formula:
    """Return the formula that says of the only agent with a fact what is said of each."""
    return disjunction(s.Atom(f"{stem}_{agent}") & found for agent, found in said.items())


def together(parts: Sequence[Formula], scope: Scope) -> Formula:
    """Return the conjunction or disjunction of what is said of each of several agents.

    What they all know, or one of them knows, is the operator of that scope.
    """
    first = parts[0]
    if isinstance(first, s.Modal) and first.scope is Scope.AGENT:
        alike = all(isinstance(part, type(first)) and part.children == first.children for part in parts)
        kind = modal(scope, first.mode) if first.mode is not Mode.DIAMOND else None
        if alike and kind is not None:
            return kind._make(group_of([agent for part in parts for agent in part.label]), first.children)
    return disjunction(parts) if scope is Scope.SOME else conjunction(parts)


def _of_facts(way: Callable[[str], str | None], vocabulary: Vocabulary | None) -> Iterator[Phrase]:
    """Yield the phrases of facts about agents: those of all games, and those of the known atoms."""
    for words, (stem, contrary) in facts_about(vocabulary).items():
        for denied in (False, True):
            if template := way(fact_template(words, denied=denied)):
                yield Phrase(pieces_of(template, group=False), s.Atom, Fact(stem), denied is not contrary)


def facts_about(vocabulary: Vocabulary | None) -> dict[str, tuple[str, bool]]:
    """Return the words for facts, with the stem of the atoms of each and whether they deny it."""
    found = {words: (stem, False) for words, stem in _stems(vocabulary).items()}
    if ("dead", False) in found.values():
        found.setdefault("alive", ("dead", True))
    return found


def _stems(vocabulary: Vocabulary | None) -> dict[str, str]:
    """Return the words for facts about agents, with the stem of the atoms of each."""
    stems = {words: stem for stem, words in FACTS.items()}
    stems |= {words.removesuffix(" wolf"): stem for words, stem in stems.items() if words.startswith("the ")}
    if vocabulary:
        own = {atom.partition("_")[0] for atom in vocabulary.atoms if "_" in atom}
        stems = {words: stem for words, stem in stems.items() if stem in own}
        stems |= {stem: stem for stem in own - FACTS.keys()} | dict(vocabulary.facts)
    return stems


def _who_is(way: Callable[[str], str | None], vocabulary: Vocabulary | None) -> Iterator[Asking]:
    """Yield the phrases for knowing which agent has a fact: "{} knows who the seer is"."""
    box = modal(Scope.AGENT, Mode.BOX)
    if vocabulary is None or box is None:
        return
    for words, stem in _stems(vocabulary).items():
        atoms = [atom for agent in vocabulary.agents if (atom := f"{stem}_{agent}") in vocabulary.atoms]
        for verb, denied in (("knows", False), ("can tell", False), ("does not know", True)):
            endings = (f"who {_definite(words)} is", f"who is {words}")
            for ending in endings[words in FACTS :]:  # not "who good is"
                template = way(f"{{}} {verb} {ending}")
                if template and atoms:
                    made = partial(_of_some, box, tuple(map(s.Atom, atoms)))
                    yield Asking(pieces_of(template, group=False), made, denied)


def _definite(words: str) -> str:
    """Return the words for a role with the definite article."""
    return f"the {words.removeprefix('a ').removeprefix('the ')}"


def _ruled_out(way: Callable[[str], str | None], vocabulary: Vocabulary | None) -> Iterator[Asking]:
    """Yield the phrases for knowing the contrary: "{} can rule out that"."""
    box = modal(Scope.AGENT, Mode.BOX)
    if vocabulary is None or box is None:
        return
    for verb in ("rule out", "exclude"):
        for words, denied in (
            (f"{{}} can {verb}", False),
            (f"{{}} does not {verb}", True),
            (f"{{}} can not {verb}", True),
            (f"{{}} {verb.replace(' ', 's ', 1) if ' ' in verb else f'{verb}s'}", False),
        ):
            template = way(f"{words} that …")
            if template:
                yield Asking(pieces_of(template, group=False), partial(_excluded, box), denied)


def _excluded(box: type[s.Modal], values: Sequence[Any], parts: tuple[Formula, ...]) -> Formula:
    return box._make(values[0], (~parts[0],))


def _possibly(vocabulary: Vocabulary | None) -> Iterator[Asking]:
    """Yield the phrases of questions about some or all worlds: "could {} be", "is it possible that"."""
    if vocabulary is None:
        return
    somewhere, everywhere = modal(Scope.WORLDS, Mode.DIAMOND), modal(Scope.WORLDS, Mode.BOX)
    considers = modal(Scope.AGENT, Mode.DIAMOND)
    if somewhere is None or everywhere is None or considers is None:
        return

    def of_fact(kind: type[s.Modal], stem: str, denied: bool) -> Callable[..., Formula]:
        def made(values: Sequence[Any], _: tuple[Formula, ...]) -> Formula:
            atom = s.Atom(vocabulary.atom(f"{stem}_{values[0][0]}"))
            return kind._make((), (~atom if denied else atom,))

        return made

    verbs = [(f"{verb} {{}} be", somewhere) for verb in ("could", "can", "might", "may")]
    verbs += [("must {} be", everywhere), ("does {} have to be", everywhere)]
    for start, kind in verbs:
        for words, (stem, denied) in facts_about(vocabulary).items():
            for more in ("", "not "):
                pieces = pieces_of(f"{start} {more}{words}", group=False)
                yield Asking(pieces, of_fact(kind, stem, denied is not bool(more)))
    for words, kind in (("possible", somewhere), ("certain", everywhere)):
        for template in (f"is it {words} that", f"it is {words} that"):
            yield Asking((template, Slot.CLAUSE), lambda _, parts, kind=kind: kind._make((), parts))  # type: ignore[misc]
    yield Asking(
        pieces_of("is it possible for {} that …", group=False),
        lambda values, parts: considers._make(values[0], parts),
    )


def _of_some(
    box: type[s.Modal], facts: tuple[Formula, ...], values: Sequence[Any], _: tuple[Formula, ...]
) -> Formula:
    return disjunction(box._make(values[0], (fact,)) for fact in facts)


def _with_a_hole(vocabulary: Vocabulary | None) -> Iterator[Asking]:
    """Yield the phrases that begin questions with a hole: "who knows that", "who is", "how likely"."""
    said: list[AnyPhrase] = [
        *_of_facts(lambda template: template, vocabulary),
        *_who_is(lambda template: template, vocabulary),
    ]
    known = [wording.phrase for wording in wordings() if issubclass(wording.kind, s.OfAgent | s.KnowsValue)]
    for phrase in (*said, *(phrase for phrase in known if phrase.pieces[0] is Slot.AGENT)):
        pieces = f"who {phrase.pieces[1]}", *phrase.pieces[2:]
        yield Asking(pieces, lambda values, parts, phrase=phrase: Who(phrase, tuple(values), parts))  # type: ignore[misc]
    chance = s.Probability.english.says
    questions = (
        "how likely does {} hold it that …",
        "how likely does {} think it is that …",
        "how likely is it for {} that …",
        "how sure is {} that …",
        "how certain is {} that …",
        f"what is {chance}",
    )
    for words in questions:
        pieces = pieces_of(words, group=False)
        yield Asking(pieces, lambda values, parts: HowLikely(values[0][0], parts[0]))
    for plain in ("how likely is it that", "what is the probability that"):
        yield Asking((plain, Slot.CLAUSE), lambda _, parts: HowLikely(None, parts[0]))
