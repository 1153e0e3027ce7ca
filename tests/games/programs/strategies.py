"""Strategies in a module, so that other processes can import them."""

from kripke_werewolf.games.avalon import Evil, Good


class Patient(Evil):
    """Pass on the first quests."""

    def __init__(self, n: int) -> None:
        self.n = n

    def fails(self, player, party, now):
        return now.quest > self.n


class Trusting(Good):
    """Approve of every party."""

    def approves(self, player, party, now):
        return True
