"""Items for others: the data card, the table, and the files for programs that are not installed here."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from kripke_werewolf.research.forge import family_named, forged
from kripke_werewolf.research.forge.judged import card_of
from tests.cases import each

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def items():
    family = family_named("gossip")
    return list(forged(family, family.knobs(pairs=True, orders=(1, 2)), items=12, seed=4))


def share(items, out):
    path = out.with_suffix(".jsonl")
    path.write_text("".join(f"{item.to_json()}\n" for item in items), encoding="utf-8")
    run = [sys.executable, "-m", "kripke_werewolf", "forge", "share", str(path), "-o", str(out)]
    subprocess.run(run, check=True)


def test_the_card_has_the_shares_and_the_hash_but_not_the_seed(items):
    text = card_of(items).to_markdown()
    assert "items: 12, of which 12 in pairs and 0 in quadruples" in text
    lines = "".join(f"{item.to_json()}\n" for item in items)
    assert hashlib.sha256(lines.encode()).hexdigest() in text
    assert "seed" not in text.casefold()


def test_the_command_writes_a_card(items, tmp_path):
    card = tmp_path / "card.md"
    share(items, card)
    assert card.read_text(encoding="utf-8").strip() == card_of(items).to_markdown().strip()


@each(sorted((ROOT / "examples" / "forge").glob("*.py")))
def test_examples_are_python(path):
    compile(path.read_text(encoding="utf-8"), str(path), "exec")
