"""One game of Quantum Werewolf, seen from the inside: a dozen questions about who knows what.

    python examples/game_from_the_inside.py [DIRECTORY]

Reads the game in games/five_players.jsonl, asks the questions, and writes two pictures to the directory.
"""

import sys
from pathlib import Path

import kripke_werewolf as kw
import visualise

game = kw.replay(Path(__file__).parent / "games" / "five_players.jsonl")
out = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# The truth, event by event: only the game master sees it.
print("What happened, as only the game master knows:")
for moment in game.timeline("wolf_Di"):
    print(f"  {moment.number:>2}  Di is a wolf in {moment.verdicts[0].satisfied:>2} worlds   {moment.event}")

# Who knows what? A formula names players as agents.
questions = {
    "Bo looked at Di and saw evil. Does Bo know that Di is a wolf?": "K_Bo wolf_Di",
    "Only if Bo is the seer:": "K_Bo (seer_Bo -> wolf_Di)",
    "Does Ann know that Bo knows?": "K_Ann K_Bo (seer_Bo -> wolf_Di)",
    "Does Ann consider it possible?": "M_Ann K_Bo (seer_Bo -> wolf_Di)",
    "Ed was voted off and announced good. Is that common knowledge?": "C_{Ann,Bo,Cy,Di,Ed} good_Ed",
    "Does Ed know their own role?": "Kw_Ed villager_Ed",
    "Does Ann know it?": "Kw_Ann villager_Ed",
    "Could all of them together work out that Di is a wolf?": "D_{Ann,Bo,Cy,Di,Ed} wolf_Di",
    "Does Di know that they are not the seer?": "K_Di ~seer_Di",
    "Does Ann think that Di is more likely a wolf than not?": "P_Ann(wolf_Di) > 1/2",
    "How likely exactly?": "P_Ann(wolf_Di) = 16/29",
    "Can Bo exclude being dead already?": "K_Bo ~dead_Bo",
}
print("\nWho knows what, now:")
for meaning, question in questions.items():
    print(f"  {meaning}\n      {question}   {game.ask(question)}")

# Since when does Bo know what the vision means?
held = game.since("K_Bo (seer_Bo -> wolf_Di)")
assert held is not None
print(f"\nBo knows the meaning of the vision since event {held.number}: {held.event}")

# Everybody has their own probabilities.
print(f"\nThe same table for everybody, and as Ann sees it:\n{game.table()}\n\n{game.table(viewer='Ann')}")

# Step 3 is after the vision, when nobody has died yet: the worlds where Bo is the seer or Di is a wolf.
bo = game.at(3).model(["Bo"])
vision = bo.restrict(bo.where("seer_Bo | wolf_Di")).draw(
    formula="wolf_Di",
    atoms=[],
    names=lambda world: str(world).partition(" ")[0],
    edges="hulls",
    title="Bo's vision: where Bo is the seer (s in second place), Di is a wolf",
)
visualise.save(vision, out / "bo.png")
visualise.save(bo, out / "bo.tex", atoms=[])
print(f"\nPictures: {out / 'bo.png'}, {out / 'bo.tex'}")
bo.draw(formula="wolf_Di", atoms=[], edges="hulls")
