"""`kripke-werewolf demo`: the four-player game of the published script's README, with questions."""

from __future__ import annotations

from pathlib import Path

import click

from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.log import LogFile

__all__ = ["demo_command"]

_AFTER_NIGHT = [
    ("K_Alice (seer_Alice -> wolf_Bob)", "Alice knows: if I am the seer, Bob is a wolf"),
    ("K_Bob (seer_Alice -> wolf_Bob)", "Bob knows that too"),
    (
        "K_Bob (K_Alice (seer_Alice -> wolf_Bob) | K_Alice (seer_Alice -> ~wolf_Bob))",
        "Bob knows that she has seen whether he is one",
    ),
    ("K_Craig Kw_Alice wolf_Bob", "Craig knows that Alice knows whether Bob is a wolf"),
    ("P_Alice(wolf_Bob) = 6/11", "For Alice, Bob is a wolf with probability 6/11"),
    ("wolf_Bob", "Bob is a wolf"),
]
_AFTER_DAVID = [
    ("K_Craig wolf_David", "Craig knows that David was a wolf"),
    ("C_{Alice,Bob,Craig,David} wolf_David", "That is common knowledge"),
    ("K_Alice (seer_Alice -> wolf_Bob)", "Alice still knows what her vision told her"),
    ("M_Bob wolf_Craig", "Bob considers it possible that Craig is the other wolf"),
    ("D_{Alice,Bob,Craig,David} (seer_Alice -> wolf_Bob)", "Together they could work out what she saw"),
]
_AFTER_BOB = [
    ("K_Alice ~wolf_Craig", "Alice knows that Craig is no wolf"),
    ("K_Alice Kw_Craig wolf_Alice", "Alice knows that Craig knows whether she is one"),
    ("Kw_Alice seer_Alice", "Alice knows whether she was the seer"),
]


@click.command("demo")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Directory for demo.png and demo.jsonl; by default the current one.",
)
def demo_command(out: Path) -> None:
    """Play the four-player game of a published README and ask what its players know.

    Leaves a picture of the Kripke model after the first night (demo.png) and the log of the game
    (demo.jsonl), on which `ask` and `table` go on.
    """
    from visualise import save

    out.mkdir(parents=True, exist_ok=True)
    log, picture = out / "demo.jsonl", out / "demo.png"
    game = QuantumWerewolf(
        ["Alice", "Bob", "Craig", "David"], wolves=2, seers=1, rules="straat", targets="public"
    )
    _say(f"Four players, two wolves, a seer and a villager: {game.size} worlds.", game)

    game = game.vision("Alice", "Bob", result="wolf")
    click.echo(f"\nNight 1. Alice looks at Bob and sees a wolf: {game.size} worlds.")
    game = game.attack("Alice", "Craig")
    _say("Alice attacks Craig.", game)
    _ask(game, _AFTER_NIGHT)
    save(
        game.model(["Alice", "Bob"], deaths_of=[]),
        picture,
        formula="wolf_Bob",
        atoms=[],
        names=lambda world: str(world).partition(" ")[0],
        edges="hulls",
        title="After the first night: what Alice may have seen",
    )

    game = game.vote_off("David", role="wolf")
    _say(f"Day 1. David is voted off and was a wolf: {game.size} worlds.", game)
    _ask(game, _AFTER_DAVID)

    game = game.vote_off("Bob", role="wolf")
    _say(f"Day 2. Bob is voted off and was a wolf: {game.size} worlds are left.", game)
    _ask(game, _AFTER_BOB)
    winners = " and ".join(name for name, won in game.results.items() if won)
    click.echo(f"\nThe {game.verdict} wins ({winners}), though it is still open who of them was the seer.")

    log.unlink(missing_ok=True)
    with LogFile.create(log, game):
        click.echo(f"\nThe model after the first night: {picture}\nThe game: {log}; try")
        click.echo(f"  kripke-werewolf ask {log} 'K_Alice wolf_Bob'")


def _say(what: str, game: QuantumWerewolf) -> None:
    click.echo(f"\n{what}\n\n{_indented(str(game.table()))}")


def _ask(game: QuantumWerewolf, questions: list[tuple[str, str]]) -> None:
    click.echo("")
    for f, meaning in questions:
        click.echo(f"  {meaning}?\n      {f}   {game.ask(f)}")


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.splitlines())
