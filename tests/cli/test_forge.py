"""`kripke-werewolf forge`: items as lines of JSON, the same with the same seed."""

from pathlib import Path

import pytest

from kripke_werewolf.base.errors import FormatError, KripkeError
from kripke_werewolf.research.forge import StoryItem, read_items
from tests.cases import cases
from tests.running import invoke


def test_items_are_printed_or_written(tmp_path: Path) -> None:
    arguments = ["forge", "rooms", "--items", "4", "--pairs", "--order", "2", "--seed", "3"]
    printed = invoke(*arguments)
    items = [StoryItem.from_json(line) for line in printed.stdout.splitlines()]
    assert [item.order for item in items] == [2, 2, 2, 2]
    file = tmp_path / "items.jsonl"
    assert invoke(*arguments, "-o", str(file)).exit_code == 0
    assert list(read_items(file)) == items
    assert file.read_text(encoding="utf-8") == printed.stdout


def test_knobs_of_the_family() -> None:
    asked = invoke(
        "forge", "rooms", "--items", "3", "--agents", "5", "--set", "places=3", "--set", "open=yes"
    )
    items = [StoryItem.from_json(line) for line in asked.stdout.splitlines()]
    assert [len(item.choices) for item in items] == [3] * 3
    assert "places: open" in items[0].scene
    assert "makes the same items again" in asked.stderr


@cases(
    (["--set", "rom=3"], "unknown setting 'rom'"),
    (["--order", "9"], "orders=(9,) is not possible (allowed: 1 to 6)"),
    (["--set", "places=90"], "allowed: 2 to 8"),
    (["--workers", "0"], "workers=0"),
)
def test_wrong_knobs(arguments: list[str], message: str) -> None:
    asked = invoke("forge", "rooms", *arguments)
    assert isinstance(asked.exception, KripkeError)
    assert message in str(asked.exception)
    assert asked.stdout == ""


def test_wrong_files_name_the_line(tmp_path: Path) -> None:
    good = invoke("forge", "rooms", "--items", "1", "--seed", "1").stdout
    for bad, message in (
        ("[]", "line 2: expected an item"),
        ('{"id": "1"}', "line 2: an item lacks"),
        (good.replace('"order"', '"ordre"').strip(), "line 2: an item has no 'ordre'"),
        ("{", "line 2, column 2: expecting property name"),
    ):
        (tmp_path / "bad.jsonl").write_text(f"{good}{bad}\n", encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            list(read_items(tmp_path / "bad.jsonl"))
