"""Truth sets and verdicts of formulas on models."""

from kripke_werewolf.checking.truth import check_names, truth_set, truth_sets
from kripke_werewolf.checking.verdict import Verdict

__all__ = ["Verdict", "check_names", "truth_set", "truth_sets"]
