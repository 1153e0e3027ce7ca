"""Puzzles of beliefs that are revised: agents find some worlds more plausible than others."""

from __future__ import annotations

from kripke_werewolf.logic.formulas import TRUE, B, atleast, exactly
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.logic.puzzles.puzzle import (
    Engine,
    Puzzle,
    Scenario,
    asks,
    check_size,
    engine_for,
    happens,
)
from kripke_werewolf.logic.semantics.action import soft


def professor(*, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of a professor who feels like a genius, and may only be drunk.

    Both is the case. Most plausible to the professor is genius without drink, then drink without genius.

    >>> professor().model.holds("B_prof genius & B_prof^{drunk} ~genius")
    True
    """
    worlds = ["sober genius", "drunken fool", "drunken genius"]
    return Puzzle(
        "professor",
        "A professor feels like a genius, which may be due to drink; in fact both are the case.",
        KripkeModel.from_partitions(
            worlds,
            {"prof": [worlds]},
            {"genius": [worlds[0], worlds[2]], "drunk": worlds[1:]},
            worlds[2],
            ranks={"prof": {world: rank for rank, world in enumerate(worlds)}},
        ),
        (
            asks("the professor believes in the genius, rightly", "B_prof genius & genius"),
            asks("this belief is not safe", "Sf_prof genius", False),
            asks("being told of the drink would end it", "B_prof^{drunk} ~genius"),
            happens("a trusted friend tells of the drink", soft("drunk")),
            asks("because of a truth, a falsehood is believed", "B_prof ~genius & genius"),
            asks("nothing is excluded", "M_prof ~drunk"),
        ),
        engine=engine,
    )


def diagnosis(*, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of a doctor who revises a diagnosis by one test after the other.

    A cough comes from flu, less plausibly from a cold, and least so from an allergy.

    >>> diagnosis().model.holds("[^^~flu][^^~cold]B_doc allergy & [^~flu][^~cold]B_doc flu")
    True
    """
    causes = ["flu", "cold", "allergy"]
    return Puzzle(
        "diagnosis",
        "A cough comes from flu, a cold or an allergy; tests are good, but not certain.",
        KripkeModel.from_partitions(
            causes,
            {"doc": [causes]},
            {cause: [cause] for cause in causes},
            "allergy",
            ranks={"doc": {cause: rank for rank, cause in enumerate(causes)}},
        ),
        (
            asks("the doctor believes that it is flu", "B_doc flu"),
            asks("otherwise a cold", "B_doc^{~flu} cold"),
            asks("after conservative upgrades it would be flu again", "[^~flu][^~cold]B_doc flu"),
            happens("a test speaks against flu", soft("~flu")),
            asks("now the doctor believes in a cold", "B_doc cold"),
            happens("a test speaks against a cold", soft("~cold")),
            asks("now the doctor believes in an allergy", "B_doc allergy"),
            asks("and is not certain", "K_doc allergy", False),
        ),
        engine=engine,
    )


def nearest_worlds(n: int = 4, *, engine: Engine = "explicit") -> Puzzle:
    """Return the puzzle of n lamps that were all off: what changes least is most plausible.

    The rank of a world is the number of lamps that are on, its distance from the world remembered. So the
    agent revises a belief as Dalal 1988 says: the nearest worlds where the news is true are believed.

    >>> nearest_worlds(30, engine="symbolic").structure.valid("B_a ~lamp_1 & B_a^{lamp_1} ~lamp_2")
    True
    """
    check_size(n, least=2, worlds=lambda k: 2**k, engine=engine)
    lamps = [f"lamp_{i}" for i in range(1, n + 1)]
    return Puzzle(
        "nearest-worlds",
        f"{n} lamps were off; somebody has been in the room, and touched as few as possible.",
        Scenario(lamps, TRUE, {"a": []}, lamps[:2], ranks={"a": lamps}),
        (
            asks("a believes that all lamps are off", B("a", exactly(0, *lamps))),
            asks("if some are on, then one", B("a", exactly(1, *lamps), within=atleast(1, *lamps))),
            happens("at least two are on", atleast(2, *lamps)),
            asks("a believes that two are on", B("a", exactly(2, *lamps))),
            asks("a does not know which", B("a", lamps[0]), False),
        ),
        engine=engine_for(engine, 2**n),
    )
