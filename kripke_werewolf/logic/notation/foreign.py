r"""Formulas in the notation of textbooks and of other programs, and LaTeX as people write it.

`understand` tries this where a string is not a formula of our own notation, so that none of ours changes its
meaning. Signs and words come from the declarations of the operators (`Spelling.foreign`). The
further forms:

* indices: `K a p`, `Ka p`, `Kab p`, `K[a] p`, `K{a} p`, `K_[a] p`, `C_a,b p`; powers: `K_a^2 p`, `E^3 p`;
* functions: `K(a, p)`, `C({a, b}, p)`, `Box_a('a', Atom('p'))`, `And(p, q)`, `AND{p, q}`, `Pr(a, p) >= 1/2`;
* words: `if p then q`, `p if q`, `a believes p`, `(a, b) comknow that p`, `VALID? p`;
* updates: `[p & q]r`, `[p!]q`, `[p := true]q`; brackets `[p & q]` and `{p & q}` that no formula follows;
* LaTeX: fonts, sizes, spaces, fractions, `\{`, `$`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any
from unicodedata import normalize

from kripke_werewolf.base.provided import provided
from kripke_werewolf.base.reader import QUOTED
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import LETTERS, QUANTIFIED, atom_text, read_name
from kripke_werewolf.logic.formulas.syntax import Formula, group_of, read_off
from kripke_werewolf.logic.notation.parser import (
    INDEX,
    Bare,
    Open,
    Parsing,
    SignTable,
    TokenPattern,
    sign_pattern,
    unspaced,
)

_MOST = 30  # the highest power of an operator, and the most agents between commas
_GUESSED = frozenset(("L", "v", "=", "==", "<-"))
_CLOSING = {"(": ")", "[": "]", "{": "}"}


# --- LaTeX and other characters ------------------------------------------------------------------

_SUBSCRIPT = r"[\u2080-\u2089\u2090-\u209c\u1d62-\u1d6a\u2c7c]+"
_PLAIN: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"[\u200b-\u200d\ufeff$]|\\[!]|\\(?:displaystyle|limits|nolimits)\b", ""),
    (r"\\(?:[bB]igg?[lrm]?|left|right|middle)(?![a-zA-Z])\.?", ""),
    (r"(?<!/)\\(?:[,;: ~]|q?quad\b|(?:thin|med|thick|en)space\b)|&nbsp;", " "),
    (r"[\uff01-\uff5e]", lambda found: normalize("NFKC", found[0])),
    (r"[−–—](?=>)|−", "-"),
    (r"[“”„«»]", '"'),
    (rf"(?<=[\w\]>□◇◻]){_SUBSCRIPT}", lambda found: f"_{normalize('NFKC', found[0])} "),
    (r"[²³]", lambda found: "^" + normalize("NFKC", found[0])),
    # names between single quotes, and the atoms of other programs
    (
        r"(?:\bAtom|\bPrpF)\s*\(\s*(?:'([^'\"\\]+)'|\"([^\"\\]+)\"|(\w+))\s*\)|(?<![^\W_])(?<!')[‘']([^'’\"\\]+)['’]",
        lambda found: json.dumps(next(filter(None, found.groups())), ensure_ascii=False),
    ),
    # fonts: of an index, of a word or sign, of a name
    (r"_\s*(\\(?:text|math|operatorname)[a-z]*\s*\{[^{}]*\})", r"_{\1}"),
    (
        r"\\(?:math|text|boldsymbol|bm|operatorname)[a-z]*\*?\s*\{\s*(\\?[A-Za-z]+(?: [A-Za-z]+)*)\s*\}",
        lambda found: _without_font(found[0], found[1]),
    ),
    (r"\\(?:wide)?hat\s*\{?\s*\\?(?:math[a-z]+|text[a-z]*)?\s*\{?\s*([KECD])\s*\}*", r"\\hat{\1}"),
    (r"_\s*\{\s*\\\{([^{}]*)\\\}\s*\}", r"_{\1}"),
    (r"\\([{}])", r"\1"),
    (r"\\[tdc]?frac\s*\{?\s*(\d+)\s*\}?\s*\{?\s*(\d+)\s*\}?", r"\1/\2"),
    (
        r"(?<!\d)(\d+)(?:\.(\d+))?\s*\\?%",
        lambda found: f"{found[1]}{found[2] or ''}/1{'0' * (2 + len(found[2] or ''))}",
    ),
    (r"!\s+(?=[\]>⟩])", "!"),
    (r",\s*then\b", " then"),
    (r"\s+", " "),
    (rf"\b(P|Pr|Prob)\s*\(\s*({QUOTED}|\w+)\s*,", r"\1_{\2}("),
    (r"\b(C[mw]?)\s*\^\s*(\{\s*\D[^{}]*\}|[^\W\d])\s*_\s*(\{[^{}]*\}|\w)", r"\1_\3^{\2}"),
    (r"\b(C[mw]?\s*_\s*(?:\{[^{}]*\}|\w))\s*\^\s*([^\W\d])(?!\w)", r"\1^{\2}"),
)
"""What is replaced before a formula is read, except between double quotes."""
_REPLACED = [(re.compile(rf"{QUOTED}|{before}"), after) for before, after in _PLAIN]
_WHOLE = re.compile(r"\s*(?:(VALID\?|⊨|\|=|\\models\b|\\vDash\b)|WHERE\?)")


def _without_font(written: str, word: str) -> str:
    """Return a word or sign of the language without its font; a name keeps a font that can be read."""
    signs = _notation()
    known = {*signs.infix, *signs.prefix, *signs.constants, *signs.letters, *signs.ends, "if"}
    if word in known:
        return f"{word} " if word.startswith("\\") or len(word) > 2 else word
    return written if re.match(r"\\(?:text|mathit|mathrm|mathsf)\{", written) else rf"\mathit{{{word}}}"


def _plain(text: str) -> str:
    """Return a string without fonts, sizes and spaces of LaTeX, and with plain quotes and indices."""
    for either, after in _REPLACED:

        def replaced(found: re.Match[str], after: str | Callable[[re.Match[str]], str] = after) -> str:
            if found[0].startswith('"'):
                return found[0]
            return found.expand(after) if isinstance(after, str) else after(found)

        text = either.sub(replaced, text)
    return text.rstrip(" \n\t.;,?\\")


# --- the signs -------------------------------------------------------------------------------------


class _If:
    """The converse of an implication: `p if q`."""

    binding, groups = s.Binding.IMPLIES, "left"

    @staticmethod
    def _make(_label: object, parts: tuple[Formula, ...]) -> Formula:
        return s.Implies(parts[1], parts[0])


class _Signs(SignTable):
    """Our signs, those of others, and the beginnings of the further forms."""

    further_ends = {"!]": "]", "!>": ">", "!⟩": ">", "then": "then"}  # noqa: RUF012 - a class variable
    further_infix = dict.fromkeys(("if", "<-", "<--", "←", "⇐", "⟸", r"\leftarrow", r"\Leftarrow"), _If)

    def __init__(self, operators: tuple[type[Formula], ...]) -> None:
        super().__init__(operators, foreign=True)
        self.functions: dict[str, Any] = {
            sign: kind for sign, kind in self.infix.items() if sign.isalpha() and len(sign) > 1
        }
        self.functions["Box_star"] = s.box_of(s.Scope.EACH)
        modal = [k for k in operators if issubclass(k, s.OfAgent | s.OfGroup)]
        spelt = {sign: k for k in modal for sign in k.spelling.foreign}
        self.calls = {**self.words, **{sign: k for sign, k in spelt.items() if "_" in sign}}
        self.verbs = _verbs(modal) | {sign: (k, False) for sign, k in spelt.items() if " " in sign}
        name = rf"(?:{QUOTED}|{self.plain}|\d+)"
        several = rf"{name}(?:\s*,\s*{name}){{0,{_MOST}}}"
        boxed = rf"[(\[{{]\s*(?:{several})\s*[)\]}}]"
        power = r"\s*\^\s*(?:\{\s*\d+\s*\}|\d+)"
        signs = sign_pattern(self.words | self.symbols)
        letters = "|".join(sorted(self.words, key=len, reverse=True))
        self.names = re.compile(name)
        self.modal = TokenPattern(
            rf"(?:(?P<letter>(?:{letters}))|(?P<symbol>{signs}))(?P<power>{power})?"
            rf"(?:_\s*(?P<index>{INDEX})(?P<more>(?:\s*,\s*{name})+)?|\s*_?\s*(?P<boxed>{boxed})"
            rf"|(?P<glued>[a-z]{{1,5}}|\d{{1,5}})\b|\s+(?P<apart>{name}))?(?P<again>{power})?"
        )
        self.call = TokenPattern(
            rf"(?:(?P<function>{sign_pattern(self.functions)})\s*(?P<open>[(\[{{])"
            rf"|(?P<modal>{sign_pattern(self.calls)})\s*(?P<opened>[(\[{{])\s*(?P<of>{boxed}\s*,|(?:{name}\s*,\s*)+))"
        )
        self.subject = TokenPattern(
            rf"(?P<subject>\(\s*{several}\s*\)|{several})\s+(?P<verb>{sign_pattern(self.verbs)})"
        )
        reach = {sign: k for sign, k in self.letters.items() if issubclass(k, s.OfReach)}
        self.pair = TokenPattern(rf"(?P<pair>{sign_pattern(reach, indexed=True)})\s*\(")
        self.predicate = TokenPattern(rf"(?P<stem>[a-z]+)\(\s*(?P<of>{name})\s*\)")
        self.assigned = TokenPattern(rf"(?P<atom>{name})\s*:=")
        self.opening = TokenPattern(r"(?P<opening>\[(?!\])|\{|<(?!>)|⟨|\\langle(?![a-zA-Z]))")
        self.own_update = TokenPattern(
            rf"(?:(?:{several})?\s*\??\s*!(?!\s*(?:\]|>|⟩|\\rangle))|{name}(?:\s*:\s*{name})?\s*[\]>⟩](?P<action>))"
        )
        self.condition = TokenPattern(r"(?P<condition>(?i:if)\b)")


@read_off
def _notation(operators: tuple[type[Formula], ...]) -> _Signs:
    return _Signs(operators)


def _verbs(modal: list[Any]) -> dict[str, tuple[type[s.Modal], bool]]:
    """Return the words between an agent and a formula, each with the operator and whether it is denied."""
    found: dict[str, tuple[type[s.Modal], bool]] = {}
    for kind in modal:
        for number, words in enumerate((kind.english or ())[:4] if issubclass(kind, s.OfAgent) else ()):
            verb = words.removeprefix("{} ")
            for said in (verb, verb.removesuffix(" that")) if verb else ():
                found.setdefault(said, (kind, number % 2 == 1))
    return found


# --- reading one text ------------------------------------------------------------------------------

After = Callable[[], Any]


class ForeignParsing(Parsing):
    """The state of the parser for notation of others.

    `guessed`: whether some form may mean something else; `several`: whether an operator of one agent has
    several, so that E, C or D is meant.
    """

    signs: _Signs
    dots = (".", ":", "(")

    def __init__(
        self, text: str, groups: Mapping[str, tuple[str, ...]] | None = None, known: Collection[str] = ()
    ) -> None:
        whole = _WHOLE.match(text)
        super().__init__(_plain(text[whole.end() :] if whole else text), groups)
        self.everywhere = self.guessed = bool(whole and whole[1])
        self.known, self.several = frozenset(known), False
        signs = self.signs
        self.forms: tuple[tuple[TokenPattern, Callable[[re.Match[str]], After | None]], ...] = (
            (signs.condition, lambda found: self.begin(found, "then", self.consequence)),
            (signs.subject, self.subject),
            (signs.call, self.call),
            (signs.pair, self.pair),
            (signs.modal, self.modal),
            (signs.predicate, self.predicate),
            (signs.opening, self.opening),
        )

    def notation(self) -> _Signs:  # noqa: D102 - inherited
        return _notation()

    def read(self) -> tuple[Formula, tuple[Any, ...]]:  # noqa: D102 - inherited
        found, bare = super().read()
        return (s.Everywhere(found) if self.everywhere else found), bare

    def operand(self) -> After | None:  # noqa: D102 - inherited
        self.next_assignment()
        for form, read in self.forms:
            found = form.match(self.text, self.at)
            if found and (after := read(found)):
                return after
        return super().operand()

    def follows(self, place: int) -> bool:
        """Return whether an operand follows a position, and no infix operator or closing bracket."""
        signs = self.signs
        begins = signs.operand.match(self.text, place) or signs.opening.match(self.text, place)
        return begins is not None and not signs.after.match(self.text, place)

    def named_in(self, text: str) -> list[str]:
        """Return the agents between commas, and the members of groups."""
        return list(self.members(map(read_name, self.signs.names.findall(text))))

    # --- brackets ----------------------------------------------------------------------------------

    def begin(
        self,
        found: re.Match[str],
        closing: str,
        build: Callable[..., After],
        label: Any = None,
        **listed: bool,
    ) -> After:
        """Open a bracket; `build` gets the formulas in it when it closes."""
        self.at = found.end()
        return self.opened(closing, build, label, **listed)

    def close(self, bracket: Open) -> After:  # noqa: D102 - inherited
        if bracket.kind is None or isinstance(bracket.kind, type):
            return super().close(bracket)
        parts = tuple(self.operands[bracket.first :])
        del self.operands[bracket.first :]
        after: After = bracket.kind(parts)
        return after

    def consequence(self, parts: tuple[Formula, ...]) -> After:
        """Continue after "if φ then"."""
        return self.wait(s.Implies, (), *parts, binding=s.Binding.IMPLIES)

    def opening(self, found: re.Match[str]) -> After | None:
        """Read an announcement without its mark, an assignment, or another bracket than a parenthesis."""
        bracket, end = found["opening"], found.end()
        if bracket == "{":
            return self.begin(found, "}", lambda parts: self.made(*parts))
        kind, closing = (s.Box, "]") if bracket == "[" else (s.Diamond, ">")
        if self.signs.assigned.match(self.text, end):
            names: list[str] = []
            return self.begin(
                found, closing, lambda parts: self.assign(kind, names, parts), names, listed=True
            )
        own = self.signs.own_update.match(self.text, end)
        if own and (own["action"] is None or self.follows(own.end())):
            return None
        return self.begin(found, closing, lambda parts: self.announced(kind, *parts))

    def announced(self, kind: type[s.Dynamic], inside: Formula) -> After:
        """Continue after a bracket: it is an announcement if a formula follows."""
        if not self.follows(self.at) and kind is s.Box:
            return self.made(inside)
        self.guessed = self.guessed or self.text[self.at - 2] != "!"
        return self.wait(kind, ("announce", None, False), inside)

    def next_assignment(self) -> None:
        """Read the atom that is assigned next, in a bracket of assignments."""
        bracket = self.waiting[-1] if self.waiting else None
        if isinstance(bracket, Open) and isinstance(bracket.label, list):
            found = self.signs.assigned.match(self.text, self.at)
            if not found:
                self.fail("an atom and ':='")
            self.at = found.end()
            bracket.label.append(read_name(found["atom"]))

    def assign(self, kind: type[s.Dynamic], names: list[str], values: tuple[Formula, ...]) -> After:
        """Continue after assignments, which are one action that everybody sees."""
        name = ", ".join(f"{atom_text(atom)} := {value}" for atom, value in zip(names, values, strict=True))
        action = provided("assign")(dict(zip(names, values, strict=True)))
        return self.wait(kind, ("act", name, None, action))

    # --- operators -----------------------------------------------------------------------------------

    def of(self, kind: type[s.Modal], names: list[str]) -> tuple[type[s.Modal], tuple[str, ...]]:
        """Return the operator with its agents: for each of them, if there are several and it takes one."""
        if issubclass(kind, s.OfAgent) and len(set(names)) > 1:
            self.several = True
            kind = s.modal(s.Scope.EACH, kind.mode) or self.fail("one agent")
        return kind, group_of(names)

    def call(self, found: re.Match[str]) -> After | None:
        """Read an operator that is written like a function, up to its first formula."""
        opened = found["open"] or found["opened"]
        if found["function"]:
            kind: Any = self.signs.functions[found["function"]]
            self.start = found.start("function")

            def build(parts: tuple[Formula, ...]) -> After:
                if issubclass(kind, s.Modal):  # mlsolver's Box_star: here and at one step of every agent
                    self.bare.append(Bare(kind, "Box_star", self.start))
                    return self.made(s.And(*parts, kind._make((), parts)))
                one = len(parts) == 1 and issubclass(kind, s.Nary)
                return self.made(parts[0] if one else kind(*parts))

            return self.begin(found, _CLOSING[opened], build, listed=True)
        index = self.signs.modal.match(self.text, self.at)
        if index and index["boxed"] and self.follows(index.end()):
            return None  # C[a,b] p
        kind, label = self.of(self.signs.calls[found["modal"]], self.named_in(found["of"]))
        return self.begin(found, _CLOSING[opened], lambda parts: self.made(kind._make(label, parts)))

    def pair(self, found: re.Match[str]) -> After:
        """Read common knowledge with a condition before its formula: C_{a,b}(ψ, φ)."""
        sign = found["pair"]
        kind, group = self.signs.letters[unspaced(sign.partition("_")[0])], group_of(self.agents(sign))

        def build(parts: tuple[Formula, ...]) -> After:
            if len(parts) > 2:
                self.fail("')'")
            self.guessed = self.guessed or len(parts) > 1
            return self.made(kind._make(group, parts))

        return self.begin(found, ")", build, listed=True)

    def modal(self, found: re.Match[str]) -> After | None:
        """Read a modal operator whose index is written in another way, or that has a power."""
        letter = found["letter"]
        kind = self.signs.words[letter] if letter else self.signs.symbols[unspaced(found["symbol"])]
        end = found.end()
        if found["power"] and not self.follows(end):
            end = found.end("power")
        if not self.follows(end):
            split = re.fullmatch(r"([a-z]|\d+)([p-s]'*)", found["index"] or "")
            if not split or split[0] in self.known or found["again"]:
                return None
            self.guessed, self.at = True, found.end()
            self.wait(*self.of(kind, [split[1]]))
            return self.made(s.Atom(split[2]))
        self.guessed = self.guessed or letter in _GUESSED
        power = int(re.sub(r"\D", "", found["power"] or found["again"] or "1"))
        names = [] if end < found.end() else self.index(found)
        ours = power == 1 and (not names or (found["index"] and not (found["more"] or len(names) > 1)))
        if names is None or power > _MOST or ours:
            return None
        self.start, self.at = found.start("letter" if letter else "symbol"), end
        for _ in range(power):
            if names:
                self.wait(*self.of(kind, names))
            else:
                self.wait_bare(kind, letter or found["symbol"])
        return self.operand

    def index(self, found: re.Match[str]) -> list[str] | None:
        """Return the agents of a modal operator, none if it has no index; None if the index names none."""
        if found["index"]:
            return [*self.agents("_" + found["index"]), *self.named_in(found["more"] or "")]
        glued = found["glued"]
        if not glued or glued in self.known:
            return self.named_in(found["boxed"] or glued or found["apart"] or "")
        if glued.isdecimal() or re.fullmatch("[a-ot-z]", glued):
            return [glued]
        self.guessed = True
        return list(glued) if re.fullmatch(LETTERS, glued) else None

    def subject(self, found: re.Match[str]) -> After | None:
        """Read agents with a verb: "a believes that", "(a, b) comknow that"."""
        if not self.follows(found.end()):
            return None
        kind, denied = self.signs.verbs[found["verb"]]
        some = next((key for key, words in QUANTIFIED.items() if found["subject"].lower() in words), None)
        self.at, self.start = found.end(), found.start("subject")
        if denied:
            self.wait(s.Not, ())
        if some is None:
            return self.wait(*self.of(kind, self.named_in(found["subject"])))
        return self.quantified(some, kind.mode, found["subject"], denied=denied)

    def predicate(self, found: re.Match[str]) -> After | None:
        """Read an atom about somebody as a predicate: wolf(Bo)."""
        if found["stem"] in {*self.signs.prefix, *self.signs.counts, *self.signs.constants, "count"}:
            return None
        self.at, self.guessed = found.end(), True
        return self.made(s.Atom(f"{found['stem']}_{read_name(found['of'])}"))

    # --- signs that may mean something else ----------------------------------------------------------

    def read_on(self, kind: str, token: str, *also: str) -> After | None:  # noqa: D102 - inherited
        self.guessed = self.guessed or token in _GUESSED
        return super().read_on(kind, token, *also)

    def expect(self, mark: str, *others: str) -> None:  # noqa: D102 - inherited
        comma = re.compile(r"\s*,").match(self.text, self.at)
        if mark == ";" and comma:
            self.at = comma.end()
        else:
            super().expect(mark, *others)
