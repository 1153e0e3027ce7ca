"""Cards that people know, declared outside the package: what docs/roles.md says can be said."""

from kripke_werewolf.games.werewolf.roles import Consequence, Ending, Role, RoleNews, SecretAct

LIVES = (("dead_{i}", "false"), ("struck_{i}", "false"))
ELDER = Role(
    name="elder",
    rule="The first attack at night does not kill an elder.",
    facts=("weak",),
    nightly=("struck",),
    follows=(Consequence("once", "elder_{i} & struck_{i} & ~weak_{i}", (*LIVES, ("weak_{i}", "true"))),),
)
CURSED = Role(
    name="cursed",
    rule="A cursed player who is attacked at night does not die but becomes a wolf, of the lowest rank.",
    nightly=("struck",),
    follows=(Consequence("phase", "cursed_{i} & struck_{i}", (*LIVES, ("card_{i}", "wolf"))),),
)
THIEF = Role(
    name="thief",
    rule="On the first night a thief may change cards with another player.",
    facts=("robbed",),
    acts=(
        SecretAct(
            name="rob",
            by="thief_{i}",
            when="evening",
            opening=True,
            compulsory=False,
            change=(("robbed_{t}", "true"),),
        ),
    ),
    follows=(
        Consequence("phase", "thief_{i} & robbed_{t}", (("card_{i}", "card_{t}"),)),
        Consequence("phase", "robbed_{i}", (("card_{i}", "thief"), ("robbed_{i}", "false"))),
    ),
)
MEDIUM = Role(
    name="medium",
    rule="Every night a medium asks whether one of the dead was a wolf.",
    acts=(
        SecretAct(
            name="ask",
            by="medium_{i} & ~dead_{i}",
            when="evening",
            on="dead",
            compulsory=False,
            shows=(("wolf", "wolf_{t}"), ("human", "~wolf_{t}")),
        ),
    ),
)
MAYOR = Role(name="mayor", rule="A mayor has two votes.", votes=2, news=(RoleNews("mayor", "mayor_{t}"),))
PRINCE = Role(
    name="prince",
    rule="The first vote for a prince does not kill.",
    facts=("lynched",),
    spared="prince_{i} & ~lynched_{i}",
)
TANNER = Role(
    name="tanner",
    side="tanner",
    rule="A tanner wins if the village votes them off.",
    facts=("lynched",),
    endings=(Ending("tanner", "[any j: everywhere (tanner_{j} & lynched_{j})]", "tanner_{i}"),),
)
MARTYR = Role(
    name="martyr",
    rule="A martyr who dies, but not by a vote, takes another player along.",
    facts=("lynched",),
    follows=(Consequence("found", "martyr_{i} & ~lynched_{i}", (("dead_{t}", "true"),)),),
)
