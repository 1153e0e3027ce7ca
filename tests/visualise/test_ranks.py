"""Pictures of models with ranks: layers, and what the caption says of them."""

import pytest

import visualise
from kripke_werewolf import KripkeModel

RANKS = dict(zip("wvuxyz", (0, 3, 5, 1, 0, 1), strict=True))


@pytest.mark.parametrize("agents", ["a", "ab"])
def test_layers_are_drawn_and_said(agents: str) -> None:
    cells = {"a": ["wvu", "xyz"], "b": ["wx", "vy", "uz"]}
    m = KripkeModel.from_partitions("wvuxyz", cells, {"p": ["w"]}, "w", ranks=dict.fromkeys(agents, RANKS))
    scene = m.draw()
    nodes = {node.world: node for node in scene.nodes}
    said = {w: " ".join(piece.text for text in node.texts for piece in text) for w, node in nodes.items()}
    assert all(f"a: {layer}°" in said[w] for w, layer in zip("wvuxyz", (0, 1, 2, 1, 0, 1), strict=True))
    assert "finds k layers" in " ".join(piece.text for note in scene.notes for piece in note.text)
    if agents == "a":  # the most plausible at the bottom
        rows = {w: round(node.position.y, 3) for w, node in nodes.items()}
        assert rows["w"] == rows["y"] < rows["v"] == rows["x"] == rows["z"] < rows["u"]


def test_a_picture_keeps_ranks(tmp_path: object) -> None:
    m = KripkeModel.from_partitions("wv", {"a": ["wv"]}, {"p": ["w"]}, ranks={"a": {"w": 1, "v": 0}})
    visualise.save(m, f"{tmp_path}/m.svg")
    assert visualise.read(f"{tmp_path}/m.svg") == m
