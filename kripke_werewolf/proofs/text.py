"""Derivations in students' notation: one line for each step, `4. K_a p -> K_a q   MP 2, 3`.

Two spaces or a tab separate the formula from its rule; one suffices if it is clear. `#` begins a comment. The
rule of a line may be missing, to be filled in. Lines before the first formula may be

    logic: S5
    given: K_a p
    show: p
    rules: T, MP
    agents: a, b
    group G = a, b
    action private = [a!p]
    action show:
        event told if p: q := true
        event nothing:
        agent a: told -> told, nothing -> nothing
        others: told -> nothing, nothing -> nothing

`given`: a premise, which lines cite as `given`; one line for each. `show`: what is to be derived, perhaps
from premises, as in `show: p, p -> q ⊢ q`; then there need be no lines yet. `rules`: those that may be used.
`agents`: those that operators without an index are about, otherwise those that the derivation names;
`action`: what a name in `[name:event]φ` stands for, the action model of an update, or one that is described
as in stories (`stories.actions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

from kripke_werewolf.errors import FormulaError, KripkeError, UnknownActionError, UnknownNameError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.logics import Logic, logic_named
from kripke_werewolf.language.misreadings import about_unindexed, doubtful_names
from kripke_werewolf.language.names import QUOTED, atom_text, read_name
from kripke_werewolf.language.parser import Unindexed, unindexed
from kripke_werewolf.proofs.abbreviations import unabbreviated
from kripke_werewolf.proofs.actions import announced, known_as, named_apart, with_actions
from kripke_werewolf.proofs.derived import DEFINES, rule_named
from kripke_werewolf.proofs.premises import GIVEN
from kripke_werewolf.proofs.proof import Line, Proof
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.stories.actions import ActionReader, action_lines
from kripke_werewolf.stories.text import Span, Statement, Text, begin, located, read_formula

if TYPE_CHECKING:
    from kripke_werewolf.proofs.natural import NaturalProof

_Groups: TypeAlias = Mapping[str, Iterable[object]]
NUMBER = re.compile(r"\s*(?:\((\d+)\)|(\d+)\s*[.):]|(\d+)(?=\s+\S))\s*")
TURNSTILE = re.compile(r"(?:⊢|\|-|\\vdash)(?:_\{?\w+\}?)?\s*")
_LOGIC = re.compile(r"\s*logic\s*[:=]?\s+(.*\S)", re.IGNORECASE)
_AGENTS = re.compile(r"\s*agents?\s*[:=]\s*\{?([^{}=]*?)\}?\s*", re.IGNORECASE)
_GROUP = re.compile(r"\s*groups?\s*:?\s*(\w+)\s*[:=]\s*\{?([^{}=]*?)\}?\s*", re.IGNORECASE)
_ACTION = re.compile(r"\s*action\s*:?\s*(\w+)\s*[:=]\s*(\[.*\S)\s*", re.IGNORECASE)
_DESCRIBED = re.compile(rf"\s*(action)\s+({QUOTED}|\w+_\{{[^{{}}\n]*\}}|\w[\w']*)\s*[:=](.*)", re.IGNORECASE)
_ASKED = re.compile(r"\s*(given|show|rules)\s*[:=]\s*(.*\S)\s*", re.IGNORECASE)
DECLARES = re.compile(
    rf"\s*(?:logic|calculus|given|show|rules|agents?|groups?\s*:?\s*\w+|action\s*:?\s*(?:{QUOTED}|\S+?))\s*[:=]",
    re.IGNORECASE,
)
_SAID = re.compile(r"(?:valid in|read as|note:|right:)\s.*|\s*\\(?:begin|end|hline)\b.*")
"""Lines printed around a derivation by commands, or in LaTeX."""
_GAP = re.compile(r"\s{2,}|\t\s*")
_WORD = re.compile(
    r"(?:modus\s+ponens|(?:positive|negative)\s+introspection|hypothetical\s+syllogism|propositional\s+logic)\b"
    rf"|{DEFINES}(?!\w)|[^\s,;()\[\]]+",
    re.IGNORECASE,
)
_FIRST = re.compile(r"([^\s:()\[\]]+(?:\s+\d+(?:\s*,\s*\d+)*)?)\s*:\s+")
"""A rule before its formula."""
_FILLERS = frozenset({"by", "from", "axiom", "ax", "rule", "line", "lines", "on", "and", "of", "using"})
_ASSUMED = re.compile(
    r"(?:ass(?:\.|um(?:e|ed|ption)?\.?)?|prem(?:ise|iss)?\.?|given|hyp(?:othesis)?\.?|supp(?:ose)?\.?)",
    re.IGNORECASE,
)


def read_proof(
    text: str,
    *,
    logic: str | Logic | None = None,
    actions: Mapping[str, ActionModel] | None = None,
    groups: _Groups | None = None,
    source: str = "proof",
) -> Proof:
    """Return the derivation described by a string, line by line.

    `logic`: the logic, S5 unless this or the text names another; `actions`: the action models denoted by
    names in `[name:event]φ`; `groups`: the members of named groups, as in C_G φ; `source`: the name of the
    string in errors.

    >>> proof = read_proof('''
    ... 1. K_a (p -> q) -> (K_a p -> K_a q)   K
    ... 2. p -> p                             Taut
    ... 3. K_a (p -> p)                       Nec 2
    ... ''', logic="K")
    >>> [line.reason for line in proof.lines]
    ['K', 'Taut', 'Nec 2']

    Raises `FormatError` with line and column.
    """
    return ProofReader(text, source, actions or {}, groups or {}).proof(logic)


def read_with_remarks(
    text: str, *, logic: str | Logic | None = None, groups: _Groups | None = None, source: str = "proof"
) -> tuple[Proof, list[str]]:
    """Return a derivation as `read_proof` does, and remarks on notation that may mean something else.

    >>> read_with_remarks("Kap -> Kap   PL")[1]
    ['Kap is read as an atom; did you mean K_a p?']
    """
    reader = ProofReader(text, source, {}, groups or {})
    proof = reader.proof(logic)
    formulas = [line.formula for line in proof.lines]
    named = () if reader.declared else reader.bare.named
    remarks = [*about_unindexed(reader.bare.signs, named), *(r for f in formulas for r in doubtful_names(f))]
    opaque = (g for f in formulas for g in f.subformulas() if isinstance(g, s.Probability | s.KnowsValue))
    remarks += [
        f"{g} is treated as an atom here: no axiom is about its operator, and proof export refuses it"
        for g in opaque
    ]
    return proof, list(dict.fromkeys(remarks))


class TextRow(NamedTuple):
    """A line of the text: its formula and rule, with their positions."""

    formula: str
    place: int
    reason: str
    reason_place: int


class ProofReader:
    """Reads one string; positions are those in the whole string."""

    def __init__(self, text: str, source: str, actions: Mapping[str, ActionModel], groups: _Groups) -> None:
        self.text, self.source, self.actions = text.expandtabs(4), source, dict(actions)
        self.parts = Text(text, source)
        self.groups: dict[str, tuple[str, ...]] = {g: tuple(map(str, of)) for g, of in groups.items()}
        self.updates: dict[str, ActionModel] = {}
        """The actions declared in the text."""
        self.declared: tuple[str, ...] = ()
        self.bare = Unindexed(frozenset(), ())
        self.premises: list[Span] = []
        self.goal: list[Span] = []
        self.rules: tuple[str, ...] = ()
        self.chosen = logic_named("S5")

    def fail(self, place: int, message: str) -> NoReturn:
        """Raise a FormatError that names line and column."""
        raise located(self.text, place, self.source, message) from None

    def proof(self, logic: str | Logic | None) -> Proof:
        """Return the derivation."""
        rows = [self.row(content, place, n) for n, (content, place) in enumerate(self.body(logic), 1)]
        if not rows and not self.goal:
            self.fail(len(self.text.rstrip()), "expected a line such as '1. K_a p -> p   T'")
        asked = self.asked()
        self.bare = self.unindexed([*asked, *rows])
        premises, goal = self.sequent(asked)
        lines = tuple(self.line(row, n) for n, row in enumerate(rows, 1))
        return Proof(self.chosen, lines, premises, goal, self.rules)

    def asked(self) -> list[TextRow]:
        """Return the premises, and last what is to be derived, as rows without a reason."""
        return [TextRow(part.text, part.start, "", 0) for part in (*self.premises, *self.goal)]

    def sequent(self, asked: Sequence[TextRow]) -> tuple[tuple[Formula, ...], Formula | None]:
        """Return the formulas of the premises, and the one to be derived, if there is one."""
        formulas = [self.formula(row.formula, row.place) for row in asked]
        goal = formulas.pop() if self.goal else None
        return tuple(formulas), goal

    def body(self, logic: str | Logic | None) -> list[tuple[str, int]]:
        """Read the declarations at the top; return the lines below them, with their positions."""
        chosen, rows = None if logic is None else logic_named(logic), list[tuple[str, int]]()
        for content, place in self.contents():
            if not rows and (named := _LOGIC.fullmatch(content)):
                chosen = self.logic(named[1], place + named.start(1), chosen)
            elif rows or not self.header(content, place):
                if DECLARES.match(content):
                    wanted = "this must stand before the lines of the derivation"
                    known = "expected a line such as 'logic: K', 'calculus: natural' or 'show: p ⊢ p | q'"
                    self.fail(place + begin(content), wanted if rows else known)
                rows.append((content, place))
        self.chosen = chosen or self.chosen
        return rows

    def contents(self) -> Iterator[tuple[str, int]]:
        """Yield the nonempty lines without comments, with their positions.

        The lines that describe an action are joined to the line before them.
        """
        found: list[tuple[str, int]] = []
        place = 0
        for row in self.parts.text.splitlines(keepends=True):
            content = row.rstrip()
            last = found[-1][0] if found else ""
            if content and not _SAID.fullmatch(content):
                described = _DESCRIBED.match(last) and not _ACTION.fullmatch(last)
                if described and begin(content) > begin(last) and not NUMBER.match(content):
                    start = found[-1][1]
                    found[-1] = self.parts.text[start : place + len(content)], start
                else:
                    found.append((content, place))
            place += len(row)
        yield from found

    # --- what the lines before the first formula say ----------------------------------------------

    def header(self, row: str, place: int) -> bool:
        """Read a declaration before the first formula; return whether the line is one."""
        if found := _ASKED.fullmatch(row):
            self.ask(found[1].casefold(), Span(found[2], place + found.start(2)))
        elif found := _AGENTS.fullmatch(row):
            self.declared = self.names(found[1], place + found.start(1))
        elif found := _GROUP.fullmatch(row):
            group = tuple(sorted(set(self.names(found[2], place + found.start(2)))))
            if (known := self.groups.get(found[1], group)) != group and set(known) != set(group):
                self.fail(place + found.start(2), f"{found[1]} was declared as {', '.join(known)}")
            self.groups[found[1]] = group
        elif found := _ACTION.fullmatch(row):
            at = place + found.start(2)
            try:
                action = announced(found[2], self.groups)
            except FormulaError:
                self.fail(at, f"expected an announcement to some agents, such as [a!p], got {found[2]!r}")
            if found[1] in self.actions and self.actions[found[1]].point(*action.events) != action:
                self.fail(at, f"{found[1]} is {found[2]} here, and another action was given for it")
            self.declare(found[1], action, place + found.start(1))
        elif found := _DESCRIBED.match(row):
            self.describe(found, place)
        else:
            return False
        return True

    def ask(self, word: str, part: Span) -> None:
        """Read a premise, what is to be derived, or the rules that may be used."""
        if word == "rules":
            self.rules = tuple(self.rule_name(name.text, name.start) for name in self.parts.split(part))
        elif word == "given":
            self.premises.append(part)
        else:
            if self.goal:
                self.fail(part.start, "the goal is given twice")
            turnstile = TURNSTILE.search(part.text)
            start, end = turnstile.span() if turnstile else (0, 0)
            self.premises += self.parts.split(Span(part.text[:start].rstrip(), part.start))
            self.goal = [Span(part.text[end:], part.start + end)]

    def rule_name(self, name: str, place: int) -> str:
        """Return the name of a rule, or `given` for another word for it."""
        try:
            return GIVEN if _ASSUMED.fullmatch(name) else rule_named(name)
        except UnknownNameError as error:
            self.fail(place, str(error))

    def describe(self, found: re.Match[str], place: int) -> None:
        """Read an action from the lines that describe it."""
        try:
            name = read_name(found[2])
        except ValueError as error:
            self.fail(place + found.start(2), str(error))
        if found[3].strip():
            self.fail(
                place + found.start(3) + begin(found[3]),
                f"expected an announcement to some agents, as in 'action {name} = [a!p]', or else indented "
                "lines 'event NAME if FORMULA: CHANGES' below this one",
            )
        content = self.parts.cut(place + found.end(), place + len(found.string))
        word, nothing = Span(found[1], place + found.start(1)), Span("", content.start)
        reader = ActionReader(
            self.parts,
            formula=lambda part: self.formula(part.text, part.start),
            atom=self.atom,
            agent=lambda part: part.text,
        )
        action = reader.read(name, Statement(content, word, nothing, nothing, content))
        if name in self.actions and action_lines(self.actions[name]) != action_lines(action):
            self.fail(word.start, f"{name} is described here, and another action was given for it")
        self.declare(name, known_as(action, self.updates.values()), word.start)

    def declare(self, name: str, action: ActionModel, place: int) -> None:
        """Declare an action under a new name."""
        if name in self.updates:
            self.fail(place, f"the action {name} is declared twice")
        self.updates[name] = action

    def atom(self, part: Span) -> str:
        """Return the atom changed by an action."""
        atom = self.formula(part.text, part.start)
        if not isinstance(atom, s.Atom):
            self.fail(part.start, f"expected an atom, got {part.text!r}")
        return atom.name

    def names(self, text: str, place: int) -> tuple[str, ...]:
        """Return the agents named in a declaration."""
        names = tuple(name.strip() for name in text.split(","))
        if not all(names):
            self.fail(place, f"expected agents such as a, b, got {text!r}")
        return names

    def logic(self, name: str, place: int, wanted: Logic | None) -> Logic:
        """Return the logic that is named, which must be the one asked for."""
        try:
            found = logic_named(name)
        except (FormulaError, UnknownNameError) as error:
            self.fail(place, str(error))
        if wanted is not None and found != wanted:
            self.fail(place, f"the derivation is in {found}, and a derivation in {wanted} was asked for")
        return found

    def unindexed(self, rows: Iterable[TextRow]) -> Unindexed:
        """Return the operators without an index in all formulas, and the agents named by the others."""
        found = []
        for row in rows:
            try:
                found.append(unindexed(row.formula, self.groups))
            except KripkeError:
                continue  # reported with its position when the formula is read
        named = frozenset[str]().union(*(x.named for x in found))
        return Unindexed(named, _once(sign for x in found for sign in x.signs), all(x.single for x in found))

    # --- lines -----------------------------------------------------------------------------------

    def row(self, row: str, place: int, number: int) -> TextRow:
        """Split a line into its formula and its rule."""
        row = _without_latex(row)
        start = self.numbered(row, place, number)
        if turnstile := TURNSTILE.match(row, start):
            start = turnstile.end()
        if start == len(row.rstrip()):
            self.fail(place + start, "expected a formula")
        first = _FIRST.match(row, start)
        if first and _cites(first[1]) and self.is_formula(row[first.end() :]):
            return TextRow(row[first.end() :], place + first.end(), first[1], place + first.start(1))
        cut = self.cut(row, start)
        return TextRow(row[start:cut], place + start, row[cut:], place + cut)

    def numbered(self, row: str, place: int, number: int) -> int:
        """Return where a row begins after its number, which may be missing."""
        found = NUMBER.match(row)
        given = next(filter(None, found.groups())) if found else number
        if int(given) != number:
            self.fail(place + begin(row), f"expected line {number}, got {given}")
        return found.end() if found else begin(row)

    def line(self, row: TextRow, number: int) -> Line:
        """Return a line with its formula and rule."""
        formula = self.formula(row.formula, row.place)
        rule, refs = self.reason(row.reason, row.reason_place, number) if row.reason.strip() else ("", ())
        return Line(formula, rule, refs)

    def formula(self, text: str, place: int) -> Formula:
        """Return a formula, with the declared actions in it."""
        if turnstile := TURNSTILE.search(text):
            self.fail(place + turnstile.start(), f"to derive q from p, {_DECLARED}, and write q alone here")

        def refuse(message: str, at: int) -> NoReturn:
            second = text[at : at + 1] == ";" and self.is_formula(text[:at])
            self.fail(place + at, _SECOND_STEP if second else message)

        agents = self.declared or self.bare.agents()
        found = read_formula(text.rstrip(), None, refuse, agents=agents, groups=self.groups)
        found = with_actions(found, self.updates).bind(**self.actions)
        for node in found.subformulas():
            if isinstance(node, s.Dynamic) and isinstance(node.update, s.Act):
                self.check_action(node.update, text, place)
        try:
            unabbreviated(found)
        except (FormulaError, UnknownNameError) as error:
            self.fail(place, f"no derivation can have this formula: {error}")
        return found

    def check_action(self, act: s.Act, text: str, place: int) -> None:
        """Fail if a formula names an undeclared action, or an event that the action lacks."""
        name, event, model = act
        if model is None:
            at = re.search(rf"(?<=[\[<])\s*{re.escape(name)}", text)
            known = [*self.updates, *self.actions]
            advice = (
                f"write [!{name}] to announce it, or declare it at the top, as in 'action {name} = [a!p]'"
            )
            error = UnknownActionError(name, known, place=f"the derivation; {advice}")
            self.fail(place + (at.start() if at else 0), str(error))
        try:
            model.point(*([] if event is None else [event]) or model.events)
        except UnknownActionError as error:
            at = re.search(rf":\s*{re.escape(str(event))}", text)
            self.fail(place + (at.start() + 1 if at else 0), str(error))

    def cut(self, row: str, start: int) -> int:
        """Return the position between the formula and the rule of a row."""
        gaps = list(_GAP.finditer(row, start))
        for gap in reversed(gaps):
            if _cites(row[gap.end() :]) and (gap is gaps[0] or self.is_formula(row[start : gap.start()])):
                return gap.start()
        if gaps and self.is_formula(row[start:]):
            return len(row)
        cuts = [start + blank.start() for blank in re.finditer(r"\s+", row[start:])]
        if not gaps:
            clear = [end for end in cuts if _cites(row[end:]) and self.is_formula(row[start:end])]
            if clear or self.is_formula(row[start:]):
                return clear[-1] if clear else len(row)
        for end in cuts:  # the readable part ends here: the error must be about the reason
            if _begins_reason(row[end:]) and self.is_formula(row[start:end]):
                return end
        # the formula cannot be read: the error must be about it alone
        return (
            gaps[-1].start() if gaps else next((end for end in reversed(cuts) if _cites(row[end:])), len(row))
        )

    def is_formula(self, text: str) -> bool:
        """Return whether a string can be read as a formula."""
        try:
            unindexed(text, self.groups)
        except (FormulaError, KripkeError):
            return False
        return True

    def reason(self, text: str, place: int, number: int) -> tuple[str, tuple[int, ...]]:
        """Return a rule and the numbers of the lines that it cites."""
        found = _reason(text)
        if found is None:
            self.refuse_reason(text, place)
        word, refs = found
        rule = self.rule_name(word[0], place + word.start())
        if rule == GIVEN and not self.premises:
            self.fail(place + word.start(), f"this derivation has no premises; to have p as one, {_DECLARED}")
        for cited in refs:
            if not 0 < int(cited[0]) < number:
                above = f"the lines above are 1 to {number - 1}" if number > 1 else "there is no line above"
                self.fail(place + cited.start(), f"line {cited[0]} is not above this one; {above}")
        return rule, tuple(int(cited[0]) for cited in refs)

    def refuse_reason(self, text: str, place: int) -> NoReturn:
        """Fail because a formula is not followed by a single rule."""
        words = [word for word in re.findall(r"[^\s,;()\[\]]+", text) if not word.isdecimal()]
        if len(words) > 1 and all(map(_cites, words)):
            at = place + text.index(words[1])
            self.fail(at, f"expected one rule for a line, got {' and '.join(words)}")
        for blank in re.finditer(r"[\s;]+", text):
            follows = NUMBER.match(text, blank.end())
            begins = follows.end() if follows else blank.end()
            if _cites(text[: blank.start()]) and self.is_formula(text[begins : self.cut(text, begins)]):
                self.fail(place + blank.end(), _SECOND_STEP)
        inside = text.strip()
        at = place + text.index(inside)
        numbers = _once(re.findall(r"\d+", inside))
        if numbers and re.fullmatch(r"[\d\s,.()\[\]]+", inside):
            cited = ", ".join(numbers)
            self.fail(
                at, f"expected a rule before the numbers of lines, such as 'PL {cited}', got {inside!r}"
            )
        self.fail(at, f"expected a rule and perhaps the numbers of lines, such as 'MP 1, 2', got {inside!r}")


_SECOND_STEP = "a second step; write each step on a line of its own"
_DECLARED = "declare the premise at the top, as in 'given: p'"


def _reason(text: str) -> tuple[re.Match[str], list[re.Match[str]]] | None:
    """Return the word that names a rule, and the numbers beside it: `MP 1, 2`, `from 1 and 2 by MP`."""
    words = [word for word in _WORD.finditer(text) if word[0].casefold().strip(".:") not in _FILLERS]
    names = [word for word in words if not word[0].strip(".:").isdecimal()]
    if not names and words and words[0][0] in ("4", "5"):
        names = words[:1]
    if len(names) != 1 or names[0] not in (words[0], words[-1]):
        return None
    name = re.compile(r".*[^.:]").match(text, names[0].start(), names[0].end())
    numbers = [re.compile(r"\d+").match(text, word.start()) for word in words if word is not names[0]]
    return None if name is None else (name, [number for number in numbers if number])


def _without_latex(row: str) -> str:
    """Return a row of the same length without $, and without the columns and the end of a row of a table."""
    if row.rstrip().endswith(r"\\"):
        row = row.replace("&", " ").replace(r"\\", "  ")
    return row.replace("$", " ")


def _once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _cites(text: str) -> bool:
    """Return whether a string is a known rule, possibly with line numbers."""
    found = _reason(text)
    try:
        return found is not None and bool(_ASSUMED.fullmatch(found[0][0]) or rule_named(found[0][0]))
    except UnknownNameError:
        return False


def _begins_reason(text: str) -> bool:
    """Return whether a string begins with a number or a known rule."""
    words = [word[0].strip("[].:") for word in _WORD.finditer(text)]
    words = [word for word in words if word.casefold() not in _FILLERS]
    return bool(words) and (words[0].isdecimal() or _cites(words[0]))


def write_proof(proof: Proof) -> str:
    """Return a derivation as a string for `read_proof`.

    >>> from kripke_werewolf.language import parse
    >>> print(write_proof(read_proof("K_a p -> p T", logic="T")))
    logic: T
    1. K_a p -> p   T
    """
    apart, actions = named_apart(proof)
    return in_columns(apart, actions, [(str(x.formula), x.reason) for x in apart.lines], proof.rules)


def in_columns(
    apart: Proof | NaturalProof, actions: dict[str, str], rows: list[tuple[str, str]], rules: Sequence[str]
) -> str:  # fmt: skip
    """Return a proof whose actions have distinct names as text: declarations, then numbered rows."""
    lines = [(f"{n}.", formula, reason) for n, (formula, reason) in enumerate(rows, 1)]
    first = max((len(line[0]) for line in lines), default=0)
    second = min(max((len(line[1]) for line in lines), default=0), 80)
    top = [f"logic: {apart.logic}", *(declaration(name, text) for name, text in actions.items())]
    top += [f"given: {premise}" for premise in apart.premises if apart.goal is None]
    top += [f"show: {apart.sequent()}"] if apart.goal is not None else []
    top += [f"rules: {', '.join(rules)}"] if rules else []
    return "\n".join([*top, *(f"{n:>{first}} {f:<{second}}   {reason}".rstrip() for n, f, reason in lines)])


def declaration(name: str, text: str) -> str:
    """Return the declaration of an action under a name, from an announcement or from its describing lines."""
    if text.startswith("["):
        return f"action {name} = {text}"
    return "\n    ".join([f"action {atom_text(name)}:", *text.splitlines()])


def read_actions(
    text: str, *, groups: _Groups | None = None, source: str = "actions"
) -> dict[str, ActionModel]:
    """Return the actions declared in a string, as at the top of a derivation.

    >>> read_actions("action ask = [a?!p]")["ask"].events["no"].pre
    parse('~p')

    Raises `FormatError` with line and column.
    """
    reader = ProofReader(text, source, {}, groups or {})
    for content, place in reader.contents():
        if not reader.header(content, place):
            reader.fail(place + begin(content), "expected an action, such as 'action ask = [a?!p]'")
    return reader.updates
