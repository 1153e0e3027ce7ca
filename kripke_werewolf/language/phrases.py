"""The words of the sentences that stand for formulas, and how agents and atoms are called in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from kripke_werewolf.errors import FormulaError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, agent_name

__all__ = ["ATOMS_OF_ROLES", "KNOWLEDGE", "PHRASES", "RESERVED", "VERBS", "WORD", "People", "quoted"]

_GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"),
    *("nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
)
# what the atom `wolf_4` says of player 4
_ROLES = {"wolf": "a wolf", "seer": "a seer", "villager": "a villager", "dominant": "the dominant wolf"}
_ROLES |= {word: word for word in ("good", "evil", "dead")}
_ROLES |= {letter: f"the {letter} wolf" for letter in _GREEK}
ATOMS_OF_ROLES = {words: stem for stem, words in _ROLES.items()}

# the words of modal operators, and whether they deny
VERBS: dict[str, tuple[type[Formula], bool]] = {
    "knows that": (s.Knows, False),
    "knows whether": (s.KnowsWhether, False),
    "considers it possible that": (s.Possible, False),
    "does not know that": (s.Knows, True),
    "does not know whether": (s.KnowsWhether, True),
    "does not consider it possible that": (s.Possible, True),
}
KNOWLEDGE: dict[tuple[str, str], tuple[type[Formula], bool]] = {
    ("it is common knowledge among", "that"): (s.Common, False),
    ("it is common knowledge among", "whether"): (s.CommonWhether, False),
    ("it is not common knowledge among", "that"): (s.Common, True),
    ("it is not common knowledge among", "whether"): (s.CommonWhether, True),
    ("it is distributed knowledge among", "that"): (s.Distributed, False),
    ("it is distributed knowledge among", "whether"): (s.DistributedWhether, False),
    ("it is not distributed knowledge among", "that"): (s.Distributed, True),
    ("it is not distributed knowledge among", "whether"): (s.DistributedWhether, True),
}

# the terminals of the grammar
PHRASES = {
    "it is not the case that": "_IT_IS_NOT_SO",
    "it is the case that": "_IT_IS_SO",
    "exactly when": "_EXACTLY_WHEN",
    "both": "_BOTH",
    "all of": "_ALL_OF",
    "and": "_AND",
    "either": "_EITHER",
    "at least one of": "_ANY_OF",
    "or": "_OR",
    "if": "_IF",
    "then": "_THEN",
    **dict.fromkeys(VERBS, "VERB"),
    "knows that": "KNOWS_THAT",
    "everyone among": "EVERYONE",
    "not everyone among": "EVERYONE",
    **dict.fromkeys((words for words, _ in KNOWLEDGE), "KNOWLEDGE"),
    "that": "THAT",
    "whether": "WHETHER",
    "is true": "_IS_TRUE",
    "is false": "_IS_FALSE",
    "truth holds": "TRUTH",
    "falsehood holds": "FALSEHOOD",
}
# a phrase is known by its first word, which is therefore no name, unless quoted
RESERVED = frozenset({"is", "player", *(words.split()[0] for words in PHRASES)})
WORD = r"\w[\w']*"


class People:
    """How agents and atoms are called in sentences."""

    def __init__(self, people: Mapping[Any, str] | None) -> None:
        self.names = {agent_name(agent): name for agent, name in (people or {}).items()}
        self.agents = {name: agent for agent, name in self.names.items()}
        if len(self.agents) < len(self.names):
            raise FormulaError(f"two people have the same name: {', '.join(sorted(self.names.values()))}")
        for name in self.agents:
            words = name.split() if isinstance(name, str) else []
            if not words or name != " ".join(words) or not re.fullmatch(r"[\w'.\- ]+", name):
                raise FormulaError(f"a person's name consists of words, got {name!r}")
            if clash := [word for word in words if word.lower() in RESERVED]:
                raise FormulaError(f"the word {clash[0]!r} of {name!r} has a meaning of its own in sentences")

    def said(self, agent: str) -> str:
        """Return what an agent is called."""
        if agent in self.names:
            return self.names[agent]
        if agent.isdecimal() and agent.isascii():
            return f"player {agent}"
        return quoted(agent) if agent in self.agents else _word(agent)

    def all_said(self, group: tuple[str, ...]) -> str:
        """Return what the agents of a group are called: `a, b and c`."""
        *others, last = map(self.said, group)
        return f"{', '.join(others)} and {last}" if others else last

    def fact(self, atom: str, *, denied: bool) -> str:
        """Return the clause that says, or denies, an atom."""
        stem, _, agent = atom.partition("_")
        if stem in _ROLES and agent:
            return f"{self.said(agent)} is {'not ' if denied else ''}{_ROLES[stem]}"
        return f"{quoted(atom) if atom in self.agents else _word(atom)} is {'false' if denied else 'true'}"


def _word(name: str) -> str:
    return name if re.fullmatch(WORD, name) and name.lower() not in RESERVED else quoted(name)


def quoted(name: str) -> str:
    """Return a name in quotation marks, as in JSON."""
    return json.dumps(name, ensure_ascii=False)
