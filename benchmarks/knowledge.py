"""How large the models of games are, and how fast questions are answered: `python -m benchmarks.knowledge`.

Three nights of a game under the rules `cisra`, everybody acting at random, a vote between the nights.
`product`: what the product of all players' secrets would come to at most; `model`: the worlds of the
explicit model for the players in the question, or `-` where the symbolic engine answered; `ms`: CPU
time of `game.ask`, building the model included, the median of some calls. A second table, for each rule set:
`K_1 wolf_2` and `game.knowledge` for all players of such a game, and how many of their views are counted; for
the others a model is built. A third table, for each rule set: the CPU time of the story of a game of eight
players after three nights, with what everybody could have known at the end of each phase.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import numpy as np

import kripke_werewolf as kw
from benchmarks.timing import repeated
from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.reports.documents import Document
from kripke_werewolf.games.werewolf.engines import seen_worlds
from kripke_werewolf.games.werewolf.game_models import Course
from kripke_werewolf.games.werewolf.setup import Targets
from kripke_werewolf.games.werewolf.tale import knowledge_after, phase_ends, tale, to_ask
from kripke_werewolf.games.werewolf.told import told


def play(
    players: int, wolves: int, targets: Targets, seed: int, *, rules: str = "cisra"
) -> kw.QuantumWerewolf:
    """Return a game after three nights; another seed is tried where it ends earlier."""
    rng = np.random.default_rng(seed)
    names = [f"P{i}" for i in range(1, players + 1)]
    game = kw.QuantumWerewolf(names, wolves=wolves, rules=rules, targets=targets, rng=seed)
    nights = 0
    while nights < 3:
        phase = game.phase
        if game.verdict is not None or len(game.alive) < 3:
            return play(players, wolves, targets, seed + 1, rules=rules)
        if phase.kind == "vote":
            game = game.vote_off(str(rng.choice(game.alive)))
            continue
        while game.may_act and game.phase == phase:
            name, actions = next(iter(game.may_act.items()))
            target = str(rng.choice(game.legal_targets(name, actions[0])))
            game = game.vision(name, target) if actions[0] == "vision" else game.attack(name, target)
        if game.phase == phase and game.verdict is None:
            game = game.end_phase()
        nights += "vision" in game.setup.actions(phase)
    return game


def measure(game: kw.QuantumWerewolf, question: str, repeats: int) -> tuple[str, float]:
    """Return the size of the model, in words, and the median CPU time in seconds."""
    times, answer = repeated(lambda: game.ask(question), repeats)
    size = f"{len(answer.model):,}" if isinstance(answer.model, kw.KripkeModel) else "-"
    return size, statistics.median(times)


def views_counted(game: kw.QuantumWerewolf) -> int:
    """Return the number of players' views that are counted."""
    counted = 0
    for name in game.players:
        with suppress(GameError):
            seen_worlds(game.handout(name))
            counted += 1
    return counted


def story(game: kw.QuantumWerewolf) -> Document:
    """Return the story of a game, with what everybody could have known from the news."""
    asked = [one for one in to_ask(game) if one[1] == "facts"]
    return tale(game, {one: knowledge_after(game, one) for one in asked})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.knowledge")
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args(arguments).repeats
    print(f"{'game':<26}{'question':<26}{'product':>10}{'model':>12}{'ms':>10}")
    sizes: list[tuple[int, int, Targets]] = [
        (6, 2, "secret"), (8, 2, "secret"), (8, 2, "public"), (10, 2, "secret"), (12, 3, "secret"),
    ]  # fmt: skip
    for players, wolves, targets in sizes:
        game = play(players, wolves, targets, seed=1)
        a, b, c, *_ = [game.players.index(name) + 1 for name in game.alive]
        questions = [f"K_{a} wolf_{b}", f"K_{a} (seer_{a} -> ~dead_{b})"]
        if players <= 10:
            questions.append(f"K_{a} K_{b} wolf_{c}")
        if targets == "public":
            questions.append(f"K_{a} ~K_{b} K_{c} wolf_{a}")
        full = Course.of(told(game, full=True)).most_worlds
        for question in questions:
            model, seconds = measure(game, question, repeats)
            name = f"{players} players, {targets}"
            print(f"{name:<26}{question:<26}{full:>10.0e}{model:>12}{1e3 * seconds:>10.1f}")
    head = f"\n{'who knows what':<26}{'deals':>26}{'counted':>10}{'K_1 wolf_2 ms':>16}{'knowledge ms':>16}"
    print(head)
    for players, wolves, rules in [
        (8, 2, "cisra"), (12, 3, "cisra"), (20, 4, "cisra"), (20, 4, "gekka"), (20, 2, "straat"),
    ]:  # fmt: skip
        game = play(players, wolves, "secret", seed=1, rules=rules)
        counted, (_, one) = views_counted(game), measure(game, "K_1 wolf_2", repeats)
        every = statistics.median(repeated(game.knowledge, repeats)[0])
        name = f"{players} players, {rules}"
        print(f"{name:<26}{game.setup.deck.worlds:>26,}{counted:>10}{1e3 * one:>16.1f}{1e3 * every:>16.1f}")
    print(f"\n{'the story of three nights':<26}{'ends of phases':>16}{'ms':>10}")
    for rules in ("cisra", "gekka", "straat"):
        game = play(8, 2, "secret", seed=1, rules=rules)
        seconds = statistics.median(repeated(partial(story, game), repeats)[0])
        print(f"{f'8 players, {rules}':<26}{len(phase_ends(game)):>16}{1e3 * seconds:>10.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
