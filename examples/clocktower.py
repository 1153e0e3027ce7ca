"""Blood on the Clocktower, a part: forty characters, and what follows from the claims of the players.

    python examples/clocktower.py

One player is the demon, others are minions. The good say truly who they are and what they have learnt; but
the Drunk and those who are poisoned may have learnt anything. The evil say what they like. Which deals of
the characters are consistent with everything that was said and that happened?
"""

from collections import Counter
from itertools import combinations, permutations
from typing import Any, NamedTuple

import kripke_werewolf as kw

TOWNSFOLK, OUTSIDER, MINION, DEMON = "townsfolk", "outsider", "minion", "demon"
GOOD, EVIL = (TOWNSFOLK, OUTSIDER), (MINION, DEMON)

# The numbers of outsiders and minions by the number of players. There is one demon; the others are townsfolk.
NUMBERS = {5: (0, 1), 6: (1, 1), 7: (0, 1), 8: (1, 1), 9: (2, 1), 10: (0, 2), 11: (1, 2), 12: (2, 2)}
NAMES = {
    TOWNSFOLK: "Washerwoman Librarian Investigator Chef Empath FortuneTeller Undertaker Monk Ravenkeeper "
    "Virgin Slayer Soldier Mayor Clockmaker Knight Steward Noble Seamstress Juggler Dreamer Shugenja "
    "VillageIdiot Balloonist Oracle Chambermaid Artist Savant Alsaahir",
    OUTSIDER: "Butler Drunk Recluse Saint",
    MINION: "Poisoner Spy ScarletWoman Baron Goblin Marionette",
    DEMON: "Imp Leviathan",
}
KIND = {character: kind for kind, names in NAMES.items() for character in names.split()}

# Two characters are not who they think they are. They think that they are somebody good, who is not in play.
DELUDED = ("Drunk", "Marionette")

# Who wakes in every night, only in the first, or in every other: this matters to the Chambermaid.
ALWAYS = "Empath FortuneTeller Seamstress Dreamer VillageIdiot Balloonist Chambermaid Butler Poisoner Spy"
FIRST = "Washerwoman Librarian Investigator Chef Clockmaker Knight Steward Noble Shugenja"
LATER = "Undertaker Monk Oracle Imp"


# What is learnt: whether it is true of a town, as a player sees it.
def librarian(see, a=None, b=None, character=None):
    """One of two players is a certain outsider; or there are none."""
    return see.one_is(a, b, character) if character else OUTSIDER not in map(see.kind, range(see.n))


def clockmaker(see, distance):
    """The distance from the demon to the nearest minion."""
    minions = [p for p in range(see.n) if see.kind(p) == MINION]
    demons = [p for p in range(see.n) if see.kind(p) == DEMON]
    gaps = [abs(p - q) for p in demons for q in minions]
    return distance == min((min(gap, see.n - gap) for gap in gaps), default=0)


def shugenja(see, clockwise):
    """Whether the nearest evil player sits clockwise; either answer if two are equally near."""
    right, left = ([see.evil(see.me + step * k) for k in range(1, see.n)] for step in (1, -1))
    return right >= left if clockwise else left >= right


def chambermaid(see, a, b, number):
    """The number of two players who woke to use their abilities."""
    awake = f"{ALWAYS} {FIRST if see.town.night == 1 else LATER}".split()
    return number == (see.character(a) in awake) + (see.character(b) in awake)


LEARNS = {
    # One of two players is a certain townsfolk, or minion.
    "Washerwoman": lambda see, a, b, character: see.one_is(a, b, character),
    "Investigator": lambda see, a, b, character: see.one_is(a, b, character),
    "Librarian": librarian,
    # The number of pairs of evil neighbours.
    "Chef": lambda see, number: number == sum(see.evil(p) and see.evil(p + 1) for p in range(see.n)),
    # The number of evil players among the nearest living neighbours.
    "Empath": lambda see, number: number == see.evil(see.neighbour(1)) + see.evil(see.neighbour(-1)),
    # Whether one of two players is the demon; one good player always looks like it.
    "FortuneTeller": lambda see, a, b, yes: (
        yes == any(see.kind(p) == DEMON or p == see.town.herring for p in (a, b))
    ),
    # The character of the player who was executed; of any player, in the night of one's own death.
    "Undertaker": lambda see, p, character: see.character(p) == character,
    "Ravenkeeper": lambda see, p, character: see.character(p) == character,
    "Clockmaker": clockmaker,
    # Two players who are not the demon; a good player; three players, exactly one of them evil.
    "Knight": lambda see, a, b: DEMON not in (see.kind(a), see.kind(b)),
    "Steward": lambda see, p: not see.evil(p),
    "Noble": lambda see, a, b, c: see.evil(a) + see.evil(b) + see.evil(c) == 1,
    # Whether two players are on the same side.
    "Seamstress": lambda see, a, b, same: same == (see.evil(a) == see.evil(b)),
    # The number of right guesses of the day before.
    "Juggler": lambda see, number: number == sum(see.character(p) == c for p, c in see.before()),
    # Two characters, one of which is a player's.
    "Dreamer": lambda see, p, *characters: see.character(p) in characters,
    "Shugenja": shugenja,
    # Whether a player is evil. With several Village Idiots one of them is drunk.
    "VillageIdiot": lambda see, p, evil: evil == see.evil(p),
    # A player of another kind than in the night before.
    "Balloonist": lambda see, p: all(see.kind(p) != see.kind(q) for q in see.before()),
    # The number of dead players who are evil.
    "Oracle": lambda see, number: number == sum(map(see.evil, see.town.dead)),
    "Chambermaid": chambermaid,
    # A statement that is true; two statements, one of them true.
    "Artist": lambda see, statement: see.agrees(statement),
    "Savant": lambda see, one, other: see.agrees(one) != see.agrees(other),
}


class Town(NamedTuple):
    """The characters, by seat, and what has happened to them."""

    now: tuple[str, ...]
    herring: int | None = None
    """The good player who looks like the demon to the Fortune Teller."""
    tipsy: int | None = None
    """The Village Idiot who is drunk."""
    night: int = 0
    poisoned: int | None = None
    dead: frozenset[int] = frozenset()
    spent: frozenset[int] = frozenset()
    """Those who have used an ability that works once: Slayer, Virgin."""
    good_executed: int = 0
    said: tuple[tuple[Any, ...], ...] = ()
    """What players have said, each with their seat before it."""

    def sober(self, p):
        """Whether a player's ability works."""
        return self.now[p] not in DELUDED and p not in (self.poisoned, self.tipsy)

    def able(self, character):
        """The living players who can use the ability of a character."""
        return [p for p, c in enumerate(self.now) if c == character and p not in self.dead and self.sober(p)]

    def seems(self, p, script):
        """The characters that a player may appear to be: the Spy also good, the Recluse also evil."""
        kinds = {"Spy": GOOD, "Recluse": EVIL}.get(self.now[p], ()) if self.sober(p) else ()
        return [self.now[p], *(c for c in script if KIND[c] in kinds)]

    def changes(self, p, **what):
        """The town after a change that ends a player's ability. With the Poisoner's, the poison ends."""
        return self._replace(**({"poisoned": None} if self.now[p] == "Poisoner" else {}), **what)

    def without(self, p, heirs=()):
        """The towns after a death, one for each heir of a demon; none if the good have won."""
        after = self.changes(p, dead=self.dead | {p})
        if KIND[self.now[p]] != DEMON:
            return [after]
        women = self.able("ScarletWoman") if len(self.now) - len(self.dead) >= 5 else []
        return [after.changes(q, now=replaced(self.now, {q: self.now[p]})) for q in women or heirs]


def replaced(characters, new):
    """The characters with new ones at some seats."""
    return tuple(new.get(p, c) for p, c in enumerate(characters))


def facts(players, characters):
    """Every atom with its truth value: Imp_Ann, minion_Ann, evil_Ann; and Imp, that there is one."""
    values = {c: c in characters for c in KIND}
    for player, character in zip(players, characters, strict=True):
        values |= {f"{what}_{player}": what in (character, KIND[character]) for what in (*KIND, *NAMES)}
        values[f"evil_{player}"] = KIND[character] in EVIL
    return values


class View(NamedTuple):
    """The town as it appears to a player who learns something."""

    puzzle: Any
    town: Town
    me: int
    n: int
    """The number of players."""
    choose: Any
    """Chooses how somebody appears, anew for each question."""

    def appears(self, p, aspect):
        """An aspect of the character that a player appears to be."""
        return self.choose({aspect(c): None for c in self.town.seems(p % self.n, self.puzzle.script())})

    def character(self, p):
        """The character of a player."""
        return self.appears(p, str)

    def kind(self, p):
        """The kind of a player's character."""
        return self.appears(p, lambda character: KIND[character])

    def evil(self, p):
        """Whether a player is evil."""
        return self.appears(p, lambda character: KIND[character] in EVIL)

    def one_is(self, a, b, character):
        """Whether one of two players has a character."""
        return self.character(a) == character or self.character(b) == character

    def neighbour(self, step):
        """The nearest living player in one direction."""
        ring = [(self.me + step * k) % self.n for k in range(1, self.n)]
        return next(p for p in ring if p not in self.town.dead)

    def before(self):
        """The last thing that this player has said."""
        return next((what for p, *what in reversed(self.town.said) if p == self.me), ())

    def agrees(self, statement):
        """Whether a formula is true, or what another character might learn."""
        if not isinstance(statement, str):
            return LEARNS[statement[0]](self, *statement[1:])
        values = facts(self.puzzle.claims, [self.character(p) for p in range(self.n)])
        formula = kw.parse(statement).substitute({a: kw.Constant(true) for a, true in values.items()})
        return kw.simplify(formula) == kw.TRUE


def possible(question, chosen=()):
    """Whether the answer is yes for some choices. The question gets the function that chooses."""
    numbers = []

    def choose(ways):
        numbers.append(len(ways))
        return list(ways)[chosen[len(numbers) - 1] if len(numbers) <= len(chosen) else 0]

    return question(choose) or any(
        possible(question, (*chosen, *[0] * (k - len(chosen)), other))
        for k in range(len(chosen), len(numbers))
        for other in range(1, numbers[k])
    )


# What happens: the towns that a town may become; none if this cannot happen there.
def night(puzzle, town, *died):
    """The Poisoner poisons somebody until the next night; the Imp kills in every night but the first.

    It cannot kill the Soldier, nor whom the Monk protects, nor the dead. If it kills itself, a minion is the
    new Imp.
    """
    town = town._replace(poisoned=None, night=town.night + 1)
    targets = range(len(town.now)) if town.able("Poisoner") else [None]
    for after in [town._replace(poisoned=p) for p in targets]:
        imps, safe = after.able("Imp"), after.able("Soldier")
        minions = [p for p, c in enumerate(town.now) if KIND[c] == MINION and p not in town.dead]
        if not died and (town.night == 1 or not imps or town.dead or safe or after.able("Monk")):
            yield after
        elif len(died) == 1 and town.night > 1 and imps and died[0] not in safe:
            yield from after.without(*died, heirs=minions)


def says(puzzle, town, p, *learnt):
    """A player tells what they have learnt: the truth, if they are what they claim and sober."""
    claim = list(puzzle.claims.values())[p]
    honest, n = town.now[p] == claim and town.sober(p), len(town.now)
    if not honest or possible(lambda choose: LEARNS[claim](View(puzzle, town, p, n, choose), *learnt)):
        yield town._replace(said=(*town.said, (p, *learnt)))


def guesses(puzzle, town, p, *pairs):
    """The Juggler guesses characters of players."""
    yield town._replace(said=(*town.said, (p, *pairs)))


def once(puzzle, town, user, character, target, kind, died):
    """An ability that works once: a player of some kind dies by it."""
    works = town.now[user] == character and town.sober(user) and user not in town.spent | town.dead
    kinds = {KIND[c] for c in town.seems(target, puzzle.script())} if works else set()
    after = town._replace(spent=town.spent | {user})
    if died and kind in kinds:
        yield from after.without(target)
    elif not died and kinds != {kind}:
        yield after


def shoots(puzzle, town, slayer, target, died):
    """The Slayer kills the demon."""
    return once(puzzle, town, slayer, "Slayer", target, DEMON, died)


def nominates(puzzle, town, player, virgin, died):
    """The first to nominate the Virgin is executed, if a townsfolk."""
    return once(puzzle, town, virgin, "Virgin", player, TOWNSFOLK, died)


def executed(puzzle, town, p):
    """Evil wins if it was the Saint, or the second good player under Leviathan; but the game goes on."""
    good = town.good_executed + (KIND[town.now[p]] in GOOD)
    if p not in town.able("Saint") and not ("Leviathan" in town.now and good > 1):
        yield from town._replace(good_executed=good).without(p)


class Puzzle(NamedTuple):
    """What is known of a game."""

    claims: dict[str, str]
    """What the players claim to be, in the order of their seats."""
    hidden: tuple[str, ...]
    """The characters that nobody may have claimed although they are in play."""
    diary: tuple[tuple[Any, ...], ...]
    """What happened, in order: a function from above, and of whom it is true."""
    perhaps: dict[str, tuple[str, ...]]
    """The hidden characters that a player may have, such as the one who solves the puzzle; otherwise all."""
    twins: bool = False
    """Whether two players may have the same character. Several Village Idiots are always possible."""

    def script(self):
        """The characters that may be in play."""
        return sorted({*self.claims.values(), *self.hidden})

    def seat(self, what):
        """Everything with seats instead of names."""
        if isinstance(what, tuple):
            return tuple(map(self.seat, what))
        return list(self.claims).index(what) if what in self.claims else what

    def deals(self):
        """The deals of the characters that the rules allow."""
        names, claims = list(self.claims), list(self.claims.values())
        claimed = Counter(KIND[c] for c in claims)
        evil = {DEMON: 1, MINION: NUMBERS[len(claims)][1]}
        for size in range(len(self.hidden) + 1):
            for some in combinations(self.hidden, size):
                kinds = Counter(KIND[c] for c in some)
                if all(number - claimed[kind] <= kinds[kind] <= number for kind, number in evil.items()):
                    for seats in permutations(range(len(claims)), size):
                        new = dict(zip(seats, some, strict=True))
                        deal = replaced(claims, new)
                        fits = all(c in self.perhaps.get(names[p], self.hidden) for p, c in new.items())
                        if fits and self.allows(deal):
                            yield deal

    def allows(self, deal):
        """Whether the characters may be in play together, at these seats."""
        n, claims = len(deal), list(self.claims.values())
        kinds = Counter(KIND[c] for c in deal)
        more = kinds[OUTSIDER] - NUMBERS[n][0] - 2 * ("Baron" in deal)
        drawn = [mine if c in DELUDED else c for mine, c in zip(claims, deal, strict=True)]
        single = [c for c in drawn if c != "VillageIdiot"]
        around = {p: (KIND[deal[p - 1]], KIND[deal[(p + 1) % n]]) for p in range(n)}
        return (
            (kinds[DEMON], kinds[MINION]) == (1, NUMBERS[n][1])
            and 0 <= more <= ("Balloonist" in deal)
            and (self.twins or len(single) == len(set(single)))
            and all(KIND[claims[p]] == TOWNSFOLK for p in range(n) if deal[p] == "Drunk")
            and all(DEMON in around[p] for p in range(n) if deal[p] == "Marionette")
        )

    def towns(self, deal):
        """The towns in which a game with this deal may have ended."""
        good = [p for p, c in enumerate(deal) if KIND[c] in GOOD or c == "Spy"]
        idiots = [p for p, c in enumerate(deal) if c == "VillageIdiot"]
        herrings = good if "FortuneTeller" in deal else [None]
        towns = [Town(deal, h, tipsy) for h in herrings for tipsy in (idiots if len(idiots) > 1 else [None])]
        for happens, *whom in self.seat(self.diary):
            towns = list(dict.fromkeys(new for town in towns for new in happens(self, town, *whom)))
        return towns

    def solve(self):
        """The deals that are consistent with everything."""
        return [deal for deal in self.deals() if self.towns(deal)]


# A puzzle: seven players. You are good, but you may be the Drunk and not know it.
claims = {"You": "Investigator", "Ann": "Knight", "Bob": "Seamstress", "Cy": "Slayer"}
claims |= {"Di": "Empath", "Ed": "Dreamer", "Flo": "Noble"}
hidden = ("Imp", "Poisoner", "Spy", "ScarletWoman", "Baron", "Drunk")
diary = (
    (night,),
    (says, "You", "Di", "Flo", "ScarletWoman"),
    (says, "Ann", "You", "Cy"),
    (says, "Bob", "Cy", "Flo", False),
    (says, "Di", 1),
    (says, "Ed", "Flo", "Noble", "Spy"),
    (says, "Flo", "Ann", "Bob", "Ed"),
    (executed, "Bob"),
    (night, "Ed"),
    (says, "Di", 0),
    (shoots, "Cy", "Di", False),
    (executed, "Cy"),
)
puzzle = Puzzle(claims, hidden, diary, perhaps={"You": ("Drunk",)})

# Who may be the demon, after each of the last events?
for length in (8, 10, 11, 12):
    deals = puzzle._replace(diary=diary[:length]).solve()
    suspects = [name for p, name in enumerate(claims) if any(KIND[deal[p]] == DEMON for deal in deals)]
    happens, *whom = diary[length - 1]
    print(f"{len(deals)} deals after {happens.__name__} {whom}: the demon was {', '.join(suspects)}")


# What do the players know after the second night? A world is a deal that everybody's claims leave possible.
def card(deal, p):
    """What a player saw: the card drawn; the demon and the minions also saw who else is evil."""
    mine = list(claims.values())[p] if deal[p] in DELUDED else deal[p]
    return mine, [q for q, c in enumerate(deal) if KIND[c] in EVIL and KIND[mine] in EVIL]


def holds(deal):
    """The atoms of a world: who is evil, and who is the demon."""
    values = facts(claims, deal)
    return [atom for atom in values if values[atom] and atom.startswith(("demon_", "evil_"))]


deals = puzzle._replace(diary=diary[:10]).solve()
observations = {name: lambda deal, p=p: repr(card(deal, p)) for p, name in enumerate(claims)}
model = kw.KripkeModel.from_observations(deals, observations, holds)
either = "evil_Ann & evil_Cy | evil_Bob & evil_Di"
print("You know that Ann and Cy are evil, or Bob and Di:", model.valid(f"K_You ({either})"))
print("Ann, if good, knows that Bob is evil:", model.valid("~evil_Ann -> K_Ann evil_Bob"))
print("You and Ann together know the demon, if it is Cy:", model.valid("demon_Cy -> D_{You,Ann} demon_Cy"))
model.draw(agents=["You", "Ann"])
