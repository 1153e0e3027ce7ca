"""The language of a course: the signs of its textbook, and the names of its axioms and rules.

Tasks are made and judged in the notation of this library. What students see is put into the words of the
course, and what they write, in these or in ours, is put back. `languages.toml` has those of five books.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from typing import Any

from kripke_werewolf.logic.formulas.operators import Knows, Possible
from kripke_werewolf.logic.formulas.syntax import Formula

_AT_END = r"(?=:?(?:[ \d,–.()-]|and)*(?: +show .*)?$)"


def one_of_names(names: Iterable[str]) -> str:
    """Return the pattern of some names, longer ones first; of no text if there are none.

    >>> one_of_names(["w", "w1"]), one_of_names([])
    ('w1|w', '(?!)')
    """
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)"


_SIGNS = {"<->": "↔", "->": "→", "&": "∧", "|": "∨", "^": "⊕"}


def in_signs(text: str) -> str:
    """Return a sentence with formulas in textbook signs; arrows of drawings and bars of rows are unchanged.

    >>> in_signs("(~p & q -> q) is true at w, and a: w->v is an arrow")
    '(¬p ∧ q → q) is true at w, and a: w->v is an arrow'
    >>> in_signs("hint: 4. | | p | q   KE 2")
    'hint: 4. | | p ∨ q   KE 2'
    """
    signs = r"(\d\. +(?:\| +)+)|(?<= )(<->|->|[&|^])(?= )"
    joined = re.sub(signs, lambda found: found[1] or _SIGNS[found[2]], text)
    for upgrade, sign in ((r"\^\^", "⇑"), (r"\^", "↑")):
        joined = re.sub(rf"(?<=[\[<]){upgrade}", sign, joined)
    return re.sub(r"~(?=[\w(~\[<])", "¬", joined)


@dataclass(frozen=True, slots=True)
class CourseLanguage:
    """The language of a course, by which what students see is written.

    `signs`: for our signs those of the course, where `_` is the place of the agent, such as `□_` for K.
    `rules`: for our axioms and rules their names in the course, of which the first is printed. `agents`: how
    agents are called, instead of a, b and c. `alone`: whether an operator of the only agent has no index.

    In a task: `agent` is the only one, if there is; `belief`: K is B, since agents may be wrong.
    """

    name: str = ""
    signs: tuple[tuple[str, str], ...] = ()
    rules: tuple[tuple[str, tuple[str, ...]], ...] = ()
    agents: tuple[str, ...] = ()
    alone: bool = False
    agent: str = ""
    belief: bool = False

    @classmethod
    def of(cls, name: str, table: Mapping[str, Any]) -> CourseLanguage:
        """Return the language in a table."""
        signs, rules, agents = (table.get(key, ()) for key in ("signs", "rules", "agents"))
        names = tuple((rule, tuple(said)) for rule, said in dict(rules).items())
        rest = {key: table[key] for key in ("alone", "agent", "belief") if key in table}
        return cls(name, tuple(dict(signs).items()), names, tuple(agents), **rest)

    def table(self) -> dict[str, Any]:
        """Return the table of the language."""
        found = asdict(self) | {"name": "", "signs": dict(self.signs), "rules": dict(self.rules)}
        return {key: value for key, value in found.items() if value}

    def about(self, agents: Collection[str], *, belief: bool = False) -> CourseLanguage:
        """Return the language of a task about these agents; `belief`: whether they may be wrong."""
        agent = "".join(agents) if self.alone and len(agents) == 1 else ""
        if not belief:
            return replace(self, agent=agent)
        signs = (("K", "B_"), ("Kw", "Bw_"), *((our, said.replace("K", "B")) for our, said in self.signs))
        return replace(self, signs=signs, agent=agent, belief=True)

    def formula(self, f: Formula) -> Formula:
        """Return a formula about the agents of the course, without M if it is written with K there.

        >>> from kripke_werewolf.logic.formulas import parse
        >>> print(LANGUAGES["Fagin et al."].formula(parse("M_b p")))
        ~K_2 ~p
        """
        called = dict(zip("abcdefgh", self.agents, strict=False))
        f = f.rename(agents=lambda agent: called.get(agent, agent))
        if "K" not in dict(self.signs).get("M", "")[1:]:
            return f
        return f.rewrite(lambda g: ~Knows(g.agent, ~g.body) if isinstance(g, Possible) else g)

    def shown(self, text: str) -> str:
        """Return a string of ours in the words of the course.

        >>> print(LANGUAGES["Chellas"].about("a").shown("2. K_a (p -> p)   Nec 1"))
        2. □(p → p)   RN 1
        >>> print(LANGUAGES["Fagin et al."].shown("the line `K_1 p -> M_2 q` is right by Taut"))
        the line `K_1 p ⇒ ¬K_2 ¬q` is right by A1
        """
        if not self.signs and not self.rules:
            return text
        signs, text = dict(self.signs), in_signs(text)
        rules = {our: said[0] for our, said in self.rules}
        for knows, believes in _BELIEVES.items() if self.belief else ():
            text = text.replace(knows, believes)
        name = rf"({one_of_names(rules)})(?![^\s:`',.;)])"
        cited = rf"(?<=  ){name}{_AT_END}|(?<=\bby ){name}|(?<=\bfit ){name}|(?<=instance of ){name}"
        cited += rf"|(?<=[`']){name}(?=[`' ])|\b{name}(?= (?:gives|needs|cites|concludes|is not among)\b)"
        text = re.sub(cited, lambda found: rules[found[0]], text, flags=re.MULTILINE)
        modal = one_of_names(our for our in signs if our.isalpha())
        modal = rf"(?<![\w\\])({modal})_(\{{[^{{}}]*\}}|\w+)( (?![a-z]{{2}}))?"
        text = re.sub(modal, lambda found: self._operator(signs[found[1]], found[2], found[3] or ""), text)
        for our in signs:
            text = text if our.isalpha() else text.replace(our, signs[our])
        return text

    def _operator(self, sign: str, agent: str, blank: str) -> str:
        if agent == self.agent:
            return re.sub(r"(?<!\w) $", "", sign.replace("_", "") + blank)
        if sign.endswith("_"):
            return f"{sign}{agent}{blank}"
        return sign.replace("_", f"_{agent} ")

    def read(self, text: str) -> str:
        """Return in our notation what a student writes in that of the course, or already in ours.

        >>> print(LANGUAGES["Chellas"].read("2. □(p → p)   RN 1"))
        2. □(p → p)   Nec 1
        >>> print(LANGUAGES["van Ditmarsch et al."].read("[p]K̂_a q -> p  by announcement and negation"))
        [!p]M_a q -> p  by !B
        """
        if text.lstrip().startswith("{"):  # JSON
            return text
        ours = {said: our for our, names in self.rules for said in names}
        rule = rf"(?<=[\s:])({one_of_names(ours)}){_AT_END}"
        text = re.sub(rule, lambda found: ours[found[1]], text, flags=re.MULTILINE)
        for our, said in self.signs:
            if said.endswith("_"):
                text = re.sub(rf"(?<!\w){said}", f"{our}_", text)
                if self.agent:
                    text = re.sub(rf"(?<!\w){said[:-1]}(?:(?<!\w)|\b)(?!_) ?", f"{our}_{self.agent} ", text)
            elif our.endswith("!"):
                text = re.sub(rf"{re.escape(said)}(?![!?^\]])", our, text)
        return text


OURS = CourseLanguage()
"""The language of this library."""

_BOOKS = tomllib.loads(files(__package__).joinpath("languages.toml").read_text("utf-8"))
_BELIEVES: Mapping[str, str] = _BOOKS.pop("believes")
LANGUAGES = {name: CourseLanguage.of(name, table) for name, table in _BOOKS.items()}
"""The languages of five books, by name."""
