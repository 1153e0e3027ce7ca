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
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, islice, takewhile
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from kripke_werewolf.errors import FormulaError, FormulaSyntaxError, near_misses
from kripke_werewolf.language.chart import Chart
from kripke_werewolf.language.formulas import Formula, all_operators
from kripke_werewolf.language.grammar import ALIKE, grammar
from kripke_werewolf.language.names import QUANTIFIED
from kripke_werewolf.language.parser import parse
from kripke_werewolf.language.questions import HIM, HowLikely, Question, Vocabulary, Who
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
        wrong = parse(text, agents=vocabulary.agents)
        if wrong.agents <= known:
            return wrong  # else "nobody knows that p" may be of an agent called nobody, but is not
    except FormulaSyntaxError as error:
        wrong = _with_known_names(error, vocabulary)
    try:
        return _read(text, People(None), vocabulary, "Q")
    except FormulaSyntaxError as error:
        if isinstance(wrong, Formula):
            return wrong
        with suppress(FormulaSyntaxError):
            stated = parse(text.rstrip().removesuffix("?"), agents=vocabulary.agents)
            if stated.agents <= known:
                return stated
        for question, answer in _OTHER_QUESTIONS:
            if asked := question.match(text):
                raise FormulaSyntaxError(text, asked.start(1), (), answer, what="sentence") from None
        if _ASKING.match(text):
            raise
        ahead = wrong.position - error.position
        formal = _SIGN.search(text if ahead >= 0 else text.split(" ")[0])
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
_OTHER_QUESTIONS = (
    (
        re.compile(r"\s*((?ai:who\s+(?:has\s+)?(?:won|wins)|is\s+the\s+game\s+over))"),
        "the end of the game is no fact of a world; `table` prints who has won, in Python game.verdict",
    ),
    (
        re.compile(r"\s*((?ai:what)\s+(?ai:do|does|can)\b.*\b(?ai:know|tell))"),
        '"what" is not a yes-or-no question; what players know about each other is printed by the command '
        "`knowledge`, in Python by game.knowledge()",
    ),
    (
        re.compile(r"\s*((?ai:why)\b)"),
        '"why" is not asked in words; ask the question itself with --explain, in Python .explain()',
    ),
    (
        re.compile(r"\s*((?ai:since\s+when|when|how\s+long)\b)"),
        '"when" is not asked in words; ask the question itself with --since, in Python game.since()',
    ),
)
"""The beginnings of questions that no formula answers, and where their answer is found."""


# --- tokens --------------------------------------------------------------------------------------

_NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    "twenty",
)
_NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS)}
_TOKEN = r'"(?:[^"\\\n]|\\.)*"|[0-9]+(?:/[0-9]+|\.[0-9]+)?(?![\w\'])|\w[\w\'’]*|[\'’](?:s|re)(?!\w)|[^\s]'
_SHORT = re.compile(r"(?ai:(can)(?:not|['’]t)|(\w+)(n['’]t)|(he|she|they|it|who|what|there)(['’](?:s|re)))")
"""Words written together: "can't", "doesn't", "she's"."""
_JOINTS = ("and", "or", "nor", "then", "but")
_PRONOUNS = re.findall(r"\w+", "he she they him them himself herself themselves themself her")
_POSSESSIVES = re.findall(r"\w+", "his her their")
_SPEAKERS = ("i", "you", "me", "my", "your", "we", "us", "our", "myself", "yourself")
_MEANT = {word: {word, meant} for meant, alike in ALIKE.items() for word in alike}
_EVERYBODY = frozenset(word for words in QUANTIFIED.values() for word in words) | {"who", "which"}


def _low(word: str) -> str:
    """Return a word in small letters, but for the letters beyond ASCII that Unicode takes for capitals."""
    return word.lower() if word.isascii() else word


@dataclass(slots=True)
class _Word:
    """A word of a sentence, its place, and what it may be."""

    text: str
    place: int
    low: str = ""
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
    atoms: frozenset[str]
    pattern: re.Pattern[str]

    def words(self, text: str, end: int) -> list[_Word]:
        """Return the words of a string up to a place."""
        found: list[_Word] = []
        for token in self.pattern.finditer(text, 0, end):
            short = _SHORT.fullmatch(token[0]) if not token["person"] else None
            if short is None:
                found.append(_Word(token[0], token.start()))
                continue
            first, *_ = parts = [part for part in short.groups() if part]
            found.append(_Word(first, token.start()))
            found.append(_Word(parts[1] if len(parts) > 1 else "n't", token.start() + len(first)))
        for word in found:
            word.low = "'" + word.text[1:] if word.text[0] == "’" else _low(word.text).replace("’", "'")
        after = [word.low for word in found[1:]]
        return [
            word
            for word, following in zip(found, [*after, ""], strict=False)
            if word.low != "," or following not in _JOINTS
        ]

    def kinds(self, word: _Word) -> Iterator[tuple[str, Any]]:
        """Yield the words and classes that a word may be, each with its value."""
        text, about = word.text, self.vocabulary
        person = " ".join(text.split())
        if person in self.called:
            yield "<person>", self.called[person]
        if len(text) > 1 and text[0] == '"':
            with suppress(ValueError):
                name = str(json.loads(text, strict=False))
                if name:
                    yield "<any>", name
                    yield from self._named(name)
            return
        for meant in _MEANT.get(word.low, (word.low,)):
            yield meant, None
        number = _NUMBERS.get(word.low, text)
        if re.fullmatch(r"[0-9]+", number):
            yield "<number>", number
            if about and number == text and about.agent(number) in about.agents:
                yield "<person>", about.agent(number)
        if text[0] in "0123456789" and not re.search(r"[^0-9/.]", text):
            yield "<rational>", text
        if re.fullmatch(WORD, text) and word.low not in first_words():
            yield "<any>", text
            if person not in self.called or about:
                yield from self._named(text)

    def _named(self, name: str) -> Iterator[tuple[str, Any]]:
        if self.vocabulary is None:
            yield "<name>", name
            yield "<atom>", name
            return
        if name in self.vocabulary.agents:
            yield "<person>", name
        if name in self.atoms:
            yield "<atom>", name
        elif "_" in name and (atom := self.vocabulary.atom(name)) in self.atoms:
            yield "<atom>", atom


@lru_cache(maxsize=32)
def _names(people: tuple[tuple[str, str], ...], vocabulary: Vocabulary | None) -> _Names:
    called = dict(people)
    if vocabulary:
        called |= _in_any_case(vocabulary) | {" ".join(name.split()): name for name in vocabulary.agents}
    known = sorted(called, key=len, reverse=True)
    persons = "|".join(r"\s+".join(map(re.escape, name.split())) for name in known) or "(?!)"
    pattern = re.compile(rf"(?P<person>(?:{persons})(?!\w))|{_TOKEN}")
    return _Names(called, vocabulary, frozenset(vocabulary.atoms if vocabulary else ()), pattern)


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
        meant = (
            f"{in_quotes(to_sentence(f))} ({f})" if isinstance(f, Formula) else str(f) for f in found[:2]
        )
        raise reading.error(0, f"this has two meanings: {' or '.join(meant)}")
    raise reading.refusal().suggesting("\nor: ".join(reading.suggestions() if vocabulary else ()) or None)


class _Reading:
    """The readings of a string."""

    def __init__(self, text: str, names: _Names, top: str) -> None:
        self.text, self.names, self.top = text, names, top
        self.end = len(text.rstrip().rstrip(".?!").rstrip())
        self.asks = text.rstrip().endswith("?")
        self.words = names.words(text, self.end)
        if names.vocabulary:
            self.words = self._resolved(self.words)
        for word in self.words:
            word.kinds = word.kinds or dict(names.kinds(word))
        self.charts: list[Chart] = []
        """The charts that reach farthest."""

    def values(self) -> list[Question]:
        """Return the readings: the written one, or else those of the wide grammar."""
        for wide in (False, True):
            if wide and len(self.words) > _MOST_WORDS:
                return []
            read = grammar(all_operators(), self.names.vocabulary, wide=wide)
            for tokens in self._tokens(read.terminals):
                try:
                    chart = Chart(read, tokens, self.top if wide else "Q", _MOST_ENTRIES if wide else 10**9)
                except OverflowError:
                    return []
                if (self.charts and chart.reached > self.charts[-1].reached) or chart.complete:
                    self.charts = []
                if not self.charts or chart.reached == self.charts[-1].reached:
                    self.charts.append(chart)
                if chart.complete and (found := [v for v in chart.values() if self._is_known(v)]):
                    return found
        return []

    def _tokens(self, known: Mapping[str, Any]) -> Iterator[list[Mapping[str, Any]]]:
        """Yield the tokens; if the first is a word and a name, once as each, the word first in a question."""
        first, *rest = [word.kinds for word in self.words] or [{}]
        word = {kind: value for kind, value in first.items() if kind != "<person>"}
        if "<person>" not in first or known.keys().isdisjoint(word):
            yield [first, *rest] if first else []
            return
        person = {"<person>": first["<person>"]}
        yield [word if self.asks else person, *rest]
        yield [person if self.asks else word, *rest]

    def _is_known(self, found: Question) -> bool:
        """Whether all names of a reading are known; a pronoun without an antecedent is not."""
        if (about := self.names.vocabulary) is None:
            return True
        moves = tuple(f"{move.stem}_" for move in about.moves)
        match found:
            case Who():
                parts = [f for _, f in found.answers]
            case HowLikely():
                parts = [found.body, found.body if found.other is None else found.other]
            case _:
                parts = [found]
        atoms = frozenset[str]().union(*(f.atoms for f in parts)) - self.names.atoms
        agents = frozenset[str]().union(*(f.agents for f in parts))
        return agents <= {*about.agents} and all(a.startswith(moves) and HIM not in a for a in atoms)

    # --- pronouns --------------------------------------------------------------------------------

    def _resolved(self, words: list[_Word]) -> list[_Word]:
        """Return the words with names for pronouns; raise FormulaSyntaxError where it is not clear whose."""
        found: list[_Word] = []
        for place, word in enumerate(words):
            following = words[place + 1].low if place + 1 < len(words) else ""
            owns = word.low in _POSSESSIVES and following in ("role", "card")
            named = " ".join(word.text.split()) in self.names.called
            if word.low in _SPEAKERS and not named:
                raise self.error(word.place, f"{in_quotes(word.text)}: write the name of a player instead")
            if named or following == "own" or not (owns or word.low in _PRONOUNS):
                found.append(word)
                continue
            found.append(
                _Word(word.text, word.place, word.low, {"<person>": self._meant(words[:place], word)})
            )
            found += [_Word("'s", word.place, "'s")] * owns
        return found

    def _meant(self, before: Sequence[_Word], pronoun: _Word) -> str:
        """Return the agent that a pronoun stands for: the only one named before it, or each of several."""
        groups: list[tuple[str, ...]] = []
        listed, last = False, ""
        for word, following in zip(before, [*before[1:], pronoun], strict=True):
            agent = dict(self.names.kinds(word)).get("<person>")
            if agent is not None and not (word is before[0] and self.asks and word.low in _EVERYBODY):
                groups[len(groups) - (listed and last in (*_JOINTS, ",")) :] = [
                    (*(groups[-1] if listed and last in (*_JOINTS, ",") else ()), agent)
                ]
            elif word.low in _EVERYBODY:
                groups.append((word.text,))
            elif word.low == "the" and last not in ("is", "are", "not"):
                groups.append((f"the {following.text}",))
            listed = agent is not None or (listed and word.low in (*_JOINTS, ",", "player", "players"))
            last = last if word.low == "player" else word.low
        said = in_quotes(pronoun.text)
        different = list(dict.fromkeys(groups))
        if not different:
            raise self.error(pronoun.place, f"{said} stands for nobody named before: write a name")
        if len(different) > 1:
            who = " or ".join(" and ".join(group) for group in different)
            raise self.error(pronoun.place, f"{said} may stand for {who}: write the name instead")
        return (
            different[0][0]
            if different[0][0] in self.names.called.values() and len(different[0]) == 1
            else HIM
        )

    # --- errors ----------------------------------------------------------------------------------

    def error(self, place: int, found: str, expected: Sequence[str] = ()) -> FormulaSyntaxError:
        """Return the error for words that were not understood."""
        return FormulaSyntaxError(self.text, place, expected, found, what="sentence")

    def refusal(self) -> FormulaSyntaxError:
        """Return the error for a string without a reading."""
        chart, known = self.charts[-1], self.charts[-1].grammar.terminals
        if chart.complete:
            return self._unknown()
        expected = _Expected(self.charts)
        wanted = expected.shown()
        if chart.reached >= len(self.words):
            early = "the sentence ends too early" if self.words else "the sentence is empty"
            return self.error(self.end, early, wanted)
        word = self.words[chart.reached]
        if word.text[0] == '"' and len(word.text) > 1 and not word.kinds:
            found = "a name is empty" if word.text == '""' else f"{word.text} is not quoted as in JSON"
            return self.error(word.place, found)
        near = _meaning([expected.phrases[like] for like in expected.like(word)])
        if not word.strange(known):
            return self.error(word.place, f"unexpected {in_quotes(word.text)}{near}", wanted)
        rest = takewhile(lambda other: other.strange(known), self.words[chart.reached :])
        last = [word, *rest][-1 if self.names.vocabulary else 0]
        said = in_quotes(self.text[word.place : last.place + len(last.text)])
        agents = [*dict.fromkeys(self.names.called.values())]
        if "_" in word.text and self.names.atoms:
            atoms = near_misses(word.text, self.names.atoms)
            return self.error(word.place, f"there is no atom {said}{_meaning(atoms)}")
        if agents and expected.person and not near:
            similar = _meaning(near_misses(word.text, agents))
            few = not similar and len(agents) <= _FEW
            return self.error(word.place, f"nobody is called {said}{similar}", agents if few else ())
        return self.error(word.place, f"{said} is not understood{near}", () if near else wanted)

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
        for tried in islice(chain(self._mended(), self._similar()), _TRIED):
            with suppress(FormulaSyntaxError):
                if len(found) < 2 and len(_Reading(tried, self.names, self.top).values()) == 1:
                    found[f"{tried}?"] = None
        yield from found

    def _mended(self) -> Iterator[str]:
        """Yield the text with one word replaced by a similar one, or with one word more or less."""
        expected, at = _Expected(self.charts), self.charts[-1].reached
        words = [word.text for word in self.words]
        for place, word in enumerate(self.words):
            if same := _SAME.get(word.low):
                yield _joined([*words[:place], same, *words[place + 1 :]])
        near = expected.like(self.words[at]) if at < len(words) else []
        if expected.person and at < len(words):
            near += near_misses(words[at], self.names.called.values(), 1)
        for like in near:
            yield _joined([*words[:at], like, *words[at + 1 :]])
        for missing in ("that", "is", "a", "the", "it"):
            if missing in expected.phrases:
                yield _joined([*words[:at], missing, *words[at:]])
        yield _joined([*words[:at], *words[at + 1 :]])

    def _similar(self) -> Iterator[str]:
        """Yield the examples of questions that share most words with the text, about the same names."""
        said = {_SAME.get(word.low, word.low) for word in self.words} - _COMMON
        agents = [*dict.fromkeys(self.names.called.values())]
        named = [agent for agent in agents if agent in [word.kinds.get("<person>") for word in self.words]]
        who = [*dict.fromkeys([*named, *agents, "", "", ""])]
        role = next((f"a {role}" for role in ("seer", "villager") if role in said), "a wolf")

        def likeness(example: str) -> float:
            words = {*re.findall(r"\w+", example.format("", "", "", role=role))} - _COMMON
            places = len(set(re.findall(r"\{\d", example)))
            return len(words & said) / (len(words | said) or 1) - 0.1 * abs(places - len(named))

        close = [example for example in EXAMPLES if len(who) > 3 and likeness(example) > _ALIKE]
        for example in sorted(close, key=likeness, reverse=True):
            yield example.format(*who[:3], role=role)


_OFFERED = 6  # things that an error names as expected
_FEW = 12  # names that an error lists
_TRIED = 10  # readings tried for suggestions
_SIMILAR, _ALIKE = 0.7, 0.15  # the similarity from which a word, and an example, is suggested
_CLAUSE = "a clause (player 2 knows that …, p is true, both … and …, if …)"
_SHOWN = {
    **dict.fromkeys(("S", "Asked"), _CLAUSE),
    **dict.fromkeys(("Name", "Person", "Subject", "Group", "Group2", "Plain", "Amount", "Any"), "a name"),
    **dict.fromkeys(("Is", "Is1", "Fact1", "Passive"), "'is a wolf' (a seer, dead, …)"),
    **dict.fromkeys(("Count", "Number", "Bound", "<number>"), "a number"),
    "the end": "the end",
}
"""What is shown for parts that were expected."""
_SAME = {
    **dict.fromkeys(("kill", "bite", "eat", "murder", "target"), "attack"),
    **dict.fromkeys(("killed", "bit", "bitten", "ate", "eaten", "murdered", "targeted"), "attacked"),
    **dict.fromkeys(("inspect", "peek", "scry", "look"), "look at"),
    **dict.fromkeys(("inspected", "peeked", "scried", "looked"), "looked at"),
    **dict.fromkeys(("lynched", "burned", "executed", "hanged", "eliminated", "out"), "dead"),
    **dict.fromkeys(("suspect", "suspects", "deem", "regard"), "think"),
    **dict.fromkeys(("knew", "known", "learn", "learned", "discover", "discovered"), "know"),
    **dict.fromkeys(("remain", "remaining", "survive", "survived"), "alive"),
    "identity": "role",
    "guilty": "evil",
    "innocent": "good",
    "wolfs": "wolves",
    "wolve": "wolf",
    "convinced": "sure",
    "chance": "likely",
    "odds": "likely",
    "probability": "likely",
}
"""Words that are not read, and similar ones that are: they are offered, never taken for them."""
_COMMON = frozenset(
    re.findall(r"\w+", "the a an is are do does did of to that it be in on by for was has have")
)
EXAMPLES = (
    *("does {0} know that {1} is {role}", "does {0} know whether {1} is {role}", "is {0} {role}"),
    *("does {0} know who the wolf is", "does {0} know who the wolves are", "who knows who the wolf is"),
    *("does {0} know their own role", "does {0} know what role {1} has", "what role does {0} have"),
    *("does {0} consider it possible that {1} is {role}", "could {0} be {role}", "who could be {role}"),
    *("does {0} know that {1} knows that {2} is {role}", "does everyone know that {0} is {role}"),
    *("is it common knowledge that {0} is {role}", "do {0} and {1} together know that {2} is {role}"),
    *("does anyone know who the wolf is", "who knows that {0} is {role}", "who is {role}", "who is dead"),
    *("how likely is it that {0} is {role}", "how likely does {0} think it is that {1} is {role}"),
    *("does {0} think {1} is more likely {role} than {2}", "must {0} be {role}", "is {0} dead"),
    *("does {0} give at least 50% to {1} being {role}", "how many wolves are left", "did {0} attack {1}"),
    *("whom did {0} attack", "who attacked {0}", "what did {0} see", "whom did {0} look at"),
    *("does {0} know whom {1} attacked", "does {0} know that {1} looked at {2}"),
)
"""Questions that can be asked of a game, from which the most similar are offered."""


def _joined(words: Sequence[str]) -> str:
    return " ".join(words).replace(" 's", "'s").replace(" ,", ",")


def _meaning(near: Sequence[str]) -> str:
    return f"; did you mean {' or '.join(map(in_quotes, near[:2]))}?" if near else ""


class _Expected:
    """The words and parts that might have come where the readings end."""

    def __init__(self, charts: Sequence[Chart]) -> None:
        self.phrases: dict[str, str] = {}
        """The phrases that go on with each word that might have come."""
        self.kinds: dict[str, None] = {}
        """What is shown for the other parts that might have come."""
        self.person = False
        for chart in charts:
            waiting, seen = chart.expected(), set()
            for part, phrase in waiting:  # which grows
                self.person |= part in ("Person", "Name")
                if part in _SHOWN:
                    self.kinds[_SHOWN[part]] = None
                elif part not in chart.grammar.rules and part[0] != "<":
                    for word in part.split("/"):
                        self.phrases[word] = min(self.phrases.get(word, phrase), phrase, key=_length)
                waiting += chart.grammar.opening(part) if part not in seen else ()
                seen.add(part)

    def shown(self) -> list[str]:
        """Return the descriptions of it for an error."""
        return [*self.kinds, *dict.fromkeys(f"'{phrase}'" for phrase in self.phrases.values())][:_OFFERED]

    def like(self, word: _Word) -> list[str]:
        """Return the word that might have come and is most like the one that came, if any is."""
        return get_close_matches(word.low, self.phrases, 1, _SIMILAR)


def _length(phrase: str) -> int:
    """Return how far a phrase is from the two words that say best what comes next: "knows that"."""
    return abs(len(phrase.split()) - 2)
