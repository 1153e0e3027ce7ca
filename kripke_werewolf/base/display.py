"""How values are displayed: a line in a terminal, pictures and tables in a notebook."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from kripke_werewolf.base.drawing import Options, drawer
from kripke_werewolf.base.errors import cut_off
from kripke_werewolf.base.usage import Explaining

if TYPE_CHECKING:
    from kripke_werewolf.base.reports.documents import Block, Figure, Paragraph

_T = TypeVar("_T")

DRAWN_WORLDS = 40  # the largest model that a notebook shows as a picture
JOINERS = "\u200c\u200d"  # invisible, but emoji and some scripts need them
_LONGEST = 300  # characters of a line in a terminal
_LISTED = 12  # values of a catalogue in a line


class Displayed(Explaining):
    """A value that shows itself: `headline` in a terminal, `display` in a notebook.

    Errors about unknown attributes and wrong calls say what was meant. A notebook gets a lone picture as SVG,
    everything else as HTML.

    >>> from kripke_werewolf import Verdict
    >>> Verdict.of(1, 2)._repr_mimebundle_()["text/html"]
    '<p>mixed: true at 1 of the 2 designated worlds</p>'
    """

    __slots__ = ()

    @abstractmethod
    def headline(self) -> str:
        """Return the value in one line."""

    def display(self) -> Iterable[Block]:
        """Yield the paragraphs, tables and pictures that a notebook shows; by default only the headline."""
        from kripke_werewolf.base.reports.documents import Paragraph

        yield Paragraph(self.headline())

    def __repr__(self) -> str:
        line = " ".join(self.headline().split())
        return f"<{type(self).__name__}: {cut_off(line, _LONGEST)}>"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        from kripke_werewolf.base.reports.documents import Figure, fragment

        shown = list(self.display())
        match shown:
            case [Figure(_, svg, _)]:
                rich = {"image/svg+xml": svg}
            case _:
                rich = {"text/html": fragment(shown)}
        return {"text/plain": repr(self), **rich}


class Catalogue(Mapping[str, _T], Displayed):
    """Values by name, displayed as a table with a line about each.

    `find` returns the value of a name, perhaps computed when it is asked for; `about` says what a value is.

    >>> Catalogue.of({"S4": "T4", "S5": "T5"}, lambda axioms: f"the axioms {axioms}")
    {'S4': the axioms T4, 'S5': the axioms T5}
    """

    __slots__ = ("_about", "_find", "_names")

    def __init__(
        self, names: Iterable[str], find: Callable[[str], _T], about: Callable[[_T], str] = repr
    ) -> None:
        self._names, self._find, self._about = tuple(names), find, about

    @classmethod
    def of(cls, values: Mapping[str, _T], about: Callable[[_T], str]) -> Catalogue[_T]:
        """Return a catalogue of given values."""
        return cls(values, values.__getitem__, about)

    def about(self, name: str) -> str:
        """Return the line about the value of a name."""
        return self._about(self[name])

    def __getitem__(self, name: str) -> _T:
        return self._find(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name, or the default for an unknown one."""
        return self._find(name) if name in self else default

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def headline(self) -> str:
        """Return the names."""
        return ", ".join(self)

    def display(self) -> Iterator[Block]:
        """Yield a table."""
        from kripke_werewolf.base.reports.tables import Grid

        yield Grid(("name", "about"), tuple((name, self.about(name)) for name in self), words=True)

    def __repr__(self) -> str:
        if len(self) <= _LISTED:
            line = ", ".join(f"{name!r}: {self.about(name)}" for name in self)
            if len(line) <= _LONGEST:
                return f"{{{line}}}"
        return super().__repr__()


def load_ipython_extension(shell: Any) -> None:
    """Let notebooks show what is in a list, a tuple or a dictionary, after `%load_ext kripke_werewolf`."""
    page = shell.display_formatter.formatters["text/html"]
    for kind in (list, tuple, dict):
        page.for_type(kind, _together)


def _together(values: Collection[Any]) -> str | None:
    """Return values side by side, each after its key or its number; None unless all are `Displayed`."""
    from kripke_werewolf.base.reports.documents import Beside, Paragraph, fragment

    found = [*(values.items() if isinstance(values, dict) else enumerate(values, 1))]
    if not found or not all(isinstance(value, Displayed) for _, value in found):
        return None
    blocks = (block for key, value in found for block in (Paragraph(f"{key}:"), *value.display()))
    return fragment([Beside(tuple(blocks))])


def drawn(model: Any, **options: Unpack[Options]) -> Figure | Paragraph:
    """Return the picture of a model; for a large one its worlds, agents and atoms in words."""
    from kripke_werewolf.base.reports.documents import Figure, Paragraph

    if len(model) > DRAWN_WORLDS:
        return Paragraph(model.headline())
    return Figure("model", drawer("svg")(model, **options), "")
