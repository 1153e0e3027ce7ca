"""The Kripke model of a game and of its players' knowledge, and its symbolic counterpart.

In the classical reading every surviving (assignment, deaths), together with the players' private moves and
results, is a possible actual game of ordinary Werewolf. The superposition is the set of designated worlds.
Everything that players have been told is an action model (`actions.actions_of`); the model of the game is the
initial one updated with these in turn, only for the agents in question. Questions about knowledge alone are
answered only from the handouts of these agents.

A model that lists the worlds and a knowledge structure carry the updates alike. Only relevant deaths are
modelled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial, reduce
from itertools import chain, product
from math import comb, prod
from operator import and_
from typing import TYPE_CHECKING, TypeAlias

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
from kripke_werewolf.logic.formulas import Atom, Probability, conjunction
from kripke_werewolf.logic.models.model import KripkeModel, Numbered
from kripke_werewolf.logic.semantics.action import ActionModel, is_equivalence
from kripke_werewolf.logic.semantics.worlds import Computed

if TYPE_CHECKING:
    from kripke_werewolf.logic.symbolic.structure import SymbolicStructure

Model: TypeAlias = "KripkeModel | SymbolicStructure"
"""The model of a game, updated event by event: its worlds are listed, or kept as decision diagrams."""

MOST_LISTED = 100_000_000
"""The largest number of worlds in a recommended model: it takes some GB."""

# --- the events ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Course:
    """The events of a game that are relevant to the knowledge of some players.

    `actions`: their action models. `ignored`: the deaths that are not in question; `followed`: the atoms
    whose changes matter, for these and later events.
    """

    setup: Setup
    agents: tuple[str, ...]
    ignored: frozenset[str]
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
        return cls(setup, in_order, deaths - asked, followed, models, phases, moves)

    def actions_in(self, known: Told) -> tuple[ActionModel, ...]:
        """Return the actions of another Told of the same game, for the same players."""
        return tuple(action for _, action in actions_of(known, frozenset(self.agents), self.moves))

    def with_deaths_in(self, courses: Iterable[Sequence[ActionModel]]) -> Course:
        """Return the course that also follows the deaths that other actions of the game mention."""
        return replace(self, followed=_followed(chain.from_iterable(courses), self.followed))

    @property
    def vocabulary(self) -> list[str]:
        """The atoms of its models: the cards of each player side by side, which keeps diagrams small."""
        facts = (*self.setup.deck.roles[1:], "dead", *self.setup.deck.facts)
        about_players = (f"{fact}_{name}" for name in self.setup.players for fact in facts)
        moves = (move.name for move in self.moves)
        return [atom for atom in (*about_players, *moves) if atom in self.followed]

    @cached_property
    def most_worlds(self) -> int:
        """The greatest possible number of worlds of the explicit model."""
        most, nights = self.setup.worlds, set[int]()
        for phase, action in zip(self.phases, self.actions, strict=True):
            part = action.for_agents(self.agents, self.followed)
            most *= max((len(set(sight)) for sight in part._sights.values()), default=1)
            changed = {tuple(event.post) for event in part.events.values()}
            if any(not atom.startswith("dead_") for post in changed for atom in post):
                most *= len(changed)
            elif len(changed) > 1:
                nights.add(phase)
        followed = sum(atom.startswith("dead_") for atom in self.followed)
        # one dominant wolf kills at most one player a night
        return most * sum(comb(followed, k) for k in range(min(len(nights), followed) + 1))


def after_event(course: Course, model: Model, action: ActionModel, limit: int) -> Model:
    """Return a model after an event; `limit`: how many worlds may be listed."""
    plain = _spelled_out(action, course.setup, course.followed)
    if not isinstance(model, KripkeModel):
        return model.update(plain, merge=True)
    try:
        return model.update(plain, limit=limit, merge=True)
    except FalseAnnouncement as error:
        raise NoWorldLeft from error
    except ModelTooLarge as error:
        raise _too_large(course.setup, error.worlds, limit, model.agents) from None


def along(
    course: Course, start: Model, courses: Iterable[Sequence[ActionModel]], limit: int
) -> Iterator[Model]:
    """Yield the model after each of several lists of actions; common beginnings are computed once."""
    done: list[tuple[ActionModel, Model]] = []
    for actions in courses:
        while done and [action for action, _ in done] != list(actions[: len(done)]):
            done.pop()
        now = done[-1][1] if done else start
        for action in actions[len(done) :]:
            now = after_event(course, now, action, limit)
            done.append((action, now))
        yield as_shown(course, now)


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
def _spelled_out(action: ActionModel, setup: Setup, followed: frozenset[str]) -> ActionModel:
    """Return an action without atoms that others define.

    Raises `GameError` if it changes anything but deaths, the facts of the deck, and cards that may change.
    """
    changing = ("dead", *setup.deck.facts, *setup.deck.changing)
    other = {atom for atom in action.changed if atom.partition("_")[0] not in changing}
    if changed := sorted(other - {move.name for move in moves_in(setup, other)}):
        raise GameError(
            f"the event {action.name!r} changes {', '.join(changed)}; "
            f"an event of the game can change who is {' or '.join(changing)}"
        )
    return action.substitute(definitions(setup, followed))


@lru_cache(maxsize=4096)
def _mentioned(action: ActionModel) -> frozenset[str]:
    """Return the atoms whose values matter to an action, or that it changes anyway."""
    events = action.events.values()
    changed = frozenset.intersection(*(frozenset(event.post) for event in events))
    return changed.union(*(event.pre.atoms for event in events))


# --- listed worlds -------------------------------------------------------------------------------


def first_model(known: Told, course: Course, *, weighted: bool, limit: int) -> KripkeModel:
    """Return the Kripke model before the first move: all assignments of the deck.

    In the quantum deal nobody can tell any worlds apart; in a classical deal players know their cards, and
    what these tell them of others'. Unless `weighted`, agents have no probabilities, except if events depend
    on them. During updates a world is named by its assignment and, in nested pairs, by the private events
    since; `as_shown` makes the final names.

    Raises `ModelTooLarge` for more than `limit` worlds, and `NotCovered` if somebody did not notice an event.
    """
    setup, agents = known.setup, course.agents
    if not all(is_equivalence(action._sight(agent)) for action in course.actions for agent in agents):
        raise NotCovered("after words that others did not notice only the symbolic engine answers")
    if not Enumerated.fits(setup.deck) and setup.sample is None:
        raise NotCovered(
            f"an explicit model needs the worlds one by one; this game has {counted_roughly(setup.worlds)} "
            "at the start and only counts them: use `ask`, a sample of the worlds (sample=), or fewer players"
        )
    if setup.worlds > limit:
        raise _too_large(setup, setup.worlds, limit, agents)
    worlds = _start_worlds(setup)
    deals, facts = worlds.deals, dict.fromkeys(course.vocabulary, 0)
    for role in setup.deck.roles[1:]:
        held = zip(setup.players, deals.holders[role], strict=True)
        facts |= {f"{role}_{name}": rows for name, rows in held}
    dealt, seen = None, {agent: list[Rows]() for agent in agents}
    if setup.deal == "classical":
        dealt = reduce(and_, (_dealt_to(known, deals, *card) for card in known.cards), deals.every)
        seen = {agent: _observed(setup, deals, setup.seat(agent)) for agent in agents}
    written = cache(partial(worlds.world_strings, deaths=False))
    names = Computed(deals.size, lambda number: written()[number])
    said = (e.pre for action in course.actions if action.formula_agents for e in action.events.values())
    weighted = weighted or any(isinstance(node, Probability) for f in said for node in f.subformulas())
    model = KripkeModel.from_facts(names, facts, seen, dealt, () if weighted else agents)
    return model if model.designates_all else model.generated()


def as_shown(course: Course, model: Model) -> Model:
    """Return the part of a model generated by the designated worlds, without deaths not in question.

    A world is named by the roles in seat order, capital where dead, and the private events of the agents if
    there are several. Structures stay as they are.
    """
    if not isinstance(model, KripkeModel):
        return model
    model = model.generated() if len(model.agents) > 1 else model
    meant, moves = definitions(course.setup, course.followed), (move.name for move in course.moves)
    kept = (atom for atom in (*atoms_of(course.setup), *moves) if atom not in course.ignored)
    return Numbered(model).described(_namer(course, model), {a: meant.get(a, Atom(a)) for a in kept})


def _namer(course: Course, model: KripkeModel) -> Callable[[int], str]:
    agents = model.agents if len(model.agents) > 1 else ()
    others = {move.name: Option.made(move) for move in course.moves if move.actor not in agents}
    deaths, numbered = [f"dead_{player}" for player in course.setup.players], Numbered(model)

    @cache
    def true(atom: str) -> frozenset[int]:
        return frozenset(numbered.numbers(Atom(atom)) if atom in course.followed else ())

    def name(number: int) -> str:
        deal, events = model.worlds[number], list[Hashable]()
        while isinstance(deal, tuple):
            deal, event = deal
            events.insert(0, event)
        letters = zip(str(deal), deaths, strict=True)
        written = (letter.upper() if number in true(dead) else letter for letter, dead in letters)
        own = (e for e in events if isinstance(e, Option) and e.actor in agents and e.note != WAITS)
        made = (option for atom, option in others.items() if number in true(atom))
        return WorldName("".join(written), [*own, *made])

    return name


def _dealt_to(known: Told, deals: Deals, name: str, word: str) -> Rows:
    """Return the rows where a player has a card as it was told."""
    roles: Collection[str] = word.split(" or ")
    if name in known.owners:
        roles = known.setup.deck.looking(word) or (word,)
    return deals.having(known.setup.seat(name), roles)


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
    if not no_structure(setup):
        advice.append("use the symbolic engine")
    what = " for ".join(filter(None, ("the model of the game", ", ".join(agents))))
    return ModelTooLarge(size, limit, what, enumerated(advice or ["play with fewer players"], "or"))


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
    model: Model = first_model(known, course, weighted=weighted, limit=limit)
    for action in course.actions:
        model = after_event(course, model, action, limit)
    found = as_shown(course, model)
    assert isinstance(found, KripkeModel)
    return found


# --- decision diagrams ---------------------------------------------------------------------------


def no_structure(setup: Setup) -> str:
    """Return the only games that have a structure, if this one has none, or ""."""
    if not setup.deck.plain:
        return "decks of plain cards only"
    if setup.deal == "classical" or setup.sample is not None:
        return "the quantum deal with all worlds only"
    return ""


def first_structure(known: Told, course: Course, *, weighted: bool, nodes: int) -> SymbolicStructure:
    """Return the multi-pointed knowledge structure before the first move of a game in the quantum deal.

    Every card has a holder, and nobody has two. The atoms are seers, the exact wolf roles, and deaths;
    `definitions` expresses the others by these. If probabilities matter, all deaths do.

    `nodes`: the size limit of the diagrams. Raises `NotCovered` for a classical deal and for a sample of
    worlds, and `DiagramTooLarge`, before building, if the cards and secrets alone need more nodes.
    """
    from kripke_werewolf.logic.symbolic.bdd import Oxidd
    from kripke_werewolf.logic.symbolic.structure import KnowledgeStructure

    setup = known.setup
    if why := no_structure(setup):
        raise NotCovered(f"the symbolic engine plays {why}; use the explicit one")
    needed = _expected_nodes(known, course, weighted=weighted)
    if needed > nodes:
        what = f"about as many for {len(setup.players)} players with these cards and secrets"
        raise DiagramTooLarge(needed, nodes, f"{what}; allow more")
    seats = list(product(setup.deck.roles, enumerate(setup.players)))
    names = {f"{role}_{seat}": Atom(f"{role}_{name}") for role, (seat, name) in seats}
    vocabulary, law = course.vocabulary, declared(setup).law.substitute(names)
    false = (~Atom(atom) for atom in vocabulary if atom.partition("_")[0] not in setup.deck.roles)
    nothing = {agent: list[str]() for agent in course.agents}
    return KnowledgeStructure(vocabulary, conjunction([law, *false]), nothing, bdds=Oxidd(nodes=nodes))


def _expected_nodes(known: Told, course: Course, *, weighted: bool) -> int:
    """Return an empirical estimate of the nodes needed for a question.

    For every player the law records the cards of the players before them. After a secret action, an agent's
    possible targets differ for every set of wolves, and so does their number, which probabilities need.
    """
    deck, players = known.setup.deck, len(known.setup.players)
    special = deck.roles[1:]
    law = 2 * players * prod(deck.cards(role) + 1 for role in special) * len(special)
    secret = len(course.agents) * sum(len(known.setup.actions(entry.phase)) for entry in known.entries)
    if known.setup.targets == "public" or not secret:
        return law
    each = 2 + 4 * players * (secret - 1)
    if weighted:
        each = max(each, players)
    return max(law, comb(players, deck.wolves) * each)
