"""Puzzles of announcements."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from math import comb

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.logic.formulas import TRUE, Atom, C, K, Kw, Xor, atmost, conjunction, disjunction
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.puzzles.puzzle import (
    Engine,
    Icon,
    Moment,
    Puzzle,
    Scenario,
    asks,
    check_size,
    engine_for,
    happens,
    known_if,
    places,
)

# --- muddy children ---------------------------------------------------------------------------------


def muddy_children(
    n: int = 3, *, muddy: int | None = None, father: bool = True, engine: Engine = "explicit"
) -> Puzzle:
    """Return the puzzle of n children of whom `muddy` (by default all) have mud on their foreheads.

    Children see all foreheads but their own. The father says that at least one is muddy; then the children
    say repeatedly and simultaneously whether they know if they are muddy. A world is a string of n digits, 1
    for mud; the first children are the muddy ones. Without the father's announcement nobody ever learns
    anything. Formulas: `father`, `nobody` (knows), `knows_1`, ….

    All announcements are symmetric in the children, so any order of the atoms suits the symbolic engine, and
    the law has at most children times rounds nodes.

    >>> [len(model) for model in muddy_children(4).history().models]
    [16, 15, 11, 5, 1]
    >>> muddy_children(40, engine="symbolic").history().model.size
    1
    """
    check_size(n, least=1, worlds=lambda k: 2**k, engine=engine)
    count = n if muddy is None else muddy
    if not isinstance(count, int) or not 1 <= count <= n:
        raise ModelError(f"muddy= is how many of the children are muddy, from 1 to {n}; got {muddy!r}")
    children = [str(i) for i in range(1, n + 1)]
    mud = {i: f"muddy_{i}" for i in children}
    someone = disjunction(map(Atom, mud.values()))
    knows = {i: Kw(i, Atom(m)) for i, m in mud.items()}
    nobody = conjunction(~f for f in knows.values())
    muddy_know = conjunction(knows[i] for i in children[:count])
    clean_do_not = conjunction(~knows[i] for i in children[count:])
    moments: list[Moment]
    if father:
        moments = [
            happens("father: at least one of you is muddy", someone),
            asks("it is common knowledge that someone is muddy", C(children, someone)),
            *(happens(f"round {j}: nobody knows", nobody) for j in range(1, count)),
            asks("the muddy children know that they are", muddy_know),
        ]
        if count < n:
            answer = f"round {count}: the muddy children know, the others do not"
            moments.append(asks("the clean children do not know yet", clean_do_not))
            moments.append(happens(answer, muddy_know & clean_do_not))
        moments.append(asks("now all children know", conjunction(knows.values())))
    else:
        moments = [
            happens("round 1: nobody knows", nobody),
            asks("still nobody knows", nobody),
            asks("it is common knowledge that someone is muddy", C(children, someone), False),
        ]
    return Puzzle(
        "muddy-children",
        f"{n} children, {count} of them muddy; each sees the others' foreheads, none its own.",
        Scenario(
            list(mud.values()),
            TRUE,
            {i: [mud[k] for k in children if k != i] for i in children},
            [mud[i] for i in children[:count]],
        ),
        tuple(moments),
        {"father": someone, "nobody": nobody, **{f"knows_{i}": f for i, f in knows.items()}},
        engine=engine_for(engine, 2**n),
        icons=tuple(Icon("child", {atom: ""}, i) for i, atom in mud.items()),
    )


# --- wise men, logicians, cryptographers ------------------------------------------------------------


def three_wise_men(*, seated: bool = False, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of three men who wear three of five hats, three red and two white; all three are red.

    Each sees the others' hats; `seated` in a row, the first sees the other two, the second sees
    the third, and the third sees none. A world such as `rwr` gives the colours in order.

    >>> [len(model) for model in three_wise_men().history().models]
    [7, 6, 4]
    """
    sees = {"1": (1, 2), "2": (2,) if seated else (0, 2), "3": () if seated else (0, 1)}
    return Puzzle(
        "three-wise-men",
        "Three men wear hats from a stock of three red and two white ones"
        + ("; they sit in a row, each seeing those before him." if seated else " and see each other's."),
        KripkeModel.from_observations(
            ["".join(hats) for hats in product("rw", repeat=3) if hats.count("w") <= 2],
            {man: places(*seen) for man, seen in sees.items()},
            lambda world: [f"red_{i}" for i, hat in enumerate(world, 1) if hat == "r"],
            "rrr",
        ),
        (
            asks("3 knows the colour of his hat", "Kw_3 red_3", False),
            happens("1 says: I do not know the colour of my hat", "~Kw_1 red_1"),
            asks("3 knows it after the first answer", "Kw_3 red_3", False),
            happens("2 says: I do not know the colour of my hat", "~Kw_2 red_2"),
            asks("whatever the hats, 3 now knows that his is red", "everywhere K_3 red_3"),
        ),
        engine=engine,
        icons=tuple(Icon("hat", {f"red_{man}": ""}, man) for man in sees),
    )


def drinking_logicians(n: int = 3, *, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of n logicians who walk into a bar and are asked whether all of them want beer.

    Each knows only whether they want one themselves; all but the last say that they do not know, which shows
    that they want one. Atoms `beer_1`, …; a world is a string of n digits. Formulas: `all`, and `unsure_1`, …
    (1 does not know whether all do).

    The announcements fix one atom after the other, so the atoms are in the order of the answers.

    >>> [len(model) for model in drinking_logicians(5).history().models]
    [32, 16, 8, 4, 2]
    """
    check_size(n, least=2, worlds=lambda k: 2**k, engine=engine)
    people = [str(i) for i in range(1, n + 1)]
    beer = {i: f"beer_{i}" for i in people}
    everybody = conjunction(map(Atom, beer.values()))
    unsure = {i: ~Kw(i, everybody) for i in people}
    return Puzzle(
        "drinking-logicians",
        f"{n} logicians walk into a bar. The waiter: do all of you want beer?",
        Scenario(list(beer.values()), TRUE, {i: [beer[i]] for i in people}, beer.values()),
        (
            asks("the last one knows the answer at first", ~unsure[str(n)], False),
            *(happens(f"{i}: I do not know", unsure[i]) for i in people[:-1]),
            asks("the last one knows: yes", K(n, everybody)),
        ),
        {"all": everybody, **{f"unsure_{i}": f for i, f in unsure.items()}},
        engine=engine_for(engine, 2**n),
        icons=tuple(Icon("glass", {atom: ""}, i) for i, atom in beer.items()),
    )


def dining_cryptographers(
    n: int = 3, *, payer: int | None = 1, ring: bool = True, engine: Engine = "explicit"
) -> Puzzle:
    """Return the protocol by which n cryptographers learn whether one of them paid, but not who.

    The dinner was paid by cryptographer `payer`, or by the NSA (None). Any two neighbours at the round table
    toss a coin that only they see (`ring=False`: any two cryptographers), and all say whether their coins
    differ (whether an odd number of them shows heads), lying if they paid. Atoms `paid_1`, … and `coin_1`, …
    (the coin between i and i + 1; otherwise `coin_1_3`); a world is the payer (0: the NSA) and the coins.
    Formulas: `says_1`, …, the statements; `odd`, the exclusive or of all these, the one announcement that
    matters; `safe`: if the payer (1, if it was the NSA) paid, it is common knowledge that one of them has,
    and nobody else knows who.

    The payers come first, then the coins by their owners: an announcement mentions payers and few coins, and
    a payer stays close to the first of its coins.

    >>> [len(dining_cryptographers(payer=p).history().model) for p in (1, None)]
    [6, 2]
    """

    def worlds(n: int) -> int:
        return (n + 1) << (n if ring else comb(n, 2))

    check_size(n, least=3, worlds=worlds, engine=engine)
    if payer is not None and not (isinstance(payer, int) and 1 <= payer <= n):
        raise ModelError(f"the payer is None (the NSA) or one of 1 to {n}; got {payer!r}")
    people = range(1, n + 1)
    paid = {i: f"paid_{i}" for i in people}
    if ring:
        tossed = {f"coin_{i}": (i, i % n + 1) for i in people}
    else:
        tossed = {f"coin_{i}_{k}": (i, k) for i, k in combinations(people, 2)}
    coins = grouped((i, Atom(name)) for name, owners in tossed.items() for i in owners)

    def world(number: int) -> str:
        payers, heads = number >> len(tossed), number & (1 << len(tossed)) - 1
        return f"{n + 1 - payers.bit_length() if payers else 0} {heads:0{len(tossed)}b}"

    paying = {i: Atom(p) for i, p in paid.items()}
    says = {i: Xor(*coins[i], paying[i]) for i in people}
    one_of_us = disjunction(paying.values())
    informed = disjunction(Kw(i, one_of_us) for i in people if i != payer)
    suspect = payer or 1
    betrayed = disjunction(K(i, paying[suspect]) for i in people if i != suspect)
    heard = ("equal", "different") if ring else ("even", "odd")
    somebody = "another of them" if payer else "somebody"
    whose = "one of them" if payer else "the NSA"
    return Puzzle(
        "dining-cryptographers",
        f"{n} cryptographers have dined; one of them paid, or the NSA did.",
        Scenario(
            [*paid.values(), *tossed],
            atmost(1, *paying.values()),
            {i: [paid[i], *(coin.name for coin in coins[i])] for i in people},
            [paid[payer]] if payer else [],
            world,
        ),
        (
            asks(f"{somebody} knows already whether one of them paid", informed, False),
            *(
                happens(f"{i}: my coins are {heard[i == payer]}", f if i == payer else ~f)
                for i, f in says.items()
            ),
            asks(f"all know that {whose} paid", C(people, one_of_us if payer else ~one_of_us)),
            *([asks("another of them knows who", betrayed, False)] if payer else []),
        ),
        {
            **{f"says_{i}": f for i, f in says.items()},
            "odd": Xor(*says.values()),
            "safe": paying[suspect] >> (C(people, one_of_us) & ~betrayed),
        },
        engine=engine_for(engine, worlds(n)),
        icons=(
            *(Icon("payer", {atom: ""}, str(i)) for i, atom in paid.items()),
            *(Icon("coin", {coin: ""}, "".join(map(str, owners))) for coin, owners in tossed.items()),
        ),
    )


# --- Cheryl, the exam, the attack -------------------------------------------------------------------

_DAYS = {"May": (15, 16, 19), "June": (17, 18), "July": (14, 16), "August": (14, 15, 17)}
_DATES = tuple((month, day) for month, days in _DAYS.items() for day in days)


def cheryl(dates: Iterable[tuple[str, int]] = _DATES, *, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of Cheryl's birthday: Albert is told its month, Bernard its day.

    Worlds and atoms are the dates, such as `July_16`; by default the ten of the original. The variable
    `birthday` has them as values.

    >>> puzzle = cheryl()
    >>> [len(model) for model in puzzle.history().models], puzzle.history().model.worlds[0]
    ([10, 5, 3, 1], 'July_16')
    """
    told = {f"{month}_{day}": (month, day) for month, day in dates}
    return Puzzle(
        "cheryl",
        "Cheryl's birthday is one of ten dates; she tells Albert the month and Bernard the day.",
        KripkeModel.from_observations(
            told,
            {"Albert": lambda date: told[date][0], "Bernard": lambda date: told[date][1]},
            lambda date: [date],
            variables={"birthday": {date: date for date in told}},
        ),
        known_if(
            tuple(told.values()) == _DATES,
            asks("Bernard might have known at once", "somewhere Kv_Bernard(birthday)"),
            happens(
                "Albert: I don't know when it is, but I know that Bernard does not know either",
                "~Kv_Albert(birthday) & K_Albert ~Kv_Bernard(birthday)",
            ),
            happens("Bernard: at first I did not know, but now I do", "Kv_Bernard(birthday)"),
            happens("Albert: then I know it too", "Kv_Albert(birthday)"),
            asks("her birthday is 16 July", "July_16"),
            asks("and both know it", "C_{Albert,Bernard} July_16"),
        ),
        engine=engine,
        icons=(Icon("calendar", {date: f"{month[:3]} {day}" for date, (month, day) in told.items()}),),
    )


def surprise_exam(n: int = 5, *, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of the surprise exam on one of n days, announced n - 1 times.

    Surprise: on the morning of the exam, after the earlier days have passed without it, the student does not
    know that it will be on that day. Worlds are the days 1 to n, atoms `exam_1`, …

    >>> [len(model) for model in surprise_exam(5).history().models]
    [5, 4, 3, 2, 1]
    """
    check_size(n, least=2, most=60)
    days = range(1, n + 1)
    passed = {day: "".join(f"[!~exam_{earlier}]" for earlier in range(1, day)) for day in days}
    surprise = disjunction(f"exam_{day} & {passed[day]} ~K_student exam_{day}" for day in days)
    said = happens("teacher: the exam will be a surprise", surprise)
    return Puzzle(
        "surprise-exam",
        f"The teacher says: on one of the next {n} days there will be an exam, and it will be a surprise.",
        KripkeModel.from_observations(
            map(str, days), {"student": lambda day: None}, lambda day: [f"exam_{day}"]
        ),
        (
            asks("the exam will be a surprise", surprise, "mixed"),
            said,
            asks("it will be a surprise, even after this was said", surprise, "mixed" if n > 2 else False),
            *([said] * (n - 2)),
            asks("only the first day is left", "everywhere exam_1"),
            asks("on which an exam would be a surprise", surprise, False),
        ),
        engine=engine,
        icons=(Icon("day", {f"exam_{day}": str(day) for day in days}),),
    )


def coordinated_attack(n: int = 12, *, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of two generals who send each other a messenger up to n times.

    World i: i messages have arrived, the next is lost. A sends the first message (of the hour of the attack)
    and acknowledges every answer, so A knows i // 2 and B (i + 1) // 2. The atom `arrived_3` says that at
    least three messages have arrived. Every arrival makes one more level of knowledge true, and none makes it
    common knowledge.
    """
    check_size(n, least=1, most=1000)
    known, words = "arrived_1", "the first message has arrived"
    questions = [asks(f"{words}: exactly where 1 message has arrived", f"everywhere ({known} <-> arrived_1)")]
    for count in range(1, min(n, 6) + 1):
        knower = "AB"[count % 2]
        known, words = f"K_{knower} {known}", f"{knower} knows that {words}"
        plural = "message has" if count == 1 else "messages have"
        meaning = f"{words}: exactly where {count} {plural} arrived"
        questions.append(asks(meaning, f"everywhere ({known} <-> arrived_{count})"))
    return Puzzle(
        "coordinated-attack",
        "Two generals want to attack together; their messengers may be caught.",
        KripkeModel.from_observations(
            range(n + 1),
            {"A": lambda i: i // 2, "B": lambda i: (i + 1) // 2},
            lambda i: [f"arrived_{k}" for k in range(1, i + 1)],
        ),
        (*questions, asks("somewhere it is common knowledge", "somewhere C_{A,B} arrived_1", False)),
        engine=engine,
    )
