"""The errors for students' mistakes show how to correct them."""

import json
import re
import shlex
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kripke_werewolf as kw
import visualise
from kripke_werewolf.cli.main import cli, main


def command(*arguments: str) -> str:
    """Return the output and the error of the command."""
    done = CliRunner().invoke(cli, arguments, standalone_mode=False)
    return done.output + str(done.exception or "")


NAMES = {
    "run": command,
    "kw": kw,
    "visualise": visualise,
    "Model": kw.KripkeModel,
    "cells": kw.KripkeModel.from_partitions,
    "game": kw.QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=2, rng=1),
    "m": kw.KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w"], ["v"]]}, {"p": ["w"], "q": ["v"]}, designated=["w"]
    ),
}

READ = {
    'm.holds("Ka p")': "False",
    'm.holds("C_a,b p")': "False",
    'm.holds("p => p | q")': "True",
    'm.holds("[p!]q")': "False",
    'm.holds("$K_b p$")': "True",
    "kw.visualise is visualise": "True",
    'm.holds("Knows_a p")': "False",
    'm.holds("a knows p")': "False",
    'm.holds("[K_a p]q")': "True",
    'game.ask("wolf(Bo)")': "<GameAnswer: wolf_Bo: in 6 of 12 worlds>",
    'game.ask("evil(Bo)")': "<GameAnswer: wolf_Bo: in 6 of 12 worlds>",
    'game.ask("Not(evil(2))")': "<GameAnswer: ¬wolf_Bo: in 6 of 12 worlds>",
}
"""What students write that is read, and its value."""

REFUSED = {
    'Model(["w", "v"], {"a": ["w", "v"]}, {})': "must consist of pairs of worlds, got 'w'",
    'cells(["w"], {"a": [["w"]]}, {"w": ["p"]})': "such as {'p': ['w']}",
    'cells(["w"], {"a": [["w"]]}, {"p": "w"})': "must be a collection, such as ['w']; got 'w'",
    'cells(["w", "v"], {"a": ["w", "v"]}, {})': "one class of all is [['w', 'v']]",
    'cells(["w", "v"], {"a": [("w", "v"), ("v", "w")]}, {})': "pairs of worlds go to the plain",
    'cells([["w"]], {"a": [["w"]]}, {})': "name worlds by",
    'cells(["w"], {"a": [["w"]]})': "missing a required argument: 'valuation'",
    'run("prove", "Kap -> p")': "K_a p",
    'm.holds("E_ab p")': "did you mean {a,b}?",
    'm.holds("[p]K_b p")': "write [!p] to announce it",
    'kw.K("a", "p") and kw.K("b", "p")': "combine formulas with & | ^ ~ >>",
    'm.holds(kw.K("a", "p") == kw.K("b", "p"))': "f.iff(g)",
    'kw.C("a", "b", "p")': "C(group, formula",
    'm.holds("p", world="v")': "at=",
    'm.update("p")': "announce a formula with announce",
    'm.update(kw.private("p", "b"))': "did you mean private(agents, formula)?",
    'm.update(kw.ActionModel({"e": "p"}, {"a": [("e", "e")]}))': "others=[…] for all who have none",
    'visualise.save("x.png", m)': "not KripkeModel",
    "m.show()": "write model.draw()",
    'Model.from_observations(["w"], {"a": {"w": 1}}, {"p": ["w"]})': "lambda world: …",
    'kw.History(m).announce("p")': "write history.then(",
    'kw.ActionModel({"e": {"p": True}}, {})': "or Event(pre, {atom: formula})",
    'kw.QuantumWerewolf("Ann")': "players='Ann' is not a list of names",
    'Model(["w"], partitions={"a": [["w"]]}, valuation={})': "write KripkeModel.from_partitions(",
    'Model(["w"], {}, {}, frame="S5")': ".closed()",
    "m.is_s5()": 'write model.frame_class("a")',
    'm.announce("p", to="a")': 'kw.private("a", "p")',
    'kw.private("a", "p").update(m)': "write model.update(action)",
    'kw.derivation("K_a p -> p", "T")': "logic=…",
    'kw.derivation("K_a p -> p", logic="T").check()': "write kw.proofs.check(proof)",
    'visualise.draw(kw.derivation("K_a p -> p", logic="T"))': "proof.to_latex()",
    'game.view("Ann")': 'write game.handout("Ann")',
    "game.legal_moves()": "write game.waiting_for",
    "game.end_night()": "write game.end_phase()",
    'game.vision("Ann", "Bo", "wolf")': "result=…",
    'game.ask("who is the wolf?").value': "write answer.probability",
    'run("countermodel", "K_a p -> p")': "did you mean prove",
    'run("muddy", "4")': "puzzle muddy-children -n 4 --muddy 2",
    'kw.K("a", m)': "expected a formula, its text, or True/False; got <KripkeModel: ",
    'run("ask", "K_1 muddy_1", "muddy-children")': 'write ask muddy-children "K_1 muddy_1"',
    'run("list")': "did you mean 'puzzle'?",
    'run("play", "--players", "five")': "such as --players Ann Bo Cy Di",
    'Model(["w"], ["a", "b"], {})': "must be a mapping, such as {'a': …}",
    'cells(["w"], {"a": [["w"]]}, ["p"])': "must be a mapping, such as {'p': [worlds]}",
    'cells(["w", "v"], {"a": [["w", "v"]]}, {"p": {"w": True, "v": False}})': "such as ['w']; got {",
    'm.add_world("u")': "models do not change",
    "m.to_json()": "write model.save(path)",
    'visualise.save("muddy-children", "x.png")': "cannot draw 'muddy-children': expected a model",
    'kw.puzzles.puzzle("muddy")': "did you mean 'muddy-children'?",
}
"""What students write, and the words of the message that show what to write instead."""


def outcome(code: str) -> str:
    """Return the message of the error, or the value if there is none."""
    try:
        value = eval(code, dict(NAMES))
    except Exception as error:
        return str(error)
    return repr(value)


def test_what_students_write_is_read() -> None:
    assert {code: outcome(code) for code in READ} == READ


def test_the_fix_is_obvious() -> None:
    unclear = {code: outcome(code) for code, fix in REFUSED.items() if fix not in outcome(code)}
    assert not unclear


DATA = Path(__file__).parent / "data" / "mistakes.jsonl"
UNSEEN = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of the documentation that the mistakes are about."""
    found = tmp_path_factory.mktemp("files")
    coin = kw.KripkeModel.from_partitions(
        ["heads", "tails"],
        {"a": [["heads"], ["tails"]], "b": [["heads", "tails"]]},
        {"h": ["heads"]},
        "heads",
    )
    coin.save(found / "coin.json")
    sees = {"a": [["w1", "w2"]], "b": [["w1"], ["w2"]]}
    two = kw.KripkeModel.from_partitions(["w1", "w2"], sees, {"p": ["w1"], "q": ["w2"]}, "w1")
    two.save(found / "two.json")
    friends = ["Ann", "Bo", "Cy", "Di", "Ed"]
    night = kw.QuantumWerewolf(friends, wolves=2, rules="cisra", rng=2).vision("Ann", "Bo", result="good")
    night = night.vision("Bo", "Di", result="evil")
    day = night.vote_off("Ed", role="villager").attack("Ann", "Cy").attack("Bo", "Ann").attack("Cy", "Di")
    demo = kw.QuantumWerewolf(["Alice", "Bob", "Craig", "David"], wolves=2, rules="straat", rng=1)
    for name, game in {"g": night, "evening": day.attack("Di", "Cy").end_phase(), "demo": demo}.items():
        with kw.LogFile.create(found / f"{name}.jsonl", game):
            pass
    told = kw.replay(found / "evening.jsonl").handout("Bo")
    (found / "bo.json").write_text(told.to_json(), encoding="utf-8")
    cards = ("--players", "Ann,Bo,Cy", "--seed", "4", "--cards", "wolf,wolf,seer,robber,drunk,villager")
    here(("game", "night", "night.json", *cards, "--player", "Bo"), found, "")
    return found


def answered(mistake: dict[str, Any], folder: Path) -> tuple[int, str]:
    """Return the exit code and the message that somebody gets who makes the mistake."""
    text, script = mistake["input"], ""
    args: tuple[str, ...] = ("-c", text)
    if mistake["kind"] == "formula":
        args = ("ask", mistake["of"], text) if mistake["of"] else ("prove", text)
    elif mistake["kind"] == "file":
        call, _, read = text.partition(" < ")
        (folder / mistake["name"]).write_text(mistake["content"], encoding="utf-8")
        args, script = tuple(shlex.split(call)[1:]), mistake["content"] if read else ""
    elif mistake["kind"] == "shell":
        given, _, call = text.rpartition(" | ")
        script = given.removeprefix("printf '").removesuffix("'").replace("\\n", "\n")
        args = tuple(shlex.split(call)[1:])
    return here(args, folder, script)


def here(args: tuple[str, ...], folder: Path, script: str) -> tuple[int, str]:
    """Run the program, or Python code after `-c`, in this process; return its exit code and errors."""
    errors = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()), redirect_stderr(errors):
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["kripke-werewolf", *args])
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(script.encode())))
        patch.setattr(warnings, "showwarning", warnings.showwarning)  # `main` replaces it
        try:
            exec(args[1], {"__name__": "__main__"}) if args[0] == "-c" else main()
        except SystemExit as end:
            return int(end.code or 0), errors.getvalue()
        except Exception:
            traceback.print_exc()
            return 1, errors.getvalue()
    return 0, errors.getvalue()


def test_somebody_who_had_not_seen_the_messages_finds_the_fix(folder: Path) -> None:
    """`fix`: patterns of what the writer looks for in a message; without any, it works as it was meant."""
    unclear = []
    for mistake in UNSEEN:
        code, error = answered(mistake, folder)
        clear = any(re.search(fix, error) for fix in mistake["fix"])
        if not mistake["fix"]:
            clear = code in (0, 1) and "Traceback" not in error
        if not clear:
            unclear.append((mistake["input"], error))
    assert not unclear
