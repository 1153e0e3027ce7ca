"""The explorer as a widget, in a notebook that is executed."""

from pathlib import Path

import pytest

from kripke_werewolf import FormatError, KripkeModel
from kripke_werewolf.logic.puzzles import puzzle

pytest.importorskip("anywidget")

from kripke_werewolf.teach.explorer.page.notebook import Explorer

VIEW = "application/vnd.jupyter.widget-view+json"


def test_a_notebook_shows_the_widget(tmp_path: Path) -> None:
    import nbformat  # reads a grammar when it is imported: only where it is needed
    from nbclient import NotebookClient

    cells = [
        "from kripke_werewolf.teach.explorer.page.notebook import Explorer\n"
        "from kripke_werewolf.logic.puzzles import puzzle\n"
        "shown = Explorer(puzzle('muddy-children', n=3).model.announce('muddy_1'))\nshown",
        "request = {'state': shown._state, 'do': {'command': 'announce', 'formula': 'muddy_2'}}\n"
        "shown._handle_custom_msg({'id': 1, 'request': request}, [])\nprint(len(shown.model))",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=120, kernel_name="python3", store_widget_state=True).execute(
        cwd=tmp_path
    )
    first, second = notebook.cells
    assert VIEW in first.outputs[0].data
    assert second.outputs[0].text == "2\n"
    kept = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    state = kept[first.outputs[0].data[VIEW]["model_id"]]["state"]
    assert "export default { render }" in state["_esm"]
    assert ".kripke-explorer" in state["_css"]
    assert len(state["_state"]["steps"]) == 1


def test_what_a_widget_opens(tmp_path: Path) -> None:
    model = puzzle("muddy-children", n=2).model
    assert Explorer("muddy-children", n=2).model == model
    path = tmp_path / "model.json"
    model.save(path)
    assert Explorer(path).model == Explorer(str(path)).model == Explorer(model).model == model
    assert len(Explorer().model) == 0
    with pytest.raises(FormatError, match="a size is for puzzles"):
        Explorer(path, n=2)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(FormatError, match="line 1"):
        Explorer(path)


def test_a_widget_answers_each_message(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = Explorer(KripkeModel(["w"], {"a": []}, {"p": ["w"]}))
    replies: list[object] = []
    monkeypatch.setattr(widget, "send", replies.append)
    widget._handle_custom_msg({"id": 7, "request": {"do": {"command": "dance"}}}, [])
    (reply,) = replies
    assert isinstance(reply, dict)
    assert (reply["id"], reply["reply"]["ok"]) == (7, False)
    assert len(widget.model) == 1
