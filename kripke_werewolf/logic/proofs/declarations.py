"""The agents, groups and actions that stand before a derivation, and the formulas in which they occur.

Action models in derivations: their declarations in text, and distinct names for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, NoReturn, TypeAlias, TypeVar

from kripke_werewolf.base.errors import FormulaError, KripkeError, UnknownActionError, UnknownNameError
from kripke_werewolf.base.files import unmarked
from kripke_werewolf.base.reader import QUOTED, Part, Source
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.names import atom_text, read_name
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.notation.parser import Unindexed, parse, unindexed
from kripke_werewolf.logic.proofs.abbreviations import unabbreviated
from kripke_werewolf.logic.semantics.action import ActionModel, Event, action_of_update
from kripke_werewolf.logic.written import (
    ActionReader,
    Statement,
    action_lines,
    read_formula,
    without_comments,
)

if TYPE_CHECKING:
    from kripke_werewolf.logic.proofs.natural import NaturalProof
    from kripke_werewolf.logic.proofs.proof import Proof

P = TypeVar("P", "Proof", "NaturalProof")


def _as_action(update: s.Announce) -> ActionModel | None:
    """Return the action model for an announcement in derivations; None for a public one.

    It has no actual events, since each line names its event.
    """
    action = action_of_update(s.Announce(unabbreviated(update.content), update.group, update.whether))
    return None if action is None else action.point(*action.events)


def announced(text: str, groups: Mapping[str, Iterable[object]] | None = None) -> ActionModel:
    """Return the action denoted by an announcement such as `[a!p]`; raises `FormulaError` for others."""
    f = parse(f"{text}true", groups=groups)
    action = _as_action(f.update) if isinstance(f, s.Box) and isinstance(f.update, s.Announce) else None
    if action is None or f.children[-1] is not s.TRUE:
        raise FormulaError(f"expected an announcement to some agents, such as [a!p], got {text!r}")
    return action


def with_actions(f: Formula, actions: Mapping[str, ActionModel]) -> Formula:
    """Return a formula with declared actions for their names, under the names used in derivations."""

    def named(node: Formula) -> Formula:
        match node:
            case s.Dynamic(s.Act(name, None, None), body) if name in actions:
                return type(node)(s.Act(name, None, actions[name]), body)
            case s.Dynamic(s.Act(name, event, None), body) if name in actions:
                whole = _whole(actions[name])
                return type(node)(s.Act(whole.name, event, whole), body)
        return node

    return f.rewrite(named) if actions else f


def announcement(action: ActionModel) -> s.Announce | None:
    """Return an announcement with the events and relations of an action, or None.

    >>> from kripke_werewolf.logic.formulas import parse
    >>> update = parse("[a!p]q").update
    >>> announcement(_as_action(update)) == update
    True
    """
    group = tuple(action.relations) or None
    for event in action.events.values():
        for asked in (False, True):
            found = s.Announce(event.pre, group, asked)
            try:
                if (known := _as_action(found)) and known.named(action.name) == _whole(action):
                    return found
            except KripkeError:  # a precondition not allowed in derivations
                return None
    return None


def _known_as(action: ActionModel, others: Iterable[ActionModel]) -> ActionModel:
    """Return an action under the name that an announcement, or another action, has for the same events."""
    known = [x for x in others if _whole(x).named(action.name) == _whole(action)]
    if (update := announcement(action)) is not None and (same := _as_action(update)) is not None:
        known.insert(0, same)
    return action.named(known[0].name) if known else action


def _whole(action: ActionModel) -> ActionModel:
    return action.point(*action.events)


class _Names:
    """The actions in formulas with their names; with other designated events an action is a different one.

    `whole`: the actions whose events formulas name, with all events designated; `acted`: those whose
    designated events are meant. Both give the names used in formulas.
    """

    def __init__(self) -> None:
        self.whole: dict[ActionModel, str] = {}
        self.acted: dict[ActionModel, str] = {}
        self._order: list[ActionModel] = []

    def see(self, f: Formula) -> Formula:
        """Record the actions of a formula, those in the conditions of others first; return it."""
        for node in f.subformulas():
            if isinstance(node, s.Dynamic) and isinstance(node.update, s.Act):
                name, event, model = node.update
                if model is None:
                    continue
                action, known = (model, self.acted) if event is None else (_whole(model), self.whole)
                if action not in known:
                    for condition in action.formulas:
                        self.see(condition)
                    known[action] = name
                    self._order.append(_whole(action))
        return f

    def given(self) -> Iterator[tuple[str, ActionModel, bool]]:
        """Yield names with their actions, and whether formulas name events of the action by that name."""
        taken: list[str] = []
        for whole in dict.fromkeys(self._order):
            acted = [(action, name) for action, name in self.acted.items() if _whole(action) == whole]
            for n, (action, name) in enumerate(acted or [(whole, self.whole[whole])]):
                taken.append(next(x for x in _numbered(name) if x not in taken))
                yield taken[-1], action, n == 0


def named_apart(proof: P) -> tuple[P, dict[str, str]]:
    """Return a proof with distinct names for its actions, and their declarations.

    A declaration is an announcement such as `[a!p]`, or the lines that describe an action; an action follows
    those that it mentions.

    >>> from kripke_werewolf.logic.proofs.derivation import derivation
    >>> named_apart(derivation("([a!p]K_b q <-> (p -> K_b q)) & ([b!p]K_a q <-> (p -> K_a q))"))[1]
    {'private': '[b!p]', 'private_2': '[a!p]'}
    """
    names = _Names()
    proof.mapped(names.see)
    acted: dict[ActionModel, str] = {}
    whole: dict[ActionModel, str] = {}
    declarations: dict[str, str] = {}

    def renamed(node: Formula) -> Formula:
        match node:
            case s.Dynamic(s.Act(_, None, model), body) if model is not None:
                return type(node)(s.Act(acted[model], None, model), body)
            case s.Dynamic(s.Act(_, event, model), body) if model is not None:
                return type(node)(s.Act(whole[_whole(model)], event, model), body)
        return node

    for name, action, first in names.given():
        declarations[name] = _declaration(name, action, renamed)
        acted[action] = name
        if first:
            whole[_whole(action)] = name
    return proof.mapped(lambda f: f.rewrite(renamed)), declarations


def _declaration(name: str, action: ActionModel, renamed: Callable[[Formula], Formula]) -> str:
    update = announcement(action)
    if update is not None and action == _whole(action) and re.fullmatch(r"\w+", name):
        said = s.Box(update, s.TRUE).rewrite(renamed)
        return str(said).removesuffix("true")
    events = {
        key: Event(event.pre.rewrite(renamed), {atom: f.rewrite(renamed) for atom, f in event.post.items()})
        for key, event in action.events.items()
    }
    return "\n".join(action_lines(action.with_events(events)))


def declaration(name: str, text: str) -> str:
    """Return the declaration of an action under a name, from an announcement or from its describing lines."""
    if text.startswith("["):
        return f"action {name} = {text}"
    return "\n    ".join([f"action {atom_text(name)}:", *text.splitlines()])


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(2))


Groups: TypeAlias = Mapping[str, Iterable[object]]
NUMBER = re.compile(r"\s*(?:\((\d+)\)|(\d+)\s*[.):]|(\d+)(?=\s+\S))\s*")
"""The number of a line."""
TURNSTILE = re.compile(r"(?:⊢|\|-|\\vdash)(?:_\{?\w+\}?)?\s*")
_AGENTS = re.compile(r"\s*agents?\s*[:=]\s*(.*\S)\s*", re.IGNORECASE)
_GROUP = re.compile(r"\s*groups?\s*:?\s*(\w+)\s*[:=]\s*(.*\S)\s*", re.IGNORECASE)
_ACTION = re.compile(r"\s*action\s*:?\s*(\w+)\s*[:=]\s*(\[.*\S)\s*", re.IGNORECASE)
_DESCRIBED = re.compile(rf"\s*(action)\s+({QUOTED}|\w+_\{{[^{{}}\n]*\}}|\w[\w']*)\s*[:=](.*)", re.IGNORECASE)
_SAID = re.compile(r"(?:valid in|read as|note:|right:)\s.*|\s*\\(?:begin|end|hline)\b.*|\s*(?:QED|qed|∎)\W*")
"""Lines printed around a derivation by commands, or in LaTeX, and its end."""
SECOND_STEP = "a second step; write each step on a line of its own"
HOW_TO_DECLARE = "declare the premise at the top, as in 'given: p'"


class DeclarationReader:
    """Reads one string with declarations."""

    def __init__(self, text: str, source: str, groups: Groups) -> None:
        text = "\n".join(unmarked(text).expandtabs(4).splitlines())
        self.text = Part(without_comments(text), 0, Source(text, source))
        self.groups: dict[str, tuple[str, ...]] = {g: tuple(map(str, of)) for g, of in groups.items()}
        self.updates: dict[str, ActionModel] = {}
        """The actions declared in the text."""
        self.declared: tuple[str, ...] = ()
        self.bare = Unindexed(frozenset(), ())

    def contents(self) -> list[Part]:
        """Return the nonempty lines without comments.

        The lines that describe an action are joined to the line before them.
        """
        found: list[Part] = []
        for row in self.text.lines():
            last = found[-1] if found else None
            if _SAID.fullmatch(row.text):
                continue
            described = last and _DESCRIBED.match(last.text) and not _ACTION.fullmatch(last.text)
            if last and described and row.indent > last.indent and not NUMBER.match(row.text):
                found[-1] = self.text.cut(last.start, row.start + len(row.text))
            else:
                found.append(row)
        return found

    def header(self, row: Part) -> bool:
        """Read a declaration; return whether the line is one."""
        if found := _AGENTS.fullmatch(row.text):
            self.declared = tuple(name.text for name in row.group(found, 1).names())
        elif found := _GROUP.fullmatch(row.text):
            of = row.group(found, 2)
            group = tuple(sorted({name.text for name in of.names()}))
            if (known := self.groups.get(found[1], group)) != group and set(known) != set(group):
                of.fail(f"{found[1]} was declared as {', '.join(known)}")
            self.groups[found[1]] = group
        elif found := _ACTION.fullmatch(row.text):
            told = row.group(found, 2)
            try:
                action = announced(told.text, self.groups)
            except FormulaError:
                told.fail(f"expected an announcement to some agents, such as [a!p], got {told.text!r}")
            self.declare(row.group(found, 1), found[1], action)
        elif found := _DESCRIBED.match(row.text):
            self.describe(row, found)
        else:
            return False
        return True

    def describe(self, row: Part, found: re.Match[str]) -> None:
        """Read an action from the lines that describe it."""
        word, named, rest = (row.group(found, number) for number in (1, 2, 3))
        try:
            name = read_name(named.text)
        except ValueError as error:
            named.fail(error.args[0])
        if rest.text.strip():
            rest.cut().fail(
                f"expected an announcement to some agents, as in 'action {name} = [a!p]', or else indented "
                "lines 'event NAME if FORMULA: CHANGES' below this one"
            )
        content = row.cut(found.end())
        reader = ActionReader(self.formula, self.atom, lambda part: part.text)
        action = reader.read(name, Statement(row, word, named, named, content))
        self.declare(word, name, _known_as(action, self.updates.values()))

    def declare(self, place: Part, name: str, action: ActionModel) -> None:
        """Declare an action under a new name."""
        if name in self.updates:
            place.fail(f"the action {name} is declared twice")
        self.updates[name] = action

    def atom(self, part: Part) -> str:
        """Return the atom changed by an action."""
        atom = self.formula(part)
        if not isinstance(atom, s.Atom):
            part.fail(f"expected an atom, got {part.text!r}")
        return atom.name

    # --- formulas --------------------------------------------------------------------------------

    def formula(self, part: Part) -> Formula:
        """Return a formula, with the declared actions in it."""
        text = part.text
        if turnstile := TURNSTILE.search(text):
            part.fail(f"to derive q from p, {HOW_TO_DECLARE}, and write q alone here", turnstile.start())

        def refuse(message: str, at: int) -> NoReturn:
            second = text[at : at + 1] == ";" and self.is_formula(text[:at])
            part.fail(SECOND_STEP if second else message, at)

        agents = self.declared or self.bare.agents()
        found = read_formula(text, None, refuse, agents=agents, groups=self.groups)
        found = with_actions(found, self.updates)
        for node in found.subformulas():
            if isinstance(node, s.Dynamic) and isinstance(node.update, s.Act):
                self.check_action(node.update, part)
        try:
            unabbreviated(found)
        except (FormulaError, UnknownNameError) as error:
            part.fail(f"no derivation can have this formula: {error}")
        return found

    def check_action(self, act: s.Act, part: Part) -> None:
        """Fail if a formula names an undeclared action, or an event that the action lacks."""
        name, event, model = act
        if model is None:
            at = re.search(rf"(?<=[\[<])\s*{re.escape(name)}", part.text)
            advice = f"write [!{name}] to announce it, or declare it at the top: 'action {name} = [a!p]'"
            error = UnknownActionError(name, [*self.updates], place=f"the derivation; {advice}")
            part.fail(str(error), at.start() if at else 0)
        try:
            model.point(*([] if event is None else [event]) or model.events)
        except UnknownActionError as error:
            at = re.search(rf":\s*{re.escape(str(event))}", part.text)
            part.fail(str(error), at.start() + 1 if at else 0)

    def is_formula(self, text: str) -> bool:
        """Return whether a string can be read as a formula."""
        try:
            unindexed(text, self.groups)
        except (FormulaError, KripkeError):
            return False
        return True


def read_actions(
    text: str, *, groups: Groups | None = None, source: str = "actions"
) -> dict[str, ActionModel]:
    """Return the actions declared in a string, as at the top of a derivation.

    >>> read_actions("action ask = [a?!p]")["ask"].events["no"].pre
    parse('~p')

    Raises `FormatError` with line and column.
    """
    reader = DeclarationReader(text, source, groups or {})
    for content in reader.contents():
        if not reader.header(content):
            content.fail("expected an action, such as 'action ask = [a?!p]'")
    return reader.updates
