"""The roles of the cards that a game may have, as data.

`villager`, `seer` and `wolf` are those of the rules; how a vision and an attack go is said by `Rules`. The
others come from the games that people play: *The Werewolves of Miller's Hollow* (cupid, hunter, witch),
*Gekka Jinrou* (bodyguard, fox), and *Blood on the Clocktower* (a drunk who believes they are the seer). Those
of *One Night Ultimate Werewolf* act on the cards on the table.
"""

from __future__ import annotations

from collections.abc import Mapping

from kripke_werewolf.werewolf.roles import SEER, USUAL, VILLAGER, WOLF, CardAct, Ending, Role, SecretAct

_LINKED = ("linked_{t}", "true"), ("linked_{u}", "true")
CUPID = Role(
    name="cupid",
    letter="k",
    words=("amor", "cupido", "キューピッド"),
    acts=(
        SecretAct(
            name="link", by="cupid_{i}", when="evening", opening=True, two=True, on_self=True, change=_LINKED
        ),
    ),
    facts=("linked",),
    fate="linked_{i} & linked_{t}",
    endings=(Ending("lovers", "[all j: out_{j} | everywhere linked_{j}]", "linked_{i}"),),
)
HUNTER = Role(
    name="hunter",
    words=("jager", "jäger", "ハンター"),
    last=True,
)
BODYGUARD = Role(
    name="bodyguard",
    words=("lijfwacht", "leibwächter", "狩人"),
    acts=(
        SecretAct(
            name="protect", by="bodyguard_{i} & ~dead_{i}", when="evening", change=(("guarded_{t}", "true"),)
        ),
    ),
    nightly=("guarded",),
    shield="guarded_{t}",
)
_HEALS = "witch_{i} & ~healed_{i} & (~dead_{i} | struck_{i})"
_HEALED = ("dead_{t}", "dead_{t} & ~struck_{t}"), ("healed_{i}", "true")
_POISONS = "witch_{i} & ~poisoned_{i} & ~dead_{i}"
_POISONED = ("dead_{t}", "true"), ("poisoned_{i}", "true")
WITCH = Role(
    name="witch",
    letter="x",
    several="witches",
    words=("heks", "hexe", "魔女"),
    acts=(
        SecretAct(name="heal", by=_HEALS, when="dawn", compulsory=False, on_self=True, change=_HEALED),
        SecretAct(name="poison", by=_POISONS, when="dawn", compulsory=False, change=_POISONED),
    ),
    facts=("healed", "poisoned"),
    nightly=("struck",),
)
_LIVING = "[any j: fox_{j} & ~dead_{j}]"
FOX = Role(
    name="fox",
    side="fox",
    several="foxes",
    words=("vos", "fuchs", "妖狐"),
    shield="fox_{t}",
    if_seen="fox_{t}",
    endings=(Ending("fox", f"everywhere {_LIVING}", "fox_{i}", _LIVING, instead=True),),
)
DRUNK = Role(
    name="drunk",
    words=("dronkaard", "betrunkener", "酔っ払い"),
    looks="seer",
    acts=("vision",),
    misled=True,
)

ROLES: Mapping[str, Role] = {
    role.name: role for role in (*USUAL, CUPID, HUNTER, BODYGUARD, WITCH, FOX, DRUNK)
}
"""The roles by name."""

_ALONE = "count([each j: wolf_{j}]) = 1"
_MINION = Ending("minion", "~[any j: wolf_{j}] & [any j: dead_{j} & ~minion_{j}]", "minion_{i}")
ONE_NIGHT: Mapping[str, Role] = {
    role.name: role
    for role in (
        Role(
            name=WOLF,
            side="evil",
            several="wolves",
            words=("werewolf", "weerwolf", "werwolf", "人狼"),
            knows=("wolf_{t}",),
            acts=(CardAct(at=1, on=("middle",), sees=1, optional=True, where=_ALONE),),
        ),
        Role(
            name="minion",
            side="evil",
            words=("handlanger", "günstling", "手下"),
            knows=("wolf_{t}",),
            endings=(_MINION,),
        ),
        Role(name="mason", words=("vrijmetselaar", "freimaurer", "フリーメイソン"), knows=("mason_{t}",)),
        Role(
            name=SEER,
            words=("ziener", "seherin", "占い師"),
            acts=(CardAct(at=4, on=("other",), sees=1), CardAct(at=4, on=("middle", "middle"), sees=2)),
        ),
        Role(
            name="robber",
            words=("dief", "räuber", "怪盗"),
            acts=(CardAct(at=5, on=("own", "other"), swaps=True, sees=1, after=True, optional=True),),
        ),
        Role(
            name="troublemaker",
            words=("onruststoker", "unruhestifterin", "トラブルメーカー"),
            acts=(CardAct(at=6, on=("other", "other"), swaps=True, optional=True),),
        ),
        Role(
            name="drunk",
            words=("dronkaard", "betrunkener", "酔っ払い"),
            acts=(CardAct(at=7, on=("own", "middle"), swaps=True),),
        ),
        Role(
            name="insomniac",
            words=("slapeloze", "schlaflose", "不眠症"),
            acts=(CardAct(at=8, on=("own",), sees=1),),
        ),
        Role(name=VILLAGER, words=("dorpeling", "dorfbewohner", "村人")),
    )
}
"""The roles of One Night by name, in the order of the night."""
