r"""Reading formulas from strings: ASCII, Unicode and LaTeX, mixed at will.

An operator-precedence parser with an explicit stack, so deep formulas cause no recursion. Its signs come from
the declarations of the operators; the grammar:

    formula  = operand, { infix, operand }
    operand  = atom | constant | "(" formula ")" | NOT operand | K_index operand | K operand | WORD operand
             | subject "knows that" operand | subject "knows whether" operand
             | FORALL name { "," name } "." operand | "[" update "]" operand | "<" update ">" operand
             | COUNT "(" number ";" formula { "," formula } ")" | "oneof" list
             | "count" list comparison ( "count" list | number )
             | Kv_index "(" atom ")" | sum comparison sum
    update   = [ name { "," name } ] [ "?" ] "!" formula | ( "^^" | "^" ) formula | atom [ ":" name ]
    sum      = [ "-" ] term { ("+" | "-") term }
    term     = number | [ number "*" ] P_index "(" formula ")"
    list     = "(" formula { "," formula } ")"
    index    = ( agent | "{" agent { "," agent } "}" ) [ "^{" formula "}" ]
    subject  = name | "everyone" | "someone" | "nobody"

An operator without its index, as in K p, Kp and □p, is about the agents that the caller names (`agents`), and
so are everyone, someone and nobody (and everybody, somebody, anybody, …; "knows" may be "does not know"). A
formula may stand between dollar signs.

Prefix operators bind tightest, then &, ^, |, ->, <->; `->` groups to the right, `<->` to the left.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar

from kripke_werewolf.base.errors import FormulaError, FormulaSyntaxError
from kripke_werewolf.base.reader import BRACED, QUOTED
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import (
    GREEK_TOKEN,
    PLAIN_INDEX,
    QUANTIFIED,
    group_text,
    indexed,
    read_group,
    read_name,
    reserved,
    run_together,
)
from kripke_werewolf.logic.formulas.operators import Binding, LinearSum, Spelling, Term
from kripke_werewolf.logic.formulas.syntax import Formula, group_of, rational, read_off

T = TypeVar("T")

_REMEMBERED = 4096  # strings in the cache of the parser
_SHORT = 400  # characters of a string in the cache


def parse(
    text: str, *, agents: Collection[str] | None = None, groups: Mapping[str, Iterable[object]] | None = None
) -> Formula:
    r"""Read a formula; `Formula.bind` gives the names in `[name]φ` their action models.

    >>> parse("K_a p -> ~K_b p") == parse(r"K_{a} p \to \neg K_{b} p") == parse("K_a p → ¬K_b p")
    True

    `agents` are the agents of operators without an index: `K p`, `Kp` and `□p` need exactly one, `C p`, `E p`
    and `D p` are about all of them. If there are none (`()`), the agents that the formula names are used, or
    else a (for operators of a group, a and b). Without `agents` every operator needs its index. `groups`
    gives the agents that the names of groups stand for.

    >>> print(parse("Kp -> p", agents=["a"]), "and", parse("C p -> K_b E p", agents=("a", "b")))
    K_a p -> p and C_{a,b} p -> K_b E_{a,b} p
    >>> print(parse("C_G p -> E_G p", groups={"G": ["a", "b", "c"]}))
    C_{a,b,c} p -> E_{a,b,c} p

    Only this notation is read, so that a file has one meaning for everybody; `understand` reads others as
    well. Raises `FormulaSyntaxError`, which shows the place, what was expected there, and the formula that
    `understand` reads.
    """
    try:
        return strictly(text, agents, groups)[0]
    except FormulaSyntaxError as wrong:
        from kripke_werewolf.logic.notation.reading import suggesting_other

        raise suggesting_other(wrong, agents, groups) from None


def strictly(
    text: str, agents: Collection[str] | None = None, groups: Mapping[str, Iterable[object]] | None = None
) -> tuple[Formula, Unindexed]:
    """Return the formula in a string, and its operators without an index; errors suggest nothing."""
    if not isinstance(text, str):
        raise FormulaError(f"expected the text of a formula, got {text!r}")
    if groups or len(text) > _SHORT:
        found, bare = Parsing(text, members_of(groups)).read()
    else:
        found, bare = _notation().remembered(text)
    return indexed_by(text, found, bare, agents)


def members_of(groups: Mapping[str, Iterable[object]] | None) -> dict[str, tuple[str, ...]]:
    """Return the agents of each group, sorted."""
    return {name: group_of(group) for name, group in (groups or {}).items()}


class Unindexed(NamedTuple):
    """The operators without an index in a string (`signs`), and the agents that it names.

    `named`: the agents named by other operators; `single`: whether no operator is about a group.
    """

    named: frozenset[str]
    signs: tuple[str, ...]
    single: bool = True

    def agents(self) -> tuple[str, ...]:
        """Return the agents of operators without an index: those named, or a, or a and b."""
        return group_of(self.named or (("a",) if self.single else ("a", "b")))


def unindexed(text: str, groups: Mapping[str, Iterable[object]] | None = None) -> Unindexed:
    """Return the operators of a formula without an index, and the agents named by the others.

    >>> unindexed("K p -> K_b C p")
    Unindexed(named=frozenset({'b'}), signs=('K', 'C'), single=False)

    Raises `FormulaSyntaxError`.
    """
    return _unindexed(*Parsing(text, members_of(groups)).read())


def _unindexed(found: Formula, bare: Sequence[Bare]) -> Unindexed:
    signs = tuple(dict.fromkeys(b.sign for b in bare))
    return Unindexed(found.agents, signs, all(issubclass(b.kind, s.OfAgent) for b in bare))


ALL_INDEXED = Unindexed(frozenset(), ())


class Bare(NamedTuple):
    """An operator written without its index."""

    kind: type[Formula]
    sign: str
    place: int


def indexed_by(
    text: str, found: Formula, bare: Sequence[Bare], agents: Collection[str] | None
) -> tuple[Formula, Unindexed]:
    """Return a formula whose operators without an index are about the given agents, and these operators."""
    if not bare:
        return found, ALL_INDEXED
    unindexed = _unindexed(found, bare)
    single = next((b for b in bare if issubclass(b.kind, s.OfAgent)), None)
    known = () if agents is None else group_of(agents or unindexed.agents())
    if not known or (single and len(known) > 1):
        refused = single or bare[0]
        sign = refused.sign
        why = f"{json.dumps(sign)} needs agents" if " " in sign else f"{sign} needs an index"
        if known:
            why += f", for there are several agents: {', '.join(known)}"
        some = {b.kind: _some_agents(b.kind, known) for b in bare}
        denied = "~" if sign.lower().startswith(QUANTIFIED["nobody"]) else ""
        wanted = f"{denied}{refused.kind.spelling.ascii}_{group_text(some[refused.kind])}"  # type: ignore[attr-defined]
        raise FormulaSyntaxError(text, refused.place, (wanted,), why, meant=str(_indexed(found, some)))
    return _indexed(found, {b.kind: known for b in bare}), unindexed


def _some_agents(kind: type[Formula], known: tuple[str, ...]) -> tuple[str, ...]:
    """Return agents that an operator without an index might be about."""
    if issubclass(kind, s.OfGroup):
        return known if len(known) > 1 else ("a", "b")
    return (*known[:1], "a")[:1]


def _indexed(found: Formula, labels: Mapping[type[Formula], tuple[str, ...]]) -> Formula:
    return found.rewrite(
        lambda f: f if f.label or type(f) not in labels else f._make(labels[type(f)], f.children)
    )


# --- the notation, read off the declarations -----------------------------------------------------

_TEX = r"\\(?:text|mathit|mathrm|mathsf)\{(?:[^{}\\]|\\[^a-zA-Z]|\\[a-zA-Z]+\{\})*\}"
_BRACED = rf'\{{(?:{QUOTED}|{_TEX}|\\[{{}}]|{BRACED}|[^{{}}"\\])*\}}'
INDEX = rf"{_BRACED}|{QUOTED}|{PLAIN_INDEX.pattern}"
# space, and LaTeX's commands for spacing and for the size of brackets
_BLANK = r"(?:\s|\\[,;: ]|\\quad\b|\\left(?=[(\[\\<])|\\right(?=[)\]\\>]))*"
_SPACE = re.compile(_BLANK)
# formulas between the delimiters of TeX and LaTeX
_DELIMITED = re.compile(
    r"\s*(?:\$\$((?:[^$\\]|\\.)*)\$\$|\$((?:[^$\\]|\\.)*)\$|\\\((.*)\\\)|\\\[(.*)\\\])\s*", re.DOTALL
)
_KNOWING = r"(?:knows|does(?:\s+not|n['’]t)\s+know)\s+(?:that|whether)\b"
_CHANCE = rf"P_(?:{INDEX})\("
_NUMBER = rf"(?:\d+(?:/\d+|\.\d+)?|\.\d+)(?:(?![\w'])|(?={_CHANCE}))"


class SignTable:
    """The signs of the operators, and the token patterns for each position."""

    further_ends: ClassVar[Mapping[str, str]] = {}
    """Further ends of brackets, each with the one that it stands for."""
    further_infix: ClassVar[Mapping[str, Any]] = {}
    """Further signs between formulas."""

    def __init__(self, operators: tuple[type[Formula], ...], *, foreign: bool = False) -> None:
        _signs = partial(_signs_of, foreign=foreign)
        self.remembered = lru_cache(_REMEMBERED)(lambda text: Parsing(text).read())
        self.infix = _signs((k.spelling, k) for k in operators if issubclass(k, s.Infix))
        self.infix |= self.further_infix
        plain_unary = (k for k in operators if issubclass(k, s.Unary) and not issubclass(k, indexed()))
        self.prefix = _signs((k.spelling, k) for k in plain_unary)
        self.constants = _signs((sign, s.Constant(v)) for v, sign in s.Constant.spellings.items())
        self.counts = _signs((sign, kind) for kind, sign in s.Count.spellings.items())
        self.counts |= {"oneof": "oneof"}
        letters = _signs((k.spelling, k) for k in operators if issubclass(k, indexed()))  # type: ignore[attr-defined]
        self.letters = {sign: k for sign, k in letters.items() if not {" ", "_"}.intersection(sign)}
        modal = {sign: k for sign, k in self.letters.items() if issubclass(k, s.OfAgent | s.OfGroup)}
        self.words = {sign: kind for sign, kind in modal.items() if sign.isalnum()}
        # \mathit{Kw} alone is a name
        others = {sign: kind for sign, kind in modal.items() if sign not in self.words}
        self.symbols = {sign: kind for sign, kind in others.items() if "mathit" not in sign}
        self.comparisons = _signs((sign, name) for name, (sign, *_) in s.Probability.comparisons.items())
        closing = [k.closing for k in operators if issubclass(k, s.Dynamic)]
        ends = {"]": "]"} | {sign: ">" for sign in _signs((c, c) for c in closing) if sign != "]"}
        self.ends = ends = {**ends, "}": "}", **self.further_ends}
        words = "|".join(sorted(reserved() | {w for w in self.infix if len(w) > 1 and w.isalpha()}))
        self.plain = plain = rf"(?!(?:{words})\b)\w[\w']*"
        braced = rf"(?!(?:{words})\b)\w[\w']*?(?:_\{{[^{{}}]*\}})+"
        tex = rf"{_TEX}(?:_(?:\w|\{{[^{{}}\\]*\}}|\{{{_TEX}\}}))?|{GREEK_TOKEN}"
        names = rf"(?P<number>{_NUMBER})|(?P<name>{braced}|{plain}|{QUOTED}|{tex})"
        members = rf"(?P<members>{_BRACED})"
        counted = rf"(?P<counted>count(?={_BLANK}\())"  # elsewhere it is a name
        signs: list[dict[str, Any]] = [self.prefix, self.constants, self.counts, self.symbols]
        self.operand = TokenPattern(
            rf"(?P<indexed>{sign_pattern(self.letters, indexed=True)})"
            rf"|(?P<sign>{sign_pattern({key: None for table in signs for key in table})})"
            rf"|(?P<joined>{run_together().pattern}(?!{_BLANK}{_KNOWING}))|{counted}|{names}|(?P<mark>[(-])"
            rf"|{members}(?={_BLANK}{_KNOWING})"
        )
        infix = rf"(?P<infix>{sign_pattern(self.infix)})"
        end = rf"(?P<end>{sign_pattern(ends)})|(?P<mark>[),])"
        knows = rf"(?P<knows>{_KNOWING})"
        # infix operators first: `<->` is not a comparison, `->` not a difference
        joining = sign_pattern({sign: None for sign in self.infix if sign not in self.comparisons})
        summed = rf"(?P<infix>{joining})|(?P<compared>{sign_pattern(self.comparisons)})|(?P<plus>[+-])|{end}"
        times = rf"(?P<times>{sign_pattern(_signs([(s.Probability.times, 0)]))}|(?={_CHANCE}))"
        self.after = TokenPattern(rf"{infix}|{end}")
        self.compared = TokenPattern(rf"(?P<compared>{sign_pattern(self.comparisons)})")
        self.counted = TokenPattern(rf"{counted}|(?P<number>\d+)(?![\w.])")
        self.after_name = TokenPattern(rf"{knows}|{infix}|{end}")
        self.after_term = TokenPattern(summed)
        self.after_number = TokenPattern(rf"{knows}|{times}|{summed}")
        self.term = TokenPattern(
            rf"(?P<indexed>{sign_pattern(_signs([(s.Probability.spelling, 0)]), indexed=True)})"
            rf"|(?P<number>{_NUMBER})"
        )
        self.within = TokenPattern(rf"(?P<within>\^{_BLANK}\{{)")
        self.name = TokenPattern(names)
        self.upgrades = _signs((sign, kind) for kind, sign in s.UPGRADES.items())
        upgrade = rf"(?P<upgrade>{sign_pattern(self.upgrades)})"
        self.head = TokenPattern(rf"{names}|{members}|{upgrade}|(?P<mark>[!?])")
        self.mark = TokenPattern(rf"(?P<end>{sign_pattern(ends)})|(?P<mark>[(),;:.!?])")


@read_off
def _notation(operators: tuple[type[Formula], ...]) -> SignTable:
    return SignTable(operators)


@read_off
def _on_condition(operators: tuple[type[Formula], ...]) -> dict[type[Formula], type[Formula]]:
    """Return for operators with a sign in common the one with a condition."""
    return {kind.plain: kind for kind in operators if kind.plain is not None}


def _signs_of(declared: Iterable[tuple[Spelling, T]], *, foreign: bool = False) -> dict[str, T]:
    """Return the meaning of each spelling of a sign; `foreign` spellings come after all others."""
    found: dict[str, T] = {}
    given = list(declared)
    signs = [(sign, kind) for of, kind in given for sign in (of.ascii, of.unicode, of.latex, *of.also)]
    signs += [(sign, kind) for of, kind in given if foreign for sign in of.foreign]
    for sign, kind in signs:
        found.setdefault(unspaced(sign), kind)
    return found


def unspaced(sign: str) -> str:
    r"""Return a sign without braces and spaces that LaTeX ignores: `\hat{K}` as `\hatK`."""
    return re.sub(r"[{} ]|\\mathbf", "", sign) if sign.startswith("\\") else sign


def sign_pattern(signs: Mapping[str, object], *, indexed: bool = False) -> str:
    """Return a pattern for the signs, the longest first; no letter may follow a word.

    `indexed`: an underscore follows every sign.
    """
    patterns = []
    for sign in sorted(signs, key=len, reverse=True):
        command = re.fullmatch(r"\\(hat|mathit|mathsf)(\w+)", sign)
        if command and command[1] == "hat":
            patterns.append(rf"\\hat *(?:\{{ *{command[2]} *\}}|{command[2]})")
        elif command:
            patterns.append(rf"\\{command[1]}\{{{command[2]}\}}")
        else:
            is_word = sign[-1].isalpha() and not indexed
            end = r"(?![a-zA-Z])" if sign.startswith("\\") else r"\b"
            patterns.append(re.escape(sign) + (end if is_word else ""))
            if indexed and sign.isalnum():
                patterns.append(rf"\\mathbf *\{{ *{sign} *\}}")
    return "|".join(patterns) if not indexed else f"(?:{'|'.join(patterns)})_(?:{INDEX})"


class TokenPattern:
    """One of some tokens after blank space; compiled when first used, since most formulas need few."""

    def __init__(self, tokens: str) -> None:
        self._tokens = tokens

    @cached_property
    def match(self) -> Callable[[str, int], re.Match[str] | None]:
        """The function that finds one at a position."""
        return re.compile(f"{_BLANK}(?:{self._tokens})").match


# --- reading one text ----------------------------------------------------------------------------


class Open:
    """An open bracket and its kind: plain, of a count, of an update or of a probability.

    `listed`: commas may stand between several formulas in it, the first at the place `first` of the operands.
    """

    def __init__(
        self, closing: str, kind: Any = None, label: Any = None, first: int = 0, *, listed: bool = False
    ) -> None:
        self.closing, self.kind, self.label, self.first = closing, kind, label, first
        self.listed = listed


class Sum:
    """A sum of probabilities being read and, after a comparison, its left side.

    `place`: the position of the comparison. `factor`: that of the current summand.
    """

    def __init__(self, factor: int = 1) -> None:
        self.left, self.found = LinearSum(()), LinearSum(())
        self.relation, self.place = "", 0
        self.factor = Fraction(factor)


class Parsing:
    """The state of the parser: operands found, and operators and brackets that wait for operands.

    An operator waits as (binding, class, label, children that precede the next operand); an infix
    operator instead of a label with the number of its operands so far.
    """

    dots: ClassVar[tuple[str, ...]] = (".",)
    """The marks that may end the names of a quantifier."""

    def __init__(self, text: str, groups: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.given = self.text = text
        if (found := _DELIMITED.fullmatch(text)) and (inside := found.lastindex):
            self.text = " " * found.start(inside) + found[inside] + " " * (len(text) - found.end(inside))
        self.groups = groups or {}
        self.signs = self.notation()
        self.at = self.start = 0
        self.operands: list[Formula] = []
        self.waiting: list[Any] = []
        self.bare: list[Bare] = []

    def notation(self) -> SignTable:
        """Return the signs that are understood."""
        return _notation()

    def read(self) -> tuple[Formula, tuple[Bare, ...]]:
        """Parse the whole input; return the formula and its operators without an index."""
        after: Callable[[], Any] = self.operand
        while after is not None:
            after = after()
        return self.operands[0], tuple(self.bare)

    # --- tokens ----------------------------------------------------------------------------------

    def token(self, pattern: TokenPattern, *expected: str) -> tuple[str, str]:
        """Return kind and text of the next token.

        If the pattern does not match, raise an error that names what was expected, or else return `"", ""`.
        """
        found = pattern.match(self.text, self.at)
        if found is None:
            return self.fail(*expected) if expected else ("", "")
        kind = str(found.lastgroup)
        self.start, self.at = found.start(kind), found.end()
        return kind, found[kind]

    def fail(self, *expected: str) -> NoReturn:
        """Raise an error at the current position (the last token, if it was rejected)."""
        text = self.text
        blank = _SPACE.match(text, self.at)
        place = blank.end() if blank else self.at
        if place >= len(text):
            found = "the text ends too early" if text.strip() else "the text is empty"
            raise self.error(len(text.rstrip()), expected, found)
        if text.startswith(":=", place):
            raise self.error(place, (), 'an assignment is an action: kw.assign({"p": "q"})')
        word = re.compile(r"\w+|.", re.DOTALL).match(text, place)
        shown = word[0] if word else text[place]
        raise self.error(place, expected, f"unexpected {json.dumps(shown, ensure_ascii=False)}")

    def error(self, place: int, expected: Sequence[str], found: str) -> FormulaSyntaxError:
        """Return an error at a position."""
        return FormulaSyntaxError(self.given, place, expected, found)

    def refuse(self, kind: str, *expected: str) -> NoReturn:
        """Raise an error at the last token, or after it if there is none of a kind that was sought."""
        if kind:
            self.at = self.start
        self.fail(*expected)

    def misread(self, why: str, place: int | None = None) -> NoReturn:
        """Raise an error for an unexpected token, by default the last one."""
        raise self.error(self.start if place is None else place, (), why)

    def expect(self, mark: str, *others: str) -> None:
        """Read a mark, or raise an error."""
        kind, token = self.token(self.signs.mark)
        if not kind or self.signs.ends.get(token, token) != mark:
            self.refuse(kind, f"'{mark}'", *others)

    def number(self, token: str, place: int | None = None) -> Fraction:
        """Return the number denoted by a token, by default the last one."""
        try:
            return rational(token)
        except FormulaError:
            self.misread("not a number that can be used (a division by zero, or too long)", place)

    def named(self, kind: str, token: str) -> str:
        """Return the name denoted by a token."""
        if kind == "number":
            if not token.isdecimal():
                self.misread("a name or a whole number expected")
            return token
        try:
            return read_name(token)
        except ValueError as error:
            self.misread(error.args[0])

    def agents(self, token: str) -> tuple[str, ...]:
        """Return the agents named by the index of a token, or the members of the group it names."""
        try:
            members = read_group(token)
        except ValueError as error:
            self.misread(error.args[0])
        return self.members(members)

    def members(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return agents, with the members of groups for the names of these."""
        return tuple(agent for name in names for agent in self.groups.get(name, (name,)))

    def agent(self, token: str) -> str:
        """Return the only agent named by the index of a token."""
        members = self.agents(token)
        if len(members) != 1:
            self.misread(
                f"one agent expected, not the group {', '.join(members)}; for a group there are E (each of "
                "them knows), C (common knowledge) and D (distributed knowledge)"
            )
        return members[0]

    # --- where an operand must stand ---------------------------------------------------------------

    def operand(self) -> Callable[[], Any] | None:
        """Read the beginning of an operand."""
        kind, token = self.token(self.signs.operand, _FORMULA)
        match kind:
            case "name":
                self.operands.append(s.Atom(self.named(kind, token)))
                return self.after_name
            case "members":
                return self.knows(self.agent(f"_{token}"), self.token(self.signs.after_name)[1])
            case "indexed":
                return self.indexed(token)
            case "sign":
                return self.sign(unspaced(token))
            case "number":
                self.waiting.append(Sum())
                return self.after_number(alone=True)
            case "joined":
                return self.joined(token)
            case "counted":
                return self.counted(())
            case "mark" if token == "(":
                return self.opened(")")
        if not self.signs.term.match(self.text, self.at):
            return self.wait(s.Not, ())
        self.waiting.append(Sum(-1))
        return self.term

    def joined(self, token: str) -> Callable[[], Any]:
        """Read operators of one letter and an atom written together."""
        letters = re.match(r"[A-Z]+", token)
        assert letters
        for letter in letters[0]:
            self.wait_bare(self.signs.words[letter], letter)
            self.start += 1
        return self.made(s.Atom(self.named("name", token[letters.end() :])))

    def wait_bare(self, kind: type[Formula], sign: str) -> Callable[[], Any]:
        """Push an operator without an index; its operand follows."""
        self.bare.append(Bare(kind, sign, self.start))
        return self.wait(kind, ())

    def indexed(self, token: str) -> Callable[[], Any]:
        """Read an operator with an index."""
        kind = self.signs.letters[unspaced(token.partition("_")[0])]
        if issubclass(kind, s.OfGroup):
            group = group_of(self.agents(token))
            if issubclass(kind, s.OfReach) and self.token(self.signs.within)[0]:
                return self.opened("}", kind, group)
            return self.wait(kind, group)
        if issubclass(kind, s.OfAgent):
            agent = self.agent(token)
            given = _on_condition().get(kind)
            if given is not None and self.token(self.signs.within)[0]:
                return self.opened("}", given, (agent,))
            return self.wait(kind, (agent,))
        if issubclass(kind, s.Probability):
            self.waiting.append(Sum())
            return self.chance(token)
        agent = self.agent(token)
        self.expect("(")
        variable = self.one_name("a name")
        self.expect(")")
        return self.made(kind(agent, variable))  # type: ignore[call-arg]

    def wait(
        self, kind: type[Formula], label: tuple[Any, ...], *children: Formula, binding: int = Binding.PREFIX
    ) -> Callable[[], Any]:
        """Push a prefix operator; its operand follows."""
        self.waiting.append((binding, kind, label, children))
        return self.operand

    def opened(
        self, closing: str, kind: Any = None, label: Any = None, *, listed: bool = False
    ) -> Callable[[], Any]:
        """Push a bracket; the first formula in it follows."""
        self.waiting.append(Open(closing, kind, label, len(self.operands), listed=listed))
        return self.operand

    def made(self, found: Formula) -> Callable[[], Any]:
        """Push a complete operand, and continue after it."""
        self.operands.append(found)
        return self.after

    def sign(self, token: str) -> Callable[[], Any]:
        """Read a constant, or an operator without an index."""
        if token in self.signs.constants:
            return self.made(self.signs.constants[token])
        if token in self.signs.counts:
            return self.count(self.signs.counts[token])
        if token in self.signs.symbols:
            return self.wait_bare(self.signs.symbols[token], token)
        kind = self.signs.prefix[token]
        if issubclass(kind, s.Dynamic):
            return self.update(kind, self.signs.ends[unspaced(kind.closing.ascii)])
        if not issubclass(kind, s.Quantifier):
            return self.wait(kind, ())
        names = [self.one_name("a name")]
        while True:
            _, mark = self.token(self.signs.mark)
            if mark in self.dots:
                if mark == "(":
                    self.at = self.start
                return self.wait(kind, tuple(dict.fromkeys(names)))
            if mark not in (",", ""):
                self.at = self.start
            if mark != "," and (mark or not self.signs.name.match(self.text, self.at)):
                self.fail("'.'", "','")
            names.append(self.one_name("a name"))

    def one_name(self, expected: str) -> str:
        """Read a name."""
        kind, token = self.token(self.signs.name, expected)
        return self.named(kind, token)

    def count(self, kind: str) -> Callable[[], Any]:
        """Read the number of a count, up to the first formula."""
        self.expect("(")
        label = ("exactly", 1)
        if kind != "oneof":
            found, token = self.token(self.signs.name)
            if found != "number":
                self.refuse(found, "a number")
            if not token.isdecimal():
                self.misread(f"{kind} needs a whole number")
            label = (kind, int(self.number(token)))
            self.expect(";")
        return self.opened(")", s.Count, label, listed=True)

    def counted(self, label: tuple[Any, ...]) -> Callable[[], Any]:
        """Read a list of formulas to be counted; `label`: those on the left, with the comparison."""
        self.expect("(")
        return self.opened(")", s.Count, label, listed=True)

    def listed(self, label: tuple[Any, ...], parts: tuple[Formula, ...]) -> Callable[[], Any]:
        """Continue after a list of formulas: with a comparison, or after one."""
        if label:
            return self.made(s.counts_compared(label[0], label[1], parts))
        kind, token = self.token(self.signs.compared, _COMPARISON)
        relation = self.signs.comparisons[unspaced(token)]
        kind, token = self.token(self.signs.counted, "count(…)", "a number")
        if kind == "counted":
            return self.counted((parts, relation))
        return self.made(s.counts_compared(parts, relation, int(self.number(token))))

    # --- updates ---------------------------------------------------------------------------------

    def update(self, kind: type[s.Dynamic], closing: str) -> Callable[[], Any]:
        """Read an update up to its formula, or an action up to its end."""
        found, token = self.token(self.signs.head, "a name", "'!'", "'?!'")
        if found == "upgrade":
            return self.opened(closing, kind, ("upgrade", self.signs.upgrades[unspaced(token)]))
        names: list[str] = []
        plain = found == "name"
        while found != "mark":
            if found == "members":
                names += self.agents(f"_{token}")
            else:
                names.append(self.named(found, token))
            found, token = self.token(self.signs.mark)
            if token == ",":
                plain = False
                found, token = self.token(self.signs.head, "a name")
                if found == "mark":
                    self.refuse(found, "a name")
                continue
            if plain and (token == ":" or self.signs.ends.get(token) == closing):
                event = None
                if token == ":":
                    event = self.one_name("a name")
                    self.expect(closing)
                return self.wait(kind, ("act", names[0], event, None))
            if token not in ("!", "?"):
                acts = ["':'", f"'{closing}'"] if plain else []
                self.refuse(found, "'!'", "'?!'", "','", *acts)
        if token == "?":
            self.expect("!")
        group = group_of(self.members(names)) if names else None
        return self.opened(closing, kind, ("announce", group, token == "?"))

    # --- sums of probabilities -------------------------------------------------------------------

    def chance(self, token: str) -> Callable[[], Any]:
        """Read the probability of an agent up to its formula."""
        agent = self.agent(token)
        self.expect("(")
        return self.opened(")", s.Probability, agent)

    def term(self) -> Callable[[], Any] | None:
        """Read a summand."""
        kind, token = self.token(self.signs.term, "a number", "P_a(…)")
        return self.chance(token) if kind == "indexed" else self.after_number()

    def after_number(self, *, alone: bool = False) -> Callable[[], Any] | None:
        """Continue after a number: a factor, a summand or, if it stands alone, the name of an agent."""
        number, place = self.text[self.start : self.at], self.start
        kind, token = self.token(self.signs.after_number)
        total = self.waiting[-1]
        if kind == "knows" and alone:
            self.waiting.pop()
            if not number.isdecimal():
                self.misread("a name or a whole number expected", place)
            return self.knows(number, token)
        value = self.number(number, place)
        if kind == "times":
            total.factor *= value
            kind, token = self.token(self.signs.term)
            if kind != "indexed":
                self.refuse(kind, "P_a(…)")
            return self.chance(token)
        total.found += LinearSum((), total.factor * value)
        return self.continued(kind, token, "'*'", *(_KNOWS if alone else ()))

    def after_term(self) -> Callable[[], Any] | None:
        """Continue after a probability."""
        return self.continued(*self.token(self.signs.after_term))

    def continued(self, kind: str, token: str, *also: str) -> Callable[[], Any] | None:
        """Continue a sum with another summand, the comparison, or the right side of the comparison."""
        total = self.waiting[-1]
        if kind == "plus":
            total.factor = Fraction(-1 if token == "-" else 1)
            return self.term
        if kind == "compared" and not total.relation:
            total.left, total.relation = total.found, self.signs.comparisons[unspaced(token)]
            total.place, total.found, total.factor = self.start, LinearSum(()), Fraction(1)
            return self.signed
        if not total.relation:
            self.refuse(kind, _COMPARISON, "'+'", *also)
        if not total.left.terms and not total.found.terms:
            self.misread("a comparison needs a probability P_a(…) on one of its sides", total.place)
        self.waiting.pop()
        self.operands.append(total.left.compared(total.relation, total.found))
        if kind:
            self.at = self.start
        return self.after

    def signed(self) -> Callable[[], Any]:
        """Read the first summand on the right of a comparison, which may be negative."""
        found = re.compile(_BLANK + "-").match(self.text, self.at)
        if found:
            self.at, self.waiting[-1].factor = found.end(), Fraction(-1)
        return self.term

    # --- after an operand --------------------------------------------------------------------------

    def after_name(self) -> Callable[[], Any] | None:
        """Continue after a name, which may be that of an agent."""
        name, place = self.text[self.start : self.at], self.start
        kind, token = self.token(self.signs.after_name)
        if kind == "knows":
            atom = self.operands.pop()
            assert isinstance(atom, s.Atom)
            some = next((some for some, words in QUANTIFIED.items() if name.lower() in words), None)
            if some is None:
                return self.knows(atom.name, token)
            self.start = place
            mode = s.Mode.WHETHER if token.endswith("whether") else s.Mode.BOX
            denied = not token.startswith("knows")
            return self.quantified(some, mode, self.text[place : self.at], denied=denied)
        word = "" if kind else name
        if word in self.signs.words and self.signs.operand.match(self.text, self.at):
            # not a name, since an operand follows: an operator without an index
            self.operands.pop()
            return self.wait_bare(self.signs.words[word], word)
        return self.read_on(kind, token, *_KNOWS)

    def knows(self, agent: str, token: str) -> Callable[[], Any]:
        """Read "knows that" or "knows whether"."""
        if not token.startswith("knows"):
            self.wait(s.Not, ())
        return self.wait(s.KnowsWhether if token.endswith("whether") else s.Knows, (agent,))

    def quantified(self, some: str, mode: s.Mode, sign: str, *, denied: bool = False) -> Callable[[], Any]:
        """Read a verb such as "knows that" after a word for everyone, someone or nobody; `sign`: both."""
        scopes = {"everyone": s.Scope.EACH, "each": s.Scope.EACH} | dict.fromkeys(_SOME, s.Scope.SOME)
        kind = s.modal(scopes[some], mode) if some in scopes else None
        if kind is None or denied:
            self.misread(f"no operator says {json.dumps(sign)}; write what each agent knows")
        if some == "nobody":
            self.wait(s.Not, ())
        return self.wait_bare(kind, sign)

    def after(self) -> Callable[[], Any] | None:
        """Continue after an operand."""
        return self.read_on(*self.token(self.signs.after))

    def read_on(self, kind: str, token: str, *also: str) -> Callable[[], Any] | None:
        """Read an infix operator or the end of a bracket."""
        if kind == "infix":
            self.infix(self.signs.infix[unspaced(token)])
            return self.operand
        if not kind:
            blank = _SPACE.match(self.text, self.at)
            at_end = blank is not None and blank.end() == len(self.text)
            if not at_end or any(isinstance(w, Open) for w in self.waiting):
                self.fail(_INFIX, *also, *self.closings())
            self.reduce(0)
            return None
        self.reduce(0)
        bracket = self.waiting[-1] if self.waiting else None
        if bracket is None or (
            (token != "," or not bracket.listed)
            and self.signs.ends.get(unspaced(token), token) != bracket.closing
        ):
            self.refuse(kind, _INFIX, *also, *self.closings())
        if token == ",":
            return self.operand
        self.waiting.pop()
        return self.close(bracket)

    def closings(self) -> Iterator[str]:
        """Yield the brackets that may close here."""
        bracket = next((w for w in reversed(self.waiting) if isinstance(w, Open)), None)
        if bracket is None:
            yield "the end"
        else:
            if bracket.listed:
                yield "','"
            yield f"'{bracket.closing}'"

    def close(self, bracket: Open) -> Callable[[], Any]:
        """Complete the formula in a bracket that closes."""
        if bracket.kind is None:
            return self.after
        if bracket.kind is s.Count:
            parts = tuple(self.operands[bracket.first :])
            del self.operands[bracket.first :]
            if not bracket.label or isinstance(bracket.label[0], tuple):
                return self.listed(bracket.label, parts)
            return self.made(s.Count._make(bracket.label, parts))
        inside = self.operands.pop()
        if bracket.kind is s.Probability:
            total = self.waiting[-1]
            total.found += LinearSum([Term(total.factor, bracket.label, inside)])
            return self.after_term
        return self.wait(bracket.kind, bracket.label, inside)

    def infix(self, kind: type[s.Infix]) -> None:
        """Push an infix operator after reducing those that bind tighter."""
        binding = kind.binding
        self.reduce(binding if kind.groups == "left" else binding + 1)
        last = self.waiting[-1] if self.waiting else None
        if kind.groups == "all" and isinstance(last, list) and last[1] is kind:
            last[2] += 1
        else:
            self.waiting.append([binding, kind, 2])

    def reduce(self, binding: int) -> None:
        """Apply the waiting operators that bind at least this tightly."""
        operands, waiting = self.operands, self.waiting
        while waiting and not isinstance(waiting[-1], Open | Sum) and waiting[-1][0] >= binding:
            _, kind, label, *children = waiting.pop()
            if children:
                operands[-1] = kind._make(label, (*children[0], operands[-1]))
            else:
                parts = tuple(operands[-label:])
                operands[-label:] = [kind._make((), parts)]


_SOME = "someone", "nobody"
_KNOWS = "'knows that'", "'knows whether'"
_FORMULA = "a formula (an atom, ~, K_a, [!p], '(' …)"
_INFIX = "an operator (& ^ | -> <->)"
_COMPARISON = "a comparison (>= > <= < = !=)"
