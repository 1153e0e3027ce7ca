"""Formulas in plain English.

Each sentence has exactly one reading: "Player 2 knows that player 3 does not know that player 4 is a wolf."
is K_2 ~K_3 wolf_4. The first words of a construct determine it and the number of its parts:

* atoms: "player 4 is a wolf" (`wolf_4`; likewise seer, villager, good, evil, dead, the dominant
  wolf, the alpha wolf, …), "p is true"; denied: "is not a wolf", "p is false";
* everything else by the words of its declaration: "both … and …", "a knows that …", "everyone among
  a, b and c knows that …", "after the public announcement that …, …";
* sums of probabilities: "2 times the probability for a that … plus the probability for b that … is at
  least 1/2".

A numbered agent is "player 2"; a name that is not a single word is put in quotation marks; `people` gives
agents other names. Commas before "and", "or" and "then" are optional. `sentence_parser` reads them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from kripke_werewolf.base.errors import FormulaError
from kripke_werewolf.logic.english import phrases as p
from kripke_werewolf.logic.english.atom_words import parts_in
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import QUANTIFIED
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, agent_name, formula, read_off

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


_Words: TypeAlias = Mapping[Any, str] | None
"""The words for agents, or for kinds of atoms, in sentences."""


class People:
    """The names of agents and atoms in sentences: those of a vocabulary, or `people` and `phrases`."""

    def __init__(self, people: _Words, vocabulary: Vocabulary | None, phrases: _Words = None) -> None:
        about = vocabulary or Vocabulary()
        self.about = replace(about, phrases=tuple((phrases or {}).items()) or about.phrases)
        self.words = p.written_words(self.about)
        self.kind, self.kinds = (*about.kinds, ("player", "players"))[0]
        self.names = {agent_name(agent): name for agent, name in (people or {}).items()}
        self.agents = {name: agent for agent, name in self.names.items()}
        if len(self.agents) < len(self.names):
            raise FormulaError(f"two people have the same name: {', '.join(sorted(self.names.values()))}")
        for name in self.agents:
            words = name.split() if isinstance(name, str) else []
            if not words or name != " ".join(words) or not re.fullmatch(r"[\w'.\- ]+", name):
                raise FormulaError(f"a person's name consists of words, got {name!r}")
            if clash := [word for word in words if word.lower() in first_words()]:
                raise FormulaError(f"the word {clash[0]!r} of {name!r} has a meaning of its own in sentences")

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, vocabulary: Vocabulary | None) -> People:
        """Return the names of a vocabulary in sentences."""
        return cls(None, vocabulary)

    def said(self, agent: str) -> str:
        """Return the name of an agent in sentences."""
        if agent in self.names:
            return self.names[agent]
        return f"{self.kind} {agent}" if agent.isdecimal() and agent.isascii() else self.named(agent)

    def named(self, name: str) -> str:
        """Return a name other than a person's, in quotation marks if necessary."""
        plain = re.fullmatch(WORD, name) and name.lower() not in first_words() and name not in self.agents
        return name if plain else in_quotes(name)

    def fact(self, atom: str, *, denied: bool) -> str:
        """Return the clause that states, or denies, an atom."""
        for words in self.words:
            if (parts := parts_in(words.atom, atom, self.about.agents)) is not None:
                named = {place: self.names.get(name, self.named(name)) for place, name in parts.items()}
                named |= {place: self.said(name) for place, name in parts.items() if place.startswith("who")}
                return (words.denied if denied else words.said).format(**named)
        return s.Atom.english[denied].format(name=self.named(atom))

    def group(self, agents: Sequence[str]) -> str:
        """Return the names of a group: `a, b and c`, `players 1 and 2`."""
        if len(agents) > 1 and all(agent.isdecimal() for agent in agents):
            return f"{self.kinds} {enumerated(agents)}"
        return enumerated(f"{self.kind} {agent}" if agent.isdecimal() else agent for agent in agents)


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
    f: FormulaLike, *, people: _Words = None, phrases: _Words = None, vocabulary: Vocabulary | None = None
) -> str:
    """Return a formula as an English sentence.

    `people` gives agents names of their own, `phrases` gives atoms words, with places for parts of a name, of
    which those that begin with `who` are for agents; a `vocabulary` has phrases, and what agents are called.

    >>> to_sentence("K_2 ~K_3 wolf_4")
    'Player 2 knows that player 3 does not know that player 4 is a wolf.'
    >>> to_sentence("C_{a,b} (p -> Kw_a q)", people={"a": "Ann", "b": "Bob Lee"})
    'It is common knowledge among Ann and Bob Lee that if p is true, then Ann knows whether q is true.'
    >>> to_sentence("[!p](P_a(q) >= 1/2)")
    'After the public announcement that p is true, the probability for a that q is true is at least 1/2.'
    >>> to_sentence("B_a ~B_b p & K_c p")
    'Both a believes that b does not believe that p is true, and c knows that p is true.'
    >>> to_sentence("B_a ~key_in_box", phrases={"{thing}_in_{place}": "the {thing} is in the {place}"})
    'a believes that the key is not in the box.'
    >>> to_sentence("K_b ~a_2", phrases={"{who}_{card}": "{who} holds card {card}"})
    'b knows that a does not hold card 2.'

    Raises `FormulaError` for an operator without words, and for names in `people` that could be confused with
    other words of the sentence.
    """
    names = People(people, vocabulary, phrases)
    out: list[str] = []
    stack: list[Formula | str] = [formula(f)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
        else:
            stack.extend(reversed(_pieces(piece, names)))
    text = "".join(out)
    # names stay as they are: `a` and `A` may be two agents
    first = re.match(rf"{WORD}(?=\s)", text)
    openings = {words.subject.split()[0] for words in names.words}.difference(names.about.agents)
    if first and first[0] in first_words() | openings | {names.kind}:
        text = text[0].upper() + text[1:]
    return f"{text}."


def _pieces(node: Formula, people: People) -> list[Formula | str]:
    match node:
        case s.Atom(name):
            return [people.fact(name, denied=False)]
        case s.Not(s.Atom(name)):
            return [people.fact(name, denied=True)]
        case s.Probability():
            return _summed(node, people)
    if isinstance(node, s.Not) and (denial := p.phrase_for(node.body, denied=True)):
        return _filled(denial, node.body, people)
    phrase = p.phrase_for(node, denied=False)
    if phrase is None:
        raise FormulaError(f"no sentence here says {node}: {type(node).__name__} declares no English for it")
    return _filled(phrase, node, people)


def _filled(phrase: p.Phrase, node: Formula, people: People) -> list[Formula | str]:
    """Return the words of a phrase with the values and clauses of a formula in its slots."""
    _, given = p.variant_of(node)
    values, parts = iter(given), list(node.children)
    out: list[Formula | str] = []
    for piece in phrase.pieces:
        match piece:
            case str():
                ending = "s" if given == [1] else ""
                words = piece.replace("(s)", ending)
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
    if isinstance(clause, s.Not):
        clause = clause.body
    return not isinstance(clause, s.Atom)


def _value(slot: p.Slot, value: Any, people: People) -> str:
    match slot:
        case p.Slot.AGENT | p.Slot.GROUP:
            return enumerated([people.said(agent) for agent in value])
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

_DEEP = 6  # operators that a clause spells out before it quotes the formula


def clause(
    f: Formula, value: bool = True, *, believers: Collection[str] = (), words: Vocabulary | None = None
) -> str:
    """Return a clause saying that a formula is true, or false, with signs for Boolean operators.

    `believers`: the agents whose K reads "believes", because they may be wrong; `words`: how atoms are said.

    >>> clause(s.Knows(2, "~wolf_4")), clause(s.Not(s.KnowsWhether("b", "p")), False)
    ('player 2 knows that player 4 is not a wolf', 'b knows whether p is true')
    >>> clause(s.Knows("a", s.Knows("b", "p")), False, believers={"b"})
    'a does not know that b believes that p is true'
    """
    head, people = "", People.of(words)
    for _ in range(_DEEP):
        match f:
            case s.Not(body):
                f, value = body, not value
                continue
            case s.Atom() | s.KnowsValue():
                return head + "".join(map(str, _pieces(f if value else ~f, people)))
            case s.Modal() if opening := _opening(f, value, believers):
                within = clause(f.within, words=words)
                head += opening.format(f.label and people.group(f.label)).replace("…", within) + " "
            case _:
                break
        f, value = f.body, True
    return f"{head}{quoted(f)} is {'true' if value else 'false'}"


def _opening(f: s.Modal, value: bool, believers: Collection[str]) -> str:
    """Return the words of a modal operator, or of its negation, before the body, if it has any."""
    wrong = not {*f.label}.isdisjoint(believers)
    english = s.Believes.english if wrong and isinstance(f, s.Knows) else f.english
    if english is None:
        return ""
    if type(f).plain is not None:
        denial = "" if value else "it is not the case that "
        return denial + english.says.removesuffix(" …")
    says, denies, believes, disbelieves, _ = english
    if believes and wrong:
        says, denies = believes, disbelieves
    words: str = says if value else denies
    return "" if "…" in words else words


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
    match update:
        case s.Announce(content, group, _):
            before, after = update.english.split("…")
            before = before.format(People.of(words).group(group or ("",)))
            return before + clause(content, words=words) + after
        case s.Act(name, event, _):
            return name if event is None else f"{name}: {event}"
        case s.Upgrade(content):
            return update.english.removesuffix("…") + clause(content, words=words)


def quoted(f: Formula) -> str:
    """Return a formula as a string, in parentheses if it is an infix operator."""
    return f"({f})" if isinstance(f, s.Infix) else str(f)


def names(group: Sequence[str]) -> str:
    """Return the names of a group: `a, b and c`, `players 1 and 2`."""
    return People.of(None).group(group)
