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
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain, islice, product, takewhile
from typing import Any
from unicodedata import normalize

from kripke_werewolf.base.errors import FormulaError, FormulaSyntaxError, near_misses
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.english import phrases as p
from kripke_werewolf.logic.english import questions as q
from kripke_werewolf.logic.english.chart import Chart, Grammar, Readings, Token, expanded
from kripke_werewolf.logic.english.grammar import grammar
from kripke_werewolf.logic.english.sentences import WORD, People, clause, first_words, in_quotes, to_sentence
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import QUANTIFIED
from kripke_werewolf.logic.formulas.syntax import Action, Formula, all_operators
from kripke_werewolf.logic.notation.parser import parse
from kripke_werewolf.logic.notation.reading import ASKING


def from_sentence(
    text: str,
    *,
    phrases: Mapping[str, str] | None = None,
    actions: Mapping[str, Action] | None = None,
    vocabulary: Vocabulary | None = None,
) -> Formula:
    """Read a sentence or a yes-or-no question, with or without a capital and a full stop.

    `phrases`: as in `to_sentence`; `actions`: the action models denoted by names of actions;
    `vocabulary`: the known names; all others are errors.

    >>> print(from_sentence("Player 2 knows that player 3 does not know that player 4 is a wolf."))
    K_2 ~K_3 wolf_4
    >>> print(from_sentence("Does Mary know that John believes that p?"))
    K_Mary B_John p
    >>> words = {"{thing}_in_{place}": "the {thing} is in the {place}"}
    >>> print(from_sentence("Does Mary think that the key isn't in the box?", phrases=words))
    B_Mary ~key_in_box

    Raises `FormulaSyntaxError`, which shows the place, the words that were not understood, what was expected
    there, and similar words.
    """
    found = _read(text, People(vocabulary, phrases), vocabulary, "Asked")
    assert isinstance(found, Formula)
    return found.bind(**(actions or {}))


def read_question(text: str, vocabulary: Vocabulary) -> q.Question:
    """Read a formula, a sentence, a yes-or-no question, or one that begins with "who" or "how likely".

    A formula may be followed by a question mark.

    >>> about = Vocabulary(("Bo", "Di"), ("wolf_Bo", "wolf_Di"))
    >>> print(read_question("K_Bo wolf_Di", about), read_question("does Bo know that Di is a wolf?", about))
    K_Bo wolf_Di K_Bo wolf_Di
    >>> print(read_question("who knows that Di is a wolf?", about).of("Bo"))
    K_Bo wolf_Di

    Raises `FormulaSyntaxError` for a string that is neither; it says what is wrong with the likelier reading.
    """
    wrong: Formula | FormulaSyntaxError
    names = People.of(vocabulary)
    for name in () if text.isascii() else vocabulary.agents:  # however its accents were typed
        text = text.replace(normalize("NFC", name), name).replace(normalize("NFD", name), name)
    if ASKING.match(text):
        with suppress(FormulaSyntaxError):
            return _read(text, names, vocabulary, "Q")
    try:
        wrong = parse(text.rstrip().removesuffix("?"), agents=vocabulary.agents)
        if wrong.agents <= {*vocabulary.agents, *dict(vocabulary.numbers)}:
            return wrong  # else "nobody knows that p" may be of an agent called nobody, but is not
    except FormulaSyntaxError as error:
        atoms = parse(error.meant or "true", agents=vocabulary.agents).atoms
        meant = error.meant if {*map(vocabulary.atom, atoms)} <= {*vocabulary.atoms} else None
        wrong = error.explained(meant, error.remark, text)
    try:
        return _read(text, names, vocabulary, "Q")
    except FormulaSyntaxError as error:
        if isinstance(wrong, Formula):
            return wrong
        for question, answer in p.sections("elsewhere")["elsewhere"].items():
            if asked := re.match(rf"\s*((?ai:{question}))", text):
                raise FormulaSyntaxError(text, asked.start(1), (), answer, what="sentence") from None
        formal = _SIGN.search(text if wrong.position > error.position else text.split(" ")[0])
        if not formal or ASKING.match(text) or isinstance(error, SeveralMeanings):
            raise
        raise wrong from None


def completions(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the completions of the last word of a half-typed question.

    A word is complete when a blank follows it. The words with which a form of the page goes on come first,
    then the rests of such forms, about the agents and facts that were named, then other words. Nothing is
    returned if the words before are not understood.

    >>> about = Vocabulary(("Bo", "Di"), ("wolf_Bo", "wolf_Di"))
    >>> completions("Does Bo know wheth", about)
    ('whether', 'whether Di is a wolf?', 'whether Di or Bo is a wolf?')
    >>> completions("Does Bo know whether D", about)[0]
    'Di'
    >>> completions("Why does Bo ", about)
    ()
    """
    typed = _Reading(text, _names(vocabulary, vocabulary.phrases), "Q")
    start = len(text) - len(last := re.findall(r"\S*$", text)[0])
    near = [form for form in typed.near() if form.lower().startswith(text.lower())]
    first = dict.fromkeys(form[start:].split()[0].strip("?,") for form in near)
    likely = [word for word in first if typed.instead(text[:start] + word).following()]
    whole = [form[start:] for form in islice(typed.readable(near), _MOST_FORMS)]
    named = {"<person>": vocabulary.agents, "<number>": ("1", "2", "3")}
    following = typed.instead(text[:start]).following()
    words = chain.from_iterable(named.get(kind, (kind.replace("-", " "),)) for kind in following)
    fitting = [word for word in words if word[0].isalnum() and word.lower().startswith(last.lower())]
    return tuple(dict.fromkeys((*likely, *whole, *fitting)))


def respelt(text: str, vocabulary: Vocabulary) -> str:
    """Return a string where the letters of known words are in their order, if two were swapped.

    Names are left alone: words that have a capital. Other misspelt words are refused: they may be meant.

    >>> respelt("Does Bo knwo that Di is a wlof?", Vocabulary(("Bo", "Di"), ("wolf_Bo", "wolf_Di")))
    'Does Bo know that Di is a wolf?'
    """
    reading = _Reading(text, _names(vocabulary, vocabulary.phrases), "Q")
    said = re.findall(r"\w+", " ".join([*p.sections("alike")["alike"].values(), *map("{}nt".format, p.TAGS)]))
    known = {"".join(sorted(word)): word for word in (*reading.grammar(wide=True).terminals, *said)}
    for word in reversed(reading.words):
        meant = known.get("".join(sorted(word.text)), word.text)
        if word.strange(known.values()) and word.low[0] == meant[0]:
            text = text[: word.place] + meant + text[word.place + len(word.text) :]
    return text


_ASKED = rf"\s+(?:{'|'.join(p.TAGS)})(?:n['’]?t)?\s+"
_TAG = re.compile(rf"(?ai:,?{_ASKED}(?:he|she|they|it)|,{_ASKED}there)\W*$")
"""What may follow a statement: ", isn't it?"."""
_SIGN = re.compile(r"[_{}()\[\]&|~^<>=]")

# --- words ---------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _by_first_word() -> Mapping[str, list[tuple[list[str], str]]]:
    """Return, by first word, the phrases that are read as another word, each with that word.

    The word is empty for phrases that are passed over.
    """
    alike = {word: _spelt_out(said) for word, said in p.sections("alike")["alike"].items()}
    for word, words in QUANTIFIED.items():
        alike.setdefault(word, []).extend(words)
    alike[""] = alike.pop("nothing")
    for word in (word for word in alike if "-" in word):
        alike[word].append(word.replace("-", " "))
    split = [(phrase.split(), meant) for meant, phrases in alike.items() for phrase in phrases]
    return grouped((words[0], (words, meant)) for words, meant in split)


def _spelt_out(patterns: str) -> list[str]:
    """Return the phrases of patterns: `can/could [you] say` stands for four."""
    parts = [parts for pattern in patterns.split("|") for parts in expanded(pattern)]
    return [" ".join(said) for words in parts for said in product(*(word.split("/") for word in words))]


@lru_cache(maxsize=32)
def _nouns_of(about: Vocabulary) -> Mapping[str, str]:
    """Return the nouns for facts by their singular and plural."""
    nouns = p.FactWords(about).nouns
    return {noun: noun for noun in nouns} | {p.plural(noun): noun for noun in nouns}


@lru_cache(maxsize=32)
def _before_objects(about: Vocabulary) -> frozenset[str]:
    """Return the words before the object of a clause: prepositions, and the verbs of moves."""
    verbs = [verb.split()[-1] for move in about.moves for verb in (move.base, move.past)]
    return frozenset(("of", "by", "for", "with", "as", "than", "about", *verbs))


# --- tokens --------------------------------------------------------------------------------------

_OF = ("of", "among", "amongst", "between")
_SPEAKERS = ("i", "you", "me", "my", "your", "we", "myself", "yourself")
_OTHERS = ("else", "other", "others", "rest")
_AFTER_IT = ("is", "'s", "has", "knows", "own")
_EVERYBODY = frozenset(word for words in QUANTIFIED.values() for word in words) - {"neither"}
_DETERMINERS = ("a", "an", "any", "each", "every", "many", "no", "some", *p.NUMBERS)


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
    atoms: frozenset[str]
    pattern: re.Pattern[str]
    phrases: tuple[tuple[str, str], ...]
    """The words for atoms."""
    owned: tuple[str, ...]
    """The nouns after the names of agents: "their number" is that of an agent."""

    def words(self, text: str, end: int) -> list[_Word]:
        """Return the words of a string up to a place."""
        tokens = self.pattern.finditer(text, 0, end)
        # letters beyond ASCII stay as they are: Unicode takes some for capitals
        words = ((token, token[0].lower() if token[0].isascii() else token[0]) for token in tokens)
        lows = ((token, word.replace("’", "'")) for token, word in words)
        found = [
            _Word(token[0], token.start(), {"nt": "n't", "s": "'s", "m": "'m", "ve": "'ve"}.get(low, low))
            for token, low in lows
        ]
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
        plain = re.fullmatch(WORD, name) and word.low not in first_words()
        if name if quoted and name != word.text else plain:
            yield "<any>", name
            if about is None:
                yield from (("<name>", name), ("<atom>", name))
            elif about and name in about.agents:
                yield "<person>", name
            if about and dict(about.facts).get(name, "").removeprefix("~") in self.atoms:
                yield "<atom>", dict(about.facts)[name]
            if about and (name in self.atoms or ("_" in name and about.atom(name) in self.atoms)):
                yield "<atom>", name if name in self.atoms else about.atom(name)


@lru_cache(maxsize=32)
def _names(vocabulary: Vocabulary | None, phrases: tuple[tuple[str, str], ...]) -> _Names:
    about = vocabulary or Vocabulary()
    called = _in_any_case(about) | {" ".join(name.split()): name for name in about.agents}
    names = sorted(called, key=len, reverse=True)
    persons = "|".join(r"\s+".join(map(re.escape, name.split())) for name in names) or "(?!)"
    pattern = re.compile(rf"(?P<person>(?:{persons})(?!\w|[./]\d|['’]t\b))|{p.TOKEN}")
    owned = "role", "card", *re.findall(r"\}'s (\w+)", " ".join(said for _, said in phrases))
    return _Names(called, vocabulary, frozenset(about.atoms), pattern, phrases, owned)


def _in_any_case(vocabulary: Vocabulary) -> dict[str, str]:
    """Return the names of agents in small or capital letters, except where these mean something else."""
    number = Counter(agent.lower() for agent in vocabulary.agents)
    words = first_words() | {"a", "an", "the"}
    return {
        said: agent
        for agent in vocabulary.agents
        if number[small := agent.lower()] == 1 and len(small) > 1 and words.isdisjoint(small.split())
        for said in (small, agent.upper(), agent.title())
        if said not in vocabulary.atoms
    }


# --- reading -------------------------------------------------------------------------------------

_MOST_WORDS = 160
_MOST_ENTRIES = 60_000
"""The limits of the wide grammar: the words of a sentence, and the entries of its chart."""
_MOST_FORMS = 3
"""The largest number of forms with which a half-typed question is completed."""


def _read(text: str, people: People, vocabulary: Vocabulary | None, top: str) -> q.Question:
    """Return the only reading of a string; raise FormulaSyntaxError if there is none or more than one."""
    if not isinstance(text, str):
        raise FormulaError(f"expected the text of a sentence, got {text!r}")
    reading = _Reading(text, _names(vocabulary, people.about.phrases), top)
    found = reading.values()
    found = list(dict.fromkeys(chain.from_iterable(_of_condition(f, found, reading) for f in found)))
    if vocabulary and vocabulary.asker:
        found = list(dict.fromkeys(q.asked_by(vocabulary.asker, f) for f in found))
    if len(found) == 1:
        return found[0]
    if found:
        words = partial(to_sentence, vocabulary=people.about)
        said = (f"{in_quotes(words(f))} ({f})" if isinstance(f, Formula) else str(f) for f in found[:2])
        error = reading.error(0, f"this has two meanings: {' or '.join(said)}")
        raise SeveralMeanings(reading.unclear[0] if reading.unclear else error, found)
    error = reading.refusal()
    meant = "\nor: ".join(f"{tried}?" for tried in reading.readable(reading.named_instead[:2]))
    asked = "" if meant or reading.unclear or not vocabulary else reading.forms()
    raise error.explained(meant or None, asked)


def _of_condition(f: q.Question, readings: Sequence[q.Question], reading: _Reading) -> Iterator[q.Question]:
    """Yield a reading; of "if Bo is dead, Di is a wolf" the question on a condition only with a "?"."""
    asked_if = reading.asks and reading.top == "Q" and "if" in [word.low for word in reading.words[:2]]
    if asked_if and isinstance(f, s.Implies):
        yield q.Supposed(f.right, f.left)
    elif not (isinstance(f, q.Supposed) and isinstance(f.asked, Formula) and f.given >> f.asked in readings):
        yield f


class SeveralMeanings(FormulaSyntaxError):
    """A sentence with several `readings`, each of which can be answered."""

    def __init__(self, error: FormulaSyntaxError, readings: Sequence[q.Question]) -> None:
        super().__init__(error.text, error.position, (), error.found, what=error.what)
        self.readings = tuple(readings)


class _Reading:
    """The readings of a string."""

    def __init__(self, text: str, names: _Names, top: str) -> None:
        self.text, self.names, self.top = text, names, top
        tag = _TAG.search(text)
        self.end = len(text[: tag.start() if tag else None].rstrip().rstrip(".?!").rstrip())
        self.asks = text.rstrip().endswith("?")
        self.unclear: list[FormulaSyntaxError] = []
        """What is wrong with its pronouns, unless other readings are found."""
        self.named_instead: list[str] = []
        """The text with names for a pronoun that may stand for several agents, or for a misspelt name."""
        self.words = names.words(text, self.end)
        for word in self.words:
            word.kinds = dict(names.kinds(word))
        if names.vocabulary:
            self._resolve()
        self.charts: list[Chart] = []
        """The charts, each of which reaches at least as far as the one before."""

    def values(self) -> list[q.Question]:
        """Return the readings: the written one, or else those of the wide grammar."""
        with suppress(OverflowError):
            for wide in (False, True):
                chart = self._chart(wide=wide)
                if not self.charts or chart.reached >= self.charts[-1].reached:
                    self.charts.append(chart)
                read_as = chart.values() if chart.complete else []
                if self.unclear and any(q.HIM in str(f) for one in read_as for f in q.formulas_in(one)):
                    return []
                if found := [value for value in read_as if self._is_known(value, wide=wide)]:
                    return found
        return []

    def following(self) -> list[str]:
        """Return the words and classes that may follow, if a question begins like this."""
        with suppress(OverflowError):
            chart = self._chart(wide=True)
            if chart.reached == len(self.words):
                return chart.expected
        return []

    def _chart(self, *, wide: bool) -> Chart:
        """Return the chart of a grammar; OverflowError for too many words."""
        read = self.grammar(wide=wide)
        if wide:
            self._pass_over()
        if wide and len(self.words) > _MOST_WORDS:
            raise OverflowError
        return Chart(
            read,
            self._tokens(read.terminals.keys()),
            self.top if wide else "Q",
            _MOST_ENTRIES if wide else 10**9,
        )

    def grammar(self, *, wide: bool) -> Grammar:
        """Return the written or the wide grammar about the known names."""
        known = self.names.vocabulary and replace(self.names.vocabulary, asker="")
        return grammar(all_operators(), known, self.names.phrases, wide=wide)

    def _pass_over(self) -> None:
        """Leave out the words that change nothing, if the names are known."""
        place = 0
        while self.names.vocabulary and place < len(self.words):
            alike = list(self._alike(place))
            longest = max((size for size, _ in alike), default=1)
            if (longest, "") in alike:
                self.words[place : place + longest], self.charts = [], []
            else:
                place += longest

    def _alike(self, place: int) -> Iterator[tuple[int, str]]:
        """Yield, for each phrase at a place, its number of words and the word that it is read as."""
        following = self.words[place + 1].kinds if self.names.vocabulary and self.words[place + 1 :] else {}
        for phrase, meant in _by_first_word().get(self.words[place].low, ()):
            if phrase == ["n't"] and "<atom>" in following:
                continue  # "isn't p possible?" is not about "not p"
            said = self.words[place : place + len(phrase)]
            if [word.low for word in said] == phrase and not (meant == "" and "<person>" in said[0].kinds):
                yield len(phrase), meant

    def _tokens(self, known: Set[str]) -> list[Token]:
        """Return for each word its kinds, and the phrases that begin there."""
        tokens = [{kind: {1: value} for kind, value in word.kinds.items()} for word in self.words]
        for place, token in enumerate(tokens):
            for size, meant in self._alike(place):
                token.setdefault(meant, {})[size] = None
        if self.asks and not known.isdisjoint({*chain(*tokens[:1])} - {"<person>", "<any>"}):
            tokens[0].pop("<person>", None)  # "Who" may be a name, too
        return [*tokens]

    def _is_known(self, found: q.Question, *, wide: bool) -> bool:
        """Whether all names of a reading are known, and what may be is not said beneath what is known."""
        if wide and any(map(_hides_worlds, q.formulas_in(found))):
            return False
        if (about := self.names.vocabulary) is None:
            return True
        moves = tuple(f"{move.stem}_" for move in about.moves)
        selves = tuple(f"{move.stem}_{agent}_{agent}_" for move in about.moves for agent in about.agents)
        atoms = frozenset[str]().union(*(f.atoms for f in q.formulas_in(found))) - self.names.atoms
        agents = frozenset[str]().union(*(f.agents for f in q.formulas_in(found)))
        named = all(atom.startswith(moves) and q.HIM not in atom for atom in atoms)
        alone = any(f"{atom}_".startswith(selves) for atom in atoms)
        asked, _ = q.parted(found)
        empty = isinstance(asked, q.Who) and not asked.answers and not isinstance(asked, q.WhatHappened)
        return agents <= {*about.agents} and named and not (empty or alone)

    # --- pronouns --------------------------------------------------------------------------------

    def _resolve(self) -> None:
        """Replace pronouns by the agents they may stand for, "one" and "others" by what is named before."""
        about, words, place = self.names.vocabulary, self.words, 0
        assert about is not None
        while place < len(words):
            word, before = words[place], words[:place]
            speaks = word.low in ("i", "me", "my", "myself") and about.asker
            next_two = [said.low for said in words[place + 1 : place + 3]]
            if next_two[:1] == ["own"] and (speaks or next_two != ["own", "role"]):
                del words[place + 1]
            following = words[place + 1].low if place + 1 < len(words) else ""
            owns = word.low in p.POSSESSIVES and (following in self.names.owned or word.low == "my")
            clause = before and before[-1].low in ("that", "whether", "if", "know", "knows")
            neuter = about.neuter and clause and word.low in ("it", "its") and following in _AFTER_IT
            neuter = neuter and bool(self._groups(before, word))
            stands = owns or speaks or neuter or word.low in p.PRONOUNS
            named = [said.kinds["<person>"] for said in before if isinstance(said.kinds.get("<person>"), str)]
            nouns = [noun for said in before if (noun := _nouns_of(about).get(said.low))]
            near = " ".join(said.low for said in words[place + 1 : place + 3])
            joint = word.low == "they" and re.match(r"((are|were|'re) )?(both|all)\b", near)
            groups = self._groups(before, word) if before and (joint or before[-1].low in _OF) else []
            single = dict.fromkeys(group[0] for group in groups if group[0] in about.agents)
            plural = [group for group in (tuple(single), *groups) if len(group) > 1][-1:]
            if word.low in _OTHERS and (named or about.asker):
                apart = [group for group in self._groups(before, word) if group[0] in about.agents]
                word.kinds["<others>"] = Readings(dict.fromkeys([*apart, tuple(named or [about.asker])]))
            elif word.low == "one" and nouns:
                word.kinds["<one>"] = nouns[-1]
            elif word.low == "us" and not named:
                word.kinds["<people>"] = Readings([about.agents])
            elif groups and (joint or (word.low == "them" and plural)):
                word.kinds["<people>"] = Readings(plural)
            elif stands and following != "own" and "<person>" not in word.kinds:
                said = replace(word, low="their") if owns else word
                meant = (about.asker,) if speaks else self._meant(before, said)
                if meant:
                    word.kinds["<person>"] = meant[0] if len(meant) == 1 else Readings(meant)
                if owns and meant:
                    words.insert(place + 1, _Word("'s", word.place, "'s", {"'s": None}))
            place += 1

    def _groups(self, before: Sequence[_Word], pronoun: _Word) -> list[tuple[str, ...]]:
        """Return those who are named or meant before a pronoun, except the agent who asks."""
        about, groups = self.names.vocabulary, list[tuple[str, ...]]()
        assert about is not None
        named = {noun: kind[0] for kind in (("player", "players"), *about.kinds) for noun in kind}
        named |= _nouns_of(about)  # a singular pronoun is not several of them
        nouns = {one for one in named if one in named.values() or pronoun.low.startswith("the")}
        adjectives = {*p.FactWords(about).adjectives} - nouns
        listed, last, objects = False, "", _before_objects(about)
        subjects: list[tuple[str, ...]] = []
        for place, (word, following) in enumerate(zip(before, [*before[1:], pronoun], strict=False), 1):
            noun = next((said.low for said in before[place:] if said.low not in adjectives), "")
            some = noun in nouns and last != "the" and (word.low in _DETERMINERS or word.low.isdigit())
            agent = word.kinds.get("<person>")
            known = len(groups)
            if word.low in p.BOUNDARIES or word.low in (*p.PRONOUNS[:3], "i", "we"):
                subjects = []
            if word.low in _SPEAKERS or (following is before[-1] and following.low in _OF):
                pass
            elif isinstance(agent, str) and agent != q.HIM and last != "night" and not some:
                joined = groups.pop() if groups and listed and last in (*p.JOINTS, ",") else ()
                known = min(known, len(groups))
                groups.append((*joined, agent))
            elif word.low in _EVERYBODY and not (
                word.low == "who" and last in (",", *named, *_DETERMINERS) and groups
            ):
                groups.append((in_quotes(word.text),))
            elif (last not in ("is", "are", "be", "not", "<person>") and following is not before[-1]) and (
                some or (word.low == "the" and "of" not in [said.low for said in before[place + 1 :][:1]])
            ):
                groups.append((f"{word.low} {noun if some else following.text}",))
            if len(groups) > known and last not in objects:
                subjects = groups[-1:]
            listed = agent is not None or (listed and word.low in (*p.JOINTS, ",", "players", *p.NUMBERED))
            if word.low not in p.NUMBERED:
                last = word.low if agent is None else "<person>"
        return [group for group in groups if pronoun.low not in p.OBJECTIVE or group not in subjects]

    def _meant(self, before: Sequence[_Word], pronoun: _Word) -> tuple[str, ...]:
        """Return the agents that a pronoun may stand for: those named before it, or each of several."""
        said, different = in_quotes(pronoun.text), list(dict.fromkeys(self._groups(before, pronoun)))
        if len(different) != 1:
            who = " or ".join(" and ".join(group) for group in different)
            found = f"may stand for {who}: write the name instead"
            if not different:
                found = "does not refer to anybody named before: write a name"
            self.unclear.append(self.error(pronoun.place, f"{said} {found}"))
            start, end = self.text[: pronoun.place], self.text[pronoun.place + len(pronoun.text) : self.end]
            fit = [group for group in different if not group[1:] or pronoun.low in ("they", "them")]
            self.named_instead += [f"{start}{' and '.join(group)}{end}" for group in fit]
        known = self.names.called.values()
        meant = [group[0] if len(group) == 1 and group[0] in known else q.HIM for group in different]
        clear = meant.count(q.HIM) < 2 or all(len(group) == 1 for group in different)
        nouns = [group for group in different if group[0].startswith(("the ", "a ", "an "))]
        if nouns and len(different) > 1 and pronoun.low not in p.OBJECTIVE:
            clear = False  # who is meant by a noun is known too late to see which of them fits
        return tuple(dict.fromkeys(meant)) if clear else ()

    # --- errors ----------------------------------------------------------------------------------

    def error(self, place: int, found: str, expected: Sequence[str] = ()) -> FormulaSyntaxError:
        """Return the error for words that were not understood."""
        return FormulaSyntaxError(self.text, place, expected, found, what="sentence")

    def refusal(self) -> FormulaSyntaxError:
        """Return the error for a string without a reading."""
        chart, known = self.charts[-1], self.charts[-1].grammar.terminals
        for word in self.words[: chart.reached + 1] if self.names.vocabulary else ():
            if word.low in _SPEAKERS and "<person>" not in word.kinds:
                way = "write a player's name instead, or say who asks (asker=, on the command line --asker)"
                return self.error(word.place, f"{in_quotes(word.text)}: {way}")
        if self.unclear or chart.complete:
            return self.unclear[0] if self.unclear else self._unknown()
        if chart.reached >= len(self.words):
            early = "ends too early" if self.words else "is empty"
            return self.error(self.end, f"the sentence {early}")
        word = self.words[chart.reached]
        if not word.strange(known):
            return self.error(word.place, f"unexpected {in_quotes(word.text)}")
        rest = takewhile(lambda other: other.strange(known), self.words[chart.reached :])
        last = [word, *rest][-1 if self.names.vocabulary else 0]
        said = in_quotes(self.text[word.place : last.place + len(last.text)])
        if "_" in word.text and self.names.atoms:
            similar = near_misses(word.text, self.names.atoms)
            return self.error(word.place, f"there is no atom {said}{_meaning(similar)}")
        agents = [*dict.fromkeys(self.names.called.values())]
        if agents and word.text[0].isupper():
            similar = near_misses(word.text, agents)
            start, end = self.text[: word.place], self.text[last.place + len(last.text) : self.end]
            self.named_instead += [f"{start}{name}{end}" for name in similar[:1]]
            return self.error(word.place, f"nobody is called {said}{_meaning(similar)}")
        return self.error(word.place, f"{said} is not understood")

    def _unknown(self) -> FormulaSyntaxError:
        """Return the error for words that can be joined, but mean nothing about the known names."""
        for word, following in zip(self.words, self.words[1:], strict=False):
            if word.low in p.NUMBERED and "<number>" in following.kinds and "<person>" not in following.kinds:
                return self.error(word.place, f"nobody is called {in_quotes(following.text)}")
        read_as = chain.from_iterable(map(q.formulas_in, self.charts[-1].values()))
        if any(map(_hides_worlds, read_as)):
            return self.error(0, "for whom may it be so, or must it? say who thinks it possible or knows it")
        return self.error(0, "this has no clear meaning")

    def instead(self, text: str) -> _Reading:
        """Return the readings of another string about the same names."""
        return _Reading(text, self.names, self.top)

    def readable(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the strings that have one reading."""
        return (text for text in texts if len(self.instead(text).values()) == 1)

    def forms(self) -> str:
        """Return a remark with two forms of what can be asked, about the same agents and facts."""
        found = [*map(in_quotes, islice(self.readable(self.near()), 2))]
        if len(found) == 2:
            return f"(you can ask: {' or '.join(found)})"
        return "(say it in other words, or as a formula, such as K_a p)"

    def near(self) -> Iterator[str]:
        """Yield the forms that share most with the words of a question, about the persons and facts in it."""
        about = self.names.vocabulary or Vocabulary()
        meant = dict.fromkeys(word.kinds["<person>"] for word in self.words if "<person>" in word.kinds)
        persons = [name for name in meant if name in about.agents]
        named = [*persons, *(agent for agent in about.agents if agent not in persons)][:2]
        if not named:
            return
        alike = {meant for place in range(len(self.words)) for _, meant in self._alike(place)}
        words = {word.low for word in self.words} | alike
        said = _facts_in(words, about)
        atoms = [*(atom for atom in about.atoms if atom.lower() in words), *about.atoms, "p"]
        bare = clause(s.Atom(atoms[0]), words=about)
        fill = dict(zip("XYFG", (named[0], named[-1], said[0], said[-1]), strict=True), N="1")

        def distance(form: p.AskedForm) -> tuple[int, int]:
            kept = {*re.findall(r"[a-z]+", form.question.lower())}
            unnamed = abs(len({*form.places} & {*"XY"}) + ("S" in form.places) - len(persons))
            return unnamed - len(kept & words), len(kept)

        for form in sorted(p.asked_forms(), key=distance):
            about_whom = named[-1] if "X" in form.places else named[0]
            told = "log" in form.meaning and not about.moves
            if not told and (not persons or {*form.places} & {*"XS"}):
                stated = f"{about_whom} is {said[0]}" if said[0] != "true" else bare
                yield form.filled(**fill, S=stated)


def _facts_in(words: Collection[str], about: Vocabulary) -> list[str]:
    """Return the words for the facts that are named in a question, or else some fact."""
    facts = p.FactWords(about)

    articles = {noun: "an" if noun[0] in "aeiou" else "a" for noun in facts.nouns if " " not in noun}
    nouns = {noun: f"{article} {noun}" for noun, article in articles.items()}
    known = {word: word for word in facts.adjectives if facts.stems} | nouns
    return [known[word] for word in known if word in words] or [*nouns.values(), *known.values(), "true"][:1]


def _hides_worlds(f: Formula) -> bool:
    """Whether what may be, or must be, in all worlds of a game is said beneath what agents know."""
    operators = (part for part in f.subformulas() if isinstance(part, s.OfAgent | s.OfGroup | s.Probability))
    return any(
        isinstance(below, s.Somewhere | s.Everywhere) for part in operators for below in part.subformulas()
    )


def _meaning(near: Sequence[str]) -> str:
    return f"; did you mean {' or '.join(map(in_quotes, near[:2]))}?" if near else ""
