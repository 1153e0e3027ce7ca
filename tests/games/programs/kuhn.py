"""Kuhn's poker: three cards, one chip of ante, one bet of one chip (Kuhn 1950). Its value is -1/18."""

from itertools import permutations

from kripke_werewolf.games import End, Game, Happening


class Kuhn(Game):
    name = "Kuhn poker"
    players = ("a", "b")

    def deals(self):
        return list(permutations("JQK", 2))

    def atoms(self, world):
        return [f"a_{world[0]}", f"b_{world[1]}"]

    def vocabulary(self):
        return [f"{player}_{card}" for player in self.players for card in "JQK"]

    def sees(self, player, world):
        return world[self.players.index(player)]

    def start(self):
        return ()

    def moment(self, now):
        return f"after {len(now)} moves"

    def decides(self, now, world):
        return {self.players[len(now) % 2]: ("pass", "bet")}

    def after(self, now, world, moves):
        (move,) = moves.values()
        now = (*now, move)
        if now in (("pass",), ("bet",), ("pass", "bet")):
            return Happening(world, now)
        if now[-2:] == ("bet", "pass"):
            return End(1 if now == ("bet", "pass") else -1)  # for a: the other takes the ante
        won = 2 if now[-1] == "bet" else 1
        return End(won if "JQK".index(world[0]) > "JQK".index(world[1]) else -won)


def chips(end):
    return {"a": end, "b": -end}
