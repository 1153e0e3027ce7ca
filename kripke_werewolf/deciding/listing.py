"""A small model in words: its worlds, the atoms true there, and what each agent cannot tell apart."""

from __future__ import annotations

from kripke_werewolf.models.model import KripkeModel

__all__ = ["listing"]


def listing(model: KripkeModel, mark: str) -> str:
    """Return a model as lines of text, the designated worlds with a mark.

    >>> m = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": ["w"]}, "w")
    >>> print(listing(m, "here"))
    w: p, q  <- here
    v: (none of p, q)
    a cannot tell apart: w and v
    """
    designated = set(model.designated)
    nothing = (
        f"(none of {', '.join(model.atoms)})" if len(model.atoms) > 1 else f"(not {''.join(model.atoms)})"
    )
    lines = []
    for world in model.worlds:
        true = ", ".join(model.atoms_at(world)) or (nothing if model.atoms else "-")
        lines.append(f"{world}: {true}{f'  <- {mark}' if world in designated else ''}")
    return "\n".join([*lines, *(_relation(model, agent) for agent in model.agents)])


def _relation(model: KripkeModel, agent: str) -> str:
    relation = model.relation(agent)
    names = [str(world) for world in model.worlds]
    seen = [[names[v] for v in relation.successors(w)] for w in range(len(model))]
    if model.frame_class(agent) == "S5":
        cells = dict.fromkeys(" and ".join(cell) for cell in seen if len(cell) > 1)
        if not cells:
            return f"{agent} tells all worlds apart" if len(model) > 1 else f"{agent} knows the world"
        return f"{agent} cannot tell apart: {'; '.join(cells)}"
    sights = [f"at {name} {', '.join(cell) or 'no world'}" for name, cell in zip(names, seen, strict=True)]
    return f"{agent} considers possible: {'; '.join(sights)}"
