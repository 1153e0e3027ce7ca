"""The rules of a game as a page for its players, written from the fields of `Rules`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.reports.documents import Document, Items, Paragraph
from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.base.wording import Sentence, divided, sequence, word
from kripke_werewolf.games.werewolf.declarations import declared, placed
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.roles import ONE_NIGHT, ROLES, TAKE, Action, CardAct, Role
from kripke_werewolf.games.werewolf.rules import PRESETS, Rules, words_for
from kripke_werewolf.games.werewolf.setup import Deal, Setup, Targets, make_setup
from kripke_werewolf.games.werewolf.state import being
from kripke_werewolf.logic.formulas import FALSE, simplify


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
    day 1    talk, then vote somebody off
    ...
    """
    names = [str(number) for number in range(3 + sum((cards or {}).values()))]
    setup = make_setup(names, wolves=1, cards=cards, rules=rules, deal=deal, targets=targets, draw=Chance(0))
    more = (Sentence("some-cards", n=n, one=role.name, many=role.several) for role, n in setup.deck.others)
    dealt = [Sentence("looking-card", role=setup.deck.looker.name, more=rules.several_seers), *more]
    introduction = Paragraph(Sentence("rules-introduction", deal=deal, cards=dealt))
    phases = Grid((word("phase"), word("what you do")), tuple(_phases(setup)), words=True)
    title = Sentence("rules-title", rules=rules.name, deal=deal)
    return Document(title, (introduction, phases, Items((*_said(setup), *_further(setup)))))


def house_rules(setup: Setup) -> tuple[str, ...]:
    """Return the sentences of the rules that the page of the published rules of this name does not have.

    >>> from kripke_werewolf import QuantumWerewolf, preset
    >>> rules = preset("gekka", vision_self=False, show_worlds=True)
    >>> house_rules(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules=rules).setup)[-1]
    'The table says how many worlds are left.'
    """
    base, usual = PRESETS.get(setup.rules.name), tuple[str, ...]()
    if base is not None:
        with suppress(GameError):  # cards that need the changed rules
            usual = _sentences(replace(setup, rules=base, deck=replace(setup.deck, ranked=base.ranked)))
    return tuple(said for said in _sentences(setup) if said not in usual)


def _sentences(setup: Setup) -> tuple[str, ...]:
    """Return the phases, each with the players' tasks, and the rules."""
    tasks = tuple(Sentence("labelled", label=phase, text=f"{task}.") for phase, task in _phases(setup))
    return tasks[:-1] + tuple(_said(setup))


# --- what an action does --------------------------------------------------------------------------


def what_it_does(setup: Setup, action: Action) -> str:
    """Return in two sentences what an action does, and in which worlds; `vote` is an action, too.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
    >>> what_it_does(game.setup, "attack")  # doctest: +NORMALIZE_WHITESPACE
    'In the worlds where you are the leading wolf, your target dies. Of these worlds, those where your target
    is a wolf are removed; in all other worlds nothing happens.'
    """
    deck, deal = setup.deck, setup.deal
    if action == "vote":
        return next(_deaths(setup))
    if action == TAKE:
        return Sentence("explained-take", deal=deal)
    act = declared(setup).acts[action]
    also, misled = {"false": "none", "wolf_{t}": "wolf"}.get(act.impossible, "some"), ""
    if act.shows:
        also = "look"
        for role in deck.declared:
            if role.misled:
                also, misled = "misled", being(f"{role.name}_{{i}}")
    return Sentence(
        "explained",
        kind=kind_of(setup, action),
        deal=deal,
        card=being(act.by),
        results=[word(text) for text, _ in act.shows],
        unless=dict(act.change).get("dead_{t}") != "true",
        tonight=any(f"{fact}_{{t}}" in dict(act.change) for fact in deck.nightly),
        also=also,
        misled=misled,
    )


def kind_of(setup: Setup, action: Action) -> str:
    """Return the kind of an action, by what it shows and changes.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> cards = {"cupid": 1, "bodyguard": 1, "witch": 1}
    >>> setup = QuantumWerewolf(list("abcdefg"), wolves=1, rules="cisra", cards=cards).setup
    >>> [kind_of(setup, action) for action in ("vision", "attack", "link", "protect", "heal", "poison")]
    ['look', 'kill', 'join', 'ward', 'save', 'kill']
    """
    if action in ("vote", TAKE):
        return "vote"
    act = declared(setup).acts[action]
    change = dict(act.change)
    if act.shows:
        return "look"
    if act.mark is not None:
        return "bite"
    if "dead_{t}" in change:
        alive = placed(change["dead_{t}"], ("i", "t"), "i", "t").substitute({"dead_t": FALSE})
        return "save" if simplify(alive) == FALSE else "kill"
    shields = " ".join(role.shield for role in setup.deck.declared)
    for kind, schema in (("ward", shields), ("join", declared(setup).shared)):
        if any(place in schema for place in change):
            return kind
    return "other"


# --- One Night --------------------------------------------------------------------------------------


def night_sheet(cards: Sequence[str | Role], middle: int) -> Document:
    """Return the rules of One Night on one page, for these cards.

    >>> print(night_sheet(("wolf", "seer", "villager"), 1).to_text())
    The rules of One Night
    ======================
    ...
    card      at night
    wolf      Wolves see each other. A wolf who is alone may look at a card in the middle.
    seer      A seer looks at another player's card, or at two cards in the middle.
    villager  A villager does nothing at night.
    ...
    """
    from kripke_werewolf.games.one_night import OneNight  # needs numpy

    players = tuple(f"player{number}" for number in range(len(cards) - middle))
    game = OneNight(players, tuple(cards), middle)
    roles, rows = sorted(game.roles.values(), key=_when), []
    for role in roles:
        rule = word(f"rule of night {role.name}") if ONE_NIGHT.get(role.name) == role else role.rule
        rows.append((word(role.name), rule))
    names = [role.name for role in roles for _ in range(game.numbers[role.name])]
    introduction = Paragraph(Sentence("night-rules-introduction", middle=middle, cards=names))
    wins = [Sentence("night-rules-village"), Sentence("night-rules-wolves")]
    if "minion" in game.roles:
        wins.append(Sentence("night-rules-minion"))
    table = Grid((word("card"), word("at night")), tuple(rows), words=True)
    return Document(Sentence("night-rules-title"), (introduction, table, Items(tuple(wins))))


def _when(role: Role) -> tuple[float, str]:
    """Return when a role acts at night; those who only learn something at the deal come first."""
    least = 0 if role.knows else inf
    return min((act.at for act in role.acts if isinstance(act, CardAct)), default=least), role.name


# --- the phases -----------------------------------------------------------------------------------


def _phases(setup: Setup) -> Iterator[tuple[str, str]]:
    """Yield the phases up to their repetition, each with the players' tasks."""
    phase = setup.phase_after(None)
    for position in range(sum(map(len, setup.phases))):
        later = position >= len(setup.phases[0])
        doing = [_action(setup, action, later=later) for action in setup.actions(phase)]
        yield str(phase), divided(doing or [Sentence("talk-and-vote", n=setup.rules.burnings)])
        phase = setup.phase_after(phase)
    yield Sentence("and-later", phase=phase), Sentence("and-so-on")


def _action(setup: Setup, action: Action, *, later: bool) -> Sentence:
    """Return the players who take an action, in words; `later`: some information about roles exists."""
    act, words = declared(setup).acts[action], words_for(action)
    wolf, who, whom = word("a wolf"), "all", "other"
    if later:
        who = "possible"
    if setup.deal == "classical":
        wolf, who = word("every wolf"), "card"
    cards = {"dominant_{i}": word("the leading wolf"), "wolf_{i}": wolf}
    card = cards.get(act.asked) or being(act.asked)
    if act.on_self:
        whom = "any"
    if act.two:
        whom = "two"
    if act.on == "dead":
        whom = "dead"
    must = {"compulsory": act.compulsory, "do": words.do, "does": words.does}
    return Sentence("what-they-do", action=action, who=who, card=card, whom=whom, **must)


def _further(setup: Setup) -> Iterator[str]:
    """Yield the rules of further roles; of one that says none, its actions."""
    for role, _ in setup.deck.others:
        acts = [words_for(act if isinstance(act, str) else act.name).does for act in role.acts]
        own = word(f"rule of {role.name}") if ROLES.get(role.name) == role else role.rule
        said = [own or Sentence("acts-of", role=role.name.capitalize(), n=len(acts), acts=acts)]
        if not own and (role.follows or role.facts or role.spared != "false"):
            said = [Sentence("rule-declared", role=role.name.capitalize())]
        moments = dict.fromkeys(each.moment for each in role.follows if not each.names)
        said += (Sentence("rule-follows", moment=moment) for moment in moments)
        for news in (one for one in declared(setup).news if one in role.news):
            whom = "concerned"
            if news.asked:
                whom = "asked"
            elif news.public:
                whom = "all"
            said.append(Sentence("rule-news", whom=whom, word=news.word))
        if role.seen_as:
            said.append(Sentence("rule-seen-as", card=word(role.seen_as)))
        if role.votes > 1:
            said.append(Sentence("rule-votes", n=role.votes))
        yield sequence(*said)


# --- the rules ------------------------------------------------------------------------------------


def _said(setup: Setup) -> Iterator[str]:
    """Yield the rules in sentences."""
    rules, deck, quantum, say = setup.rules, setup.deck, setup.deal == "quantum", _speaker(setup)
    drawn = {"alive": rules.vision_worlds == "alive", "nightfall": rules.vision_drawn == "nightfall"}
    look = [say("rule-look", shows=rules.vision_shows)]
    attack = [say("rule-attack")]
    if rules.attack == "fractional":
        attack = [say("rule-bite", intended=rules.bites == "intended")]
    elif quantum and rules.attack_must_be_possible:
        attack.append(say("rule-attack-refused"))
    good, evil, collapse = "cards", "cards-half", "none"
    if quantum:
        look.append(say("rule-look-drawn", **drawn))
        good, evil, collapse = rules.good_wins, rules.evil_wins, rules.forced_collapse
    elif rules.evil_wins == "all wolves":
        evil = "cards-all"
    strangers = [role.name for role, _ in deck.others if role.side != "good"]
    parity = "parity" in (rules.evil_wins, collapse)
    tables, anonymous = quantum and bool(rules.table_at), setup.numbers_hidden
    shown = {"times": "-".join(rules.table_at), "facts": list(declared(setup).headings)}
    tested = {"after": rules.verdict_after, "before": rules.verdict_at_vote == "before deaths"}
    every = [
        (True, say("rule-wolves", n=rules.default_wolves or 0, ranked=rules.ranked)),
        (True, sequence(*look)),
        (True, sequence(*attack)),
        (setup.targets == "public", say("rule-targets")),
        ("night" in (*rules.opening, *rules.cycle), say("rule-order", order=rules.acting_order)),
        *((True, said) for said in _deaths(setup)),
        (quantum and rules.told != "nothing", say("rule-told", told=rules.told)),
        (quantum and not tables, say("rule-no-table")),
        (tables, say("rule-table", anonymous=anonymous, **shown)),
        (tables and anonymous, say("rule-own-number")),
        (tables and not rules.show_dead, say("rule-certain-deaths")),
        (tables and rules.show_worlds, say("rule-number-of-worlds")),
        (True, say("rule-good-wins", when=good.replace(" ", "-"))),
        (True, say("rule-evil-wins", when=evil.replace(" ", "-"))),
        (bool(strangers) and parity, say("rule-not-counted", cards=strangers)),
        (collapse != "none", say("rule-collapse", when=collapse)),
        (rules.nobody_left == "draw", say("rule-draw")),
        (True, say("rule-tested", **tested)),
        (True, say("rule-winning")),
    ]
    yield from (said for applies, said in every if applies)


def _deaths(setup: Setup) -> Iterator[str]:
    """Yield how players are voted off, and how they are found dead."""
    rules, say, fractional = setup.rules, _speaker(setup), setup.rules.attack == "fractional"
    role = "from-others" if rules.vote_eliminates else "from-all"
    if fractional:
        role = "drawn"
    if setup.deal == "classical":
        role = "card"
    yield say("rule-voted-off", role=role, told=say("rule-announced", shows=rules.announce_vote))
    told = say("rule-announced", shows=rules.announce_found)
    yield say("rule-found-dead", told=told, fractional=fractional, order=rules.cascade)


def _speaker(setup: Setup) -> Callable[..., Sentence]:
    """Return a function for sentences about the rules of a game."""
    good, evil = declared(setup).sides
    looker = setup.deck.looker.name
    return partial(Sentence, quantum=setup.deal == "quantum", good=good, evil=evil, looker=looker)
