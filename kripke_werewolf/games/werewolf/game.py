"""The game: an immutable value whose moves return the next one."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from secrets import randbits
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, get_args

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError, IllegalMove, UnknownNameError
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.base.reports.documents import Block, Heading
from kripke_werewolf.base.settings import check_possible
from kripke_werewolf.games.werewolf import events as ev
from kripke_werewolf.games.werewolf import knowledge, moves, questions, telling
from kripke_werewolf.games.werewolf.draws import Chance, Draw, checked_draw, drawn_outcome
from kripke_werewolf.games.werewolf.enumerated import Engine, make_worlds
from kripke_werewolf.games.werewolf.game_models import build_model
from kripke_werewolf.games.werewolf.move_atoms import named_move
from kripke_werewolf.games.werewolf.roles import TAKE, Action, Role
from kripke_werewolf.games.werewolf.rules import Rules, words_for
from kripke_werewolf.games.werewolf.setup import LIMIT, Deal, Phase, Setup, Targets, make_setup
from kripke_werewolf.games.werewolf.state import State, public_choices, start_state
from kripke_werewolf.games.werewolf.superposition import Superposition
from kripke_werewolf.games.werewolf.table import Table, make_table
from kripke_werewolf.games.werewolf.told import Reading, Told, screen, told
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas.syntax import FormulaLike, formula
from kripke_werewolf.logic.models.model import KripkeModel

if TYPE_CHECKING:
    from random import Random

    import numpy as np

    from kripke_werewolf.base.reports.tables import Tabled

Missing: TypeAlias = Literal["refuse", "pass", "random"]
"""The end of a phase whose compulsory actions were not all taken."""
Players: TypeAlias = str | int | Iterable[str | int]
"""One player or several, by name or number."""


class QuantumWerewolf(Displayed):
    """A game of Quantum Werewolf under any `Rules`.

    Every move returns a new game; a move that the rules forbid raises IllegalMove with the reason. Players
    are given by name, or by number as integers.

    * `players`: the names in seat order. `wolves`: how many; by default as the rules suggest.
    * `seers`: how many.
    * `cards`: further roles with their numbers of cards, by name (`{"cupid": 1, "hunter": 1}`) or as values
      of your own (`Role`); `"wolf"` and `"seer"` may be among them.
    * `rules`: a preset's name or a `Rules` value.
    * `targets`: whether the others see whom a player looks at and attacks.
    * `deal`: `"classical"` deals actual roles (drawn, or `roles` by seat or by name); the superposition
      then is that one world, and only those who really have a role can use it.
    * `numbers`: the numbers of players in an anonymous table: by default their place in `players`,
      `"shuffled"`, or a sequence. Where the rules go by number, they go by these.
    * `strict`: whether a phase can only be left when every compulsory action was taken. By default a
      move that belongs to the next phase ends the current one.
    * `sample`: play with at most this many random worlds instead of all; every output says so.
    * `engine`: how the superposition is represented: `"enumerated"`, `"counting"` (for any number of
      players), or `"auto"`: enumerated as long as the worlds fit the memory.
    * `rng`: a seed or generator for all draws (the same moves from the same state draw the same); or
      `draw`: a callable as described in the module `draws`. `result=` and `role=` force single outcomes.

    >>> game = QuantumWerewolf(["Alice", "Bob", "Craig", "David"], wolves=2, seers=1, rules="straat")
    >>> game = game.vision("Alice", "Bob", result="wolf").attack("Alice", "Craig")
    >>> print(game.table())
    player  villager      seer  werewolf      dead
    Alice   0.272727  0.181818  0.545455         0
    Bob     0.181818  0.272727  0.545455         0
    Craig   0.272727  0.272727  0.454545  0.181818
    David   0.272727  0.272727  0.454545         0
    >>> game.vote_off("David", role="wolf").size
    5
    """

    called_in_examples = "game"
    __slots__ = ("_draw", "kept", "setup", "states", "steps")

    setup: Setup
    """The settings: players, deck, rules and all else that is fixed."""
    steps: tuple[ev.Step, ...]
    """The moves so far: for each, its event and its consequences."""
    states: tuple[State, ...]
    """The states before the first move and after each; they share unchanged parts."""
    kept: dict[Any, Any]
    """What was computed from the game and may be needed again."""
    _draw: Draw

    def __init__(
        self,
        players: Sequence[str],
        *,
        wolves: int | None = None,
        seers: int = 1,
        cards: Mapping[str | Role, int] | None = None,
        rules: str | Rules = "straat",
        targets: Targets = "secret",
        deal: Deal = "quantum",
        roles: Sequence[str] | Mapping[str, str] | None = None,
        numbers: Sequence[int] | Literal["shuffled"] | None = None,
        strict: bool = False,
        sample: int | None = None,
        engine: Engine = "auto",
        rng: np.random.Generator | Random | int | None = None,
        draw: Draw | None = None,
    ) -> None:
        if rng is not None and draw is not None:
            raise GameError("both rng= and draw= are given; all draws come from one of them")
        made = generator(rng)
        chance: Draw = checked_draw(draw) if draw is not None else Chance(int(made.integers(2**63)))
        setup = make_setup(
            players,
            wolves=wolves,
            seers=seers,
            cards=cards,
            rules=rules,
            targets=targets,
            deal=deal,
            roles=roles,
            numbers=numbers,
            strict=strict,
            sample=None if sample is None else (sample, int(made.integers(2**63))),
            draw=chance,
        )
        states = (start_state(setup, make_worlds(setup, engine)),)
        self.setup, self.states, self.steps, self._draw, self.kept = setup, states, (), chance, {}

    @classmethod
    def _of(cls, setup: Setup, states: tuple[State, ...], steps: tuple[ev.Step, ...], draw: Draw) -> Self:
        game = cls.__new__(cls)
        game.setup, game.states, game.steps, game._draw, game.kept = setup, states, steps, draw, {}
        return game

    @classmethod
    def from_setup(cls, setup: Setup, *, engine: Engine = "auto", draw: Draw | None = None) -> Self:
        """Return the game before its first move."""
        start = start_state(setup, make_worlds(setup, engine))
        return cls._of(setup, (start,), (), Chance(randbits(63)) if draw is None else checked_draw(draw))

    # state

    @property
    def state(self) -> State:
        """The present state of the game."""
        return self.states[-1]

    @property
    def players(self) -> tuple[str, ...]:
        """The names of all players in seat order."""
        return self.setup.players

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.setup.rules

    @property
    def worlds(self) -> Superposition:
        """The superposition: the surviving worlds."""
        return self.state.worlds

    @property
    def size(self) -> int:
        """The number of worlds."""
        return self.state.worlds.size

    @property
    def phase(self) -> Phase:
        """The current phase, or the last one if the game is over."""
        return self.state.phase

    @property
    def events(self) -> ev.Step:
        """All events, in order."""
        return ev.events_of(self)

    @property
    def alive(self) -> tuple[str, ...]:
        """The players who are not officially dead, in seat order."""
        return self.state.alive

    @property
    def verdict(self) -> str | None:
        """`"village"`, `"wolves"` or `"draw"`; None while the game runs."""
        return self.state.verdict

    @property
    def forced(self) -> bool:
        """Whether the verdict followed from a forced collapse."""
        return self.state.forced

    @property
    def results(self) -> dict[str, bool | None]:
        """The winners, once the game is over; None for everybody in a draw. Empty while it runs."""
        return self.state.winners

    @property
    def known_roles(self) -> dict[str, str]:
        """The players with only one role left, and that role."""
        return self.state.certain(tuple((role, f"{role}_{{i}}") for role in self.setup.deck.roles))

    @property
    def table_due(self) -> bool:
        """Whether the rules announce the public table now: at nightfall, or in the morning."""
        before = self.states[-2] if self.steps else self.state
        return ev.table_due(self.setup, self._last, before, self.state)

    # possible moves

    @property
    def may_act(self) -> dict[str, tuple[Action, ...]]:
        """The players who still have actions in this phase, with these actions."""
        turns = self.state.open
        return {name: tuple(action for other, action in turns if other == name) for name, _ in turns}

    @property
    def waiting_for(self) -> tuple[tuple[str, Action], ...]:
        """The compulsory actions not yet taken in this phase."""
        return self.state.due(compulsory=True)

    def refusal(self, actor: str | int, action: Action, *, target: str | int | None = None) -> str | None:
        """Return why a move is not allowed in this phase, or None if it is.

        Without a target: why the player may not act at all.
        """
        aimed = None if target is None else self.setup.seat(target)
        return self.state.refusal(self.setup.seat(actor), action, aimed)

    def legal_targets(self, actor: str | int, action: Action) -> tuple[str, ...]:
        """Return the targets a player may choose now, in seat order; none if they may not act."""
        if self.refusal(actor, action) is not None:
            return ()
        refused = self.state.target_refusals(self.setup.seat(actor), action)
        return tuple(name for seat, name in enumerate(self.players) if seat not in refused)

    def legal_choices(self, actor: str | int, action: Action) -> dict[str, tuple[str, ...]]:
        """Return the choices of a player now, players or pairs, by the words in which they are written."""
        legal, dead = {*self.legal_targets(actor, action)}, self.state.dead
        choices = public_choices(self.setup, dead, self.setup.seat(actor), action)
        return {words: named for words, named in choices.items() if legal.issuperset(named)}

    # moves

    def play(self, move: ev.Event) -> QuantumWerewolf:
        """Make a move of any kind, given as its event; fields left to chance are omitted.

        Ends the phase first if the move belongs in the next one and no compulsory action is missing.

        >>> from kripke_werewolf.games.werewolf.events import Attack
        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1)
        >>> game.play(Attack("Ann", "Cy")) == game.attack("Ann", "Cy")
        True
        """
        ends = moves.waits_for_next_phase(self, move)
        if ends and not self.state.acted and not self.state.votes:
            does = "is voted off" if self.phase.kind == "vote" else "does anything"
            warnings.warn(f"nobody {does} in {self.phase}: the move ends it", stacklevel=3)
        game = self.end_phase() if ends else self
        draw = game._chance()
        return game._then(moves.play(game, move, draw), draw)

    def vision(self, actor: str | int, target: str | int, *, result: str | None = None) -> QuantumWerewolf:
        """Let `actor` look at `target`; `result` forces or restricts the result."""
        return self.play(ev.Vision(self._name(actor), self._name(target), result))

    def attack(self, actor: str | int, target: str | int) -> QuantumWerewolf:
        """Let `actor` attack `target`."""
        return self.play(ev.Attack(self._name(actor), self._name(target)))

    def do(
        self, actor: str | int, action: Action, *targets: str | int, result: str | None = None
    ) -> QuantumWerewolf:
        """Let `actor` take an action of any role, on one target or two; `result` as in `vision`.

        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="cisra", cards={"bodyguard": 1})
        >>> game = game.end_phase().vote_off("Di", role="villager").do("Ann", "protect", "Bo")
        >>> print(game.events[-1].in_full())
        Ann protects Bo.
        """
        if not 1 <= len(targets) <= 2:
            raise IllegalMove(f"{self._name(actor)} cannot {words_for(action).do} {len(targets)} players")
        if action == TAKE:
            return self.take_along(actor, targets[0], role=result)
        return self.play(ev.act_of(self._name(actor), action, *map(self._name, targets), result=result))

    def take_along(self, actor: str | int, player: str | int, *, role: str | None = None) -> QuantumWerewolf:
        """Let `actor`, who has died with a card such as the hunter's, name a player who dies with them.

        `role` forces or restricts the role drawn.
        """
        return self.play(ev.TakenAlong(self._name(player), role, actor=self._name(actor)))

    def refuse(self, actor: str | int, target: str | int) -> QuantumWerewolf:
        """Record that `actor` wanted to attack `target` and was told that this is impossible.

        Raises IllegalMove if the attack is allowed, or refused for a public reason.
        """
        return self.play(ev.Refused(self._name(actor), self._name(target)))

    def decline(self, actor: str | int, *, action: Action = "vision") -> QuantumWerewolf:
        """Let `actor` decline an action that is not compulsory."""
        return self.play(ev.Declined(self._name(actor), action))

    def vote_off(self, player: str | int | Sequence[str], *, role: str | None = None) -> QuantumWerewolf:
        """Let the village vote `player` off; several names are a tie that the lot decides.

        `role` forces or restricts the role drawn.
        """
        if isinstance(player, (str, int)):
            return self.play(ev.VotedOff(self._name(player), role))
        return self.play(ev.VotedOff("", role, tied=tuple(map(self._name, player))))

    def claim(self, speaker: str | int, what: FormulaLike, *, believed: bool = True) -> QuantumWerewolf:
        """Let a living player say something to everybody.

        If believed, it is a truthful public announcement: the worlds where it is false are excluded. A
        statement about knowledge is true in all surviving worlds or in none; a believed fact that is still
        open collapses the superposition to the worlds where it is true. If not believed, it is recorded and
        changes nothing. Raises IllegalMove if it is false in every surviving world.
        """
        words = str(formula(what, agents=self.players))
        return self.play(ev.Said(self._name(speaker), words, believed=believed))

    def private(
        self, speaker: str | int, to: Players, what: FormulaLike, *, noticed: bool = True
    ) -> QuantumWerewolf:
        """Let a living player tell others something, which they believe.

        The rest see that these are told whether it is true or, with `noticed=False`, notice nothing: then
        they may come to have false beliefs, and only the symbolic engine answers. Raises IllegalMove if it is
        false in every surviving world.
        """
        heard, words = self._names(to), str(formula(what, agents=self.players))
        return self.play(ev.Said(self._name(speaker), words, heard, believed=True, noticed=noticed))

    def end_phase(self, *, missing: Missing | None = None) -> QuantumWerewolf:
        """End the phase; anyone who may decline is taken to have declined.

        `missing` determines the treatment of missing compulsory actions: `"refuse"` to end (the default if
        strict), `"pass"` over them (the default otherwise), or choose a `"random"` legal target.
        """
        missing = missing or ("refuse" if self.setup.strict else "pass")
        check_possible("missing", missing, get_args(Missing))
        if missing == "refuse" and self.waiting_for:
            names = ", ".join(f"{player} ({action})" for player, action in self.waiting_for)
            raise IllegalMove(f"{self.phase} cannot end: still to act: {names}")
        game = self
        for player, action in self.waiting_for if missing == "random" else ():
            if choices := game.legal_choices(player, action):
                draw = game._chance()
                named = drawn_outcome(draw, "target", player, dict.fromkeys(choices, 1))
                game = game.with_draw(draw).do(player, action, *choices[named])
                # it was the last one
                if game.phase != self.phase or game.verdict is not None or game.state.naming:
                    return game
        draw = game._chance()
        return game._then(moves.end_phase(game, game.state, draw), draw)

    def acting_order(self, actors: Iterable[str]) -> tuple[QuantumWerewolf, list[str]]:
        """Return players in the order in which the rules let them act, and the game after drawing it."""
        seats = sorted(map(self.setup.seat, actors))
        if self.rules.acting_order == "number":
            return self, [self.players[p] for p in sorted(seats, key=self.setup.numbers.__getitem__)]
        draw, rest, order = self._chance(), [self.players[p] for p in seats], list[str]()
        while rest:
            order.append(drawn_outcome(draw, "turn", None, dict.fromkeys(rest, 1)))
            rest.remove(order[-1])
        return self.with_draw(draw), order

    def _name(self, player: str | int) -> str:
        return self.setup.name_of(player)

    def _names(self, players: Players) -> tuple[str, ...]:
        """Return the names of one player or of several."""
        return tuple(map(self._name, (players,) if isinstance(players, str | int) else players))

    def _chance(self) -> Draw:
        return Chance(self._draw.seed, self._draw.position) if isinstance(self._draw, Chance) else self._draw

    def _then(self, moved: moves.Moved, draw: Draw) -> QuantumWerewolf:
        state, step = moved
        return self._of(self.setup, (*self.states, state), (*self.steps, step), draw)

    def with_draw(self, draw: Draw) -> QuantumWerewolf:
        """Return the same game with another source of randomness."""
        return self._of(self.setup, self.states, self.steps, checked_draw(draw))

    # going back and repeating

    def repeat(self, events: ev.Step) -> QuantumWerewolf:
        """Return the game after a recorded step, with its outcomes forced.

        Raises IllegalMove if the rules forbid it, GameError if its consequences differ from the record.
        """
        return self._then(moves.repeated(self, events), self._draw)

    def at(self, step: int | str) -> QuantumWerewolf:
        """Return the game after `step` steps (0: the start), or at the end of a phase such as "night 1".

        Raises GameError if there are fewer.
        """
        if isinstance(step, str):
            names = [(str(state.phase), str(state.phase).partition(",")[0]) for state in self.states]
            if step not in chain(*names):
                raise UnknownNameError(step, dict.fromkeys(short for _, short in names), kind="phase")
            last = max(number for number, both in enumerate(names) if step in both)
            step = min(last + 1, len(self.steps))  # the step that ends the phase belongs to it
        if not 0 <= step <= len(self.steps):
            raise GameError(f"step {step} does not exist; the game has steps 0 to {len(self.steps)}")
        return self._of(self.setup, self.states[: step + 1], self.steps[:step], self._draw)

    def undo(self) -> QuantumWerewolf:
        """Return the game without its last step."""
        if not self.steps:
            raise IllegalMove("there is nothing to undo: the game has just begun")
        return self.at(len(self.steps) - 1)

    # messages

    def handout(self, player: str | int) -> Told:
        """Return everything a player may know, and nothing else, as text, Markdown, HTML or data.

        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
        >>> game.vision("Ann", "Bo", result="human").handout("Ann").told[0]
        ('You look at Bo and see: human.',)
        """
        return told(self, player)

    def table(
        self,
        *,
        viewer: str | int | None = None,
        public: bool = False,
        columns: Sequence[str] | None = None,
        reading: Reading = "facts",
        timeout: float | None = None,
    ) -> Table:
        """Return the probability table: the game master's, the public one, or a player's.

        `public`: the table that the rules make public. `viewer`: the probabilities for a player, given their
        own moves and results; others' hidden moves are weighed. `reading`: whether the viewer uses only the
        certain entries of published tables (`"facts"`), or everything that follows from them (`"exact"`),
        which is searched for during `timeout` seconds; GameError if that is not enough.
        """
        if viewer is None:
            return make_table(self.setup, self.state, public=public, columns=columns)
        return self.handout(viewer).probabilities(columns=columns, reading=reading, timeout=timeout)

    @property
    def news(self) -> tuple[telling.Message, ...]:
        """The messages about the last step, each with its addressee."""
        return telling.messages(self.setup, self._last)

    @property
    def _last(self) -> ev.Step:
        """The last step; nothing before the first one."""
        return self.steps[-1] if self.steps else ()

    @property
    def messages(self) -> tuple[telling.Message, ...]:
        """The messages since the start, each with its addressee."""
        return telling.messages(self.setup, self.events)

    @property
    def log(self) -> tuple[str, ...]:
        """The game as lines of JSON: a header, then one line per step."""
        from kripke_werewolf.games.werewolf.log import game_lines

        return game_lines(self.setup, self.steps)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a new log, which `replay` reads; only the owner of the file can read it.

        Raises GameError if the file exists.
        """
        from kripke_werewolf.games.werewolf.log import LogFile

        with LogFile.create(path, self):
            pass

    # knowledge

    @property
    def words(self) -> Vocabulary:
        """The names and words that questions in English are about."""
        return vocabulary(self.setup)

    ask = questions.ask
    probabilities = questions.probabilities
    worlds_where = questions.worlds_where
    timeline = knowledge.timeline
    since = knowledge.since
    knowledge = knowledge.knowledge_of

    def audit(self, *, seed: int = 0) -> Tabled[Any]:
        """Compare the game with others that a player cannot tell from it, and return what differs.

        The others have other secrets; `seed` draws them. For every surface (handouts, messages, …)
        the number of pairs of games, and of those that do not look the same to the player, with an example.
        """
        from kripke_werewolf.games.audit import Audit

        return Audit(seed).of(self)

    def model(
        self,
        agents: Players | None = None,
        *,
        deaths_of: Players | None = None,
        moves: Iterable[str] = (),
        limit: int = LIMIT,
    ) -> KripkeModel:
        """Return the Kripke model of the game for some players (by default all); see `game_models`.

        `moves`: the moves that are atoms of it, such as `attacked_Ann_Bo`; all would be too many.
        Its designated worlds are the superposition. Raises ModelTooLarge beyond `limit` worlds.
        """
        chosen = self.players if agents is None else self._names(agents)
        dead = self.players if deaths_of is None else self._names(deaths_of)
        about = [*(f"dead_{name}" for name in dead), *(named_move(self.setup, text) for text in moves)]
        return build_model(told(self, full=True), chosen, about=about, limit=limit).with_words(self.words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, QuantumWerewolf):
            return NotImplemented
        return self.setup == other.setup and self.steps == other.steps

    def __hash__(self) -> int:
        return hash((self.setup, self.steps))

    def headline(self) -> str:
        """Return the rules, the number of players and of worlds, and the phase."""
        state = f"over: {self.verdict}" if self.verdict else str(self.phase)
        return f"{self.rules.name}, {len(self.players)} players, {self.size:,} worlds, {state}"

    def display(self) -> Iterator[Block]:
        """Yield only public information, since others may see the screen."""
        document = screen(self)
        yield Heading(document.title)
        yield from document.blocks
