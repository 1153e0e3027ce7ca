"""Forms of answers: each reads an answer from a string, or reports an error in its format.

An answer in the wrong format raises `FormatError` with line and column; that is not the same as a wrong
answer. A form that is a list of given names has `options`, so that a sheet can show boxes to tick; the answer
is then those ticked, between commas, or `none`.
"""

from __future__ import annotations

import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Any, ClassVar, NoReturn

from kripke_werewolf.base.errors import FormatError, FormulaError, Undecided
from kripke_werewolf.base.grouping import all_after
from kripke_werewolf.base.reader import Part, begin, whole
from kripke_werewolf.logic.deciding import countermodel
from kripke_werewolf.logic.formulas.operators import Iff
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.formats import json as json_format
from kripke_werewolf.logic.written import read_formula
from kripke_werewolf.teach.exercises.own_files import data_text
from kripke_werewolf.teach.language import one_of_names

_TABLES = tomllib.loads(data_text("answers.toml"))
_ASIDE, MEANT, DRAWN, ROWS = (dict(_TABLES.pop(name)) for name in ("aside", "meant", "drawn", "rows"))
SAID: Mapping[str, str] = {name: re.sub(r"(?:\A|\n)\s*", "", text) for name, text in _TABLES.items()}
"""What students write, as patterns."""
_NOUN = {"xivity": "xive", "itivity": "itive", "iality": "ial", "etry": "etric", "nness": "n", "dian": "dean"}


def refuse(given: Part, message: str) -> NoReturn:
    """Raise `FormatError` at the beginning of an answer."""
    given.fail(message, begin(given.text))


def quiet(given: Part) -> Part:
    r"""Return an answer with blanks for a final full stop, and signs of LaTeX and Markdown, `$ \( \{ ** `."""
    return replace(given, text=re.sub(SAID["quiet"], lambda found: " " * len(found[0]), given.text))


def past(given: Part, start: str) -> Part:
    """Return an answer with blanks for its beginning, if this fits a pattern."""
    said = re.match(start, given.text.rstrip(), re.IGNORECASE)
    if said is None:
        return given
    return replace(given, text=re.sub(r"\S", " ", said[0]) + given.text[said.end() :])


def past_verdict(given: Part, verdict: str) -> Part:
    """Return an answer with blanks for a verdict before it, such as `not valid:`."""
    before = rf"{SAID['before-verdict']}(?:{verdict})(?!\w)"
    return past(given, rf"{before}(?:[\s.,:;–—-]|(?:{SAID['after-verdict']})(?!\w))*(?=\s*\S)")


class Form(ABC):
    """The form of an answer.

    `lines`: the approximate number of lines of an answer. `takes_model`: whether a
    model is an answer, written by `of_model`. `remark`: the pattern of remarks, which are left out.
    """

    lines: ClassVar[int] = 1
    takes_model: ClassVar[bool] = False
    remark: ClassVar[str] = SAID["remark"]

    @property
    @abstractmethod
    def words(self) -> str:
        """The form in words, such as "names of worlds"."""

    @property
    def options(self) -> tuple[str, ...]:
        """The names of which any number may be ticked; empty if the answer is free."""
        return ()

    @abstractmethod
    def parse(self, given: Part) -> Any:
        """Return the answer denoted by a string; `refuse` and `Part.fail` report errors."""

    def write(self, answer: Any) -> str:
        """Return an answer, as read, in the usual form, to show how it was read; empty to show nothing."""
        if self.options:
            return ", ".join(name for name in self.options if name in answer) or "none"
        return str(answer) if isinstance(answer, Formula) else ""

    def of_model(self, model: KripkeModel) -> str:
        """Return a model as an answer; raises `FormatError` if the form does not accept models."""
        raise FormatError(f"the answer is not a model; expected {self.words}")

    def to_dict(self) -> dict[str, Any]:
        """Return the form as plain data.

        A sheet uses it to say how an answer is read; the exercise cannot be recovered from it.

        >>> Names(("w1", "w2")).to_dict()
        {'form': 'Names', 'names': ('w1', 'w2'), 'noun': 'world'}
        """
        return {"form": type(self).__name__, **asdict(self)}  # type: ignore[call-overload]

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Form:
        """Return the form of which `to_dict` made these data."""
        kinds = {kind.__name__: kind for kind in all_after([Form], lambda kind: kind.__subclasses__())}
        made: Any = kinds[data["form"]]
        known = {field.name for field in fields(made)}
        given = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
        form: Form = made(**{name: value for name, value in given.items() if name in known})
        return form

    def read(self, text: str, source: str = "answer") -> Any:
        """Return the answer denoted by a string; raises `FormatError`, which calls it `source`.

        >>> sorted(Names(("w1", "w2")).read("w1 and w2."))
        ['w1', 'w2']
        """
        given = past(whole(text, source), SAID["first"])
        if given.text.startswith('{"'):  # JSON
            return self.parse(given)
        with suppress(FormatError):
            return self.parse(given)
        begun = SAID["first"] if self.lines > 1 else f"{SAID['said']}|{SAID['first']}"
        given = past(quiet(whole(text, source)), begun)
        blanks = re.sub(self.remark, lambda found: re.sub(r"[^\n]", " ", found[0]), given.text)
        answer = self.parse(past(replace(given, text=blanks), SAID["first"]))
        for remark in re.finditer(self.remark, given.text):
            said, other = remark[remark.lastindex or 0], answer
            if isinstance(answer, frozenset):
                said = re.sub(r"(?i)^(?:because|since|as)\s", "", said)
            with suppress(FormatError):
                other = self.read(said)
            changes = SAID["changes"] + (f"|{SAID['changes-drawing']}" if self.lines > 1 else "")
            if re.search(changes, said) or not _alike(answer, other):
                given.fail("this may change the answer: write one answer alone", remark.start())
        return answer

    def read_back(self, text: str) -> str:
        """Return how an answer is read, in words; raises `FormatError`."""
        return f"read as: {self.write(self.read(text)) or text.strip()}"


SMALL = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
DENIED = ("no", "n", "false", "✗", "✘", "f", "0", "⊭", "⊮")
"""Verdicts on a name that mean no, in lower case."""


def spelt(text: str, names: Collection[str]) -> str:
    """Return an answer with names in their own spelling: w1 for `W1`, `w_1`, `w_{1}` and `w₁`; places stay.

    So are pairs: `(w1, e)` for `w1e` and `⟨w1,e⟩`. Nothing changes if two names would then be the same.

    >>> spelt("W_1, w₁", ["w1"])
    'w1 , w1'
    """
    plain = {_bare(name): name for name in names}
    if not names or len(plain) < len(set(names)):
        return text
    blanks = re.sub(r"(\\ )+", r"\\s*", one_of_names(names))
    shapes = re.sub(r"(?<=[^\W\d_])_?(\d+)", r"[_ ]?(?:\\{\1\\}|\1)", blanks)
    pairs = re.sub(r"\\\((.*?),(.*?)\\\)", r"(?:[(⟨<]\\s*)?\1[\\s,;]{0,3}\2(?:\\s?[)⟩>])?", shapes)

    def exact(found: re.Match[str]) -> str:
        return plain.get(_bare(found[0]), found[0]).ljust(len(found[0]))

    return re.sub(rf"(?i)(?:(?<!\w)|(?=[(⟨]))(?:{pairs})(?!\w)", exact, text.translate(SMALL))


def _bare(name: str) -> str:
    return re.sub(r"[\s_{}(),;⟨⟩<>]", "", name).casefold()


@dataclass(frozen=True, slots=True)
class Names(Form):
    """Some of the given names, or none of them, as a set. `noun`: the things they name."""

    names: tuple[str, ...]
    noun: str = "world"

    @property
    def words(self) -> str:
        """The form in words."""
        plural = f"{self.noun}s".replace("ys", "ies")
        return f"names of {plural} between commas, or none"

    @property
    def options(self) -> tuple[str, ...]:
        """The names."""
        return self.names

    def parse(self, given: Part) -> frozenset[str]:
        """Return the names: listed, as ranges, as all or none, as all but some, or each with yes or no."""
        stems, short = {name.rstrip("0123456789") for name in self.names}, dict[str, str]()
        if len(stems) == 1 and (stem := stems.pop()):
            short = {name.removeprefix(stem): name for name in self.names}
        else:
            cut = [(name[:end], name) for name in self.names for end in range(3, len(name))]
            short = {start: name for start, name in cut if [one for one, _ in cut].count(start) == 1}
        one = rf"(?<!\w)(?:{one_of_names((*self.names, *short))})(?!\w)"
        words = (
            rf"(?i:(?<!\w)(?:(?P<all>{SAID['all']})|(?P<true>true|holds))(?!\w)|(?P<but>{SAID['but']})|"
            rf"(?P<none>(?<!\w)(?:{SAID['empty']}|{SAID['none']})(?!\w| else\b)|\{{\s*\}}))"
        )
        after = rf"(?i:{SAID['to']}(?P<last>(?-i:{one}))|{SAID['verdict']})?"
        between = rf"(?i:{SAID['between']})"
        name, other = rf"(?P<no>{SAID['not']})?(?P<name>{one}){after}", r"(?P<other>\([^()]*\)|[\w'*]+|.)"
        parts = rf"{name}|{words}|{between}|{other}"
        # numbers before the items of a list: of names, or each on a line of its own
        item = rf"[ \t]+(?=[^\w\s]*(?!\d){one}|\w+[ \t]*\n)|(?<=\n)[ \t]*\(?\d+[.)][ \t]+(?=\w+\s*\Z)"
        text = re.sub(rf"(?m)(?:^[ \t]*\(?|\()\d+[.)]{item}", lambda k: " " * len(k[0]), quiet(given).text)
        text = re.sub(rf"(?i){'|'.join(_NOUN)}", lambda noun: _NOUN[noun[0].lower()], text)
        groups, denied, base, doubtful = [set[str]()], set[str](), None, False
        text = re.sub(SAID["satisfies"], lambda said: " " * len(said[0]), text)
        if re.search(r"(?<!\S)\+\w", text):
            text = re.sub(r"(?<!\S)[-–−](?=\w)", "¬", text)
        for part in re.finditer(parts, spelt(text, self.names), re.MULTILINE):
            word, last = (short.get(part[key], part[key]) for key in ("name", "last"))
            if part["other"]:
                given.group(part, "other").known(self.names, self.noun)
            if last:
                groups[-1] |= self._between(given, part.start(), word, last)
            elif word:
                no = part["no"] or (part["said"] or part["word"] or "").casefold() in DENIED
                if doubtful and not part["no"] and "+" not in text:
                    given.fail("after a name with 'not', write 'not' before each", part.start())
                chosen = denied if no else groups[-1]
                doubtful |= bool(part["no"])
                chosen.add(word)
            elif part["but"] and (base is not None or groups[0]) and len(groups) == 1:
                groups.append(set())
            elif part["all"] or part["none"] or part["but"] or (part["true"] and groups[1:]):
                if base or (part["all"] and base is not None) or part["but"] or part["true"] or any(groups):
                    given.fail(f"expected {self.words}, all, or all but some", part.start())
                base = frozenset(self.names if part["all"] else ())
        found, *others = groups
        if both := sorted(groups[0] & denied):
            refuse(given, f"{both[0]} has both yes and no")
        unsaid = base is None and not (found or (denied and not doubtful))
        if unsaid or not all(others) or (base is not None and found):
            given.fail(f"expected {self.words}", len(given.text.rstrip()))
        if others and base == frozenset():
            return frozenset(others[0])
        return frozenset(found if base is None else base).difference(*others, denied)

    def _between(self, given: Part, at: int, first: str, last: str) -> set[str]:
        """Return the names from one to another, which differ in a number or are single letters."""
        stem, end = (name.rstrip("0123456789") for name in (first, last))
        low, high = self.names.index(first), self.names.index(last)
        if low > high or not (stem == end or len(stem) == len(end) == len(first) == len(last) == 1):
            given.fail(f"expected {self.words}: names from {first} to {last} are not in order", at)
        return set(self.names[low : high + 1])


@dataclass(frozen=True, slots=True)
class AFormula(Form):
    """A formula about some atoms and agents."""

    atoms: tuple[str, ...]
    agents: tuple[str, ...]
    words: ClassVar[str] = "a formula, in which ~ & | -> may be typed for ¬ ∧ ∨ →"

    def parse(self, given: Part) -> Formula:
        """Return the formula."""
        if re.match(r"\s*(?:[-–]\s|!\()|[^?]*\?\s*\Z", given.text):
            refuse(given, f"expected {self.words}, and no dash, ! or question mark around it")
        known, bare = one_world_model(self.atoms, self.agents), past(given, SAID["before-formula"])
        plain = spelt(bare.text, self.atoms)
        agents, atoms = one_of_names(self.agents), one_of_names(set(self.atoms).difference(self.agents))
        bracketed = {
            rf"\[({agents})\]": r"K_\1 ",
            rf"(?:[<⟨]|\\langle) ?({agents}) ?(?:[>⟩]|\\rangle)": r"M_\1 ",
            rf"([\[<⟨]|\\langle) ?({atoms}) ?([\]>⟩]|\\rangle)": r"\1!\2\3",
            rf"\b([A-Z]w?)({agents})(?=(?:{atoms})\b|\()": r"\1_\2 ",
        }
        for said, meant in {**_ASIDE, **bracketed}.items():
            plain = re.sub(said, meant, plain)
        for text in (given.text, plain):
            with suppress(FormatError):
                return read_formula(text, known, given.fail, agents=self.agents)
        return read_formula(bare.text, known, given.fail, agents=self.agents)


def compares(answer: Any) -> bool:
    """Return whether an answer says that formulas are equivalent, as a chain of steps does.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> compares(parse("M_a p <-> ~K_a ~p")), compares(parse("p <-> K_a p"))
    (True, False)
    """
    chain = [node for node in [answer] if isinstance(node, Iff) for node in node.subformulas()]
    with suppress(FormulaError, Undecided):
        return any(isinstance(f, Iff) and countermodel(f, limit=10_000) is None for f in chain)
    return False


def _alike(one: Any, other: Any) -> bool:
    """Return whether two answers are the same, or equivalent formulas."""
    if isinstance(one, Formula) and isinstance(other, Formula):
        return compares(Iff(one, other))
    return bool(one == other)


def formal(f: Formula) -> str:
    """Return a formula as in questions and options: between backticks, in textbook signs.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> formal(parse("~K_a p"))
    '`¬K_a p`'
    """
    return f"`{f.unicode()}`"


@lru_cache(256)
def one_world_model(atoms: Collection[str], agents: Collection[str]) -> KripkeModel:
    """Return a model of one world with the given atoms and agents, for reading formulas about them."""
    return KripkeModel.from_partitions(
        ["w"], {agent: [["w"]] for agent in sorted(agents)}, {atom: [] for atom in sorted(atoms)}
    )


def model_without_header(data: Any) -> KripkeModel:
    """Return the model described by plain data, whose header may be missing; raises `FormatError`."""
    if isinstance(data, Mapping):
        data = {"format": json_format.FORMAT, "version": json_format.VERSION, **data}
    return KripkeModel.from_dict(data)
