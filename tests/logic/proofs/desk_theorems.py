"""Theorems as they are written at the desk, in both calculi, some of them with mistakes on the way.

For each what is asked, the rows, and before some rows a wrong one with a part of its reason.
"""

from collections.abc import Mapping

from tests.logic.proofs.textbook import BOOK

Theorem = tuple[str, list[str], Mapping[int, tuple[str, str]]]


def _natural(name: str, mistakes: Mapping[int, tuple[str, str]]) -> Theorem:
    """Return a proof of the textbook, with its rows as one types them."""
    logic, show, *rows = BOOK[name].strip().splitlines()
    return f"calculus: natural\n{logic}\n{show}", [row.partition(". ")[2] for row in rows], mistakes


def _hilbert(logic: str, show: str, rows: str, mistakes: Mapping[int, tuple[str, str]] = {}) -> Theorem:
    return f"logic: {logic}\nshow: {show}", [row.strip() for row in rows.strip().splitlines()], mistakes


_MISTAKES: Mapping[str, Mapping[int, tuple[str, str]]] = {
    "K: distribution": {
        4: ("| p   R 1", "only what K_a"),
        6: ("| q   ->E 4, 4", "->E"),
        7: ("K_a q   KI 3-7", "not above it"),
    },
    "K: diamond": {
        4: ("| | p -> q   KE 1", "fewer are open above"),
        10: ("| | ~p   ~I 7-8", "~I, [φ … false]"),
        13: ("M_a q   ~I 4-11", "4-11 is not a subproof"),
    },
    "T: what is true is possible": {3: ("| p   T 2", "T, K_a φ ⊢ φ"), 5: ("| M_a p   ~I 2-4", "still open")},
    "S5: B": {
        7: ("| M_a p   R 5", "outside the strict subproof of row 6"),
        8: ("K_a M_a p   KI 5-7", "5-7 is not a subproof"),
    },
    "S5: a case that one knows about": {
        5: ("| ~K_a q   KE 2", "the box is about K_a"),
        11: ("| p   |E 4, 6-7", "|E"),
    },
    "KD45: consistent beliefs": {
        8: ("| false   R 7", "inside a subproof that is closed"),
        9: ("~(K_a p & K_a ~p)   ~I 1-7", "not a subproof"),
    },
    "announcements: told, then known": {6: ("| | [!p]p   !K 5", "!K"), 9: ("[!p]K_a p   !p 8", "!p")},
    "D: two together": {4: ("| p   KE 2", "KE 2 gives p -> q")},
    "C: each knows that the other knows": {2: ("K_b C_{a,b} q   CE 1", "CE, C_G φ")},
}
THEOREMS: Mapping[str, Theorem] = {
    **{name: _natural(name, mistakes) for name, mistakes in _MISTAKES.items()},
    "distribution from premises": _hilbert(
        "K",
        "K_a p, K_a (p -> q) ⊢ K_a q",
        """K_a p   given
        K_a (p -> q)   given
        K_a (p -> q) -> (K_a p -> K_a q)   K
        K_a p -> K_a q   MP 3, 2
        K_a q   MP 4, 1""",
        {
            3: ("K_a q   Nec 1", "rest on no premise"),
            4: ("K_a p -> K_a q   MP 3, 1", "not of the form"),
            5: ("K_a q   MP 4, 7", "line 7 is not above"),
        },
    ),
    "possible": _hilbert(
        "T",
        "p -> M_a p",
        "K_a ~p -> ~p   T\np -> M_a p   PL 1",
        {1: ("p -> K_a p   T", "not an instance of T")},
    ),
    "weakening": _hilbert(
        "K",
        "K_a p | K_a q -> K_a (p | q)",
        """p -> p | q   PL
        K_a p -> K_a (p | q)   RK 1
        q -> p | q   PL
        K_a q -> K_a (p | q)   RK 3
        K_a p | K_a q -> K_a (p | q)   PL 2, 4""",
        {1: ("p | q -> p   PL", "not a tautology"), 3: ("q -> p | q   Magic", "Magic")},
    ),
    "introspection": _hilbert(
        "KD45",
        "K_a ~K_a p | K_a K_a p",
        "K_a p -> K_a K_a p   4\n~K_a p -> K_a ~K_a p   5\nK_a ~K_a p | K_a K_a p   PL 1, 2",
    ),
    "B": _hilbert(
        "S5", "p ⊢ K_a M_a p", "p   given\nM_a p -> K_a M_a p   5\nK_a ~p -> ~p   T\nK_a M_a p   PL 1, 2, 3"
    ),
    "told": _hilbert("S5", "[!p]K_a p", "[!p]p   Red\nK_a [!p]p   Nec 1\n[!p]K_a p   Red 2"),
    "told all": _hilbert(
        "S5", "[!p]C_{a,b} p", "p -> [!p]p   Red\nE_{a,b} (p -> [!p]p)   Nec 1\n[!p]C_{a,b} p   Ind 2"
    ),
    "common": _hilbert(
        "K",
        "C_{a,b} p -> K_a p",
        """C_{a,b} p <-> E_{a,b} (p & C_{a,b} p)   Mix
        K_a (p & C_{a,b} p) -> K_a p   RK
        C_{a,b} p -> K_a p   PL 1, 2""",
    ),
}
