"""Tables in every format, and what changed between two of them."""

import csv
import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import GameError, QuantumWerewolf, preset
from kripke_werewolf.base.reports.tables import Tabular, markdown_text, shown
from kripke_werewolf.games.werewolf.table import Table, TableChange
from tests.cases import cases

HOSTILE = ("An\"n, 'x'", "<script>alert(1)</script>", "Ζoë 🐺 | *b*", "[red]d\\e[/red]", "=1+1")
NUMBERS = ("decimal", "percent", "fractions", "counts")
WRITERS = Tabular.to_text, Tabular.to_markdown, Tabular.to_csv, Tabular.to_html


@pytest.fixture
def game():
    game = QuantumWerewolf(HOSTILE, rules="straat", rng=3)
    return game.vision(1, 2, result="wolf").attack(1, 3).vision(2, 3, result="villager")


def expected(table, numbers):
    rows = [[shown(v, numbers, worlds=table.worlds) for v in row] for row in table.rows]
    return [["player", *table.columns], *([name, *row] for name, row in zip(table.labels, rows, strict=True))]


@pytest.mark.parametrize("numbers", NUMBERS)
def test_csv_and_html_hold_every_cell(game, numbers):
    table = game.table()
    cells = [
        [cell.removeprefix("'") for cell in row] for row in csv.reader(io.StringIO(table.to_csv(numbers)))
    ]
    assert cells == expected(table, numbers)
    html = ElementTree.fromstring(table.to_html(numbers))
    assert [[cell.text for cell in row] for row in html.iter("tr")] == expected(table, numbers)
    assert {part.tag for part in html.iter()} == {"table", "thead", "tbody", "tr", "th", "td"}
    assert table._repr_mimebundle_()["text/html"] == table.to_html("percent")


@pytest.mark.parametrize("numbers", NUMBERS)
def test_text_and_markdown_hold_every_cell(game, numbers):
    table = game.table()
    for row, line in zip(expected(table, numbers), table.to_text(numbers).splitlines(), strict=True):
        assert line.startswith(row[0])
        assert line[len(row[0]) :].split() == row[1:]
    lines = table.to_markdown(numbers).splitlines()
    assert set(lines.pop(1)) <= set("|:- ")
    for row, line in zip(expected(table, numbers), lines, strict=True):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        assert cells == [markdown_text(cell) for cell in row]
        assert "<" not in line


def test_columns_line_up_with_wide_characters():
    table = Table(("🐺🐺", "Ann"), ("seer",), ((Fraction(1),), (Fraction(0),)), 1)
    assert table.to_text() == "player  seer\n🐺🐺       1\nAnn        0"


def test_json(game):
    table = game.table()
    data = json.loads(table.to_json())
    assert data["worlds"] == game.size
    for row in data["rows"]:
        assert {c: Fraction(row[c]) for c in table.columns} == table[row["player"]]
    counts = json.loads(table.to_json("counts"))["rows"][0]
    assert counts["seer"] == table[HOSTILE[0], "seer"] * game.size
    assert json.loads(table.to_json("decimal"))["rows"][0]["seer"] == float(table[HOSTILE[0], "seer"])
    assert json.loads(table.to_json("percent"))["rows"][0]["seer"] == pytest.approx(
        100 * float(table[HOSTILE[0], "seer"])
    )


@given(value=st.fractions(0, 1), worlds=st.integers(1, 10**6))
def test_a_number_looks_certain_only_if_it_is(value, worlds):
    assert (shown(value, "percent") == "100%") == (shown(value, "decimal") == "1") == (value == 1)
    assert (shown(value, "percent") == "0%") == (shown(value, "decimal") == "0") == (value == 0)
    assert Fraction(shown(value, "fractions")) == value
    assert Fraction(shown(value, "counts", worlds=worlds)) == value * worlds
    number = float(shown(value, "percent").strip("<>%"))
    assert abs(number - 100 * value) <= 0.1


@cases(
    (Fraction(2, 11), ("0.181818", "18.2%", "2/11", "2")),
    (Fraction(1, 10**7), ("<0.000001", "<0.1%", "1/10000000", "11/10000000")),
    (1 - Fraction(1, 10**9), (">0.999999", ">99.9%", "999999999/1000000000", "10999999989/1000000000")),
    (Fraction(95, 10000), ("0.0095", "1%", "19/2000", "209/2000")),
    (Fraction(951, 100000), ("0.00951", "1%", "951/100000", "10461/100000")),
    (Fraction(3, 2), ("1.5", "150%", "3/2", "33/2")),
    (Fraction(1, 16), ("0.0625", "6.3%", "1/16", "11/16")),
    (Fraction(5, 10**5), ("0.00005", "<0.1%", "1/20000", "11/20000")),
    (None, ("?", "?", "?", "?")),
)
def test_numbers(value, texts):
    assert tuple(shown(value, numbers, worlds=11) for numbers in NUMBERS) == texts


def test_numbers_that_cannot_be_shown():
    with pytest.raises(GameError, match="numbers='roman' is not possible"):
        shown(Fraction(1), "roman")
    with pytest.raises(GameError, match="the number of worlds is not announced"):
        shown(Fraction(1), "counts")


@cases(
    (preset("cisra"), ("good", "evil", "dead"), "number"),
    (preset("gekka"), ("human", "wolf", "dead"), "player"),
    (preset("gekka", split_seer=True), ("villager", "seer", "wolf", "dead"), "player"),
    (preset("gekka", table="anonymous"), ("human", "wolf", "dead"), "number"),
    (preset("straat"), ("villager", "seer", "werewolf", "dead"), "number"),
)
def test_columns_and_anonymity_of_the_rules(rules, columns, heading):
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules=rules, numbers=[3, 1, 2])
    public, master = game.table(public=True), game.table()
    assert public.columns == master.columns == columns
    assert public.heading == public.grid().header[0] == heading
    assert public.labels == (("1", "2", "3") if heading == "number" else ("Ann", "Bo", "Cy"))
    assert master.labels == ("Ann", "Bo", "Cy")
    if heading == "number":
        for write in WRITERS:
            assert not re.search("Ann|Bo|Cy", write(public, "fractions"))


# differences


def test_what_a_vision_changed(game):
    before = QuantumWerewolf(HOSTILE, rules="straat", rng=3)
    after = before.vision(1, 2, result="wolf")
    change = TableChange(before.table(), after.table())
    assert set(change.changed) == {
        (name, column)
        for name in HOSTILE
        for column in before.table().columns
        if before.table()[name, column] != after.table()[name, column]
    }
    seer = [row[2] for row in change.grid("fractions").rows]
    assert seer[0] == f"1/5 → {after.table()[HOSTILE[0], 'seer']}"
    data = json.loads(change.to_json())
    assert {(c["player"], c["column"]) for c in data["changed"]} == set(change.changed)
    for write in WRITERS:
        assert "→" in write(change, "percent")
    assert "<script>" not in change.to_html()
    assert TableChange(after.table(), after.table()).changed == ()


def test_tables_that_cannot_be_compared(game):
    with pytest.raises(GameError, match="their rows"):
        TableChange(game.table(), game.table(public=True))
    with pytest.raises(GameError, match="their columns"):
        TableChange(game.table(), game.table(columns=["seer"]))


def test_a_table_read_back_hides_what_it_hid(game):
    house = replace(preset("cisra"), show_dead=False)
    hidden = QuantumWerewolf(HOSTILE, rules=house, wolves=1).table(public=True)
    assert any(cell is None for row in hidden.rows for cell in row)
    for table in (hidden, game.table()):
        assert Table.from_dict(json.loads(table.to_json())).rows == table.rows


def test_a_name_is_no_formula_of_a_spreadsheet():
    names = ["=1+1", "+Bo", "-Cy", "@Di", "-5"]
    cells = [row[0] for row in csv.reader(io.StringIO(QuantumWerewolf(names, wolves=1).table().to_csv()))]
    assert cells == ["player", "'=1+1", "'+Bo", "'-Cy", "'@Di", "-5"]
