"""What it costs to import the package, and that its names are there."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import kripke_werewolf as kw
from kripke_werewolf.base.places import PLACES
from tests.running import run_python

HEAVY = ("matplotlib", "networkx", "oxidd", "click", "visualise")


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = f"import sys, kripke_werewolf; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert run_python(code).strip() == "[]"


def test_names_loaded_later_are_those_of_their_package() -> None:
    for module, names in kw._LATER.items():
        home = import_module(f"kripke_werewolf.{module}")
        assert set(names) <= set(getattr(home, "__all__", dir(home)))
        assert all(getattr(kw, name) is getattr(home, name) for name in names)
        assert set(names) <= {*dir(kw), *kw._INNER.split()}


def test_a_short_address_is_the_package_itself() -> None:
    """Handed-out notebooks, graders' settings and programs name packages without their rooms."""
    code = f"""if True:
        import sys
        from importlib import import_module
        for name, place in {PLACES!r}.items():
            module, whole = import_module("kripke_werewolf." + name), "kripke_werewolf." + place
            print(module is sys.modules[whole], module.__spec__.name == whole)
    """
    assert {*run_python(code).splitlines()} == {"True True"}
    for name, place in PLACES.items():
        assert getattr(kw, name) is import_module(f"kripke_werewolf.{place}")
    assert import_module("kripke_werewolf.exercises.notebooks") is import_module(
        "kripke_werewolf.teach.exercises.notebooks"
    )
    with pytest.raises(ModuleNotFoundError, match=r"kripke_werewolf\.puzzles\.hats"):
        import_module("kripke_werewolf.puzzles.hats")


def test_modules_and_errors_under_short_addresses_are_explained() -> None:
    code = """if True:
        import inspect, pydoc, sys
        import kripke_werewolf as kw
        print(kw.games.avalon.__name__, "class KripkeError" in inspect.getsource(kw.KripkeError))
        print(pydoc.locate("kripke_werewolf.puzzles.muddy_children") is kw.muddy_children)
        for module in (kw.proofs.proof, kw.puzzles):
            try:
                module()
            except kw.CallError as error:
                print(str(error).rpartition(": ")[2])
        for name in [name for name in sys.modules if name.startswith("kripke_werewolf")]:
            del sys.modules[name]
        import kripke_werewolf.puzzles
        print(sum(type(finder).__name__ == "_Addresses" for finder in sys.meta_path))
    """
    avalon, located, part, package, finders = run_python(code).splitlines()
    assert (avalon, located, finders) == ("kripke_werewolf.games.avalon True", "True", "1")
    assert part.startswith("write kw.")
    assert ".logic" not in part
    assert package.startswith("write kw.puzzles.puzzle(")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        kw.nothing  # noqa: B018
    assert not hasattr(kw, "nothing")


def test_packages_need_no_import_of_their_own() -> None:
    code = "import kripke_werewolf as kw; print(kw.puzzles.puzzle('cheryl').name, kw.planning.__name__)"
    assert run_python(code).split() == ["cheryl", "kripke_werewolf.research.planning"]
    assert {"puzzles", "stories", "exercises"} <= set(dir(kw))


def test_a_star_imports_all_names() -> None:
    """Whether or not something has loaded them already."""
    code = "from kripke_werewolf import *; print(KripkeModel.__name__, valid('p'), puzzles.__name__)"
    assert run_python(code).split() == ["KripkeModel", "False", "kripke_werewolf.logic.puzzles"]


def test_run_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kripke_werewolf", "--version"], capture_output=True, text=True, check=True
    )
    assert kw.__version__ in done.stdout


def test_the_door_shows_what_a_stranger_needs(tmp_path: Path) -> None:
    shown = [name for name in dir(kw) if not name.startswith("_")]
    assert len(shown) <= 120
    assert {"draw", "save", "load", "prove", "plan", "muddy_children", "Avalon"} <= set(shown)
    model = kw.muddy_children(2).model
    kw.save(model, tmp_path / "m.json")
    kw.draw(model, tmp_path / "m.svg")
    assert kw.load(tmp_path / "m.json") == kw.load(tmp_path / "m.svg") == model
    with pytest.raises(kw.FormatError, match=r"'g.jsonl' is the log of a game: read it with kw\.replay"):
        kw.load("g.jsonl")
    assert str(kw.prove("K_a p -> p").conclusion) == "K_a p -> p"
    with pytest.raises(kw.FormulaError, match="not valid in K: counter-model with 1 world"):
        kw.prove("K_a p -> p", logic="K")
    assert kw.plan(model, {"say": "muddy_1"}, "K_1 muddy_1").plan == ("say",)
