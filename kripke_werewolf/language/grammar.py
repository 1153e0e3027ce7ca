"""The grammar of English sentences and questions: categories that combine, with their meanings.

The words of operators come from their declarations (`phrases`), those of facts and moves from the vocabulary.
What an agent may be said to do is a `Predicate`; it is joined with a subject, a `Quantity`, by the same rules
whether the sentence is a statement, a question or part of another sentence.

The *written* grammar has exactly the sentences that `to_sentence` writes, each with one reading. The *wide*
grammar has the others. Categories:

* `S` a clause, `Yes` a yes-or-no question, `Open` another question, `Q` any of them;
* `Name` an agent, `Subject` names or an amount of agents, `Noun` and `Nouns` a kind of agents;
* `Does` a predicate beginning with a finite verb, `Do` the same with its base form, after "does"; `Can`,
  `Been`, `Did`, `Be` what comes after "can", "has", "did" and "could"; `Is` what comes after "is";
* `Which` an indirect question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.chart import Grammar, Rule, Several, expanded
from kripke_werewolf.language.formulas import Formula, all_operators, rational
from kripke_werewolf.language.names import QUANTIFIED
from kripke_werewolf.language.operators import Mode, Scope, conjunction, disjunction, modal
from kripke_werewolf.language.phrases import (
    FACTS,
    ClauseList,
    Slot,
    Wording,
    asked,
    base_form,
    of_all,
    synonyms,
    wordings,
)
from kripke_werewolf.language.questions import (
    HIM,
    Alternatives,
    HowLikely,
    Move,
    Predicate,
    Quantity,
    Question,
    Vocabulary,
    Who,
)
from kripke_werewolf.language.sentences import MINUS, PLUS, TIMES

ALIKE = {
    **QUANTIFIED,
    "nobody": ("nobody", "none"),
    "wolf": ("werewolf",),
    "wolves": ("werewolves",),
    "likely": ("probable",),
    "whether": ("if",),
    "is": ("are", "'s", "'re"),
    "does": ("do",),
    "has": ("have",),
    "was": ("were",),
    "not": ("n't",),
    "player": ("players",),
    "their": ("his", "her", "its"),
    "realises": ("realizes",),
    "realise": ("realize",),
}
"""For words of the grammar the others that are read as these."""


def words_in(text: str) -> list[str]:
    """Return the words and signs of a phrase; a comma before "and", "or" and "then" does not count."""
    return re.findall(r"[\w']+|[^\w\s]", re.sub(r",(?=\s*(?:and|or|nor|then|but)\b)", "", text))


def _first(*values: Any) -> Any:
    return values[0]


def _pair(one: Any, other: Any) -> tuple[Any, ...]:
    return one, other


def _longer(one: Any, others: tuple[Any, ...]) -> tuple[Any, ...]:
    return (one, *others)


def said_of(subject: Quantity, said: Predicate) -> Several:
    """Return the readings of a predicate said of a subject."""
    return Several(subject.of(said))


def _of_one(make: Callable[[str], Formula | None]) -> Predicate:
    return Predicate(make)


class _Rules(list[Rule]):
    """The rules of one grammar."""

    def add(self, category: str, patterns: str, make: Callable[..., Any] = _first, cost: int = 0) -> None:
        """Add the rules for patterns, divided by "|"."""
        for pattern in patterns.split("|"):
            self += [Rule(category, parts, make, cost) for parts in expanded(pattern)]

    def add_list(self, category: str, item: str, joint: str) -> None:
        """Add the rules for two or more items, with commas and a joint before the last."""
        self.add(category, f"{item} {joint} {item}", _pair)
        self.add(category, f"{item} , {category}", _longer)


@lru_cache(maxsize=32)
def grammar(operators: tuple[type[Formula], ...], vocabulary: Vocabulary | None, *, wide: bool) -> Grammar:
    """Return a grammar for the known names."""
    rules = _Rules()
    _names(rules, vocabulary)
    _operators(rules, vocabulary, wide=wide)
    _sums(rules, wide=wide)
    facts = _Facts(vocabulary)
    if wide:
        _subjects(rules, vocabulary, facts)
        _predicates(rules, facts)
        _questions(rules)
        if vocabulary is not None and vocabulary.agents:
            _about_all(rules, vocabulary, facts)
            _moves(rules, vocabulary, facts)
            _chances(rules)
    else:
        rules.add("Subject", "Name", _one)
        rules.add("Q", "S|is it the case that S|is it true that S")
        for words, (stem, denied) in facts.written():
            rules.add("S", f"Name is {words}", partial(facts.atom, stem, denied))
            rules.add("S", f"Name is not {words}", partial(facts.atom, stem, not denied))
    return Grammar(rules)


def _one(name: str) -> Quantity:
    return Quantity("each", (name,), listed=True)


def _names(rules: _Rules, vocabulary: Vocabulary | None) -> None:
    rules.add("Name", "Person|<name>")
    rules.add("Person", "<person>")
    rules.add("Person", "player <number>", partial(_numbered, vocabulary))
    rules.add("Count", "<number>", int)
    rules.add("Group", "Name", lambda name: (name,))
    rules.add("Group", "Name and Name", _pair)
    rules.add("Group", "Name , Listed", _longer)
    rules.add("Listed", "Name and Name", _pair)
    rules.add("Listed", "Name , Listed", _longer)
    rules.add("Any", "<any>", lambda name: (name,))
    rules.add_list("Any", "<any>", "and")
    rules.add("S", "<atom> is true", s.Atom)
    rules.add("S", "<atom> is false", lambda name: ~s.Atom(name))


def _numbered(vocabulary: Vocabulary | None, number: str) -> str | None:
    """Return the agent with a number, if there is one."""
    agent = vocabulary.agent(number) if vocabulary else number
    return None if vocabulary and agent not in vocabulary.agents else agent


# --- the declared operators ----------------------------------------------------------------------

_PARTS = {
    Slot.AGENT: "Subject",
    Slot.GROUP: "Group",
    Slot.NAME: "<any>",
    Slot.NAMES: "Any",
    Slot.NUMBER: "Count",
    Slot.CLAUSE: "S",
}
_AFTER = {"is": "Is1", "can": "Can", "has": "Been"}
"""The categories of what comes after an auxiliary verb."""
_SAYING = re.compile(r"\b(knows?|believes?|thinks?|tell|sure|certain) that S$")
"""The ends of phrases whose "that" may be left out before a person."""


def _operators(rules: _Rules, vocabulary: Vocabulary | None, *, wide: bool) -> None:
    for joint in ("and", "or"):
        rules.add_list(f"List{joint}", "S", joint)
    for wording in wordings():
        if wording.kind is s.Atom:
            continue
        for template in synonyms(wording.template) if wide else (wording.template,):
            _phrase(rules, wording, template, wide=wide)
            if wide and vocabulary and vocabulary.agents and (without := of_all(template)):
                _phrase(rules, wording, without, wide=wide, group=vocabulary.agents)


def _phrase(
    rules: _Rules, wording: Wording, template: str, *, wide: bool, group: tuple[str, ...] | None = None
) -> None:
    """Add the rules for the words of an operator."""
    kind = wording.kind
    if wide and issubclass(kind, s.Modal) and kind.scope in (Scope.EACH, Scope.SOME):
        if modal(Scope.AGENT, kind.mode):
            return  # composed of a subject and the words for one agent
    phrase = wording.with_words(template, () if group is None else (group,))
    parts: list[str] = []
    for piece in phrase.pieces:
        match piece:
            case str():
                words = ["hold/holds" if word == "hold" else word for word in words_in(piece) if word != "s"]
                words = [word for word in words if word not in ("(", ")")]
                parts += [f"[{word}]" if wide and word in ",:" else word for word in words]
            case ClauseList(joint):
                parts.append(f"List{joint}")
            case _:
                parts.append(_PARTS[piece])

    def made(*values: Any) -> Formula:
        slots = [value for value in values if not isinstance(value, Formula) and not _clauses(value)]
        clauses = [value for value in values if isinstance(value, Formula) or _clauses(value)]
        below = [f for value in clauses for f in (value if isinstance(value, tuple) else (value,))]
        return phrase.of(slots, tuple(below))

    if "Subject" not in parts:
        rules.add("S", " ".join(parts), made)
        if wide and (question := asked(" ".join(parts))):
            rules.add("Yes", re.sub(r"^(is|does) it", r"\1 [n't] it", question), made)
        return

    def predicate(*values: Any) -> Predicate:
        return Predicate(lambda agent: made((agent,), *values))

    text = " ".join(parts)
    if parts[0] != "Subject" or not wide:
        before = text.index("Subject")

        def of_subject(*values: Any) -> Several:
            return said_of(values[0], predicate(*values[1:]))

        rules.add("S", text, of_subject)
        if wide and before and (question := asked(text)):
            rules.add("Yes", re.sub(r"^(is|does) it", r"\1 [n't] it", question), of_subject)
        return
    verb, rest = parts[1], " ".join(parts[2:])
    if wording.denied and rest.startswith("not "):
        return  # composed of the words of the operator and "not"
    whether = isinstance(phrase.kind, type) and phrase.kind is modal(Scope.AGENT, Mode.WHETHER)
    for said, meaning in _variants(f"{verb} {rest}", predicate, phrase.denied, which=whether):
        _verb(rules, said, meaning)


def _clauses(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Formula)


def _variants(
    said: str, predicate: Callable[..., Predicate], denied: bool, *, which: bool
) -> Iterator[tuple[str, Callable[..., Predicate]]]:
    """Yield words for a predicate with those that mean the same or take another kind of clause."""
    yield said, predicate
    if said.endswith(" that S"):
        yield said.removesuffix("S") + "Thats", predicate
        if _SAYING.search(said):
            yield said.removesuffix("that S") + "Plain", predicate
    if which:

        def known(alternatives: Alternatives) -> Predicate:
            found = alternatives.known()
            return found.negated() if denied else found

        yield said.removesuffix("whether S") + "Which", known
        yield said.removesuffix("S") + "or not S", predicate
        yield f"{said} or not", predicate


def _verb(rules: _Rules, words: str, meaning: Callable[..., Predicate]) -> None:
    """Add the rules for a predicate, given with its finite verb."""
    verb, _, rest = words.partition(" ")
    if verb in _AFTER:
        rules.add(_AFTER[verb], rest, meaning)
    else:
        rules.add("Does", f"{verb}/{base_form(verb)} {rest}", meaning)
        rules.add("Do", f"{base_form(verb)} {rest}", meaning)


# --- sums of probabilities -----------------------------------------------------------------------


def _number(text: str) -> Fraction | None:
    try:
        return rational(text)
    except FormulaError:
        return None


def _sums(rules: _Rules, *, wide: bool) -> None:
    def term(agent: str, body: Formula) -> tuple[Any, ...]:
        return (Fraction(1), agent, body)

    def times(factor: Fraction, summand: tuple[Any, ...]) -> tuple[Any, ...]:
        return (factor * summand[0], *summand[1:])

    minus = partial(times, Fraction(-1))
    rules.add("Number", "<rational>", _number)
    rules.add("Number", "<rational> %", lambda text: None if (n := _number(text)) is None else n / 100)
    rules.add("Bound", "Number")
    rules.add("Bound", f"- Number|{MINUS} Number", lambda number: -number)
    says = s.Probability.english.says.format("Name").replace("…", "S")
    rules.add("Term", says, term)
    rules.add("Term", f"Number {TIMES} Term", times)
    rules.add("Sum", "Term", lambda one: (one,))
    rules.add("Sum", f"{MINUS} Term", lambda one: (minus(one),))
    rules.add("Sum", f"Sum {PLUS} Term", lambda terms, one: (*terms, one))
    rules.add("Sum", f"Sum {MINUS} Term", lambda terms, one: (*terms, minus(one)))
    for relation, comparison in s.Probability.comparisons.items():

        def compared(terms: tuple[Any, ...], bound: Fraction, relation: str = relation) -> Formula:
            return s.Probability(terms, relation, bound)

        rules.add("S", f"Sum {comparison.words} Bound", compared)
        if wide:
            asks, _, rest = comparison.words.partition(" ")
            rules.add("Yes", f"{asks} Sum {rest} Bound", compared)


# --- facts, nouns and subjects -------------------------------------------------------------------


class _Facts:
    """The words for facts about agents, each with the stem of its atoms and whether it denies them."""

    def __init__(self, vocabulary: Vocabulary | None) -> None:
        self.single = vocabulary.single if vocabulary else ()
        self.ranks = [stem for stem, words in FACTS.items() if words.startswith("the ")]
        found = {words: (stem, False) for stem, words in FACTS.items()}
        if vocabulary:
            ends = tuple(f"_{agent}" for agent in vocabulary.agents)
            own = {atom.partition("_")[0] for atom in vocabulary.atoms if atom.endswith(ends)}
            own -= {move.stem for move in vocabulary.moves}
            found = {words: fact for words, fact in found.items() if fact[0] in own}
            found |= {stem: (stem, False) for stem in own - FACTS.keys()}
            found |= {words: (stem, False) for words, stem in vocabulary.facts}
        found = {words.lower(): fact for words, fact in found.items() if re.fullmatch(r"\w+( \w+)*", words)}
        self.known, self.atoms = found, frozenset(vocabulary.atoms) if vocabulary else None
        bare = {words: words.removeprefix("a ").removeprefix("an ").removeprefix("the ") for words in found}
        self.nouns = {bare[words]: fact for words, fact in found.items() if words != bare[words]}
        self.adjectives = {words: fact for words, fact in found.items() if words == bare[words]}
        self.adjectives |= {
            words.removesuffix(" wolf"): fact for words, fact in self.nouns.items() if " wolf" in words
        }
        self.adjectives = {word: fact for word, fact in self.adjectives.items() if word not in self.nouns}
        if ("dead", False) in self.known.values():
            self.adjectives |= dict.fromkeys(("alive", "living", "left"), ("dead", True))

    def written(self) -> Iterator[tuple[str, tuple[str, bool]]]:
        """Yield the words that are written, with their facts."""
        return (
            (words, (stem, False)) for stem, words in FACTS.items() if (stem, False) in self.known.values()
        )

    def predicate(self, fact: tuple[str, bool], *, unique: bool = False) -> Predicate:
        """Return the predicate that a fact is true of an agent."""
        unique = unique or fact[0] in self.single or fact[0] in self.ranks
        return Predicate(partial(self.atom, *fact), unique=unique)

    def atom(self, stem: str, denied: bool, name: str) -> Formula | None:
        """Return what a fact says of an agent; None if there is no such atom."""
        atom = f"{stem}_{name}"
        if self.atoms is not None and atom not in self.atoms and name != HIM:
            return None
        return ~s.Atom(atom) if denied else s.Atom(atom)

    @property
    def roles(self) -> list[str]:
        """The stems of the roles, of which each agent has exactly one."""
        nouns = {stem: words for words, (stem, _) in self.nouns.items()}
        return [stem for stem, words in nouns.items() if not words.endswith(" wolf") and stem != "dominant"]


def plural(noun: str) -> str:
    """Return the plural of a noun: `wolves` of `wolf`."""
    return noun.removesuffix("f") + "ves" if noun.endswith("lf") else f"{noun}s"


_COUNTED = {
    "at least": ("atleast", 0),
    "at most": ("atmost", 0),
    "exactly": ("exactly", 0),
    "more than": ("atleast", 1),
    "fewer/less than": ("atmost", -1),
}
_AMOUNTS = {"every/each": "each", "a/an/any/some": "some", "no": "none", "not every": "not all"}
_OF_NOUNS = {
    "all [the]|the": "each",
    "no": "none",
    "some [of the]|any [of the]": "some",
    "not all [the]": "not all",
}
_OF_GROUP = {
    "each of|all of|everyone among/of|everyone of": "each",
    "someone among/of|one of|any of|some of|at least one of": "some",
    "nobody among/of|none of|no one among/of": "none",
    "not everyone among/of|not all of": "not all",
}


def _subjects(rules: _Rules, vocabulary: Vocabulary | None, facts: _Facts) -> None:
    """Add the rules for the subjects of predicates."""

    def listed(amount: Any) -> Callable[[tuple[str, ...]], Quantity]:
        return lambda agents: Quantity(amount, agents, listed=True)

    rules.add("Numbered", "<number>", partial(_numbered, vocabulary))
    rules.add_list("Numbers", "Numbered", "and")
    rules.add("Group", "players Numbers")
    for joint in ("and", "or", "nor"):
        rules.add_list(f"Names{joint}", "Name", joint)
    rules.add("Namesand", "players Numbers")
    rules.add("Plain", "Person Does", lambda name, said: said_of(_one(name), said))
    rules.add("Subject", "Name", _one)
    rules.add("Subject", "[both] Namesand", listed("each"))
    rules.add("Subject", "[either] Namesor", listed("some"))
    rules.add("Subject", "neither Namesnor|neither Namesor", listed("none"))
    rules.add("Subject", "Namesand together", listed("together"))
    for patterns, amount in _OF_GROUP.items():
        for pattern in patterns.split("|"):
            rules.add("Subject", f"{pattern} Group", partial(_among_named, amount))
    for words, (counts, more) in _COUNTED.items():

        def counted(number: int, agents: tuple[str, ...], counts: Any = counts, more: int = more) -> Any:
            return _counting(counts, number + more, agents)

        rules.add("Subject", f"{words} Count of Group", counted)
    if vocabulary is None or not (agents := vocabulary.agents):
        return
    rules.add("Plain", "Amount Does", said_of)
    rules.add("Subject", "Amount")
    everyone: Predicate = Predicate(lambda agent: s.TRUE)
    for words, amount in (("everyone", "each"), ("someone", "some"), ("nobody|no one", "none")):
        rules.add("Amount", words, partial(_among_named, amount, agents))
        for pattern in words.split("|"):
            rules.add(
                "Amount",
                f"{pattern} but/except [for] Group",
                lambda left, amount=amount: Quantity(amount, tuple(a for a in agents if a not in left)),
            )
    rules.add("Amount", "not everyone", partial(Quantity, "not all", agents))
    rules.add("Amount", "all", partial(Quantity, "each", agents))
    rules.add("Noun", "player", lambda: everyone)
    rules.add("Nouns", "players", lambda: everyone)
    for noun, fact in facts.nouns.items():
        rules.add("Noun", noun, partial(facts.predicate, fact))
        rules.add("Nouns", plural(noun), partial(facts.predicate, fact))
        if facts.predicate(fact).unique:
            rules.add("Amount", f"the {noun}", partial(Quantity, "some", agents, facts.predicate(fact)))
    for word, fact in facts.adjectives.items():
        rules.add("Fact", word, partial(facts.predicate, fact))
    both = lambda one, other: _of_one(lambda a: _joined_facts(one.of(a), other.of(a)))  # noqa: E731
    for noun in ("Noun", "Nouns"):
        rules.add(noun, f"Fact {noun}", both, 1)
        rules.add("Kind" + noun, noun)
        rules.add("Kind" + noun, f"{noun} who/that Does", both, 1)
        rules.add("Kind" + noun, f"{noun} alive", lambda kind: both(kind, facts.predicate(("dead", True))), 1)

    def amount_of(amount: Any) -> Callable[[Predicate], Quantity]:
        return lambda kind: Quantity(amount, agents, None if kind is everyone else kind)

    for words, amount in _AMOUNTS.items():
        rules.add("Amount", f"{words} KindNoun", amount_of(amount))
    for patterns, amount in _OF_NOUNS.items():
        for pattern in patterns.split("|"):

            def of_nouns(kind: Predicate, amount: Any = amount) -> Quantity:
                return amount_of("some" if amount == "each" and kind.unique else amount)(kind)

            rules.add("Amount", f"{pattern} KindNouns", of_nouns)
    for words, (counts, more) in _COUNTED.items():
        for noun in ("KindNoun", "KindNouns"):

            def counting(number: int, kind: Predicate, counts: Any = counts, more: int = more) -> Any:
                among = None if kind is everyone else kind
                return _counting(counts, number + more, agents, among)

            rules.add("Amount", f"{words} Count {noun}", counting)


def _joined_facts(one: Formula | None, other: Formula | None) -> Formula | None:
    if one is None or other is None:
        return None
    return other if one is s.TRUE else one if other is s.TRUE else one & other


def _among_named(amount: Any, agents: tuple[str, ...]) -> Quantity:
    return Quantity(amount, agents)


def _counting(
    kind: Any, number: int, agents: tuple[str, ...], among: Predicate | None = None
) -> Quantity | None:
    return Quantity(kind, agents, among, number) if number >= 0 else None


# --- predicates ----------------------------------------------------------------------------------


def _predicates(rules: _Rules, facts: _Facts) -> None:
    """Add the rules for predicates, and for clauses made of a subject and a predicate."""
    denied = Predicate.negated
    for noun, fact in facts.nouns.items():
        rules.add("Fact1", f"[a/an] {noun}|{plural(noun)}", partial(facts.predicate, fact))
        rules.add("Fact1", f"the {noun}|the {plural(noun)}", partial(facts.predicate, fact, unique=True))
    for word, fact in facts.adjectives.items():
        rules.add("Fact1", word, partial(facts.predicate, fact))
    rules.add("Is1", "[still/really/actually/now/already/also/both/all] Fact1")
    rules.add("Is", "Is1")
    rules.add("Is", "not Is1", denied)
    rules.add_list("Factsor", "Fact1", "or")
    rules.add("Is", "[either] Factsor", partial(_of_each, disjunction))
    rules.add("Is", "both Fact1 and Fact1", lambda *said: _of_each(conjunction, said))
    rules.add("Is", "Fact1 and Fact1", lambda *said: _of_each(conjunction, said))
    rules.add(
        "Is", "neither Fact1 nor Fact1", lambda *said: _of_each(conjunction, [p.negated() for p in said])
    )
    rules.add("Does", "is Is|can Can|has Been")
    rules.add("Does", "does not Do|can not Can|has not Been", denied)
    rules.add("Do", "not Do", denied)
    ruled_out = partial(_knowing, lambda f: ~f)
    for verb in ("rule out", "exclude"):
        for category in ("Can", "Do"):
            rules.add(category, f"{verb} that S|{verb} Thats", ruled_out)
        finite = verb.replace("rule", "rule/rules") if " " in verb else f"{verb}/{verb}s"
        rules.add("Does", f"{finite} that S|{finite} that Thats", ruled_out)
    rules.add("Thats", "S and that S", lambda one, other: one & other)
    rules.add("S", "Subject Does", said_of)
    rules.add("S", "<atom>", s.Atom, 1)
    rules.add("S", "<atom> hold/holds", s.Atom)
    rules.add("S", "<atom> does not hold", lambda name: ~s.Atom(name))
    rules.add("Which", "whether S or S", lambda *said: _which(said), -1)
    rules.add(
        "Which", "whether Namesor Does", lambda names, said: _which([f for _, f in said.each(names)]), -1
    )
    rules.add("Which", "whether Subject is Factsor", _which_fact, -1)


def _of_each(join: Callable[..., Formula], said: Sequence[Predicate]) -> Predicate:
    def found(agent: str) -> Formula | None:
        parts = [part.of(agent) for part in said]
        return None if None in parts else join(parts)

    return Predicate(found)


def _knowing(meant: Callable[[Formula], Formula], body: Formula) -> Predicate:
    box = modal(Scope.AGENT, Mode.BOX)
    assert box is not None
    return Predicate(lambda agent: box._make((agent,), (meant(body),)))


def _which(said: Sequence[Formula]) -> Alternatives:
    return Alternatives(lambda agent: [(str(f), f) for f in said])


def _which_fact(subject: Quantity, facts: Sequence[Predicate]) -> Alternatives | None:
    found = [subject.of(fact) for fact in facts]
    return _which([readings[0] for readings in found]) if all(found) else None


# --- questions -----------------------------------------------------------------------------------


def _questions(rules: _Rules) -> None:
    """Add the rules for yes-or-no questions about a subject and a predicate."""
    rules.add("Asked", "S|Yes")
    rules.add("Q", "Asked|Open")
    rules.add("Yes", "does [n't] Subject Do|is [n't] Subject Is|can [n't] Subject Can", said_of)
    rules.add("Yes", "has [n't] Subject Been", said_of)
    rules.add("Yes", "is [n't] <atom> true|does [n't] <atom> hold", s.Atom)
    rules.add("Yes", "is <atom> false", lambda name: ~s.Atom(name))
    rules.add("Yes", "is it the case that S|is it true that S|it is true that S")


def _about_all(rules: _Rules, vocabulary: Vocabulary, facts: _Facts) -> None:
    """Add the rules of sentences that need to know all agents."""
    agents = vocabulary.agents
    boxes = {
        (scope, mode): modal(scope, mode)
        for scope in (Scope.AGENT, Scope.WORLDS)
        for mode in (Mode.BOX, Mode.DIAMOND)
    }
    if None in boxes.values():
        return

    def considered(scope: Scope, mode: Mode) -> Callable[..., Formula]:
        kind: Any = boxes[scope, mode]
        return lambda *given: kind._make(given[1:], given[:1])

    somewhere, everywhere = considered(Scope.WORLDS, Mode.DIAMOND), considered(Scope.WORLDS, Mode.BOX)
    possible, sure = considered(Scope.AGENT, Mode.DIAMOND), considered(Scope.AGENT, Mode.BOX)

    def possibly(of: Callable[..., Formula], said: Predicate, *view: str) -> Predicate:
        return Predicate(lambda agent: None if (f := said.of(agent)) is None else of(f, *view))

    # what may and what must be, for the game master or in the view of a player
    rules.add("View", "for/to Name|according to Name|from Name 's point of view|in Name 's view/eyes/opinion")
    for category, here, there in (("Be", somewhere, possible), ("Surely", everywhere, sure)):
        rules.add(category, "[still] be Is", partial(possibly, here))
        rules.add(category, "[still] be Is View", partial(possibly, there))
    rules.add("Does", "could/can/might/may Be|must Surely|has to Surely")
    rules.add("Does", "could/can not Be|does not have to Surely", Predicate.negated)
    rules.add("Does", "might/may not be Is", lambda said: possibly(somewhere, said.negated()))
    rules.add(
        "Yes", "could/can/might/may [n't] Subject Be|must Subject Surely|does Subject have to Surely", said_of
    )
    rules.add(
        "Yes",
        "could/might/may Subject not be Is",
        lambda subject, said: said_of(subject, possibly(somewhere, said.negated())),
    )
    rules.add(
        "Yes",
        "is Subject definitely/certainly Fact1",
        lambda subject, said: said_of(subject, possibly(everywhere, said)),
    )
    rules.add("Yes", "is it possible that S|it is possible that S|is it still possible that S", somewhere)
    rules.add("Yes", "is it certain that S|it is certain that S", everywhere)
    always = Predicate(lambda agent: s.TRUE)
    of_view = lambda view, f: possible(f, view)  # noqa: E731
    rules.add("Yes", "is it possible View that S", of_view)
    for category, words in (("Yes", "is there Amount"), ("S", "there is Amount")):
        rules.add(
            category,
            words,
            lambda some: None if "all" in some.amount or some.amount == "each" else said_of(some, always),
        )
    rules.add("Yes", "is there Amount Is", said_of)

    # who and which
    def who(said: Predicate, among: Sequence[str] = agents) -> Who | None:
        return Who(tuple(found)) if (found := said.each(among)) else None

    def which_of(said: Predicate, among: Sequence[str] = agents) -> Alternatives:
        return Alternatives(lambda agent: said.each(among), said.unique)

    def of_kind(kind: Predicate, said: Predicate) -> Predicate:
        return _of_one(lambda agent: _joined_facts(kind.of(agent), said.of(agent)))

    def swapped(make: Callable[..., Any]) -> Callable[..., Any]:
        return lambda among, said: make(said, among)

    is_unique = lambda said: Predicate(said.of, unique=True)  # noqa: E731
    for category, make in (("Open", who), ("Which", which_of)):
        rules.add(category, "who Does|which player Does|what player Does", make)
        rules.add(category, "which [one] of Group Does", swapped(make))
        for noun in ("Noun", "Nouns"):
            rules.add(category, f"which {noun} Does", lambda k, said, make=make: make(of_kind(k, said)), 1)
    rules.add("Which", "who the Noun is|the identity of the Noun", lambda kind: which_of(is_unique(kind)), -1)
    rules.add("Which", "who [the] Nouns is|who is the Nouns|who all [the] Nouns is", which_of, -1)
    rules.add(
        "Open",
        "who/whom does Name know/think/believe is Is",
        lambda viewer, said: who(possibly(lambda f: sure(f, viewer), said)),
    )

    # roles
    def has_role(name: str) -> list[tuple[str, Formula]]:
        return [(stem, s.Atom(f"{stem}_{name}")) for stem in facts.roles]

    def role_of(name: str) -> Alternatives:
        return Alternatives(lambda agent: has_role(name))

    own = Alternatives(has_role)
    if len(facts.roles) > 1:
        rules.add("Which", "their own role|their own card", lambda: own)
        rules.add("Role", "Name 's role/card|the role/card of Name|what/which role/card Name has")
        rules.add("Role", "what Name 's role/card is|what the role/card of Name is|what Name is|who Name is")
        rules.add("Which", "Role", role_of)
        rules.add(
            "Open",
            "what/which role/card does Name have|what is Name|what is Name 's role/card|what is the role/card of Name",
            lambda name: Who(tuple(has_role(name))),
        )

    def each_others(subject: Quantity, own: bool) -> Several | None:
        def of(agent: str) -> Formula | None:
            others = [other for other in subject.agents if other != agent]
            if own or subject.among is None:
                known = [role_of(other).known().of(agent) for other in others]
            else:
                about = [subject.among.of(other) for other in others]
                known = [s.Implies(f, sure(f, agent)) for f in about if f is not None]
            return conjunction(f for f in known if f is not None) if others else None

        return said_of(subject, Predicate(of)) if subject.amount == "each" else None

    for words, category in (("does Subject know", "Yes"), ("Subject knows/know", "S")):
        rules.add(category, f"{words} each other 's role/roles", lambda subject: each_others(subject, True))
        rules.add(category, f"{words} each other", lambda subject: each_others(subject, False))

    # numbers
    def how_many(said: Predicate) -> list[tuple[str, Formula]]:
        parts = [f for _, f in said.each(agents)]
        return [(str(number), s.Count("exactly", number, *parts)) for number in range(len(parts) + 1)]

    counts: tuple[tuple[str, Callable[..., list[tuple[str, Formula]]]], ...] = (
        ("how many Nouns Does", lambda kind, said: how_many(of_kind(kind, said))),
        ("how many Does", how_many),
    )
    for words, make in counts:
        rules.add("Open", words, lambda *given, make=make: Who(tuple(make(*given))))
        rules.add("Which", words, lambda *given, make=make: Alternatives(lambda agent: make(*given)), -1)
    rules.add("Open", "how many KindNouns is there", lambda kind: Who(tuple(how_many(of_kind(kind, always)))))
    rules.add(
        "Which",
        "how many KindNouns there is",
        lambda kind: Alternatives(lambda agent: how_many(of_kind(kind, always))),
    )

    # the only one, the end of the game
    def only(names: tuple[str, ...], said: Predicate) -> Formula:
        found = said.each(agents)
        return conjunction(f if agent in names else ~f for agent, f in found)

    rules.add("Yes", "is Name the only Noun", lambda name, kind: only((name,), kind))
    rules.add("Yes", "does only Name Do|is only Name Is", lambda name, said: only((name,), said))
    rules.add("S", "only Name Does", lambda name, said: only((name,), said))
    if vocabulary.endings:
        won = vocabulary.endings
        rules.add("Open", "who [has] won|who is the winner|who wins", lambda: Who(won))
        rules.add(
            "Yes",
            "is the game over|has someone won|has the game ended",
            lambda: disjunction(f for _, f in won),
        )
        for words, condition in won:
            rules.add("Yes", f"has {words} won|did {words} win", lambda condition=condition: condition)


# --- moves ---------------------------------------------------------------------------------------

_ORDINALS = ("zeroth", "first", "second", "third", "fourth", "fifth", "sixth")
SIMILAR_MOVES = {
    "looked": (("see", "saw"), ("check", "checked"), ("investigate", "investigated"), ("visit", "visited"))
}
"""Other verbs for moves; they are read but never written."""


def _moves(rules: _Rules, vocabulary: Vocabulary, facts: _Facts) -> None:
    """Add the rules for what agents did to others, and when."""
    agents, atoms = vocabulary.agents, frozenset(vocabulary.atoms)
    rules.add("When", "in/on/during night <number>|in/on night <number>")
    for number, word in enumerate(_ORDINALS):
        rules.add("When", f"in/on/during the {word} night", lambda number=number: str(number))

    def atom(stem: str, *names: str) -> Formula | None:
        name = "_".join((stem, *names))
        return s.Atom(name) if name in atoms or HIM in names else None

    def doing(move: Move, target: Quantity, *when: str) -> Predicate:
        def of(actor: str) -> Formula | None:
            return _the_only(target.of(Predicate(lambda to: atom(move.stem, actor, to, *when))))

        return Predicate(of)

    def suffering(move: Move, actor: Quantity, *when: str) -> Predicate:
        def of(target: str) -> Formula | None:
            return _the_only(actor.of(Predicate(lambda by: atom(move.stem, by, target, *when))))

        return Predicate(of)

    def targets(move: Move, actor: str, *when: str) -> Predicate:
        return Predicate(lambda to: atom(move.stem, actor, to, *when))

    def seen(move: Move, actor: str, *when: str) -> list[tuple[str, Formula]]:
        return [
            (f"{to}: {result}", found)
            for to in agents
            for result in move.results
            if (found := atom(move.stem, actor, to, result, *when)) is not None
        ]

    def saw(move: Move, result: str, target: Quantity, *when: str) -> Predicate:
        def of(actor: str) -> Formula | None:
            return _the_only(target.of(Predicate(lambda to: atom(move.stem, actor, to, result, *when))))

        return Predicate(of)

    someone = Quantity("some", agents)
    for move in vocabulary.moves:
        if move.results:
            rules.add("Open", f"what did Name {move.base} [When]", partial(_open, partial(seen, move)))
            rules.add("Which", f"what Name {move.past} [When]", partial(_all_of, partial(seen, move)))
            for result in move.results:
                for words in (f"that Subject is [a] {result}", f"Subject as [a] {result}"):
                    rules.add("Does", f"{move.past} {words} [When]", partial(saw, move, result))
                    rules.add("Did", f"{move.base} {words} [When]", partial(saw, move, result))
            continue
        for base, past in ((move.base, move.past), *SIMILAR_MOVES.get(move.stem, ())):
            rules.add("Does", f"{past} Subject [When]", partial(doing, move))
            rules.add("Did", f"{base} Subject [When]", partial(doing, move))
            rules.add("Passive", f"{past} by Subject [When]", partial(suffering, move))
            rules.add("Passive", f"{past} [When]", partial(suffering, move, someone))
            of_targets = lambda *given, move=move: targets(move, *given)  # noqa: E731
            rules.add("Open", f"who/whom did Name {base} [When]", partial(_open_of, agents, of_targets))
            rules.add("Which", f"who/whom Name {past} [When]", partial(_which_of, agents, of_targets))
    if "dead" in facts.adjectives:
        for category, words in (("Does", "died"), ("Did", "die"), ("Been", "died")):
            rules.add(category, words, partial(facts.predicate, ("dead", False)))
    rules.add("Passive", "Fact1")
    rules.add("Does", "was Passive|has been Passive|got Passive")
    rules.add("Does", "was not Passive|did not Did", Predicate.negated)
    rules.add("Yes", "did [n't] Subject Did|was [n't] Subject Passive", said_of)
    rules.add("Yes", "has Subject been Passive", said_of)


def _the_only(readings: list[Formula]) -> Formula | None:
    return readings[0] if len(readings) == 1 else None


def _open(make: Callable[..., list[tuple[str, Formula]]], *given: str) -> Who | None:
    return Who(tuple(found)) if (found := make(*given)) else None


def _all_of(make: Callable[..., list[tuple[str, Formula]]], *given: str) -> Alternatives | None:
    return Alternatives(lambda agent: make(*given), False) if make(*given) else None


def _open_of(agents: tuple[str, ...], make: Callable[..., Predicate], *given: str) -> Who | None:
    return _open(lambda *same: make(*same).each(agents), *given)


def _which_of(agents: tuple[str, ...], make: Callable[..., Predicate], *given: str) -> Alternatives | None:
    return _all_of(lambda *same: make(*same).each(agents), *given)


# --- probabilities -------------------------------------------------------------------------------

_COMPARED = {"at least": ">=", "at most": "<=", "more than": ">", "less than": "<", "exactly": "="}


def _chances(rules: _Rules) -> None:
    """Add the rules for how likely something is, and what it is compared with."""
    add = rules.add

    def compared(relation: str, bound: object, *bodies: Formula) -> Predicate:
        """Return what an agent finds of one probability, or of a difference of two."""
        signs = Fraction(1), Fraction(-1)
        return Predicate(
            lambda agent: s.Probability(
                [(sign, agent, f) for sign, f in zip(signs, bodies, strict=False)], relation, bound
            )
        )

    def of_two(relation: str, one: str, said: Predicate, other: str) -> tuple[Any, ...] | None:
        bodies = [said.of(name) for name in (one, other)]
        return None if None in bodies else (relation, 0, *bodies)

    def how_likely(*given: Any) -> HowLikely:
        """Return a question about a body, for an agent if one is given, before or after it."""
        viewer = next((name for name in given if isinstance(name, str)), None)
        return HowLikely(viewer, *(f for f in given if isinstance(f, Formula)))

    def viewed(asked: tuple[Any, ...], *view: str) -> Question | None:
        return compared(*asked).of(view[0]) if view else HowLikely(None, *asked[2:])

    def of_subject(subject: Quantity, said: Predicate, *view: str) -> HowLikely | None:
        body = _the_only(subject.of(said))
        return None if body is None else how_likely(body, *view)

    for words, relation in _COMPARED.items():
        add("Than", f"{words} Number", lambda number, relation=relation: (relation, number))
    for word, relation in (("more", ">"), ("less", "<"), ("as/equally", "=")):
        two = partial(of_two, relation)
        add("Likelier", f"Name is {word} likely [to be] [a/an/the] Fact1 than/as Name", two)
        add("Twice", f"Name {word} likely [to be] Fact1 than/as Name", two)
        add("Likelier", f"it is {word} likely that S than/as that S", lambda *f, r=relation: (r, 0, *f))
    add("Likelier", "it is more likely than not that S", lambda f: (">", Fraction(1, 2), f))
    add("Likelier", "it is Than likely that S|it Than likely that S", lambda than, f: (*than, f))
    for category, think, give in (("Does", "thinks/think", "gives/give"), ("Do", "think", "give")):
        add(category, f"{think} [that] Likelier", lambda asked: compared(*asked))
        add(category, f"{give} Than to Being", lambda than, f: compared(*than, f))
        add(category, f"{give} Being Than", lambda f, than: compared(*than, f))
    add("Is1", "Than sure/certain that S|Than sure/certain Plain", lambda than, f: compared(*than, f))
    add("Being", "Subject being Is", said_of)
    add("Open", "is Twice [View]", viewed)
    add("Open", "is it Than likely that S", lambda than, f: viewed((*than, f)))
    add("Open", "is it Than likely View that S", lambda than, view, f: viewed((*than, f), view))
    for words in ("how likely is it", "what is the probability/chance/chances/odds"):
        add("Open", f"{words} [View] that S|{words} that S View", how_likely)
    for words in ("it is that", "it that"):
        add("Open", f"how likely does Name think/believe/hold/find/consider {words} S", how_likely)
    add("Open", "how sure/certain/confident is Name that S|how sure/certain is Name Plain", how_likely)
    add("Open", "what probability/chance does Name give to Being", how_likely)
    add("Open", "what is the probability/chance of Being [View]", how_likely)
    add("Open", "how likely is Subject [to be] Is [View]", of_subject)
