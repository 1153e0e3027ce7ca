"""The players' cells according to public information: what each player may have learnt in secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from kripke_werewolf.display import Displayed
from kripke_werewolf.language import Atom
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.reports.documents import Figure
from kripke_werewolf.reports.tables import counted
from kripke_werewolf.werewolf.events import Played
from kripke_werewolf.werewolf.game_models import build_model, largest_model
from kripke_werewolf.werewolf.roles import Role
from kripke_werewolf.werewolf.told import Told, told

if TYPE_CHECKING:
    from visualise import Options, Scene

MOST_COUNTED = 5_000
"""The most worlds of a player's model for which cells are counted."""


@dataclass(frozen=True, slots=True)
class PlayerCells:
    """Public information about the knowledge of one player."""

    player: str
    alive: bool
    """Whether they are not officially dead."""
    roles: tuple[Role, ...]
    """Their possible roles."""
    left: tuple[int, ...] | None
    """For each of their cells the number of deals it leaves, ascending; None if they are not counted."""


@dataclass(frozen=True, slots=True, repr=False)
class PublicCells(Displayed):
    """The cells of all players in the model of public information.

    A cell is a possible secret course of a player's moves and observations. The actual one is not included.
    """

    deals: KripkeModel
    """The deals compatible with public information: roles and deaths; without agents."""
    roles: tuple[Role, ...]
    """The roles of the deck."""
    players: tuple[PlayerCells, ...]

    def headline(self) -> str:
        """Return the number of deals, and each player's number of cells."""
        each = (f"{p.player} {'?' if p.left is None else f'{len(p.left):,}'}" for p in self.players)
        return f"{counted(len(self.deals), 'possible deal')}; cells: {', '.join(each)}"

    def draw(self, **options: Unpack[Options]) -> Scene:
        """Return the picture of the cells; only `options` about appearance apply."""
        from visualise.public_cells import cells_picture

        return cells_picture(self, **options)

    def display(self) -> Iterator[Figure]:
        """Yield the picture of the cells."""
        return self.draw().display()


def public_cells(game: Played, *, limit: int = 20_000) -> PublicCells:
    """Return the players' cells according to public information.

    Cells of a player whose model has more than `MOST_COUNTED` worlds are not counted. Raises `ModelTooLarge`
    for more than `limit` deals.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> public_cells(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1))
    <PublicCells: 6 possible deals; cells: Ann 1, Bo 1, Cy 1>
    """
    known, alive = told(game).past, told(game).alive
    roles = known.setup.deck.roles
    deals = build_model(known, [], limit=limit, weighted=False)
    names = dict.fromkeys(str(world).partition(" ")[0] for world in deals.worlds)
    players = []
    for player in known.setup.players:
        own = tuple(role for role in roles if deals.numbers(Atom(f"{role}_{player}")))
        players.append(PlayerCells(player, player in alive, own, _left(known, player)))
    return PublicCells(KripkeModel(names, {}, {}), roles, tuple(players))


def _left(known: Told, player: str) -> tuple[int, ...] | None:
    """Return the number of deals left in each cell of a player; None if their model is too large."""
    if largest_model(known, [player], deaths_of=known.setup.players) > MOST_COUNTED:
        return None
    model = build_model(known, [player], limit=MOST_COUNTED, weighted=False)
    deals = [str(world).partition(" ")[0] for world in model.worlds]
    return tuple(sorted(len({deals[w] for w in cell}) for cell in model.classes(player) or ()))
