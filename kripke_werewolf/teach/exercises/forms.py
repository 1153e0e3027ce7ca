"""Forms of answers: each reads an answer from a string, or reports an error in its format.

An answer in the wrong format raises `FormatError` with line and column; that is not the same as a wrong
answer. A form that is a list of given names has `options`, so that a sheet can show boxes to tick; the answer
is then those ticked, between commas, or `none`.
"""

from __future__ import annotations

import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar, NoReturn

from kripke_werewolf.base.errors import FormatError, FormulaError, Undecided
from kripke_werewolf.base.grouping import all_after
from kripke_werewolf.base.reader import Part, begin, whole
from kripke_werewolf.logic.deciding import countermodel
from kripke_werewolf.logic.formulas.operators import Iff
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.formats import json as json_format
from kripke_werewolf.logic.proofs import RULES
from kripke_werewolf.logic.written import read_formula
from kripke_werewolf.teach.exercises.own_files import data_text
from kripke_werewolf.teach.language import one_of_names

_SAID = tomllib.loads(data_text("words.toml"))
WAYS: Mapping[str, Mapping[str, str]] = _SAID["forms"]
"""The forms of lists of names and of drawings, and what they mean."""
_WORDS = {kind: said.split() for kind, said in _SAID["words"].items()}
_KINDS: Mapping[str, str] = {word.replace("_", " "): kind for kind, some in _WORDS.items() for word in some}
_PHRASES = one_of_names(word for word in _KINDS if " " in word)
_LETTERS = {"all": "a", "none": "z", "but": "b", "not": "d", "yes": "y", "no": "x", "to": "t", "rest": "r"}
_LETTERS["silent"] = "s"
AXIOMS = {rule.name: rule.frame for rule in RULES.values() if rule.frame and len(rule.name) == 1}
AXIOMS["B"] = "symmetric"  # a derived rule
"""The properties of relations that axioms say."""
_COUNTS = r"(?i)(?<=[lre] )(?:one|two|three|four|five)\b|\b(?:one|two|three) (?=(?:such|worlds?|states?)\b)"
_WORKING = r"(?is)\A.*\b(?:answer|hence|therefore|so(?= the formula\b))\b(?: is| are)?[\s:=,]*"
_MARKS = re.compile(
    r"\$|`|\*\*|\\(?:text|math)\w+|\\(?=[{}()\[\]])|\\(?:[,;!]|q?quad\b|left\b|right\b)|\\(?:begin|end)\{[^{}]*\}|"
    r"(?m:^[ \t]*[-*•][ \t])|\A\s*\"|[„“”«»]|\A\|.*\n(?=[|:\s-]+\n)|(?m:^\|[|:\s-]+\|$)"
)
_REMARK = re.compile(
    r"\s(?:#|//|%|←|[—–-]+\s(?=[a-z']+ [a-z])|(?:because|since|as|where|which)\b)[^\n]*|"
    r"[(\[][^()\n\\]*[a-z']{2} [a-z][^()\n\\]*[)\]]"
)


def refuse(given: Part, message: str) -> NoReturn:
    """Raise `FormatError` at the beginning of an answer."""
    given.fail(message, begin(given.text))


def blanked(given: Part, pattern: str | re.Pattern[str]) -> Part:
    """Return an answer with blanks for what a pattern matches; the places of the rest stay."""
    return replace(given, text=re.sub(pattern, lambda found: re.sub(r"\S", " ", found[0]), given.text))


def quiet(given: Part) -> Part:
    """Return an answer without signs of LaTeX and Markdown, quotes around it, and numbers of its lines."""
    lines = given.text.strip().splitlines()
    listed = len(lines) > 1 or re.search(r"[^\W\d]", given.text)
    if listed and all(re.match(rf"\s*\(?{n}[.)]\s", line) for n, line in enumerate(lines, 1)):
        given = blanked(given, r"(?m)^[ \t]*\(?\d+[.)]\s")
    return blanked(replace(given, text=given.text.rstrip(' \n\t.”"')), _MARKS)


def opened(given: Part, *verdicts: str) -> tuple[set[str], Part]:
    """Return those of some verdicts that stand before an answer, in lower case, and the rest of it.

    >>> found, rest = opened(whole("Yes, it is valid: by T", "answer"), "yes", "valid")
    >>> sorted(found), rest.text.strip()
    (['valid', 'yes'], 'T')
    """
    lead = (word.replace("_", " ") for word in _WORDS["lead"])
    one = rf"(?i)(?:\s|⊨|\\models\b)*({one_of_names((*verdicts, *lead))})(?![\w'])[\s:=.,;()–—-]*"
    found, end = set(), 0
    while said := re.compile(one).match(given.text, end):
        found.add(said[1].lower())
        end = said.end()
    return found & set(verdicts), replace(given, text=" " * end + given.text[end:])


def _without_head(given: Part) -> Part:
    """Return an answer without words before it and its name, as in `So the answer is S = {w1}`."""
    sides = r"\\?\w{1,6}|[\[⟦‖|{].*?[\]⟧‖|}]|\\(?:\||l\w+).*?\\(?:\||r\w+)"
    name = rf"\A\s*(?:(?:{sides})(?:\s*[_^][\s{{]*\w*[\s}}]*)?\s*:?=(?!.*=)|[a-z]\s*(?:∈|\\in\b))"
    return blanked(opened(blanked(quiet(given), _WORKING))[1], name)


def _without_remarks(given: Part) -> Part:
    """Return an answer without remarks; refuse one that may change it."""
    for remark in _REMARK.finditer(given.text):
        words = re.findall(r"[\w']+|\?", remark[0].lower())
        kinds = [_KINDS.get(word) for word in words]
        if "doubt" in kinds or kinds[:1] in (["but"], ["not"], ["no"]) or words[:1] in (["and"], ["plus"]):
            given.fail("this may change the answer: write one answer alone", remark.start())
    return blanked(given, _REMARK)


def spoken(
    given: Part, names: Collection[str], noun: str, short: Collection[str] = ()
) -> Iterator[tuple[str, Part]]:
    """Yield the names in an answer, and its other words, with a letter for their kind; fail at unknown ones.

    The letter of names is n. Words before an answer and within a list are left out. `short`: other forms of
    names.

    >>> "".join(letter for letter, _ in spoken(whole("So it is all but w1", "answer"), ["w1"], "world"))
    'sabn'
    """
    every = (*names, *short)
    name = rf"(?P<name>(?<!\w)(?:{one_of_names(every)})(?!\w))"
    signs = rf"(?P<word>(?i:{_PHRASES})(?!\w)|\\[a-z]+|\.\.+|-+|\{{\s*\}}|\[[ xX]\]|[\w']+|\S)"
    begun = False
    for kind, part in replace(given, text=spelt(given.text, every)).tokens(re.compile(f"{name}|{signs}")):
        if kind == "word":
            word = re.sub(r"\s+", "" if part.text[0] == "{" else " ", part.text)
            kind = _KINDS.get(word) or _KINDS.get(word.lower(), "")
        if kind in ("", "doubt") or (kind == "lead" and begun):
            part.known(names, noun)
        if kind not in ("lead", "join"):
            begun = begun or kind != "silent"
            yield _LETTERS.get(kind, "n"), part


_SHORTER = {"bs+$|t(?=[bdxy])|b(?=[xy][nr])": "", "dy": "x", "s+": "s", "^zb(?=n)": "", "^at(?=n)": "ab"}
"""What shapes of lists are short for: `not true` is false."""


class Form(ABC):
    """The form of an answer.

    `lines`: the approximate number of lines of an answer. `takes_model`: whether a model is an answer,
    written by `of_model`.
    """

    lines: ClassVar[int] = 1
    takes_model: ClassVar[bool] = False
    _tidied: ClassVar[tuple[Callable[[Part], Part], ...]] = (_without_head, _without_remarks)

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
        given = {field.name: data[field.name] for field in fields(made) if field.name in data}
        form: Form = made(**{name: tuple(v) if isinstance(v, list) else v for name, v in given.items()})
        return form

    def read(self, text: str, source: str = "answer") -> Any:
        """Return the answer denoted by a string; raises `FormatError`, which calls it `source`.

        >>> sorted(Names(("w1", "w2")).read("w1 and w2."))
        ['w1', 'w2']
        """
        given = whole(text, source)
        for tidied in self._tidied:
            with suppress(FormatError):
                return self.parse(given)
            given = tidied(given)
        return self.parse(given)

    def read_back(self, text: str) -> str:
        """Return how an answer is read, in words; raises `FormatError`."""
        return f"read as: {self.write(self.read(text)) or text.strip()}"


SMALL = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


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
        shape, groups = self._shape(blanked(quiet(given), _COUNTS))
        if re.search(r"(?i)(?<!do )(?<!es )(?<!is )(?<!re )\bnot\s*(?:[;.,:]|\Z)", given.text):
            refuse(given, f"expected {self.words}: write 'not' before a name")
        if re.fullmatch("y?z+|xa", shape):
            return frozenset()
        everything = frozenset(self.names)
        rest = everything.difference(*groups)
        groups = [everything] * shape.count("a") + [group or rest for group in groups]
        verdicts = "y" + "x" * (len(groups) - 1)
        if re.fullmatch("(y(?=ny))?([nr][yx])+", shape):
            verdicts = shape[-2 * len(groups) + 1 :: 2]
        elif re.fullmatch("([yx][nr])+", shape):
            verdicts = shape[::2]
        elif not re.fullmatch("y?[na]((b[dx]?|[dx])[nr])*(rx)?", shape):
            self._refuse(given, shape)
        said = [*zip(groups, verdicts, strict=True)]
        yes, no = (frozenset().union(*(group for group, one in said if one == sign)) for sign in "yx")
        several = any(len(group) > 1 for group, one in said if one == "x")
        if not re.search("[ab]", shape):
            if both := sorted(yes & no):
                refuse(given, f"{both[0]} has both yes and no")
            if (several or not yes) and yes | no != everything:
                self._refuse(given, shape)
        return yes - no

    def _refuse(self, given: Part, shape: str) -> NoReturn:
        """Refuse an answer of a shape with the form that is most like it."""
        called = dict(zip(("w1", "w2", "w3"), self.names * 3, strict=False))
        ways = [re.sub(r"w\d", lambda name: called[name[0]], way) for way in WAYS["names"]]
        said = {way: dict(spoken(whole(way, "form"), self.names, self.noun)).keys() for way in ways}
        likest = max(ways, key=lambda way: len(said[way] & set(shape)))
        refuse(given, f"expected {self.words}, such as '{likest}'")

    def _shape(self, given: Part) -> tuple[str, list[frozenset[str]]]:
        """Return the kinds of words in an answer, each a letter, and the names; those in a row are together.

        For the rest of the names the letter is r, and the set is empty.
        """
        short = self._short(given.text)
        shape, groups, last = "", list[frozenset[str]](), ""
        for letter, part in spoken(given, self.names, self.noun, short):
            name = short.get(part.text, part.text)
            if letter == "n" and shape.endswith("nt"):
                shape = shape[:-1]
                groups[-1] |= self._between(part, last, name)
            elif letter == "n" and shape.endswith("n"):
                groups[-1] |= {name}
            else:
                shape += letter
                groups += {"n": [frozenset({name})], "r": [frozenset[str]()]}.get(letter, [])
            last = name if letter == "n" else last
        for said, meant in _SHORTER.items():
            shape = re.sub(said, meant, shape)
        if "nsn" in shape:  # names in a clause of their own have yes
            shape = re.sub("n(?=s|$)", "ny", shape)
        return shape.replace("s", ""), groups

    def _short(self, text: str) -> dict[str, str]:
        """Return short forms: numbers for worlds, first letters and nouns for properties."""
        if self.noun == "property":
            cut = [(name[:end], name) for name in self.names for end in range(3, len(name))]
            if re.search(r"\b[DB45]\b", text) and not re.search(r"\bF\b", text):
                cut += [(axiom, name) for axiom, name in AXIOMS.items() if name in self.names]
            ends = product(self.names, (0, 1, 2), ("ity", "y", "ness"))
            return dict([*cut, *((name[: len(name) - n] + end, name) for name, n, end in ends)])
        stem, *others = {name.rstrip("0123456789") for name in self.names}
        text = re.sub(r"(?<=\d)[\s})]*(?:,|and|&)\s*\d+(?!\w|\s[a-z]{3})", " ", text.translate(SMALL))
        named = re.search(rf"(?i)\b{stem}[_ {{]*\d", text)
        if others or not stem or (named and re.search(r"(?<![\w{])\d", text)):
            return {}
        return {name.removeprefix(stem): name for name in self.names}

    def _between(self, given: Part, first: str, last: str) -> frozenset[str]:
        """Return the names from one to another, which differ in a number or are single letters."""
        stem, end = (name.rstrip("0123456789") for name in (first, last))
        low, high = self.names.index(first), self.names.index(last)
        if low > high or not (stem == end or len(stem) == len(end) == len(first) == len(last) == 1):
            given.fail(f"expected {self.words}: names from {first} to {last} are not in order")
        return frozenset(self.names[low : high + 1])


_LONGEST = 600  # characters of a formula; other strings take long to be refused
_WHERE_TRUE = r"\s(?:is true|holds|is satisfied) (?:at|in)\b"


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
        if len(given.text) > _LONGEST:
            refuse(given, f"expected a formula of at most {_LONGEST} characters")
        known = one_world_model(self.atoms, self.agents)
        with suppress(FormatError):
            return read_formula(given.text, known, given.fail, agents=self.agents)
        told = spelt(re.split(_WHERE_TRUE, given.text)[0], self.atoms)
        for written, meant in self._short().items():
            told = re.sub(written, meant, told)
        return read_formula(told, known, given.fail, agents=self.agents)

    def _short(self) -> dict[str, str]:
        """Return other notations that are read: `[!φ]` alone, `[a]` and `⟨a⟩` of agents, `KaKbp`."""
        agents, atoms = one_of_names(self.agents), one_of_names(set(self.atoms).difference(self.agents))
        return {
            r"\A\s*\[[!⇑↑]([^\[\]]*)\]\s*\Z": r"\1",
            rf"\bK-hat_?\{{?({agents})\}}?": r"M_\1 ",
            rf"\[({agents})\]": r"K_\1 ",
            rf"(?:[<⟨]|\\langle) ?({agents}) ?(?:[>⟩]|\\rangle)": r"M_\1 ",
            rf"\b([A-Z]w?)_?({agents})(?=(?:{atoms})\b|[A-Z(¬~])": r"\1_\2 ",
        }


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
