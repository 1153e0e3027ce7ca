"""Reading formulas and questions in plain English.

The parser reads everything that `to_sentence` writes, and some variants: "p holds" and a bare "p", "Di is
alive", "is wolf" without the article, "doesn't", "everybody", numbers in words. A yes-or-no question is
read as the sentence it asks about: "does a know that p?" is K_a p. All phrases come from the declarations
of the operators (`phrases`).

Phrases are recognised word by word from left to right; if several begin alike, all are followed until the
next words distinguish them. Phrases that wait for clauses are kept on a stack, so deep sentences cause no
recursion errors.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any, NoReturn
from unicodedata import normalize

from kripke_werewolf.errors import FormulaError, FormulaSyntaxError, near_misses
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, all_operators, rational, read_off
from kripke_werewolf.language.names import QUANTIFIED
from kripke_werewolf.language.operators import Mode, Scope, conjunction, disjunction, modal
from kripke_werewolf.language.parser import parse
from kripke_werewolf.language.phrases import (
    FACTS,
    ClauseList,
    Fact,
    Phrase,
    Piece,
    Slot,
    pieces_of,
)
from kripke_werewolf.language.questions import (
    AnyPhrase,
    Asking,
    Phrases,
    Question,
    Trie,
    Vocabulary,
    Who,
    facts_about,
    phrases_about,
    together,
)
from kripke_werewolf.language.sentences import MINUS, PLUS, TIMES, WORD, People, first_words, in_quotes

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
    reading = _Reading(text, People(people), vocabulary, holes=False)
    found = reading.question()
    reading.check()
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
    known = {*vocabulary.agents, *dict(vocabulary.numbers)}
    try:
        wrong = parse(text, agents=vocabulary.agents)
        if wrong.agents <= known:
            return wrong  # else "nobody knows that p" may be of an agent called nobody, but is not
    except FormulaSyntaxError as error:
        wrong = _with_known_names(error, vocabulary)
    reading = _Reading(text, People(None), vocabulary, holes=True)
    try:
        found = reading.question()
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
        ahead = wrong.position - error.position
        formal = ahead > 0 or _SIGN.search(text if ahead == 0 else text.split(" ")[0])
        first, second = (wrong, error) if formal else (error, wrong)
        raise first.beside(second) from None
    reading.check()
    return found


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


_OTHER_QUESTIONS = (
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


# --- words ---------------------------------------------------------------------------------------

_ALIKE = {
    "everyone": (
        *(*QUANTIFIED["everyone"], r"(?:all|the|all\s+the)\s+players"),
        *(r"every\s+player", r"all(?=\s+know|\s+believe)"),
    ),
    "someone": (*QUANTIFIED["someone"], r"any\s+player"),
    "nobody": (*QUANTIFIED["nobody"], r"no\s+(?:one|player)"),
    "wolf": ("wolf", "werewolf", "wolves", "werewolves"),
    **{word: (word, f"{word}s") for word in ("seer", "villager")},
    "be": (r"still\s+be", "be"),
    "hold(s)": ("hold", "holds"),
    "does": ("does", "do"),
    "alive": ("alive", r"still\s+alive"),
    "likely": ("likely", "probable"),
    "whether": (r"whether\s+or\s+not", "whether", "if"),
}
_ARTICLES = ("a", "an", "the")
_END = r"(?![\w'])"
_NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    "twenty",
)
_NUMBERS = {word: number for number, word in enumerate(_NUMBER_WORDS)}
_NUMBER = rf"(?:[0-9]+|(?ai:{'|'.join(_NUMBERS)}))"
_DIGITS = r"[0-9]+(?:/[0-9]+|\.[0-9]+)?"
_COUNT = re.compile(rf"\s*({_NUMBER}){_END}")
_BOUND = re.compile(rf"\s*((?ai:{MINUS})\s+|-\s*)?({_DIGITS})(\s*%)?{_END}")
_FACTOR = re.compile(rf"\s*({_DIGITS})\s+(?ai:{TIMES}){_END}")
_PLAYER = re.compile(rf"\s*(?ai:player)\s+({_NUMBER}){_END}")
_PLAYERS = re.compile(rf"\s*(?ai:players)(?=\s+{_NUMBER}{_END})")
_NUMBERED = re.compile(rf"\s*({_NUMBER}){_END}")
_COMMA = re.compile(r"\s*,")
_AND = re.compile(rf"\s*,?\s*(?ai:and){_END}")
_OR = re.compile(rf"\s*,?\s*(?ai:or){_END}")
_SINGULAR = {
    **{verb: f"{verb}s" for verb in ("know", "believe", "think", "consider", "realise", "rule", "exclude")},
    "are": "is",
    "do": "does",
    "have": "has",
}
_PLURAL = re.compile(rf"\s*((?ai:{'|'.join(_SINGULAR)}))(?=(?ai:n)['’]|\s|$)")
_JOINT = re.compile(r"\s*,?\s*((?ai:and|or))\s")
_JOINED_NAME = re.compile(rf"\s*,?\s*((?ai:and|or|nor))\s+({WORD})")
_ASKED_NOT = re.compile(r"\s*(?ai:(?:does|do|is|are|has|have|could|would)(n['’]t)|can(['’]t))\s")
"""The beginning of a question that expects the answer yes: "doesn't Bo know"."""
_WHO_ARE = re.compile(r"\s*(?ai:who)\s+(?=(?ai:are)\s)")
_TOGETHER = re.compile(rf"\s+(?ai:together){_END}")
_PRONOUN = re.compile(r"\s*(?ai:(he|she|they))(?!\w)")
_NAME = re.compile(rf'\s*(?:(?P<quoted>"(?:[^"\\\n]|\\.)*")|(?P<word>{WORD}))')
_SPACE = re.compile(r"\s*")
_SIGN = re.compile(r"[_{}()\[\]&|~]")
_SAYING = re.compile(r"\b(knows?|believes?|thinks?|tell|sure|certain) that$")
"""The ends of phrases whose "that" may be left out before a player."""


def _pattern(words: str, *, inner: bool) -> str:
    """Return the pattern of words, ignoring case, articles, commas and colons.

    `inner`: the words do not begin a clause, so that a leading article is ignored as well.
    """
    found, first = r"\s*,?", True
    for word in re.findall(r"[\w'-]+(?:\(s\))?|[,:]", words):
        if word in ",:":
            found += rf"\s*{word}?"
        elif word in _ARTICLES and (inner or not first):
            found += rf"(?:\s*(?ai:{'|'.join(_ARTICLES)}){_END})?"
        elif word == "not" and not first:  # "does not", "doesn't", "can't"
            found = found.removesuffix(_END) + rf"(?:\s*(?ai:not)|(?ai:(?:n|(?<=n))['’]t)){_END}"
        elif word == "is" and first and inner:  # "Di's dead", "they're dead"
            found = rf"(?:{found}\s*(?ai:is)|(?ai:['’](?:s|re))){_END}"
        else:
            # without the letters beyond ASCII that Unicode takes for capitals
            found += rf"\s*(?ai:{'|'.join(_ALIKE.get(word, (re.escape(word),)))}){_END}"
        first = False
    return found


@lru_cache(maxsize=512)
def _any_of(phrases: tuple[str, ...], *, inner: bool = True) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return the pattern of any of several words, the longest first, and these in the order of its groups."""
    longest = tuple(sorted(phrases, key=len, reverse=True))
    return re.compile("|".join(f"({_pattern(words, inner=inner)})" for words in longest)), longest


@lru_cache(maxsize=64)
def _words_of(phrases: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for words in phrases for word in re.findall(r"[\w']+", words.lower()))


# --- reading one sentence ------------------------------------------------------------------------


@dataclass(slots=True)
class _Name:
    """A name and its position; `person`: named in a way in which only agents are named, "player 2"."""

    name: str
    place: int
    person: bool = False


@dataclass(slots=True)
class _Frame:
    """The phrases that match the input so far, and the values of their slots."""

    nodes: list[Trie]
    values: list[Any] = field(default_factory=list)
    parts: list[Formula] = field(default_factory=list)
    listed: str = ""
    """The joint of the list that is being read, if it has not come yet."""
    subject: bool = False
    """Whether only a name has been read so far, which may be an atom."""
    last: str = ""
    """The words read last."""
    begun: int = 0
    """The number of clauses before the present slot."""


@dataclass(slots=True)
class _Sum:
    """A sum of probabilities being read; `factor` and `agent` are those of the last summand."""

    terms: list[tuple[Fraction, str, Formula]] = field(default_factory=list)
    factor: Fraction = Fraction(1)
    agent: str = ""


_CLAUSE = "a clause (player 2 knows that …, p is true, both … and …, if …)"


@read_off
def _chance(operators: tuple[type[Formula], ...]) -> tuple[Piece, ...]:
    """Return the words for the probability that an agent gives to a formula."""
    return pieces_of(s.Probability.english.says, group=False)


def _in_any_case(vocabulary: Vocabulary) -> dict[str, str]:
    """Return the names of agents in small or capital letters, except where these mean something else."""
    agents = [
        agent for agent in vocabulary.agents if agent.islower() or agent.lower() not in vocabulary.agents
    ]
    number = Counter(agent.lower() for agent in agents)
    words = first_words() | {*_ARTICLES}
    return {
        said: agent
        for agent in agents
        if number[small := agent.lower()] == 1 and len(small) > 1 and words.isdisjoint(small.split())
        for said in (small, agent.upper(), agent.title())
        if said not in vocabulary.atoms
    }


_MOST_JOINED = 6
"""The most lists of subjects inside each other: each list doubles the reading at least."""


_BETWEEN = r"(?:\s*,?\s+(?ai:and|or|nor)\s+|\s*,\s*)"
"""The pattern between the names of a list."""


def _subjects(names: str) -> re.Pattern[str]:
    """Return the pattern of several subjects, possibly after the verb of a question."""
    numbered = rf"(?ai:player\s+)?[0-9]+|(?ai:player\s+){_NUMBER}|(?(several){_NUMBER}|(?!))"
    one = rf"(?:{names}|{numbered})(?!\w)"
    listed = rf"{one}(?:{_BETWEEN}{one})*\s*,?\s+(?P<joint>(?ai:and|or|nor))\s+{one}"
    return re.compile(
        rf"\s*(?:(?P<asks>(?ai:do|does|is|are|can|could|might|may|must|has|have))\s+)?"
        rf"(?P<list>(?:(?P<prefix>(?ai:both|either|neither))\s+)?"
        rf"(?P<several>(?ai:players)\s+)?(?P<names>{listed}))(?=\s+\w|['’])"
    )


def _fits(several: re.Match[str]) -> bool:
    """Whether the word before a list of subjects belongs to it: "both … and", but "either … or"."""
    belong = {"both": ("and",), "either": ("or",), "neither": ("nor", "or")}
    prefix = several["prefix"]
    return prefix is None or several["joint"].lower() in belong[prefix.lower()]


def _which(phrase: Phrase, alternatives: Sequence[Formula]) -> Asking | None:
    """Return the phrase that an agent knows which of some alternatives is true, from "knows whether"."""
    whether, box = modal(Scope.AGENT, Mode.WHETHER), modal(Scope.AGENT, Mode.BOX)
    if box is None or phrase.kind is not whether:
        return None

    def made(values: Sequence[Any], _: tuple[Formula, ...]) -> Formula:
        return disjunction(box._make(values[0], (part,)) for part in alternatives)

    return Asking(phrase.pieces, made, phrase.denied)


class _Reading:
    """The state of the parser; unfinished phrases wait on a stack, so there is no recursion."""

    def __init__(self, text: str, people: People, vocabulary: Vocabulary | None, *, holes: bool) -> None:
        if not isinstance(text, str):
            raise FormulaError(f"expected the text of a sentence, got {text!r}")
        self.text = self.written = text
        """The sentence, and the sentence as it was written: of several subjects, one is read at a time."""
        self.vocabulary, self.at = vocabulary, 0
        self.end = len(text.rstrip().rstrip(".?").rstrip())
        self.asks = text.rstrip().endswith("?")
        names = {*vocabulary.agents, *vocabulary.atoms} if vocabulary else set()
        negated = _ASKED_NOT.match(text) if self.asks or vocabulary else None
        if negated and negated[0].strip() not in names:
            start, end = negated.span(negated.lastindex or 0)
            self.text = text[:start] + " " * (end - start) + text[end:]
        if holes and (plural := _WHO_ARE.match(text)):
            self.make_singular(plural.end())
        self.first = phrases_about(all_operators(), vocabulary, True, holes)
        self.phrases = phrases_about(all_operators(), vocabulary, False, False)
        self.people = people.agents
        self.called = dict(people.agents)
        if vocabulary:
            self.called |= _in_any_case(vocabulary) | {name: name for name in vocabulary.agents}
        known = sorted(self.called, key=len, reverse=True)
        several = "|".join(r"\s+".join(map(re.escape, name.split())) for name in known)
        self.persons = re.compile(rf"\s*({several})(?!\w)" if several else r"(?!)")
        self.subjects = _subjects(several) if vocabulary else re.compile(r"(?!)")
        self.mentioned: list[str] = []
        """The agents named so far, for pronouns."""
        self.alternatives: tuple[tuple[Formula, int] | None, list[Formula]] = None, []
        """The last disjunction written with a plain "or" and where it ended, and its parts."""
        self.joined: list[list[_Frame | _Sum]] = []
        """For each list of subjects around this place, the phrases that wait outside it."""
        self.waiting: list[_Frame | _Sum] = []
        self.hopes: tuple[int, tuple[str, ...]] = (-1, ())
        """Where an atom without words ended, and the words that might have followed it."""
        self.unknown: list[FormulaSyntaxError] = []
        """Errors about unknown names in a sentence that may be correct otherwise."""

    def question(self) -> Question:
        """Return the formula or question that the whole sentence expresses."""
        found = self.whole(self.first)
        if self.skipped() < self.end:
            self.fail((), "the end")
        return found

    def whole(self, phrases: Phrases) -> Question:
        """Read a clause with all clauses inside it."""
        found = self.clause(phrases)
        while True:
            while found is not None:
                if not self.waiting:
                    return found
                assert isinstance(found, Formula)
                found = self.completed(self.waiting[-1], found)
            found = self.clause(self.phrases)

    # --- several subjects, alternatives ----------------------------------------------------------

    def each_of(self, phrases: Phrases, several: re.Match[str]) -> Formula:
        """Read a clause with several subjects: "Ann and Bo know that", once for each of them.

        What they all know, or one of them knows, becomes one operator.
        """
        if len(self.joined) >= _MOST_JOINED:
            raise self.misread(
                several.start("list"), f"lists of players stand in more than {_MOST_JOINED} lists"
            )
        joint = several["joint"].lower()
        start, waiting, text, before = self.at, self.waiting, self.text, list(self.mentioned)
        first, last = several.span("list")
        shared = _TOGETHER.match(text, last, self.end)
        if shared:
            text = text[:last] + " " * (shared.end() - last) + text[shared.end() :]
            last = shared.end()
        players = "player " if several["several"] else ""
        self.joined.append(waiting)
        parts: list[Formula] = []
        if len({word.lower() for word in re.findall(r"\s((?ai:and|or|nor))\s", several["names"])}) > 1:
            raise self.misread(several.start("names"), 'players are joined by "and", or by "or", not by both')
        for name in re.split(_BETWEEN, several["names"]):
            self.text = text[:first] + f"{players}{name}".ljust(last - first) + text[last:]
            if (several["asks"] or "").lower() != "do":  # which is read as "does" in questions
                self.make_singular(several.start("asks") if several["asks"] else last)
            self.at, self.waiting, self.mentioned = start, [], list(before)
            found = self.whole(phrases)
            if not isinstance(found, Formula):
                raise self.misread(first, "only one player can be asked about here")
            parts.append(found)
        self.text, self.waiting = text, waiting
        self.joined.pop()
        if (several["prefix"] or "").lower() == "neither" or joint == "nor":
            return conjunction(~part for part in parts)
        if shared:
            return self.known_together(parts, shared)
        found = together(parts, Scope.EACH if joint == "and" else Scope.SOME)
        if joint == "or" and not several["prefix"]:
            self.alternatives = (found, self.at), parts
        return found

    def known_together(self, parts: list[Formula], shared: re.Match[str]) -> Formula:
        """Return the distributed knowledge of several agents, or its negation, from what is said of each."""
        denied = all(isinstance(part, s.Not) for part in parts)
        known = [part.body if isinstance(part, s.Not) and denied else part for part in parts]
        found = together(known, Scope.MEET)
        if not (isinstance(found, s.Modal) and found.scope is Scope.MEET):
            place = shared.end() - len(shared[0].lstrip())
            raise self.misread(place, '"together" is said of what several players know')
        return ~found if denied else found

    def make_singular(self, place: int) -> int:
        """Replace the verb at a place by its singular; return where the verb begins then."""
        plural = _PLURAL.match(self.text, place, self.end)
        if plural is None:
            return place
        word = _SINGULAR[plural[1].lower()].ljust(len(plural[1]))  # a longer one takes the place of blanks
        start = plural.end() - len(word)
        self.text = self.text[:start] + word + self.text[plural.end() :]
        return min(place, start)

    def awaits_or(self) -> bool:
        """Whether "or" would continue a phrase around this place: "either … or"."""
        around = chain(self.waiting, *self.joined)
        frames = (frame for frame in around if isinstance(frame, _Frame))
        return any(frame.listed == "or" or any("or" in n.words for n in frame.nodes) for frame in frames)

    def or_fact(self, found: Formula) -> Formula:
        """Read further facts of the same agent: "Di is a wolf or the seer"."""
        if self.vocabulary is None or not isinstance(found, s.Atom) or self.awaits_or():
            return found
        agent = found.name.partition("_")[2]
        parts: list[Formula] = [found]
        facts = facts_about(self.vocabulary)
        pattern, words = _any_of(tuple(facts))
        while joint := _OR.match(self.text, self.at, self.end):
            fact = pattern.match(self.text, joint.end(), self.end)
            if not fact or not fact.lastindex:
                break
            if _any_of(self.phrases.verbs)[0].match(self.text, fact.end(), self.end):
                break
            self.at = fact.end()
            stem, denied = facts[words[fact.lastindex - 1]]
            atom = s.Atom(f"{stem}_{agent}")
            parts.append(~atom if denied else atom)
        if len(parts) > 1:
            found = disjunction(parts)
            self.alternatives = (found, self.at), parts
        return found

    # --- clauses ---------------------------------------------------------------------------------

    def clause(self, phrases: Phrases) -> Question | None:
        """Read a clause, up to the first clause inside it (None)."""
        several = self.subjects.match(self.text, self.at, self.end)
        if several and _fits(several) and (several["asks"] is None or phrases is self.first):
            return self.each_of(phrases, several)
        opening = _any_of(phrases.words, inner=False)[0].match(self.text, self.at, self.end)
        person = self.persons.match(self.text, self.at, self.end)
        if person and opening:
            # a name that looks like the word of a sentence is one where a verb follows
            verb = _any_of(phrases.verbs)[0].match(self.text, person.end(), self.end)
            asked_first = self.asks and phrases is self.first
            opening = opening if asked_first or not verb else None
        if opening:
            words = self.words(phrases.words, inner=False)
            assert words is not None
            return self.proceed(_Frame([phrases.openings.following[words]]))
        total = _Sum()
        if self.summand(total, first=True):
            self.waiting.append(total)
            return None
        return self.proceed(_Frame([phrases.subjects], subject=True))

    def proceed(self, frame: _Frame) -> Question | None:
        """Continue a phrase, up to its next clause (None) or its end."""
        while True:
            nodes = frame.nodes
            options = tuple(word for node in nodes for word in node.words)
            slots = [p for node in nodes for p in node.following if not isinstance(p, str)]
            words = self.words(options) if options else None
            if words is not None:
                frame.nodes = [node.following[words] for node in nodes if words in node.following]
                frame.subject, frame.last = False, words
            elif clause := [p for p in slots if p is Slot.CLAUSE or isinstance(p, ClauseList)]:
                frame.nodes = [node.following[clause[0]] for node in nodes if clause[0] in node.following]
                frame.listed = clause[0].joint if isinstance(clause[0], ClauseList) else ""
                frame.begun = len(frame.parts)
                self.waiting.append(frame)
                return None
            elif slots:
                frame.values.append(self.value(slots, first=frame.subject))
                if getattr(frame.values[-1], "person", False):
                    slots = [slot for slot in slots if slot is not Slot.NAME]
                frame.nodes = [n.following[slot] for n in nodes for slot in slots if slot in n.following]
            elif ended := next((node.ended for node in nodes if node.ended), None):
                return self.said(ended, frame)
            elif frame.subject:
                return self.bare(frame.values[0], options)
            else:
                self.fail(options)

    def said(self, phrase: AnyPhrase, frame: _Frame) -> Question:
        """Return the value of a complete phrase."""
        slots = [p for p in phrase.pieces if isinstance(p, Slot) and p is not Slot.CLAUSE]
        fact = phrase.variant if isinstance(phrase, Phrase) and isinstance(phrase.variant, Fact) else None
        values = [self.meant(slot, v, fact) for slot, v in zip(slots, frame.values, strict=True)]
        if isinstance(phrase, Phrase) and phrase.kind is s.Atom and fact is None:
            values = [self.atom(frame.values[0], values[0])]
        parts, (either, which) = tuple(frame.parts), self.alternatives
        asks_which = [(part, self.at) for part in parts] == [either]
        if isinstance(phrase, Phrase) and asks_which and (knows := _which(phrase, which)):
            return knows.of(values, parts)
        found = phrase.of(values, parts)
        if isinstance(found, Who) and isinstance(found.phrase, Phrase) and asks_which:
            return replace(found, phrase=_which(found.phrase, which) or found.phrase)
        return self.or_fact(found) if fact and isinstance(found, Formula) else found

    def bare(self, name: _Name, verbs: tuple[str, ...]) -> Formula:
        """Return the atom that a bare name denotes."""
        agents = self.vocabulary.agents if self.vocabulary else ()
        atoms = self.vocabulary.atoms if self.vocabulary else ()
        if name.person or (name.name in agents and name.name not in atoms):
            self.fail(verbs)
        self.hopes = self.at, verbs
        return s.Atom(self.atom(name, name.name))

    def completed(self, top: _Frame | _Sum, found: Formula) -> Question | None:
        """Pass a clause to the phrase that waits for it; return the result (None: another is needed)."""
        if isinstance(top, _Sum):
            top.terms.append((top.factor, top.agent, found))
            return self.compared(top)
        top.parts.append(found)
        if top.listed:
            if self.words((top.listed,)) is not None:
                top.listed = ""
            elif not self.token(_COMMA):
                self.fail((top.listed,), "','")
            return None
        if top.last.endswith("whether"):
            self.waiting.pop()
            more = self.vocabulary is not None and not self.awaits_or() and self.token(_OR) is not None
            self.waiting.append(top)
            if more:
                return None
            if len(which := top.parts[top.begun :]) > 1:
                found = disjunction(which)
                self.alternatives = (found, self.at), which
                top.parts[top.begun :] = [found]
        self.waiting.pop()
        return self.proceed(top)

    # --- sums of probabilities -------------------------------------------------------------------

    def summand(self, total: _Sum, *, first: bool) -> bool:
        """Read the words of a summand up to its clause; return False if none begins here."""
        start = self.at
        signs = (MINUS,) if first else (PLUS, MINUS)
        sign = self.words(signs)
        if sign is None and not first:
            return False
        factor = self.token(_FACTOR)
        size = self.rational(factor[1], factor.start(1)) if factor else Fraction(1)
        total.factor = -size if sign == MINUS else size
        head, *pieces = _chance()
        if self.words((str(head),), inner=False) is None:
            if first:
                self.at = start
                return False
            self.fail((str(head),))
        for piece in pieces[: pieces.index(Slot.CLAUSE)]:
            if isinstance(piece, str):
                if self.words((piece,)) is None:
                    self.fail((piece,))
            else:
                (total.agent,) = self.meant(Slot.AGENT, self.value([Slot.AGENT]))
        return True

    def compared(self, total: _Sum) -> Formula | None:
        """Read the next summand (None), or the number that the sum is compared with."""
        if self.summand(total, first=False):
            return None
        words = {comparison.words: name for name, comparison in s.Probability.comparisons.items()}
        relation = self.words(tuple(words))
        if relation is None:
            self.fail((*words, PLUS, MINUS))
        bound = self.token(_BOUND)
        if not bound:
            self.fail((), "a number")
        number = self.rational(bound[2], bound.start(2)) / (100 if bound[3] else 1)
        self.waiting.pop()
        return s.Probability(total.terms, words[relation], -number if bound[1] else number)

    def rational(self, text: str, place: int) -> Fraction:
        """Return the number that a string denotes."""
        try:
            return rational(text)
        except FormulaError:
            raise self.misread(place, f"{text} is not a number that can be used") from None

    # --- names and other values ------------------------------------------------------------------

    def value(self, slots: Sequence[Piece], *, first: bool = False) -> Any:
        """Read the value of a slot: a name, several names, or a number."""
        if Slot.NUMBER in slots:
            if not (found := self.token(_COUNT)):
                self.fail((), "a number")
            return _NUMBERS[word] if (word := found[1].lower()) in _NUMBERS else int(found[1])
        if Slot.NAMES in slots or slots == [Slot.GROUP]:
            return self.names(plain=Slot.NAMES in slots)
        return self.name(plain=Slot.AGENT not in slots and Slot.GROUP not in slots, first=first)

    def names(self, *, plain: bool) -> list[_Name]:
        """Read several names: `a, b and c`, or `players 1 and 2`."""
        numbered = not plain and self.token(_PLAYERS) is not None
        found = [self.name(plain=plain, numbered=numbered)]
        joined = False
        while not joined:
            joined = self.token(_AND) is not None
            if not joined and not self.token(_COMMA):
                break
            found.append(self.name(plain=plain, numbered=numbered))
        if len(found) > 1 and not joined:
            self.fail(("and",), "','")
        return found

    def name(self, *, plain: bool, numbered: bool = False, first: bool = False) -> _Name:
        """Read a name; `plain`: not the name of an agent; `numbered`: a number.

        `first`: the name begins a clause.
        """
        place = self.skipped()
        if numbered and (number := self.token(_NUMBERED)):
            return self.player(number[1], place)
        if not plain:
            person = self.persons.match(self.text, self.at, self.end)
            player = _PLAYER.match(self.text, self.at, self.end)
            if player and not (person and person.end() >= player.end()):
                self.at = player.end()
                named = self.player(player[1], place)
                self.mentioned.append(named.name)
                return named
            if person:
                self.at, said = person.end(), " ".join(person[1].split())
                self.mentioned.append(self.called[said])
                return _Name(self.called[said], place, person=said in self.people)
            if self.vocabulary and (pronoun := _PRONOUN.match(self.text, self.at, self.end)):
                plural = pronoun[1].lower() == "they"
                self.at = self.make_singular(pronoun.end()) if plural else pronoun.end()
                return _Name(self.meant_by(pronoun[1], place), place, person=True)
        found = _NAME.match(self.text, self.at, self.end)
        if found is None or (found["word"] and found["word"].lower() in first_words()):
            openings = (self.phrases if self.waiting else self.first).words if first else ()
            self.fail((), _CLAUSE if first else "a name", begun=openings, names=True)
        self.at = found.end()
        return _Name(found["word"] or self.unquoted(found["quoted"], place), place)

    def meant_by(self, pronoun: str, place: int) -> str:
        """Return the agent that a pronoun stands for: the only one named before it."""
        named = list(dict.fromkeys(self.mentioned))
        if len(named) == 1:
            return named[0]
        if not named:
            raise self.misread(place, f"{in_quotes(pronoun)} stands for nobody named before: write a name")
        who = " or ".join(named)
        raise self.misread(place, f"{in_quotes(pronoun)} may stand for {who}: write the name instead")

    def player(self, number: str, place: int) -> _Name:
        """Return the agent with a number, in digits or in words."""
        number = str(_NUMBERS.get(number.lower(), number))
        return _Name(self.vocabulary.agent(number) if self.vocabulary else number, place, person=True)

    def meant(self, slot: Slot, read: Any, fact: Fact | None = None) -> Any:
        """Return the value of a slot once all names are known; the agent of a fact yields a known atom."""
        match slot:
            case Slot.NUMBER:
                return read
            case Slot.NAME:
                return read.name
            case Slot.NAMES:
                return tuple(name.name for name in read)
        several = read if isinstance(read, list) else [read]
        if fact is None:
            return tuple(map(self.agent, several))
        return tuple(self.atom(name, f"{fact.stem}_{name.name}").partition("_")[2] for name in several)

    def agent(self, name: _Name) -> str:
        """Return an agent; record an error if the name is unknown."""
        if not self.vocabulary:
            return name.name
        agent = self.vocabulary.agent(name.name)
        if agent not in self.vocabulary.agents:
            self.missed(name, f"nobody is called {in_quotes(name.name)}", self.vocabulary.agents)
        return agent

    def atom(self, name: _Name, atom: str) -> str:
        """Return an atom; record an error if it is unknown; with a stem, the name is that of its agent."""
        if not self.vocabulary or (found := self.vocabulary.atom(atom)) in self.vocabulary.atoms:
            return found if self.vocabulary else atom
        stem = atom.partition("_")[0]
        about = [other.partition("_")[2] for other in self.vocabulary.atoms if other.startswith(f"{stem}_")]
        if atom != name.name and about and name.name not in self.vocabulary.agents:
            self.missed(name, f"nobody is called {in_quotes(name.name)}", about)
        else:
            self.missed(name, f"there is no atom {in_quotes(atom)}", self.vocabulary.atoms)
        return atom

    def missed(self, name: _Name, found: str, known: Sequence[str]) -> None:
        """Record the error for an unknown name."""
        near = near_misses(name.name, known)
        self.unknown.append(self.misread(name.place, found, () if near or len(known) > _FEW else known, near))

    def check(self) -> None:
        """Raise the first error about names."""
        if self.unknown:
            raise min(self.unknown, key=lambda error: error.position)

    def unquoted(self, token: str, place: int) -> str:
        """Return the name in quotation marks."""
        try:
            name = str(json.loads(token, strict=False))
        except ValueError:
            raise self.misread(place, f"{token} is not quoted as in JSON") from None
        if not name:
            raise self.misread(place, "a name is empty")
        return name

    # --- tokens and errors -----------------------------------------------------------------------

    def skipped(self) -> int:
        """Return the position of the next word."""
        blank = _SPACE.match(self.text, self.at, self.end)
        assert blank is not None
        return blank.end()

    def token(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read a token, if it is next."""
        found = pattern.match(self.text, self.at, self.end)
        if found:
            self.at = found.end()
        return found

    def words(self, options: tuple[str, ...], *, inner: bool = True) -> str | None:
        """Read the longest of several phrases that comes next, and return it."""
        pattern, phrases = _any_of(options, inner=inner)
        found = self.token(pattern)
        return phrases[found.lastindex - 1] if found and found.lastindex else self.without_that(options)

    def without_that(self, options: tuple[str, ...]) -> str | None:
        """Read a phrase without its last word before a player: "knows Di is a wolf"."""
        short = {words.removesuffix(" that"): words for words in options if _SAYING.search(words)}
        if not short:
            return None
        pattern, phrases = _any_of(tuple(short))
        found = pattern.match(self.text, self.at, self.end)
        if not found or not found.lastindex:
            return None
        if not any(who.match(self.text, found.end(), self.end) for who in (self.persons, _PLAYER)):
            return None
        self.at = found.end()
        return short[phrases[found.lastindex - 1]]

    def misread(
        self, place: int, found: str, expected: Sequence[str] = (), near: Sequence[str] = ()
    ) -> FormulaSyntaxError:
        """Return the error for words that were not understood."""
        if near:
            found += f"; did you mean {' or '.join(map(in_quotes, near))}?"
        return FormulaSyntaxError(self.written, place, expected, found, what="sentence")

    def fail(
        self, options: tuple[str, ...], *expected: str, begun: tuple[str, ...] = (), names: bool = False
    ) -> NoReturn:
        """Raise an error at a position where one of several phrases was expected.

        `begun`: phrases that may have begun, and are not listed; `names`: a name was expected.
        """
        if self.hopes[0] == self.at:
            options = (*options, *self.hopes[1])
        start, wanted = self.skipped(), [*_offered(options), *expected]
        options = (*options, *begun)
        self.at = max([start, *(self.agreed(words) for words in options)])
        place = self.skipped()
        if place >= self.end:
            early = "the sentence ends too early" if self.text.strip() else "the sentence is empty"
            raise self.misread(place, early, wanted)
        atoms = self.vocabulary.atoms if self.vocabulary else ()
        known = {atom.lower() for atom in atoms} | _words_of(
            (*self.first.words, *self.first.verbs, *options, *self.called)
        )
        said = re.compile(r"[\w'’]+(?:\s+[\w'’]+)*|.", re.DOTALL).match(self.text, place, self.end)
        assert said is not None
        most = None if self.vocabulary else 1  # any word may be a name
        strange = list(takewhile(lambda word: word.lower() not in known, said[0].split()[:most]))
        joint = _JOINED_NAME.match(self.text, self.at, self.end)
        if joint and self.vocabulary and joint[2].lower() not in known:
            near = near_misses(joint[2], self.called)
            raise self.misread(joint.start(2), f"nobody is called {in_quotes(joint[2])}", (), near)
        if wanted == ["the end"] and (joint := _JOINT.match(self.text, self.at, self.end)):
            whole = {"and": "both … and …", "or": "either … or …"}[joint[1].lower()]
            raise self.misread(
                place, f"{in_quotes(joint[1])} joins no sentences here; write {in_quotes(whole)}", wanted
            )
        if strange and strange[0][0].isalnum():
            found = f"{in_quotes(' '.join(strange))} is not understood"
        else:
            found = f"unexpected {in_quotes(said[0].split()[0] if said[0].split() else said[0])}"
        raise self.misread(place, found, wanted, self.like(start, options, self.called if names else ()))

    def agreed(self, phrase: str) -> int:
        """Return the position up to which the input agrees with the words of a phrase."""
        words = phrase.split()
        for number in range(len(words), 0, -1):
            pattern = re.compile(_pattern(" ".join(words[:number]), inner=True))
            if found := pattern.match(self.text, self.at, self.end):
                return found.end()
        return self.at

    def like(self, place: int, options: Iterable[str], names: Iterable[str]) -> list[str]:
        """Return the phrases and names most similar to the words at a place."""
        said = _bare(re.findall(r"[\w'’]+", self.text[place : self.end].lower()))
        for first in (False, True):  # all the words, or only the first
            phrases = dict.fromkeys(words.strip(" ,:") for words in options)
            close = [(_likeness(said, _bare(words.split()), first), words) for words in phrases if words]
            best = [words for ratio, words in sorted(close, reverse=True) if ratio >= _LIKE][:2]
            if best:
                return best
        return near_misses(said[0], names) if said else []


_LIKE = 0.75  # the similarity from which a phrase is suggested
_OFFERED = 6  # phrases that an error names
_FEW = 12  # names that an error lists


def _bare(words: list[str]) -> list[str]:
    """Return words without an article before them."""
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


def _likeness(said: Sequence[str], words: Sequence[str], first: bool) -> float:
    """Return the similarity of a phrase, or of its first word, to the beginning of the input."""
    from difflib import SequenceMatcher

    number = 1 if first else len(words)
    there, wanted = " ".join(said[:number]), " ".join(words[:number])
    return 0 if wanted in ("is", *_ARTICLES) else SequenceMatcher(None, there, wanted).ratio()


def _offered(options: Iterable[str]) -> list[str]:
    """Return the phrases that an error names as expected: of facts one, no denials."""
    affirmed = (words.strip(" ,:") for words in options if "not" not in words.split())
    shown = [words for words in dict.fromkeys(affirmed) if words]
    facts = any(words == f"is {FACTS['wolf']}" for words in shown)
    rest = [f"'{words}'" for words in shown if not facts or not words.startswith("is ") or words == "is true"]
    return [*(["'is a wolf' (a seer, dead, …)"] if facts else []), *rest][:_OFFERED]
