"""Scores of groups, for lm-evaluation-harness: the shares of pairs and quadruples that are wholly right."""

from kripke_werewolf.research.forge.judged import group_shares


def process_results(doc, results):
    """Return the row of an item: the choice of the highest likelihood is taken."""
    likely = [value for value, _ in results]
    right = likely.index(max(likely)) == doc["choices"].index(doc["answer"])
    row = doc["group"], tuple(doc["corner"]), right
    return {"acc": float(right), "pairs": row, "quadruples": row}


def pairs(rows):
    """Return the share of pairs that are wholly right."""
    return group_shares(rows).get("pairs", 0.0)


def quadruples(rows):
    """Return the share of quadruples that are wholly right."""
    return group_shares(rows).get("quadruples", 0.0)
