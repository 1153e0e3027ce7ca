"""What must not change the answers about a game: names, seats, the order of secret moves, breaks, engines.

Games are played by `Script`s: random moves whose draws depend on the players' names alone, so that the same
game can be played with other seats, with other names or in another order.
"""

import json
import os
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kripke_werewolf as kw
from kripke_werewolf import GameError, LogFile, Rules, replay
from kripke_werewolf.games.werewolf.events import Collapsed, FoundDead, Step, is_action, only_ends
from kripke_werewolf.games.werewolf.inference import infer
from kripke_werewolf.logic.models.model import Numbered
from tests.games.werewolf.test_against_reference import variants
from tests.superposed import moved

EXPLORING = bool(os.environ.get("EXPLORE"))

NAMES = ("Ann", "Bo", "Cy", "Di")
STRANGE = (
    ("a_b", "Zoë Müller", "Ωμέγα", "x"),
    ("2", "1", "4", "3"),
    ("wolf", "dead_Ann", "K_Bo", "seer"),
    ("狼人", "Bo Bo", "_", "P 1"),
    ("Bo", "Ann", "Di", "Cy"),
)
RULES = {
    "cisra": kw.preset("cisra"),
    "cisra, open": kw.preset("cisra", table="open"),
    "gekka": kw.preset("gekka"),
    "gekka, attacks at once": kw.preset("gekka", first_attack=True, split_seer=True),
    "straat": kw.preset("straat"),
}
Move: TypeAlias = tuple[str, ...]


def drawing(seed: int, original: Callable[[str], str] = str) -> Any:
    """Draws that depend on the kind, the player's original name and the possible outcomes alone."""

    def draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
        possible = sorted(outcome for outcome, weight in weights.items() if weight)
        name = None if player is None else original(player)
        return random.Random(f"{seed} {kind} {name} {possible}").choice(possible)

    return draw


@dataclass(frozen=True)
class Script:
    """A game that can be played again: by other names, from other seats, in another order."""

    rules: Rules
    moves: tuple[Move, ...]
    seed: int
    wolves: int = 1
    seers: int = 1
    targets: Any = "secret"
    deal: Any = "quantum"
    players: tuple[str, ...] = NAMES

    def start(
        self, called: Mapping[str, str] | None = None, turn: int = 0, engine: Any = "auto"
    ) -> kw.QuantumWerewolf:
        """The game before the first move; `turn`: by how many seats everybody has moved on."""
        called = called or {name: name for name in self.players}
        original = {new: old for old, new in called.items()}
        size = len(self.players)
        seats = [self.players[(i + turn) % size] for i in range(size)]
        numbers = [self.players.index(name) + 1 for name in seats]
        cards: dict[str, Any] = {}
        if self.deal == "classical":
            ranks = ["alpha", "beta"][: self.wolves] if self.rules.ranked else ["wolf"] * self.wolves
            deck = ranks + ["seer"] * self.seers
            deck += ["villager"] * (size - len(deck))
            dealt = dict(zip(self.players, random.Random(self.seed).sample(deck, size), strict=True))
            cards = {"roles": [dealt[name] for name in seats]}
        return kw.QuantumWerewolf(
            [called[name] for name in seats],
            wolves=self.wolves,
            seers=self.seers,
            rules=self.rules,
            targets=self.targets,
            deal=self.deal,
            numbers=numbers,
            engine=engine,
            draw=drawing(self.seed, lambda name: original[name]),
            **cards,
        )

    def stages(
        self, called: Mapping[str, str] | None = None, turn: int = 0, engine: Any = "auto"
    ) -> Iterator[kw.QuantumWerewolf]:
        """The game before the first move and after every move."""
        names = called or {name: name for name in self.players}
        game = self.start(called, turn, engine)
        yield game
        for verb, *who in self.moves:
            game = getattr(game, verb)(*(names[name] for name in who))
            yield game

    def play(self, called: Mapping[str, str] | None = None, turn: int = 0, engine: Any = "auto") -> Any:
        """The game after all moves."""
        *_, game = self.stages(called, turn, engine)
        return game


@st.composite
def scripts(
    draw: st.DrawFn, rules: Any = None, most: int = 8, deals: tuple[str, ...] = ("quantum",)
) -> Script:
    """Random games of a preset or of random house rules."""
    seed, size = draw(st.integers(0, 2**32)), draw(st.integers(3, 4))
    chosen = draw(st.sampled_from(list(RULES.values())) if rules is None else rules)
    seers = draw(st.sampled_from([1, 1, 1, 0, 2] if chosen.several_seers else [1, 1, 0]))
    wolves = draw(st.sampled_from([1, 1, 2])) if size - seers > 2 else 1
    targets, deal = draw(st.sampled_from(["secret", "public"])), draw(st.sampled_from(deals))
    script = Script(chosen, (), seed, wolves, seers, targets, deal, NAMES[:size])
    chance, game = random.Random(seed), script.start()
    moves: list[Move] = []
    for _ in range(draw(st.integers(1, most))):
        if game.verdict is not None or not game.size:
            break
        if game.phase.kind == "vote" and chance.random() < 0.8:
            moves.append(("vote_off", chance.choice(game.alive)))
        elif game.phase.kind == "vote" or not game.may_act or chance.random() < 0.05:
            moves.append(("end_phase",))
        else:
            after = moved(game, chance)
            event = after.steps[-1][0]
            target = [event.target] if event.name in ("vision", "attack") else []
            moves.append((event.name, event.actor, *target) if hasattr(event, "actor") else ("end_phase",))
            if event.name == "declined":
                moves[-1] = ("decline", event.actor)
        verb, *who = moves[-1]
        game = getattr(game, verb)(*who)
    return replace(script, moves=tuple(moves))


HOUSE = variants()
"""Random house rules."""


def facts_of(game: kw.QuantumWerewolf) -> list[str]:
    """The facts about everybody that a question may be about, without those that follow."""
    roles = [*game.setup.deck.roles[1:], "dead"]
    return [f"{fact}_{name}" for name in game.players for fact in roles]


def worlds_of(model: Any, facts: list[str]) -> set[frozenset[str]]:
    """What may be the case in a model, by the facts that are true."""
    true = {fact: Numbered(model).mask(kw.Atom(fact)) for fact in facts}
    return {frozenset(f for f in facts if true[f][i]) for i in range(len(model))}


def considered(game: kw.QuantumWerewolf, viewer: str, reading: str) -> set[frozenset[str]]:
    """What may be the case as far as a player knows: they know what is true in all of it."""
    facts = facts_of(game)
    if reading == "facts":
        return worlds_of(game.model(agents=[viewer]).generated(), facts)
    return set(infer(game.handout(viewer)).valuations(facts))


def surviving(game: kw.QuantumWerewolf) -> set[frozenset[str]]:
    """What is the case in the worlds of the superposition."""
    model = game.model(agents=[])
    facts = facts_of(game)
    true = {fact: Numbered(model).mask(kw.Atom(fact)) for fact in facts}
    return {frozenset(f for f in facts if true[f][i]) for i in Numbered(model).points}


def covered(game: kw.QuantumWerewolf) -> bool:
    """Whether histories of the game are searched for at all.

    With several seers there are too many to be tested in games of more than three players: their visions may
    come in any order.
    """
    if game.setup.deck.seers > 1 and len(game.players) > 3:
        return False
    try:
        infer(game.handout(game.players[0]))
    except GameError as error:
        if "reading='facts'" not in str(error):
            raise
        return False
    return True


@settings(max_examples=16 if not EXPLORING else 400, deadline=None)
@given(script=scripts(deals=("quantum", "quantum", "classical")) | scripts(HOUSE))
def test_what_is_known_is_true_after_every_event(script: Script) -> None:
    """And who reads the tables knows no less: for some player."""
    chance = random.Random(script.seed)
    for game in script.stages():
        if not game.size:
            return
        now, viewer = surviving(game), chance.choice(game.players)
        by_facts = considered(game, viewer, "facts")
        assert now <= by_facts, (viewer, now - by_facts)
        if script.deal == "quantum" and covered(game):
            by_table = considered(game, viewer, "table")
            assert now <= by_table, (viewer, now - by_table, str(game.handout(viewer)))
            assert by_table <= by_facts, (viewer, by_table - by_facts, str(game.handout(viewer)))


# names, seats, order


def told(game: kw.QuantumWerewolf, called: Mapping[str, str]) -> list[str]:
    """Answers to the same questions under both readings, asked with the names that the players have."""
    chance, found, names = random.Random(len(game.steps)), list[str](), sorted(called)
    readings: list[Any] = ["facts"]
    if game.setup.deal == "quantum" and covered(game):
        readings.append("exact")
    i, j, x, y = (called[chance.choice(names)] for _ in range(4))
    one, two = (kw.Atom(f"{chance.choice(['wolf', 'good', 'dead'])}_{name}") for name in (x, y))
    for reading in readings:
        for f in (kw.K(i, one | ~two), ~kw.K(i, ~one), kw.K(j, two) & ~one):
            found.append(str(game.ask(f, reading=reading)))
        try:
            found.append(str(sorted(game.probabilities(i, one, reading=reading))))
        except kw.GameError as refused:  # an open move may change it
            found.append(str(refused).partition(": ")[2])
    return [*found, str(game.ask(one | two)), str(game.ask(kw.K(i, ~kw.K(j, one))))]


def rows(game: kw.QuantumWerewolf, called: Mapping[str, str]) -> list[object]:
    """The game master's table by player, and the published one by number."""
    table, public = game.table(), game.table(public=True)
    mine = [table[called[name]] for name in sorted(called)]
    return [
        game.size,
        mine,
        {label: public[label] for label in public.labels},
        str(game.phase),
        game.verdict,
    ]


def renamed(value: object, called: Mapping[str, str]) -> object:
    """Data in which players have other names."""
    if isinstance(value, str):
        return called.get(value, value)
    if isinstance(value, list):
        return [renamed(item, called) for item in value]
    if isinstance(value, dict):
        return {called.get(key, key): renamed(item, called) for key, item in value.items()}
    return value


def handouts(game: kw.QuantumWerewolf, called: Mapping[str, str]) -> list[object]:
    """Everybody's handout, in the order of their original names."""
    return [json.loads(game.handout(called[name]).to_json()) for name in sorted(called)]


def same_names(script: Script) -> dict[str, str]:
    """Everybody by their own name."""
    return {name: name for name in script.players}


def draws_in_order(game: kw.QuantumWerewolf) -> bool:
    """Whether several outcomes were drawn one after the other, by seat."""
    return any(
        isinstance(event, Collapsed) or sum(isinstance(e, FoundDead) for e in step) > 1
        for step in game.steps
        for event in step
    )


@given(script=scripts(deals=("quantum", "quantum", "classical")), strange=st.sampled_from(STRANGE))
@settings(max_examples=8 if not EXPLORING else 100, deadline=None)
def test_other_names_change_no_answer(script: Script, strange: tuple[str, ...]) -> None:
    own, called = same_names(script), dict(zip(script.players, strange, strict=False))
    game, other = script.play(), script.play(called)
    assume(game.size)
    assert renamed(handouts(game, own), called) == handouts(other, called)
    shown, again = rows(game, own), rows(other, called)
    shown[2] = {called.get(label, label): row for label, row in dict(shown[2]).items()}  # type: ignore[call-overload]
    assert shown == again
    assert told(game, own) == told(other, called)


@given(script=scripts(deals=("quantum", "quantum", "classical")), turn=st.integers(1, 3))
@settings(max_examples=8 if not EXPLORING else 100, deadline=None)
def test_other_seats_change_no_answer(script: Script, turn: int) -> None:
    own = same_names(script)
    game = script.play()
    assume(game.size and not draws_in_order(game))
    other = script.play(turn=turn)
    assert rows(game, own) == rows(other, own)
    assert told(game, own) == told(other, own)


@given(script=scripts(), seed=st.integers(0, 2**32))
@settings(max_examples=8 if not EXPLORING else 100, deadline=None)
def test_the_order_of_secret_moves_changes_no_answer(script: Script, seed: int) -> None:
    own, chance, game = same_names(script), random.Random(seed), script.play()
    assume(game.size)
    mixed = script.start()
    for together in in_phases(game):
        mixed = in_some_order(mixed, together, chance)
    assert [rows(mixed, own), handouts(mixed, own), told(mixed, own)] == [
        rows(game, own),
        handouts(game, own),
        told(game, own),
    ]


def in_phases(game: kw.QuantumWerewolf) -> list[list[Step]]:
    """The steps of a game, players' moves in the same phase together."""
    found: list[list[Step]] = []
    last = None
    for step, state in zip(game.steps, game.states, strict=False):
        moved_now = is_action(step[0]) and not only_ends(step)
        if last != state.phase or not moved_now:
            found.append([])
        last = state.phase if moved_now else None
        found[-1].append(step)
    return found


def in_some_order(game: kw.QuantumWerewolf, steps: list[Step], chance: random.Random) -> kw.QuantumWerewolf:
    """The game after some steps in another order; in the same if a vision would then show something else."""
    if len(steps) > 1:
        after = game
        for event, *_ in chance.sample(steps, len(steps)):
            if after.refusal(event.actor, event.action, target=getattr(event, "target", None)) is not None:  # type: ignore[attr-defined]
                break
            try:
                after = after.play(event)
            except GameError:  # the result is impossible now
                break
            if after.steps[-1][0] != event and getattr(event, "result", None) is None:
                break
        else:
            return after
    for step in steps:
        game = game.repeat(step)
    return game


# breaks, undone moves, engines


@given(script=scripts(deals=("quantum", "classical")), seed=st.integers(0, 2**32))
@settings(max_examples=10 if not EXPLORING else 100, deadline=None)
def test_a_break_or_an_undone_move_changes_nothing(script: Script, seed: int) -> None:
    own, chance = same_names(script), random.Random(seed)
    stages = list(script.stages())
    last = stages[-1]
    assume(last.size)
    shown = rows(last, own), handouts(last, own)
    for step in range(len(last.steps) + 1):
        resumed = replay(last.log[: step + 1])
        for events in last.steps[step:]:
            resumed = resumed.repeat(events)
        assert resumed == last
        assert (rows(resumed, own), handouts(resumed, own)) == shown
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        log = LogFile.create(path, stages[0])
        for before, game in pairwise(stages):
            if chance.random() < 0.4:  # a move that is undone, perhaps after a break
                log.write(game)
                if chance.random() < 0.5:
                    log.close()
                    log = LogFile.open(path)
                assert log.game.undo() == before
                log.write(log.game.undo())
                assert (rows(log.game, own), handouts(log.game, own)) == (
                    rows(before, own),
                    handouts(before, own),
                )
            log.write(game)
        log.close()
        again = replay(path)
    assert again == last
    assert (rows(again, own), handouts(again, own)) == shown
    assert told(again, own) == told(last, own)


@given(script=scripts())
@settings(max_examples=8 if not EXPLORING else 100, deadline=None)
def test_counting_shows_what_listing_shows(script: Script) -> None:
    own = same_names(script)
    listed = script.play()
    try:
        counted = script.start(engine="counting")
        for events in listed.steps:
            counted = counted.repeat(events)
    except GameError:  # what cannot be counted is refused
        return
    assert rows(listed, own) == rows(counted, own)
    assert handouts(listed, own) == handouts(counted, own)


@given(script=scripts())
@settings(max_examples=8 if not EXPLORING else 100, deadline=None)
def test_players_may_see_targets_or_not(script: Script) -> None:
    """Secret or public targets change what is known, but not the superposition; who sees more knows more."""
    secret = replace(script, targets="secret").play()
    public = replace(script, targets="public").play()
    assume(secret.size)
    own = same_names(script)
    assert rows(secret, own) == rows(public, own)
    for viewer in script.players[:2]:
        assert considered(public, viewer, "facts") <= considered(secret, viewer, "facts")
        if covered(secret):
            assert considered(public, viewer, "table") <= considered(secret, viewer, "table")
