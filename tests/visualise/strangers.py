"""The models of the pictures in `by_others/`, which are drawn in the styles of textbooks and forums."""

from __future__ import annotations

from kripke_werewolf import KripkeModel


def arrows(text: str) -> list[tuple[str, str]]:
    """Return the pairs in a text like `u-v v-v`."""
    return [(pair.partition("-")[0], pair.partition("-")[2]) for pair in text.split()]


def model(
    worlds: str, relations: dict[str, str], true: dict[str, str], designated: str | None = None
) -> KripkeModel:
    """Return a model from texts; the worlds and the pairs stand apart by blanks."""
    return KripkeModel(
        worlds.split(),
        {agent: arrows(pairs) for agent, pairs in relations.items()},
        {atom: where.split() for atom, where in true.items()},
        designated.split() if designated else None,
    )


SQUARE = ["11", "10", "01", "00"]
WORDS = ["heads", "tails", "heads, told"]
MODELS = {
    "modal_library.tex": model(
        "w_1 w_2 w_3",
        {"a": "w_1-w_1 w_1-w_2", "b": "w_1-w_1 w_2-w_2 w_2-w_3 w_3-w_2"},
        {"p": "w_1", "q": "w_1 w_2"},
    ),
    "automata.tex": model("s t u", {"a": "s-t s-s t-u u-u", "b": "s-u s-s t-t"}, {"p": "u"}, "s"),
    "muddy_plain.tex": KripkeModel.from_partitions(
        ["mm", "mc", "cm", "cc"],
        {"1": [["mm", "cm"], ["mc", "cc"]], "2": [["mm", "mc"], ["cm", "cc"]]},
        {},
        ["mm"],
    ),
    "quotes.tex": model("u v", {"i": "u-v v-u", "j": "u-u v-v"}, {"h": "u"}, "u"),
    "points.tex": model("x y z", {"a": "x-y x-z x-x"}, {"p": "x z", "r": "z"}),
    "own_styles.tex": model("s_0 s_1 s_2", {"Ann": "s_0-s_1 s_1-s_1", "Bob": "s_0-s_2"}, {}, "s_0"),
    "two_lines.tex": model(
        "w_1 w_2 w_3",
        {
            "a": "w_1-w_1 w_2-w_2 w_3-w_3 w_1-w_2 w_2-w_1 w_2-w_3 w_3-w_2",
            "b": "w_1-w_1 w_2-w_2 w_3-w_3 w_2-w_3 w_3-w_2",
        },
        {"p": "w_1 w_2", "q": "w_1"},
        "w_1",
    ),
    "words.tex": KripkeModel(
        WORDS,
        {
            "Ann": [("heads, told", "heads"), ("heads", "tails")],
            "Bob": [("heads", "tails"), ("tails", "heads"), ("heads, told", "tails")],
        },
        {"told_1": ["heads, told"]},
    ),
    "plain_digraph.dot": model(
        "w1 w2 w3",
        {"a": "w1-w2 w1-w3 w3-w1 w3-w3", "b": "w1-w2 w2-w3 w3-w1"},
        {"p": "w1", "q": "w1 w2"},
        "w1",
    ),
    "undirected.dot": KripkeModel.from_partitions(
        SQUARE,
        {"a": [["11", "01"], ["10", "00"]], "b": [["11", "10"], ["01", "00"]]},
        {"m_a": ["11", "10"], "m_b": ["11", "01"]},
        ["11"],
    ),
    "defaults.dot": model("u v x", {"Ann": "u-u v-v x-x", "Bob": "u-v v-x x-u"}, {"p": "x"}),
    "start_arrow.dot": model("s0 s1", {"1": "s0-s1 s1-s0 s1-s1", "2": "s0-s0 s1-s0"}, {"p": "s1"}, "s0"),
    "valuations.dot": model("a b c d", {"i": "a-b b-a c-d d-d", "j": "a-c d-d"}, {"p": "a c", "q": "a b"}),
    "groups.dot": model(
        "1 2 3 4",
        {"i": "4-1 4-2 4-3 1-3 2-3", "j": "4-1 4-2 4-3 3-3 1-1"},
        {"drunk_1": "1", "tired": "1 4"},
        "4",
    ),
    "one_relation.dot": model("w v u", {"a": "w-v v-u u-u"}, {"p": "w"}, "w"),
}
"""The model that a reader sees in each file, written before the files were read by a program."""
