import csv
import io

import pytest

from kripke_werewolf.games import Records, records
from kripke_werewolf.games.avalon import Avalon, intended, merlin_found

RULES = intended(merlin="naive", assassinate=True, announcements="policy")


@pytest.fixture(scope="module")
def table() -> Records:
    measure = {"found": str(merlin_found()), "3 is evil": "e_3"}
    return records(Avalon(RULES), 60, rng=4, measure=measure, at=["quest 1", "quest 3"])


def test_games_of_avalon_are_rows(table: Records) -> None:
    rows = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert list(rows[0]) == [
        "game", "winner", "quests", "by", "states",
        "found at quest 1", "found at quest 3", "3 is evil at quest 1", "3 is evil at quest 3",
    ]  # fmt: skip
    assert [row["game"] for row in rows] == [str(n) for n in range(1, 61)]
    assert {row["found at quest 1"] for row in rows} == {"False"}
    assert {row["found at quest 3"] for row in rows} <= {"True", "False"}  # all games have three quests
    for row in rows:
        assert row["3 is evil at quest 1"] == row["3 is evil at quest 3"]
        assert (row["winner"], row["by"]) in {
            ("good", "quests"), ("evil", "quests"), ("evil", "assassination")
        }  # fmt: skip
        assert int(row["states"]) >= int(row["quests"]) >= 3
    assert table.about["strategies"]["evil"] == "Evil()"
