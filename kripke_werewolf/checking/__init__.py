"""Truth sets, verdicts and explanations of formulas on models."""

from kripke_werewolf.checking.explanation import Explanation, Link
from kripke_werewolf.checking.truth import check_names, truth_set, truth_sets
from kripke_werewolf.checking.verdict import Verdict

__all__ = ["Explanation", "Link", "Verdict", "check_names", "truth_set", "truth_sets"]
