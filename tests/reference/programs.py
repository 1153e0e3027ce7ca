"""Knowledge-based programs by enumerating every play: obviously right, not fast.

A point is a whole history. Players tell histories apart by everything they have seen, in one model of all
histories of the same length with the same public part; nothing is merged.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from kripke_werewolf import KripkeModel
from kripke_werewolf.games import End, Happening, Mixed
from kripke_werewolf.logic.models.model import Numbered

# ruff: noqa: B023 - the functions are called before the loop goes on


def enumerated(game, strategies, formula=None):
    """Return the probability of every outcome, and at every moment that of a formula in plays there."""
    deals = game.deals()
    if not isinstance(deals, Mapping):
        listed = list(deals)
        deals = {w: Fraction(1, len(listed)) for w in listed}
    points = [
        ((w,), game.start(), tuple(((game.start(), game.sees(p, w)),) for p in game.players), q)
        for w, q in deals.items()
    ]
    outcomes, measured = defaultdict(Fraction), {}
    while points:
        names = range(len(points))
        model = KripkeModel.from_observations(
            list(names),
            {p: (lambda n, i=i: points[n][2][i]) for i, p in enumerate(game.players)},
            lambda n: list(game.atoms(points[n][0][-1])),
            atoms=list(game.vocabulary()),
        )
        following = []
        by_moment = defaultdict(lambda: [Fraction(0), Fraction(0)])
        for n in names:
            history, now, sights, chance = points[n]
            if formula is not None:
                total = by_moment[game.moment(now)]
                total[0] += chance
                total[1] += chance * model.holds(formula, at=n)
            decided = {}
            for player, moves in game.decides(now, history[-1]).items():

                def holds(f, player=player, n=n):
                    found = {
                        model.holds(f, at=m) for m in Numbered(model.point(n)).successors(str(player), n)
                    }
                    assert len(found) == 1
                    return found.pop()

                answer = strategies[player](player, now, tuple(moves), holds)
                decided[player] = dict(answer.weights) if isinstance(answer, Mixed) else {answer: Fraction(1)}
            for chosen in product(*(d.items() for d in decided.values())):
                moves = {p: move for p, (move, _) in zip(decided, chosen, strict=True)}
                likely = chance
                for _, q in chosen:
                    likely *= q
                after = game.after(now, history[-1], moves)
                after = {after: Fraction(1)} if isinstance(after, Happening | End) else after
                for happening, q in after.items():
                    if isinstance(happening, End):
                        outcomes[happening.outcome] += likely * q
                        continue
                    grown = []
                    for s, p in zip(sights, game.players, strict=True):
                        seen = tuple(sight for who, sight in happening.seen if who == p)
                        grown.append((*s, (happening.now, seen, moves.get(p))))
                    following.append(((*history, happening.world), happening.now, tuple(grown), likely * q))
        measured |= {moment: true / total for moment, (total, true) in by_moment.items()}
        points = following
    return dict(outcomes), measured


def best_by_policies(game, strategies, player, goal):
    """Return the best value of all deterministic policies: a move for all they may have seen."""
    situations = {}

    def collect(player_, now, moves, seen):
        situations[seen] = moves

    _walk(game, strategies, player, collect, None, goal)
    best = None
    for choice in product(*situations.values()):
        policy = dict(zip(situations, choice, strict=True))
        value = _walk(game, strategies, player, None, policy, goal)
        best = value if best is None else max(best, value)
    return best


def _walk(game, strategies, player, collect, policy, goal):
    """Return the value of a policy; without one, collect all that the player may see when they move."""
    deals = list(game.deals())
    i = game.players.index(player)
    points = [(w, game.start(), (game.sees(player, w),), Fraction(1, len(deals))) for w in deals]
    total = Fraction(0)
    while points:
        following = []
        for world, now, seen, chance in points:
            options = {}
            for p, moves in game.decides(now, world).items():
                if p == player:
                    if collect:
                        collect(p, now, tuple(moves), seen)
                    options[p] = {m: Fraction(1) for m in moves} if collect else {policy[seen]: Fraction(1)}
                else:
                    answer = strategies[p](p, now, tuple(moves), None)
                    options[p] = dict(answer.weights) if isinstance(answer, Mixed) else {answer: Fraction(1)}
            for chosen in product(*(d.items() for d in options.values())):
                moves = {p: move for p, (move, _) in zip(options, chosen, strict=True)}
                likely = chance
                for _, q in chosen:
                    likely *= q
                after = game.after(now, world, moves)
                after = {after: Fraction(1)} if isinstance(after, Happening | End) else after
                for happening, q in after.items():
                    if isinstance(happening, End):
                        total += likely * q * Fraction(goal(happening.outcome))
                    else:
                        sight = dict(happening.seen).get(game.players[i]), happening.now
                        following.append(
                            (happening.world, happening.now, (*seen, moves.get(player), sight), likely * q)
                        )
        points = following
    return total
