"""How values are displayed: a line in a terminal, pictures and tables in a notebook."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Unpack

from kripke_werewolf.usage import Helpful, UnknownAttributeError

if TYPE_CHECKING:
    from kripke_werewolf.models.model import KripkeModel
    from kripke_werewolf.reports.documents import Block, Figure, Paragraph
    from visualise import Options

DRAWN_WORLDS = 40  # the largest model that a notebook shows as a picture
JOINERS = "\u200c\u200d"  # invisible, but emoji and some scripts need them
_LONGEST = 300  # characters of a line in a terminal


class Displayed(metaclass=Helpful):
    """A value that shows itself: `headline` in a terminal, `display` in a notebook.

    Errors about unknown attributes and wrong calls say what was meant. A notebook gets a lone picture as SVG,
    everything else as HTML.

    >>> from kripke_werewolf import Verdict
    >>> Verdict.of(1, 2)._repr_mimebundle_()["text/html"]
    '<p>mixed: true at 1 of the 2 designated worlds</p>'
    """

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if hasattr(type(self), name):  # a property, whose own error is the cause
                return object.__getattribute__(self, name)
            raise UnknownAttributeError(self, name)

    @abstractmethod
    def headline(self) -> str:
        """Return the value in one line."""

    def display(self) -> Iterable[Block]:
        """Yield the paragraphs, tables and pictures that a notebook shows; by default only the headline."""
        from kripke_werewolf.reports.documents import Paragraph

        yield Paragraph(self.headline())

    def __repr__(self) -> str:
        line = " ".join(self.headline().split())
        shown = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
        return f"<{type(self).__name__}: {shown}>"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from kripke_werewolf.reports.documents import Figure, fragment

        shown = list(self.display())
        match shown:
            case [Figure(_, svg, _)]:
                rich = {"image/svg+xml": svg}
            case _:
                rich = {"text/html": fragment(shown)}
        return {"text/plain": repr(self), **rich}


def drawn(model: KripkeModel, **options: Unpack[Options]) -> Figure | Paragraph:
    """Return the picture of a model; for a large one its worlds, agents and atoms in words."""
    from kripke_werewolf.reports.documents import Figure, Paragraph
    from visualise import svg

    if len(model) > DRAWN_WORLDS:
        return Paragraph(model.headline())
    return Figure("model", svg(model, **options), "")
