"""What a model can be turned into and made from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import networkx as nx

    from kripke_werewolf.models.model import KripkeModel

__all__ = ["Conversions"]

_DRAWN_WORLDS = 40  # the largest model that a notebook shows as a picture


class Conversions:
    """The conversions of `KripkeModel`: plain data, JSON files, networkx graphs, notebooks."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the model as plain data for JSON, with the version of the schema.

        >>> from kripke_werewolf import KripkeModel
        >>> m = KripkeModel(["w", "v"], {"a": [("w", "v")]}, {"p": ["v"]}, "w")
        >>> data = m.to_dict()
        >>> data["version"], data["relations"], data["valuation"], data["designated"]
        (1, {'a': [['w', 'v']]}, {'p': ['v']}, ['w'])
        >>> KripkeModel.from_dict(data) == m
        True

        Raises `FormatError` for names of worlds that JSON has no form for.
        """
        from kripke_werewolf.models.formats.json import to_dict

        return to_dict(cast("KripkeModel", self))

    @classmethod
    def from_dict(cls, data: Any) -> KripkeModel:
        """Return the model that plain data describe, as `to_dict` makes them.

        Lists in the place of names are read as tuples. Raises `FormatError` with the place
        (`relations.a[3][1]`) and the reason.
        """
        from kripke_werewolf.models.formats.json import from_dict

        return from_dict(data)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file, which is complete or, on failure, as it was before."""
        from kripke_werewolf.models.formats.json import write

        write(cast("KripkeModel", self), path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> KripkeModel:
        """Read a model from a JSON file; raises `FormatError` with line and column or the place."""
        from kripke_werewolf.models.formats.json import read

        return read(path)

    def to_networkx(self) -> nx.MultiDiGraph:
        """Return the model as a graph: edge attribute `agent`, node attributes `true` and `designated`.

        Raises `ModelError` for more than some million edges.
        """
        from kripke_werewolf.models.formats.networkx import to_networkx

        return to_networkx(cast("KripkeModel", self))

    @classmethod
    def from_networkx(cls, graph: nx.Graph) -> KripkeModel:
        """Return the model that a graph describes, as `to_networkx` makes them.

        A node's attribute `true` lists the atoms true there, `designated` marks it; an edge's attribute
        `agent` says whose it is. Other attributes are not read. If no node says whether it is designated,
        all are; an edge of an undirected graph goes both ways. Raises `FormatError` for an edge without
        the attribute `agent`, and for what is no graph.
        """
        from kripke_werewolf.models.formats.networkx import from_networkx

        return from_networkx(graph)

    def _repr_svg_(self) -> str | None:
        model = cast("KripkeModel", self)
        if len(model) > _DRAWN_WORLDS:
            return None
        from visualise import svg

        return svg(model)

    def _repr_html_(self) -> str | None:
        if len(cast("KripkeModel", self)) <= _DRAWN_WORLDS:
            return None
        from html import escape

        return f"<pre>{escape(repr(self))}</pre>"
