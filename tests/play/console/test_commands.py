"""The language of moves, read in all ways a host writes it."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import GameError, KripkeError, QuantumWerewolf, UnknownNameError, replay
from kripke_werewolf.base.wording import LANGUAGES, Sentence
from kripke_werewolf.play.console.commands import (
    USAGE,
    VERBS,
    Command,
    check_people,
    parse_command,
    read_player,
    submitted,
)

NAMES = ("Ann", "Mary Ann", 'An"n x', "Bo'b", "as", "3", "<script>", "Ζoë 🐺", "d\\e", "end")
SETUP = QuantumWerewolf(NAMES, wolves=1, numbers=[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]).setup


def test_lines():
    for line, command in [
        ("vision Ann Mary Ann", Command("vision", ("Ann", "Mary Ann"))),
        ("vision Mary Ann Ann as wolf", Command("vision", ("Mary Ann", "Ann"), "wolf")),
        ("  LOOK  ann   mary ann ", Command("vision", ("Ann", "Mary Ann"))),
        ("vision 'Ann' \"Mary Ann\"", Command("vision", ("Ann", "Mary Ann"))),
        ("seer An\"n x Bo'b as light side", Command("vision", ('An"n x', "Bo'b"), "light side")),
        ('attack "An\\"n x" d\\e', Command("attack", ('An"n x', "d\\e"))),
        ("wolf 10 9", Command("attack", ("Ann", "Mary Ann"))),
        ("wolf 3 4", Command("attack", ("3", "<script>"))),  # a name counts before a number
        ("decline ζoË 🐺", Command("decline", ("Ζoë 🐺",))),
        ("vote Ann", Command("vote", ("Ann",))),
        ("burn Ann as wolf", Command("vote", ("Ann",), "wolf")),
        ("lynch Ann as", Command("vote", ("Ann", "as"))),
        ('vote as "as" as seer', Command("vote", ("as", "as"), "seer")),
        ("execute end Mary Ann", Command("vote", ("end", "Mary Ann"))),
        ("end", Command("end")),
        ("nobody", Command("end")),
        ("end random", Command("end", (), "random")),
        ("undo 3", Command("undo", (), "3")),
        ("undo phase", Command("undo", (), "phase")),
        ("/table master", Command("table", (), "master")),
        ("?", Command("help")),
        ("", None),
        ("   # what a night", None),
    ]:
        assert parse_command(line, SETUP) == command, line


def test_what_is_not_understood():
    for line, reason in [
        ("visoin Ann Bo'b", "unknown command 'visoin'; did you mean 'vision'"),
        ("vision", r"who\? Write: vision PLAYER TARGET"),
        ("vision Ann", r"who\? Write"),
        ("vision Ann Zed", "unknown player 'Zed'"),
        ("vision Ann Bo'c", 'did you mean "Bo\'b"'),
        ("vision Ann Bo'b wolf", "'wolf' is not understood at the end"),
        ("attack Ann Bo'b as wolf", "'as wolf' is not understood"),
        ("decline Ann vision", "not understood"),
        ("vote", r"who\?"),
        ("vote 99", "unknown player '99'"),
        ("vote " + "9" * 5000, "unknown player"),
        ("end now", "'now' is not understood after 'end'"),
        ("undo -1", "'-1' is not understood"),
        ("table public", "not understood"),
        ("quit 1", "not understood"),
    ]:
        with pytest.raises((GameError, UnknownNameError), match=reason):
            parse_command(line, SETUP)


def test_a_name_that_may_be_two():
    setup = QuantumWerewolf(["ann", "ANN", "Bo"], wolves=1).setup
    assert parse_command("vote ANN", setup) == Command("vote", ("ANN",))
    with pytest.raises(GameError, match="'Ann' is ambiguous: ann, ANN"):
        parse_command("vote Ann", setup)


names = st.text(
    st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp")), min_size=1, max_size=8
).filter(lambda name: name == name.strip())


def looks(name):
    return normalize("NFKC", name)


@given(players=st.lists(names, min_size=3, max_size=5, unique_by=looks), data=st.data())
def test_every_name_is_understood_in_quotes_or_by_number(players, data):
    setup = QuantumWerewolf(players, wolves=1).setup
    player = data.draw(st.sampled_from(players))
    escaped = player.replace("\\", "\\\\").replace('"', '\\"')
    try:
        assert read_player(f'"{escaped}"', setup) == (player, "")
    except AssertionError:
        assert any(name.startswith('"') for name in players)  # such a name is read as it stands
    number = str(setup.numbers[players.index(player)])
    assert read_player(number, setup) == (number if number in players else player, "")
    assert read_player(player, setup)[0] == player


@given(st.text(max_size=30))
def test_any_line_is_a_command_or_a_refusal(line):
    try:
        command = parse_command(line, SETUP)
    except KripkeError:
        return
    assert command is None or command.verb in USAGE


def test_every_word_means_a_command():
    assert {name for names in VERBS.values() for name in names} == set(USAGE)


def test_a_word_of_two_commands_is_the_likely_one():
    for likely, verb in [("attack", "attack"), ("vote", "vote"), ("vision", "attack")]:
        assert parse_command("kill Ann Bo", SETUP, likely=[likely]).verb == verb


def test_beginnings_are_enough_where_nothing_else_begins_so():
    for line, likely, expected in [
        ("v A B", ["vision"], Command("vision", ("Ann", "Bo"))),
        ("v B", ["vote"], Command("vote", ("Bo",))),
        ("at an cy", [], Command("attack", ("Ann", "Cy"))),
        ("und ph", [], "'ph' is not understood"),
        ("v A B", [], "'v' is ambiguous: vision, vote; write more of it"),
        ("a A B", [], "'a' is ambiguous: attack, again, away"),
        ("vision A C", [], "'C' is ambiguous: Cy, Craig"),
        ("vision A Z", [], "unknown player 'Z'"),
    ]:
        setup = QuantumWerewolf(["Ann", "Bo", "Cy", "Craig"], wolves=1).setup
        if isinstance(expected, Command):
            assert parse_command(line, setup, likely=likely) == expected
        else:
            with pytest.raises(KripkeError, match=expected):
                parse_command(line, setup, likely=likely)


def test_people_are_not_called_by_words_of_the_game():
    for word in ["nobody", "Everybody", "ALL", "tv", "master", "status", "Undo", "later"]:
        with pytest.raises(GameError, match=f"nobody can be called '{word}' here: it is a word of the game"):
            check_people(["Ann", word])
        assert QuantumWerewolf(["Ann", "Bo", word], wolves=1).players[-1] == word  # a game made in Python may
        assert replay(QuantumWerewolf(["Ann", "ann", word], wolves=1).log).players == ("Ann", "ann", word)


def test_names_of_people_differ_in_more_than_case():
    for names in (["Ann", "ann"], ["Straße", "STRASSE"], ["Éa", "E\u0301A"]):
        with pytest.raises(GameError, match=r"differ only in case|look alike"):
            check_people(names)
    assert check_people(["Ann", "Anna", "Wolf"]) == ("Ann", "Anna", "Wolf")


def test_people_are_not_called_by_words_of_any_language():
    """The prompt of an evening in Dutch says that "klaar" means nobody; phones have their own languages."""
    for language in LANGUAGES:
        for message in ["typed-end", "typed-back", "typed-nobody", "page-nobody", "page-decline"]:
            name = Sentence(message).told(language)
            for typed in (name, name.upper(), name.title()):
                with pytest.raises(GameError, match="is a word of the game"):
                    check_people(["Ann", typed])


def test_people_are_not_called_by_words_of_a_language_of_their_own(tmp_path):
    own = tmp_path / "fy.ftl"
    own.write_text("typed-end = ree\nvotes-for = { $n } net ien\npage-nobody = gjinien\n", encoding="utf-8")
    for name in ("Ree", "IEN", "Gjinien"):
        assert check_people(["Ann", name]) == ("Ann", name)
        with pytest.raises(GameError, match="is a word of the game"):
            check_people(["Ann", name], str(own))


WIDE = {ord(character): ord(character) + 0xFEE0 for character in "0123456789/"} | {ord(" "): 0x3000}
"""Characters as a Japanese keyboard types them."""


def test_wide_blanks_and_digits_are_blanks_and_digits():
    for line in [
        "vision アン 太 郎",
        "vision 1 2 as wolf",
        "/attack 3 アン",
        "vote 1 太 郎 2",
        "undo 12",
        "end pass",
    ]:
        setup = QuantumWerewolf(["アン", "太 郎", "Bo"], wolves=1).setup
        spaced = QuantumWerewolf(["アン", "太\u3000郎", "Bo"], wolves=1).setup
        expected = parse_command(line, setup)
        assert expected is not None
        for typed in (line.translate(WIDE), line.replace(" ", " \u3000 ", 1), f"\u3000{line}\u3000"):
            found = parse_command(typed, setup)
            assert found is not None
            assert submitted(found) == submitted(expected)
            other = parse_command(typed, spaced)
            assert other is not None
            assert [spaced.seat(name) for name in other.players] == [
                setup.seat(name) for name in expected.players
            ]
