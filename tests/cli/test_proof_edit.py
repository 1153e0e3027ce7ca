"""`proof edit`: the proof desk in a terminal, here with lines from a pipe."""

from pathlib import Path

from click.testing import CliRunner, Result

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.cli.main import cli
from kripke_werewolf.logic.proofs import check, read_proof


def run(*arguments: object, typed: str = "") -> Result:
    return CliRunner().invoke(cli, ["proof", *map(str, arguments)], input=typed)


ASKED = "logic: T\nshow: K_a p ⊢ p\n"


def test_a_proof_in_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "proof.txt"
    path.write_text(ASKED, encoding="utf-8")
    typed = "next\nK_a p   given\nK_a p -> p   K\nnext\nK_a p -> p   T\nundo\nredo\n"
    typed += "rules\np ->\np   MP 2, 1\nquit\n"
    done = run("edit", str(path), typed=typed)
    assert done.exit_code == 0, done
    for words in (
        "K_a p   given", "wrong: it is not an instance of K", "the line is right by T",
        "right\n", "MP: φ -> ψ, φ ⊢ ψ", "ends too early", "K_a p ⊢ p is derived",
    ):  # fmt: skip
        assert words in done.output
    assert check(read_proof(path.read_text(encoding="utf-8"))).right
    assert run("check", str(path)).exit_code == 0


def test_an_unfinished_proof_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "proof.txt"
    path.write_text(ASKED, encoding="utf-8")
    assert run("edit", str(path), typed="K_a p   given\n").exit_code == 1
    assert run("edit", str(path), typed="K_a p -> p   T\np   MP 2, 1\n").exit_code == 0
    path.write_text("logic: T\n", encoding="utf-8")
    assert isinstance(run("edit", str(path)).exception, FormatError)


def test_a_goal_that_is_not_valid_is_said_before_one_begins(tmp_path: Path) -> None:
    path = tmp_path / "proof.txt"
    for calculus in ("", "calculus: natural\n"):
        path.write_text(f"{calculus}logic: T\nshow: K_a p -> K_a K_a p\n", encoding="utf-8")
        shown = run("edit", str(path)).output
        assert "not valid in T: counter-model with 3 worlds, the fewest possible" in shown
    path.write_text(ASKED, encoding="utf-8")
    assert "valid" not in run("edit", str(path)).output


def test_check_and_hint_know_the_goal(tmp_path: Path) -> None:
    file = tmp_path / "goal.txt"
    for lines, hinted in [("", 0), ("1. q -> q   Taut\n", 0), ("1. p   given\n2. K_a p | p   PL 1\n", 1)]:
        file.write_text(f"logic: K\nshow: p ⊢ K_a p | p\n{lines}", encoding="utf-8")
        done = run("check", file)
        assert (done.exit_code, done.output.startswith("right")) == (1 - hinted, bool(hinted)), done.output
        assert run("hint", file).exit_code == hinted
        assert run("expand", file).exit_code == 1 - hinted
