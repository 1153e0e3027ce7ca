"""The grammar of English sentences and questions: categories that combine, with their meanings.

The words of operators come from their declarations (`phrases`), those of facts and moves from the vocabulary.
What an agent may be said to do is a `Predicate`; it is joined with a subject, a `Quantity`, by the same rules
whether the sentence is a statement, a question or part of another sentence.

The *written* grammar has exactly the sentences that `to_sentence` writes, each with one reading. The *wide*
grammar has the others. Categories:

* `S` a clause, `Yes` a yes-or-no question, `Open` another question, `Q` any of them;
* `Name` an agent, `Subject` names or a quantity of agents, `Noun` and `Nouns` a kind of agents;
* `Does` a predicate beginning with a finite verb, `Do` the same with its base form, after "does"; `Can`,
  `Been`, `Did`, `Be` what comes after "can", "has", "did" and "could"; `Is` what comes after "is";
* `Which` an indirect question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations, pairwise, permutations
from operator import and_, call
from typing import Any, NamedTuple

from kripke_werewolf.base.usage import public_names
from kripke_werewolf.logic.english import phrases as p
from kripke_werewolf.logic.english import questions as q
from kripke_werewolf.logic.english.chart import Grammar, Production, Readings, expanded
from kripke_werewolf.logic.english.sentences import MINUS, PLUS, TIMES, to_sentence
from kripke_werewolf.logic.english.vocabulary import MoveWords, Vocabulary
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import QUANTIFIED
from kripke_werewolf.logic.formulas.operators import Mode, Scope, box_of, conjunction, disjunction, modal
from kripke_werewolf.logic.formulas.syntax import Formula, group_of, rational


def _words_in(text: str) -> list[str]:
    """Return the words and signs of a phrase; a comma before "and", "or" and "then" does not count."""
    return re.findall(r"[\w'/]+|[^\w\s]", re.sub(r",(?=\s*(?:and|or|then)\b)", "", text))


def _first(*values: Any) -> Any:
    return values[0]


def _last(*values: Any) -> Any:
    return values[-1]


def _tuple(*values: Any) -> tuple[Any, ...]:
    return values


def _denied(make: Callable[..., Formula], *values: Any) -> Formula:
    return ~make(*values)


def _said_of(subject: q.Quantity, said: q.Predicate) -> Readings:
    return Readings(subject.of(said))


def _one(name: str) -> q.Quantity:
    return q.Quantity("each", (name,), listed=True)


def _the_only(readings: Sequence[Formula]) -> Formula | None:
    return readings[0] if len(readings) == 1 else None


class _Rules(list[Production]):
    """The rules of one grammar, about the names of a vocabulary if there is one."""

    def __init__(self, vocabulary: Vocabulary | None, *, wide: bool) -> None:
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

    def add_clause(
        self, make: Callable[..., Any], patterns: str, cost: int = 0, places: tuple[str, str] = ("S", "Yes")
    ) -> None:
        """Add the rules for clauses with an auxiliary verb, and for the questions that they make."""
        for pattern in patterns.split("|"):
            found = re.fullmatch(r"(.+?) (is|has|does|could|must) (.+)", pattern)
            assert found is not None
            subject, verb, rest = found.groups()
            asked = f"does {subject} has {rest}" if verb == "has" else f"{verb} {subject} {rest}"
            self.add(make, cost, **{places[0]: pattern, places[1]: asked})

    def add_verb(self, make: Callable[..., Any], verb: str, rest: str, *places: str, cost: int = 0) -> None:
        """Add the rules for a verb and what may follow it: finite, after "does", and in other places."""
        for category in ("Do", *places):
            self.add(make, cost, **{category: _after(f"{verb} ", rest)})
        self.add(make, cost, Verb=_after(f"{verb}s/{verb} ", rest))

    def read(self, section: str, functions: Mapping[str, Any], **words: str) -> None:
        """Add the rules of a section of `grammar.txt`, with functions that only it needs, and words in it."""
        shared = {name.strip("_"): made for name, made in globals().items()}
        general = {"and": and_, "call": call, "negated": q.Predicate.negated}
        functions = {**vars(q), **vars(s), **shared, **general, **functions}
        for head, patterns in p.sections("grammar")[section].items():
            found = re.fullmatch(r"(.+?)(?: = (~?)(\w+)(?:\((\w+)\))?)?(?: ([-+]\d))?", head)
            assert found is not None
            place, denied, name, given, number = found.groups()
            make, cost = functions[name or "first"], int(number or 0)
            make = partial(make, functions.get(given, given)) if given else make
            make = partial(_denied, make) if denied else make
            kind, *places = place.format(**words).split()
            said = {to: patterns.replace("{}", to).format(**words) for to in kind.split("/")}
            if kind == "clause":
                self.add_clause(make, said[kind], cost)
            elif kind == "verb":
                self.add_verb(make, places[0], said[kind], *places[1:], cost=cost)
            else:
                self.add(make, cost, **said)


@lru_cache(maxsize=32)
def grammar(
    operators: tuple[type[Formula], ...],
    vocabulary: Vocabulary | None,
    phrases: tuple[tuple[str, str], ...] = (),
    *,
    wide: bool,
) -> Grammar:
    """Return a grammar for the declared operators, the known names, and phrases for atoms."""
    rules = _Rules(vocabulary, wide=wide)
    parts = [_names, _operators, _sums]
    parts += [_predicates, _with_auxiliaries, _subjects, _around] if wide else [_written]
    if wide and rules.agents:
        parts += [_possibilities, _wh_questions, _moves, _chances, _suspicions]
    for part in parts:
        part(rules)
    if phrases:
        rules.add(_first, Part="Person")
        rules.add(_first, 1, Part="<any>")
    for atom, words in phrases:
        _phrased(rules, atom, words)
    return Grammar(rules)


def _phrased(rules: _Rules, atom: str, words: str) -> None:
    """Add the rules for a phrase of atoms, and for its denial."""
    places = re.findall(r"\{(\w+)\}", words)

    def named(*values: str) -> Formula:
        return s.Atom(atom.format(**dict(zip(places, values, strict=True))))

    pattern = re.sub(r"\{\w+\}", "Part", words)
    rules.add_clause(named, pattern)
    rules.add(named, Yes="is n't {} {}".format(*pattern.split(" is ")))
    rules.add_clause(lambda *values: ~named(*values), pattern.replace(" is ", " is not/n't "))


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

    if rules.wide:
        add(lambda *other: q.OTHER, Name="each other|one another|the <other>")
    rules.add_list("Group2", "Name", "and")
    rules.add_list("Any", "<any>", "and")
    rules.add_list("Commas", "Name", ",")
    count = int
    rules.read("names", locals())


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
                _phrase(rules, wording.with_words(without), "among/about Group , ")


def _phrase(rules: _Rules, phrase: p.Phrase, front: str = "") -> None:
    """Add the rules for the words of an operator; `front`: what comes before them."""
    kind, wide = phrase.kind, rules.wide
    grouped = issubclass(kind, s.Modal) and kind.scope in (Scope.EACH, Scope.SOME)
    if wide and grouped and modal(Scope.AGENT, kind.mode):  # type: ignore[attr-defined]
        return  # composed of a subject and the words for one agent
    text = ""
    for piece in phrase.pieces:
        match piece:
            case str():
                said = " ".join(_words_in(piece.replace("hold(s)", "hold/holds")))
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

    def known(alternatives: q.Alternatives) -> q.Predicate:
        return alternatives.known().negated() if phrase.denied else alternatives.known()

    verb, _, rest = text.removeprefix("Subject ").strip().partition(" ")
    if wide and rules.agents and "it is common knowledge" in text and text.endswith("whether S "):
        known_to = lambda *given: given[-1].held(Scope.REACH, (*given[:-1], rules.agents)[0])  # noqa: E731
        rules.add_clause(known_to, front + text.replace("whether S ", "Which"))
    if not wide or not text.startswith("Subject "):
        of_subject = lambda subject, *values: _said_of(subject, predicate(*values))  # noqa: E731
        make = of_subject if "Subject" in text else made
        listed = re.sub("among Group (?=that|whether)", "among Commas ", text) if wide else text
        for said in dict.fromkeys((text, listed)):
            rules.add(make, S=front + said)
            if wide and (question := p.asked(said.strip())):
                rules.add(make, Yes=front + re.sub(r"^(is|does) it", r"\1 [n't] it", question))
    elif not (phrase.denied and rest.startswith("not ")):  # else composed of the operator and "not"
        base = p.base_form(verb)
        if verb in p.AUXILIARIES:
            places = {"Is1" if verb == "is" else p.AUXILIARIES[verb]: ""}
        else:
            places = {"Verb": f"{verb}/{base} ", "Do": f"{base} ", "Is1": f"{base.removesuffix('e')}ing "}
        if verb == "learns":
            places |= {"Past": "learnt ", "Did": "learn "}
        words, ways = rest, list[tuple[Callable[..., q.Predicate], str]]()
        if p.SAYING.search(f"{verb} {rest}"):
            words += "|" + rest.removesuffix("that S") + "Plain"
            words += "|" + rest.removesuffix("that S") + "about Being"
        if rest.endswith("that S"):
            words += "|" + rest.removesuffix("S") + "Thats"
            for category, start in places.items() if rules.agents else ():
                place = "VerbThat" if category == "Verb" else category
                that = start + rest.removesuffix("that S") + "[that/this/it/so]"
                rules.add(lambda: predicate(s.Atom(q.THAT)), **{place: that})
        elif phrase.kind is modal(Scope.AGENT, Mode.WHETHER):
            words += f"|{rest.removesuffix('S')}or not S|{rest} or not"
            ways.append((known, rest.removesuffix("whether S") + "[about] Which"))
        ways.append((predicate, words))
        for category, start in places.items():
            for meant, said in ways:
                rules.add(meant, **{category: _after(start, said)})


def _jointly(make: Callable[..., q.Predicate], *values: Any) -> q.Predicate:
    """Return a predicate as a statement about several together."""
    return replace(make(*values), jointly=True)


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
    for word, fact in facts.adjectives.items():
        add(partial(_fact, facts, fact), Fact1=word, Fact=word)
    add(lambda noun: _fact(facts, facts.nouns[noun]), Fact1="[a] <one>")
    rules.add_list("Facts", "Fact1", "or", repeated=True)
    add(lambda facts: _composed(s.Or, *facts), Is="[either] Facts")
    of_fact = lambda said, name: said.of(name)  # noqa: E731
    none_of = lambda *said: _all_of(*(one.negated() for one in said))  # noqa: E731
    add(lambda said, who: _said_of(who, said), So="<so> Subject", S="so <so> Subject")
    add(lambda name, said: _said_of(_one(name), said), Plain="Person Does")
    add(lambda f, condition: s.Implies(~condition, f), S="S unless S")
    add(lambda condition, f: s.Implies(~condition, f), S="unless S , S")
    add(lambda names, said: _which(*said.said_of(names)), -1, Which="whether Or Does")
    which_fact = lambda who, facts: _which(*(_body(who, fact) for fact in facts))  # noqa: E731
    rules.read("predicates", locals())


def _composed(make: Callable[..., Formula], *said: q.Predicate) -> q.Predicate:
    """Return the predicate made of what some predicates say of an agent."""
    return q.Predicate(lambda agent: _of(make, *(one.of(agent) for one in said)))


def _all_of(*said: q.Predicate) -> q.Predicate:
    """Return the conjunction of predicates."""
    said = tuple(one for one in said if one is not _ALWAYS) or said[:1]
    if len(said) == 1:
        return said[0]
    return _composed(lambda *parts: conjunction(f for f in parts if f is not s.TRUE), *said)


def _known(said: Callable[[], Formula | None]) -> q.Predicate:
    return q.Predicate(lambda agent: _of(partial(s.Knows, agent), said()))


def _ruled_out(f: Formula) -> q.Predicate:
    return q.Predicate(lambda agent: s.Knows(agent, ~f))


def _thought(subject: q.Quantity, said: q.Predicate, of: Callable[..., Formula] = s.Possible) -> q.Predicate:
    """Return the predicate of thinking something possible, or knowing it: "thinks Di might be a wolf"."""
    return q.Predicate(lambda agent: _body(subject, _possibly(of, said, agent)))


def _excluded(whom: q.Quantity, fact: q.Predicate) -> q.Predicate:
    """Return the predicate of those who know, player by player, that a fact is false of some players."""
    return _thought(whom, fact.negated(), s.Knows)


def _body(*said: Any) -> Formula | None:
    """Return a clause, or what a predicate says of a subject if it has one reading."""
    return said[0] if isinstance(said[0], Formula) else _the_only(said[0].of(said[1]))


def _which(*said: Any) -> q.Alternatives | None:
    return None if None in said else q.Alternatives(lambda agent: [(str(f), f) for f in said])


def _of(make: Callable[..., Any], *values: Any) -> Any:
    """Return a value made of others; None if one of them is None."""
    return None if None in values else make(*values)


def _with_auxiliaries(rules: _Rules) -> None:
    """Add the rules for auxiliary verbs: in questions, and in what is said of others as well.

    "but Bo doesn't", "and so does Bo", "and Bo too"; of several together, of some of those named in front.
    """

    def denied(said: q.Predicate) -> Readings:
        """Return a negation; that of "thinks that" may also mean "thinks that not"."""

        def raised(agent: str) -> Formula | None:
            f = said.of(agent)
            return s.Believes(agent, ~f.body) if isinstance(f, s.Believes) else None

        return Readings((said.negated(), q.Predicate(raised)))

    def gapped(who: q.Quantity, said: q.Predicate, other: q.Quantity, too: q.Predicate) -> Readings:
        return Readings(f & g for f in _said_of(who, said) for g in _said_of(other, too))

    def jointly(who: q.Quantity, said: q.Predicate) -> Readings:
        return _said_of(who, replace(said, jointly=True))

    def pooling(names: tuple[str, ...], who: tuple[str, ...], said: q.Predicate) -> Readings | None:
        """Return the readings of what agents know when they pool their knowledge."""
        return jointly(q.Quantity("each", names, listed=True), said) if {*who} <= {*names} else None

    def among(names: tuple[str, ...], bare: q.Quantity, said: q.Predicate) -> Readings:
        return _said_of(replace(bare, agents=names), said)

    def who_does(name: str, *said: q.Predicate) -> Readings:
        return _said_of(_one(name), _all_of(*said))

    would_know = lambda who, f: _said_of(who, q.Predicate(lambda agent: s.Implies(f, s.Knows(agent, f))))  # noqa: E731
    said_jointly = partial(_jointly, _first)
    not_also = lambda who, said, other: gapped(who, said, other, said.negated())  # noqa: E731
    not_both = lambda said: replace(said.negated(), of_both=True)  # noqa: E731
    pooling_too = lambda who, said, names: pooling(names, who, said)  # noqa: E731
    nobody = lambda: ()  # noqa: E731
    pool = lambda *names: tuple(dict.fromkeys(names))  # noqa: E731
    for verb, category in p.AUXILIARIES.items():
        denied_as, fact = ("Is1", "Fact1") if verb == "is" else (category, category)
        stated = p.LEXICAL.get(verb, f"{verb} {category}")
        words = {"verb": verb, "category": category, "denied": denied_as, "fact": fact, "stated": stated}
        rules.read("auxiliaries", locals(), **words)
    rules.read("with_auxiliaries", locals())


def _around(rules: _Rules) -> None:
    """Add the rules for words around a question that change nothing, and for views and conditions."""
    add = rules.add

    def about_that(said: Formula, *rest: Any) -> Readings:
        """Return a question about a clause before it: "Bo is dead, does Cy know that?"."""
        return Readings(now for f in _clauses(said) if (now := q.referring(f, rest[-1])) != rest[-1])

    def known_that(said: Any, who: q.Quantity, known: q.Predicate) -> Readings:
        if isinstance(said, s.Somewhere | s.Possible):  # "can Bo be a wolf without Ann knowing it?"
            return Readings(said.with_children((f,)) for f in known_that(said.children[0], who, known))
        return Readings(said & now for f in _said_of(who, known) if (now := q.referring(said, f)) != f)

    def supposing(condition: Formula, asked: q.Question) -> Readings:
        meant = (q.referring(clause, asked) for clause in _clauses(condition))
        return Readings(q.supposing(condition, one) for one in meant)

    moves = tuple(f"{move.stem}_" for move in rules.vocabulary.moves) if rules.vocabulary else ()

    def whenever(condition: Formula, asked: q.Question) -> Readings | None:
        """Return a question under a condition; "when Ann looked at Bo" is not one but a time."""
        timed = any(atom.startswith(moves) for atom in condition.atoms) if moves else False
        return None if timed else supposing(condition, asked)

    if rules.agents:
        without = lambda names, asked: _restricted([a for a in rules.agents if a not in names], asked)  # noqa: E731
        apart = lambda one, other: None if about_that(one, other) else one & other  # noqa: E731
        stated = lambda one, other: one & other if one.is_boolean else None  # noqa: E731
        in_each_world, in_some_world = partial(_in_worlds, s.Everywhere), partial(_in_worlds, s.Somewhere)
        in_no_world = lambda *given: _of(lambda found: q.changed(found, s.Not), in_some_world(*given))  # noqa: E731
        same = lambda f, asked: s.Iff(asked, f) if isinstance(asked, Formula) else None  # noqa: E731
        add(lambda f: partial(q.supposing, ~f), Start="unless S ,", Only="unless S")
        implies = lambda f, asked: s.Implies(asked, f) if isinstance(asked, Formula) else None  # noqa: E731
        add(lambda asked, end: end(asked), Q="Open Seen|Chance Seen|Yes [,] Only")
        rules.read("around_questions", locals())
    rules.read("around", locals())


def _clauses(said: Formula) -> list[Formula]:
    """Return the meanings of "that" after a clause: the clause, and its part that somebody knows."""
    return [said, said.body] if isinstance(said, s.Knows) else [said]


def _seen_by(of: type[s.Everywhere | s.Somewhere], viewer: str, asked: q.Question) -> q.Question | None:
    """Return a question from an agent's point of view: of all their worlds or of some if it says neither."""
    seen = q.in_view_of(viewer, asked)
    if seen is None:
        return q.in_view_of(viewer, q.changed(asked, of))
    return seen


_according_to, _for_all_known = (partial(_seen_by, of) for of in (s.Everywhere, s.Somewhere))


def _in_worlds(of: type[s.Everywhere | s.Somewhere], *given: Any) -> q.Question | None:
    """Return a yes-or-no question about all worlds, or some, perhaps only those where something is true."""
    *where, asked = given
    if not isinstance(q.parted(asked)[0], Formula):
        return None
    found = q.changed(asked, of)
    if where:
        return q.supposing(where[0], found)
    return found  # type: ignore[no-any-return]


def _answers(found: q.Alternatives | None) -> q.Who | None:
    return None if found is None or found.each else q.Who(tuple(found.of(q.HIM)))


def _restricted(names: Sequence[str], asked: q.Question) -> q.Question | None:
    """Return a "who" question about all agents as one about some of them."""
    if isinstance(asked, q.Supposed):
        return q.beneath(asked, partial(_restricted, names))
    if not isinstance(asked, q.Who) or not {*names} <= dict(asked.answers).keys():
        return None
    return replace(asked, answers=tuple((name, asked.of(name)) for name in names))


# --- subjects ------------------------------------------------------------------------------------

_ALWAYS = q.Predicate(lambda agent: s.TRUE)


def _subjects(rules: _Rules) -> None:
    """Add the rules for the subjects of predicates: names, and quantities of agents."""
    add, agents, facts = rules.add, rules.agents, rules.facts

    def amount_of(amount: Any, *given: Any) -> q.Quantity | None:
        """Return a quantity of all agents, of some that are named, or of those who have a property."""
        number = next((value for value in given if isinstance(value, int)), 0)
        named = next((value for value in given if isinstance(value, tuple)), agents)
        among = next((value for value in given if isinstance(value, q.Predicate)), None)
        amount = "some" if among is not None and among.unique and amount == "each" else amount
        among = None if among is _ALWAYS else among
        return q.Quantity(amount, named, among, number) if number >= 0 and named else None

    def but(amount: str, left: Any, *kind: q.Predicate) -> q.Quantity | None:
        """Return a quantity of the agents who are not named, or who are not of a kind."""
        if isinstance(left, q.Predicate):
            return amount_of(amount, left.negated()) if left is not _ALWAYS else None
        return amount_of(amount, others(left), *kind)

    def others(named: Sequence[str], *more: Any) -> tuple[str, ...] | None:
        """Return those who are not named, if there are as many of them as the sentence says."""
        left = tuple(agent for agent in agents if agent not in named)
        return None if any(isinstance(n, int) and n != len(left) for n in more) else left

    for joint, category in (("and", "And"), ("or", "Or"), ("nor", "Nor")):
        rules.add_list(category, "Name", joint, repeated=True)
    rules.add_list("Numbers", "Number1", "and")
    add(lambda: agents, Group="us|each about us|them each")

    words_for = p.sections("grammar")
    for listed, words in words_for["named"].items():
        add(partial(q.Quantity, listed, listed=True), Named=words)  # type: ignore[arg-type]
    of_all = lambda number: q.Quantity("each", agents) if number == len(agents) else None  # noqa: E731
    for amount, patterns in words_for["amounts"].items():
        add(partial(amount_of, amount), Amount=patterns, Bare=words_for["bare"][amount])
        word = next((word for word in patterns.split(" | ") if word in QUANTIFIED), "")
        if word:
            left = "but Group|but the Noun|<others> [Rel]|about/among the <others> [Nouns]"
            add(partial(but, amount), Amount=_after(f"{word} ", left))
            add(partial(amount_of, amount), 1, Amount=f"{word} Rel|{word} Fact")
    for amount, words in words_for["other_amounts"].items():
        add(partial(but, amount), Amount=words)
    for words, (kind_of_count, more) in p.COUNTED.items():
        counted = lambda n, *given, of=kind_of_count, more=more: amount_of(of, n + more, *given)  # noqa: E731
        kinds = _after(f"{words} Count ", "KNoun [among Group]|[about] Kind|about/among Group")
        add(counted, Amount=kinds, Bare=f"{words} Count")
    for one, several_of_them in rules.vocabulary.kinds if rules.vocabulary else ():
        add(lambda: _ALWAYS, Noun=one, Nouns=several_of_them)
    for noun, fact in (*facts.nouns.items(), ("player", None)) if agents else ():
        kind = _fact(facts, fact) if fact else _ALWAYS
        add(lambda kind=kind: kind, Noun=noun, Nouns=p.plural(noun))
        if kind.unique:
            the_one = lambda *said, kind=kind: amount_of("some", replace(_all_of(kind, *said), unique=True))  # noqa: E731
            add(the_one, Amount=f"the {noun} [Rel]")
            for word, of in (("is", lambda f: f), ("could be", s.Somewhere), ("must be", s.Everywhere)):
                said = lambda who, of=of, kind=kind: _of(of, _body(who, kind))  # noqa: E731
                rules.add_clause(said, f"the {noun} {word} Subject", 1)

    def joined(amount: Any, *parts: q.Quantity) -> q.Quantity:
        return q.Quantity(amount, (), parts=parts)

    def several(number: int, *given: Any) -> Readings | None:
        """Return the readings of a number: at least this number, and exactly."""
        kinds = "atleast", "exactly"
        return Readings(amount_of(kind, number, *given) for kind in kinds) if number > 1 else None

    whole = lambda number, names=agents: names if number == len(names) else None  # noqa: E731
    rules.read("subjects", locals())


# --- what may and what must be -------------------------------------------------------------------


def _possibly(of: Callable[..., Formula], said: q.Predicate, *view: str) -> q.Predicate:
    """Return the statement that a predicate may or must be true, for the game master or for an agent."""
    return _composed(partial(of, *view), said)


def _possibilities(rules: _Rules) -> None:
    add, clause = rules.add, rules.add_clause
    may_be = lambda who, said: _said_of(who, _possibly(s.Somewhere, said))  # noqa: E731
    asked = lambda who, said: Readings(who.asked(said))  # noqa: E731

    def settled(which: Formula | q.Alternatives) -> Formula:
        found = [which, ~which] if isinstance(which, Formula) else [f for _, f in which.of(q.HIM)]
        return disjunction(map(s.Everywhere, found))

    clause(settled, "it is sure Which|it is sure whether S")
    clause(lambda which: ~settled(which), "it is unsure Which|it is unsure whether S")
    could_only = lambda who, said, f: Readings(s.Everywhere(one >> f) for one in _said_of(who, said))  # noqa: E731
    not_surely = lambda said: _possibly(s.Everywhere, said).negated()  # noqa: E731

    def surely_some(*said: q.Predicate, among: Sequence[str] = rules.agents) -> Formula | None:
        sure = _possibly(s.Everywhere, _all_of(*said)).said_of(among)
        return disjunction(sure) if sure else None

    def surely(who: q.Quantity, said: q.Predicate) -> Readings:
        found = who.asked(_possibly(s.Everywhere, said))
        if who.amount in ("some", "none") and not (who.listed or who.among or who.parts):
            some = surely_some(said, among=who.agents)  # "is anybody definitely a wolf?"
            if some is not None:
                found = [~some if who.amount == "none" else some, *found]
        return Readings(dict.fromkeys(found))

    counted = lambda kind, number: s.Count("exactly", number, *kind.said_of(rules.agents))  # noqa: E731
    common_that = lambda *given: s.Common((*given, rules.agents)[0], s.Atom(q.THAT))  # noqa: E731
    sure_that, possible_that = (lambda of=of: of(s.Atom(q.THAT)) for of in (s.Everywhere, s.Somewhere))
    common_clause = lambda f, *names: s.Common((*names, rules.agents)[0], f)  # noqa: E731
    known_not = lambda who, said: _thought(who, said.negated(), s.Knows)  # noqa: E731
    known_not_both = lambda who, said: _known(lambda: _of(s.Not, _body(who, said)))  # noqa: E731
    impossible = lambda who, said: _thought(who, said).negated()  # noqa: E731
    not_possible = lambda who, fact: _said_of(who, _possibly(s.Everywhere, fact.negated()))  # noqa: E731
    never_both = lambda said: replace(said.negated(), of_both=True)  # noqa: E731
    some_are = lambda some: None if some.amount in ("each", "not all") else _said_of(some, _ALWAYS)  # noqa: E731
    rules.read("possibilities", locals())


# --- questions with several answers --------------------------------------------------------------


def _who(said: q.Predicate, agents: Sequence[str]) -> q.Alternatives | None:
    return q.Alternatives(lambda agent: said.each(agents), said.unique) if said.each(agents) else None


def _wh_questions(rules: _Rules) -> None:
    """Add the rules for who, which and how many, in questions and as something that is known."""
    add, agents, facts = rules.add, rules.agents, rules.facts

    def who(*said: q.Predicate) -> q.Alternatives | None:
        return _who(_all_of(*said), agents)

    def held(of: Callable[..., Formula], by: q.Quantity, said: q.Predicate) -> q.Predicate:
        return q.Predicate(lambda to: _body(by, _thought(_one(to), said, of)))

    def the_one(kind: q.Predicate) -> q.Alternatives | None:
        return who(replace(kind, unique=True))

    def how_many(*given: q.Predicate, among: Sequence[str] = agents) -> q.Alternatives:
        parts = _all_of(*given).said_of(among)
        counts = [(str(n), s.Count("exactly", n, *parts)) for n in range(len(parts) + 1)] if parts else []
        return q.Alternatives(lambda agent: counts)

    def only(names: tuple[str, ...], said: q.Predicate) -> Formula:
        return conjunction(f if agent in names else ~f for agent, f in said.each(agents))

    def facts_known(who: Any, about: Sequence[str], scope: Scope = Scope.AGENT) -> q.Who:
        """Return the question which facts about agents are known to one agent, or to several in a scope."""
        kind, knowers = box_of(scope), (who,) if isinstance(who, str) else who
        known = [s.Atom(f"{stem}_{name}") for name in about for stem in (*facts.roles, "dead")]
        said = [f for atom in known if atom.name.partition("_")[0] in facts.stems for f in (atom, ~atom)]
        return q.Who(tuple((to_sentence(f)[:-1], kind._make(group_of(knowers), (f,))) for f in said))

    commonly_known = lambda *given: facts_known((agents, *given)[-2], given[-1], Scope.REACH)  # noqa: E731

    def pairs(said: q.Predicate, ranked: int = 0) -> q.Who:
        """Return the question of which two agents something is true, or may be, or cannot be, of both."""
        impossible = any(
            isinstance(f, s.Not) and isinstance(f.body, s.Somewhere) for _, f in said.each(agents)
        )
        of_pair = replace(said, of_both=said.of_both or impossible)
        two = (q.Quantity("each", pair, listed=True) for pair in combinations(agents, 2))
        return q.Who(
            tuple((" and ".join(pair.agents), f) for pair in two for f in pair.asked(of_pair)[:1]), ranked
        )

    pairs_together = lambda said: pairs(replace(said, jointly=True))  # noqa: E731

    def each_other(kind: q.Predicate) -> Formula:
        """Return the statement that all of a kind know of each other that they are of this kind."""
        pairs = permutations(kind.each(agents), 2)
        return conjunction(s.Implies(one & other, s.Knows(a, other)) for (a, one), (_, other) in pairs)

    def amount_known(amount: q.Quantity, *, other: bool = False) -> q.Predicate | None:
        """Return the predicate of knowing that a quantity of agents, or others, are of a kind."""
        kind = amount.among
        if kind is None:
            return None
        every = kind if amount.amount in ("each", "not all") else None

        def known(agent: str) -> Formula | None:
            of = lambda whom: _of(partial(s.Knows, agent), kind.of(whom))  # noqa: E731
            whom = tuple(one for one in amount.agents if not other or one != agent)
            return _body(replace(amount, agents=whom, among=every), q.Predicate(of))

        def known_of(name: str) -> q.Predicate:
            return _known(lambda: kind.of(name))

        some = amount.amount == "some" and not kind.unique
        return q.Predicate(known, of_some=tuple(map(known_of, amount.agents)) if some else ())

    add(lambda: _ALWAYS, Wh="who")
    add(lambda left: q.Predicate(lambda a: None if a in left else s.TRUE), Wh="who but Group|who <others>")
    fact_excluded = lambda who, fact: held(s.Knows, who, fact.negated())  # noqa: E731
    who_may = lambda of, kind: _answers(who(_possibly(of, kind)))  # noqa: E731
    add(lambda among, said: _who(said, among), Who="which/who [one] about/of/among Group Does")

    def how_many_but(*given: Any) -> q.Alternatives:
        left = [
            agent for agent in agents if not any(isinstance(one, tuple) and agent in one for one in given)
        ]
        return how_many(*(one for one in given if isinstance(one, q.Predicate)), among=left)

    known_to_be = partial(_thought, of=s.Knows)
    identified = lambda kind: _of(q.Alternatives.known, the_one(kind))  # noqa: E731
    others_identified = partial(amount_known, other=True)
    if len(facts.roles) > 1:
        _roles(rules)
    rules.read("wh_questions", locals(), pair="which pair/two [about] [players]")


def _roles(rules: _Rules) -> None:
    """Add the rules for who has which role, and which sides are the same."""
    add, facts = rules.add, rules.facts

    def role_of(name: str, held: Callable[[Formula], Formula] = lambda f: f) -> q.Alternatives:
        found = [(stem, held(s.Atom(f"{stem}_{name}"))) for stem in facts.roles]
        return q.Alternatives(lambda agent: found)

    def role_held(held: Callable[..., Formula], *names: str) -> q.Who | None:
        return _answers(role_of(names[-1], partial(held, *names[:-1])))

    def likeliest_role(*names: str) -> q.Who:
        return q.Who(tuple(role_of(names[-1]).of("")), 1, names[0] if names[1:] else None)

    def whose(held: Callable[[Formula], Formula]) -> q.Who:
        """Return the question whose role is sure, or known."""
        known = ((agent, role_of(agent, held).of(agent)) for agent in rules.agents)
        return q.Who(tuple((agent, disjunction(f for _, f in roles)) for agent, roles in known))

    settled = lambda: whose(s.Everywhere)  # noqa: E731

    def which_of_all(name: str, said: Sequence[q.Predicate]) -> q.Who | None:
        """Return the question which role or side an agent has, if all of them are asked about."""
        asked = {f for one in said if (f := one.of(name)) is not None}
        kinds = (kind for kind in (role_of(name), side_of(name)) if kind is not None)
        return next((_answers(kind) for kind in kinds if {f for _, f in kind.of("")} == asked), None)

    role_chances = lambda name: q.Who(tuple(role_of(name).of("")), 2)  # noqa: E731

    def excluded_roles(viewer: str, name: str) -> q.Who | None:
        return _answers(role_of(name, lambda f: s.Knows(viewer, ~f)))

    def roles_of(who: q.Quantity) -> q.Alternatives | None:
        if who.amount != "each" or who.among:
            return None
        return q.Alternatives(lambda agent: [], each=tuple(map(role_of, who.agents)))

    def alike(stems: Sequence[str], same: bool, *names: Any) -> Formula | None:
        """Return the statement that the same ones of some facts are true of agents, or its denial."""
        named = names if len(names) > 1 else names[0]
        pairs = [(f"{stem}_{one}", f"{stem}_{two}") for one, two in pairwise(named) for stem in stems]
        found = conjunction(s.Iff(s.Atom(one), s.Atom(two)) for one, two in pairs)
        return found if same else ~found

    add(lambda: q.Alternatives(lambda agent: role_of(agent).of(agent)), Which="[their] own role")
    sides = [(word, facts.adjectives[word]) for word in ("good", "evil") if word in facts.adjectives]

    def side_of(name: str) -> q.Alternatives | None:
        found = [(word, f) for word, fact in sides if (f := facts.atom(*fact, name)) is not None]
        return q.Alternatives(lambda agent: found) if found else None

    for words, same in (("the same", True), ("different/opposite", False)):
        same_role, same_side = partial(alike, facts.roles, same), partial(alike, ["wolf"], same)
        rules.read("same_roles", locals(), words=words)
        if "wolf" in facts.stems:
            bare = words.replace("the ", "[the] ")
            rules.read("same_sides", locals(), words=words, bare=bare)
    rules.read("roles", locals())


# --- moves ---------------------------------------------------------------------------------------


def _moves(rules: _Rules) -> None:
    """Add the rules for what agents did to others, and when."""
    add, agents, facts, about = rules.add, rules.agents, rules.facts, rules.vocabulary
    moves = about.moves if about else ()
    for number, word in enumerate(p.ORDINALS, about.first_night if about else 1):
        add(lambda number=number: str(number), When=f"[in] [the] {word} night")
    lengths = {move.stem: 3 if move.results else 2 for move in moves}

    def when_looked(by: str, to: str, asked: Formula | q.Who) -> Formula | q.Who | None:
        """Return a question about what was seen as one about what an agent saw of another."""

        def seen(f: Formula) -> Formula | None:
            if not f.atoms or not all(atom.startswith("saw_") for atom in f.atoms):
                return None
            if isinstance(f, s.And | s.Or):
                parts = [part for part in f.children if seen(part) is not None]
                if not parts:
                    return None
                return disjunction(parts) if isinstance(f, s.Or) else conjunction(parts)
            return f if all(f"{atom}_".startswith(f"saw_{by}_{to}_") for atom in f.atoms) else None

        if isinstance(asked, q.Who):
            left = tuple((answer, f) for answer, f in asked.answers if seen(f) is not None)
            return replace(asked, answers=left) if left else None
        return seen(asked) if isinstance(asked, Formula) else None

    def in_night(night: str, asked: Formula | q.Who) -> Formula | q.Who | None:
        """Return a question about moves as one about a night."""

        def named(atom: str) -> str:
            whole = atom.count("_") == lengths.get(atom.partition("_")[0])
            return f"{atom}_{night}" if whole else atom

        found = q.changed(asked, lambda f: f.rename(atoms=named))
        return None if found == asked else found

    def in_nights(asked: Formula, *of: str) -> Formula | None:
        """Return a statement about moves as one about several nights, inside of what is known or may be."""
        inner = asked.body if isinstance(asked, s.Not) else asked
        if isinstance(inner, s.Modal | s.Somewhere | s.Everywhere):
            of_all = in_nights(inner.children[0], *of)
            found = None if of_all is None else inner.with_children((of_all,))
            return found if inner is asked else _of(s.Not, found)
        parts = [f for night in of if isinstance(f := in_night(night, asked), Formula)]
        return conjunction(parts) if len(parts) == len(of) else None

    in_that_night = lambda asked, night: in_night(night, asked)  # noqa: E731
    begin = about.first_night if about else 1
    numbers = range(begin, begin + len(agents) + len(p.ORDINALS))

    def nights(asked: Formula) -> q.Who | None:
        """Return the question in which nights something was done."""
        done = ((str(number), in_night(str(number), asked)) for number in numbers)
        found = tuple((number, f) for number, f in done if isinstance(f, Formula))
        return q.Who(found) if len(found) == len(numbers) else None

    def how_often(asked: Formula) -> q.Who | None:
        """Return the question in how many nights something was done."""
        if (found := nights(asked)) is None:
            return None
        parts = [f for _, f in found.answers]
        return q.Who(tuple((str(n), s.Count("exactly", n, *parts)) for n in range(len(parts) + 1)))

    for move in moves:
        done = _Move(move, agents)
        for base, past in ((move.base, move.past), *p.other_verbs(move.stem)):
            made = {name: getattr(done, name) for name in public_names(done)}
            words = {"base": base, "past": past, "to": base.split()[-1]}
            rules.read("what_was_seen" if move.results else "verbs_of_moves", made, **words)
            for result in move.results:
                fact = facts.adjectives.get(result)
                nouns = [noun for noun, other in facts.nouns.items() if other == fact]
                saw = lambda to, *when, done=done, r=result: done.doing(to, r, *when)  # noqa: E731
                saw_some = lambda saw=saw: saw(q.Quantity("some", agents))  # noqa: E731
                shown = "/".join((result, *nouns, *map(p.plural, nouns)))
                rules.read("results_of_moves", {"saw": saw, "saw_some": saw_some}, result=shown, **words)
    if "dead" in facts.stems:
        add(partial(_fact, facts, ("dead", False)), Past="died", Did="die", Been="died")

    def happened(kind: str, *given: Any) -> q.WhatHappened | None:
        """Return the question what happened, of a kind, to some agents, at a time."""
        when = next((value for value in given if isinstance(value, str)), "")
        named = {value for value in given if isinstance(value, tuple)} or {()}
        return q.WhatHappened(kind=kind, agents=named.pop(), when=when) if len(named) == 1 else None

    rules.read("moves", locals())
    for number, word in enumerate(p.ORDINALS, 1):
        add(lambda number=number: f"day {number}", Time=f"[in] [the] {word} day")
    if moves:
        add(lambda: "last", When="last night")
        times = {"night_of": "night {}".format, "day_of": "day {}".format}
        kinds = {"anything": partial(happened, ""), "any_move": partial(happened, "moves")}
        kinds |= {f"{end}_death": partial(happened, "deaths", end) for end in ("first", "last")}
        rules.read("happened", {"happened": happened, **kinds, **times})


class _Move(NamedTuple):
    """What can be said with the verb of a move; `rest`: the end of its atom, with the result and night."""

    words: MoveWords
    agents: tuple[str, ...]

    def targets(self, actor: str, *rest: str) -> q.Predicate:
        """Return the statement that an agent made the move against somebody."""

        def made(to: str) -> Formula | None:
            return None if actor == to else s.Atom("_".join((self.words.stem, actor, to, *rest)))

        return q.Predicate(made)

    def doing(self, target: q.Quantity, *rest: str) -> q.Predicate:
        """Return the statement that somebody made the move against an agent."""
        return q.Predicate(lambda actor: _body(target, self.targets(actor, *rest)))

    def but_not(self, target: q.Quantity, other: q.Quantity) -> q.Predicate:
        """Return the statement that somebody made the move against one agent, and not against another."""
        return _all_of(self.doing(target), self.doing(other).negated())

    def by_some(self, *when: str) -> q.Predicate:
        """Return the statement that somebody made the move against an agent."""
        return self.suffering(q.Quantity("some", self.agents), *when)

    def suffering(self, actor: q.Quantity, *when: str) -> q.Predicate:
        """Return the statement about somebody that an agent made the move against them."""
        return q.Predicate(lambda to: _body(actor, q.Predicate(lambda by: self.targets(by, *when).of(to))))

    def whom(self, actor: q.Quantity, *when: str) -> q.Alternatives | None:
        """Return against whom an agent made the move, and with what result."""
        results = [(f": {word}", (word, *when)) for word in self.words.results] or [("", when)]
        found = [
            (to + said, f)
            for said, rest in results
            for to, f in self.suffering(actor, *rest).each(self.agents)
        ]
        return q.Alternatives(lambda agent: found, exclusive=False) if found else None

    def shown(self, actor: q.Quantity, target: q.Quantity, *when: str) -> q.Alternatives | None:
        """Return with what result an agent made the move against another."""
        said = [(word, _body(actor, self.doing(target, word, *when))) for word in self.words.results]
        found = [(word, f) for word, f in said if f is not None]
        return q.Alternatives(lambda agent: found) if actor.is_one and target.is_one and found else None

    def alike(self, names: tuple[str, ...], *when: str) -> Formula:
        """Return the statement that some agents made the move against the same one."""
        to_all = [self.suffering(q.Quantity("each", names, listed=True), *when).of(to) for to in self.agents]
        return disjunction(f for f in to_all if f is not None)


# --- probabilities -------------------------------------------------------------------------------


def _asked_likely(*given: Any) -> q.HowLikely | None:
    """Return the question how likely a clause is, or a predicate of a subject, perhaps for an agent."""
    viewer = next((value for value in given if isinstance(value, str)), None)
    body = _body(*(value for value in given if not isinstance(value, str)))
    return None if body is None else q.HowLikely(viewer, body)


def _than(odds: tuple[str, Fraction], *given: Any) -> q.Question | None:
    """Return the question whether something is as likely as that."""
    asked = given[0] if isinstance(given[0], q.HowLikely) else _asked_likely(*given)
    if asked is None or odds[1] > 1:
        return None
    return replace(asked, relation=odds[0], bound=odds[1]).settled


def _compared(than: tuple[str, Fraction], *two: Formula | None) -> Any:
    """Return the question how the chances of two things compare."""
    return _of(partial(q.HowLikely, None, relation=than[0], factor=than[1]), *two)


def _versus(than: tuple[str, Fraction], *compared: Any) -> Callable[[q.Quantity], Any]:
    """Return the comparison of an agent with another, or of two predicates of an agent."""
    other = next((value for value in compared if isinstance(value, q.Quantity)), None)
    one, *more = (value for value in compared if isinstance(value, q.Predicate))

    def asked(who: q.Quantity) -> Any:
        if not (who.is_one and (other is None or other.is_one)):
            return None
        return _compared(than, _body(who, one), _body(other or who, *more, one))

    return asked


def _likeliest(agents: Sequence[str], whom: q.Quantity, kind: q.Predicate) -> q.Predicate | None:
    """Return the predicate of those for whom nobody is likelier to be of a kind than an agent."""
    (one,) = whom.agents if whom.is_one and whom.among is None else (None,)
    said = dict(kind.each(agents))
    if one not in said:
        return None
    two = [q.HowLikely(None, said[one], f, ">=") for other, f in said.items() if other != one]
    return q.Predicate(lambda agent: conjunction(asked.of(agent) for asked in two))


def _chances(rules: _Rules) -> None:
    """Add the rules for how likely something is, and what it is compared with."""
    add = rules.add

    def likely(make: Callable[..., Any], pattern: str) -> None:
        rules.add_clause(make, pattern, places=("Likelier", "Chance"))

    def likelier(*two: Formula) -> q.Who:
        return q.Who(tuple((str(f), f) for f in two), 1)

    def equally(names: tuple[str, ...], said: q.Predicate) -> Any:
        return _compared(("=", p.ONCE), *map(said.of, names)) if len(names) == 2 else None

    def owned_by(relation: str, one: str, said: q.Predicate, other: str) -> Any:
        return _compared((relation, p.ONCE), said.of(one), said.of(other))

    add(partial(Fraction, 1, 2), Number="half|fifty - fifty|50 - 50|even|[a] coin flip/toss|[a] toss - up")

    def share(one: str, of: str) -> Fraction | None:
        return Fraction(int(one), int(of)) if int(of) else None

    or_more, or_less = partial(_tuple, ">="), partial(_tuple, "<=")
    for size, word in enumerate(("half", *p.ORDINALS[2:], "quarter"), 2):
        of = size if word != "quarter" else 4
        add(lambda of=of: Fraction(1, of), Number=f"a {word}")
        add(lambda number, of=str(of): share(number, of), Number=f"<number> [-] {word}/{word}s")
    add(partial(Fraction, 2), Times="twice")
    for word, relation in (*p.COMPARED.items(), ("", "=")):
        number = f"{word} [a/an] Number" if word else "Number"
        add(partial(_tuple, relation), Than=number, As=f"{word} Times as likely")
        add(partial(_tuple, relation, p.ONCE), As=f"{word} as likely")
    over_half, under_half = (partial(_tuple, than, p.HALF) for than in "><")
    likelier_than, less_than, no_more, equal = (
        partial(_tuple, than, p.ONCE) for than in (">", "<", "<=", "=")
    )
    # one
    for word, relation in p.COMPARED.items():
        likely(partial(owned_by, relation), f"Name 's probability about being Is is {word} Name 's")
        likely(partial(owned_by, relation), f"Name 's probability to be Is is {word} Name 's")
    likely(lambda risk, odds: _than(odds, risk), "Risk is Than")
    likely(_than, "it is Odds1 that S|it is Odds View that S|it is [a] Than probability that S")
    likely(_than, "there is [a] Than probability Clause")
    said_likely = lambda who, odds, said: _than(odds, who, said) if who.listed or who.is_one else None  # noqa: E731
    likely(said_likely, "Subject is Odds Be1|Subject is Than to be Is")
    # two
    for word, relation in (*p.COMPARED.items(), ("the same as", "=")):
        risks = lambda one, two, times=(relation, p.ONCE): _compared(times, one.body, two.body)  # noqa: E731
        likely(risks, f"Risk is {word} Risk")
    for degree, joint in (("More", "than"), ("As", "as")):
        add(_versus, 1, Versus=f"{degree} Be1 {joint} Subject [is]|{degree} {joint} Subject [is] Be1")
        add(_versus, Versus=f"[a/the] {degree} KNoun {joint} Subject [is]")
        add(_versus, Versus=f"{degree} [probably] Be1 {joint} Be1")
        likely(_compared, f"it is {degree} that S {joint} that S")

    def than_not(times: tuple[str, Fraction], said: q.Predicate) -> Callable[[q.Quantity], Any]:
        return lambda who: _than((times[0], p.HALF), who, said) if who.is_one else None

    likely(lambda who, versus: versus(who), "Subject is Versus")
    likely(equally, "And is equally likely Be1|And has [the] same/equal probability about being Is")
    # held by somebody

    def held(asked: q.HowLikely) -> q.Predicate:
        return q.Predicate(asked.of)

    def by_odds(odds: tuple[str, Fraction], *said: Any) -> Any:
        return _of(held, _than(odds, *said))

    rules.add_verb(lambda who, versus: _of(held, versus(who)), "think", "Subject Versus")
    put_at = lambda risk, odds: by_odds(odds, risk)  # noqa: E731

    def against(one: str, than: tuple[str, Fraction], other: str, f: Formula) -> Formula:
        """Return the statement that one agent finds something as likely as another does, times a factor."""
        return s.Probability([(p.ONCE, one, f), (-than[1], other, f)], than[0], 0)

    def than_other(than: tuple[str, Fraction], other: str, f: Formula) -> q.Predicate:
        return q.Predicate(lambda one: against(one, than, other, f))

    def risk_of(who: q.Quantity, said: q.Predicate) -> q.HowLikely | None:
        """Return the question how likely something is; "everyone's probability" is several."""
        of_all = who.amount == "each" and not who.listed and who.among is None
        return None if of_all else _asked_likely(who, said)

    agree = lambda names, f: conjunction(against(a, equal(), b, f) for a, b in pairwise(names))  # noqa: E731
    given_to = lambda who, odds, said: by_odds(odds, who, said)  # noqa: E731
    rules.read("chances", locals())


def _suspicions(rules: _Rules) -> None:
    """Add the rules for who is most likely something, and for suspects, who may be wolves."""
    agents, facts = rules.agents, rules.facts

    ranks = {"lowest": -1, "highest": 1, "all_chances": 2}

    def most(ranked: str, *given: Any) -> q.Who | None:
        """Return the question who is most or least likely something, for an agent if one is given."""
        viewer = next((value for value in given if isinstance(value, str)), None)
        said = next(value for value in given if isinstance(value, q.Predicate))
        among = next((value for value in given if isinstance(value, tuple)), agents)
        return q.Who(tuple(said.each(among)), ranks[ranked], viewer)

    if "wolf" in facts.stems:
        wolf = _fact(facts, ("wolf", False))

        def suspected(who: q.Quantity) -> q.Predicate:
            return q.Predicate(lambda to: _body(who, _thought(_one(to), wolf)))

        suspects = lambda who: _thought(who, wolf)  # noqa: E731
        most_suspect = partial(most, "highest", wolf)
        bigger_suspect = lambda other: _versus((">", p.ONCE), wolf, other)  # noqa: E731
        top_suspect = lambda one, viewer: _of(lambda f: f.of(viewer), _likeliest(agents, _one(one), wolf))  # noqa: E731
        rules.read("suspects", locals())
    rules.read("suspicions", locals())
