"""The engines that answer questions about what was told, each saying which ones it covers, and at what cost.

`Counting` conditions counted worlds case by case; `ListedWorlds` builds the Kripke model; `Diagrams` the
knowledge structure; `AllHistories` finds everything that may have happened. The cheapest that covers a
question answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, product
from typing import Any, ClassVar, Protocol, TypeVar

from kripke_werewolf.base.errors import DiagramTooLarge, FalseAnnouncement, GameError, ModelTooLarge
from kripke_werewolf.base.grouping import remembered
from kripke_werewolf.games.werewolf import game_models
from kripke_werewolf.games.werewolf.actions import HIDDEN_ATTACK
from kripke_werewolf.games.werewolf.counted import Counted
from kripke_werewolf.games.werewolf.declarations import atoms_of, declared, seated
from kripke_werewolf.games.werewolf.enumerated import Enumerated, deals_of
from kripke_werewolf.games.werewolf.events import Event, Vision, definitions, is_action
from kripke_werewolf.games.werewolf.move_atoms import moves_in
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.superposition import NotCovered, NoWorldLeft, Superposition
from kripke_werewolf.games.werewolf.told import Entry, Told, certain_facts, roles_left
from kripke_werewolf.logic.english.sentences import enumerated
from kripke_werewolf.logic.formulas import Formula, Probability
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas.syntax import joined
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.verdict import Verdict

_LEAST_NODES = 1 << 20
"""The number of nodes always allowed for diagrams: they take 24 MB."""

_MOST_KEPT = 64
"""The largest number of courses and models that are kept for further questions about the same game."""

T = TypeVar("T")

CHEAPER = "ask about fewer players at once (what one player knows is found quickly: who knows, knowledge)"


@dataclass(frozen=True, slots=True)
class Cover:
    """Whether an engine covers a question about what was told, and at what cost."""

    cost: float | None
    """An estimate, of worlds or steps; an upper bound where a limit is checked. None: it is not covered."""
    why: str = ""
    """Why it is not covered."""
    helps: tuple[str, ...] = ()
    """What would help."""


class Engine(Protocol):
    """Answers questions about what was told."""

    name: ClassVar[str]

    def floor(self, told: Told) -> float:
        """Return a lower bound on the cost of any question about it, found at once."""
        return 0

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether it covers a question."""

    def verdict(self, told: Told, question: Formula) -> Verdict:
        """Return whether a formula is true in all, none or some of the worlds that fit what was told."""

    def probabilities(self, told: Told, player: str, fact: Formula) -> dict[Fraction, int]:
        """Return a player's probabilities of a formula, each with its number of worlds."""

    def shown(self, told: Told, question: Formula) -> game_models.Model | Superposition | None:
        """Return the model or the worlds by which it answers a question; None if it shows none."""

    def rests_on(self, told: Told, question: Formula) -> tuple[str, ...]:
        """Return the names of news that imply a positive answer about knowledge, if it finds them."""
        return ()


def cheapest(engines: Iterable[Engine], told: Told, question: Formula) -> Engine:
    """Return the cheapest engine that covers a question; raise NotCovered with the reasons if none does."""
    best: tuple[float, Engine] | None = None
    refused: dict[str, Cover] = {}
    for engine in sorted(engines, key=lambda engine: engine.floor(told)):
        if best is not None and best[0] <= engine.floor(told):
            continue
        cover = engine.covers(told, question)
        if cover.cost is None:
            refused[engine.name] = cover
        elif best is None or cover.cost < best[0]:
            best = cover.cost, engine
    if best is not None:
        return best[1]
    reasons = "; ".join(f"{name}: {cover.why}" for name, cover in refused.items())
    helps = dict.fromkeys(chain.from_iterable(cover.helps for cover in refused.values()))
    why = f"no engine covers {question} ({reasons})"
    if helps:
        why += f"; what would help: {', or '.join(helps)}"
    raise NotCovered(why)


MANY = 100_000
"""Models with more worlds are replaced by counting in queries and tables; smaller ones can be shown."""


def seen_worlds(known: Told) -> Superposition | str:
    """Return the worlds that the owners (or, without any, everybody) consider possible; or why not.

    Published tables are read as facts. Worlds are listed if they are few and nobody may have died in secret,
    and counted otherwise. Not covered are classical deals, samples, public targets, believed words, and the
    end of the game; several seers only if worlds are counted. Raises NoWorldLeft if no world is left.

    >>> from kripke_werewolf import Atom, QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="cisra")
    >>> known = game.vision("Ann", "Bo", result="evil").handout("Ann")
    >>> worlds = seen_worlds(known)
    >>> worlds.count(Atom("wolf_1")), worlds.size
    (3, 10)
    """
    setup = known.setup
    if setup.deal == "classical" or setup.sample is not None or setup.targets == "public":
        return "only quantum deals of all worlds with secret targets are counted for a player"
    try:
        worlds = Enumerated(deals_of(setup.deck)) if _lists(known) else Counted.start(setup.deck)
        for news in _news(known):
            match news:
                case Formula():
                    worlds = worlds.keep(news)
                case Event():
                    worlds = news.learn(worlds, setup)
                case _:
                    assert isinstance(worlds, Counted)
                    worlds = worlds.unseen_attack(map(setup.seat, known.owners), news)
    except NotCovered as why:
        return str(why)
    if not worlds.size:
        raise NoWorldLeft
    return worlds


def _lists(known: Told) -> bool:
    """Whether the worlds that owners consider possible are listed."""
    deck = known.setup.deck
    killed = any(entry.ended and _attacks(known.setup, entry) for entry in known.entries)
    return deck.plain and deck.worlds <= MANY and Enumerated.fits(deck) and not killed


def _news(known: Told) -> Iterator[Formula | Event | tuple[int, ...]]:
    """Yield the news in order: facts by seat, events, and the possible targets of unseen attacks."""
    by_seat = known.setup.by_seat
    yield from (fact.rename(atoms=by_seat) for fact in certain_facts(known, -1))
    for place, entry in enumerate(known.entries):
        if known.setup.actions(entry.phase):
            yield from _moves(known, entry)
        yield from (event for _, event in entry.interruptions)
        yield from entry.after
        yield from (fact.rename(atoms=by_seat) for fact in certain_facts(known, place))
    for name in known.owners if known.begun else ():
        seat, roles = known.setup.seat(name), roles_left(known, name, None)
        yield s.disjunction(s.Atom(f"{role}_{seat}") for role in roles)


def _moves(known: Told, entry: Entry) -> Iterator[Formula | Event | tuple[int, ...]]:
    """Yield an unseen attack and the owners' moves; until they are over, attacks reveal nothing about roles.

    Raises NotCovered if they cannot be counted.
    """
    setup, attacks = known.setup, _attacks(known.setup, entry)
    if entry.interruptions:
        raise NotCovered("a phase that was interrupted cannot be counted")
    living = {*setup.players} - {*known.dead_before(entry)}
    if attacks and entry.ended:
        if any(action == "attack" and name not in known.owners for name, action in entry.passed_over):
            raise NotCovered("attacks cannot be counted after some players were seen to miss theirs")
        if not living <= {*known.owners}:
            yield tuple(map(setup.seat, living))
    for move in sorted(filter(is_action, entry.events), key=lambda move: move.action == "vision"):
        if attacks and not entry.ended and isinstance(move, Vision) and move.result is None:
            raise NotCovered("a vision without a result cannot be counted while attacks are under way")
        yield move
    if entry.unsaid and entry.phase.position:
        raise NotCovered("a phase of which the sheet leaves out who was asked cannot be counted")
    for name, action in product(known.owners, setup.actions(entry.phase)):
        if name in living and (name, action) not in entry.asked and entry.phase.position:
            yield seated(setup, f"~({declared(setup).acts[action].asked})", setup.seat(name))


def _attacks(setup: Setup, entry: Entry) -> bool:
    """Whether a phase has attacks that kill."""
    return "attack" in setup.actions(entry.phase) and declared(setup).mark is None


def counts_deaths(known: Told) -> bool:
    """Whether the counted worlds say who is dead: not while attacks are under way."""
    now = known.entries[-1]
    return now.ended or now.resting or not _attacks(known.setup, now)


# --- worlds counted ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counting(Engine):
    """Counts the worlds where facts are true, by conditioning worlds that are listed or counted."""

    name: ClassVar[str] = "counting"

    superposition: Superposition | None = None
    """The surviving worlds of a game, for questions about facts; None: those that fit what was told."""
    limit: int = 0
    """The number of worlds up to which they are listed, not counted."""
    kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """Worlds and numbers that were found, for further questions."""

    def floor(self, told: Told) -> float:
        """Return the number of deals, or the size of a model that takes about as long as counting."""
        return told.setup.worlds if _lists(told) else MANY

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether a question is about facts, or about what single players know of facts."""
        if unnoticed(told):
            return Cover(None, "somebody did not notice what happened")
        asked, about = [("", question)], _as_shares(question)
        if about is not None:
            asked = [(term.agent, term.body) for term in about.terms]
        if any(not body.is_boolean for _, body in asked):
            return Cover(None, f"it counts what one player knows of facts; {question} cannot be counted")
        if about is not None and not question.agents <= {*told.owners}:
            return Cover(None, "others may have been told more")
        try:
            for player, body in asked:
                self._counted(told, player, body)
        except NotCovered as why:
            return Cover(None, str(why))
        if question.is_boolean and self.superposition is not None:
            return Cover(max(self.limit, MANY))
        return Cover(self.floor(told))

    def _worlds(self, told: Told, player: str) -> Superposition | str:
        """Return the worlds of a player ("": of all owners); or why they are not counted."""
        if not player and self.superposition is not None:
            return self.superposition
        # what was told is kept alive with its identity
        key = "worlds", id(told), player
        return remembered(self.kept, key, lambda: (told, seen_worlds(_as_seen(told, player))))[1]

    def _counted(self, told: Told, player: str, body: Formula) -> Verdict:
        """Return the number of a player's worlds where facts are true; raise NotCovered without one."""
        worlds = self._worlds(told, player)
        if isinstance(worlds, str):
            raise NotCovered(worlds)
        if not body.atoms.issubset(atoms_of(told.setup)):
            body = _with_known_moves(_as_seen(told, player), body)
            if others := moves_in(told.setup, body.atoms):
                raise NotCovered(f"hidden moves, as in {others[0]}, are not counted")
        mortal = any(atom.startswith("dead_") for atom in body.atoms)
        if mortal and worlds is not self.superposition and not counts_deaths(told):
            raise NotCovered("deaths are not counted while attacks are under way")
        if not worlds.size:
            raise NotCovered("no world is left")
        seated = body.rename(atoms=told.setup.by_seat)
        key = "number", id(told), player, worlds is self.superposition, body
        number = remembered(self.kept, key, lambda: worlds.count(seated))
        return Verdict.of(number, worlds.size)

    def verdict(self, told: Told, question: Formula) -> Verdict:
        """Return the verdict, from the numbers of worlds."""
        if (asked := _as_shares(question)) is None:
            return self._counted(told, "", question)
        shares = (t.coefficient * self._counted(told, t.agent, t.body).fraction for t in asked.terms)
        return Verdict.of(int(asked.holds(sum(shares), asked.bound)), 1)

    def probabilities(self, told: Told, player: str, fact: Formula) -> dict[Fraction, int]:
        """Return the share of the player's worlds, with their number if they are listed."""
        worlds, share = self._worlds(told, player), self._counted(told, player, fact).fraction
        return {share: worlds.size if isinstance(worlds, Enumerated) else 1}

    def shown(self, told: Told, question: Formula) -> Superposition | None:
        """Return the counted worlds, for a question about facts."""
        if question.is_boolean and not isinstance(worlds := self._worlds(told, ""), str):
            return worlds
        return None


def _with_known_moves(told: Told, f: Formula) -> Formula:
    """Return facts with the truth values of the moves about which the owners know whether they were made."""
    made = {move.name: told.made(move) for move in moves_in(told.setup, f.atoms)}
    return f.substitute({name: s.Constant(so) for name, so in made.items() if so is not None})


def _as_seen(told: Told, player: str) -> Told:
    """Return the part that a player was told; by default that of all owners."""
    return told.of(player) if player else told


def unnoticed(told: Told) -> bool:
    """Whether something happened unnoticed by others, so that their beliefs may be false."""
    return any(event.unnoticed for event in told.events)


def _as_shares(question: Formula) -> Probability | None:
    """Return a question about single players in terms of probabilities: to know is 1; None for others."""
    match question:
        case s.Knows(agent=agent, body=body):
            return s.P(agent, body) >= 1
        case s.Possible(agent=agent, body=body):
            return s.P(agent, body) > 0
        case Probability():
            return question
    return None


def knowers_in(f: Formula) -> frozenset[str] | None:
    """Return the players whose own information determines a formula; None if facts matter.

    >>> from kripke_werewolf import parse
    >>> sorted(knowers_in(parse("K_a K_b p & ~D_{c,d} p"))), knowers_in(parse("K_a p & p"))
    (['a', 'c', 'd'], None)
    """
    players: set[str] = set()
    for part in f.ordered(joined):
        match part:
            case s.OfAgent() | s.OfGroup():
                players.update(part.label)
            case s.KnowsValue():
                players.add(part.agent)
            case Probability():
                players.update(term.agent for term in part.terms)
            case _ if isinstance(part, s.Atom) or not part.pointwise:
                return None
    return frozenset(players)


def is_positive(f: Formula) -> bool:
    """Whether nobody's ignorance can make a formula true, so that those who are told more know no less."""
    for node in f.ordered(lambda node: () if node.is_boolean else node.children):
        match node:
            case s.Modal(mode=s.Mode.BOX) if node.within.is_boolean:
                continue
            case s.Junction() if all(sign or part.is_boolean for part, sign in node.literals()):
                continue
        if not node.is_boolean:
            return False
    return True


# --- models --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Models(Engine, ABC):
    """An engine that updates a model with every event."""

    limit: int
    tick: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)
    """A function that raises Undecided when time has run out."""
    kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """Courses and small models of the game, for further questions."""

    def course(self, told: Told, question: Formula) -> game_models.Course:
        """Return the information relevant to a question."""
        agents = question.agents | told.alone
        about = self._about(told, question)
        mortal = frozenset(atom for atom in about if atom.startswith("dead_"))
        key = "course", id(told), agents, mortal, about.difference(atoms_of(told.setup))
        return remembered(self.kept, key, lambda: (told, game_models.Course.of(told, agents, about)))[1]

    def _about(self, told: Told, question: Formula) -> frozenset[str]:
        """Return the atoms whose changes are modelled."""
        return question.atoms

    @abstractmethod
    def start(self, told: Told, question: Formula, course: game_models.Course) -> game_models.Model:
        """Return the model before the first move; the course may have more deaths than have happened."""

    def after(self, told: Told, question: Formula, actions: Sequence[ActionModel]) -> game_models.Model:
        """Return the model after some actions."""
        course = self.course(told, question)
        model = self.start(told, question, course)
        for action in actions:
            self.tick()
            model = game_models.after_event(course, model, action, self.limit)
        return game_models.as_shown(course, model)

    def shown(self, told: Told, question: Formula) -> game_models.Model:
        """Return the present model, for the agents of a question."""
        course = self.course(told, question)
        key = self.name, id(told), course.agents, course.ignored, course.moves, is_weighted(question)

        def found() -> tuple[Told, game_models.Model]:
            model = self.after(told, question, course.actions)
            if len(self.kept) > _MOST_KEPT:
                self.kept.clear()
            return told, model

        return remembered(self.kept, key, found)[1]

    def verdict(self, told: Told, question: Formula) -> Verdict:
        """Return the verdict on the model."""
        with self._advised(told, question):
            return self.shown(told, question).verdict(self.defined(told, question))

    def probabilities(self, told: Told, player: str, fact: Formula) -> dict[Fraction, int]:
        """Return the player's probabilities on the model."""
        asked = s.P(player, fact) >= 0
        with self._advised(told, asked):
            (body,) = self.defined(told, asked).children
            return self.shown(told, asked).probabilities(player, body)

    def defined(self, told: Told, question: Formula) -> Formula:
        """Return a formula in the atoms of the model."""
        return question

    @contextmanager
    def _advised(self, told: Told, question: Formula) -> Iterator[None]:
        """Say what would help where diagrams are too large."""
        try:
            yield
        except DiagramTooLarge as error:
            helps = [CHEAPER, "play on a sample of the worlds"]
            if told.setup.targets == "secret":
                helps.insert(1, 'play with targets="public"')
            most = self.course(told, question).most_worlds
            if unnoticed(told):
                helps.append("raise limit=")
            elif most <= game_models.MOST_LISTED:
                helps.append(f"let the explicit engine list up to {most:,} worlds (limit=)")
            raise DiagramTooLarge(error.nodes, error.limit, enumerated(helps, "or")) from None

    def rests_on(self, told: Told, question: Formula) -> tuple[str, ...]:
        """Return the names of an irreducible set of news that implies a positive answer about knowledge.

        Unseen deaths are not news.
        """
        actions = self.course(told, question).actions
        kept = list(actions)
        if self._verdict_after(told, question, kept) != "true":
            return ()
        for action in actions:
            fewer = [other for other in kept if other is not action]
            if action.name != HIDDEN_ATTACK and self._verdict_after(told, question, fewer) == "true":
                kept = fewer
        return tuple(action.name for action in kept if action.name != HIDDEN_ATTACK)

    def _verdict_after(self, told: Told, question: Formula, actions: Sequence[ActionModel]) -> Verdict | None:
        """Return the verdict after some actions; None if they are impossible, or too many to list."""
        try:
            return self.after(told, question, actions).verdict(self.defined(told, question))
        except (FalseAnnouncement, NoWorldLeft, ModelTooLarge, DiagramTooLarge):
            return None

    def verdicts(self, told: Told, question: Formula, moments: Sequence[Told]) -> Iterator[Verdict]:
        """Yield the verdict at several moments of the same game; common beginnings are computed once."""
        courses = [self.course(told, question).actions_in(moment) for moment in moments]
        course = self.course(told, question).with_deaths_in(courses)
        for now in game_models.along(course, self.start(told, question, course), courses, self.limit):
            self.tick()
            yield now.verdict(self.defined(told, question))


def under_way(told: Told, atoms: Iterable[str]) -> bool:
    """Whether some atoms are about moves that may have been made, unseen, in the running phase."""
    moves = [move for move in moves_in(told.setup, atoms) if told.made(move) is None]
    now = told.entries[-1].phase
    here = [m for m in moves if m.night in (None, now.number) and m.actions & {*told.setup.actions(now)}]
    return told.running and bool(here)


def _may_change(told: Told, fact: Formula) -> bool:
    """Whether moves that others may have made unseen in the running phase can change a formula.

    They change what their actions say, what others know, and which moves were made; not what the owner knows.
    """
    setup, now = told.setup, told.entries[-1]
    others = [name for name in told.alive if name not in told.owners]
    if not told.running or now.resting or setup.targets == "public" or not others:
        return False
    last = len(others) == len(setup.actions(now.phase)) == 1  # with the last move the phase would be over
    if last and now.asked <= now.moves.keys() and setup.deal == "quantum":
        return False
    open_ = [part for part in fact.ordered(joined) if not part.pointwise]
    if any(part.agents - told.alone for part in open_):
        return True
    atoms = frozenset[str]().union(*(part.atoms for part in fact.ordered(joined) if isinstance(part, s.Atom)))
    changes = [declared(setup).acts[action].change for action in setup.actions(now.phase)]
    if any(changes):
        changes += [each.change for each in declared(setup).follows if each.moment == "once"]
    changed = {atom.partition("_")[0] for change in changes for atom, _ in change}
    meant = s.conjunction(map(s.Atom, sorted(atoms))).substitute(definitions(setup)).atoms
    open_facts = {atom for atom in meant if atom.partition("_")[0] in changed}
    return under_way(told, atoms) or bool(open_facts - {f"dead_{name}" for name in told.dead})


def at_rest(known: Told, headings: Iterable[str]) -> Told:
    """Return the information that a table is made from: without open moves that may change it."""
    columns = declared(known.setup).columns
    cells = (s.Atom(columns[heading].format(i=name)) for heading in headings for name in known.setup.players)
    if _may_change(known, s.conjunction(cells)):
        return known.resting
    return known


def as_seen_by(known: Told) -> str:
    """Return the words above a player's table: whose it is, and of which moment."""
    found = f"as {known.player} sees it"
    if known.entries[-1].resting:
        found += f" at the beginning of {known.phase}, own moves included"
    return found


UNWEIGHED = (
    "whether others have moved in a phase that has not ended has no probability; ask what they know, or ask "
    "when the phase is over"
)
"""Why probabilities are refused of what open moves of others may change."""


def check_weighed(told: Told, question: Formula) -> None:
    """Raise GameError for a question about the probability of what open moves of others may change."""
    terms = (term for f in question.subformulas() if isinstance(f, Probability) for term in f.terms)
    if any(_may_change(told.of(term.agent), term.body) for term in terms):
        raise GameError(f"{question}: {UNWEIGHED}")


def is_weighted(question: Formula) -> bool:
    """Whether probabilities matter."""
    return any(isinstance(f, Probability) for f in question.subformulas())


@dataclass(frozen=True)
class ListedWorlds(_Models):
    """Lists the worlds of a Kripke model."""

    name: ClassVar[str] = "explicit"

    def floor(self, told: Told) -> float:
        """Return the number of deals."""
        return told.setup.worlds

    def most_worlds(self, told: Told, question: Formula) -> float:
        """Return an upper bound on the worlds of a model; at least the number of deals, if that is large."""
        deals = self.floor(told)
        return deals if deals > MANY else self.course(told, question).most_worlds

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether the worlds are within the limit, and nobody has false beliefs."""
        setup, dealt = told.setup, int(self.floor(told))
        if unnoticed(told):
            return Cover(None, "somebody did not notice what happened")
        if dealt > self.limit or (setup.sample is None and not Enumerated.fits(setup.deck)):
            return Cover(None, f"{dealt:,} deals are more than {self.limit:,}", ("play with fewer players",))
        most = self.course(told, question).most_worlds
        if most > self.limit and not game_models.no_structure(setup):  # otherwise it stops at the limit
            return Cover(None, f"up to {most:,} worlds are more than {self.limit:,}", (CHEAPER,))
        return Cover(most)

    def start(self, told: Told, question: Formula, course: game_models.Course) -> game_models.Model:
        """Return the model before the first move."""
        return game_models.first_model(told, course, weighted=is_weighted(question), limit=self.limit)


@dataclass(frozen=True)
class Diagrams(_Models):
    """Keeps the worlds as decision diagrams, in a knowledge structure."""

    name: ClassVar[str] = "symbolic"

    def floor(self, told: Told) -> float:
        """Return a cost above that of listing or counting."""
        return max(self.limit, MANY) + 1

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether the deal is a quantum deal with all worlds."""
        if why := game_models.no_structure(told.setup):
            return Cover(None, why)
        return Cover(self.floor(told))

    def _about(self, told: Told, question: Formula) -> frozenset[str]:
        # weights are right if every victim is modelled
        victims = (f"dead_{name}" for name in told.setup.players if is_weighted(question))
        return question.atoms.union(victims)

    def start(self, told: Told, question: Formula, course: game_models.Course) -> game_models.Model:
        """Return the structure before the first move."""
        nodes = max(self.limit, _LEAST_NODES)
        return game_models.first_structure(told, course, weighted=is_weighted(question), nodes=nodes)

    def defined(self, told: Told, question: Formula) -> Formula:
        """Return a formula with atoms only for exact roles and the deaths that matter."""
        return question.substitute(definitions(told.setup, self.course(told, question).followed))
