"""What a screen states, and which statements contradict each other.

A screen is read by the messages of its sentences and their values, not by their words, so the same reader
serves every language. `contradictions` knows nothing of the game: it compares what one screen says.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.play.tabletop.views import View

Stated: TypeAlias = tuple[str, dict[str, Any]]
"""A message and its values."""

JOINED = {"sequence", "clauses", "list", "tell", "tell-all", "with-more"}
"""Messages that only put others together."""
DEATHS = {"voted-off": "voted_off", "found-dead": "found_dead", "taken-along": "taken_along"}
"""The news of deaths, with the words for them at the end."""


def stated(text: object) -> Iterator[Stated]:
    """Yield the messages in a sentence, in order; nothing for a plain string."""
    if isinstance(text, Sentence):
        yield from _parts(text._meaning)


def _parts(meaning: Any) -> Iterator[Stated]:
    message, values = meaning
    if message in JOINED:
        for _, value in values:
            for part in value if isinstance(value, tuple) and not hasattr(value, "message") else (value,):
                if hasattr(part, "message"):
                    yield from _parts(part)
        return
    yield message, dict(values)


def inside(value: Any, message: str) -> list[dict[str, Any]]:
    """Return the values of every `message` within a value of a sentence, such as the votes of a count."""
    if hasattr(value, "message"):
        own = [dict(value.values)] if value.message == message else []
        return own + [found for _, item in value.values for found in inside(item, message)]
    if isinstance(value, tuple):
        return [found for item in value for found in inside(item, message)]
    return []


@dataclass
class News:
    """Reads news in order, and notes what contradicts what was said before."""

    players: tuple[str, ...]
    wrong: list[str] = field(default_factory=list)
    dead: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Who is said to have died: how, and in which phase."""
    winners: tuple[str, ...] | None = None
    """Those who are said to have won; None before the end."""

    def page(self, phase: str, kind: str, lines: Iterable[str]) -> None:
        """Read the news of a phase."""
        lynched, found, acted = list[str](), list[str](), set[tuple[str, str]]()
        tied, count, before = (), None, set(self.dead)
        for message, values in (part for line in lines for part in stated(line)):
            said = f"{phase}: {message} {values}"
            if self.winners is not None and message not in ("collapsed", "tally"):
                self._note(f"{said} after the end")
            if message in DEATHS:
                player = values["player"]
                if player in self.dead:
                    self._note(f"{said}, who is dead already")
                self.dead[player] = DEATHS[message], phase
                if message == "voted-off":
                    lynched.append(player)
                    self._counted(said, player, tied, count)
                    tied, count = (), None
                elif message == "taken-along" and values["actor"] not in self.dead:
                    self._note(f"{said} by somebody alive")
                elif message == "found-dead":
                    found.append(player)
            elif message == "lot-decides":
                tied = values["tied"]
            elif message == "tally":
                count = values
                self._votes(said, values)
            elif message == "votes-again":
                count = None
            elif message == "nobody-voted-off":
                if lynched:
                    self._note(f"{said}, but {lynched} is")
                self._counted(said, None, (), count)
            elif message == "nobody-found-dead":
                if found or self._nightly:
                    self._note(f"{said}, but {found or self._nightly} is")
            elif message == "game-ended":
                self.winners = values["winners"]
            elif message in ("acted", "declined"):
                if values["actor"] in before and values.get("action") != "heal":
                    self._note(f"{said} by somebody dead")
                acted.add((values["actor"], values["action"]))
            elif message == "passed-over":
                for one in inside(values["who"], "left-out"):
                    if one["player"] in before or (one["player"], one["action"]) in acted - {("", "")}:
                        self._note(f"{said}: {one}")
        self._nightly = [] if kind == "vote" else [*self._nightly, *found]

    _nightly: list[str] = field(default_factory=list)
    """Who was found dead since the last vote."""

    def _note(self, text: str) -> None:
        self.wrong.append(text)

    def _votes(self, said: str, values: Mapping[str, Any]) -> None:
        """Check a count of votes."""
        voters = inside(values["by"], "vote-of")
        counts = {
            v["player"] if v["anybody"] == "yes" else None: v["n"]
            for v in inside(values["counts"], "votes-for")
        }
        names = [vote["voter"] for vote in voters]
        if set(names) & set(self.dead) or set(filter(None, counts)) & set(self.dead):
            self._note(f"{said}: the dead vote, or are voted for")
        if len(set(names)) < len(names):
            self._note(f"{said}: somebody votes twice")
        if values["opened"] == "yes":
            given = [vote["player"] if vote["anybody"] == "yes" else None for vote in voters]
            if {name: given.count(name) for name in given} != counts:
                self._note(f"{said}: the votes are not those counted")

    def _counted(self, said: str, player: str | None, tied: Iterable[str], count: Any) -> None:
        """Check that a vote is followed by what the votes say."""
        if tied and player not in tied:
            self._note(f"{said}, who is not among the tied {tied}")
        if count is None:
            return
        counts = [
            (v["player"] if v["anybody"] == "yes" else None, v["n"])
            for v in inside(count["counts"], "votes-for")
        ]
        most = max((n for _, n in counts), default=0)
        first = [name for name, n in counts if n == most]
        if player is not None and player not in first:
            self._note(f"{said}, but {first} had most votes")
        if player is None and len(first) == 1 and first[0] is not None:
            self._note(f"{said}, but {first} had most votes")
        if player is not None and len(first) > 1 and set(tied) != set(filter(None, first)):
            self._note(f"{said}, but {first} are tied")


def contradictions(view: View) -> list[str]:
    """Return what contradicts what on one screen: a player's, everybody's, or the game master's."""
    wrong = _place(view)
    news = News(tuple(view["players"]))
    for page in view["feed"]:
        news.page(str(page["phase"]), _kind(page["phase"]), page["lines"])
    wrong += news.wrong
    if set(news.dead) != set(view["dead"]):
        wrong.append(f"dead by the news {sorted(news.dead)}, by the list {view['dead']}")
    if (news.winners is None) != (view["kind"] != "over"):
        wrong.append(f"the news say that the game is {'not ' * (news.winners is None)}over: {view['kind']}")
    if view["kind"] == "over" and news.winners is not None:
        wrong += _ending(view, news)
    if view["view"] == "player":
        wrong += _own(view, news)
    if "waiting_for" in view:
        wrong += _all(view)
    return wrong


def _kind(phase: object) -> str:
    return next((values["kind"] for message, values in stated(phase) if message == "phase"), "")


def _place(view: View) -> list[str]:
    """Check where the game stands, and the ballot."""
    wrong, alive, dead = list[str](), set(view["alive"]), set(view["dead"])
    if alive & dead or alive | dead != set(view["players"]):
        wrong.append(f"alive {alive}, dead {dead}")
    if view["paused"] and "deadline" in view:
        wrong.append("the clock runs in a pause")
    kinds = {"vote": "day", "": "over"}
    if kinds.get(_kind(view["phase"]), "night") != view["kind"] and not _naming(view):
        wrong.append(f"it is {view['phase']}, and {view['kind']}")
    ballot = view.get("ballot")
    if (ballot is not None) != (view["kind"] == "day"):
        wrong.append(f"a ballot {ballot} at {view['kind']}")
    if ballot is not None:
        named = [*ballot["candidates"], *ballot.get("voted", ())]
        if not set(named) <= alive:
            wrong.append(f"the dead vote or are candidates: {ballot}")
        if "votes" in ballot and [voter for voter, _ in ballot["votes"]] != ballot["voted"]:
            wrong.append(f"who voted: {ballot}")
        left = alive - set(ballot.get("voted", alive))
        if not len(left - set(view["away"])) <= view["waiting"] <= len(left):
            wrong.append(f"{view['waiting']} votes are missing, of {left}")
    if view["kind"] == "over" and view["waiting"]:
        wrong.append("somebody is waited for after the end")
    return wrong


def _naming(view: View) -> bool:
    """Whether somebody who has died names another now, also by day."""
    return view["kind"] == "night" and _kind(view["phase"]) == "vote"


def _ending(view: View, news: News) -> list[str]:
    """Compare the table of the end with the news."""
    wrong, died, result = list[str](), 3, 1
    for row in view["ending"]["rows"]:
        told = [values for message, values in stated(row[died]) if message == "died"]
        how = [(values["how"], str(Sentence._of(values["phase"]))) for values in told]
        if how != ([news.dead[row[0]]] if row[0] in news.dead else []):
            wrong.append(f"{row[0]} died {how} by the table, {news.dead.get(row[0])} by the news")
        won = any(values["word"] == "won" for _, values in stated(row[result]))
        if won != (row[0] in (news.winners or ())):
            wrong.append(f"{row[0]} has won: {row}, {news.winners}")
    return wrong


def _own(view: View, news: News) -> list[str]:
    """Check what is for one player alone: the sheet, the questions, the vote."""
    wrong, me = list[str](), view["player"]
    if view["you"]["alive"] != (me in view["alive"]):
        wrong.append("alive and dead")
    heard, card = News(news.players), None
    for text in view["you"]["opening"]:
        card = next((v["role"] for m, v in stated(text) if m == "your-role"), card)
    roles = {card} - {None, "drunk"}
    for page in view["sheet"]:
        heard.page(str(page["phase"]), _kind(page["phase"]), page["lines"])
        did = dict[str, set[str]]()
        for message, values in (part for line in page["lines"] for part in stated(line)):
            if message in ("acted-yourself", "declined-yourself", "not-asked", "you-are-passed-over"):
                did.setdefault(values["action"], set()).add(message)
            if message == "told-your-role":
                roles.add(values["role"])
        wrong += [f"{page['phase']}: {a}: {said}" for a, said in did.items() if len(said) > 1]
        now = page is view["sheet"][-1] and view["kind"] == "night"
        for ask in view.get("ask", ()) if now else ():
            said = did.get(ask["action"], set())
            if ("not-asked" in said and ask["counts"]) or ("acted-yourself" in said and not ask["answered"]):
                wrong.append(f"{ask} and {said}")
    wrong += heard.wrong
    if not set(heard.dead) <= set(news.dead):
        wrong.append(f"dead by the own sheet {heard.dead}, by the news {news.dead}")
    if len({role for role in roles if role not in ("alpha", "beta", "gamma", "wolf")}) > 1:
        wrong.append(f"roles {roles}")
    for ask in view.get("ask", ()):
        if not view["you"]["alive"] and ask["action"] not in ("take", "heal"):
            wrong.append(f"asked although dead: {ask}")
        if not ask["answered"] and (ask["target"] is not None or ask["final"]):
            wrong.append(f"not answered, and answered: {ask}")
        if ask["target"] is not None and ask["target"] not in ask["targets"]:
            wrong.append(f"answered with a name that is not offered: {ask}")
        if ask["answered"] and ask["target"] is None and not ask["may_decline"]:
            wrong.append(f"declined what cannot be declined: {ask}")
        if ask["target"] in ask.get("refused", ()):
            wrong.append(f"answered with a name that was refused: {ask}")
        if not set(" ".join(ask["targets"]).split(" ")) - {"and"} <= set(view["players"]):
            wrong.append(f"asked about strangers: {ask}")
        if ask["counts"] == ("why" in ask):
            wrong.append(f"counts, and does not: {ask}")
        if not ask["answered"] and me not in view["away"] and not view["waiting"]:
            wrong.append(f"nobody is waited for, but: {ask}")
    vote, ballot = view.get("vote"), view.get("ballot")
    if vote is not None and ballot is not None:
        if vote["answered"] != (me in ballot["voted"]):
            wrong.append(f"{vote} and {ballot}")
        if "votes" in ballot and vote["answered"] and vote["target"] != dict(ballot["votes"])[me]:
            wrong.append(f"{vote} and {ballot}")
    if vote is not None and me not in view["alive"]:
        wrong.append("the dead vote")
    return wrong


def _all(view: View) -> list[str]:
    """Check the game master's view of everybody."""
    wrong = list[str]()
    if len(view["waiting_for"]) != view["waiting"]:
        wrong.append(f"{view['waiting']} are missing: {view['waiting_for']}")
    if not {name for name, _ in view["votes"]} <= set(view["alive"]):
        wrong.append("the dead vote")
    if set(view["waiting_for"]) & {name for name, _ in view["votes"]}:
        wrong.append(f"waiting for those who have voted: {view['waiting_for']}")
    return wrong


def together(views: Mapping[str, View], public: View) -> list[str]:
    """Return what the screens of one moment say against each other."""
    wrong = list[str]()
    shared = [key for key in public if key != "view"]
    wrong += [
        f"{name}: another {key} than everybody"
        for name, v in views.items()
        for key in shared
        if v[key] != public[key]
    ]
    if public["kind"] == "night" and not public["away"]:
        open_ = sum(any(not ask["answered"] for ask in view.get("ask", ())) for view in views.values())
        if open_ != public["waiting"]:
            wrong.append(f"{open_} have to answer, {public['waiting']} are waited for")
    return wrong
