"""The texts that TikZ, SVG and DOT are compared with; `python -m tests.visualise.golden` writes them anew."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import visualise
from kripke_werewolf import ActionModel, Event, KripkeModel, private
from kripke_werewolf.logic.puzzles import puzzle

FOLDER = Path(__file__).parent / "golden"
WRITERS: dict[str, Callable[..., str]] = {
    "svg": visualise.svg,
    "dot": visualise.dot,
    "tex": visualise.tikz,
}


def two_worlds() -> KripkeModel:
    return KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w", "v"]]}, {"p": ["w"]}, ["w"]
    )


def hostile() -> KripkeModel:
    """Names that would be markup or commands if anything let them."""
    worlds = ["<img onerror=alert(1)>", "a&b\"'", "\\x$y_{}"]
    return KripkeModel.from_partitions(
        worlds,
        {"<b>ob": [worlds[:2], worlds[2:]], "a_$%#": [worlds[:1], worlds[1:]]},
        {"wolf_<i>": worlds[1:2], "p$~^": worlds[2:]},
        worlds[:1],
    )


def drawings() -> dict[str, tuple[Any, dict[str, Any]]]:
    action = ActionModel(
        {"e": Event("p", {"q": "K_a p", "p": "~p"}), "f": Event("~p")},
        {"a": [("e", "e"), ("f", "f")], "b": [("e", "e"), ("e", "f"), ("f", "e"), ("f", "f")]},
        ["e"],
    )
    return {
        "two-worlds": (two_worlds(), {}),
        "cube": (puzzle("muddy-children", n=3).model, {"formula": "Kw_1 muddy_1"}),
        "private": (two_worlds().update(private("a", "p")), {}),
        "hulls": (puzzle("cheryl").model, {"edges": "hulls", "edge_labels": False, "atoms": []}),
        "explained": (two_worlds(), {"explain": "K_a p", "edge_labels": False}),
        "action": (action, {}),
        "layers": (puzzle("professor").model, {}),
        "hostile": (hostile(), {"title": "<script>&"}),
    }


def written(name: str, ending: str) -> str:
    what, options = drawings()[name]
    return WRITERS[ending](what, **options)


if __name__ == "__main__":
    for name in drawings():
        for ending in WRITERS:
            (FOLDER / f"{name}.{ending}").write_text(written(name, ending), encoding="utf-8")
