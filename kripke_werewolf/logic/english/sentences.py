"""Formulas in plain English.

Each sentence has exactly one reading: "Player 2 knows that player 3 does not know that player 4 is a wolf."
is K_2 ~K_3 wolf_4. The first words of a construct determine it and the number of its parts:

* atoms: "player 4 is a wolf" (`wolf_4`; likewise seer, villager, good, evil, dead, the dominant
  wolf, the alpha wolf, …), "p is true"; denied: "is not a wolf", "p is false";
* everything else by the words of its declaration: "both … and …", "a knows that …", "everyone among
  a, b and c knows that …", "after the public announcement that …, …";
* sums of probabilities: "2 times the probability for a that … plus the probability for b that … is at
  least 1/2".

A numbered agent is "player 2"; a name that is not a single word is put in quotation marks. Commas before
"and", "or" and "then" are optional. `sentence_parser` reads them.

A clause of an answer or of a reason is shorter: "players 1 and 2", "player 1 or player 2 is not a wolf".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.logic.english import phrases as p
from kripke_werewolf.logic.english.atom_words import parts_in
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import QUANTIFIED
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, formula, read_off

WORD = r"\w[\w']*"
"""A name that needs no quotation marks, unless it is a word of sentences."""
PLUS, MINUS, TIMES = "plus", "minus", "times"


@read_off
def first_words(operators: tuple[type[Formula], ...]) -> frozenset[str]:
    """Return the first words of all phrases, which cannot be names unless quoted."""
    found = {"is", "does", "who", "how", "what", "player", PLUS, MINUS, TIMES}
    chances = p.pieces_of(s.Probability.english.says, group=False)
    for pieces in (chances, *(wording.pieces for wording in p.wordings())):
        words = [piece if isinstance(piece, str) else getattr(piece, "joint", "") for piece in pieces]
        found.update(first[0] for piece in words if (first := re.search(r"\w+", piece)))
    found.update(question.split()[0] for w in p.wordings() if (question := p.asked(w.template)))
    return frozenset(found).union(*QUANTIFIED.values())


class People:
    """The names of agents and atoms in sentences, and the words of a vocabulary, or other `phrases`."""

    def __init__(
        self, vocabulary: Vocabulary | None, phrases: Mapping[str, str] | None = None, *, brief: bool = False
    ) -> None:
        about = vocabulary or Vocabulary()
        self.about = replace(about, phrases=tuple((phrases or {}).items()) or about.phrases)
        self.words = p.written_words(self.about)
        self.kind, self.kinds = (*about.kinds, ("player", "players"))[0]
        self.brief = brief

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, vocabulary: Vocabulary | None) -> People:
        """Return the names of a vocabulary in clauses: "players 1 and 2", and without quotation marks."""
        return cls(vocabulary, brief=True)

    def said(self, agent: str) -> str:
        """Return the name of an agent in sentences."""
        if agent.isdecimal() and agent.isascii():
            return f"{self.kind} {agent}"
        return agent if self.brief else self.named(agent)

    def named(self, name: str) -> str:
        """Return a name, in quotation marks if necessary."""
        return name if re.fullmatch(WORD, name) and name.lower() not in first_words() else in_quotes(name)

    def fact(self, f: Formula) -> str:
        """Return the clause that states an atom, or denies it."""
        atom, denied = next(iter(f.atoms)), isinstance(f, s.Not)
        for words in self.words:
            if (parts := parts_in(words.atom, atom, self.about.agents)) is not None:
                named = {place: self.named(name) for place, name in parts.items()}
                named |= {place: self.said(name) for place, name in parts.items() if place.startswith("who")}
                return (words.denied if denied else words.said).format(**named)
        return s.Atom.english[denied].format(name=self.named(atom))

    def group(self, agents: Sequence[str]) -> str:
        """Return the names of a group: `a, b and c`, in clauses `players 1 and 2`."""
        if self.brief and len(agents) > 1 and all(agent.isdecimal() for agent in agents):
            return f"{self.kinds} {enumerated(agents)}"
        return enumerated(map(self.said, agents))


def in_quotes(name: str) -> str:
    """Return a name in quotation marks, as in JSON."""
    return json.dumps(name, ensure_ascii=False)


def enumerated(names: Iterable[object], word: str = "and") -> str:
    """Return names, at least one, as English lists them.

    >>> enumerated(["Ann"]), enumerated("abc"), enumerated([1, 2], "or")
    ('Ann', 'a, b and c', '1 or 2')
    """
    *others, last = map(str, names)
    return f"{', '.join(others)} {word} {last}" if others else last


# --- whole formulas ------------------------------------------------------------------------------


def to_sentence(
    f: FormulaLike, *, phrases: Mapping[str, str] | None = None, vocabulary: Vocabulary | None = None
) -> str:
    """Return a formula as an English sentence.

    `phrases` gives atoms words, with places for parts of a name, of which those that begin with `who` are for
    agents; a `vocabulary` has phrases, and what agents are called.

    >>> to_sentence("K_2 ~K_3 wolf_4")
    'Player 2 knows that player 3 does not know that player 4 is a wolf.'
    >>> to_sentence("C_{Ann,Bo} (p -> Kw_Ann q)")
    'It is common knowledge among Ann and Bo that if p is true, then Ann knows whether q is true.'
    >>> to_sentence("[!p](P_a(q) >= 1/2)")
    'After the public announcement that p is true, the probability for a that q is true is at least 1/2.'
    >>> to_sentence("B_a ~B_b p & K_c p")
    'Both a believes that b does not believe that p is true, and c knows that p is true.'
    >>> to_sentence("B_a ~key_in_box", phrases={"{thing}_in_{place}": "the {thing} is in the {place}"})
    'a believes that the key is not in the box.'
    >>> to_sentence("K_b ~a_2", phrases={"{who}_{card}": "{who} holds card {card}"})
    'b knows that a does not hold card 2.'

    Raises `FormulaError` for an operator without words.
    """
    names = People(vocabulary, phrases)
    text = _spoken(formula(f), lambda node: _pieces(node, names))
    # names stay as they are: `a` and `A` may be two agents
    first = re.match(rf"{WORD}(?=\s)", text)
    openings = {words.subject.split()[0] for words in names.words}.difference(names.about.agents)
    if first and first[0] in first_words() | openings | {names.kind}:
        text = text[0].upper() + text[1:]
    return f"{text}."


def _spoken(f: Formula, say: Callable[[Formula], list[Formula | str]]) -> str:
    """Return the words of a formula; `say`: those of an operator, between its clauses."""
    out: list[str] = []
    stack: list[Formula | str] = [f]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
        else:
            stack.extend(reversed(say(piece)))
    return "".join(out)


def _pieces(node: Formula, people: People, believers: frozenset[str] = frozenset()) -> list[Formula | str]:
    match node:
        case s.Atom() | s.Not(s.Atom()):
            return [people.fact(node)]
        case s.Probability():
            return _summed(node, people)
    if isinstance(node, s.Not) and (denial := p.phrase_for(node.body, believers, denied=True)):
        return _filled(denial, node.body, people)
    if phrase := p.phrase_for(node, believers):
        return _filled(phrase, node, people)
    raise FormulaError(f"no sentence here says {node}: {type(node).__name__} declares no English for it")


def _filled(phrase: p.Phrase, node: Formula, people: People) -> list[Formula | str]:
    """Return the words of a phrase with the values and clauses of a formula in its slots."""
    _, given = p.variant_of(node)
    values, parts = iter(given), list(node.children)
    out: list[Formula | str] = []
    for piece in phrase.pieces:
        match piece:
            case str():
                words = piece.replace("(s)", "s" if given == [1] else "")
                clause_before = bool(out) and isinstance(out[-1], Formula) and _wants_comma(out[-1])
                if words in ("and", "or") and clause_before:
                    words = f", {words}"
                out.append(words if words[0] == "," else f" {words}")
            case p.ClauseList(joint):
                for part in parts[:-1]:
                    out += [" ", part, ","]
                comma = "," if _wants_comma(parts[-2]) else ""
                out[-1:] = [f"{comma} {joint} ", parts[-1]]
            case p.Slot.CLAUSE:
                out += [" ", parts.pop(0)]
            case _:
                out.append(f" {_value(piece, next(values), people)}")
    if isinstance(out[0], str):
        out[0] = out[0].removeprefix(" ")
    return out


def _wants_comma(clause: Formula) -> bool:
    """Return whether a clause is more than a fact, so that a comma marks its end."""
    return s.Atom not in (type(clause), type(_negated(clause)))


def _value(slot: p.Slot, value: Any, people: People) -> str:
    match slot:
        case p.Slot.AGENT | p.Slot.GROUP:
            return people.group(value)
        case p.Slot.NAMES:
            return enumerated([people.named(name) for name in value])
        case p.Slot.NAME:
            return people.named(value)
    return str(value)


def _summed(node: s.Probability, people: People) -> list[Formula | str]:
    """Return the sum of probabilities and the number that it is compared with."""
    words, end = node.english.says.split("…")
    out: list[Formula | str] = []
    plus, minus = "", f"{MINUS} "  # before the first
    for factor, agent, body in node.terms:
        sign = minus if factor < 0 else plus
        plus, minus = f" {PLUS} ", f" {MINUS} "
        times = "" if abs(factor) == 1 else f"{abs(factor)} {TIMES} "
        out += [f"{sign}{times}{words.format(people.said(agent))}", body, end]
    return [*out, f" {node.comparisons[node.relation].words} {node.bound}"]


# --- clauses with signs --------------------------------------------------------------------------

_DEEP = 6  # modal operators that a clause spells out before it quotes the formula
_LONG = 12  # parts of any other formula that has words
_ABOUT_AGENTS = s.Atom | s.KnowsValue | s.Modal


def clause(
    f: Formula, value: bool = True, *, believers: Collection[str] = (), words: Vocabulary | None = None
) -> str:
    """Return a clause saying that a formula is true, or false, with signs for what is long or has no words.

    `believers`: the agents whose K reads "believes", because they may be wrong; `words`: how atoms are said.

    >>> clause(s.Knows(2, "wolf_4 -> wolf_5")), clause(s.Not(s.KnowsWhether("b", "p | q")), False)
    ('player 2 knows that if player 4 is a wolf, then player 5 is a wolf', 'b knows whether (p | q) is true')
    >>> clause(s.Knows("a", s.Knows("b", "p")), False, believers={"b"})
    'a does not know that b believes that p is true'
    """
    people, wrong, opened = People.of(words), frozenset(believers), 0

    def say(node: Formula) -> list[Formula | str]:
        nonlocal opened
        while isinstance(node, s.Not) and isinstance(node.body, s.Not):
            node = node.body.body
        whole = node.body if isinstance(node, s.Not) else node
        opened += 1 if isinstance(whole, s.Modal) else 0
        if opened <= _DEEP and (isinstance(whole, _ABOUT_AGENTS) or _has_words(whole, people)):
            plain = _plainer(node)
            if said := _of_some(plain, people):
                return [said]
            with suppress(FormulaError):
                return _pieces(plain, people, wrong)
        return [f"{quoted(whole)} is {'true' if whole is node else 'false'}"]

    return _spoken(f if value else ~f, say)


def _plainer(f: Formula) -> Formula:
    """Return an equivalent formula that is said without "it is not the case that", if there is one."""
    if not (isinstance(f, s.Not) and isinstance(f.body, s.Junction)):
        return f
    join = s.conjunction if f.body.decides else s.disjunction
    return join(_negated(part) if positive else part for part, positive in f.body.literals())


def _negated(f: Formula) -> Formula:
    return f.body if isinstance(f, s.Not) else ~f


def _has_words(f: Formula, people: People) -> bool:
    """Return whether a formula is short, and all its atoms have words of their own."""
    said = [people.fact(s.Atom(a)) != s.Atom.english.says.format(name=people.named(a)) for a in f.atoms]
    return len([*f.subformulas()]) <= _LONG and all(said)


def _of_some(f: Formula, people: People) -> str:
    """Return the clause for a fact that some of several agents have, or none of them; empty for others.

    >>> _of_some(~s.Atom("wolf_Ann") & ~s.Atom("wolf_Bo"), People.of(Vocabulary(("Ann", "Bo"))))
    'neither Ann nor Bo is a wolf'
    """
    parts, joint = f.children, "or"
    if isinstance(f, s.And):
        parts, joint = tuple(part.children[0] for part in parts if isinstance(part, s.Not)), "nor"
    facts = [people.fact(part) for part in parts if not _wants_comma(part)]
    who = map(people.said, people.about.agents)
    found = {name: fact.removeprefix(name) for name in who for fact in facts if fact.startswith(f"{name} ")}
    told = {*found.values()}
    if not isinstance(f, s.And | s.Or) or len(told) != 1 or len(found) < len(f.children):
        return ""
    return {"or": "", "nor": "neither "}[joint] + enumerated(found, joint) + told.pop()


def of_the_only(text: str, single: Collection[str]) -> str:
    """Return a string where facts that exactly one agent has (their stems: `single`) are said with "the".

    >>> of_the_only("Ann is a seer and Bo is not a wolf", ["seer"])
    'Ann is the seer and Bo is not a wolf'
    """
    for said in (p.FACTS[stem] for stem in single if stem in p.FACTS):
        text = re.sub(rf"\b(is|is not) {said}\b", rf"\1 the {said.partition(' ')[2]}", text)
    return text


def happening(update: s.Update, words: Vocabulary | None = None) -> str:
    """Return the words for an announcement or an action.

    >>> happening(s.Announce(s.Atom("p"), ("a", "b")))
    'the private announcement to a and b that p is true'
    """
    if isinstance(update, s.Act):
        return update.name if update.event is None else f"{update.name}: {update.event}"
    before, after = update.english.split("…")
    whom = People.of(words).group(getattr(update, "group", None) or ("",))
    return before.format(whom) + clause(update.content, words=words) + after


def quoted(f: Formula) -> str:
    """Return a formula as a string, in parentheses if it is an infix operator."""
    return f"({f})" if isinstance(f, s.Infix) else str(f)


def names(group: Sequence[str]) -> str:
    """Return the names of a group: `a, b and c`, `players 1 and 2`."""
    return People.of(None).group(group)
