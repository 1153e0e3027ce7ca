"""A log on the page: as everybody sees it, or as one player, and nothing of anybody else."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf import QuantumWerewolf, replay
from kripke_werewolf.base.errors import KripkeError
from kripke_werewolf.cli.main import cli
from kripke_werewolf.cli.pictures import _started
from kripke_werewolf.games.werewolf.game_models import build_model
from kripke_werewolf.games.werewolf.told import told
from kripke_werewolf.teach.explorer import State, link, respond
from kripke_werewolf.teach.explorer.games import _seen
from kripke_werewolf.teach.explorer.limits import MOST_DRAWN
from tests.cases import cases, each

from .pages import Page

LOG = (Path(__file__).parents[3] / "examples" / "games" / "five_players.jsonl").read_text(encoding="utf-8")


def text_of(game: QuantumWerewolf) -> str:
    return "\n".join(game.log) + "\n"


def test_a_player_is_chosen_first() -> None:
    page = Page(puzzle="hexa")
    before = page.state
    assert page.do("open", text=LOG, name="five.jsonl") == {"choose": ["Ann", "Bo", "Cy", "Di", "Ed"]}
    assert page.state == before
    assert "expected one of Ann, Bo" in page.refused("open", text=LOG, player="Zoe")["message"]


@pytest.mark.parametrize("player", ["Ann", "Bo", "Cy", "Di", "Ed"])
def test_a_player_sees_their_handout_and_its_model(player: str) -> None:
    page = Page(text=LOG, player=player)
    known = replay(LOG.splitlines()).handout(player)
    assert page.model == build_model(known, [player], limit=3_000)
    assert page.state["start"]["game"] == _seen(known)
    shown = page.view("game")
    lines = [line for phase in shown["phases"] for line in phase["lines"]]
    assert [line for part in known.told for line in part] == [
        line for line in lines if line in sum(known.told, ())
    ]
    assert shown["who"] == player
    if len(page.model) <= MOST_DRAWN:
        for atom in ("wolf_Ann", "wolf_Ed"):
            assert f'data-about="[&quot;{atom}&quot;]"' in page.view("picture")["svg"]
    again = Page(text=json.dumps(known.to_dict()))
    assert again.view("game") == shown


def test_what_others_know_is_answered_from_the_handout() -> None:
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, seers=1).vision("Ann", "Bo", result="wolf")
    for player in game.players:
        page = Page(text=text_of(game), player=player)
        for question in (
            "Does somebody know that I am good?",
            "Does Bo know that Ann is the seer?",
            "Who knows that Bo is a wolf?",
            "K_Ann wolf_Bo | K_Cy wolf_Bo",
            "What are the chances that Cy is a wolf?",
        ):
            page.do("formula", text=question)
            shown, answer = page.view("formula"), game.handout(player).ask(question)
            assert shown["error"] is None
            assert shown["said"] == f"{answer}."
        page.do("formula", text="K_Zoe wolf_Bo")
        assert "unknown agent 'Zoe'" in page.view("formula")["error"]["message"]
        page.do("announce", formula="wolf_Bo" if player == "Ann" else "true")
        page.do("formula", text=f"K_{'Cy' if player == 'Ann' else 'Ann'} wolf_Bo")
        assert "unknown agent" in page.view("formula")["error"]["message"]


@each(["cisra", "gekka", "straat"])
def test_facts_are_counted_as_by_the_handout(rules: str) -> None:
    """The worlds of the picture also differ in who is dead; answers are about the same worlds everywhere."""
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di", "Ed"], wolves=2, rules=rules, rng=2)
    for actor, target in zip(game.players, (*game.players[1:], game.players[0]), strict=True):
        for move in ("vision", "attack"):
            with suppress(KripkeError):  # some nights have no attacks
                game = getattr(game, move)(actor, target)
    game = game.end_phase()
    for player in ("Ann", "Bo"):
        page = Page(text=text_of(game), player=player)
        for question in ("Am I a wolf?", "Is Cy a wolf?", "Is Ann dead?", "wolf_Di & ~dead_Di"):
            page.do("formula", text=question)
            assert page.view("formula")["said"] == f"{game.handout(player).ask(question)}."


def test_the_public_view_is_asked_about_what_everybody_knows() -> None:
    page, known = Page(text=LOG, player=None), told(replay(LOG.splitlines()))
    for question in (
        "Is Bo a wolf?",
        "Who could be the seer?",
        "C wolf_Bo",
        "How likely is it that Ed is a wolf?",
    ):
        page.do("formula", text=question)
        shown = page.view("formula")
        assert (shown["error"], shown["said"]) == (None, f"{known.ask(question)}.")
    page.do("formula", text="Am I a wolf?")
    assert "who asks" in page.view("formula")["error"]["message"]


def test_everybody_sees_what_is_public() -> None:
    page = Page(text=LOG, player=None)
    known = told(replay(LOG.splitlines()))
    shown = page.view("game")
    assert (shown["who"], shown["title"]) == (None, "What everybody knows")
    assert page.state["start"]["game"] == _seen(known)
    assert "look" not in json.dumps(page.state)
    assert len(page.model) == 0
    assert shown["no_model"]


def variants() -> list[tuple[QuantumWerewolf, QuantumWerewolf]]:
    """Return pairs of games that Ann cannot tell apart."""
    start = QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=1, rules="gekka").vision(
        "Ann", "Bo", result="human"
    )
    return [
        (
            start.vision("Cy", "Di", result="human").vision("Di", "Bo", result="human"),
            start.vision("Cy", "Bo", result="wolf").vision("Di", "Cy", result="human"),
        ),
        (start.vision("Bo", "Cy", result="wolf"), start.vision("Bo", "Cy", result="human")),
    ]


@pytest.mark.parametrize("number", range(len(variants())))
@pytest.mark.parametrize("player", ["Ann", None])
def test_games_that_look_the_same_give_the_same_bytes(number: int, player: str | None) -> None:
    first, second = variants()[number]
    assert first != second
    if player is None:
        assert told(first) == told(second)
    else:
        assert first.handout(player) == second.handout(player)
    commands = [
        {"command": "show"},
        {"command": "formula", "text": "K_Ann wolf_Cy | wolf_Di"},
        {"command": "world", "world": 0},
        {"command": "facts"},
        {"command": "timeline"},
        {"command": "copy", "what": "json"},
        {"command": "copy", "what": "python"},
        {"command": "strip"},
    ]
    replies: list[list[str]] = []
    for game in (first, second):
        reply = respond(
            {"do": {"command": "open", "text": text_of(game), "name": "log.jsonl", "player": player}}
        )
        found = [json.dumps(reply), link(State.from_dict(reply["state"]))]
        for do in commands:
            reply = respond({"state": reply["state"], "do": do})
            found.append(json.dumps(reply))
        replies.append(found)
    assert replies[0] == replies[1]


@pytest.mark.parametrize("number", range(len(variants())))
def test_exported_pages_of_games_that_look_the_same_are_the_same(number: int, tmp_path: Path) -> None:
    pages = []
    for place, game in enumerate(variants()[number]):
        log, page = tmp_path / f"game{place}.jsonl", tmp_path / f"page{place}.html"
        log.write_text(text_of(game), encoding="utf-8")
        arguments = ["explore", str(log), "--player", "Ann", "--export", str(page), "--online"]
        done = CliRunner().invoke(cli, arguments, standalone_mode=False)
        assert (done.exit_code, done.output) == (0, f"{page}\n")
        pages.append(page.read_bytes())
    assert _seen(variants()[number][0].handout("Ann"))["title"].encode() in pages[0]
    assert pages[0] == pages[1]


WITHOUT_NUMPY = """
import sys, json
for name in ("numpy", "networkx", "filelock", "click"):
    sys.modules[name] = None
from kripke_werewolf.teach.explorer import respond
print(json.dumps([respond({"do": {"command": "open", **opened}}) for opened in json.load(sys.stdin)]))
"""


def logs() -> list[tuple[str, str]]:
    """Return logs of games under different rules, each with a player."""
    players = ["Ann", "Bo", "Cy", "Di", "Ed"]
    vote = QuantumWerewolf(players, wolves=2, rules="cisra", rng=1).vision("Ann", "Bo")
    vote = vote.end_phase().vote_off("Ed", role="villager")
    dealt = QuantumWerewolf(
        players[:4], wolves=2, rules="straat", deal="classical", roles=["seer", "wolf", "wolf", "villager"]
    ).vision("Ann", "Bo")
    seers = QuantumWerewolf(players, wolves=1, seers=2, rules="straat", rng=2).vision("Ann", "Cy")
    games = [(vote, "Ann"), (dealt, "Ann"), (dealt, "Cy"), (seers, "Ann"), (variants()[1][0], "Bo")]
    return [(LOG, "Ann"), *((text_of(game), player) for game, player in games)]


def test_logs_and_links_of_games_are_opened_without_numpy() -> None:
    opened: list[dict[str, str]] = [{"text": text, "player": player} for text, player in logs()]
    opened.append({"link": link(State.from_dict(Page(text=LOG, player="Ann").state))})
    sampled = QuantumWerewolf(["Ann", "Bo", "Cy", "Di", "Ed"], wolves=2, sample=20, rng=1)
    given = json.dumps([*opened, {"text": text_of(sampled), "player": "Ann"}])
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *replies, refused = json.loads(done.stdout)
    for asked, found in zip(opened, replies, strict=True):
        reply = respond({"do": {"command": "open", **asked}})
        assert reply["ok"], reply["error"]
        assert len(Page(**asked).model) > 1
        assert found == json.loads(json.dumps(reply))
    assert "this needs numpy" in refused["error"]["message"]
    assert "kripke-werewolf explore FILE" in refused["error"]["message"]


@cases(
    3,
    {},
    {"phases": [3]},
    {"phases": [{"lines": [3]}]},
    {"phases": [{"lines": [], "table": 3}]},
    {"phases": [], "model": {}},
)
def test_a_changed_link_of_a_game_is_refused(game) -> None:
    reply = respond({"state": {"explorer": 1, "start": {"game": game}}})
    assert reply["error"]["kind"] == "FormatError"


@cases(
    (LOG.replace('"vision"', '"visit"', 1), "line 2"),
    ("{}\n{}\n{", "worlds: missing"),
    ('{"format": "kripke_werewolf handout", "settings": {}}', "version None of handouts is unknown"),
)
def test_a_log_that_is_wrong(text: str, message: str) -> None:
    assert message in Page(puzzle="hexa").refused("open", text=text, player="Ann")["message"]


def test_without_a_player_the_page_asks_for_one_and_an_exported_one_is_public(tmp_path: Path) -> None:
    log = tmp_path / "five.jsonl"
    log.write_text(LOG, encoding="utf-8")
    asked = _started(str(log), None, {})
    assert asked["choose"]["players"] == ["Ann", "Bo", "Cy", "Di", "Ed"]
    opened = respond({"do": {"command": "open", **asked["choose"]["open"], "player": "Bo"}})
    assert opened["state"]["start"]["game"]["who"] == "Bo"
    public = _started(str(log), None, {"player": None})
    assert "choose" not in public
    assert "look" not in json.dumps(public["state"])


@pytest.mark.parametrize("player", ["Ann", "Bo"])
def test_the_line_reads_questions_about_a_game(player: str) -> None:
    page, other = Page(text=LOG, player=player), {"Ann": "Bo", "Bo": "Ann"}[player]
    known = replay(LOG.splitlines()).handout(player)
    for question, reading in (
        (f"Does {player} know whether {other} is a wolf?", f"Kw_{player} wolf_{other}"),
        ("Am I a wolf?", f"wolf_{player}"),
        (f"Could {other} be evil?", f"M_{player} wolf_{other}"),
        (f"If {other} is a wolf, am I the seer?", f"seer_{player}"),
    ):
        page.do("formula", text=question)
        shown, answer = page.view("formula"), known.ask(question)
        assert str(answer.formula) == reading
        assert (shown["unicode"], shown["verdict"]) == (answer.heading, str(answer.verdict))
    page.do("formula", text=f"What does {player} know about {other}?")
    assert page.view("formula")["said"] == f"{known.ask(f'What does {player} know about {other}?')}."
    page.do("pin", text="Who could be evil?")
    assert page.view("pins")[0]["verdict"] is None


_ABOUT_OTHERS = [
    "Who looked at Cy?",
    "Does everybody know that I am dead?",
    "Does Bo know that I looked at Cy?",
    "Does Bo or Cy know whether I am a wolf?",
]


@pytest.mark.slow
@each(_ABOUT_OTHERS, ["Ann", "Di"])
def test_the_line_and_what_is_kept_answer_as_the_handout_does(question: str, player: str) -> None:
    page, answer = Page(text=LOG, player=player), replay(LOG.splitlines()).handout(player).ask(question)
    page.do("formula", text=question)
    page.do("pin", text=question)
    shown = page.view("formula", "pins")
    assert (shown["formula"]["said"], shown["formula"]["error"]) == (f"{answer}.", None)
    verdict = None if answer.parts else str(answer.verdict)
    expected = {"text": question, "unicode": answer.heading, "verdict": verdict, "error": None}
    assert shown["pins"] == [expected]


@cases(("Suppose I attacked Cy. Would Cy be dead?", "be dead?"), ("K_Bo )", ")"))
def test_what_the_handout_refuses_is_refused_with_its_words_at_its_place(question: str, rest: str) -> None:
    page, known = Page(text=LOG, player="Ann"), replay(LOG.splitlines()).handout("Ann")
    page.do("formula", text=question)
    page.do("pin", text=question)
    with pytest.raises(KripkeError) as refused:
        known.ask(question)
    shown = page.view("formula", "pins")
    for error in (shown["formula"]["error"], shown["pins"][0]["error"]):
        assert (error["message"], question[error["at"] :]) == (str(refused.value), rest)


def test_an_unknown_name_is_marked_on_the_board_of_a_player() -> None:
    page = Page(text=LOG, player="Ann")
    page.do("formula", text="wolf_Bo & wolf_Zoe")
    assert page.view("formula")["error"]["at"] == len("wolf_Bo & ")
