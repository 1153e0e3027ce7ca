"""Unknown names and wrong calls of all public classes and packages are answered with what was meant."""

import pickle
import random
import re
import shlex
import traceback
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from inspect import getattr_static, getsourcefile, isfunction, signature
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import kripke_werewolf as kw
import visualise
from kripke_werewolf.base.errors import CallError, IllegalMove, UnknownWorldError
from kripke_werewolf.base.usage import advised_calls, explained, meant_names, same_words
from kripke_werewolf.cli.main import cli
from kripke_werewolf.research.stories.story import story
from tests.cases import cases

MODEL = kw.KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, designated="w")
GAME = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rng=1)
PACKAGES = [
    "deciding",
    "exercises",
    "games",
    "models",
    "planning",
    "proofs",
    "puzzles",
    "semantics",
    "stories",
]
VALUES = [MODEL, GAME, kw.History(MODEL), GAME.table(), GAME.handout("Ann")]


def public(value: object) -> list[str]:
    return [name for name in dir(value) if not name.startswith("_")]


def misspelt(name: str, chosen: random.Random) -> str:
    """Return a name with two neighbouring letters exchanged, or one left out or doubled."""
    place = chosen.randrange(1, len(name) - 1)
    middle = chosen.choice(
        [name[place + 1] + name[place], name[place + 1], name[place] * 2 + name[place + 1]]
    )
    return name[:place] + middle + name[place + 2 :]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("seed", range(3))
def test_misspelt_attributes_are_answered_with_the_name(value: object, seed: int) -> None:
    chosen, known, found, tried = random.Random(seed), public(value), 0, 0
    for name in known:
        wrong = misspelt(name, chosen) if len(name) > 4 else name
        if wrong in known:
            continue
        with pytest.raises(AttributeError) as error:
            getattr(value, wrong)
        found += f".{name}" in str(error.value)
        tried += 1
    assert found >= 0.9 * tried


@pytest.mark.parametrize("package", PACKAGES)
def test_misspelt_names_of_packages_are_answered(package: str) -> None:
    module = import_module(f"kripke_werewolf.{package}")
    chosen, found, tried = random.Random(package), 0, 0
    for name in module.__all__:
        wrong = misspelt(name, chosen)
        if len(name) > 4 and not hasattr(module, wrong):
            with pytest.raises(AttributeError) as error:
                getattr(module, wrong)
            found += f"kw.{package}.{name}" in str(error.value)
            tried += 1
    assert found >= 0.75 * tried


def test_every_word_of_the_table_leads_to_a_name_of_its_group() -> None:
    for first, *others in same_words():
        for word in others:
            assert meant_names(word, [first, "zzz"]) == [first]
        assert meant_names(first.upper(), [first, "zzz"]) == [first]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_calls_with_unknown_keywords_or_too_much_say_how_they_are_made(value: object) -> None:
    for name in public(type(value)):
        method = getattr(type(value), name)
        if not isfunction(method) or not hasattr(method, "explains"):
            continue
        kinds = [p.kind.name for p in signature(method).parameters.values()]
        if "VAR_KEYWORD" not in kinds:
            with pytest.raises(CallError, match=rf"\.{name}\(.*unexpected keyword argument 'colour'"):
                getattr(value, name)(colour=1)
        if "VAR_POSITIONAL" not in kinds:
            with pytest.raises(CallError, match=rf"\.{name}\(.*too many positional"):
                getattr(value, name)(*[1] * (len(kinds) + 1))


@cases(
    (lambda: kw.KripkeModel(["w"]), "KripkeModel(worlds, relations, valuation"),
    (lambda: kw.KripkeModel.from_partitions(["w"], partitons={}), "did you mean classes=?"),
    (lambda: kw.QuantumWerewolf(["Ann", "Bo", "Cy"], random_state=1), "did you mean rng=?"),
    (lambda: MODEL.announce(), "model.announce(formula): missing"),
    (lambda: kw.ActionModel(*(["t"], {}, {"t": "p"}, "t")), "name=…): too many positional arguments"),
)
def test_the_call_that_was_meant(call: Callable[[], object], words: str) -> None:
    with pytest.raises(CallError) as error:
        call()
    assert words in str(error.value)


def test_names_of_numpy_are_refused_like_others() -> None:
    with pytest.raises(UnknownWorldError, match=r"unknown world .*\(known: u, v\)"):
        kw.KripkeModel.from_partitions(["u", "v"], {"a": np.array([[1, 1], [1, 1]])}, {"p": ["u"]})


@cases(("K_b", "kw.K"), ("C_ab", "kw.C"), ("everybody_knows", 'model.holds("E p") or kw.parse("E_{a,b} p")'))
def test_an_operator_that_is_asked_for_as_a_name(name: str, call: str) -> None:
    with pytest.raises(AttributeError, match=rf"write {re.escape(call)}$"):
        getattr(kw, name)


def test_what_stands_elsewhere_is_named_with_its_place() -> None:
    """A method that is asked of the library, a function asked of a value, a class of a package."""
    missing = []
    for kind in (kw.KripkeModel, kw.QuantumWerewolf):
        for name in public(kind):
            if isfunction(getattr_static(kind, name)) and not hasattr(kw, name):
                with pytest.raises(AttributeError) as error:
                    getattr(kw, name)
                missing += [] if f".{name}(" in str(error.value) else [(name, str(error.value))]
    assert [name for name, _ in missing] == ["table"]  # it has advice of its own
    for value, name in ((MODEL, "to_smcdel"), (MODEL, "prove"), (GAME, "valid"), (GAME, "countermodel")):
        with pytest.raises(AttributeError, match=rf"write kw\.{name}\("):
            getattr(value, name)
    for name in kw.planning.__all__:
        if name[0].isupper() and not hasattr(kw, name):
            with pytest.raises(AttributeError, match=rf"write .*kw\.planning\.{name}\b"):
                getattr(kw, name)


TASK = kw.planning.Task(MODEL, {"say p": "p"}, "K_a p", name="tell")


@cases(
    (kw, "load_epddl", "kw.planning.epddl.load_task(*paths)"),
    (kw.planning, "load_epddl", "kw.planning.epddl.load_task(*paths)"),
    (kw, "languages", "kw.wording.LANGUAGES"),
    (kw, "radical_upgrade", "model.upgrade(formula)"),
    (kw, "check_proof", "kw.proofs.check(proof)"),
    (kw, "avalon_solve", "kw.avalon.solve(match)"),
    (TASK, "solve", "kw.planning.find_plan(task)"),
    (MODEL, "solve", "kw.plan(model, actions, formula)"),
    (MODEL, "count", 'len(model.where("p"))'),
)
def test_a_name_is_put_together_from_those_of_packages_and_methods(
    owner: object, name: str, call: str
) -> None:
    """What is written stands where the message says, in a fresh process too."""
    with pytest.raises(AttributeError) as error:
        getattr(owner, name)
    assert call in re.split(r": write | or ", str(error.value))


@pytest.mark.parametrize("seed", range(3))
def test_packages_before_or_after_a_name_are_found(seed: int) -> None:
    """As in `proofs_check` and `check_proofs`, for any function of a package that the library lacks."""
    chosen = random.Random(seed)
    for package in PACKAGES:
        module = import_module(f"kripke_werewolf.{package}")
        own = [
            n for n in module.__all__ if isfunction(getattr(module, n)) and n not in package and "_" not in n
        ]
        for name in own:
            asked = "_".join(chosen.sample([package, name], 2))
            if not hasattr(kw, name):
                with pytest.raises(AttributeError, match=rf"kw\.{package}\.{name}\("):
                    getattr(kw, asked)


@cases("tv", "Tv", "qz")
def test_two_letters_are_like_nothing(name: str) -> None:
    with pytest.raises(AttributeError, match=f"'{name}'; it has "):
        getattr(kw, name)


@cases("BeliefModel", "PlausibilityModel", "EpistemicFrame", "Policies", "Taks")
def test_a_class_is_not_taken_for_a_function(name: str) -> None:
    with pytest.raises(AttributeError) as error:
        getattr(kw, name)
    assert all(one.rpartition(".")[2][0].isupper() for one in re.findall(r"kw\.[\w.]+", str(error.value)))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_like_nothing_is_answered_with_all_there_is(seed: int) -> None:
    chosen = random.Random(seed)
    for value in (kw, *VALUES):
        for _ in range(20):
            name = "".join(chosen.choices("bcdfghjklmnpqrstvwxz", k=8))
            with pytest.raises(AttributeError) as error:
                getattr(value, name)
            named = str(error.value).partition(f"'{name}'; it has ")[2].split(", ")
            assert {*named} == {public for public in dir(value) if public[0] != "_"}
    for name in ("batch", "distinguish", "lexicographic"):
        with pytest.raises(AttributeError, match=f"'{name}'; it has agents, announce, "):
            getattr(MODEL, name)


def test_methods_are_shown_without_the_value_that_has_them() -> None:
    assert "write game.ask(formula)" in str(kw.base.usage.UnknownAttributeError(GAME, "knows"))
    with pytest.raises(CallError, match=r"^game\.knowledge\(reading=…"):
        GAME.knowledge("Ann")


def failing(model: kw.KripkeModel, *, path: str = "") -> None:
    raise TypeError("inside")


def test_errors_of_the_program_itself_stay_as_they_are() -> None:
    with pytest.raises(TypeError, match=r"^inside$") as error:
        explained(failing)(MODEL)
    assert type(error.value) is TypeError


def test_tracebacks_and_inspect_show_the_function_that_was_called() -> None:
    assert getsourcefile(kw.valid) == getsourcefile(kw.deciding.decision)
    with pytest.raises(kw.FormulaSyntaxError) as error:
        kw.valid("K_a (")
    frames = traceback.extract_tb(error.tb)
    assert "usage.py" not in [Path(frame.filename).name for frame in frames]
    assert (frames[1].name, frames[1].line) == ("valid", "def valid(")


def test_what_works_is_unchanged() -> None:
    assert pickle.loads(pickle.dumps(kw.valid)) is kw.valid
    assert pickle.loads(pickle.dumps(GAME)) == GAME
    assert kw.KripkeModel.holds.__name__ == "holds"
    assert not hasattr(MODEL, "colour")
    with pytest.raises(AttributeError) as error:
        _ = MODEL.colour  # type: ignore[attr-defined]
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


COMMANDS = "kripke_werewolf.cli"
NIGHT = GAME.vision("Ann", "Bo", result="wolf")
PROOF = kw.derivation("K_a p -> p", logic="T")
EXERCISE = kw.exercises.new_exercise("truth-set", rng=1)
SAMPLES: dict[str, object] = {
    "kripke_werewolf": kw,
    "visualise": visualise,
    "KripkeModel": MODEL,
    "ActionModel": kw.private("a", "p"),
    "Event": kw.Event("p"),
    "History": kw.History(MODEL),
    "Puzzle": kw.puzzles.muddy_children(3),
    "SymbolicStructure": kw.puzzles.muddy_children(3).structure,
    "Decision": kw.decide_validity("p -> q", "K"),
    "Exercise": EXERCISE,
    "Result": EXERCISE.check("w1"),
    "Sheet": kw.exercises.Sheet("Week 1", (kw.exercises.Task("truth-set"),), seed=7),
    "Task": kw.exercises.Task("truth-set"),
    "Happened": kw.puzzles.muddy_children(3).events[0],
    "Asked": kw.puzzles.muddy_children(3).moments[-1],
    "Scenario": kw.puzzles.muddy_children(3).start,
    "Formula": kw.K("a", "p"),
    "Step": next(iter(kw.puzzles.muddy_children(3).history())),
    "Told": NIGHT.handout("Bo"),
    "Story": story("agents: a\natoms: p\nannounce: p\n"),
    "Scene": MODEL.draw(),
    "Film": kw.History(MODEL).draw(),
    "Explanation": MODEL.explain("K_a p", "w"),
    "Proof": PROOF,
    "NaturalProof": kw.proofs.read_natural("| p   assume\np -> p   ->I 1-1", logic="K"),
    "Tableau": kw.proofs.tableau("p -> p"),
    "Logic": kw.Logic("T"),
    "QuantumWerewolf": NIGHT,
    "LogFile": kw.LogFile,
    "Answer": NIGHT.ask("wolf_Bo"),
    "Table": GAME.table(),
}


def test_every_command_that_is_advised_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # the tests of the explorer export a whole page
    monkeypatch.setattr("kripke_werewolf.teach.explorer.page.pyodide.bundle", lambda *_, **__: {})
    GAME.save("LOG")
    MODEL.save("model.json")
    for call in [call for kinds, _, calls in advised_calls() if COMMANDS in kinds for call in calls]:
        done = CliRunner().invoke(cli, shlex.split(call.replace("FILE", "model.json")), standalone_mode=False)
        assert done.exception is None or isinstance(done.exception, SystemExit), call
        assert done.output


@pytest.mark.parametrize(
    "kind", sorted({kind for kinds, _, _ in advised_calls() for kind in kinds} - {COMMANDS})
)
def test_every_call_that_is_advised_works(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    GAME.save("game.log")
    MODEL.save("model.json")
    known = {name: getattr(kw, name) for name in ("KripkeModel", "ActionModel", "LogFile")} | {"Path": Path}
    if find_spec("pandas") is not None:
        known["pandas"] = import_module("pandas")
    known |= {"kw": kw, "visualise": visualise, "graph": MODEL.to_networkx(), "game": GAME}
    known |= {"model": MODEL, "proof": PROOF, "it": SAMPLES[kind]}
    known |= {name.casefold(): SAMPLES[name] for name in ("Explanation", "Puzzle", "Step", "Formula")}
    for kinds, _, calls in advised_calls():
        if kind in kinds:
            for call in calls:
                if "pandas" in call and "pandas" not in known:
                    continue
                for made in tmp_path.glob("new.*"):
                    made.unlink()
                try:
                    eval(call.replace("$", "it"), known)
                except IllegalMove:
                    assert "vote" in call


def test_an_answer_is_true_for_yes_false_for_no_and_else_an_error() -> None:
    for seed in range(5):
        game = kw.QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rng=seed).vision("Ann", "Bo")
        for question in ("K_Ann wolf_Bo", "wolf_Bo", "wolf_Ann & wolf_Bo", "wolf_Cy -> wolf_Cy"):
            answer = game.ask(question)
            if answer.verdict == "mixed":
                assert (answer == True, answer == False) == (False, False)  # noqa: E712
                for wrong in (answer, answer.verdict):
                    with pytest.raises(CallError, match="neither yes nor no"):
                        bool(wrong)
            else:
                assert bool(answer) == bool(answer.verdict) == answer.holds
                assert (answer == True, answer == False) == (answer.holds, not answer.holds)  # noqa: E712
            assert answer == game.ask(question)
    with pytest.raises(CallError, match="neither yes nor no, but"):
        bool(game.ask("who is the wolf?"))
    likely = game.ask("how likely does Ann think it is that Di is a wolf?")
    assert float(likely) == float(next(iter(game.probabilities("Ann", "wolf_Di"))))


def test_a_saved_game_is_replayed(tmp_path: Path) -> None:
    GAME.save(tmp_path / "game.log")
    assert kw.replay(tmp_path / "game.log") == GAME


@pytest.mark.parametrize("text", ["K_a p", "~K_a (p & K_a p)", "C_a p", "M_a ~p -> p"])
def test_an_explanation_is_drawn_on_its_model(text: str) -> None:
    why = MODEL.explain(text, "w")
    assert visualise.tikz(why) == visualise.tikz(MODEL, explain=why)


def test_a_vote_that_a_move_skips_is_mentioned() -> None:
    day = GAME.end_phase()
    with pytest.warns(UserWarning, match="nobody is voted off in day 1"):
        moved = day.vision("Ann", "Bo")
    assert moved.phase == day.end_phase().vision("Ann", "Bo").phase
