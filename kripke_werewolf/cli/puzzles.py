"""The command `puzzle`, which replays the puzzles of the literature and checks the answers."""

from __future__ import annotations

from kripke_werewolf.cli.declared import Given, Reply, command
from kripke_werewolf.cli.output import columns
from kripke_werewolf.logic.puzzles import PUZZLES, muddy_children, puzzle


@command("puzzle", how={puzzle: "n engine", muddy_children: "muddy"})
def _puzzle(name: str | None = None, *, steps: bool = False, how: Given) -> Reply:
    """Run the puzzle NAME; print the number of worlds after each step, and the answers. Without NAME, list
    all puzzles.

    Exit code 0 if all answers agree with the literature, 1 if not, or if an event is impossible for this
    size.

    Options:
      -n, --n: The size: the number of children, days, …, or the largest number.
      --muddy: How many of the children are muddy; by default all.
      --steps: Also list the remaining worlds after each step.
      --engine: explicit: list all worlds; symbolic: decision diagrams, for large sizes; auto: by
        size.
    """
    if name is None:
        descriptions = {name: PUZZLES.about(name) for name in PUZZLES}
        return Reply(columns(descriptions.items()), descriptions)
    found = puzzle(name, **how)
    run = found.run()
    return Reply(run.in_words(steps=steps), run.to_dict(), yes=run.right)
