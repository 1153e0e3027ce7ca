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
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from kripke_werewolf.language import operators as s
from kripke_werewolf.language import phrases as p
from kripke_werewolf.language import questions as q
from kripke_werewolf.language.chart import Grammar, Production, Readings, expanded
from kripke_werewolf.language.formulas import Formula, rational
from kripke_werewolf.language.names import QUANTIFIED
from kripke_werewolf.language.operators import Mode, Scope, conjunction, disjunction, modal
from kripke_werewolf.language.sentences import MINUS, PLUS, TIMES


def words_in(text: str) -> list[str]:
    """Return the words and signs of a phrase; a comma before "and", "or" and "then" does not count."""
    return re.findall(r"[\w'/]+|[^\w\s]", re.sub(r",(?=\s*(?:and|or|then)\b)", "", text))


def _first(*values: Any) -> Any:
    return values[0]


def _tuple(*values: Any) -> tuple[Any, ...]:
    return values


def _said_of(subject: q.Quantity, said: q.Predicate) -> Readings:
    return Readings(subject.of(said))


def _one(name: str) -> q.Quantity:
    return q.Quantity("each", (name,), listed=True)


def _the_only(readings: Sequence[Formula]) -> Formula | None:
    return readings[0] if len(readings) == 1 else None


class _Rules(list[Production]):
    """The rules of one grammar, about the names of a vocabulary if there is one."""

    def __init__(self, vocabulary: q.Vocabulary | None, *, wide: bool) -> None:
        super().__init__()
        self.vocabulary, self.wide = vocabulary, wide
        self.agents, self.facts = vocabulary.agents if vocabulary else (), p.FactWords(vocabulary)

    def add(self, make: Callable[..., Any], cost: int = 0, /, **patterns: str) -> None:
        """Add rules with one meaning: for each category its patterns, divided by "|"."""
        for category, choices in patterns.items():
            for pattern in choices.split("|"):
                self += [Production(category, parts, make, cost) for parts in expanded(pattern)]

    def add_list(self, category: str, item: str, joint: str, *, repeated: bool = False) -> None:
        """Add the rules for two or more items, with commas and a joint before the last, or `repeated`."""
        more = f"{item} , {category}|{item} {joint} {category}" if repeated else f"{item} , {category}"
        self.add(_tuple, **{category: f"{item} {joint} {item}"})
        self.add(lambda one, others: (one, *others), **{category: more})

    def add_verb(self, make: Callable[..., Any], verb: str, rest: str, *places: str, cost: int = 0) -> None:
        """Add the rules for a verb and what may follow it: finite, after "does", and in other places."""
        for category in ("Do", *places):
            self.add(make, cost, **{category: _after(f"{verb} ", rest)})
        self.add(make, cost, Verb=_after(f"{verb}s/{verb} ", rest))


@lru_cache(maxsize=32)
def grammar(operators: tuple[type[Formula], ...], vocabulary: q.Vocabulary | None, *, wide: bool) -> Grammar:
    """Return a grammar for the declared operators and the known names."""
    rules = _Rules(vocabulary, wide=wide)
    parts = [_names, _operators, _sums]
    parts += [_predicates, _subjects, _echoes, _around] if wide else [_written]
    if wide and rules.agents:
        parts += [_possibilities, _wh_questions, _moves, _chances, _suspicions]
    for part in parts:
        part(rules)
    return Grammar(rules)


def _written(rules: _Rules) -> None:
    """Add the rules that only the written grammar has, whose sentences have one reading each."""
    rules.add(_one, Subject="Name")
    rules.add(_first, Q="S|is it the case that S|is it true that S")
    for stem in rules.facts.stems & p.FACTS.keys():
        for denied in (False, True):
            words = p.fact_template(p.FACTS[stem], denied=denied).format("Name")
            rules.add(partial(rules.facts.atom, stem, denied), S=words)


def _names(rules: _Rules) -> None:
    add, about = rules.add, rules.vocabulary

    def numbered(number: str) -> str | None:
        agent = about.agent(number) if about else number
        return None if about and agent not in about.agents else agent

    add(_first, Name="Person|<name>", Person="<person>")
    add(numbered, Person="player <number>", Number1="<number>")
    add(int, Count="<number>")
    add(_tuple, Group="Name", Any="<any>")
    add(_first, Group="Group2")
    rules.add_list("Group2", "Name", "and")
    rules.add_list("Any", "<any>", "and")
    add(s.Atom, S="<atom> is true")
    add(lambda name: ~s.Atom(name), S="<atom> is false")


# --- the declared operators ----------------------------------------------------------------------


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
                text += p.PARTS[piece]
        text += " "

    def made(*values: Any) -> Formula:
        lists = [value if isinstance(value, tuple) else (value,) for value in values]
        clauses = [isinstance(parts[0], Formula) for parts in lists]
        slots = [value for value, is_clause in zip(values, clauses, strict=True) if not is_clause]
        below = [f for parts, is_clause in zip(lists, clauses, strict=True) if is_clause for f in parts]
        return phrase.of(slots, tuple(below))

    def predicate(*values: Any) -> q.Predicate:
        return q.Predicate(lambda agent: made((agent,), *values))

    def of_subject(subject: q.Quantity, *values: Any) -> Readings:
        return _said_of(subject, predicate(*values))

    def known(alternatives: q.Alternatives) -> q.Predicate:
        return alternatives.known().negated() if phrase.denied else alternatives.known()

    verb, _, rest = text.removeprefix("Subject ").strip().partition(" ")
    if not wide or not text.startswith("Subject "):
        make = of_subject if "Subject" in text else made
        rules.add(make, S=text)
        if wide and (question := p.asked(text.strip())):
            rules.add(make, Yes=re.sub(r"^(is|does) it", r"\1 [n't] it", question))
    elif not (phrase.denied and rest.startswith("not ")):  # else composed of the operator and "not"
        base = p.base_form(verb)
        if verb in p.AUXILIARIES:
            places = {"Is1" if verb == "is" else p.AUXILIARIES[verb]: ""}
        else:
            places = {"Verb": f"{verb}/{base} ", "Do": f"{base} "}
        if verb == "learns":
            places |= {"Past": "learnt ", "Did": "learn "}
        words, which = rest, ""
        if p.SAYING.search(f"{verb} {rest}"):
            words += "|" + rest.removesuffix("that S") + "Plain"
        if rest.endswith("that S"):
            words += "|" + rest.removesuffix("S") + "Thats"
        elif phrase.kind is modal(Scope.AGENT, Mode.WHETHER):
            words += f"|{rest.removesuffix('S')}or not S|{rest} or not"
            which = rest.removesuffix("whether S") + "[about] Which"
        for category, start in places.items():
            rules.add(predicate, **{category: _after(start, words)})
            if which:
                rules.add(known, **{category: _after(start, which)})


def _after(start: str, patterns: str) -> str:
    """Return patterns with words before each of them."""
    return "|".join(start + pattern for pattern in patterns.split("|"))


# --- sums of probabilities -----------------------------------------------------------------------


def _sums(rules: _Rules) -> None:
    add = rules.add

    def signed(factor: Fraction, terms: tuple[Any, ...], *more: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a sum with one more term, times a factor."""
        ((size, agent, body),) = more[0] if more else terms
        return (*(terms if more else ()), (factor * size, agent, body))

    one = Fraction(1)
    add(rational, Number="<rational>")
    add(lambda text: rational(text) / 100, Number="<rational> %")
    add(_first, Bound="Number")
    add(lambda number: -number, Bound=f"- Number|{MINUS} Number")
    says = s.Probability.english.says.format("Name").replace("…", "S")
    add(lambda agent, body: ((one, agent, body),), Term=says)
    add(signed, Term=f"Number {TIMES} Term")
    add(partial(signed, one), Sum=f"Term|Sum {PLUS} Term")
    add(partial(signed, -one), Sum=f"{MINUS} Term|Sum {MINUS} Term")
    for relation, comparison in s.Probability.comparisons.items():
        make = lambda terms, bound, relation=relation: s.Probability(terms, relation, bound)  # noqa: E731
        add(make, S=f"Sum {comparison.words} Bound")
        if rules.wide:
            add(make, Yes=f"is Sum {comparison.words.removeprefix('is ')} Bound")


# --- facts and predicates ------------------------------------------------------------------------


def _fact(facts: p.FactWords, fact: tuple[str, bool], *, unique: bool = False) -> q.Predicate:
    """Return the predicate that a fact is true of an agent."""
    return q.Predicate(partial(facts.atom, *fact), unique=unique or fact[0] in facts.single)


def _predicates(rules: _Rules) -> None:
    """Add the rules for predicates, and for clauses and questions made of a subject and a predicate."""
    add, facts = rules.add, rules.facts
    for noun, fact in facts.nouns.items():
        add(partial(_fact, facts, fact), Fact1=f"[a/an] {noun}|{p.plural(noun)}")
        add(partial(_fact, facts, fact, unique=True), Fact1=f"the {noun}|the {p.plural(noun)}")
        add(partial(_fact, facts, (fact[0], not fact[1])), Is1=f"no {noun}")
    for word, fact in facts.adjectives.items():
        add(partial(_fact, facts, fact), Fact1=word, Fact=word)
    rules.add_list("Facts", "Fact1", "or", repeated=True)
    add(_first, Is1="[both/each] Fact1", Is="Is1", Does="Verb|Past", Passive="Fact1", Q="Asked")
    add(partial(_of_each, disjunction), Is="[either] Facts")
    add(lambda *said: _of_each(conjunction, said), Is="[both] Fact1 and/but Fact1")
    add(lambda *said: _of_each(conjunction, [one.negated() for one in said]), Is="neither Fact1 nor Fact1")
    for verb, category in p.AUXILIARIES.items():
        add(_first, Does=f"{verb} {category}")
        add(q.Predicate.negated, **{category: "not Is1" if category == "Is" else f"not {category}"})
        add(_said_of, Yes=f"{verb} [n't] Subject {category}")
    rules.add_verb(_ruled_out, "exclude", "that S|that Thats|Subject as Fact1|Being", "Can")
    add(_said_of, S="Subject Does|it is/was Subject who/that Does", Yes="is/was it Subject who/that Does")
    add(_said_of, Plain="Amount Does", Being="Subject being Is")
    add(lambda who, said: _said_of(who, said.negated()), S="it is not Subject who/that Does")
    add(lambda name, said: _said_of(_one(name), said), Plain="Person Does")
    add(lambda one, other: one & other, Thats="S and that S")
    add(lambda condition, f: s.Implies(~condition, f), S="unless S , S")
    add(lambda f, condition: s.Implies(~condition, f), S="S unless S")
    add(s.Implies, S="S only if S")
    add(s.Iff, S="S exactly when S|S if and only if S")
    add(s.Atom, 1, S="<atom>")
    add(s.Atom, S="<atom> hold/holds", Yes="is [n't] <atom> true|does [n't] <atom> hold")
    add(lambda name: ~s.Atom(name), S="<atom> does not hold", Yes="is <atom> false")
    add(lambda *said: _which(said), -1, Which="whether S or S")
    add(lambda names, said: _which([f for _, f in said.each(names)]), -1, Which="whether Or Does")
    add(_which_fact, -1, Which="whether Subject is Facts")
    add(_first, Asked="S|Yes|is it the case that S|is it true that S|it is true that S")


def _of_each(join: Callable[..., Formula], said: Sequence[q.Predicate]) -> q.Predicate:
    def found(agent: str) -> Formula | None:
        parts = [one.of(agent) for one in said]
        return None if None in parts else join(parts)

    return q.Predicate(found)


def _ruled_out(*said: Any) -> q.Predicate | None:
    body = _body(*said)
    return None if body is None else q.Predicate(lambda agent: s.Knows(agent, ~body))


def _body(*said: Any) -> Formula | None:
    """Return a clause, or what a predicate says of a subject if it has one reading."""
    return said[0] if isinstance(said[0], Formula) else _the_only(said[0].of(said[1]))


def _which(said: Sequence[Formula]) -> q.Alternatives:
    return q.Alternatives(lambda agent: [(str(f), f) for f in said])


def _which_fact(subject: q.Quantity, facts: Sequence[q.Predicate]) -> q.Alternatives | None:
    found = [_the_only(subject.of(fact)) for fact in facts]
    return _which([f for f in found if f is not None]) if None not in found else None


def _echoes(rules: _Rules) -> None:
    """Add the rules for what is said of others as well: "but Bo doesn't", "and so does Bo", "and Bo too"."""

    def echoed(denied: bool, subject: q.Quantity, said: q.Predicate, other: q.Quantity) -> Readings:
        others = _said_of(other, said.negated() if denied else said)
        return Readings(f & g for f in _said_of(subject, said) for g in others)

    for verb, category in p.AUXILIARIES.items():
        start = f"Subject {p.LEXICAL.get(verb, f'{verb} {category}')} [,] "
        asked = f"{verb} [n't] Subject {category} [,] "
        also = f"and so {verb} Subject|and/but Subject {verb} too|and Subject too"
        questions = _after(asked, f"and {verb} Subject|and Subject too")
        rules.add(partial(echoed, False), S=_after(start, also), Yes=questions)
        but = f"but/and/while/whereas Subject {verb} not|but/and not Subject"
        rules.add(partial(echoed, True), S=_after(start, but), Yes=asked + "but/and not Subject")


def _around(rules: _Rules) -> None:
    """Add the rules for words around a question that change nothing, and for views and conditions."""
    add = rules.add
    add(_tuple, Stop=",|:|;|.|!|-|?|–|—|…|Stop Stop")
    add(lambda *parts: parts[-1], Q="hey [Stop] Q|asking [Stop] Q|asking whether S")
    add(_first, 1, Q="Q [Stop] right")
    if rules.agents:
        add(_first, Q="Open|Chance")
        add(lambda name, said: said.of(name), 1, Q="Name Fact1")
        add(_answers, Q="asking Which")
        add(q.in_view_of, Q="View , Q")
        add(q.supposing, Q="if/given S [,] Q|if/given S then Q|if/given S , does that mean [that] Q")
        add(lambda asked, f: q.supposing(f, asked), Q="Open [,] if/given S|Chance [,] if/given S")
        add(_restricted, Q="among/of Group , Open")
        add(lambda asked, names: _restricted(names, asked), Q="Open , Or|Open : Or")


def _answers(found: q.Alternatives | None) -> q.Who | None:
    return None if found is None else q.Who(tuple(found.of(q.HIM)))


def _restricted(names: Sequence[str], asked: q.Question) -> q.Who | None:
    """Return a question who of all agents as one about some of them."""
    if not isinstance(asked, q.Who) or not {*names} <= {name for name, _ in asked.answers}:
        return None
    return replace(asked, answers=tuple((name, asked.of(name)) for name in names))


# --- subjects ------------------------------------------------------------------------------------

_ALWAYS = q.Predicate(lambda agent: s.TRUE)


def _subjects(rules: _Rules) -> None:
    """Add the rules for the subjects of predicates: names, and amounts of agents."""
    add, agents, facts = rules.add, rules.agents, rules.facts

    def amount_of(amount: Any, *given: Any) -> q.Quantity | None:
        """Return an amount of all agents, of some that are named, or of those who have a property."""
        number = next((value for value in given if isinstance(value, int)), 0)
        named = next((value for value in given if isinstance(value, tuple)), agents)
        among = next((value for value in given if isinstance(value, q.Predicate)), None)
        amount = "some" if among is not None and among.unique and amount == "each" else amount
        among = None if among is _ALWAYS else among
        return q.Quantity(amount, named, among, number) if number >= 0 and named else None

    def but(amount: str, left: Any) -> q.Quantity | None:
        """Return an amount of those who are not named, or not of a kind."""
        if isinstance(left, q.Predicate):
            return amount_of(amount, left.negated())
        return amount_of(amount, tuple(agent for agent in agents if agent not in left))

    def those_who(said: q.Predicate) -> Readings:
        """Return the readings of "the player who": one of those who do it, or each of them."""
        return Readings(amount_of(amount, said) for amount in ("some", "each"))

    for joint, category in (("and", "And"), ("or", "Or"), ("nor", "Nor")):
        rules.add_list(category, "Name", joint, repeated=True)
    rules.add_list("Numbers", "Number1", "and")
    add(_first, Group="players Numbers", And="players Numbers", Subject="Amount")
    for listed, words in p.LISTED.items():
        add(partial(q.Quantity, listed, listed=True), Subject=words)
    add(_one, Subject="Name")
    for amount, patterns in p.AMOUNTS.items():
        add(partial(amount_of, amount), Amount=patterns)
        word = patterns.partition("|")[0]
        if word in QUANTIFIED:
            add(partial(but, amount), Amount=f"{word} but Group|{word} but the Noun")
            add(partial(amount_of, amount), 1, Amount=f"{word} who/that Does")
    for words, (amount, more) in p.COUNTED.items():
        counted = lambda n, given, amount=amount, more=more: amount_of(amount, n + more, given)  # noqa: E731
        add(counted, Amount=f"{words} Count KNoun|{words} Count KNouns|{words} Count about Group")
    for noun, fact in (*facts.nouns.items(), ("player", None)) if agents else ():
        kind = _fact(facts, fact) if fact else _ALWAYS
        add(lambda kind=kind: kind, Noun=noun, Nouns=p.plural(noun))
        if kind.unique:
            add(lambda kind=kind: amount_of("some", kind), Amount=f"the {noun}")
            add(
                lambda who, kind=kind: _body(who, kind),
                1,
                S=f"the {noun} is Subject",
                Yes=f"is the {noun} Subject",
            )
            for word, of in (("could", s.Somewhere), ("must", s.Everywhere)):
                said = lambda who, of=of, kind=kind: _of(of, _body(who, kind))  # noqa: E731
                add(said, 1, S=f"the {noun} {word} be Subject", Yes=f"{word} the {noun} be Subject")
    add(those_who, 1, Amount="the player who/that Does")
    for noun in ("Noun", "Nouns"):
        add(_first, **{f"K{noun}": noun})
        add(_of_kind, 1, **{noun: f"Fact {noun}", f"K{noun}": f"{noun} who/that Does"})


def _of(make: Callable[..., Any], value: Any, *more: Any) -> Any:
    return None if value is None else make(value, *more)


def _of_kind(kind: q.Predicate, said: q.Predicate) -> q.Predicate:
    """Return the predicate of being of a kind and having a property."""

    def found(agent: str) -> Formula | None:
        one, other = kind.of(agent), said.of(agent)
        if one is None or other is None:
            return None
        return other if one is s.TRUE else one if other is s.TRUE else one & other

    return q.Predicate(found)


# --- what may and what must be -------------------------------------------------------------------


def _possibly(of: Callable[..., Formula], said: q.Predicate, *view: str) -> q.Predicate:
    """Return that a predicate may be true, or must be: for the game master, or in the view of an agent."""
    return q.Predicate(lambda agent: _of(partial(of, *view), said.of(agent)))


def _perhaps_not(said: q.Predicate) -> q.Predicate:
    return _possibly(s.Somewhere, said.negated())


def _thought(subject: q.Quantity, said: q.Predicate) -> q.Predicate:
    """Return that an agent holds something possible: "thinks Di might be a wolf"."""
    return q.Predicate(lambda agent: _the_only(subject.of(_possibly(s.Possible, said, agent))))


def _for_all_known(viewer: str, said: Formula) -> q.Question:
    seen = q.in_view_of(viewer, said)
    return s.Possible(viewer, said) if seen is None else seen


def _possibilities(rules: _Rules) -> None:
    add = rules.add
    add(_first, View="for/to Name|according to Name|from Name 's point about view|from Name 's perspective")
    add(_first, View="in Name 's view/eyes/opinion|as far as Name can tell|as far as Name knows|, View ,")
    add(partial(_possibly, s.Somewhere), Be="be Is|has Been")
    add(partial(_possibly, s.Possible), Be="be Is View")
    add(partial(_possibly, s.Everywhere), Surely="be Is")
    add(partial(_possibly, s.Knows), Surely="be Is View")
    add(lambda said: _possibly(s.Everywhere, said.negated()), Surely="not be Is")
    add(_first, Does="could Be|must Surely|has to Surely|is sure/bound to Surely")
    add(q.Predicate.negated, Does="can not Be|does not has to Surely")
    add(_perhaps_not, Does="might/may not be Is")
    add(_said_of, Yes="could [n't] Subject Be|must Subject Surely|does Subject has to Surely")
    add(_said_of, Yes="is Subject sure/bound to Surely|is there Amount Is")
    add(lambda who, said: _said_of(who, _perhaps_not(said)), Yes="could Subject not be Is")
    perhaps = "is it possible that S|could it be that S|is there [a/some] probability that S"
    add(s.Somewhere, Yes=perhaps, S="it is possible that S|it could be that S|there is a probability that S")
    add(s.Possible, Yes="is it possible View that S")
    add(_for_all_known, S="for each Name knows , S")
    add(s.Everywhere, Yes="is it sure that S|is it safe to tell that S|does it be safe to tell that S")
    add(s.Everywhere, S="it is sure that S|it is safe to tell that S")
    add(_some_are, S="there is Amount", Yes="is there Amount")
    add(lambda name, said: _possibly(s.Knows, said, name), Is1="known by/to Name to be Is")
    rules.add_verb(_thought, "think", "[that] Subject could be Is", cost=-1)
    perhaps_not = lambda who, said: _thought(who, said.negated())  # noqa: E731
    rules.add_verb(perhaps_not, "think", "[that] Subject might/may not be Is", cost=-1)
    impossible = lambda who, said: _thought(who, said).negated()  # noqa: E731
    rules.add_verb(impossible, "think", "[that] Subject can not be Is", cost=-1)


def _some_are(some: q.Quantity) -> Readings | None:
    return None if some.amount in ("each", "not all") else _said_of(some, _ALWAYS)


# --- questions with several answers --------------------------------------------------------------


def _who(said: q.Predicate, agents: Sequence[str]) -> q.Alternatives | None:
    return q.Alternatives(lambda agent: said.each(agents), said.unique) if said.each(agents) else None


def _wh_questions(rules: _Rules) -> None:
    """Add the rules for who, which and how many, asked and as what somebody knows."""
    add, agents, facts = rules.add, rules.agents, rules.facts

    def who(*said: q.Predicate) -> q.Alternatives | None:
        return _who(_of_kind(*said) if len(said) > 1 else said[0], agents)

    def has_role(name: str) -> list[tuple[str, Formula]]:
        return [(stem, s.Atom(f"{stem}_{name}")) for stem in facts.roles]

    def role_of(name: str) -> q.Alternatives:
        return q.Alternatives(lambda agent: has_role(name))

    def how_many(*given: q.Predicate) -> q.Alternatives:
        said = _of_kind(*given) if len(given) == 2 else given[0]
        parts = [f for _, f in said.each(agents)]
        counts = [(str(n), s.Count("exactly", n, *parts)) for n in range(len(parts) + 1)] if parts else []
        return q.Alternatives(lambda agent: counts)

    def only(name: str, said: q.Predicate) -> Formula:
        return conjunction(f if agent == name else ~f for agent, f in said.each(agents))

    def each_other(kind: q.Predicate) -> Formula:
        """Return that all of a kind know of each other that they are of this kind."""
        held = kind.each(agents)
        pairs = [(a, one, other) for a, one in held for b, other in held if a != b]
        return conjunction(s.Implies(one & other, s.Knows(a, other)) for a, one, other in pairs)

    add(who, Who="who Does|which player Does")
    add(who, 1, Who="which Noun Does|which Nouns Does")
    add(lambda among, said: _who(said, among), Who="which [one] about/of Group Does")
    add(how_many, Who="how many Does")
    add(how_many, 1, Who="how many Nouns Does")
    add(how_many, Which="how many KNouns there is", Many="how many KNouns is there|how many Fact1")
    add(_first, 1, Which="Who")
    add(lambda kind: who(q.Predicate(kind.of, unique=True)), Which="[who] the Noun [is]|the Noun 's identity")
    add(who, Which="who [the] Nouns is|who is the Nouns", Many="asking everyone who/that Does")
    add(_answers, Open="Who|Many")
    if len(facts.roles) > 1:
        add(lambda: q.Alternatives(has_role), Which="their own role")
        add(role_of, Which="Name 's role|which role Name has|which Name is|which Name 's role is|who Name is")
        add(role_of, Many="which role does Name has|which is Name|which is Name 's role")
    add(only, S="only Name Does|Name is the only KNoun", Yes="is Name the only KNoun|is only Name Is")
    add(only, Yes="does only Name Do|did only Name Did")
    add(each_other, S="the Nouns know each other", Yes="does the Nouns know each other")


# --- moves ---------------------------------------------------------------------------------------


def _moves(rules: _Rules) -> None:
    """Add the rules for what agents did to others, and when."""
    add, agents, facts = rules.add, rules.agents, rules.facts
    add(_first, When="in [the] night <number>")
    first = rules.vocabulary.first_night if rules.vocabulary else 1
    for number, word in enumerate(p.ORDINALS, first):
        add(lambda number=number: str(number), When=f"in the {word} night")

    def targets(move: q.MoveWords, actor: str, *rest: str) -> q.Predicate:
        def made(to: str) -> Formula | None:
            return None if actor == to else s.Atom("_".join((move.stem, actor, to, *rest)))

        return q.Predicate(made)

    def doing(move: q.MoveWords, target: q.Quantity, *rest: str) -> q.Predicate:
        """Return that somebody made a move, with its result and time if there are any."""
        return q.Predicate(lambda actor: _the_only(target.of(targets(move, actor, *rest))))

    def suffering(move: q.MoveWords, actor: q.Quantity, *when: str) -> q.Predicate:
        def made(target: str) -> Formula | None:
            return _the_only(actor.of(q.Predicate(lambda by: targets(move, by, *when).of(target))))

        return q.Predicate(made)

    def whom(move: q.MoveWords, actor: str, *when: str) -> q.Alternatives:
        results = [(f": {word}", (word, *when)) for word in move.results] or [("", when)]
        found = [
            (to + said, f) for said, rest in results for to, f in targets(move, actor, *rest).each(agents)
        ]
        return q.Alternatives(lambda agent: found, exclusive=False)

    for move in rules.vocabulary.moves if rules.vocabulary else ():
        for base, past in ((move.base, move.past), *p.OTHER_VERBS.get(move.stem, ())):
            word, verbs = "what" if move.results else "who", {"Past": past, "Did": base, "Been": past}
            asked = {"Which": f"{word} Name {past} [When]", "Many": f"{word} did Name {base} [When]"}
            add(partial(whom, move), **asked)
            for place, verb in verbs.items():
                for result in move.results:
                    saw = lambda to, *when, m=move, r=result: doing(m, to, r, *when)  # noqa: E731
                    add(saw, **{place: f"{verb} that Subject is [a] {result} [When]"})
                if not move.results:
                    add(partial(doing, move), **{place: f"{verb} Subject [When]"})
            if not move.results:
                add(partial(suffering, move), Passive=f"{past} by Subject [When]")
                add(partial(suffering, move, q.Quantity("some", agents)), Passive=f"{past} [When]")
    if "dead" in facts.stems:
        add(partial(_fact, facts, ("dead", False)), Past="died", Did="die", Been="died")
    add(_first, Been="been Passive")


# --- probabilities -------------------------------------------------------------------------------

_HALF = Fraction(1, 2)


def _chances(rules: _Rules) -> None:
    """Add the rules for how likely something is, and what it is compared with."""
    add = rules.add

    def how_likely(*given: Any) -> q.HowLikely | None:
        """Return a question about a clause, or a subject and a predicate, for an agent if one is given."""
        viewer = next((value for value in given if isinstance(value, str)), None)
        body = _body(*(value for value in given if not isinstance(value, str)))
        return None if body is None else q.HowLikely(viewer, body)

    def than(odds: tuple[str, Fraction], *given: Any) -> q.Question | None:
        """Return the question whether something is as likely as that."""
        asked = given[0] if isinstance(given[0], q.HowLikely) else how_likely(*given)
        return None if asked is None else asked.compared(*odds)

    def held(asked: q.HowLikely) -> q.Predicate:
        return q.Predicate(asked.of)

    def held_than(odds: tuple[str, Fraction], body: Formula) -> q.Predicate:
        return held(q.HowLikely(None, body, relation=odds[0], bound=odds[1]))

    def of_two(relation: str, one: str, said: q.Predicate, other: str, *view: str) -> q.Question | None:
        bodies = [said.of(name) for name in (one, other)]
        asked = q.HowLikely(view[0] if view else None, bodies[0], bodies[1])  # type: ignore[arg-type]
        return None if None in bodies else asked.compared(relation, Fraction(0))

    add(lambda: _HALF, Number="half|fifty - fifty|50 - 50|even")
    share = lambda one, of: Fraction(int(one), int(of)) if int(of) else None  # noqa: E731
    add(share, Number="[a] <number> in <number>|<number> out of <number>")
    for word, relation in p.COMPARED.items():
        add(lambda number, relation=relation: (relation, number), Than=f"{word} [a] Number")
    add(lambda number: ("=", number), Than="Number")
    add(lambda: (">", _HALF), Odds="likely|more likely than not", Probably="probably")
    add(lambda: ("<", _HALF), Odds="unlikely")
    add(_first, Odds="Than [likely]", Chance="Likelier|which is Risk|how is Risk")
    add(how_likely, Chance="how likely is it [View] that S|how likely is it that S View")
    add(how_likely, Chance="how likely is Subject [to be] Is [View]|how sure is Name that S")
    add(how_likely, Chance="how sure is Name Plain")
    add(how_likely, Chance="how likely does Name think it is that S|how likely does Name think it that S")
    add(how_likely, Risk="[the] probability [View] that S|the probability that S View")
    add(how_likely, Risk="the probability of/about Being [View]")
    add(lambda name, said: how_likely(_one(name), said), Risk="Name 's probability of/about being Is")
    add(lambda risk, odds: than(odds, risk), Chance="is Risk Than")
    add(than, Chance="is it Odds [View] that/whether S|is there [a] Than probability that S")
    add(than, Likelier="it [is] Odds that S|there is [a] Than probability that S")
    said = lambda who, odds, *rest: than(odds, who, *rest)  # noqa: E731
    add(said, Chance="is Subject Odds [to be] Is [View]", Likelier="Subject is Probably Is")
    for word, relation in (("more", ">"), ("less", "<"), ("as/equally", "=")):
        compared = f"{word} likely [to be] [a/an/the] Fact1 than/as Name"
        add(partial(of_two, relation), Likelier=f"Name is {compared}", Chance=f"is Name {compared} [View]")
        two = partial(q.HowLikely, None, relation=relation)
        add(two, Likelier=f"it is {word} likely that S than/as that S")
    rules.add_verb(held, "think", "[that] Likelier")
    rules.add_verb(held_than, "give", "Than to Being|[a] Than probability to Being")
    add(held_than, Is1="Than sure that S|Than sure Plain")


def _suspicions(rules: _Rules) -> None:
    """Add the rules for who is most likely something, and for suspects, who may be wolves."""
    add, agents, facts = rules.add, rules.agents, rules.facts

    def most(ranked: int, *given: Any) -> q.Who | None:
        """Return the question of whom something is most or least likely, for an agent if one is given."""
        viewer = next((value for value in given if isinstance(value, str)), None)
        said = next(value for value in given if isinstance(value, q.Predicate))
        return q.Who(tuple(said.each(agents)), ranked, viewer)

    def held(of: Callable[..., Formula], name: str, said: q.Predicate) -> q.Who | None:
        return _answers(_who(_possibly(of, said, name), agents))

    for words, ranked in (("likeliest", 1), ("least likely", -1), ("less likely", -1)):
        be = f"is {words} [to be] Is [View]"
        add(partial(most, ranked), Open=f"who [is] [the] {words} Noun [View]|who {be}|which player {be}")
    rules.add_verb(_thought, "consider", "Subject [to be] a possible Fact1")
    rules.add_verb(_thought, "suspect", "Subject about/of being Is")
    if "wolf" in facts.stems:
        wolf = _fact(facts, ("wolf", False))
        rules.add_verb(lambda who: _thought(who, wolf), "suspect", "Subject")
        asked = "who is Name 's biggest suspect|who does Name suspect [the] most"
        add(lambda *view: most(1, wolf, *view), Open=f"who is the biggest suspect [View]|{asked}")
        add(lambda: _answers(_who(_possibly(s.Somewhere, wolf), agents)), Open="who is the suspect/suspects")
        add(lambda name: held(s.Possible, name, wolf), Open="who does Name suspect")
    add(partial(held, s.Knows), Open="who does Name know/think is Is")
