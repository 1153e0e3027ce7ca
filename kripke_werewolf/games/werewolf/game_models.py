"""The Kripke model of a game and of its players' knowledge, and its symbolic counterpart.

In the classical reading every surviving (assignment, deaths), together with the players' private moves and
results, is a possible actual game of ordinary Werewolf. The superposition is the set of designated worlds.
Everything that players have been told is an action model (`actions.actions_of`); the model of the game is the
initial one updated with these in turn, only for the agents in question. Questions about knowledge alone are
answered only from the handouts of these agents.

Two engines carry the updates: the explicit one lists worlds, the symbolic one keeps a knowledge structure.
Only relevant deaths are modelled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial, reduce
from itertools import chain
from math import comb, prod
from operator import and_, or_
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from kripke_werewolf.base.errors import (
    DiagramTooLarge,
    FalseAnnouncement,
    GameError,
    ModelTooLarge,
    counted_roughly,
)
from kripke_werewolf.games.werewolf.actions import WAITS, Option, WorldName, actions_of
from kripke_werewolf.games.werewolf.declarations import atoms_of, declared, seated
from kripke_werewolf.games.werewolf.enumerated import Deals, Enumerated, Rows, make_worlds
from kripke_werewolf.games.werewolf.events import definitions
from kripke_werewolf.games.werewolf.move_atoms import MoveAtom, moves_in
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.superposition import NotCovered, NoWorldLeft
from kripke_werewolf.games.werewolf.told import Told
from kripke_werewolf.logic.english.sentences import enumerated
from kripke_werewolf.logic.formulas import Atom, Formula, Probability, conjunction
from kripke_werewolf.logic.formulas.simplification import negated
from kripke_werewolf.logic.models.model import KripkeModel, Numbered
from kripke_werewolf.logic.semantics.action import ActionModel, is_equivalence
from kripke_werewolf.logic.semantics.worlds import Computed

if TYPE_CHECKING:
    from kripke_werewolf.logic.symbolic.structure import SymbolicStructure

MOST_LISTED = 100_000_000
"""The largest number of worlds in a recommended model: it takes some GB."""

# --- one driver for both engines -----------------------------------------------------------------


class _Carrier(Protocol):
    """The model of a game in one of the engines."""

    def update(self, action: ActionModel) -> Self:
        """Return the model after an event."""
        ...


C = TypeVar("C", bound=_Carrier)


@dataclass(frozen=True)
class Course:
    """The events of a game that are relevant to the knowledge of some players.

    `actions`: for each event, its action model, or None if it changes nothing for them. `deaths_of`: the
    players whose deaths are in question; `followed`: the atoms whose changes matter, for these and later
    events.
    """

    setup: Setup
    agents: tuple[str, ...]
    deaths_of: frozenset[str]
    followed: frozenset[str]
    actions: tuple[ActionModel, ...]
    phases: tuple[int, ...]
    """For each action, the position of its phase."""
    moves: tuple[MoveAtom, ...]
    """The moves in question."""

    @classmethod
    def of(
        cls, known: Told, agents: Iterable[str] | None = None, about: Iterable[str] | None = None
    ) -> Course:
        """Return the course of a game for some players, by default all, and the deaths and moves in question.

        `about`: the atoms in question; by default those of all deaths, and no moves.
        """
        setup = known.setup
        facts, deaths = frozenset(atoms_of(setup)), frozenset(f"dead_{name}" for name in setup.players)
        chosen = frozenset(setup.players if agents is None else agents)
        asked = deaths if about is None else frozenset(about)
        wanted = frozenset(name for name in setup.players if f"dead_{name}" in asked)
        others, before = asked - facts, None
        while before != (chosen, others):  # what was said may be about further players and moves
            before = chosen, others
            moves = moves_in(setup, others)
            placed = list(actions_of(known, chosen, moves))
            models = tuple(action for _, action in placed)
            chosen = chosen.union(*(action.formula_agents for action in models))
            others |= frozenset[str]().union(*map(_mentioned, models)) - facts
        followed = _followed(models, (facts - deaths) | asked | others)
        in_order = tuple(name for name in setup.players if name in chosen)
        phases = tuple(position for position, _ in placed)
        return cls(setup, in_order, wanted, followed, models, phases, moves)

    def actions_in(self, known: Told) -> tuple[ActionModel, ...]:
        """Return the actions of another Told of the same game, for the same players."""
        return tuple(action for _, action in actions_of(known, frozenset(self.agents), self.moves))

    def with_deaths_in(self, courses: Iterable[Sequence[ActionModel]]) -> Course:
        """Return the course that also follows the deaths that other actions of the game mention."""
        return replace(self, followed=_followed(chain.from_iterable(courses), self.followed))

    @property
    def probabilities(self) -> bool:
        """Whether some event depends on probabilities."""
        formulas = (e.pre for model in self.actions if model.formula_agents for e in model.events.values())
        return any(isinstance(node, Probability) for f in formulas for node in f.subformulas())

    @cached_property
    def most_worlds(self) -> int:
        """The greatest possible number of worlds of the explicit model."""
        most, nights = self.setup.worlds, set[int]()
        for phase, action in zip(self.phases, self.actions, strict=True):
            part = action.for_agents(self.agents, self.followed)
            if not _tells_whether(part):
                most *= max((len(set(sight)) for sight in part._sights.values()), default=1)
            changed = {tuple(event.post) for event in part.events.values()}
            if any(not atom.startswith("dead_") for post in changed for atom in post):
                most *= len(changed)
            elif len(changed) > 1:
                nights.add(phase)
        followed = sum(atom.startswith("dead_") for atom in self.followed)
        # one dominant wolf kills at most one player a night
        return most * sum(comb(followed, k) for k in range(min(len(nights), followed) + 1))


def _tells_whether(action: ActionModel) -> bool:
    """Whether an action changes nothing and only tells whether something is true: it makes no worlds."""
    one, *others = action.events.values()
    return not action.changed and [event.pre for event in others] == [negated(one.pre)]


def at_the_end(start: C, actions: Iterable[ActionModel]) -> C:
    """Return the model after all actions."""
    return reduce(lambda now, action: now.update(action), actions, start)


def along(start: C, courses: Iterable[Sequence[ActionModel]]) -> Iterator[C]:
    """Yield the model after each of several lists of actions; common beginnings are computed once."""
    done: list[tuple[ActionModel, C]] = []
    for actions in courses:
        while done and [action for action, _ in done] != list(actions[: len(done)]):
            done.pop()
        now = done[-1][1] if done else start
        for action in actions[len(done) :]:
            now = now.update(action)
            done.append((action, now))
        yield now


def _followed(actions: Iterable[ActionModel], atoms: frozenset[str]) -> frozenset[str]:
    """Return some atoms, those that actions mention, and those on which new values of any of these depend."""
    models = tuple(actions)
    found, before = atoms.union(*map(_mentioned, models)), None
    values = [value for model in models for event in model.events.values() for value in event.post.items()]
    while before != found:
        before = found
        found = found.union(*(value.atoms for atom, value in values if atom in found))
    return found


@lru_cache(maxsize=8192)
def _spelled_out(action: ActionModel, setup: Setup, followed: frozenset[str], *, roles: bool) -> ActionModel:
    """Return an action without atoms `dominant_i`; with `roles`, without any defined atoms.

    Raises `GameError` if it changes anything but deaths, the facts of the deck, and cards that may change.
    """
    changing = ("dead", *setup.deck.facts, *setup.deck.changing)
    other = {atom for atom in action.changed if atom.partition("_")[0] not in changing}
    if changed := sorted(other - {move.name for move in moves_in(setup, other)}):
        raise GameError(
            f"the event {action.name!r} changes {', '.join(changed)}; "
            f"an event of the game can change who is {' or '.join(changing)}"
        )
    meant = definitions(setup, followed)
    return action.substitute({atom: f for atom, f in meant.items() if roles or atom.startswith("dominant_")})


@lru_cache(maxsize=4096)
def _mentioned(action: ActionModel) -> frozenset[str]:
    """Return the atoms whose values matter to an action, or that it changes anyway."""
    events = action.events.values()
    changed = frozenset.intersection(*(frozenset(event.post) for event in events))
    return changed.union(*(event.pre.atoms for event in events))


# --- the explicit engine -------------------------------------------------------------------------


@dataclass(frozen=True)
class Explicit:
    """The explicit model of a game for some agents, updated event by event.

    It begins with all assignments of the deck. Its atoms are the facts about roles, and the relevant deaths;
    each event is a product update only for the agents in question, so that others' events cost little. During
    updates a world is named by its assignment and, in nested pairs, by the private events since; `shown`
    makes the final names.
    """

    course: Course
    model: KripkeModel
    limit: int

    @classmethod
    def start(cls, known: Told, course: Course, *, weighted: bool, limit: int) -> Explicit:
        """Return the model before the first move.

        In the quantum deal nobody can tell any worlds apart; in a classical deal players know their cards,
        and wolves each other's. Unless `weighted`, agents have no probabilities, except if events depend on
        them. Raises `ModelTooLarge` for more than `limit` worlds, and `NotCovered` if somebody did not notice
        an event.
        """
        setup, agents = known.setup, course.agents
        if any(misleads(action, agents) for action in course.actions):
            raise NotCovered("after words that others did not notice only the symbolic engine answers")
        if not Enumerated.fits(setup.deck) and setup.sample is None:
            raise not_listed(setup.worlds)
        if setup.worlds > limit:
            raise _too_large(setup, setup.worlds, limit, agents)
        model = _first_model(known, course, () if weighted or course.probabilities else agents)
        return cls(course, model if model.designates_all else model.generated(), limit)

    def update(self, action: ActionModel) -> Explicit:
        """Return the model after an event."""
        setup = self.course.setup
        plain = _spelled_out(action, setup, self.course.followed, roles=bool(setup.deck.changing))
        try:
            return replace(self, model=self.model.update(plain, limit=self.limit, merge=True))
        except FalseAnnouncement as error:
            raise NoWorldLeft from error
        except ModelTooLarge as error:
            raise _too_large(self.course.setup, error.worlds, self.limit, self.model.agents) from None

    def shown(self) -> KripkeModel:
        """Return the model generated by the designated worlds, without deaths that are not in question.

        A world is named by the roles in seat order, capital where dead, and the private events of the agents
        if there are several.
        """
        model = self.model.generated() if len(self.model.agents) > 1 else self.model
        meant = definitions(self.course.setup, self.course.followed)
        ignored = {f"dead_{p}" for p in self.course.setup.players if p not in self.course.deaths_of}
        kept = [atom for atom in atoms_of(self.course.setup) if atom not in ignored]
        atoms: dict[str, Formula] = {atom: Atom(atom) for atom in kept}
        defined = tuple(meant) if self.course.setup.deck.changing else "dominant_"
        atoms |= {atom: meant[atom] for atom in kept if atom.startswith(defined)}
        atoms |= {move.name: Atom(move.name) for move in self.course.moves}
        return Numbered(model).described(self._namer(model), atoms)

    def _namer(self, model: KripkeModel) -> Callable[[int], str]:
        agents = model.agents if len(model.agents) > 1 else ()
        others = {move.name: Option.made(move) for move in self.course.moves if move.actor not in agents}
        deaths, numbered = [f"dead_{player}" for player in self.course.setup.players], Numbered(model)

        @cache
        def true(atom: str) -> frozenset[int]:
            return frozenset(numbered.numbers(Atom(atom)) if atom in self.course.followed else ())

        def name(number: int) -> str:
            deal, events = happened(model.worlds[number])
            letters = (s.upper() if number in true(dead) else s for s, dead in zip(deal, deaths, strict=True))
            own = (e for e in events if isinstance(e, Option) and e.actor in agents and e.note != WAITS)
            made = (option for atom, option in others.items() if number in true(atom))
            return WorldName("".join(letters), [*own, *made])

        return name


def _first_model(known: Told, course: Course, alike: Collection[str]) -> KripkeModel:
    """Return the model of the worlds before the first move; `alike`: the agents without probabilities."""
    setup, worlds = known.setup, _start_worlds(known.setup)
    deals, facts = worlds.deals, dict[str, Rows]()
    for seat, player in enumerate(setup.players):
        facts |= {f"{fact}_{player}": holders[seat] for fact, holders in deals.holders.items()}
        facts |= {f"{fact}_{player}": 0 for fact in setup.deck.facts}
        if f"dead_{player}" in course.followed:
            facts[f"dead_{player}"] = 0
    facts |= {move.name: 0 for move in course.moves}
    dealt, seen = None, {agent: list[Rows]() for agent in course.agents}
    if setup.deal == "classical":
        dealt = reduce(and_, (_dealt_to(known, facts, name, word) for name, word in known.cards), deals.every)
        seen = {agent: _observed(setup, deals, setup.seat(agent)) for agent in course.agents}
    written = cache(partial(worlds.world_strings, deaths=False))
    names = Computed(deals.size, lambda number: written()[number])
    return KripkeModel.from_facts(names, facts, seen, dealt, alike)


def _dealt_to(known: Told, facts: Mapping[str, Rows], name: str, word: str) -> Rows:
    """Return the rows where a player has a card as it was told."""
    roles: Collection[str] = word.split(" or ")
    if name in known.owners:
        roles = known.setup.deck.looking(word) or (word,)
    return reduce(or_, (facts[f"{role}_{name}"] for role in roles))


def _observed(setup: Setup, deals: Deals, seat: int) -> list[Rows]:
    """Return the facts of a deal that a player sees: their card, and what it tells them of others'."""
    found, nobody = list[Rows](), (0,) * len(deals.places)
    for role in dict.fromkeys(role.looks for role in setup.deck.declared[1:]):
        mine = deals.having(seat, setup.deck.looking(role))
        found.append(mine)
        for schema in setup.deck.role(role).knows:
            known = (deals.test(seated(setup, schema, seat, t), nobody) for t in deals.places)
            found += [mine & rows for other, rows in enumerate(known) if other != seat]
    return found


@lru_cache(maxsize=4)
def _start_worlds(setup: Setup) -> Enumerated:
    """Return the worlds that players consider possible before seeing any card."""
    worlds = make_worlds(replace(setup, roles=None), "enumerated")
    assert isinstance(worlds, Enumerated)
    return worlds


def _too_large(setup: Setup, size: int, limit: int, agents: Sequence[str]) -> ModelTooLarge:
    """Return the error for a model above the limit, with advice that can help in this game."""
    advice = []
    if len(agents) > 1:
        advice.append(f"ask about fewer players at once, as in game.model({agents[0]!r})")
    if setup.targets == "secret":
        advice.append('play with targets="public"')
    if size <= MOST_LISTED:
        advice.append("raise limit=")
    if setup.deal == "quantum" and setup.sample is None:
        advice.append("use the symbolic engine")
    what = "the model of the game"
    if agents:
        what += f" for {', '.join(agents)}"
    return ModelTooLarge(size, limit, what, enumerated(advice or ["play with fewer players"], "or"))


def not_listed(size: int) -> NotCovered:
    """Return the error for a game whose initial worlds are only counted."""
    return NotCovered(
        f"an explicit model needs the worlds one by one; this game has {counted_roughly(size)} at the start "
        "and only counts them: use `ask`, a sample of the worlds (sample=), or fewer players"
    )


def happened(name: object) -> tuple[str, list[Hashable]]:
    """Return the assignment and the events in the name of a world during updates."""
    events: list[Hashable] = []
    while isinstance(name, tuple):
        name, event = name
        events.append(event)
    return str(name), events[::-1]


def build_model(
    known: Told,
    agents: Iterable[str] | None = None,
    *,
    about: Iterable[str] | None = None,
    weighted: bool = True,
    limit: int,
) -> KripkeModel:
    """Return the multi-pointed Kripke model of what was told for some of the players, by default all.

    `about`: the atoms of deaths and moves that the model has, by default those of all deaths; fewer make it
    smaller. `weighted`: whether to compute the agents' weights, which only P needs. Worlds are named by the
    roles in seat order (capital where dead) and the agents' private records.

    Raises `ModelTooLarge`, before building, for a step with more than `limit` worlds, and `NoWorldLeft`
    if no world is left.
    """
    course = Course.of(known, agents, about)
    start = Explicit.start(known, course, weighted=weighted, limit=limit)
    return at_the_end(start, course.actions).shown()


@lru_cache(maxsize=4096)
def misleads(action: ActionModel, agents: tuple[str, ...]) -> bool:
    """Return whether an event may give some of the agents false beliefs."""
    return not all(is_equivalence(action._sight(agent)) for agent in agents)


# --- the symbolic engine -------------------------------------------------------------------------


@dataclass(frozen=True)
class Structure:
    """The symbolic model of a game for some agents, updated event by event."""

    course: Course
    structure: SymbolicStructure

    @staticmethod
    def refuses(setup: Setup) -> str:
        """Return the only games that have such a structure, if this one has none, or ""."""
        if not setup.deck.plain:
            return "decks of plain cards only"
        listed = setup.deal == "classical" or setup.sample is not None
        if listed:
            return "the quantum deal with all worlds only"
        return ""

    @classmethod
    def start(cls, known: Told, course: Course, *, nodes: int) -> Structure:
        """Return the multi-pointed knowledge structure before the first move of a game in the quantum deal.

        Every card has a holder, and nobody has two. The atoms are seers, the exact wolf roles, and deaths;
        `definitions` expresses the others by these. If probabilities matter, all deaths do.

        `nodes`: the size limit of the diagrams. Raises `NotCovered` for a classical deal and for a sample of
        worlds, and `DiagramTooLarge`, before building, if the cards and secrets alone need more nodes.
        """
        from kripke_werewolf.logic.symbolic.bdd import Oxidd
        from kripke_werewolf.logic.symbolic.structure import KnowledgeStructure

        setup = known.setup
        if why := cls.refuses(setup):
            raise NotCovered(f"the symbolic engine plays {why}; use the explicit one")
        needed = _expected_nodes(known, course)
        if needed > nodes:
            what = f"about as many for {len(setup.players)} players with these cards and secrets"
            raise DiagramTooLarge(needed, nodes, f"{what}; allow more")

        def named(atom: str) -> str:
            role, _, seat = atom.rpartition("_")
            return f"{role}_{setup.players[int(seat)]}"

        laws = [declared(setup).law.rename(atoms=named)]
        # the cards of one player side by side: the order in which the diagrams stay small
        facts = [f"{fact}_{name}" for name in setup.players for fact in (*setup.deck.roles[1:], "dead")]
        vocabulary = [atom for atom in facts if atom in course.followed]
        laws += [~Atom(atom) for atom in vocabulary if atom.startswith("dead_")]
        vocabulary += [move.name for move in course.moves]
        laws += [~Atom(move.name) for move in course.moves]
        nothing = {agent: list[str]() for agent in course.agents}
        structure = KnowledgeStructure(vocabulary, conjunction(laws), nothing, bdds=Oxidd(nodes=nodes))
        return cls(course, structure)

    def shown(self) -> SymbolicStructure:
        """Return the knowledge structure."""
        return self.structure

    def update(self, action: ActionModel) -> Structure:
        """Return the model after an event."""
        plain = _spelled_out(action, self.course.setup, self.course.followed, roles=True)
        return replace(self, structure=self.structure.update(plain, merge=True))


def _expected_nodes(known: Told, course: Course) -> int:
    """Return an empirical estimate of the nodes needed for a question.

    For every player the law records the cards of the players before them. After a secret action, an agent's
    possible targets differ for every set of wolves.
    """
    deck, players = known.setup.deck, len(known.setup.players)
    special = deck.roles[1:]
    law = 2 * players * prod(deck.cards(role) + 1 for role in special) * len(special)
    secret = len(course.agents) * sum(len(known.setup.actions(entry.phase)) for entry in known.entries)
    if known.setup.targets == "public" or not secret:
        return law
    return max(law, 2 * comb(players, deck.wolves) * (1 + 2 * players * (secret - 1)))
