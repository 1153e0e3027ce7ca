"""One ear: models, puzzles, games, handouts, the command, the explorer and phones read a question alike."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kripke_werewolf import FormulaSyntaxError, KripkeModel, LogFile, QuantumWerewolf, parse
from kripke_werewolf.base.errors import KripkeError, cut_off
from kripke_werewolf.cli.main import cli
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.puzzles import puzzle
from kripke_werewolf.logic.puzzles.puzzle import Puzzle
from kripke_werewolf.logic.semantics.answers import Answer
from kripke_werewolf.play.tabletop import PHONES, Keeper
from kripke_werewolf.teach.explorer import respond
from tests.cases import cases

NAMES = ["Ann", "Bo", "Cy", "Di"]
START = QuantumWerewolf(NAMES, wolves=1, seers=1, rules="straat", targets="public")
"""Nobody has seen anything: everybody considers all that may be possible."""
SEEN = START.vision("Ann", "Bo", result="wolf")
"""Questions about it are about what Ann knows, which is in her handout."""

PUBLIC = """
wolf_Ann | wolf_Bo                                      : wolf_Ann | wolf_Bo
K_Cy villager_Di -> dead_Di                             : K_Cy villager_Di -> dead_Di
□_Bo wolf_Di ∧ ¬wolf_Di                                 : K_Bo wolf_Di & ~wolf_Di
Is Di dead?                                             : dead_Di
Is Di not a wolf?                                       : ~wolf_Di
Is Ann evil?                                            : wolf_Ann
Is someone a wolf?                                      : wolf_Ann | wolf_Bo | wolf_Cy | wolf_Di
Is exactly one of Ann and Bo a wolf?                    : exactly(1; wolf_Ann, wolf_Bo)
Are Ann and Bo wolves?                                  : wolf_Ann & wolf_Bo
Is nobody the seer?                                     : ~(seer_Ann | seer_Bo | seer_Cy | seer_Di)
Does Bo know that Di is dead?                           : K_Bo dead_Di
Does Bo know that Di is not dead?                       : K_Bo ~dead_Di
Does everyone know that Di is dead?                     : E_{Ann,Bo,Cy,Di} dead_Di
Does someone know that Ann is a wolf?                   : Sk_{Ann,Bo,Cy,Di} wolf_Ann
Is it common knowledge that Di is alive?                : C_{Ann,Bo,Cy,Di} ~dead_Di
Is it common knowledge between Ann and Bo that Di is not a wolf? : C_{Ann,Bo} ~wolf_Di
Does Ann know that Bo knows that Di is not dead?        : K_Ann K_Bo ~dead_Di
Does Cy know whether Bo knows whether Ann is a wolf?    : Kw_Cy Kw_Bo wolf_Ann
Could Bo be a wolf?                                     : somewhere wolf_Bo
Must Bo be a wolf?                                      : everywhere wolf_Bo
If Ann is the seer, is Bo a wolf?                       : wolf_Bo, if seer_Ann
Is Bo a wolf, given that Ann is not a wolf?             : wolf_Bo, if ~wolf_Ann
Is Bo a wolf, given that Di is a wolf?                  : wolf_Bo, if wolf_Di
Who is alive?                                           : who ~dead_X
Who is a wolf if Ann is the seer?                       : who wolf_X, if seer_Ann
Who could be a wolf?                                    : who somewhere wolf_X
Who knows that Di is not dead?                          : who K_X ~dead_Di
who knows dead_Di                                       : who K_X dead_Di
"""
OF_ANN = """
K_Ann (seer_Ann -> wolf_Bo)                             : K_Ann (seer_Ann -> wolf_Bo)
Does Ann know that Bo is a wolf?                        : K_Ann wolf_Bo
Does Ann know whether Bo is a wolf?                     : Kw_Ann wolf_Bo
Does Ann not know that Bo is a wolf?                    : ~K_Ann wolf_Bo
Is it possible for Ann that Bo is a wolf?               : M_Ann wolf_Bo
Does Ann think that Bo could be the seer?               : M_Ann seer_Bo
Does Ann know who the seer is? : K_Ann seer_Ann | K_Ann seer_Bo | K_Ann seer_Cy | K_Ann seer_Di
If Ann is the seer, does Ann know that Bo is a wolf?    : K_Ann wolf_Bo, if seer_Ann
How likely is it for Ann that Bo is a wolf?             : P_Ann(wolf_Bo)
How likely does Ann think it is that Bo is a wolf?      : P_Ann(wolf_Bo)
P_Ann(wolf_Bo)                                          : P_Ann(wolf_Bo)
How likely is it for Ann that Bo is a wolf, given that Ann is the seer? : P_Ann(wolf_Bo), if seer_Ann
Who could be a wolf for Ann?                            : who M_Ann wolf_X
Who is most likely to be a wolf for Ann?                : who P_Ann(wolf_X)
"""


def expected(reading: str) -> list[str]:
    """Return the formulas that a question asks, which are written by hand."""
    asked, _, given = reading.partition(", if ")
    texts = [asked]
    if asked.startswith("who "):
        texts = [asked.removeprefix("who ").replace("X", name) for name in NAMES]
    chances = [text.startswith("P_") for text in texts]
    found = [t if chance else str(parse(t)) for t, chance in zip(texts, chances, strict=True)]
    return [f"{text}, if {parse(given)}" if given else text for text in found]


def formulas(answer: Answer) -> list[str]:
    """Return the formulas that were asked."""
    return [part.read_as for _, part in answer.parts] or [answer.read_as]


def on_the_page(question: str, **do: Any) -> Any:
    """Return the view of the explorer's line."""
    opened = respond({"do": {"command": "open", **do}, "want": []})
    asked = {"state": opened["state"], "do": {"command": "formula", "text": question}, "want": ["formula"]}
    return respond(asked)["view"]["formula"]


def check(game: QuantumWerewolf, question: str, reading: str, folder: Path) -> None:
    """Ask all of them, and compare with the formula on a model where all worlds are listed."""
    model = game.model()
    story = Puzzle("a night", "", model)
    answers = [asked.ask(question) for asked in (model, story, game, game.handout("Ann"))]
    own = reading.replace("somewhere", "M_Ann").replace("everywhere", "K_Ann")  # as far as Ann can tell
    assert [formulas(answer) for answer in answers] == [*[expected(reading)] * 3, expected(own)]
    (said,) = {str(answer) for answer in answers}
    if not answers[0].parts:
        asked, _, given = reading.partition(", if ")
        for answer in (answers[0], answers[2]):
            assert answer.verdict == model.verdict(asked, given=given or None)

    log, saved = folder / "g.jsonl", folder / "m.json"
    game.save(log)
    model.save(saved)
    for path in (log, saved):
        printed = CliRunner().invoke(cli, ["ask", str(path), question]).output
        assert printed.removeprefix("for the game master: ").startswith(f"{said}\n"), printed
        if not answers[0].parts and parse_or(question) is None:
            assert f"\nread as: {answers[0].read_as}\n" in printed

    with LogFile.open(log) as kept:  # what a phone and the console show: a player's, and the game master's
        keeper = Keeper(kept, PHONES)
        for seat, answer in (("Ann", answers[3]), (None, answers[2])):
            assert keeper.ask(seat, question).startswith(f"{said} (read as {cut_off(answer.read_as, 200)}")

    shown = on_the_page(question, text=saved.read_text(encoding="utf-8"))
    assert shown["error"] is None
    if answers[0].parts:
        assert (shown["unicode"], shown["said"]) == (answers[0].read_as, f"{said}.")
    else:
        assert (shown["unicode"], shown["verdict"]) == (answers[0].heading, str(answers[0].verdict))


def parse_or(text: str) -> Any:
    """Return a formula, if a string is one."""
    try:
        return parse(text)
    except ValueError:
        return None


def asked_in(text: str) -> list[tuple[str, str]]:
    """Return the questions of a list, each with its reading."""
    rows = [line.rpartition(" : ") for line in text.strip().splitlines()]
    return [(question.strip(), reading.strip()) for question, _, reading in rows]


def test_there_are_forty_questions() -> None:
    assert len(asked_in(PUBLIC) + asked_in(OF_ANN)) >= 40


@pytest.mark.parametrize(("question", "reading"), asked_in(PUBLIC))
def test_what_is_so_is_answered_alike(question: str, reading: str, tmp_path: Path) -> None:
    check(START, question, reading, tmp_path)


@pytest.mark.parametrize(("question", "reading"), asked_in(OF_ANN))
def test_what_one_player_knows_is_answered_alike(question: str, reading: str, tmp_path: Path) -> None:
    check(SEEN, question, reading, tmp_path)


# --- students ask about models and puzzles ---------------------------------------------------------

COIN = KripkeModel.from_partitions("ht", {"Anne": ["ht"], "Bob": [["h"], ["t"]]}, {"heads": ["h"]}, "t")
SHOWN = COIN.with_words(Vocabulary(facts=(("tails", "~heads"),), kinds=(("student", "students"),)))
MUDDY = puzzle("muddy-children", 3)
ABOUT_A_COIN = """
Does Anne know that tails?                              : K_Anne ~heads
Does Bob know whether heads?                            : Kw_Bob heads
Does Anne know whether Bob knows whether heads?         : Kw_Anne Kw_Bob heads
Is heads common knowledge between Anne and Bob?         : C_{Anne,Bob} heads
Could it be tails?                                      : somewhere ~heads
Is it tails?                                            : ~heads
Does everybody know that Bob knows whether heads?       : E_{Anne,Bob} Kw_Bob heads
If tails, does Bob know that tails?                     : K_Bob ~heads, if ~heads
"""
ABOUT_CHILDREN = """
Do all children know that at least one child is muddy?  : E_{1,2,3} atleast(1; muddy_1, muddy_2, muddy_3)
Is child 2 clean?                                       : ~muddy_2
Does child 1 know whether it is muddy?                  : Kw_1 muddy_1
Does child 2 know that child 1 is not clean?            : K_2 muddy_1
Is it common knowledge that at least one child is muddy? : C_{1,2,3} atleast(1; muddy_1, muddy_2, muddy_3)
Does child 1 know that it is muddy, given that child 3 is muddy? : K_1 muddy_1, if muddy_3
How likely is it for child 1 that child 1 is muddy?     : P_1(muddy_1)
Is it possible for child 1 that child 1 is clean?       : M_1 ~muddy_1
"""


STUDENTS = [(SHOWN, *row) for row in asked_in(ABOUT_A_COIN)] + [
    (MUDDY, *row) for row in asked_in(ABOUT_CHILDREN)
]


@cases(*STUDENTS)
def test_what_students_ask_is_read(asked: Any, question: str, reading: str) -> None:
    assert formulas(asked.ask(question)) == expected(reading)


def test_worlds_that_an_agent_considers_possible() -> None:
    for number in (2, 3):
        story = puzzle("muddy-children", number)
        for agent in story.model.agents:
            found = story.ask(f"Which worlds does child {agent} consider possible?")
            assert {*found.names} == {*story.model.successors(agent, at=story.model.designated[0])}
    everywhere = MUDDY.model.point(*MUDDY.model.worlds)
    found = everywhere.ask("Which worlds does child 1 consider possible?")
    assert (found.names, {*found.possible}) == ((), {*everywhere.worlds})
    question = "Which worlds does child 1 consider possible?"
    assert on_the_page(question, puzzle="muddy-children", n=3)["said"] == "011, 111."
    printed = CliRunner().invoke(cli, ["ask", "muddy-children", question])
    assert printed.stdout == "011\n111\n"
    assert printed.stderr.startswith("note: at the start of the puzzle; ")


def test_what_one_knows_is_told_in_ten_lines(tmp_path: Path) -> None:
    game = QuantumWerewolf([*NAMES, "Ed", "Flo"], wolves=2).vision("Cy", "Bo", result="wolf").end_phase()
    game.save(tmp_path / "g.jsonl")
    answer = game.ask("What does Cy know?")
    assert len(answer.parts) > 40
    assert all(game.ask(f"does Cy know that {said}?").holds for said in answer.names)
    printed = CliRunner().invoke(cli, ["ask", str(tmp_path / "g.jsonl"), "What does Cy know?"]).output
    assert 2 < len(printed.splitlines()) <= 10
    known = MUDDY.ask("What does child 1 know?")
    assert known.names == ("child 2 is muddy", "child 3 is muddy")


def test_words_stay_with_a_model(tmp_path: Path) -> None:
    told = MUDDY.model.announce("muddy_1 | muddy_2")
    told.save(tmp_path / "m.json")
    for model in (told, KripkeModel.load(tmp_path / "m.json"), told.contract(), told.generated()):
        assert model.ask("Is child 2 clean?").read_as == "~muddy_2"
    assert told.for_agents("12", ["muddy_1"]).ask("Which children know that child 1 is clean?").names == ()


def test_an_answer_that_is_neither_yes_nor_no_says_so() -> None:
    answer = COIN.point("h", "t").ask("heads")
    assert (str(answer), answer.holds) == ("in 1 of 2 worlds", False)
    for open_ in (answer, SHOWN.ask("Who knows that tails?")):
        with pytest.raises(KripkeError, match="neither yes nor no"):
            bool(open_)
    assert SHOWN.ask("Does Bob know that tails?") == True  # noqa: E712
    with pytest.raises(KripkeError, match="in a model only agents have probabilities"):
        SHOWN.ask("How likely is it that tails?")
    with pytest.raises(KripkeError, match="nothing has happened in a model"):
        SHOWN.ask("What happened?")


def test_a_model_without_agents_is_asked_on_conditions() -> None:
    alone = KripkeModel.from_partitions("htw", {}, {"heads": ["h"], "wet": ["w"]}, "h")
    alone = alone.point(*alone.worlds)
    for question in ("If it is not wet, is it heads?", "Suppose wet is false. Is heads true?"):
        assert alone.ask(question).verdict == alone.verdict("heads", given="~wet")
    assert alone.ask("Is it heads?", given="wet is not true").verdict == alone.verdict("heads", given="~wet")
    with pytest.raises(FormulaSyntaxError):
        alone.ask("Who knows heads?")
