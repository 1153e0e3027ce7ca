"""The game: an immutable value whose moves return the next one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from kripke_werewolf.errors import GameError, IllegalMove
from kripke_werewolf.werewolf import moves
from kripke_werewolf.werewolf.draws import Chance, Draw, choose
from kripke_werewolf.werewolf.events import Action
from kripke_werewolf.werewolf.log_format import Step
from kripke_werewolf.werewolf.replay import repeat_step
from kripke_werewolf.werewolf.rules import Rules
from kripke_werewolf.werewolf.setting import Engine, make_setup, make_worlds, start_state
from kripke_werewolf.werewolf.state import Deal, Phase, Setup, State, Targets
from kripke_werewolf.werewolf.views import GameView
from kripke_werewolf.werewolf.whole_phase import Missing, act_at_random, work_off

if TYPE_CHECKING:
    from kripke_werewolf.language.formulas import FormulaLike
    from kripke_werewolf.models.model import KripkeModel
    from kripke_werewolf.werewolf.handout import Handout
    from kripke_werewolf.werewolf.knowledge import Knowledge
    from kripke_werewolf.werewolf.leaks import Learnt
    from kripke_werewolf.werewolf.learning import Moment, Since
    from kripke_werewolf.werewolf.questions import Answer, Answering
    from kripke_werewolf.werewolf.table import Table

__all__ = ["LIMIT", "QuantumWerewolf"]

LIMIT = 5_000_000
"""Worlds a Kripke model of a game may have unless the caller allows more."""


class QuantumWerewolf(GameView):
    """A game of Quantum Werewolf under any `Rules`.

    Every move returns a new game; a move the rules refuse raises IllegalMove with the reason and
    changes nothing. Players are named, or given by number as integers.

    * `players`: the names in seat order. `wolves` defaults to what the rules call usual, `seers` to 1.
    * `rules`: a preset's name or a `Rules` value.
    * `targets`: whether the others see whom a player looks at and attacks.
    * `deal`: `"classical"` deals actual roles (drawn, or `roles` by seat or by name); the superposition
      then is that one world, and only who really has a role can use it.
    * `numbers`: what players are called in an anonymous table: by default their place in `players`,
      `"shuffled"`, or a sequence. Where the rules go by number, they go by these.
    * `strict`: whether a phase can only be left when every compulsory action was taken. By default a
      move that belongs to the next phase ends the current one.
    * `sample`: play with at most so many random worlds instead of all; every output says so.
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

    __slots__ = ("_draw", "_start")

    def __init__(
        self,
        players: Sequence[str],
        *,
        wolves: int | None = None,
        seers: int = 1,
        rules: str | Rules = "straat",
        targets: Targets = "secret",
        deal: Deal = "quantum",
        roles: Sequence[str] | Mapping[str, str] | None = None,
        numbers: Sequence[int] | Literal["shuffled"] | None = None,
        strict: bool = False,
        sample: int | None = None,
        engine: Engine = "auto",
        rng: np.random.Generator | int | None = None,
        draw: Draw | None = None,
    ) -> None:
        if rng is not None and draw is not None:
            raise GameError("both rng= and draw= are given; all draws come from one of them")
        generator = np.random.default_rng(rng)
        chance: Draw = draw if draw is not None else Chance(int(generator.integers(2**63)))
        self.setup = make_setup(
            players,
            wolves=wolves,
            seers=seers,
            rules=rules,
            targets=targets,
            deal=deal,
            roles=roles,
            numbers=numbers,
            strict=strict,
            sample=None if sample is None else (sample, int(generator.integers(2**63))),
            draw=chance,
        )
        self._start = self._state = start_state(self.setup, make_worlds(self.setup, engine))
        self._draw = chance
        self.steps = ()

    @classmethod
    def _make(
        cls, setup: Setup, start: State, state: State, steps: tuple[Step, ...], draw: Draw
    ) -> QuantumWerewolf:
        game = cls.__new__(cls)
        game.setup, game._start, game._state, game.steps, game._draw = setup, start, state, steps, draw
        return game

    @classmethod
    def from_setup(
        cls, setup: Setup, *, engine: Engine = "auto", draw: Draw | None = None
    ) -> QuantumWerewolf:
        """Return the game before its first move."""
        start = start_state(setup, make_worlds(setup, engine))
        fresh = Chance(int(np.random.default_rng().integers(2**63)))
        return cls._make(setup, start, start, (), fresh if draw is None else draw)

    # moves

    def vision(self, actor: str | int, target: str | int, *, result: str | None = None) -> QuantumWerewolf:
        """Let `actor` look at `target`; `result` forces or restricts what is seen."""
        game = self._moved_on("vision")
        seats = self.setup.seat(actor), self.setup.seat(target)
        draw = game._chance()
        return game._then(moves.vision(self.setup, game._state, *seats, draw, result=result), draw)

    def attack(self, actor: str | int, target: str | int) -> QuantumWerewolf:
        """Let `actor` attack `target`."""
        game = self._moved_on("attack")
        seats = self.setup.seat(actor), self.setup.seat(target)
        draw = game._chance()
        return game._then(moves.attack(self.setup, game._state, *seats, draw), draw)

    def decline(self, actor: str | int, *, action: Action = "vision") -> QuantumWerewolf:
        """Let `actor` do without an action that is not compulsory."""
        draw = self._chance()
        return self._then(moves.decline(self.setup, self._state, self.setup.seat(actor), action, draw), draw)

    def vote_off(self, player: str | int | Sequence[str], *, role: str | None = None) -> QuantumWerewolf:
        """Let the village vote `player` off; several names are a tie that the lot decides.

        `role` forces or restricts the role drawn.
        """
        game = self._moved_on("vote")
        draw = game._chance()
        tied: tuple[str, ...] = ()
        if not isinstance(player, (str, int)):
            tied = tuple(self.setup.players[self.setup.seat(p)] for p in player)
            if not tied:
                raise IllegalMove("nobody is named in the vote; where nobody is voted off, end the phase")
            alive = [p for p in tied if p in self.alive]
            if len(alive) != len(tied) or len(set(tied)) < max(2, len(tied)):
                raise IllegalMove(
                    f"{', '.join(tied)} cannot be tied: give two or more living players, each once"
                )
            player = choose(draw, "tie", None, dict.fromkeys(tied, 1))
        seat = self.setup.seat(player)
        return game._then(moves.vote_off(self.setup, game._state, seat, draw, role=role, tied=tied), draw)

    def claim(self, speaker: str | int, what: FormulaLike, *, believed: bool = True) -> QuantumWerewolf:
        """Let a living player say something to everybody.

        Believed, it is a truthful public announcement: the worlds where it is false are out of question
        from now on. What a player knows is true in all surviving worlds or in none; where a fact that is
        still open is believed, the superposition collapses to the worlds where it is true. Not believed,
        it is recorded and changes nothing. Raises IllegalMove if it is false in every surviving world.
        """
        from kripke_werewolf.werewolf.talk import said

        event, worlds = said(self, speaker, what, (), believed=believed)
        return self._then((replace(self._state, worlds=worlds), (event,)), self._chance())

    def private(
        self,
        speaker: str | int,
        to: str | int | Iterable[str | int],
        what: FormulaLike,
        *,
        noticed: bool = True,
    ) -> QuantumWerewolf:
        """Let a living player tell others something that they believe.

        The rest see that these are told whether it is so, or, with `noticed=False`, notice nothing: then
        they may come to believe what is false, and only the symbolic engine answers. Raises IllegalMove
        if it is false in every surviving world.
        """
        from kripke_werewolf.werewolf.talk import said

        heard = (to,) if isinstance(to, str | int) else tuple(to)
        event, worlds = said(self, speaker, what, heard, believed=True, noticed=noticed)
        return self._then((replace(self._state, worlds=worlds), (event,)), self._chance())

    def end_phase(self, *, missing: Missing | None = None) -> QuantumWerewolf:
        """End the phase; whoever may decline has declined.

        `missing` says what becomes of compulsory actions not taken: `"refuse"` to end (the default if
        strict), `"pass"` over them (the default otherwise), or choose a `"random"` legal target.
        """
        missing = missing or ("refuse" if self.setup.strict else "pass")
        if missing not in ("refuse", "pass", "random"):
            raise GameError(f"missing={missing!r} is not possible (allowed: 'refuse', 'pass', 'random')")
        if missing == "refuse" and self.waiting_for:
            names = ", ".join(f"{player} ({action})" for player, action in self.waiting_for)
            raise IllegalMove(f"{self.phase} cannot end: still to act: {names}")
        if missing == "random" and self.waiting_for:
            return act_at_random(self)
        draw = self._chance()
        return self._then(moves.end_phase(self.setup, self._state, draw), draw)

    def act(
        self,
        actions: Mapping[str, str | Mapping[str, str | tuple[str, str]]],
        *,
        order: Iterable[str] | None = None,
        missing: Missing | None = None,
    ) -> QuantumWerewolf:
        """Work off the actions of a whole phase, in the order of the rules, and end it.

        `actions` gives for each player `{"vision": target, "attack": target}`, or just the target in a
        phase with one kind of action; a pair (target, result) forces a vision. `order` names the
        players in the order in which they act; by default it is by number or random, as the rules say.
        """
        return work_off(self, actions, order=order, missing=missing)

    def _moved_on(self, wanted: Action | Literal["vote"]) -> QuantumWerewolf:
        """End the phase if what is wanted belongs to the next one and nobody is kept waiting."""
        here, following = self.phase, self.setup.phase_after(self.phase)

        def fits(phase: Phase) -> bool:
            return phase.kind == "vote" if wanted == "vote" else wanted in self.setup.actions(phase)

        kept = self.setup.strict and any(self._state.open(a) for a in self.setup.actions(here))
        if fits(here) or not fits(following) or kept or self.verdict is not None:
            return self
        return self.end_phase()

    def _chance(self) -> Draw:
        return Chance(self._draw.seed, self._draw.position) if isinstance(self._draw, Chance) else self._draw

    def _then(self, moved: tuple[State, Step], draw: Draw) -> QuantumWerewolf:
        state, events = moved
        return self._make(self.setup, self._start, state, (*self.steps, events), draw)

    def with_draw(self, draw: Draw) -> QuantumWerewolf:
        """Return the same game with another source of chance."""
        return self._make(self.setup, self._start, self._state, self.steps, draw)

    # going back and repeating

    def repeat(self, events: Step) -> QuantumWerewolf:
        """Return the game after a recorded step, its outcomes forced.

        Raises IllegalMove when the rules refuse it, GameError when other events follow than recorded.
        """
        return repeat_step(self, events)

    def at(self, step: int) -> QuantumWerewolf:
        """Return the game after so many steps; 0 is the start. Raises GameError if there are fewer."""
        if not 0 <= step <= len(self.steps):
            raise GameError(f"step {step} does not exist; the game has steps 0 to {len(self.steps)}")
        game = self._make(self.setup, self._start, self._start, (), self._draw)
        for events in self.steps[:step]:
            game = game.repeat(events)
        return game

    def undo(self) -> QuantumWerewolf:
        """Return the game without its last step."""
        if not self.steps:
            raise IllegalMove("there is nothing to undo: the game has just begun")
        return self.at(len(self.steps) - 1)

    # what is known

    def model(
        self,
        agents: Iterable[str | int] | None = None,
        *,
        deaths_of: Iterable[str | int] | None = None,
        targets: Targets | None = None,
        deal: Deal | None = None,
        table_announced: bool = False,
        limit: int = LIMIT,
    ) -> KripkeModel:
        """Return the Kripke model of the game for some players (by default all); see `knowledge_model`.

        Its designated worlds are the superposition. `targets`: as if it were common knowledge that
        targets are secret or public; by default as the game is set up. `deal`: the deal of the game, of
        which there is one; another raises GameError. `table_announced`: for small games, let the public
        table speak too: worlds in which it would have been another are dropped. Raises ModelTooLarge
        beyond `limit` worlds.
        """
        from kripke_werewolf.werewolf.knowledge_model import build_model

        if deal is not None and deal != self.setup.deal:
            raise GameError(f"deal={deal!r} is not the deal of this game, which is {self.setup.deal!r}")
        game = self if targets is None else self._with_targets(targets)
        return build_model(game, agents, deaths_of=deaths_of, table_announced=table_announced, limit=limit)

    def _with_targets(self, targets: Targets) -> QuantumWerewolf:
        if targets not in get_args(Targets):
            raise GameError(f"targets={targets!r} is not possible (allowed: 'secret', 'public')")
        setup = replace(self.setup, targets=targets)
        return self._make(setup, self._start, self._state, self.steps, self._draw)

    def ask(self, question: FormulaLike, *, engine: Answering = "auto", limit: int = LIMIT) -> Answer:
        """Return whether a formula is true now: yes, no, or in so many of the surviving worlds.

        Players are named or numbered: `K_Alice wolf_Bob`, `K_1 wolf_2`. Atoms are `wolf_i`, `seer_i`,
        `villager_i`, `good_i`, `dead_i` and, where wolves have ranks, `alpha_i`, …, `dominant_i`. The
        model is built for the players whose knowledge the formula is about: explicitly up to `limit`
        worlds, symbolically beyond, unless `engine` says which.

        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
        >>> print(game.ask("K_Ann (seer_Ann -> wolf_Bo)"), game.ask("wolf_Bo"))
        yes in 2 of 5 worlds

        Raises UnknownAgentError, UnknownAtomError, FormulaSyntaxError and ModelTooLarge.
        """
        from kripke_werewolf.werewolf.questions import ask

        return ask(self, question, engine=engine, limit=limit)

    def timeline(
        self, *questions: FormulaLike, engine: Answering = "auto", limit: int = LIMIT
    ) -> tuple[Moment, ...]:
        """Return the verdicts of formulas at the start and after every event."""
        from kripke_werewolf.werewolf.learning import timeline

        return timeline(self, *questions, engine=engine, limit=limit)

    def since(self, question: FormulaLike, *, engine: Answering = "auto", limit: int = LIMIT) -> Since | None:
        """Return the event since which a formula has held, and a smallest set of events that suffices.

        None if it does not hold now.

        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Bo", "Cy", result="villager")
        >>> game = game.vision("Ann", "Bo", result="wolf")
        >>> found = game.since("K_Ann (seer_Ann -> wolf_Bo)")
        >>> found.number, found.event, found.sufficient
        (2, 'Ann looks at Bo and sees wolf (of 2 worlds: villager 1, wolf 1).', (2,))
        """
        from kripke_werewolf.werewolf.learning import since

        return since(self, question, engine=engine, limit=limit)

    def table(
        self,
        *,
        viewer: str | int | None = None,
        public: bool = False,
        columns: Sequence[str] | None = None,
    ) -> Table:
        """Return the probability table: the game master's, the public one, or as a player sees it.

        `public`: the table that the rules make public. `viewer`: the probabilities for a player who knows
        what he did and saw; what others did unseen is weighed.
        """
        if viewer is None:
            return super().table(public=public, columns=columns)
        from kripke_werewolf.werewolf.knowledge import table_of

        return table_of(self, viewer, columns=columns, limit=LIMIT)

    def knowledge(self, *, depth: int = 1, limit: int = LIMIT) -> Knowledge:
        """Return who knows what about whom; with depth 2 also who knows whether others know it."""
        from kripke_werewolf.werewolf.knowledge import knowledge

        return knowledge(self, depth=depth, limit=limit)

    def audit(self, *, limit: int = LIMIT) -> tuple[Learnt, ...]:
        """Return for every event who learnt from it, and whether it was meant for him."""
        from kripke_werewolf.werewolf.leaks import audit

        return audit(self, limit=limit)

    def assert_private(self, event: int, *, to: Iterable[str | int], limit: int = LIMIT) -> None:
        """Raise `Leak` if anybody but the players `to` learnt from an event (numbered from 1).

        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
        >>> game.assert_private(1, to={"Ann"})
        """
        from kripke_werewolf.werewolf.leaks import check_private

        check_private(self, event, to, limit=limit)

    def who_knows(self, question: FormulaLike, *, limit: int = LIMIT) -> dict[str, bool | None]:
        """Return for every player whether he knows a formula true (True), false (False), or neither."""
        from kripke_werewolf.werewolf.knowledge import who_knows

        return who_knows(self, question, limit=limit)

    def handout(self, player: str | int) -> Handout:
        """Return what a player may know, and nothing else, as text, Markdown or HTML.

        >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
        >>> game.vision("Ann", "Bo", result="human").handout("Ann").parts[0].told
        ('You look at Bo and see: human.',)
        """
        from kripke_werewolf.werewolf.handout import handout

        return handout(self, player)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, QuantumWerewolf):
            return NotImplemented
        return self.setup == other.setup and self.steps == other.steps

    def __hash__(self) -> int:
        return hash((self.setup, self.steps))

    def __repr__(self) -> str:
        state = f"over: {self.verdict}" if self.verdict else str(self.phase)
        players = f"{len(self.players)} players"
        return f"<QuantumWerewolf ({self.rules.name}): {players}, {self.size:,} worlds, {state}>"
