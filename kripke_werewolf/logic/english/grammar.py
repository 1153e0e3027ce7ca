"""The grammar of English sentences and questions: categories that combine, with their meanings.

The words of operators come from their declarations (`phrases`), those of facts and moves from the vocabulary,
and the patterns of questions from `grammar.txt`. What an agent may be said to do is a `Predicate`; it is
joined with a subject, a `Quantity`, by the same rules whether the sentence is a statement, a question or part
of another sentence.

The *written* grammar has exactly the sentences that `to_sentence` writes, each with one reading. The *wide*
grammar has the forms of `forms.txt` as well. Categories:

* `S` a clause, `Yes` a yes-or-no question, `Open` another question, `Chance` one about chances, `Q` any;
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
from operator import and_, neg
from typing import Any, NamedTuple

from kripke_werewolf.base.usage import public_names
from kripke_werewolf.logic.english import phrases as p
from kripke_werewolf.logic.english import questions as q
from kripke_werewolf.logic.english.atom_words import PLACE, AtomWords, base_form, parts_in
from kripke_werewolf.logic.english.chart import Grammar, Production, Readings, expanded
from kripke_werewolf.logic.english.sentences import MINUS, PLUS, TIMES, clause
from kripke_werewolf.logic.english.vocabulary import MoveWords, Vocabulary
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.operators import Mode, Scope, conjunction, modal
from kripke_werewolf.logic.formulas.syntax import Formula, rational


def _first(*values: Any) -> Any:
    return values[0]


def _tuple(*values: Any) -> tuple[Any, ...]:
    return values


def _denied(make: Callable[..., Formula], *values: Any) -> Formula:
    return ~make(*values)


def _said_of(subject: q.Quantity, said: q.Predicate) -> Readings:
    return Readings(subject.of(said))


def _literal(name: str) -> Formula:
    """Return the formula of an atom, or of the denial of one: `~heads`."""
    return ~s.Atom(name[1:]) if name[0] == "~" else s.Atom(name)


def _one(name: str) -> q.Quantity:
    return q.Quantity("each", (name,), listed=True)


_CLAUSE = re.compile(r"([^|]+?) (is|are|has|does|do|could/may|could|must) ([^|]+)")


def _asked(clause: re.Match[str]) -> str:
    """Return the question of a clause with an auxiliary verb."""
    subject, verb, rest = clause.groups()
    verb, rest = ("does", f"has {rest}") if verb == "has" else (verb, rest)
    return f"{verb} [n't] {subject} {rest}"


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

    def read(self, section: str, functions: Mapping[str, Any], **words: str) -> None:
        """Add the rules of a section of `grammar.txt`, with functions that only it needs, and words in it."""
        shared = {name.strip("_"): made for name, made in globals().items()}
        each_of = lambda of, parts: conjunction(map(of, parts))  # noqa: E731
        general = {"and": and_, "neg": neg, "count": int, "negated": q.Predicate.negated, "each_of": each_of}
        general |= {"listed": partial(q.Quantity, listed=True), "at_end": lambda asked, change: change(asked)}
        functions = {**vars(q), **vars(s), **shared, **general, **functions}
        for head, patterns in p.sections("grammar")[section].items():
            found = re.fullmatch(r"(.+?)(?: = (~?)(\w+)(?:\(([\w ]+)\))?)?(?: ([-+]\d))?", head)
            assert found is not None
            place, denied, name, given, number = found.groups()
            make, cost = functions[name or "first"], int(number or 0)
            make = partial(make, functions.get(given, given)) if given else make
            make = partial(_denied, make) if denied else make
            kind, *places = place.format(**words).split()
            done = {"Did": "{base}"}  # else as in the past
            spelt = {to: patterns.replace("{done}", done.get(to, "{past}")) for to in kind.split("/")}
            said = {to: text.replace("{}", to).format(**words) for to, text in spelt.items()}
            if kind in ("clause", "likelihood"):
                stated, asked = ("S", "Yes") if kind == "clause" else ("Likelier", "Chance")
                self.add(make, cost, **{stated: said[kind], asked: _CLAUSE.sub(_asked, said[kind])})
            elif kind == "verb":
                verb, *others = places  # finite, after "does", and in other places
                self.add(make, cost, **dict.fromkeys(("Do", *others), _after(f"{verb} ", said[kind])))
                self.add(make, cost, Verb=_after(f"{verb}s/{verb} ", said[kind]))
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
    if wide:
        parts += [_predicates, _with_auxiliaries, _subjects]
    if wide and vocabulary:
        parts += [_conditions, _possibilities, _wh_questions, _moves, _chances]
    for part in parts:
        part(rules)
    if wide:
        _things(rules, [AtomWords.of(*words) for words in phrases])
    else:
        _written(rules, p.written_words(replace(vocabulary or Vocabulary(), phrases=phrases)))
    return Grammar(rules)


def _in_parts(template: str, several: str = "{}") -> str:
    """Return the pattern of words of atoms; `several`: the place that may be for several agents."""
    text = template.lower().replace("}'s", "} 's").replace(several, "Owner").replace("{night}", "<number>")
    return PLACE.sub("Part", re.sub(r"\{who\w*\}", "Name", text))


def _parts(template: str, values: Sequence[str]) -> dict[str, str]:
    """Return the values of the places of a template."""
    return dict(zip(PLACE.findall(template), values, strict=True))


def _written(rules: _Rules, phrases: Sequence[AtomWords]) -> None:
    """Add the rules that only the written grammar has, whose sentences have one reading each."""
    rules.read("written", {})
    for words in phrases:
        made = lambda *values, of=words: s.Atom(of.atom.format(**_parts(of.said, values)))  # noqa: E731
        rules.add(made, S=_in_parts(words.said))
        rules.add(partial(_denied, made), S=_in_parts(words.denied))


def _things(rules: _Rules, phrases: Sequence[AtomWords]) -> None:
    """Add the rules for the words of atoms: what they are about may stand where an agent may."""
    known, itself = rules.facts.known, _first
    atoms = (rules.vocabulary or Vocabulary()).atoms

    def thing(words: AtomWords, *values: Any) -> q.Quantity:
        """Return the subject of some words as if it were an agent, or several: "everybody's hat"."""
        given: dict[str, Any] = _parts(words.subject, values)
        owners: q.Quantity = given.pop("who", _one(""))
        return replace(owners, agents=tuple(words.subject.format(who=a, **given) for a in owners.agents))

    def said(words: AtomWords, *values: Any) -> q.Predicate:
        """Return the predicate of its subject; its object may be several agents: "everybody's secret"."""
        given: dict[str, Any] = _parts(words.rest, values)
        objects = given.pop("whom", None)

        def told(subject: str, **parts: str) -> Any:
            literal = lambda found: known(_literal(words.atom.format(**found, **given, **parts)))  # noqa: E731
            return _of(literal, parts_in(words.subject, subject))

        if objects is None:
            return q.Predicate(told)
        return q.Predicate(lambda agent: _body(objects, q.Predicate(lambda to: told(agent, whom=to))))

    def value(of: Callable[..., Formula], *given: Any, held: Sequence[AtomWords] = ()) -> q.Alternatives:
        """Return the possible answers to what a thing, which comes last, is, or what is held by an agent."""
        *by, about = given
        parted = [(w, parts_in(w.atom, atom)) for w in held or phrases for atom in atoms]

        def values(agent: str) -> list[tuple[str, Formula]]:
            thing = about.agents[0].replace(q.HIM, agent)
            fit = [(w, p) for w, p in parted if p is not None and w.subject.format(**p) == thing]
            answers = {of(*by, _literal(w.atom.format(**p))): w.rest.format(**p) for w, p in reversed(fit)}
            return [(answer, f) for f, answer in reversed(answers.items())]

        return q.Alternatives(values, exclusive=not held)

    rules.read("things", locals())
    for number, words in enumerate(phrases):
        if words.subject != "{who}":
            rules.add(partial(thing, words), Thing=_in_parts(words.subject, "{who}"))
        what, also = f"What{number}", p.sections("verbs")["atoms"].get(words.verb, words.verb)
        rules.add(partial(said, words), **{what: _in_parts(words.rest, "{whom}")})
        said_as = {"what": what, "base": f"{words.base}/{also}", "verb": f"{words.verb}/{words.base}/{also}"}
        rules.read(words.auxiliary, {}, **said_as)
        if words.base and (noun := re.fullmatch(r"(\w+) \{\w+\}", words.rest)):
            held = lambda by, words=words: value(_first, _one(by), held=[words])  # noqa: E731
            rules.read("held", {"held": held}, noun=noun[1], **said_as)


def _names(rules: _Rules) -> None:
    about = rules.vocabulary

    def numbered(number: str) -> str | None:
        agent = about.agent(number) if about else number
        return None if about and agent not in about.agents else agent

    rules.add_list("Group2", "Name", "and")
    rules.add_list("Any", "<any>", "and")
    for kind, _ in about.kinds if about else ():
        rules.add(numbered, Person=f"{kind} <number>|{kind} <person>")
    rules.read("names", locals())


# --- the declared operators ----------------------------------------------------------------------


def _operators(rules: _Rules) -> None:
    for joint in ("and", "or", "nor"):
        rules.add_list(f"List{joint}", "S", joint)
        rules.add_list(f"Literal{joint}", "Literal", joint, repeated=True)
    for wording in p.wordings():
        templates = p.synonyms(wording.template) if rules.wide else (wording.template,)
        for template in templates if wording.kind is not s.Atom else ():
            _phrase(rules, wording._replace(template=template))
            of_all, groups = re.subn(r" (?:among|of) \{\}", "", template)
            if rules.wide and rules.agents and groups == 1:
                _phrase(rules, wording._replace(template=of_all, given=(rules.agents,)))


def _phrase(rules: _Rules, phrase: p.Phrase) -> None:
    """Add the rules for the words of an operator."""
    kind, wide = phrase.kind, rules.wide
    grouped = issubclass(kind, s.Modal) and kind.scope in (Scope.EACH, Scope.SOME)
    if wide and grouped and modal(Scope.AGENT, kind.mode):  # type: ignore[attr-defined]
        return  # composed of a subject and the words for one agent
    text = _words_of(phrase, wide=wide)

    def made(*values: Any) -> Formula:
        lists = [value if isinstance(value, tuple) else (value,) for value in values]
        below = [f for parts in lists for f in parts if isinstance(f, Formula)]
        slots = [value for value, parts in zip(values, lists, strict=True) if parts[0] not in below]
        return phrase.of(slots, tuple(below))

    def predicate(*values: Any) -> q.Predicate:
        """Return the predicate of an agent; what may be or must be is so for them."""
        if not (wide and issubclass(kind, s.OfAgent) and isinstance(values[-1], Formula)):
            return q.Predicate(lambda agent: made((agent,), *values))

        def seen(agent: str) -> Formula:
            f = _in_mind_of(agent, values[-1])
            if kind is s.Believes and f is not values[-1]:
                return ~f if phrase.denied else f
            return made((agent,), *values[:-1], f)

        return q.Predicate(seen)

    def known(alternatives: q.Alternatives) -> q.Predicate:
        found = q.Predicate(lambda agent: alternatives.held(Scope.AGENT, (agent,)))
        return found.negated() if phrase.denied else found

    verb, _, rest = text.removeprefix("Subject ").strip().partition(" ")
    if not wide or not text.startswith("Subject "):
        of_subject = lambda subject, *values: _said_of(subject, predicate(*values))  # noqa: E731
        make = of_subject if "Subject" in text else made
        rules.add(make, S=text)
        if wide and (question := p.asked(text.strip())):
            rules.add(make, Yes=re.sub(r"^(is|does) it", r"\1 [n't] it", question))
    elif not (phrase.denied and rest.startswith("not ")):  # else composed of the operator and "not"
        base = base_form(verb)
        if verb in p.AUXILIARIES:
            places = {"Is1" if verb == "is" else p.AUXILIARIES[verb]: ""}
        else:
            places = {"Verb": f"{verb}/{base} ", "Do": f"{base} "}
        if verb == "learns":
            places |= {"Past": "learnt ", "Did": "learn "}
        words, which = rest, rest.removesuffix("whether S") + "[about] Which"
        if p.SAYING.search(f"{verb} {rest}"):
            words = rest.removesuffix("that S") + "Said"
        whether = phrase.kind is modal(Scope.AGENT, Mode.WHETHER)
        for category, start in places.items():
            rules.add(predicate, **{category: _after(start, words)})
            if whether:
                rules.add(predicate, **{category: f"{start}{rest} or not"})
                rules.add(known, **{category: start + which})


def _in_mind_of(agent: str, f: Formula) -> Formula:
    """Return a statement where what may be or must be is so for an agent, if there is any.

    >>> print(_in_mind_of("a", ~s.Somewhere("p") & s.Everywhere("q")))
    ~M_a p & K_a q
    """
    match f:
        case s.Somewhere(body):
            return s.Possible(agent, body)
        case s.Everywhere(body):
            return s.Knows(agent, body)
        case s.Not() | s.And() | s.Or() | s.Implies() | s.Iff() | s.Count():
            return f.with_children([_in_mind_of(agent, part) for part in f.children])
    return f


def _words_of(phrase: p.Phrase, *, wide: bool) -> str:
    """Return the pattern of a phrase; in the wide grammar commas and colons may be left out."""
    text = ""
    for piece in phrase.pieces:
        match piece:
            case str():
                said = re.sub(r",(?=\s*(?:and|or|then)\b)", "", piece.replace("hold(s)", "hold/holds"))
                said = " ".join(re.findall(r"[\w'/]+|[^\w\s]", said))
                text += re.sub("[,:]", r"[\g<0>]", said) if wide else said
            case p.ClauseList(joint):
                text += f"List{joint}"
            case _:
                text += p.PARTS[piece]
        text += " "
    return text


def _after(start: str, patterns: str) -> str:
    """Return patterns with words before each of them."""
    return "|".join(start + pattern for pattern in patterns.split("|"))


# --- sums of probabilities -----------------------------------------------------------------------


def _sums(rules: _Rules) -> None:
    def signed(factor: Fraction, terms: tuple[Any, ...], *more: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a sum with one more term, times a factor."""
        ((size, agent, body),) = more[0] if more else terms
        return (*(terms if more else ()), (factor * size, agent, body))

    percent = lambda text: rational(text) / 100  # noqa: E731
    term = lambda agent, body: ((p.ONCE, agent, body),)  # noqa: E731
    plus, minus = partial(signed, p.ONCE), partial(signed, -p.ONCE)
    says = s.Probability.english.says.format("Name").replace("…", "S")
    rules.read("sums", locals(), says=says, plus=PLUS, minus=MINUS, times=TIMES)
    for relation, comparison in s.Probability.comparisons.items():
        make = lambda terms, bound, relation=relation: s.Probability(terms, relation, bound)  # noqa: E731
        rules.add(make, S=f"Sum {comparison.words} Bound")


# --- facts and predicates ------------------------------------------------------------------------


def _fact(facts: p.FactWords, fact: tuple[str, bool], *, unique: bool = False) -> q.Predicate:
    """Return the predicate that a fact is true of an agent."""
    return q.Predicate(partial(facts.atom, *fact), unique=unique or fact[0] in facts.single)


def _predicates(rules: _Rules) -> None:
    """Add the rules for predicates, and for clauses and questions made of a subject and a predicate."""
    add, facts = rules.add, rules.facts
    for noun, fact in facts.nouns.items():
        add(partial(_fact, facts, fact), Fact1=f"[a/an] {noun}|{p.plural(noun)}")
        add(partial(_fact, facts, fact, unique=True), Fact1=f"the {noun}|the [two/three] {p.plural(noun)}")
    for word, fact in facts.adjectives.items():
        add(partial(_fact, facts, fact), Fact1=word, Fact=word)
        if word in facts.stems - p.FACTS.keys():  # a card, perhaps
            has = f"[the/a] {word} [role]"
            add(partial(_fact, facts, fact), Been=has, Do=f"has/hold {has}", Verb=f"holds/hold {has}")
    add(lambda noun: _fact(facts, facts.nouns[noun]), Fact1="[a] <one>")
    rules.add_list("Facts", "Fact1", "or", repeated=True)

    def asked_of(said: tuple[q.Predicate, ...]) -> set[str]:
        """Return the stems of some facts."""
        return {str(one.of(q.HIM)).removeprefix("~").partition("_")[0] for one in said}

    def is_one(said: tuple[q.Predicate, ...]) -> bool:
        """Whether one of some facts is true of everybody: "good or evil", "dead or alive"."""
        stems = asked_of(said)
        return stems != {"None"} and (len(stems) == 1 or stems in ({*facts.roles}, {"good", "wolf"}))

    def either_fact(said: tuple[q.Predicate, ...]) -> q.Predicate | None:
        """Return that one of some facts is true; "is Bo good or evil?" does not ask that."""
        return None if is_one(said) else _composed(s.Or, *said)

    def which_fact(who: q.Quantity, said: tuple[q.Predicate, ...]) -> q.Alternatives | None:
        """Return which of some facts is true; None if several can be."""
        can_be_several = not (is_one(said) or asked_of(said) <= {*facts.roles})
        return None if can_be_several else _which(*(_body(who, fact) for fact in said))

    not_each = lambda f: f.with_children(map(s.Not, f.children))  # noqa: E731
    none_of = lambda *said: _all_of(*(one.negated() for one in said))  # noqa: E731
    which_of = lambda names, said: _which(*said.said_of(names))  # noqa: E731
    excluded = lambda whom, fact: _held(s.Knows, whom, fact.negated())  # noqa: E731
    allowed = lambda fs: q.Predicate(lambda agent: conjunction(s.Possible(agent, f) for f in fs))  # noqa: E731
    ruled_out = lambda f: q.Predicate(lambda agent: s.Knows(agent, ~f))  # noqa: E731
    if_told = lambda f, given: q.Predicate(lambda agent: s.Believes(agent, f, within=given))  # noqa: E731
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


def _held(of: Callable[..., Formula], subject: q.Quantity, said: q.Predicate) -> q.Predicate:
    """Return the predicate of knowing something of a subject, or of thinking it possible."""
    return q.Predicate(lambda agent: _body(subject, _composed(partial(of, agent), said)))


def _body(*said: Any) -> Formula | None:
    """Return a clause, or what a predicate says of a subject if it has one reading."""
    if isinstance(said[0], Formula):
        return said[0]
    readings = said[0].of(said[1])
    return readings[0] if len(readings) == 1 else None


def _which(*said: Any) -> q.Alternatives | None:
    return None if None in said else q.Alternatives(lambda agent: [(str(f), f) for f in said])


def _of(make: Callable[..., Any], *values: Any) -> Any:
    """Return a value made of others; None if one of them is None."""
    return None if None in values else make(*values)


def _with_auxiliaries(rules: _Rules) -> None:
    """Add the rules for auxiliary verbs, in statements and in questions."""

    def denied(said: q.Predicate) -> Readings:
        """Return a negation; that of "thinks that" may also mean "thinks that not"."""

        def raised(agent: str) -> Formula | None:
            f = said.of(agent)
            return s.Believes(agent, ~f.body) if isinstance(f, s.Believes) else None

        return Readings((said.negated(), q.Predicate(raised)))

    for verb, category in p.AUXILIARIES.items():
        denied_as = "Is1" if verb == "is" else category
        rules.read("auxiliaries", locals(), verb=verb, category=category, denied=denied_as)


def _conditions(rules: _Rules) -> None:
    """Add the rules for conditions, and for the player from whose point of view something is asked."""

    def known_if(f: Formula, who: q.Quantity) -> q.Question | None:
        """Return the question whether a fact is known where it is true; None for what is known itself."""
        known = _body(who, q.Predicate(lambda agent: s.Knows(agent, f)))
        return None if known is None or not f.is_boolean else q.supposing(f, known)

    known = lambda who, f: s.Possible(who, f) if (seen := _in_mind_of(who, f)) is f else seen  # noqa: E731
    for_all = lambda who: partial(q.changed, change=partial(known, who))  # noqa: E731
    known_together = lambda names, known: known.held(Scope.MEET, names)  # noqa: E731
    in_all_where = lambda f, asked: s.Everywhere(f >> asked)  # noqa: E731
    in_worlds = lambda of: partial(q.changed, change=of)  # noqa: E731
    announcing = lambda f: partial(q.changed, change=partial(s.Box, s.Announce(f)))  # noqa: E731
    in_front = lambda change, asked: change(asked)  # noqa: E731
    supposing_not = lambda f: partial(q.supposing, ~f)  # noqa: E731
    stated = lambda one, other: one & other if one.is_boolean else None  # noqa: E731
    rules.read("conditions", locals())


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

    def others(named: Sequence[str], *number: int) -> tuple[str, ...] | None:
        """Return those who are not named, if there are as many of them as the sentence says."""
        left = tuple(agent for agent in agents if agent not in named)
        return left if number in ((), (len(left),)) else None

    def but(amount: str, named: Sequence[str], *kind: q.Predicate) -> q.Quantity | None:
        return amount_of(amount, others(named), *kind)

    def several(number: int, *given: Any) -> Readings | None:
        """Return the readings of a number: at least this number, and exactly."""
        kinds = "atleast", "exactly"
        return Readings(amount_of(kind, number, *given) for kind in kinds) if number > 1 else None

    for joint, category in (("and", "And"), ("or", "Or"), ("nor", "Nor")):
        rules.add_list(category, "Name", joint, repeated=True)
    rules.add_list("Numbers", "Number1", "and")
    for words, (kind_of_count, more, _) in p.COMPARED.items():
        counted = lambda n, *given, of=kind_of_count, more=more: amount_of(of, n + int(more), *given)  # noqa: E731
        add(counted, Amount=f"{words} Count [KNoun]|{words} Count [of] Kind|{words} Count of Group")
    for singular, plural in dict.fromkeys((("player", "players"), *(rules.vocabulary or Vocabulary()).kinds)):
        add(lambda: _ALWAYS, Noun=singular, Nouns=plural)
        add(_first, **dict.fromkeys(("Group", "And"), f"{plural} Numbers"))
    for noun, fact in facts.nouns.items() if agents else ():
        kind = _fact(facts, fact)
        add(lambda kind=kind: kind, Noun=noun, Nouns=p.plural(noun))
        if kind.unique:
            the_one = lambda *said, kind=kind: amount_of("some", replace(_all_of(kind, *said), unique=True))  # noqa: E731
            add(the_one, Amount=f"the {noun} [Rel]")
    whole = lambda number, names=agents: names if number == len(names) else None  # noqa: E731
    cleft = lambda who, said: None if who.amount == "some" else _said_of(who, said)  # noqa: E731
    rules.read("subjects", locals())


# --- what may and what must be -------------------------------------------------------------------


def _possibilities(rules: _Rules) -> None:
    """Add the rules for what may be and what must be, in the worlds of the game or for an agent."""
    asked = lambda who, said: Readings(who.asked(said))  # noqa: E731
    surely = lambda who, f: (_said_of if who.amount in ("none", "not all", "atmost") else asked)(who, f)  # noqa: E731
    never_both = lambda said: replace(said.negated(), of_both=True)  # noqa: E731
    some_are = lambda some: None if some.amount in ("each", "not all") else _said_of(some, _ALWAYS)  # noqa: E731
    known_to = lambda *given: given[-1].held(Scope.REACH, (*given[:-1], rules.agents)[0])  # noqa: E731
    common_clause = lambda f, *names: s.Common((*names, rules.agents)[0], f)  # noqa: E731
    rules.read("possibilities", locals())


# --- questions with several answers --------------------------------------------------------------


def _who(said: q.Predicate, agents: Sequence[str]) -> q.Alternatives | None:
    return q.Alternatives(lambda agent: said.each(agents), said.unique) if said.each(agents) else None


def _wh_questions(rules: _Rules) -> None:
    """Add the rules for who, which and how many, in questions and as something that is known."""
    agents, facts = rules.agents, rules.facts

    def who(*said: q.Predicate) -> q.Alternatives | None:
        return _who(_all_of(*said), agents)

    def held_of(of: Callable[..., Formula], by: q.Quantity, said: q.Predicate) -> q.Predicate:
        return q.Predicate(lambda to: _body(by, _held(of, _one(to), said)))

    def how_many(*given: Any) -> q.Alternatives:
        among = next((value for value in given if isinstance(value, tuple)), agents)
        parts = _all_of(*(value for value in given if value is not among)).said_of(among)
        counts = [(str(n), s.Count("exactly", n, *parts)) for n in range(len(parts) + 1)] if parts else []
        return q.Alternatives(lambda agent: counts)

    def only(names: tuple[str, ...], said: q.Predicate) -> Formula | None:
        if not (found := said.each(agents)):
            return None
        return conjunction(f if agent in names else ~f for agent, f in found)

    def facts_known(knower: str, *about: str) -> q.Who:
        """Return the question which facts about some agents, by default all, are known to one."""
        stems = (*facts.roles, "dead") if facts.roles else sorted(facts.stems)
        known = [s.Atom(f"{stem}_{to}") for to in about or agents for stem in stems if stem in facts.stems]
        said = [f for atom in known for f in (atom, ~atom)]
        return q.Who(tuple((clause(f, words=rules.vocabulary), s.Knows(knower, f)) for f in said))

    def role_of(name: str, held: Callable[[Formula], Formula] = lambda f: f) -> q.Alternatives:
        found = [(stem, held(s.Atom(f"{stem}_{name}"))) for stem in facts.roles]
        return q.Alternatives(lambda agent: found)

    the_one = lambda kind: who(replace(kind, unique=True))  # noqa: E731
    cells = lambda who: q.WhatHappened(kind="cells", agents=(who,))  # noqa: E731
    not_them = lambda names: q.Predicate(lambda agent: None if agent in names else s.TRUE)  # noqa: E731
    who_of = lambda among, said: _who(said, among)  # noqa: E731
    anyone = lambda: _ALWAYS  # noqa: E731
    whose = lambda by: _who(q.Predicate(lambda to: role_of(to).held(Scope.AGENT, (by,))), agents)  # noqa: E731
    could_be = lambda kind: who(_composed(s.Somewhere, kind))  # noqa: E731
    answers = partial(_of, lambda found: q.Who(tuple(found.of(q.HIM))))
    role_held = lambda of, *names: answers(role_of(names[-1], partial(of, *names[:-1])))  # noqa: E731
    own_role = lambda: q.Alternatives(lambda agent: role_of(agent).of(agent))  # noqa: E731

    def same_side(names: tuple[str, ...]) -> Formula:
        one, *others = (s.Atom(f"wolf_{name}") for name in names)
        return conjunction(s.Iff(one, other) for other in others)

    rules.read("wh_questions", locals())


# --- moves ---------------------------------------------------------------------------------------


def _moves(rules: _Rules) -> None:
    """Add the rules for what agents did to others, and when."""
    add, agents, facts, about = rules.add, rules.agents, rules.facts, rules.vocabulary
    assert about is not None
    begin = about.first_night
    for number, word in enumerate(p.ORDINALS, begin):
        add(lambda number=number: str(number), When=f"[in] [the] {word} night")
    lengths = {move.stem: 2 + bool(move.results) + move.two for move in about.moves}

    def in_night(asked: Formula | q.Who, night: str) -> Formula | q.Who | None:
        """Return a question about moves as one about a night."""

        def named(atom: str) -> str:
            whole = atom.count("_") == lengths.get(atom.partition("_")[0])
            return f"{atom}_{night}" if whole else atom

        found = q.changed(asked, lambda f: f.rename(atoms=named))
        return None if found == asked else found

    timed = lambda night: lambda asked: in_night(asked, night)  # noqa: E731
    numbers = range(begin, begin + len(agents) + len(p.ORDINALS))

    def nights(asked: Formula) -> q.Who | None:
        """Return the question in which nights something was done."""
        done = ((str(number), in_night(asked, str(number))) for number in numbers)
        found = tuple((number, f) for number, f in done if isinstance(f, Formula))
        return q.Who(found) if len(found) == len(numbers) else None

    for move in about.moves:
        done = _Move(move, agents)
        made = {name: getattr(done, name) for name in public_names(done)}
        section = "what_was_seen" if move.results else "verbs_of_moves"
        if move.two:
            section = "moves_of_two"
        for base, past in p.verbs_of(move):
            rules.read(section, made, base=base, past=past)
        looks = [verb for other in about.moves if other.stem == move.shown_by for verb in p.verbs_of(other)]
        for result in move.results:
            fact = facts.adjectives.get(result)
            nouns = [noun for noun, other in facts.nouns.items() if other == fact]
            saw = lambda to, *when, done=done, r=result: done.doing(to, r, *when)  # noqa: E731
            shown = "/".join((result, *nouns, *map(p.plural, nouns)))
            for base, past in p.verbs_of(move):
                rules.read("results_of_moves", {"saw": saw}, result=shown, base=base, past=past)
            for base, past in looks:
                rules.read("looks_and_results", {"saw": saw}, result=shown, base=base, past=past)
    if "dead" in facts.stems:
        add(partial(_fact, facts, ("dead", False)), Past="died", Did="die", Been="died")
        add(partial(_fact, facts, ("dead", True)), Verb="lives/live", Do="live")

    def happened(kind: str, *given: Any) -> q.WhatHappened | None:
        """Return the question what happened, of a kind, to some agents, at a time."""
        when = next((value for value in given if isinstance(value, str)), "")
        named = next((value for value in given if isinstance(value, tuple)), ())
        return q.WhatHappened(kind=kind, agents=named, when=when)

    worlds = lambda kind, f=s.TRUE: q.WhatHappened((("", f),), kind=kind)  # noqa: E731
    night_of, day_of, anything = "night {}".format, "day {}".format, partial(happened, "")
    add(lambda: "last", When="last night")
    rules.read("moves", locals())


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

    def doing_to_two(self, one: str, other: str, *when: str) -> q.Predicate | None:
        """Return the statement that somebody made a move with two targets."""
        two = sorted((one, other), key=self.agents.index)
        return q.Predicate(lambda actor: s.Atom("_".join((self.words.stem, actor, *two, *when))))

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


# --- probabilities -------------------------------------------------------------------------------


def _asked_likely(*given: Any) -> q.HowLikely | None:
    """Return the question how likely a clause is, or a predicate of a subject, perhaps for an agent."""
    viewer = next((value for value in given if isinstance(value, str)), None)
    said = [value for value in given if not isinstance(value, str)]
    of_each = isinstance(said[0], q.Quantity) and said[0].amount == "each" and not said[0].listed
    body = None if of_each else _body(*said)
    return None if body is None else q.HowLikely(viewer, body)


def _than(odds: tuple[str, Fraction], *given: Any) -> q.Question | None:
    """Return the question whether something is as likely as that."""
    asked = given[0] if isinstance(given[0], q.HowLikely) else _asked_likely(*given)
    if asked is None or odds[1] > 1:
        return None
    return replace(asked, relation=odds[0], bound=odds[1]).settled


def _compared(relation: str, *two: Formula | None) -> Any:
    """Return the question how the chances of two things compare."""
    return _of(partial(q.HowLikely, None, relation=relation), *two)


def _versus(relation: str, *compared: Any) -> Callable[[q.Quantity], Any]:
    """Return the comparison of an agent with another by what is said of both."""
    other, said = compared if isinstance(compared[0], q.Quantity) else compared[::-1]

    def asked(who: q.Quantity) -> Any:
        if who.is_one and other.is_one:
            return _compared(relation, _body(who, said), _body(other, said))
        return None

    return asked


def _chances(rules: _Rules) -> None:
    """Add the rules for how likely something is, what it is compared with, and who is likeliest."""
    add = rules.add

    def most(ranked: str, *given: Any) -> q.Who:
        """Return the question who is most or least likely something, for an agent if one is given."""
        viewer = next((value for value in given if isinstance(value, str)), None)
        said = next(value for value in given if isinstance(value, q.Predicate))
        among = next((value for value in given if isinstance(value, tuple)), rules.agents)
        return q.Who(tuple(said.each(among)), 1 if ranked == "highest" else -1, viewer)

    half = partial(Fraction, p.HALF)
    or_more, or_less = partial(_tuple, ">="), partial(_tuple, "<=")
    for word, (*_, relation) in (*p.COMPARED.items(), ("", "=")):
        add(partial(_tuple, relation), Than=f"{word} [a/an] Number" if word else "Number")
        add(partial(str, relation), As=f"{word} as likely")
    over_half, under_half = (partial(_tuple, than, p.HALF) for than in "><")
    likelier_than, less_than, equal = map(partial(partial, str), "><=")
    equally = lambda one, other, said: _compared("=", said.of(one), said.of(other))  # noqa: E731
    share = lambda one, of: Fraction(int(one), int(of)) if int(of) else None  # noqa: E731
    said_likely = lambda who, odds, said: _than(odds, who, said) if who.listed or who.is_one else None  # noqa: E731
    of_risk = lambda risk, odds: _than(odds, risk)  # noqa: E731
    held = lambda asked: q.Predicate(asked.of)  # noqa: E731
    rules.read("chances", locals())
