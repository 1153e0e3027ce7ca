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
