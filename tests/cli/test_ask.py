"""Questions on the command line: formulas and English, about games and models; bad input."""

import json
import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf import KripkeModel, LogFile, QuantumWerewolf, parse, replay
from kripke_werewolf.base.errors import FormulaSyntaxError, GameError, KripkeError, Undecided
from kripke_werewolf.cli.main import cli
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic.english.sentence_parser import read_question
from tests.cases import cases

DEMO = Path(__file__).parents[1] / "data" / "demo.jsonl"


def run(*args):
    """Run `ask` in this process; return its exit code and output; exceptions pass through."""
    result = CliRunner().invoke(cli, ["ask", *map(str, args)], standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.return_value or 0, result.output


@pytest.fixture
def log(tmp_path):
    """A game whose players have names that are difficult in sentences."""
    game = QuantumWerewolf(["Will", "Who", "Mary Ann", "Is", "Ed"], rules="cisra", wolves=2, rng=1)
    game = game.vision("Will", "Who", result="good").vision("Who", "Is", result="evil")
    LogFile.create(tmp_path / "g.jsonl", game).close()
    return tmp_path / "g.jsonl"


def test_the_demo_game_is_asked_in_english():
    assert run(DEMO, "Does Alice know that Bob is a wolf?") == (
        0,
        "yes\nread as: K_Alice wolf_Bob\nreading: facts\n",
    )
    code, printed = run(DEMO, "Does player 3 know that Alice is the seer?")
    assert (code, printed.splitlines()[:2]) == (1, ["no", "read as: K_Craig seer_Alice"])


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        ("does Who know that Is is a wolf?", "K_Who wolf_Is"),
        ("player 1 knows whether Mary Ann knows that Ed is human", "Kw_Will K_{Mary Ann} good_Ed"),
        ("is it common knowledge that Ed is not dead?", "C_{1,2,3,4,5} ~dead_Ed"),
        (
            "does the alpha wolf know that Ed is dead?",
            " | ".join(f"(alpha_{n} & K_{n} dead_Ed)" for n in "12345"),
        ),
        ("does anyone know that Is is a wolf?", "Sk_{1,2,3,4,5} wolf_Is"),
        (
            "is it true that after the public announcement that Is is evil, everybody knows that Is is evil?",
            "[!wolf_4]E_{1,2,3,4,5} wolf_4",
        ),
    ],
)
def test_sentences_are_answered_like_their_formulas(log, sentence, formula):
    code, printed = run(log, sentence)
    answer, said, *reading = printed.splitlines()
    plain = "".join(f"{line}\n" for line in (answer, *reading))
    assert reading == ([] if "know" not in sentence and "considers" not in sentence else ["reading: facts"])
    assert (code, plain) == run(log, formula)
    assert (code, plain) == run(log, said.removeprefix("read as: "))
    (found,) = json.loads(run(log, sentence, "--json")[1])
    (wanted,) = json.loads(run(log, formula, "--json")[1])
    assert found == {"sentence": sentence, **wanted}


def test_several_questions_at_once(log):
    code, printed = run(log, "does Who know that Is is a wolf?", "wolf_Is | good_Is")
    assert (code, printed) == (
        1,
        "K_Who wolf_Is: no\nwolf_Is | good_Is, for the game master: yes\nreading: facts\n",
    )


def test_who_knows(log):
    sentence = "who considers it possible that Is is good?"
    game = replay(log)
    yes = {name: game.ask(f"M_{{{name}}} good_Is").holds for name in game.setup.players}
    code, printed = run(log, sentence)
    first, *lines, reading = printed.splitlines()
    assert reading == "reading: facts"
    assert code == 0
    assert first == ", ".join(name for name, holds in yes.items() if holds)
    for line, (name, holds) in zip(lines, yes.items(), strict=True):
        assert line.startswith(f"{name} ")
        assert ("  yes  " if holds else "  no   ") in line
    found = json.loads(run(log, sentence, "--json")[1])
    assert found["who"] == [name for name, holds in yes.items() if holds]
    assert found["answers"]["Mary Ann"]["formula"] == "M_{Mary Ann} good_Is"
    assert run(log, "Who knows that Is is evil?")[1].startswith("nobody\n")


@pytest.mark.parametrize(
    ("question", "said"),
    [("is it possible that Bo is a wolf?", True), ("wolf_Bo & K_Bo wolf_Bo", True), ("M_Bo wolf_Bo", False)],
)
def test_answers_about_facts_are_the_game_masters(secret_night, question, said):
    printed = run(secret_night, question)[1]
    (found,) = json.loads(run(secret_night, question, "--json")[1])
    assert printed.startswith("for the game master: ") is said
    assert found.get("for") == ("the game master" if said else None)


@pytest.mark.parametrize("sign", ["~", "~ "])
def test_long_formulas_are_no_names_of_files(log, sign):
    assert run(log, sign * 600 + "K_Who wolf_Is") == (1, "no\nreading: facts\n")
    with pytest.raises(KripkeError, match="is not a file, and"):
        run(sign * 600 + "wolf_Is", str(log))
    with pytest.raises(KripkeError, match="write ask FILE and then the questions"):
        run("~" * 600 + "wolf_Is", "wolf_Is")


def test_who_is_says_who_possibly_is():
    _, printed = run(DEMO, "who is the seer?")
    assert printed.splitlines()[0] == "for the game master: nobody for certain; possibly Alice, Craig"
    found = json.loads(run(DEMO, "who is the seer?", "--json")[1])
    assert (found["who"], found["possibly"]) == ([], ["Alice", "Craig"])
    assert run(DEMO, "who is a wolf?")[1].splitlines()[0] == "for the game master: Bob, David"


def test_a_formula_with_a_question_mark():
    assert run(DEMO, "K_Alice wolf_Bob?") == (0, "yes\nread as: K_Alice wolf_Bob\nreading: facts\n")


def test_how_likely_without_a_player_is_the_share_of_the_worlds(log, tmp_path):
    game = replay(log)
    share, size = game.table()["Is", "evil"], game.size
    printed = f"for the game master: {share} ({share * size} of {size} worlds)\nread as: P(wolf_Is)\n"
    assert run(log, "How likely is it that Is is evil?") == (0, printed)
    found = json.loads(run(log, "what is the probability that Is is evil?", "--json")[1])
    assert found["formula"] == "wolf_Is"
    assert found["values"] == [{"probability": str(share), "worlds": size}]
    possible = game.ask("K_Ed wolf_Is").verdict.total
    printed = run(log, "how likely is it that Ed knows that Is is evil?")[1]
    assert printed == f"0 (0 of {possible} worlds)\nread as: P(K_Ed wolf_Is)\nreading: facts\n"
    KripkeModel.from_partitions("wv", {"a": [["w", "v"]]}, {"p": ["w"]}).save(tmp_path / "m.json")
    with pytest.raises(KripkeError, match="in a model only agents have probabilities"):
        run(tmp_path / "m.json", "how likely is it that p?")


def test_how_likely_under_a_condition(log):
    game = replay(log)
    both, given = (game.ask(f).verdict.fraction for f in ("wolf_Is & good_Ed", "good_Ed"))
    code, printed = run(log, "how likely is it that Is is evil, given that Ed is good?")
    assert (code, printed) == (0, f"for the game master: {both / given}\nread as: P(wolf_Is), if good_Ed\n")
    assert run(log, "how likely is it that Is is evil?", "--given", "good_Ed") == (code, printed)
    answer = str(game.ask("wolf_Is", given="good_Ed"))
    for asked in (["is Is evil if Ed is good?"], ["wolf_Is", "--given", "Ed is good"]):
        printed = run(log, *asked)[1]
        assert printed == f"for the game master: {answer}\nread as: wolf_Is, if good_Ed\n"
    assert run(log, "am I evil?", "--asker", "Is")[1] == run(log, "is Is evil?")[1]
    for asked in ("how likely is it that Ed is good", "who is most likely to be evil", "who is evil"):
        assert run(log, asked, "--given", "good_Ed & wolf_Ed") == (0, "no world has that\n")
        assert run(log, asked, "--given", "good_Ed", "--given", "Ed is evil") == (0, "no world has that\n")


@pytest.fixture(scope="module")
def secret_night(tmp_path_factory):
    """A night with so many secrets that a model for two players has millions of worlds."""
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di", "Ed"], wolves=2, rules="cisra", rng=3)
    names = game.players
    for act in ("vision", "attack"):
        for name, target in zip(names, names[1:] + names[:1], strict=True):
            game = getattr(game, act)(name, target)
    path = tmp_path_factory.mktemp("night") / "g.jsonl"
    LogFile.create(path, game.end_phase()).close()
    return path


@pytest.mark.parametrize(
    ("question", "code", "why"),
    [
        (
            "C_{Ann,Bo} good_Ed",
            1,
            "it is not common knowledge among Ann and Bo that Ed is good: Ann does not know that Ed is good\n"
            "  Ann does not know that Ed is good: what was told to Ann fits the world where ",
        ),
        (
            "K_Ann K_Bo (seer_Bo -> wolf_Di)",
            1,
            "Ann does not know that if Bo is the seer, then Di is a wolf\n  ",
        ),
        ("D_{Ann,Bo} seer_Cy", 1, "that Cy is the seer: what was told to Ann and Bo fits the world where "),
        ("D_{Ann,Bo} (wolf_Cy | good_Cy)", 0, " worlds that fit what was told to Ann and Bo"),
        ("C (alpha_Ann -> ~alpha_Bo)", 0, " in all 60 worlds that fit the public information"),
        ("~K_Ann good_Ed & ~Kw_Bo Kw_Ann wolf_Di", 0, " that Ed is good and Bo does not know whether "),
    ],
)
def test_an_explanation_needs_no_model_of_all_players(secret_night, question, code, why):
    found, printed = run(secret_night, question, "--explain")
    assert found == code
    assert printed.startswith("yes\n" if code == 0 else "no\n")
    assert why in printed
    assert "not explained" not in printed


def test_an_answer_without_an_explanation_is_printed(secret_night):
    question = "Kw_Ann Kw_Bo wolf_Di"
    code, printed = run(secret_night, question, "--explain")
    answer, reading, missing = printed.splitlines()
    assert (code, answer) == (1, "no")
    assert reading.startswith("reading: facts")
    assert missing.startswith(f"not explained: an explanation of {question} would need a model of more than ")
    (found,) = json.loads(run(secret_night, question, "--explain", "--json")[1])
    assert found["not explained"] == missing.removeprefix("not explained: ")
    assert found["answer"] == "no"


@pytest.mark.parametrize("fact", ["wolf_Di", "somewhere wolf_Ann"])
def test_facts_are_explained_in_any_reading(secret_night, fact):
    assert run(secret_night, fact, "--explain", "--reading", "exact") == run(secret_night, fact, "--explain")


def test_how_likely(log):
    shown = replay(log).table(viewer="Who")["Is", "evil"]
    code, printed = run(log, "How likely does Who hold it that Is is evil?")
    assert (code, printed) == (0, f"{shown}\nread as: P_Who(wolf_Is)\nreading: facts\n")
    found = json.loads(run(log, "what is the probability for Who that Is is evil?", "--json")[1])
    assert found["formula"] == "P_Who(wolf_Is)"
    assert [Fraction(value["probability"]) for value in found["values"]] == [shown]


def test_models_are_asked_in_english(tmp_path):
    model = KripkeModel.from_partitions(
        ["w", "v", "u"], {"Ann": [["w", "v"], ["u"]], "2": [["w"], ["v", "u"]]}, {"p": ["w", "v"]}, ["w", "u"]
    )
    model.save(tmp_path / "m.json")
    path = tmp_path / "m.json"
    assert run(path, "does Ann know that p?") == (1, "in 1 of 2 worlds\nread as: K_Ann p\n")
    assert run(path, "player 2 knows whether p holds", "--at", "w") == (0, "yes\nread as: Kw_2 p\n")
    assert run(path, "who knows that p?", "--at", "w") == (0, "Ann, 2\nAnn  yes  K_Ann p\n2    yes  K_2 p\n")
    assert run(path, "how likely does player 2 hold it that p?") == (
        0,
        "1 in 1 of 2 worlds\n1/2 in 1 of 2 worlds\nread as: P_2(p)\n",
    )
    with pytest.raises(FormulaSyntaxError, match='nobody is called "Bo"'):
        run(path, "does Bo know that p?")


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (
            ["who knows who the wolve is?"],
            r'at column 19: "wolve" is not understood',
        ),
        (["who knows Ed is a wolve"], r'at column 19: "wolve".*\n  who knows Ed is a wolve\n'),
        (
            ["K_1 (wolf_2 ->"],
            r"cannot read the formula at column 15: the text ends too early; expected a formula",
        ),
        (["who knows that Is is evil?", "--explain"], "--explain is for yes-or-no questions"),
        (["who knows that Is is evil?", "wolf_1"], "not a yes-or-no question: ask it alone, in a command"),
    ],
)
def test_questions_that_are_not_understood(log, args, reason):
    with pytest.raises(KripkeError, match=reason):
        run(log, *args)


def test_timelines_take_sentences_too(log):
    result = CliRunner().invoke(cli, ["game", "timeline", str(log), "is Is evil?"], standalone_mode=False)
    assert result.output.startswith("[1] wolf_Is, for the game master\n")
    assert run(log, "who knows wolf_4?") == run(log, "who knows that Is is evil?")


@pytest.fixture
def told(tmp_path):
    """A game whose first table says more than its certain entries."""
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka")
    for viewer, target in zip(game.players, ("Bo", "Ann", "Ann", "Ann"), strict=True):
        game = game.vision(viewer, target, result="human")
    LogFile.create(tmp_path / "told.jsonl", game).close()
    return tmp_path / "told.jsonl"


def test_a_no_by_the_facts_says_that_a_table_may_say_more(told):
    timeline = ["game", "timeline", str(told), "K_Bo wolf_Cy"]

    def printed(*more):
        return CliRunner().invoke(cli, [*timeline, *more], standalone_mode=False).output

    said = "what was announced may say more"
    assert f"reading: facts; {said} (reading: exact)" in printed()
    assert "reading: exact\n" in printed("--reading", "exact")
    assert said not in printed("--reading", "exact")
    assert json.loads(printed("--json"))["reading"] == "facts"
    assert json.loads(printed("--json", "--reading", "exact"))["reading"] == "exact"


def test_who_knows_a_fact_as_data(told):
    known, unknown = (json.loads(run(told, f"who knows ~wolf_{name}", "--json")[1]) for name in ("Ann", "Cy"))
    assert known["who"] == [*known["answers"]]
    assert unknown["who"] == []
    assert unknown["answers"]["Bo"]["a table may say more"] is True


def test_no_table_can_say_the_contrary_of_what_is_known(told):
    assert "what was announced" in run(told, "K_Bo wolf_Cy")[1]
    assert run(told, "K_Bo ~wolf_Ann") == (0, "yes\nreading: facts\n")
    assert run(told, "K_Bo wolf_Ann") == (1, "no\nreading: facts\n")


def test_explanations_by_the_tables_name_the_worlds_in_words(told):
    printed = run(told, "K_Bo wolf_Cy", "--explain", "--reading", "exact")[1]
    assert "at the world where Ann is the seer and Bo is the alpha wolf (savv), Cy is not the wolf" in printed
    printed = run(told, "M_Bo K_Cy wolf_Di", "--explain", "--reading", "exact")[1]
    assert ", in which Cy looked at Di (wolf) (vs" in printed or "Cy:" in printed
    assert "Record" not in printed


@cases("avalon", "exercise", "game", "proof", "exercise sheet", "exercise class")
def test_helps_of_subcommands_are_whole(group):
    printed = CliRunner().invoke(cli, [*group.split(), "--help"], standalone_mode=False).output
    commands = printed.partition("Commands:")[2]
    assert commands.strip()
    assert "..." not in commands


def test_the_questions_on_the_page_are_read_as_it_says():
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
    about = vocabulary(QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka").setup)
    rows = re.findall(r"^\| (.*\?) \| `(.*)` \|$", page, re.MULTILINE)
    assert len(rows) > 5
    for question, read_as in rows:
        assert read_question(question, about) is parse(read_as.replace("\\|", "|")), question


SEARCHED = """
ask 'K_Bo wolf_Cy'
ask 'K_Bo K_Ann wolf_Cy'
ask 'C_{Ann,Bo} wolf_Cy'
ask 'who knows that Cy is a wolf?'
ask 'how likely does Bo hold it that Cy is a wolf?'
table --player Bo
knowledge
timeline 'K_Bo wolf_Cy'
"""


def test_the_search_by_tables_has_a_time_limit(told):
    limit = ("--reading", "exact", "--timeout", "1e-9")
    for line in SEARCHED.strip().splitlines():
        name, *rest = shlex.split(line)
        path = ["ask"] if name == "ask" else ["game", name]
        error = CliRunner().invoke(cli, [*path, str(told), *rest, *limit], standalone_mode=False).exception
        assert isinstance(error, KripkeError), line  # exit code 2
        assert "because time ran out (1e-09 s); a longer timeout (--timeout)" in str(error), line
        assert "--reading facts" in str(error), line
    run(told, "wolf_Cy", *limit)  # nobody's knowledge is asked, so nothing is searched for


def test_the_reading_of_facts_has_a_time_limit(secret_night):
    args = ["ask", str(secret_night), "C_{Ann,Bo} ~wolf_Cy", "--reading", "facts", "--timeout", "1e-9"]
    done = CliRunner().invoke(cli, args, standalone_mode=False)
    assert isinstance(done.exception, Undecided)  # exit code 2
    assert "no answer after 1e-09 s; give it longer (--timeout)" in str(done.exception)


def test_visions_that_may_have_gone_in_too_many_ways_are_refused(monkeypatch):
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, seers=1, rules="straat", rng=1)
    for viewer in game.players:
        game = game.vision(viewer, game.legal_targets(viewer, "vision")[0])
    game = game.end_phase()
    monkeypatch.setattr("kripke_werewolf.games.werewolf.inference.search.MAX_LEAVES", 3)
    with pytest.raises(GameError, match="the visions may have gone in more than"):
        game.table(viewer="Ann", reading="exact")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_a_time_limit_is_a_positive_number(told, seconds):
    args = ["ask", str(told), "K_Bo wolf_Cy", "--reading", "exact", "--timeout", seconds]
    done = CliRunner().invoke(cli, args, standalone_mode=False)
    assert "is not a number of seconds greater than 0" in str(done.exception)


def test_moves_are_asked_for(log):
    assert run(log, "K_Will looked_Will_Who_1") == (0, "yes\nreading: facts\n")
    assert run(log, "K_Ed saw_Will_Who_good")[0] == 1
    assert run(log, 'K_{Mary Ann} "looked_{Mary Ann}_{Ed}"')[0] == 1
    with pytest.raises(KripkeError, match="did you mean 'looked_Will_Who'"):
        run(log, "K_Ed looked_Will_Wo")


def test_a_game_is_asked_after_a_phase(log):
    game = replay(log)
    for place in ("0", "2", str(game.phase), str(game.at(0).phase)):
        before = game.at(int(place) if place.isdigit() else place)
        assert run(log, "wolf_Ed", "--at", place)[1].startswith(
            f"for the game master: {before.ask('wolf_Ed')}"
        )
    with pytest.raises(KripkeError, match="unknown phase 'dusk'"):
        run(log, "wolf_Ed", "--at", "dusk")
