"""Questions that players ask about a game of five, each with the formula that it means."""

from dataclasses import replace
from fractions import Fraction

import pytest

from kripke_werewolf import Formula, FormulaSyntaxError, QuantumWerewolf, parse, valid
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic.english.questions import HowLikely, Who
from kripke_werewolf.logic.notation.reading import read_asked
from tests.cases import cases, each

FIVE = ("Ann", "Bo", "Cy", "Di", "Ed")
ALL = ",".join(FIVE)
HALF = Fraction(1, 2)
SETUP = QuantumWerewolf(FIVE, rules="cisra", wolves=1, seers=1).setup


def for_each(template: str, joint: str = "&", place: str = "X", but: str = "") -> str:
    """Return the formulas for all players, joined, with each of them at a place."""
    return "(" + f" {joint} ".join(template.replace(place, p) for p in FIVE if p != but) + ")"


def some(template: str, place: str = "X", but: str = "") -> str:
    """Return that the formula is true of a player."""
    return for_each(template, "|", place, but)


def some_pair(template: str) -> str:
    """Return that the formula is true of two different players."""
    return "(" + " | ".join(some(template.replace("X", one), "Y", one) for one in FIVE) + ")"


def knows_who(agent: str, role: str) -> str:
    """Return that an agent knows the player with a role."""
    return some(f"K_{agent} {role}_Y", "Y")


YES_OR_NO = [
    ("Did Bo look at Di and find out that Cy is the wolf?", "looked_Bo_Di & K_Bo wolf_Cy"),
    ("Is Bo the wolf?", "wolf_Bo"),
    ("Neither Cy nor Di is dead, right?", "~dead_Cy & ~dead_Di"),
    ("Is everyone except Ed still alive?", for_each("~dead_X", but="Ed")),
    ("Are there at least two dead players?", "atleast(2; dead_Ann, dead_Bo, dead_Cy, dead_Di, dead_Ed)"),
    ("Is it the case that Di is dead if and only if Ed really is the seer?", "dead_Di <-> seer_Ed"),
    ("Does Bo know whether Cy is good?", "Kw_Bo good_Cy"),
    ("Does the seer know who the wolf is?", some(f"seer_X & {knows_who('X', 'wolf')}")),
    ("Does anyone know who the seer is?", some(knows_who("X", "seer"))),
    ("Is it common knowledge that Bo is dead?", f"C_{{{ALL}}} dead_Bo"),
    ("Does Cy know her own role?", "K_Cy seer_Cy | K_Cy wolf_Cy | K_Cy villager_Cy"),
    ("Does Bo know that Ann knows that Cy knows that Di is a villager?", "K_Bo K_Ann K_Cy villager_Di"),
    ("Does nobody know that Ann is the wolf?", for_each("~K_X wolf_Ann")),
    ("Can Di exclude both Ann and Bo as the wolf?", "K_Di ~wolf_Ann & K_Di ~wolf_Bo"),
    ("Does only Cy know that Ed is good?", f"K_Cy good_Ed & {for_each('~K_X good_Ed', but='Cy')}"),
    ("Is it certain that Di is dead?", "everywhere dead_Di"),
    ("Does Ann think Bo is probably the wolf?", "P_Ann(wolf_Bo) > 1/2"),
    ("Did Bo look at Cy?", "looked_Bo_Cy"),
    ("Did anybody who looked at Bo also attack him?", some("looked_X_Bo & attacked_X_Bo", but="Bo")),
    ("Does Di know who attacked her?", for_each("Kw_Di attacked_X_Di", but="Di")),
    ("Did the wolf attack the seer?", some_pair("wolf_X & seer_Y & attacked_X_Y")),
    # nights in front, counted from 0 in these rules
    ("In the first night, did Bo look at Cy?", "looked_Bo_Cy_1"),
    # statements, and worlds, of which several things are said
    ("Ann is dead and Bo is the seer", "dead_Ann & seer_Bo"),
    ("Is there a world where Ann is the wolf and Di is the seer?", "somewhere (wolf_Ann & seer_Di)"),
    ("No one but Ed is dead", for_each("~dead_X", but="Ed")),
    ("Bo didn't look at Cy, did he?", "~looked_Bo_Cy"),
    ("Does Ann know which of Bo and Cy is the wolf?", "K_Ann wolf_Bo | K_Ann wolf_Cy"),
]  # fmt: skip
OWN = [
    ("Ann", "Do I know who the wolf is?", knows_who("Ann", "wolf")),
    ("Cy", "Does Ann think I might be the wolf?", "M_Ann wolf_Cy"),
    ("Bo", "Does the seer know that I'm not the wolf?", some("seer_X & K_X ~wolf_Bo")),
    ("Di", "does cy know i looked at him", "K_Cy looked_Di_Cy"),
    ("Cy", "Is there someone else who thinks I might be the seer?", some("M_X seer_Cy", but="Cy")),
]


def read(text: str, asker: str = "") -> Formula | Who | HowLikely:
    return read_asked(text, replace(vocabulary(SETUP), asker=asker))


def same(f: object, meant: str) -> bool:
    """Whether a formula means another, whatever is known."""
    assert isinstance(f, Formula)
    return f is parse(meant) or bool(valid(f.iff(parse(meant))))


def test_yes_or_no() -> None:
    asked = [*(("", *pair) for pair in YES_OR_NO), *OWN]
    assert [text for who, text, meant in asked if not same(read(text, who), meant)] == []


@cases(
    ("", "who's the wolf", ALL, "wolf_X"),
    ("", "Who knows that Ann is the seer?", ALL, "K_X seer_Ann"),
    ("Ed", "Who thinks I could be the seer?", ALL, "M_X seer_Ed"),
    ("", "Who doesn't know whether Bo is the wolf?", ALL, "~Kw_X wolf_Bo"),
    ("", "Who did Ann attack?", "Bo,Cy,Di,Ed", "attacked_Ann_X"),
    ("", "In night 1, who attacked Ann?", "Bo,Cy,Di,Ed", "attacked_X_Ann_1"),
    ("", "Which of Ann and Bo is the wolf?", "Ann,Bo", "wolf_X"),
    ("Cy", "Which of us is the wolf?", ALL, "wolf_X"),
    ("Bo", "What am I?", "seer,villager,wolf", "X_Bo"),
    ("", "Which role does Cy have?", "seer,villager,wolf", "X_Cy"),
)
def test_questions_with_names_as_answers(asker, text, names, meant) -> None:
    found = read(text, asker)
    assert isinstance(found, Who), text
    assert found.ranked == 0, text
    assert [name for name, _ in found.answers] == names.split(","), text
    assert all(same(f, meant.replace("X", name)) for name, f in found.answers), text


@cases(
    ("Who is most likely to be the wolf?", ALL),
    ("Which one of us is most likely the wolf?", ALL),
    ("Who among Ann, Bo and Cy is most likely to be the wolf?", "Ann,Bo,Cy"),
)
def test_who_is_most_likely(text, names) -> None:
    assert read(text) == Who(tuple((name, parse(f"wolf_{name}")) for name in names.split(",")), 1), text


@cases(
    ("How many players know who the wolf is?", [knows_who(p, "wolf") for p in FIVE]),
    ("How many players attacked Ann?", [f"attacked_{p}_Ann" for p in FIVE[1:]]),
)
def test_how_many(text, counted) -> None:
    found = read(text)
    assert isinstance(found, Who), text
    assert [count for count, _ in found.answers] == [str(n) for n in range(len(counted) + 1)], text
    assert all(same(f, f"exactly({n}; {', '.join(counted)})") for n, f in found.answers), text


@cases(
    ("", "How likely is it that Ann is the wolf?", None, "wolf_Ann", None, "", 0),
    ("Di", "How likely am I to be the seer?", None, "seer_Di", None, "", 0),
    ("", "What's the chance that the wolf is already dead?", None, some("wolf_X & dead_X"), None, "", 0),
    ("", "Is Cy more likely to be the wolf than Di?", None, "wolf_Cy", "wolf_Di", ">", 0),
    ("", "Is there at least a fifty percent chance that Ed is good?", None, "good_Ed", None, ">=", HALF),
    ("", "Are there even odds that Cy is the wolf?", None, "wolf_Cy", None, "=", HALF),
    ("", "Do Ann and Bo have the same chance of being the wolf?", None, "wolf_Ann", "wolf_Bo", "=", 0),
)
def test_chances(asker, text, agent, body, other, relation, bound) -> None:
    found = read(text, asker)
    assert isinstance(found, HowLikely), text
    assert (found.agent, found.relation, found.bound) == (agent, relation, bound), text
    assert same(found.body, body), text
    assert found.other is None if other is None else same(found.other, other), text


def test_a_question_about_nobody_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    game, remark = QuantumWerewolf(FIVE, rules="cisra", wolves=1, seers=1), "it is about nobody"
    asked = "does everybody who is dead know who the wolf is?"
    with monkeypatch.context() as patch:
        patch.setattr("kripke_werewolf.games.werewolf.questions.monotonic", lambda: 1000.0)
        answer = game.ask(asked, timeout=0.5)
        assert answer.empty
        patch.setattr("kripke_werewolf.games.werewolf.questions.monotonic", lambda: 1001.0)
        assert remark in str(answer)  # it is printed when no time is left
    assert remark in str(game.ask(asked))
    for others in (
        asked.replace("dead", "alive"),
        "is Ann a wolf?",
        "is nobody dead?",
        "K_Ann wolf_Bo -> dead_Bo",
    ):
        assert remark not in str(game.ask(others))


@cases(
    ("Ann is dead and Bo isn't the wolf, does it hold?", 'unexpected "does"\n'),
    ("Did Ann the seer?", 'unexpected "the"\n'),
    ("Did Ann murder Bo?", '"murder" is not understood\n'),
    ("Can they see who looked at them?", '"they" does not refer to anybody named before: write a name\n'),
    ("Does Ann know that one of the players says he is dead?", '"he" may stand for Ann or "one" or the pl'),
    ("K_Ann (wolf_Bo &", "cannot read the formula at column 17"),
)
def test_refusals_say_what_can_be_asked(text: str, message: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=message) as caught:
        read(text)
    assert str(caught.value).replace("\n", "").isprintable()
    assert caught.value.meant is None


@each(
    ["Is {} a wolf?", "Does Bo know that {} is dead?", "{} is the seer and Bo is dead"],
    [("Eve", ""), ("Anna", "Ann"), ("Zoë", "")],
)
def test_nothing_offered_leaves_out_somebody_unknown(text: str, name: str, near: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=f'nobody is called "{name}"') as caught:
        read(text.format(name))
    offered = (caught.value.meant or "").split("\nor: ")
    assert all(near in one for one in offered) if near else offered == [""]


@each(["Bo knows that Ann is dead and Cy is dead", "Is it sure that {} or {}?"])
def test_what_may_belong_to_a_statement_or_to_what_is_known_is_not_guessed(text: str) -> None:
    with pytest.raises(FormulaSyntaxError):
        read(text.format("Ann is dead", "Cy is dead and Di is dead"))
