"""Models as the first lines of a story."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from kripke_werewolf.errors import ModelError
from kripke_werewolf.models import KripkeModel

_NAME = re.compile(r"\w+")


def model_lines(model: KripkeModel, *, actual: object = "") -> Iterator[str]:
    """Yield the lines of a story that describe a model of S5.

    `actual`: a formula true at exactly the designated worlds, if there are several but not
    all. Raises `ModelError` for anything that stories cannot express.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, ["w"])
    >>> print(*model_lines(m), sep="\\n")
    agents: a
    atoms: p
    world w: p
    world v:
    confuses a: w v
    actual: w
    """
    if not len(model) or not model.agents:
        raise ModelError("a story needs an agent and a world")
    if any(model.classes(agent) is None for agent in model.agents):
        raise ModelError("a story begins with a model of S5; copy this one as JSON or Python")
    for what, given in (("variables", model.variables), ("weights", model.weights)):
        if given:
            raise ModelError(f"the {what} of this model cannot be told in a story; copy it as JSON or Python")
    texts = [_text(world) for world in model.worlds]
    if not all(map(_NAME.fullmatch, texts)) or len(set(texts)) < len(texts):
        texts = [f"w{number}" for number in range(len(texts))]  # the others cannot be read in a story
    names = dict(zip(model.worlds, texts, strict=True))
    yield f"agents: {', '.join(map(story_name, model.agents))}"
    yield f"atoms: {', '.join(map(story_name, model.atoms))}" if model.atoms else "atoms: p"
    for world, name in names.items():
        yield f"world {name}: {', '.join(map(story_name, model.atoms_at(world)))}".rstrip()
    for agent in model.agents:
        cells = ", ".join(" ".join(names[w] for w in cell) for cell in model.classes(agent) or ())
        yield f"confuses {story_name(agent)}: {cells}"
    if not model.designates_all:
        points = [names[w] for w in model.designated]
        if len(points) > 1 and not str(actual):
            raise ModelError("a story has one actual world, or none")
        yield f"actual: {points[0] if len(points) == 1 else actual}"


def story_name(name: str) -> str:
    """Return a name as stories write it, in braces if it is not a word."""
    if _NAME.fullmatch(name):
        return name
    if re.search(r'[{}"\n]', name):
        raise ModelError(f"the name {name!r} cannot be told in a story; copy the model as JSON or Python")
    return f"{{{name}}}"


def _text(name: Hashable) -> str:
    return "_".join(map(_text, name)) if isinstance(name, tuple) else str(name)
