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
from kripke_werewolf.language import phrases as p
from kripke_werewolf.language.chart import Grammar, Production, Readings, expanded
from kripke_werewolf.language.formulas import Formula, rational
from kripke_werewolf.language.names import QUANTIFIED
from kripke_werewolf.language.operators import Mode, Scope, conjunction, disjunction, modal
from kripke_werewolf.language.questions import (
    HIM,
    Alternatives,
    HowLikely,
    MoveWords,
    Predicate,
    Quantity,
    Question,
    Vocabulary,
    Who,
)
from kripke_werewolf.language.sentences import MINUS, PLUS, TIMES

ALIKE = {
    **QUANTIFIED,
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
    "their": tuple(re.findall(r"\w+", "his her its")),
    "who": ("whom",),
}
"""For words of the grammar the others that are read as these."""


def words_in(text: str) -> list[str]:
    """Return the words and signs of a phrase; a comma before "and", "or" and "then" does not count."""
    return re.findall(r"[\w'/]+|[^\w\s]", re.sub(r",(?=\s*(?:and|or|then)\b)", "", text))


def _first(*values: Any) -> Any:
    return values[0]


def _tuple(*values: Any) -> tuple[Any, ...]:
    return values


def _said_of(subject: Quantity, said: Predicate) -> Readings:
    return Readings(subject.of(said))


def _one(name: str) -> Quantity:
    return Quantity("each", (name,), listed=True)


def _the_only(readings: Sequence[Formula]) -> Formula | None:
    return readings[0] if len(readings) == 1 else None


class _Rules(list[Production]):
    """The rules of one grammar, about the names of a vocabulary if there is one."""

    def __init__(self, vocabulary: Vocabulary | None, *, wide: bool) -> None:
        super().__init__()
        self.vocabulary, self.wide = vocabulary, wide
        self.agents = vocabulary.agents if vocabulary else ()

    def add(self, category: str, patterns: str, make: Callable[..., Any] = _first, cost: int = 0) -> None:
        """Add the rules for patterns, divided by "|"."""
        for pattern in patterns.split("|"):
            self += [Production(category, parts, make, cost) for parts in expanded(pattern)]

    def add_list(self, category: str, item: str, joint: str, *, repeated: bool = False) -> None:
        """Add the rules for two or more items, with commas and a joint before the last, or `repeated`."""
        self.add(category, f"{item} {joint} {item}", _tuple)
        more = f"{item} , {category}|{item} {joint} {category}" if repeated else f"{item} , {category}"
        self.add(category, more, lambda one, others: (one, *others))


@lru_cache(maxsize=32)
def grammar(operators: tuple[type[Formula], ...], vocabulary: Vocabulary | None, *, wide: bool) -> Grammar:
    """Return a grammar for the declared operators and the known names."""
    rules, facts = _Rules(vocabulary, wide=wide), _Facts(vocabulary)
    _names(rules)
    _operators(rules)
    _sums(rules)
    if not wide:
        rules.add("Subject", "Name", _one)
        rules.add("Q", "S|is it the case that S|is it true that S")
        for stem in facts.stems & p.FACTS.keys():
            for denied in (False, True):
                words = p.fact_template(p.FACTS[stem], denied=denied).format("Name")
                rules.add("S", words, partial(facts.atom, stem, denied))
        return Grammar(rules)
    _predicates(rules, facts)
    _subjects(rules, facts)
    if rules.agents:
        _possibilities(rules)
        _wh_questions(rules, facts)
        _moves(rules, facts)
        _chances(rules)
    return Grammar(rules)


def _names(rules: _Rules) -> None:
    add, about = rules.add, rules.vocabulary

    def numbered(number: str) -> str | None:
        agent = about.agent(number) if about else number
        return None if about and agent not in about.agents else agent

    add("Name", "Person|<name>")
    add("Person", "<person>")
    add("Person", "player <number>", numbered)
    add("Number1", "<number>", numbered)
    add("Count", "<number>", int)
    add("Group", "Name", _tuple)
    rules.add_list("Group2", "Name", "and")
    add("Group", "Group2")
    add("Any", "<any>", _tuple)
    rules.add_list("Any", "<any>", "and")
    add("S", "<atom> is true", s.Atom)
    add("S", "<atom> is false", lambda name: ~s.Atom(name))


# --- the declared operators ----------------------------------------------------------------------

_PARTS = {
    p.Slot.AGENT: "Subject",
    p.Slot.GROUP: "Group",
    p.Slot.CLAUSE: "S",
    p.Slot.NAME: "<any>",
    p.Slot.NAMES: "Any",
    p.Slot.NUMBER: "Count",
}
_AFTER = {"is": "Is1", "can": "Can", "has": "Been"}
"""The categories of what comes after an auxiliary verb."""
_SAYING = re.compile(r"\b(knows?|believes?|thinks?|tell|sure|certain) that S$")
"""The ends of phrases whose "that" may be left out before a person."""


def _operators(rules: _Rules) -> None:
    for joint in ("and", "or"):
        rules.add_list(f"List{joint}", "S", joint)
    for wording in p.wordings():
        templates = p.synonyms(wording.template) if rules.wide else (wording.template,)
        for template in templates if wording.kind is not s.Atom else ():
            _phrase(rules, wording.with_words(template))
            if rules.wide and rules.agents and (without := p.of_all(template)):
                _phrase(rules, wording.with_words(without, (rules.agents,)))


def _phrase(rules: _Rules, phrase: p.Phrase) -> None:
    """Add the rules for the words of an operator."""
    kind, wide = phrase.kind, rules.wide
    grouped = issubclass(kind, s.Modal) and kind.scope in (Scope.EACH, Scope.SOME)
    if wide and grouped and modal(Scope.AGENT, kind.mode):  # type: ignore[attr-defined]
        return  # composed of a subject and the words for one agent
    text = ""
    for piece in phrase.pieces:
        match piece:
            case str():
                said = " ".join(words_in(piece.replace("hold(s)", "hold/holds")))
                text += re.sub("[,:]", r"[\g<0>]", said) if wide else said
            case p.ClauseList(joint):
                text += f"List{joint}"
            case _:
                text += _PARTS[piece]
        text += " "

    def made(*values: Any) -> Formula:
        lists = [value if isinstance(value, tuple) else (value,) for value in values]
        clauses = [isinstance(parts[0], Formula) for parts in lists]
        slots = [value for value, is_clause in zip(values, clauses, strict=True) if not is_clause]
        below = [f for parts, is_clause in zip(lists, clauses, strict=True) if is_clause for f in parts]
        return phrase.of(slots, tuple(below))

    def predicate(*values: Any) -> Predicate:
        return Predicate(lambda agent: made((agent,), *values))

    def of_subject(subject: Quantity, *values: Any) -> Readings:
        return _said_of(subject, predicate(*values))

    verb, _, rest = text.removeprefix("Subject ").strip().partition(" ")
    if not wide or not text.startswith("Subject "):
        make = of_subject if "Subject" in text else made
        rules.add("S", text, make)
        if wide and (question := p.asked(text.strip())):
            rules.add("Yes", re.sub(r"^(is|does) it", r"\1 [n't] it", question), make)
    elif not (phrase.denied and rest.startswith("not ")):  # else composed of the operator and "not"
        for words, meaning in _variants(phrase, rest, predicate):
            if verb in _AFTER:
                rules.add(_AFTER[verb], words, meaning)
            else:
                rules.add("Does", f"{verb}/{p.base_form(verb)} {words}", meaning)
                rules.add("Do", f"{p.base_form(verb)} {words}", meaning)
            if _SAYING.search(f"{verb} {words}"):
                plain = words.removesuffix("that S") + "Plain"
                category, start = (_AFTER[verb], "") if verb in _AFTER else ("Do", f"{p.base_form(verb)} ")
                rules.add(category, start + plain, meaning)
                if start:
                    rules.add("Does", f"{verb}/{start}{plain}", meaning)


def _variants(
    phrase: p.Phrase, words: str, predicate: Callable[..., Predicate]
) -> Iterator[tuple[str, Callable[..., Predicate]]]:
    """Yield words for a predicate with those that mean the same or take another kind of clause."""

    def known(alternatives: Alternatives) -> Predicate:
        return alternatives.known().negated() if phrase.denied else alternatives.known()

    yield words, predicate
    if words.endswith("that S"):
        yield words.removesuffix("S") + "Thats", predicate
    elif phrase.kind is modal(Scope.AGENT, Mode.WHETHER):
        yield words.removesuffix("whether S") + "Which", known
        yield words.removesuffix("S") + "or not S", predicate
        yield f"{words} or not", predicate


# --- sums of probabilities -----------------------------------------------------------------------


def _number(text: str) -> Fraction | None:
    try:
        return rational(text)
    except FormulaError:
        return None


def _sums(rules: _Rules) -> None:
    add = rules.add

    def signed(factor: Fraction, terms: tuple[Any, ...], *more: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a sum with one more term, times a factor."""
        ((size, agent, body),) = more[0] if more else terms
        return (*(terms if more else ()), (factor * size, agent, body))

    one, minus = Fraction(1), Fraction(-1)
    add("Number", "<rational>", _number)
    add("Number", "<rational> %", lambda text: None if (n := _number(text)) is None else n / 100)
    add("Bound", "Number")
    add("Bound", f"- Number|{MINUS} Number", lambda number: -number)
    says = s.Probability.english.says.format("Name").replace("…", "S")
    add("Term", says, lambda agent, body: ((one, agent, body),))
    add("Term", f"Number {TIMES} Term", signed)
    add("Sum", f"Term|Sum {PLUS} Term", partial(signed, one))
    add("Sum", f"{MINUS} Term|Sum {MINUS} Term", partial(signed, minus))
    for relation, comparison in s.Probability.comparisons.items():
        make = lambda terms, bound, relation=relation: s.Probability(terms, relation, bound)  # noqa: E731
        add("S", f"Sum {comparison.words} Bound", make)
        if rules.wide:
            add("Yes", f"is Sum {comparison.words.removeprefix('is ')} Bound", make)


# --- facts and predicates ------------------------------------------------------------------------


class _Facts:
    """The words for facts about agents, each with the stem of its atoms and whether it denies them."""

    def __init__(self, about: Vocabulary | None) -> None:
        self.stems, self.single, further = {*p.FACTS}, {*()}, {}
        self.atoms = frozenset(about.atoms) if about else None
        if about:
            ends = tuple(f"_{agent}" for agent in about.agents)
            self.stems = {atom.partition("_")[0] for atom in about.atoms if atom.endswith(ends)}
            self.single, further = {*about.single}, dict(about.facts)
        words = {p.FACTS.get(stem, stem): stem for stem in sorted(self.stems)} | further
        plain = [said for said in words if re.fullmatch(r"\w+( \w+)*", said)]
        bare = {said: re.sub("^(a|an|the) ", "", said.lower()) for said in plain}
        self.nouns = {bare[said]: (words[said], False) for said in plain if said != bare[said]}
        ranks = {noun.removesuffix(" wolf"): fact for noun, fact in self.nouns.items() if " wolf" in noun}
        self.single |= {stem for stem, _ in ranks.values()}
        self.roles = [stem for noun, (stem, _) in self.nouns.items() if " wolf" not in noun]
        self.adjectives = {bare[said]: (words[said], False) for said in plain if said == bare[said]} | ranks
        if "dead" in self.stems:
            self.adjectives |= dict.fromkeys(("alive", "living", "left"), ("dead", True))

    def predicate(self, fact: tuple[str, bool], *, unique: bool = False) -> Predicate:
        """Return the predicate that a fact is true of an agent."""
        return Predicate(partial(self.atom, *fact), unique=unique or fact[0] in self.single)

    def atom(self, stem: str, denied: bool, name: str) -> Formula | None:
        """Return the formula that a fact is true of an agent; None if there is no such atom."""
        atom = f"{stem}_{name}"
        if self.atoms is not None and atom not in self.atoms and name != HIM:
            return None
        return ~s.Atom(atom) if denied else s.Atom(atom)


def _plural(noun: str) -> str:
    return noun.removesuffix("f") + "ves" if noun.endswith("lf") else f"{noun}s"


def _predicates(rules: _Rules, facts: _Facts) -> None:
    """Add the rules for predicates, and for clauses and questions made of a subject and a predicate."""
    add, denied = rules.add, Predicate.negated
    for noun, fact in facts.nouns.items():
        add("Fact1", f"[a/an] {noun}|{_plural(noun)}", partial(facts.predicate, fact))
        add("Fact1", f"the {noun}|the {_plural(noun)}", partial(facts.predicate, fact, unique=True))
    for word, fact in facts.adjectives.items():
        add("Fact1", word, partial(facts.predicate, fact))
        add("Fact", word, partial(facts.predicate, fact))
    rules.add_list("Facts", "Fact1", "or", repeated=True)
    add("Is1", "[still/really/actually/now/already/also/both/all] Fact1")
    add("Is", "Is1")
    add("Is", "not Is1", denied)
    add("Is", "[either] Facts", partial(_of_each, disjunction))
    add("Is", "[both] Fact1 and Fact1", lambda *said: _of_each(conjunction, said))
    add("Is", "neither Fact1 nor Fact1", lambda *said: _of_each(conjunction, [one.negated() for one in said]))
    add("Does", "is Is|can Can|has Been")
    add("Does", "does not Do|can not Can|has not Been", denied)
    add("Do", "not Do", denied)
    add("Do", "rule out that S|exclude that S|rule out that Thats", _ruled_out)
    add("Can", "rule out that S|exclude that S|rule out that Thats", _ruled_out)
    add("Does", "rule/rules out that S|exclude/excludes that S", _ruled_out)
    add("Thats", "S and that S", lambda one, other: one & other)
    add("S", "Subject Does", _said_of)
    add("S", "<atom>", s.Atom, 1)
    add("S", "<atom> hold/holds", s.Atom)
    add("S", "<atom> does not hold", lambda name: ~s.Atom(name))
    add("Plain", "Person Does", lambda name, said: _said_of(_one(name), said))
    add("Which", "whether S or S", lambda *said: _which(said), -1)
    add("Which", "whether Or Does", lambda names, said: _which([f for _, f in said.each(names)]), -1)
    add("Which", "whether Subject is Facts", _which_fact, -1)
    add("Asked", "S|Yes|is it the case that S|is it true that S|it is true that S")
    add("Q", "Asked|Open")
    add("Yes", "does [n't] Subject Do|is [n't] Subject Is|can [n't] Subject Can", _said_of)
    add("Yes", "has [n't] Subject Been", _said_of)
    add("Yes", "is [n't] <atom> true|does [n't] <atom> hold", s.Atom)
    add("Yes", "is <atom> false", lambda name: ~s.Atom(name))


def _of_each(join: Callable[..., Formula], said: Sequence[Predicate]) -> Predicate:
    def found(agent: str) -> Formula | None:
        parts = [one.of(agent) for one in said]
        return None if None in parts else join(parts)

    return Predicate(found)


def _ruled_out(body: Formula) -> Predicate:
    return Predicate(lambda agent: s.Knows(agent, ~body))


def _which(said: Sequence[Formula]) -> Alternatives:
    return Alternatives(lambda agent: [(str(f), f) for f in said])


def _which_fact(subject: Quantity, facts: Sequence[Predicate]) -> Alternatives | None:
    found = [_the_only(subject.of(fact)) for fact in facts]
    return _which([f for f in found if f is not None]) if None not in found else None


# --- subjects ------------------------------------------------------------------------------------

_AMOUNTS = {
    "each": "everyone|all|every/each KNoun|all [the] KNouns|the KNouns|each/all/everyone of/among Group",
    "some": "someone|a/an/any/some KNoun|some/any [of the] KNouns|one/any/some/someone of/among Group",
    "none": "nobody|no one|no KNoun|no KNouns|nobody/none of/among Group|no one of/among Group",
    "not all": "not everyone|not every KNoun|not all [the] KNouns|not everyone/all of/among Group",
}
_COUNTED = {
    "at least": ("atleast", 0),
    "at most": ("atmost", 0),
    "exactly": ("exactly", 0),
    "more than": ("atleast", 1),
    "fewer/less than": ("atmost", -1),
}
_ALWAYS = Predicate(lambda agent: s.TRUE)


def _subjects(rules: _Rules, facts: _Facts) -> None:
    """Add the rules for the subjects of predicates: names, and amounts of agents."""
    add, agents = rules.add, rules.agents

    def amount_of(amount: Any, *given: Any) -> Quantity | None:
        """Return an amount of all agents, of some that are named, or of those who have a property."""
        number = next((value for value in given if isinstance(value, int)), 0)
        named = next((value for value in given if isinstance(value, tuple)), agents)
        among = next((value for value in given if isinstance(value, Predicate)), None)
        if among is not None and among.unique and amount == "each":
            amount = "some"
        if number < 0 or not named:
            return None
        return Quantity(amount, named, None if among is _ALWAYS else among, number)

    for joint, category in (("and", "And"), ("or", "Or"), ("nor", "Nor")):
        rules.add_list(category, "Name", joint, repeated=True)
    rules.add_list("Numbers", "Number1", "and")
    add("Group", "players Numbers")
    add("And", "players Numbers")
    for words, amount in (
        ("[both] And", "each"),
        ("[either] Or", "some"),
        ("neither Nor|neither Or", "none"),
    ):
        add("Subject", words, lambda names, amount=amount: Quantity(amount, names, listed=True))
    add("Subject", "And together", lambda names: Quantity("together", names, listed=True))
    add("Subject", "Name", _one)
    add("Subject", "Amount")
    add("Plain", "Amount Does", _said_of)
    for amount, patterns in _AMOUNTS.items():
        add("Amount", patterns, partial(amount_of, amount))
    for words, (amount, more) in _COUNTED.items():
        counted = lambda n, given, amount=amount, more=more: amount_of(amount, n + more, given)  # noqa: E731
        add("Amount", f"{words} Count KNoun|{words} Count KNouns|{words} Count of Group", counted)
    for word, amount in (("everyone", "each"), ("someone", "some"), ("nobody", "none"), ("no one", "none")):
        rest = lambda left, amount=amount: amount_of(amount, tuple(a for a in agents if a not in left))  # noqa: E731
        add("Amount", f"{word} but/except [for] Group", rest)
    for noun, fact in (*facts.nouns.items(), ("player", None)) if agents else ():
        kind = facts.predicate(fact) if fact else _ALWAYS
        add("Noun", noun, lambda kind=kind: kind)
        add("Nouns", _plural(noun), lambda kind=kind: kind)
        if kind.unique:
            add("Amount", f"the {noun}", lambda kind=kind: amount_of("some", kind))
    for noun in ("Noun", "Nouns"):
        add(f"K{noun}", noun)
        add(noun, f"Fact {noun}", _of_kind, 1)
        add(f"K{noun}", f"{noun} who/that Does", _of_kind, 1)


def _of_kind(kind: Predicate, said: Predicate) -> Predicate:
    """Return the predicate of being of a kind and having a property."""

    def found(agent: str) -> Formula | None:
        one, other = kind.of(agent), said.of(agent)
        if one is None or other is None:
            return None
        return other if one is s.TRUE else one if other is s.TRUE else one & other

    return Predicate(found)


# --- what may and what must be -------------------------------------------------------------------


def _possibly(of: Callable[..., Formula], said: Predicate, *view: str) -> Predicate:
    """Return that a predicate may be true, or must be: for the game master, or in the view of an agent."""
    return Predicate(lambda agent: None if (f := said.of(agent)) is None else of(*view, f))


def _possibilities(rules: _Rules) -> None:
    add = rules.add
    add("View", "for/to Name|according to Name|from Name 's point of view|in Name 's view/eyes/opinion")
    for category, here, there in (("Be", s.Somewhere, s.Possible), ("Surely", s.Everywhere, s.Knows)):
        add(category, "[still] be Is", partial(_possibly, here))
        add(category, "[still] be Is View", partial(_possibly, there))

    def perhaps_not(said: Predicate) -> Predicate:
        return _possibly(s.Somewhere, said.negated())

    add("Does", "could/can/might/may [still] Be|must Surely|has to Surely")
    add("Does", "could/can not Be|does not have to Surely", Predicate.negated)
    add("Does", "might/may not be Is", perhaps_not)
    add("Yes", "could/can/might/may [n't] Subject [still] Be|must Subject Surely", _said_of)
    add("Yes", "does Subject have to Surely", _said_of)
    add("Yes", "could/might/may Subject not be Is", lambda who, said: _said_of(who, perhaps_not(said)))
    add("Yes", "is it [still] possible that S|it is possible that S", s.Somewhere)
    add("Yes", "is it certain that S|it is certain that S", s.Everywhere)
    add("Yes", "is it possible View that S", s.Possible)
    add("S", "there is Amount", _some_are)
    add("Yes", "is there Amount", _some_are)
    add("Yes", "is there Amount Is", _said_of)


def _some_are(some: Quantity) -> Readings | None:
    return None if some.amount in ("each", "not all") else _said_of(some, _ALWAYS)


# --- questions with several answers --------------------------------------------------------------


def _wh_questions(rules: _Rules, facts: _Facts) -> None:
    """Add the rules for who, which and how many, asked and as what somebody knows."""
    add, agents = rules.add, rules.agents

    def who(said: Predicate, among: Sequence[str] = agents) -> Alternatives | None:
        return Alternatives(lambda agent: said.each(among), said.unique) if said.each(among) else None

    def who_of(kind: Predicate, said: Predicate) -> Alternatives | None:
        return who(_of_kind(kind, said))

    def the_one(kind: Predicate) -> Alternatives | None:
        return who(Predicate(kind.of, unique=True))

    def has_role(name: str) -> list[tuple[str, Formula]]:
        return [(stem, s.Atom(f"{stem}_{name}")) for stem in facts.roles]

    def role_of(name: str) -> Alternatives:
        return Alternatives(lambda agent: has_role(name))

    def how_many(*given: Predicate) -> Alternatives:
        said = _of_kind(*given) if len(given) == 2 else given[0]
        parts = [f for _, f in said.each(agents)]
        counts = [(str(n), s.Count("exactly", n, *parts)) for n in range(len(parts) + 1)] if parts else []
        return Alternatives(lambda agent: counts)

    def answers(found: Alternatives) -> Who:
        return Who(tuple(found.of(HIM)))

    def only(name: str, said: Predicate) -> Formula:
        return conjunction(f if agent == name else ~f for agent, f in said.each(agents))

    def each_other(kind: Predicate) -> Formula:
        """Return that all of a kind know of each other that they are of this kind."""
        held = kind.each(agents)
        pairs = [(a, one, other) for a, one in held for b, other in held if a != b]
        return conjunction(s.Implies(one & other, s.Knows(a, other)) for a, one, other in pairs)

    add("Who", "who Does|which/what player Does", who)
    add("Who", "which [one] of Group Does", lambda among, said: who(said, among))
    add("Who", "which Noun Does|which Nouns Does", who_of, 1)
    add("Who", "how many Nouns Does", how_many, 1)
    add("Who", "how many Does", how_many)
    add("Which", "Who", cost=1)
    add("Which", "who the Noun is|the identity of the Noun", the_one)
    add("Which", "who [the] Nouns is|who is the Nouns", who)
    add("Which", "how many KNouns there is", partial(how_many, _ALWAYS))
    add("Open", "Who", answers)
    add("Open", "how many KNouns is there", lambda kind: answers(how_many(kind, _ALWAYS)))

    def thought(viewer: str, said: Predicate) -> Who | None:
        found = who(_possibly(s.Knows, said, viewer))
        return None if found is None else answers(found)

    add("Open", "who does Name know/think/believe is Is", thought)
    if len(facts.roles) > 1:
        add("Which", "their own role/card", lambda: Alternatives(has_role))
        add("Role", "Name 's role/card|the role/card of Name|what/which role/card Name has|what Name is")
        add("Role", "what Name 's role/card is|what the role/card of Name is|who Name is")
        add("Which", "Role", role_of)
        asked = (
            "what/which role/card does Name have|what is Name|what is Name 's role|what is the role of Name"
        )
        add("Open", asked, lambda name: answers(role_of(name)))
    add("Yes", "is Name the only Noun|is only Name Is|does only Name Do", only)
    add("S", "only Name Does", only)
    add("Yes", "does the Nouns know each other", each_other)
    add("S", "the Nouns know each other", each_other)


# --- moves ---------------------------------------------------------------------------------------

_ORDINALS = ("zeroth", "first", "second", "third", "fourth", "fifth", "sixth")
_OTHER_VERBS = {"looked": (("see", "saw"), ("check", "checked"), ("investigate", "investigated"))}
"""Other verbs for moves; they are read but never written."""


def _moves(rules: _Rules, facts: _Facts) -> None:
    """Add the rules for what agents did to others, and when."""
    add, agents = rules.add, rules.agents
    add("When", "in/on/during night <number>|in/on/during the night <number>")
    for number, word in enumerate(_ORDINALS):
        add("When", f"in/on/during the {word} night", lambda number=number: str(number))

    def targets(move: MoveWords, actor: str, *rest: str) -> Predicate:
        def made(to: str) -> Formula | None:
            return None if actor == to else s.Atom("_".join((move.stem, actor, to, *rest)))

        return Predicate(made)

    def doing(move: MoveWords, *given: Any) -> Predicate:
        """Return that somebody made a move, given the result if it has any, the target and the time."""
        *result, target = [value for value in given if not (isinstance(value, str) and value.isdecimal())]
        rest = [*result, *(value for value in given if isinstance(value, str) and value.isdecimal())]
        return Predicate(lambda actor: _the_only(target.of(targets(move, actor, *rest))))

    def suffering(move: MoveWords, actor: Quantity, *when: str) -> Predicate:
        def made(target: str) -> Formula | None:
            return _the_only(actor.of(Predicate(lambda by: targets(move, by, *when).of(target))))

        return Predicate(made)

    def whom(move: MoveWords, actor: str, *when: str) -> Alternatives:
        results = [(f": {word}", (word, *when)) for word in move.results] or [("", when)]
        found = [
            (to + shown, f) for shown, rest in results for to, f in targets(move, actor, *rest).each(agents)
        ]
        return Alternatives(lambda agent: found, exclusive=False)

    for move in rules.vocabulary.moves if rules.vocabulary else ():
        for base, past in ((move.base, move.past), *_OTHER_VERBS.get(move.stem, ())):
            word = "what" if move.results else "who"
            add("Which", f"{word} Name {past} [When]", partial(whom, move))
            add(
                "Open",
                f"{word} did Name {base} [When]",
                lambda *given, m=move: Who(tuple(whom(m, *given).of(HIM))),
            )
            for result in move.results:
                saw = lambda target, *when, m=move, r=result: doing(m, r, target, *when)  # noqa: E731
                for category, verb in (("Does", past), ("Did", base)):
                    add(category, f"{verb} that Subject is [a] {result} [When]", saw)
            if not move.results:
                add("Does", f"{past} Subject [When]", partial(doing, move))
                add("Did", f"{base} Subject [When]", partial(doing, move))
                add("Passive", f"{past} by Subject [When]", partial(suffering, move))
                add("Passive", f"{past} [When]", partial(suffering, move, Quantity("some", agents)))
    if "dead" in facts.stems:
        for category, word in (("Does", "died"), ("Did", "die"), ("Been", "died")):
            add(category, word, partial(facts.predicate, ("dead", False)))
    add("Passive", "Fact1")
    add("Does", "was Passive")
    add("Does", "was not Passive|did not Did", Predicate.negated)
    add("Yes", "did [n't] Subject Did|was [n't] Subject Passive", _said_of)
    add("Been", "been Passive")


# --- probabilities -------------------------------------------------------------------------------

_COMPARED = {"at least": ">=", "at most": "<=", "more than": ">", "less than": "<", "exactly": "="}


def _chances(rules: _Rules) -> None:
    """Add the rules for how likely something is, and what it is compared with."""
    add = rules.add

    def compared(relation: str, bound: object, *bodies: Formula) -> Predicate:
        """Return the predicate that the probability of a formula, or the difference of two, compares so."""
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
    add("Being", "Subject being Is", _said_of)
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
