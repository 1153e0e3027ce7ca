"""Reading formulas and questions in plain English.

The parser reads everything that `to_sentence` writes, and what people type instead: "p holds" and a bare
"p", "Di is alive", "doesn't", "everybody", "could Di be a wolf?", "who knows who the wolf is?". A yes-or-no
question is read as the sentence it asks about: "does a know that p?" is K_a p.

There are two passes. The first tries the sentences that are written, with one reading each; its time is
linear. The second tries the wide grammar, for sentences of a limited length. A sentence with two readings is
refused, with both; so is a pronoun that may stand for two agents.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache, reduce
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from kripke_werewolf.errors import FormulaError, FormulaSyntaxError, near_misses
from kripke_werewolf.language import phrases as p
from kripke_werewolf.language.chart import Chart, Readings, Token
from kripke_werewolf.language.formulas import Formula, all_operators
from kripke_werewolf.language.grammar import grammar
from kripke_werewolf.language.names import QUANTIFIED
from kripke_werewolf.language.parser import parse
from kripke_werewolf.language.questions import HIM, Question, Vocabulary, formulas_in
from kripke_werewolf.language.sentences import WORD, People, first_words, in_quotes, to_sentence

if TYPE_CHECKING:
    from kripke_werewolf.semantics.action import ActionModel


def from_sentence(
    text: str,
    *,
    people: Mapping[Any, str] | None = None,
    actions: Mapping[str, ActionModel] | None = None,
    vocabulary: Vocabulary | None = None,
) -> Formula:
    """Read a sentence or a yes-or-no question, with or without a capital and a full stop.

    `people`: the names of agents in the sentence; `actions`: the action models denoted by names of actions;
    `vocabulary`: the known names; all others are errors.

    >>> print(from_sentence("Player 2 knows that player 3 does not know that player 4 is a wolf."))
    K_2 ~K_3 wolf_4
    >>> print(from_sentence("Does Mary know that John believes that p?"))
    K_Mary K_John p

    Raises `FormulaSyntaxError`, which shows the place, the words that were not understood, what was expected
    there, and similar words.
    """
    found = _read(text, People(people), vocabulary, "Asked")
    assert isinstance(found, Formula)
    return found.bind(**actions) if actions else found


def read_question(text: str, vocabulary: Vocabulary) -> Question:
    """Read a formula, a sentence, a yes-or-no question, or one that begins with "who" or "how likely".

    A formula may be followed by a question mark.

    >>> about = Vocabulary(("Bo", "Di"), ("wolf_Bo", "wolf_Di"))
    >>> print(read_question("K_Bo wolf_Di", about), read_question("does Bo know that Di is a wolf?", about))
    K_Bo wolf_Di K_Bo wolf_Di
    >>> print(read_question("who knows that Di is a wolf?", about).of("Bo"))
    K_Bo wolf_Di

    Raises `FormulaSyntaxError` for a string that is neither; the more likely reading is reported first.
    """
    wrong: Formula | FormulaSyntaxError
    text = _spelt(text, vocabulary)
    if _ASKING.match(text):
        with suppress(FormulaSyntaxError):
            return _read(text, People(None), vocabulary, "Q")
    known = {*vocabulary.agents, *dict(vocabulary.numbers)}
    try:
        wrong = parse(text.rstrip().removesuffix("?"), agents=vocabulary.agents)
        if wrong.agents <= known:
            return wrong  # else "nobody knows that p" may be of an agent called nobody, but is not
    except FormulaSyntaxError as error:
        wrong = _with_known_names(error, vocabulary).within(text)
    try:
        return _read(text, People(None), vocabulary, "Q")
    except FormulaSyntaxError as error:
        if isinstance(wrong, Formula):
            return wrong
        for question, answer in p.OTHER_QUESTIONS.items():
            if asked := re.match(rf"\s*((?ai:{question}))\b", text):
                raise FormulaSyntaxError(text, asked.start(1), (), answer, what="sentence") from None
        if _ASKING.match(text) or isinstance(error, SeveralMeanings):
            raise
        formal = _SIGN.search(text if wrong.position >= error.position else text.split(" ")[0])
        first, second = (wrong, error) if formal else (error, wrong)
        raise first.beside(second) from None


def _with_known_names(error: FormulaSyntaxError, vocabulary: Vocabulary) -> FormulaSyntaxError:
    """Return an error without suggestions of unknown atoms; for `role_Di=seer` it suggests `seer_Di`."""
    guesses = (re.sub(r"\w+?_(\w+)\s*==?\s*(\w+)", r"\2_\1", error.text), error.meant)
    for meant in guesses if error.meant else ():
        with suppress(FormulaSyntaxError):
            found = parse(str(meant), agents=vocabulary.agents)
            if {*map(vocabulary.atom, found.atoms)} <= {*vocabulary.atoms}:
                return error.suggesting(meant)
    return error.suggesting(None)


def _spelt(text: str, vocabulary: Vocabulary) -> str:
    """Return the string with the names of agents in their own characters, however accents were typed."""
    for name in () if text.isascii() else vocabulary.agents:
        for typed in {normalize("NFC", name), normalize("NFD", name)} - {name}:
            text = text.replace(typed, name)
    return text


_SIGN = re.compile(r"[_{}()\[\]&|~^<>=]")
_ASKING = re.compile(
    r"\s*(?ai:do|does|did|is|are|was|were|has|have|can|could|may|might|must|who|whom|which|what|how)\b"
)
"""The beginnings of questions in English, which formulas do not have."""
# --- tokens --------------------------------------------------------------------------------------

_EVERYBODY = frozenset(word for words in QUANTIFIED.values() for word in words) | {"who", "which"}


def _low(word: str) -> str:
    """Return a word in small letters, but for the letters beyond ASCII that Unicode takes for capitals."""
    return word.lower() if word.isascii() else word


@dataclass(slots=True)
class _Word:
    """A word of a sentence, its place, and what it may be."""

    text: str
    place: int
    low: str
    kinds: dict[str, Any] = field(default_factory=dict)

    def strange(self, known: Container[str]) -> bool:
        """Whether it is neither a word of a grammar nor a known name."""
        return self.text[0].isalpha() and not any(kind in known for kind in self.kinds if kind != "<any>")


@dataclass(frozen=True)
class _Names:
    """The names that may occur, and the pattern of the words of a sentence."""

    called: Mapping[str, str]
    """The agents by what they are called."""
    vocabulary: Vocabulary | None
    known: Vocabulary | None
    """The vocabulary without the agent who asks, on whom the grammar does not depend."""
    atoms: frozenset[str]
    pattern: re.Pattern[str]

    def words(self, text: str, end: int) -> list[_Word]:
        """Return the words of a string up to a place."""
        tokens = self.pattern.finditer(text, 0, end)
        found = [_Word(token[0], token.start(), _low(token[0]).replace("’", "'")) for token in tokens]
        after = [word.low for word in found[1:]]
        return [
            word
            for word, following in zip(found, [*after, ""], strict=False)
            if word.low != "," or following not in p.JOINTS
        ]

    def kinds(self, word: _Word) -> Iterator[tuple[str, Any]]:
        """Yield the words and classes that a word may be, each with its value."""
        name, about = word.text, self.vocabulary
        person, quoted = " ".join(name.split()), len(name) > 1 and name[0] == '"'
        if person in self.called:
            yield "<person>", self.called[person]
        if quoted:
            with suppress(ValueError):
                name = str(json.loads(name, strict=False))
        else:
            yield word.low, None
            number = p.NUMBERS.get(word.low, name)
            if re.fullmatch(r"[0-9]+", number):
                yield from (("<number>", number), ("<rational>", number))
                if about and number == name and about.agent(number) in about.agents:
                    yield "<person>", about.agent(number)
            elif re.fullmatch(r"[0-9]+(\.[0-9]+|/0*[1-9][0-9]*)", name):
                yield "<rational>", name
        if (
            name
            if quoted and name != word.text
            else re.fullmatch(WORD, name) and word.low not in first_words()
        ):
            yield "<any>", name
            if about is None and person not in self.called:
                yield from (("<name>", name), ("<atom>", name))
            elif about and name in about.agents:
                yield "<person>", name
            if about and (name in self.atoms or ("_" in name and about.atom(name) in self.atoms)):
                yield "<atom>", name if name in self.atoms else about.atom(name)


@lru_cache(maxsize=32)
def _names(people: tuple[tuple[str, str], ...], vocabulary: Vocabulary | None) -> _Names:
    called = dict(people)
    if vocabulary:
        called |= _in_any_case(vocabulary) | {" ".join(name.split()): name for name in vocabulary.agents}
    names = sorted(called, key=len, reverse=True)
    persons = "|".join(r"\s+".join(map(re.escape, name.split())) for name in names) or "(?!)"
    pattern = re.compile(rf"(?P<person>(?:{persons})(?!\w))|{p.TOKEN}")
    known = replace(vocabulary, asker="") if vocabulary else None
    return _Names(called, vocabulary, known, frozenset(vocabulary.atoms if vocabulary else ()), pattern)


def _in_any_case(vocabulary: Vocabulary) -> dict[str, str]:
    """Return the names of agents in small or capital letters, except where these mean something else."""
    agents = [
        agent for agent in vocabulary.agents if agent.islower() or agent.lower() not in vocabulary.agents
    ]
    number = Counter(agent.lower() for agent in agents)
    words = first_words() | {"a", "an", "the"}
    return {
        said: agent
        for agent in agents
        if number[small := agent.lower()] == 1 and len(small) > 1 and words.isdisjoint(small.split())
        for said in (small, agent.upper(), agent.title())
        if said not in vocabulary.atoms
    }


# --- reading -------------------------------------------------------------------------------------

_MOST_WORDS = 160
_MOST_ENTRIES = 60_000
"""The limits of the wide grammar: the words of a sentence, and the entries of its chart."""


def _read(text: str, people: People, vocabulary: Vocabulary | None, top: str) -> Question:
    """Return the only reading of a string; raise FormulaSyntaxError if there is none or more than one."""
    if not isinstance(text, str):
        raise FormulaError(f"expected the text of a sentence, got {text!r}")
    reading = _Reading(text, _names(tuple(people.agents.items()), vocabulary), top)
    found = reading.values()
    if len(found) == 1:
        return found[0]
    if found:
        said = (f"{in_quotes(to_sentence(f))} ({f})" if isinstance(f, Formula) else str(f) for f in found[:2])
        error = reading.error(0, f"this has two meanings: {' or '.join(said)}")
        raise SeveralMeanings(reading.unclear[0] if reading.unclear else error, found)
    raise reading.refusal().suggesting("\nor: ".join(reading.suggestions() if vocabulary else ()) or None)


class SeveralMeanings(FormulaSyntaxError):
    """A sentence with several `readings`, each of which can be answered."""

    def __init__(self, error: FormulaSyntaxError, readings: Sequence[Question]) -> None:
        super().__init__(error.text, error.position, (), error.found, what=error.what)
        self.readings = tuple(readings)


class _Reading:
    """The readings of a string."""

    def __init__(self, text: str, names: _Names, top: str) -> None:
        self.text, self.names, self.top = text, names, top
        self.end = len(text.rstrip().rstrip(".?!").rstrip())
        self.asks = text.rstrip().endswith("?")
        self.unclear: list[FormulaSyntaxError] = []
        """What is wrong with its pronouns, unless other readings are found."""
        self.words = names.words(text, self.end)
        for word in self.words:
            word.kinds = dict(names.kinds(word))
        if names.vocabulary:
            self._resolve()
        self.charts: list[Chart] = []
        """The charts that reach farthest."""

    def values(self) -> list[Question]:
        """Return the readings: the written one, or else those of the wide grammar."""
        for wide in (False, True):
            if wide:
                self._pass_over()
                if len(self.words) > _MOST_WORDS:
                    return []
            read = grammar(all_operators(), self.names.known, wide=wide)
            for tokens in self._tokens(read.terminals):
                try:
                    chart = Chart(read, tokens, self.top if wide else "Q", _MOST_ENTRIES if wide else 10**9)
                except OverflowError:
                    return []
                if (self.charts and chart.reached > self.charts[-1].reached) or chart.complete:
                    self.charts = []
                if not self.charts or chart.reached == self.charts[-1].reached:
                    self.charts.append(chart)
                read_as = chart.values() if chart.complete else []
                if self.unclear and any(HIM in str(f) for value in read_as for f in formulas_in(value)):
                    return []
                if found := [value for value in read_as if self._is_known(value)]:
                    return found
        return []

    def _pass_over(self) -> None:
        """Leave out the words that change nothing, if the names are known."""
        place = 0
        while self.names.vocabulary and place < len(self.words):
            sizes = [size for size, meant in self._alike(place) if not meant]
            if sizes:
                self.words[place : place + max(sizes)], self.charts = [], []
            else:
                place += 1

    def _alike(self, place: int) -> Iterator[tuple[int, str]]:
        """Yield for the phrases at a place their numbers of words, and the words that they are read as."""
        for phrase, meant in p.by_first_word().get(self.words[place].low, ()):
            said = self.words[place : place + len(phrase)]
            if [word.low for word in said] == phrase and not (meant == "" and "<person>" in said[0].kinds):
                yield len(phrase), meant

    def _tokens(self, known: Mapping[str, Any]) -> Iterator[Sequence[Token]]:
        """Yield the tokens; if the first is a word and a name, once as each, the word first in a question."""
        tokens: list[dict[str, dict[int, Any]]] = []
        for place, word in enumerate(self.words):
            tokens.append({kind: {1: value} for kind, value in word.kinds.items()})
            for size, meant in self._alike(place):
                tokens[-1].setdefault(meant, {})[size] = None
        if tokens and "<person>" in tokens[0] and not known.keys().isdisjoint({*tokens[0]} - {"<person>"}):
            person = {"<person>": tokens[0].pop("<person>")}
            several = [[tokens[0], *tokens[1:]], [person, *tokens[1:]]]
            yield from several if self.asks else several[::-1]
        else:
            yield tokens

    def _is_known(self, found: Question) -> bool:
        """Whether all names of a reading are known; a pronoun without an antecedent is not."""
        if (about := self.names.vocabulary) is None:
            return True
        moves = tuple(f"{move.stem}_" for move in about.moves)
        selves = {f"{move.stem}_{agent}_{agent}" for move in about.moves for agent in about.agents}
        atoms = frozenset[str]().union(*(f.atoms for f in formulas_in(found))) - self.names.atoms
        agents = frozenset[str]().union(*(f.agents for f in formulas_in(found)))
        named = all(atom.startswith(moves) and HIM not in atom for atom in atoms)
        return agents <= {*about.agents} and named and atoms.isdisjoint(selves)

    # --- pronouns --------------------------------------------------------------------------------

    def _resolve(self) -> None:
        """Give pronouns the agents that they may stand for."""
        asker = self.names.vocabulary and self.names.vocabulary.asker
        words, place = self.words, 0
        while place < len(words):
            word, following = words[place], words[place + 1].low if place + 1 < len(words) else ""
            speaks = word.low in ("i", "me", "my", "myself") and asker
            owns = word.low in p.POSSESSIVES and (following in ("role", "card") or word.low == "my")
            if (
                "<person>" not in word.kinds
                and following != "own"
                and (owns or speaks or word.low in p.PRONOUNS)
            ):
                meant = (asker,) if speaks else self._meant(words[:place], word)
                word.kinds |= {"<person>": meant[0] if len(meant) == 1 else Readings(meant)} if meant else {}
                if owns and meant:
                    words.insert(place + 1, _Word("'s", word.place, "'s", {"'s": None}))
            place += 1

    def _meant(self, before: Sequence[_Word], pronoun: _Word) -> tuple[str, ...]:
        """Return the agents that a pronoun may stand for: those named before it, or each of several."""
        groups: list[tuple[str, ...]] = []
        listed, last = False, ""
        for word, following in zip(before, [*before[1:], pronoun], strict=False):
            agent = word.kinds.get("<person>")
            if isinstance(agent, str) and not (word is before[0] and self.asks and word.low in _EVERYBODY):
                joined = groups.pop() if listed and last in (*p.JOINTS, ",") else ()
                groups.append((*joined, agent))
            elif word.low in _EVERYBODY:
                groups.append((word.text,))
            elif word.low == "the" and last not in ("is", "are", "not"):
                groups.append((f"the {following.text}",))
            listed = agent is not None or (listed and word.low in (*p.JOINTS, ",", "player", "players"))
            last = last if word.low == "player" else word.low
        said, different = in_quotes(pronoun.text), list(dict.fromkeys(groups))
        if not different:
            self.unclear.append(
                self.error(pronoun.place, f"{said} stands for nobody named before: write a name")
            )
        elif len(different) > 1:
            who = " or ".join(" and ".join(group) for group in different)
            self.unclear.append(
                self.error(pronoun.place, f"{said} may stand for {who}: write the name instead")
            )
        known = self.names.called.values()
        return tuple(
            dict.fromkeys(group[0] if len(group) == 1 and group[0] in known else HIM for group in different)
        )

    # --- errors ----------------------------------------------------------------------------------

    def error(self, place: int, found: str, expected: Sequence[str] = ()) -> FormulaSyntaxError:
        """Return the error for words that were not understood."""
        return FormulaSyntaxError(self.text, place, expected, found, what="sentence")

    def refusal(self) -> FormulaSyntaxError:
        """Return the error for a string without a reading."""
        chart, known = self.charts[-1], self.charts[-1].grammar.terminals
        for word in self.words[: chart.reached + 1] if self.names.vocabulary else ():
            if word.low in p.SPEAKERS and "<person>" not in word.kinds:
                way = "write the name of a player instead, or say who asks (asker=, on the command line --as)"
                return self.error(word.place, f"{in_quotes(word.text)}: {way}")
        if self.unclear or chart.complete:
            return self.unclear[0] if self.unclear else self._unknown()
        expected = self._expected()
        parts = sorted(expected, key=lambda part: part not in _SHOWN)
        shown = [expected[part] if part in _SHOWN else f"'{expected[part]}'" for part in parts]
        wanted = [*dict.fromkeys(shown)][:_OFFERED]
        if chart.reached >= len(self.words):
            if not self.words:
                return self.error(self.end, "the sentence is empty", ["a clause"])
            return self.error(self.end, "the sentence ends too early", wanted)
        word = self.words[chart.reached]
        if word.text[0] == '"' and len(word.text) > 1 and not word.kinds:
            found = "a name is empty" if word.text == '""' else f"{word.text} is not quoted as in JSON"
            return self.error(word.place, found)
        near = _meaning([expected[like] for like in get_close_matches(word.low, expected, 1, _SIMILAR)])
        if not word.strange(known):
            return self.error(word.place, f"unexpected {in_quotes(word.text)}{near}", wanted)
        rest = takewhile(lambda other: other.strange(known), self.words[chart.reached :])
        last = [word, *rest][-1 if self.names.vocabulary else 0]
        said = in_quotes(self.text[word.place : last.place + len(last.text)])
        agents = [*dict.fromkeys(self.names.called.values())]
        if "_" in word.text and self.names.atoms:
            near = _meaning(near_misses(word.text, self.names.atoms))
            return self.error(word.place, f"there is no atom {said}{near}")
        if agents and _A_NAME in expected.values() and not near:
            similar = _meaning(near_misses(word.text, agents))
            few = not similar and len(agents) <= _FEW
            return self.error(word.place, f"nobody is called {said}{similar}", agents if few else ())
        return self.error(word.place, f"{said} is not understood{near}", () if near else wanted)

    def _expected(self) -> dict[str, str]:
        """Return the words and parts that might have come where the readings end."""
        nothing: dict[str, str] = {}
        return reduce(lambda found, chart: found | chart.expected(_SHOWN) | found, self.charts, nothing)

    def _unknown(self) -> FormulaSyntaxError:
        """Return the error for words that can be joined, but mean nothing about the known names."""
        for word, following in zip(self.words, self.words[1:], strict=False):
            if word.low == "player" and "<number>" in following.kinds and "<person>" not in following.kinds:
                return self.error(word.place, f"nobody is called {in_quotes(following.text)}")
            if following.low == "together":
                return self.error(following.place, '"together" is said of what several players know')
        return self.error(0, "these words name nothing that there is here")

    def suggestions(self) -> Iterator[str]:
        """Yield at most two similar questions that can be read."""
        found: dict[str, None] = {}
        for tried in islice(dict.fromkeys(self._mended()), _TRIED):
            with suppress(FormulaSyntaxError):
                if tried and len(found) < 2 and len(_Reading(tried, self.names, self.top).values()) == 1:
                    found[f"{tried}?"] = None
        yield from found

    def _mended(self) -> Iterator[str]:
        """Yield the text with a word replaced, added or left out, and parts of it."""
        expected, at = (
            self._expected(),
            self.charts[-1].reached,
        )
        words = [word.text for word in self.words]
        for offered, others in p.OFFERED.items():
            for place in (place for place, word in enumerate(self.words) if word.low in others.split("|")):
                yield _joined([*words[:place], offered, *words[place + 1 :]])
        near = get_close_matches(words[at].lower(), expected, 2, _SIMILAR) if at < len(words) else []
        near += near_misses(words[at], self.names.called.values(), 1) if at < len(words) else []
        for like in near:
            yield _joined([*words[:at], like, *words[at + 1 :]])
        yield from (
            _joined([*words[:at], word, *words[at:]]) for word in ("that", "is", "a") if word in expected
        )
        yield re.sub(r"\band\b(?!.*\band\b)", "and that", self.text[: self.end])
        yield _joined([*words[:at], *words[at + 1 :]])
        yield _joined(words[: max((end for chart in self.charts for end in chart.prefixes), default=0)])
        yield from re.split(r"\s*[,;:.!?…]+\s*|\b(?:if|whether|when)\s+", self.text[: self.end])[::-1]


_OFFERED = 6  # things that an error names as expected
_FEW = 12  # names that an error lists
_TRIED = 12  # readings tried for suggestions
_SIMILAR = 0.7  # the similarity from which a word is suggested
_A_NAME = "a name"
_CLAUSE = "a clause (player 2 knows that …, p is true, both … and …, if …)"
_SHOWN = {
    **dict.fromkeys(("S", "Asked"), _CLAUSE),
    **dict.fromkeys(("Name", "Person", "Subject", "Group", "Group2", "Plain", "Amount", "Any"), _A_NAME),
    **dict.fromkeys(("Is", "Is1", "Fact1", "Passive"), "'is a wolf' (a seer, dead, …)"),
    **dict.fromkeys(("Count", "Number", "Bound", "<number>"), "a number"),
    "the end": "the end",
}
"""What is shown for parts that were expected."""


def _joined(words: Sequence[str]) -> str:
    return re.sub(r" (?='s|,)", "", " ".join(words))


def _meaning(near: Sequence[str]) -> str:
    return f"; did you mean {' or '.join(map(in_quotes, near[:2]))}?" if near else ""
