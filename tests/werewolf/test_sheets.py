"""Typed sheets: their content, and the line of every mistake. The puzzle D.5 of CISRA 2008."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf import QuantumWerewolf, parse
from kripke_werewolf.cli.main import cli
from kripke_werewolf.errors import FormatError, GameError
from kripke_werewolf.werewolf import preset
from kripke_werewolf.werewolf.handout import dead_in
from kripke_werewolf.werewolf.inference import (
    NoHistory,
    evidence_in,
    infer,
    possible_moves,
    read_sheet,
    reasons,
)
from kripke_werewolf.werewolf.inference.search import drawn_roles, placements
from kripke_werewolf.werewolf.inference.sheets import interval
from kripke_werewolf.werewolf.inference.solver import Problem

D5 = Path(__file__).parents[2] / "examples" / "sheets" / "schroedingers-wolves.txt"
HEAD = "rules: gekka\nplayers: Ann, Bo, Cy\nwolves: 1\nyou: Bo\n"


def typed(game, player):
    """The sheet of a player, typed from the handout."""
    setup, sheet = game.setup, game.handout(player)
    lines = [f"rules: {setup.rules.name}", f"players: {', '.join(setup.players)}"]
    lines += [f"wolves: {setup.deck.wolves}", f"you: {player}"]
    if sheet.number is not None:
        lines.append(f"number: {sheet.number}")
    for table in (sheet.table,):
        lines += printed(table)
    for part in sheet.parts:
        lines.append(str(part.phase))
        for event in part.events:
            match type(event).__name__:
                case "Vision":
                    lines.append(f"you look at {event.target}: {event.result or 'nothing'}")
                case "Attack":
                    lines.append(f"you attack {event.target}")
                case "Declined":
                    lines.append("you do not look")
                case "VotedOff" | "FoundDead" as kind:
                    how = "was voted off" if kind == "VotedOff" else "was found dead"
                    said = f": {event.announced}" if event.announced else ""
                    lines.append(f"{event.player} {how}{said}")
                case "Told":
                    lines.append(f"you are told: {event.role}")
                case "GameEnded":
                    lines.append(f"the {event.verdict} win: {', '.join(event.winners)}")
                case "PhaseEnded":
                    lines.append("end of the phase")
        for action in setup.actions(part.phase):
            earlier = sheet.parts[: sheet.parts.index(part)]
            dead = dead_in(event for before in earlier for event in before.events)
            if action not in (part.asked or ()) and player not in dead:
                lines.append(f"you are not asked for {'an' if action == 'attack' else 'a'} {action}")
        lines += printed(part.table)
    return "\n".join(lines)


def printed(table):
    if table is None:
        return []
    cells = [[table.heading, *table.columns]]
    cells += [
        [label, *("-" if v is None else str(v) for v in table.row(label).values())] for label in table.labels
    ]
    return ["table", *("  ".join(line) for line in cells)]


@pytest.mark.parametrize("rules", ["cisra", "gekka"])
def test_a_sheet_typed_from_a_handout_says_the_same(rules):
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules=rules, rng=4)
    for name in game.players:
        game = game.vision(name, game.players[0] if name != "Ann" else "Bo")
    game = game.vote_off("Cy").end_phase(missing="random")
    handout = game.handout("Ann")
    sheet = replace_ended(read_sheet(typed(game, "Ann")), evidence_in(handout))
    assert infer(sheet).number == infer(handout).number
    assert infer(sheet).table().rows == infer(handout).table().rows


def replace_ended(sheet, evidence):
    """The typed sheet; in a running phase being asked and not having moved cannot be typed."""
    running = [i for i, step in enumerate(evidence.steps) if getattr(step, "ended", True) is False]
    steps = list(sheet.steps)
    for i in running:
        steps[i] = evidence.steps[i]
    return replace(sheet, steps=tuple(steps))


def test_intervals_admit_both_ends():
    assert interval("8%") == (Fraction(75, 1000), Fraction(85, 1000))
    assert interval("6.2%") == (Fraction(615, 10000), Fraction(625, 10000))  # 1/16, shown with ties to even
    assert interval("0.08") == (Fraction(75, 1000), Fraction(85, 1000))
    assert interval("100%") == (1, 1) == interval("1")
    assert interval("0%") == (0, 0)
    assert interval("<0.1%")[0] > 0
    assert interval(">99.9%")[1] < 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players: Ann", "line 1: the head lacks 'rules'"),
        (HEAD.replace("gekka", "geka"), "line 1: unknown rule set 'geka'; did you mean 'gekka'"),
        (HEAD.replace("you: Bo", "you: Boo"), "line 4: unknown player 'Boo'; did you mean 'Bo'"),
        (HEAD + "wolves: 2", "line 5: 'wolves' is given twice"),
        (HEAD.replace("gekka", "cisra"), "the tables of the rules 'cisra' go by number"),
        (HEAD + "day 2", "line 5: the phase 'day 2' does not come here; the next one is 'night 1'"),
        (HEAD + "you look at Ann: human", "line 5: the first phase is missing: 'night 1'"),
        (HEAD + "night 1\nyou look at An: human", "line 6: unknown player 'An'"),
        (HEAD + "night 1\nyou look at Ann: good", "line 6: 'good' is not said here"),
        (HEAD + "night 1\nAnn looks at Bo", "line 6: others' moves are secret"),
        (HEAD + "night 1\nyou attack Ann", "line 6: there is no attack in night 1"),
        (HEAD + "night 1\nyou frown", "line 6: cannot read 'you frown'"),
        (HEAD + "night 1\nyou do not look\nyou do not look", "the vision of Bo in night 1 is given twice"),
        (HEAD + "night 1\ntable\nplayer wolv\nAnn 8%", "line 7: unknown column 'wolv'; did you mean"),
        (HEAD + "night 1\ntable\nplayer wolf\nAnne 8%", "line 8: unknown player 'Anne'"),
        (HEAD + "night 1\ntable\nplayer wolf\nAnn 108%", "the entry Ann wolf '108%' is not a probability"),
        (HEAD + "night 1\ntable\nplayer human wolf\nAnn 50% 20%", "the entries of Ann do not add up to 100%"),
        (HEAD + "night 1\ntable\nplayer human wolf\nAnn 50%", "line 8: the row has 1 entries for 2 columns"),
        (HEAD + "night 1\ntable\nplayer wolf\nAnn 5%\nAnn 5%", "line 9: the row 'Ann' is given twice"),
        (HEAD + "night 1\ntable\nplayer wolf\nAnn 1/0", "line 8: the entry Ann wolf '1/0' is not"),
        (HEAD + "night 1\ntable\nplayer wolf\nAnn 60%\nBo 60%", "line 9: the entries of the column 'wolf' do "
         "not add up to 100%, which is 1 card: Ann 60%, Bo 60%"),
        (HEAD + "night 1\ntable\nplayer human\nAnn 9%\nBo 9%\nCy 9%", "line 10: the entries of the column"),
        (HEAD.replace("wolves: 1", "wolves: 7"), "line 3: more roles than players"),
        (HEAD.replace("Cy", "Ann\u200b"), "line 2: the name 'Ann\\u200b' has the invisible character"),
        (HEAD + "vision_self: maybe", "line 5: vision_self='maybe' is not possible"),
        (HEAD.replace("Ann, Bo, Cy", "99999999999"), "line 2: 99999999999 players are not from 1 to 100"),
    ],
)  # fmt: skip
def test_mistakes_name_the_line(text, message):
    with pytest.raises(FormatError) as error:
        read_sheet(text, source="sheet.txt")
    assert message in str(error.value)
    assert "sheet.txt, line" in str(error.value)


def test_what_editors_and_people_add_changes_nothing():
    text = HEAD + "night 1\nyou look at Ann: human\ntable\nplayer wolf\nAnn 0%\nBo 50%\nCy 50%\n"
    plain = read_sheet(text)
    assert (
        read_sheet("\ufeff" + text.replace("\n", "\r\n").replace("%", " %").replace(": human", ": Human"))
        == plain
    )


# --- D.5 -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solved():
    """The histories that explain the puzzle's table."""
    return infer(read_sheet(D5.read_text()))


def test_the_puzzle(solved):
    sheet, found = solved.evidence, solved
    assert (found.status, found.worlds) == ("exact", (13,))
    ways = {tuple(int(target) for _, _, target in way) for _, way in found.attacks}
    assert ways == {(4, 1, 2, 5, 6, 5), (4, 1, 5, 2, 6, 5), (4, 1, 5, 5, 6, 2)}
    assert found.ask("K_4 ~dead_3") == "true"
    assert found.chance("good_1") == Fraction(12, 13)
    possible = possible_moves(sheet, actions=["attack"])
    assert {(m.player, m.move) for m in possible.moves} == {
        (m.player, m.move) for m in found.moves if m.action == "attack"
    }
    assert {way for _, way in possible.attacks} == {way for _, way in found.attacks}
    assert possible.worlds == (13,)


def test_the_entries_that_force_a_move_do_and_none_can_be_left_out(solved):
    sheet, why = solved.evidence, solved.because("1 attacks 4", seconds=None)
    cells = {i for i, cell in enumerate(sheet.cells) if cell in why.cells}

    def forced(kept):
        """Whether, with these entries alone, the attack cannot have been another."""
        evidence = sheet.only(frozenset(kept))
        ((place, _),) = placements(evidence, ())
        for roles in drawn_roles(evidence, place):
            problem = Problem(evidence, place, roles)
            for choice in problem.choices:
                if (choice.actor, choice.action, choice.target) == (0, "attack", 3):
                    problem.without(choice)
            if problem.solve(seconds=None).found:
                return False
        return True

    assert why.least == "irreducible"
    assert forced(cells)
    assert not any(forced(cells - {cell}) for cell in cells)


def test_what_is_open_has_no_reason(solved):
    found = solved
    assert found.because("wolf_3") is None
    assert found.because("3 attacks 5") is None
    with pytest.raises(GameError, match="about what players know"):
        found.because("K_4 K_3 wolf_1")


def test_entries_are_found_without_the_solver_and_where_it_does_not_apply(monkeypatch):
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules=preset("straat", table="open"), rng=3)
    for name in game.players:
        game = game.vision(name, "Bo")
        game = game.attack(name, "Ann") if "attack" in game.may_act.get(name, ()) else game
    found = infer(game.handout("Ann"))
    fact = "~wolf_Bo"
    why = found.because(fact)
    assert (why.conclusion, [cell.row for cell in why.cells]) == (str(parse(fact)), ["Bo"])
    monkeypatch.setattr(reasons, "find_spec", lambda name: None)
    text = HEAD + "night 1\nyou look at Ann: human\ntable\nplayer wolf\nAnn 0%\nBo 50%\nCy 50%\n"
    why = infer(read_sheet(text)).because("~wolf_Ann")
    assert (why.least, [cell.row for cell in why.cells]) == ("irreducible", ["Bo", "Cy"])


def test_a_table_that_cannot_be():
    sheet = read_sheet(D5.read_text().replace("46%", "53%"))
    with pytest.raises(NoHistory) as error:
        infer(sheet)
    conflict = error.value.conflict(smallest=False)
    assert conflict.conclusion == ""
    assert ("5", "dead") in {(cell.row, cell.heading) for cell in conflict.cells}
    with pytest.raises(NoHistory):
        infer(sheet.only(frozenset(i for i, cell in enumerate(sheet.cells) if cell in conflict.cells)))


def test_the_command(tmp_path):
    run = CliRunner()
    done = run.invoke(cli, ["infer", str(D5), "--possible", "attacks", "--json"])
    assert done.exit_code == 0
    assert '"move": "attacks 4"' in done.output
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka", rng=2)
    for name in game.players:
        game = game.vision(name, "Ann")
    sheet = tmp_path / "bo.json"
    sheet.write_text(game.handout("Bo").to_json())
    known = infer(game.handout("Bo")).ask("K_Bo wolf_Ann") == "true"
    done = run.invoke(cli, ["infer", str(sheet), "K_Bo wolf_Ann", "--example", "--timeout", "60"])
    assert done.exit_code == (0 if known else 1), done.output
    assert "what Bo was told" in done.output
    assert "For example:" in done.output


def test_a_contradiction_on_the_command_line(tmp_path):
    broken = tmp_path / "broken.txt"
    broken.write_text(D5.read_text().replace("46%", "53%"))
    with pytest.raises(GameError, match=r"these cannot hold together: .*5 dead 53% \(line 20\)"):
        CliRunner().invoke(cli, ["infer", str(broken)], catch_exceptions=False)
