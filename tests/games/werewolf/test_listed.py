"""Games with further cards are inferred: against every course of the game, played move by move."""

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

import pytest

import kripke_werewolf as kw
from kripke_werewolf import Atom, FormatError, GameError, IllegalMove, P
from kripke_werewolf.games.werewolf.declarations import declared
from kripke_werewolf.games.werewolf.events import (
    Declined,
    PhaseEnded,
    TakenAlong,
    VotedOff,
    act_of,
    is_action,
)
from kripke_werewolf.games.werewolf.inference import NoHistory, Replay, infer, replay
from kripke_werewolf.games.werewolf.moves import end_phase, play
from kripke_werewolf.games.werewolf.sheets import read_sheet
from kripke_werewolf.games.werewolf.told import told
from tests.cases import cases
from tests.games.werewolf.test_roles import GUARDIAN, MARKSMAN, OWN, SORCERESS, random_move
from tests.games.werewolf.test_sheets import typed

OPEN = kw.preset("cisra", table="open")
GEKKA = kw.preset("gekka", first_attack=True)
STRAAT = kw.preset("straat", table="open", told="nothing")


@dataclass(frozen=True)
class Course:
    """A game as far as it was played, and its chance, apart from the choices of the viewer."""

    setup: object
    states: tuple
    steps: tuple = ()
    chance: Fraction = Fraction(1)

    @property
    def state(self):
        return self.states[-1]

    def after(self, act, share=Fraction(1)):
        """Yield the course after something, for every outcome of every draw."""
        waiting = [()]
        while waiting:
            path = waiting.pop()
            rest, chance = list(path), [share]

            def draw(kind, player, weights, rest=rest, chance=chance):
                if not rest:
                    raise _Open(weights)
                chance[0] *= Fraction(weights[rest[0]], sum(weights.values()))
                return rest.pop(0)

            try:
                state, step = act(self, draw)
            except _Open as question:
                waiting += [(*path, outcome) for outcome in question.args[0]]
            except IllegalMove:
                continue
            else:
                yield Course(self.setup, (*self.states, state), (*self.steps, step), self.chance * chance[0])


class _Open(Exception):
    """A draw that no outcome has been chosen for yet."""


def every_course(game, viewer):
    """Return the courses of a game that tell the viewer the same, merged over orders: key to course."""
    wanted, start = told(game, viewer), Course(game.setup, game.states[:1])
    public = [e for step in game.steps for e in step if isinstance(e, VotedOff | TakenAlong)]
    found, waiting = {}, [(start, None, 0)]
    while waiting:
        course, order, voted = waiting.pop()
        now, state = told(course, viewer), course.state
        if now == wanted:
            events = [event for step in course.steps for event in step]
            key = (
                frozenset(str(e.to_dict()) for e in events if is_action(e)),
                str([e.to_dict() for e in events if not is_action(e)]),
            )
            same = found.get(key)
            chance = course.chance + (same.chance if same is not None else 0)
            found[key] = Course(course.setup, course.states, course.steps, chance)
            continue
        whole = len(now.entries) - 1
        if now.table != wanted.table or now.entries[:whole] != wanted.entries[:whole] or state.verdict:
            continue
        if state.phase.kind == "vote" or state.naming:
            if voted < len(public):
                event = public[voted]
                plain = (
                    TakenAlong(event.player, actor=event.actor)
                    if isinstance(event, TakenAlong)
                    else VotedOff(event.player)
                )
                waiting += [
                    (after, None, voted + 1)
                    for after in course.after(lambda c, draw, e=plain: play(c, e, draw))
                ]
            if not state.naming:
                waiting += [
                    (after, None, voted) for after in course.after(lambda c, d: end_phase(c, c.state, d))
                ]
            continue
        if order is None:
            who = list(dict.fromkeys(name for name, _ in state.open))
            orders = [tuple(who)]
            if state.phase.kind == "night" and game.rules.acting_order == "random":
                orders = list(permutations(who))
            if not who:
                ended = course.after(lambda c, draw: end_phase(c, c.state, draw))
                waiting += [(after, None, voted) for after in ended]
            share = Fraction(1, len(orders))
            waiting += [
                (Course(course.setup, course.states, course.steps, course.chance * share), o, voted)
                for o in orders
                if o
            ]
            continue
        waiting += [
            (after, order if after.state.phase == state.phase and after.state.open else None, voted)
            for after in moved(course, order, wanted)
        ]
    return found


def moved(course, order, wanted):
    """Yield the course after the next action, for every choice of targets; the viewer's own are known."""
    state, setup = course.state, course.setup
    name, action = min(state.open, key=lambda turn: (order.index(turn[0]), turn[1] == "attack"))
    act = declared(setup).acts[action]
    refused = state.target_refusals(setup.seat(name), action)
    targets = [target for seat, target in enumerate(setup.players) if seat not in refused]
    moves = [act_of(name, action, *chosen) for chosen in act.choices(targets)]
    moves += [] if act.compulsory else [Declined(name, action)]
    share = Fraction(1, max(len(moves), 1))
    if name in wanted.owners:
        own = wanted.entries[state.phase.position].move(name, action)
        share, moves = Fraction(1), [m for m in moves if own is not None and _aim(m) == _aim(own)]
    for move in moves:
        yield from course.after(lambda c, draw, move=move: play(c, move, draw), share)


def _aim(move):
    return type(move), getattr(move, "targets", ())


def chance_of(courses, atom):
    """The probability of an atom by seat over some courses."""
    total = sum(course.chance for course in courses)
    true = sum(c.chance * c.state.worlds.count(atom) / c.state.worlds.size for c in courses)
    return true / total


def at_a_vote(seed, cards, rules, *, players=4, seers=0, votes=0, wolves=1):
    """A random game that has come to a vote, or to its end."""
    r = random.Random(seed)
    names = [f"P{number}" for number in range(players)]
    game = kw.QuantumWerewolf(names, wolves=wolves, seers=seers, cards=cards, rules=rules, rng=seed)
    for _ in range(60):
        past = sum(isinstance(event, PhaseEnded) and event.kind == "vote" for event in game.events)
        if game.verdict is not None or (game.phase.kind == "vote" and not game.may_act and past >= votes):
            break
        game = random_move(game, r)
    return game


def check(game, viewer):
    """Compare number, chances, moves and knowledge with those of every course."""
    found = infer(game.handout(viewer))
    assert found.status == "exact"
    courses = list(every_course(game, viewer).values())
    assert found.number == len(courses)
    assert found.worlds == tuple(sorted({course.state.worlds.size for course in courses}))
    facts = ["wolf", "dead", *game.setup.deck.roles[1:]]
    for seat, name in enumerate(game.players):
        for fact in facts:
            chance = chance_of(courses, Atom(f"{fact}_{seat}"))
            assert found.chance(f"{fact}_{name}") == chance, (fact, name)
            assert (found.ask(f"K_{viewer} {fact}_{name}") == "true") is (chance == 1)
    total = sum(course.chance for course in courses)
    assert sum(share for share, _ in found.attacks) == 1
    for made in found.moves:
        if ": " in made.move or made.move.startswith(("is ", "does ")):
            continue
        _, aimed = made.move.split(" ", 1)
        done = [
            course.chance
            for course in courses
            for step, before in zip(course.steps, course.states, strict=False)
            for event in step
            if before.phase.position == made.step
            and (getattr(event, "actor", ""), getattr(event, "action", "")) == (made.player, made.action)
            and " and ".join(getattr(event, "targets", ())) == aimed
        ]
        assert made.chance == sum(done) / total
    return found


@cases(
    (1, {GUARDIAN: 1}, OPEN, {"votes": 0}),
    (2, {GUARDIAN: 1}, GEKKA, {"players": 3}),
    (47, {MARKSMAN: 1}, OPEN, {"votes": 1}),
    (51, {MARKSMAN: 1}, OPEN, {"votes": 1}),
    (5, {MARKSMAN: 1}, OPEN, {"votes": 1, "seers": 1, "players": 3}),
    (45, {MARKSMAN: 2}, OPEN, {"votes": 1}),
    (43, {MARKSMAN: 1, GUARDIAN: 1}, OPEN, {"votes": 1}),
    (5, {SORCERESS: 1}, GEKKA, {"players": 3}),
    (8, {SORCERESS: 1, MARKSMAN: 1}, OPEN, {"players": 3, "votes": 1}),
    (9, {MARKSMAN: 1}, STRAAT, {"players": 3}),
    (10, {"fox": 1}, OPEN, {"players": 3, "seers": 1, "votes": 0}),
    (11, {"cupid": 1}, OPEN, {"players": 3, "votes": 0}),
)
def test_what_is_inferred_is_what_every_course_of_the_game_says(seed, cards, rules, more):
    game = at_a_vote(seed, cards, rules, **more)
    check(game, game.players[seed % 2])


def test_a_hidden_number_and_the_choice_of_the_dead():
    game = at_a_vote(51, {MARKSMAN: 1}, "cisra", votes=1)
    assert any(isinstance(event, TakenAlong) for event in game.events)
    found, openly = (
        infer(game.handout("P1")),
        infer(at_a_vote(51, {MARKSMAN: 1}, OPEN, votes=1).handout("P1")),
    )
    assert found.chance("marksman_P0") == openly.chance("marksman_P0")
    assert sum(found.numbers["P2"].values()) == 1
    assert found.numbers["P1"] == {2: 1}
    assert found.example()[0] == "P0 is number 1."


def test_entries_of_tables_imply_what_is_inferred():
    game = at_a_vote(1, {GUARDIAN: 1}, OPEN)
    found = infer(game.handout("P0"))
    assert found.because("guardian_P0 | ~guardian_P0").cells == ()
    assert found.because("guardian_P1") is None


def test_what_is_not_listed_is_refused_with_the_numbers_and_a_way_out(monkeypatch):
    game = at_a_vote(1, {GUARDIAN: 1}, OPEN)
    running = game.end_phase()
    with pytest.raises(GameError, match="ask when the phase is over"):
        infer(running.handout("P0")).chance("safe_P1")
    monkeypatch.setattr(replay, "MOST_HISTORIES", 20)
    found = infer(game.handout("P0"))
    assert found.status == "not finished"
    with pytest.raises(GameError, match=r"over 20 histories.*fewer players"):
        found.chance("guardian_P1")


def test_what_cannot_have_been_told_has_no_history():
    game = at_a_vote(1, {GUARDIAN: 1}, OPEN)
    told_ = game.handout("P0")
    table = told_.entries[-2].table
    wrong = replace(table, rows=tuple((row[0], row[1], Fraction(1, 7)) for row in table.rows))
    entries = (*told_.entries[:-2], replace(told_.entries[-2], table=wrong), told_.entries[-1])
    with pytest.raises(NoHistory):
        infer(replace(told_, entries=entries))


# --- sheets ----------------------------------------------------------------------------------------


def as_sheet(game, player):
    """The sheet of a player, typed as their handout says it."""
    cards = ", ".join(f"{number} {role.several}" for role, number in game.setup.deck.others)
    head = f"seers: {game.setup.deck.seers}\ncards: {cards}\ntable: {game.rules.table}\nyou:"
    return read_sheet(typed(game, player).replace("you:", head, 1), roles=OWN)


@cases(
    (1, {GUARDIAN: 1}, {}),
    (51, {MARKSMAN: 1}, {"votes": 1}),
    (45, {MARKSMAN: 2}, {"votes": 1}),
    (3, {SORCERESS: 1, "fox": 1}, {"players": 4, "votes": 1}),
    (4, {"cupid": 1, GUARDIAN: 1}, {"players": 5, "seers": 1, "votes": 1}),
)
def test_a_typed_sheet_says_what_the_handout_says(seed, cards, more):
    game = at_a_vote(seed, cards, OPEN, **more)
    for player in game.players:
        sheet, handout = as_sheet(game, player), game.handout(player)
        assert sheet.setup.deck == handout.setup.deck
        assert [e.events for e in sheet.entries] == [e.events for e in handout.entries]
        assert [e.asked for e in sheet.entries] == [e.asked for e in handout.entries]


def test_a_printed_handout_with_further_cards_is_read_as_it_is():
    game = at_a_vote(51, {MARKSMAN: 1}, "cisra", votes=1)
    for player in game.players[:2]:
        sheet, handout = read_sheet(str(game.handout(player)), roles=OWN), game.handout(player)
        assert sheet.setup == handout.setup
        assert sheet.events == handout.events


def test_unknown_cards_in_a_sheet_name_similar_ones():
    text = "rules: cisra\nplayers: Ann, Bo, Cy\nwolves: 1\ncards: huntr\nyou: Bo\nnumber: 2"
    with pytest.raises(FormatError, match=r"line 4: .*hunter"):
        read_sheet(text)


# --- plain cards -----------------------------------------------------------------------------------

MAYOR = kw.Role(name="mayor")


def test_plain_cards_are_searched_and_kept_in_diagrams_as_they_are_listed():
    assert MAYOR.plain
    assert not any(role.plain for role in (GUARDIAN, MARKSMAN, SORCERESS))
    for seed, rules in ((1, OPEN), (2, GEKKA)):
        game = at_a_vote(seed, {MAYOR: 1}, rules, players=4 if rules is OPEN else 3, seers=int(rules is OPEN))
        found = infer(game.handout("P0"))
        told_ = game.handout("P0")
        listed = Replay(told_, ["P0"], weighted=True, alone=True)
        assert found.number == sum(len(course.numberings) for course in listed.courses)
        for name in game.players:
            for fact in ("mayor", "wolf", "villager", "dead"):
                f = P("P0", Atom(f"{fact}_{name}")) >= 0
                (chance,) = listed.model(f).probabilities("P0", f.children[0])
                assert found.chance(f"{fact}_{name}") == chance
                question = f"K_P0 ({fact}_{name} -> K_P1 {fact}_{name})"
                answers = {game.ask(question, engine=e).verdict for e in ("explicit", "symbolic")}
                assert len(answers) == 1
