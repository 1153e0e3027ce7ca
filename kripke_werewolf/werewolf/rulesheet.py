"""The rules of a game as a page for its players, written from the fields of `Rules`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kripke_werewolf.reports.documents import Document, Items, Paragraph
from kripke_werewolf.reports.tables import Grid
from kripke_werewolf.werewolf.declarations import declared
from kripke_werewolf.werewolf.draws import Chance
from kripke_werewolf.werewolf.roles import Action, Role
from kripke_werewolf.werewolf.rules import FACTS, Rules, Shown, words_for
from kripke_werewolf.werewolf.setup import Deal, Setup, Targets, make_setup
from kripke_werewolf.werewolf.state import being

_INTRODUCTION: Mapping[Deal, str] = {
    "quantum": "Nobody has a role yet. Every way to deal {cards}, the wolves and the villagers is a possible "
    "world. You act as if you had every role. In the course of the game worlds are removed.",
    "classical": "Everybody has a secret card: {cards}, wolves and villagers. The wolves know each other. "
    "Everybody is asked for every action; your answer counts only if your card allows the action.",
}
_SHOWN: Mapping[Shown, str] = {
    "death": "the death, but not the role",
    "side": "{good} or {evil}",
    "kind": "villager, {looker} or wolf",
    "role": "the exact role",
}
_GOOD_WINS: Mapping[str, str] = {
    "all dead": "when all wolves are dead in every world",
    "known dead": "when it is certain who the wolves are and that all of them are dead",
    "none living": "when no living player is a wolf in any world",
}
_EVIL_WINS: Mapping[str, str] = {
    "parity": "when it is certain who the wolves are, and in every world at least half of the living are "
    "wolves",
    "known half": "when at least half of the living are certainly wolves and certainly alive",
    "all wolves": "when every living player is a wolf in every world",
}
_COLLAPSE: Mapping[str, str] = {
    "annihilation": "If nobody has won, but in every world one side is extinct, one world is drawn and "
    "decides the game.",
    "parity": "If nobody has won, but in every world at least half of the living are wolves, one world is "
    "drawn and decides the game.",
}
_TOLD: Mapping[str, str] = {
    "role": "When only one role is left for you, you are told which.",
    "kind": "When it is certain that you are a villager, the {looker} or a wolf, you are told so.",
    "probabilities": "At the beginning of every phase you are told your own chances.",
}


def rule_sheet(
    rules: Rules,
    *,
    deal: Deal = "quantum",
    targets: Targets = "secret",
    cards: Mapping[str | Role, int] | None = None,
) -> Document:
    """Return the rules of a game on one page, in words for its players; `cards` as in `QuantumWerewolf`.

    >>> from kripke_werewolf import preset
    >>> print(rule_sheet(preset("gekka", first_attack=True)).to_text())
    The rules of 'gekka'
    ====================
    ...
    phase    what you do
    night 1  everybody looks at a player; everybody attacks another player
    day 2    talk, then vote somebody off
    ...
    """
    name = f"The rules of {rules.name!r}{', with cards' if deal == 'classical' else ''}"
    names = [str(number) for number in range(3 + sum((cards or {}).values()))]
    setup = make_setup(names, wolves=1, cards=cards, rules=rules, deal=deal, targets=targets, draw=Chance(0))
    more = (role.name if n == 1 else f"{n} {role.several}" for role, n in setup.deck.others)
    dealt = ", ".join([f"one {setup.deck.looker.name}{rules.or_more}", *more])
    introduction = Paragraph(_INTRODUCTION[deal].format(cards=dealt))
    phases = Grid(("phase", "what you do"), tuple(_phases(setup)), words=True)
    return Document(name, (introduction, phases, Items((*_said(setup), *_further(setup)))))


# --- the phases -----------------------------------------------------------------------------------


def _phases(setup: Setup) -> Iterator[tuple[str, str]]:
    """Yield the phases up to their repetition, each with the players' tasks."""
    rules = setup.rules
    several = f", up to {rules.burnings} players one after the other" if rules.burnings > 1 else ""
    phase = setup.phase_after(None)
    for position in range(sum(map(len, setup.phases))):
        later = position >= len(setup.phases[0])
        doing = [_action(setup, action, later=later) for action in setup.actions(phase)]
        yield str(phase), "; ".join(doing) or f"talk, then vote somebody off{several}"
        phase = setup.phase_after(phase)
    yield f"{phase} …", "and so on"


def _action(setup: Setup, action: Action, *, later: bool) -> str:
    """Return the players who take an action, in words; `later`: some information about roles exists."""
    act, words = declared(setup).acts[action], words_for(action)
    cards = {"dominant_{i}": "the leading wolf", "wolf_{i}": "a wolf"}
    card = cards.get(act.asked) or being(act.asked)
    who = f"everybody who may be {card}" if later else "everybody"
    if setup.deal == "classical":
        who = card.replace("a wolf", "every wolf")
    does = words.does if act.compulsory else f"may {words.do}"
    whom = "two players" if act.two else f"{'a' if act.on_self else 'another'} player"
    return f"{who} {does} {whom}"


def _further(setup: Setup) -> Iterator[str]:
    """Yield the rules of further roles; of one that says none, its actions."""
    for role, _ in setup.deck.others:
        acts = [words_for(act if isinstance(act, str) else act.name).does for act in role.acts]
        yield role.rule or f"{role.name.capitalize()}: {', '.join(acts) or 'no action'}."


# --- the rules ------------------------------------------------------------------------------------


def _said(setup: Setup) -> Iterator[str]:
    """Yield the rules in sentences."""
    rules, deal, looker = setup.rules, setup.deal, setup.deck.looker.name
    usual = rules.default_wolves or "1 (2 from 8 players, 3 from 13, 4 from 20)"
    ranks = "ranked alpha, beta, and so on" if rules.ranked else "all of equal rank"
    yield f"Wolves: usually {usual}, {ranks}."
    yield _vision(rules, deal, looker)
    yield _attack(rules, deal)
    if setup.targets == "public":
        yield "Everybody is told whom a player looks at or attacks."
    if any("night" in phases for phases in (rules.opening, rules.cycle)):
        order = "in a random order" if rules.acting_order == "random" else "in the order of their numbers"
        yield f"At night the players act {order}: each looks, then attacks."
    yield from _deaths(rules, deal, looker)
    if deal == "quantum":
        if rules.told != "nothing":
            yield _TOLD[rules.told].format(looker=looker)
        yield from _table(rules)
    yield from _end(rules, deal, looker)


def _vision(rules: Rules, deal: Deal, looker: str) -> str:
    good, evil = rules.sides
    shown = {
        "side": f"{good} or {evil}; the {looker} is {good}",
        "kind": f"a villager, the {looker} or a wolf",
        "role": "the exact role",
    }[rules.vision_shows]
    if deal == "classical":
        return f"A look shows {shown}."
    where = f"where you are the {looker}"
    if rules.vision_worlds == "alive":
        where += " and alive; if there are none, you see nothing"
    when = " as they were at nightfall" if rules.vision_drawn == "nightfall" else ""
    drawn = f"The result is drawn from the worlds {where}{when}."
    return f"A look shows {shown}. {drawn} Worlds where you are not the {looker} stay."


def _attack(rules: Rules, deal: Deal) -> str:
    quantum = deal == "quantum"
    if rules.attack == "fractional":
        where = "in the worlds where you are a wolf and the target is not"
        where = where if quantum else "unless the target is a wolf"
        intended = rules.bites == "intended"
        return (
            f"An attack takes a fraction of a life (one over the number of {'living ' if intended else ''}"
            f"wolves) {where}. A new attack on the same player replaces your old one; your attacks "
            f"{'vanish' if intended else 'stay'} when you die."
        )
    leading = "the highest-ranked living wolf"
    if not quantum:
        return f"The leading wolf is {leading}. An attack by another wolf, or on a wolf, does nothing."
    refused = ""
    if rules.attack_must_be_possible:
        refused = " An attack that would leave no world where you lead is refused; only you are told."
    return (
        f"An attack kills in the worlds where you are the leading wolf, {leading}; if the target is a "
        f"wolf there, the world is removed.{refused}"
    )


def _deaths(rules: Rules, deal: Deal, looker: str) -> Iterator[str]:
    good, evil = rules.sides
    shown = {kind: text.format(good=good, evil=evil, looker=looker) for kind, text in _SHOWN.items()}
    quantum, fractional = deal == "quantum", rules.attack == "fractional"
    before = " Their role is drawn." if quantum else ""
    if quantum and not fractional:
        before = " Worlds where they were already dead are removed; their role is drawn from the others."
        if not rules.vote_eliminates:
            before = " Their role is drawn from all worlds, even those where they were already dead."
    yield f"A player is voted off.{before} Announced: {shown[rules.announce_vote]}."
    if fractional:
        dead = f"A player who has lost a whole life{', on average over the worlds,' if quantum else ''}"
    else:
        dead = "A player who is dead in every world" if quantum else "A player who was killed"
    order = {
        "lowest": "the lowest number first; then everybody is checked again",
        "rounds": "one after the other in seat order, round after round",
        "together": "all at once; then everybody is checked again",
    }[rules.cascade]
    drawn = " Their role is drawn." if quantum else ""
    yield f"{dead} is found dead: {order}.{drawn} Announced: {shown[rules.announce_found]}."


def _table(rules: Rules) -> Iterator[str]:
    when = {"morning": "every morning", "nightfall": "at the start and every evening"}
    facts = ", ".join("dead" if FACTS[heading] == "dead" else heading for heading in rules.headings)
    if not rules.table_at:
        yield "No table is shown."
        return
    times = ", and ".join(when[moment] for moment in rules.table_at)
    who = "each number" if rules.table == "anonymous" else "each player"
    yield f"The table is shown {times}. It says in what share of the worlds {who} is: {facts}."
    if rules.table == "anonymous":
        yield "You are told only your own number."
    if not rules.show_dead:
        yield "The table shows deaths only when they are certain."
    if rules.show_worlds:
        yield "The table says how many worlds are left."


def _end(rules: Rules, deal: Deal, looker: str) -> Iterator[str]:
    quantum = deal == "quantum"
    if quantum:
        good, evil = _GOOD_WINS[rules.good_wins], _EVIL_WINS[rules.evil_wins]
    else:
        share = "every living player is a wolf"
        if rules.evil_wins != "all wolves":
            share = "at least half of the living are wolves"
        good, evil = "when all wolves are dead", f"when {share}"
    yield f"The village (villagers and {looker}) wins {good}."
    yield f"The wolves win {evil}."
    if quantum and rules.forced_collapse != "none":
        yield _COLLAPSE[rules.forced_collapse]
    if rules.nobody_left == "draw":
        yield "If nobody is left alive, the game is a draw."
    tested = "after every phase" if rules.verdict_after == "phase" else "only after a vote"
    if rules.verdict_at_vote == "before deaths":
        tested += ", and after a vote before anybody else is found dead"
    yield f"The end of the game is tested {tested}."
    certain = " and it is certain that you are on it" if quantum else ""
    yield f"Dead or alive, you win if your side wins{certain}."
