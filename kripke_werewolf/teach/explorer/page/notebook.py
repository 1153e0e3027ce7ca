"""The explorer as a notebook widget, displayed in an output cell and answered by the kernel.

It needs the extra `notebook`: `pip install "kripke-werewolf[notebook]"`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kripke_werewolf.base.errors import FormatError, KripkeError, missing_package
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.teach.explorer import respond
from kripke_werewolf.teach.explorer.page.html import english, open_arguments
from kripke_werewolf.teach.explorer.page.pyodide import asset
from visualise.html_output import script

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    what = "the explorer in a notebook"
    raise KripkeError(missing_package(what, str(error.name), extra="notebook")) from None


class Explorer(anywidget.AnyWidget):
    """The explorer as a widget.

    `source`: a model, the name of a puzzle (with `n` if it has a size), or the path of a file: a model, a
    story, an exercise or a set of them, the log of a game (seen by `player`, or else publicly). Without it
    the board is empty.

    Raises `FormatError` if the source cannot be opened.
    """

    _esm = script("widget", asset)
    _css = asset("style.css")
    _state = traitlets.Dict().tag(sync=True)
    _words = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        source: KripkeModel | str | Path | None = None,
        *,
        n: int | None = None,
        player: str | None = None,
    ) -> None:
        if isinstance(source, KripkeModel):
            start = {"text": json.dumps(source.to_dict())}
        else:
            start = open_arguments(None if source is None else str(source), n)
        reply = respond({"do": {"command": "open", **start, "player": player}, "want": []})
        if not reply["ok"]:
            raise FormatError(reply["error"]["message"])
        super().__init__(_state=reply["state"], _words=english())
        self.on_msg(self._answer)

    @property
    def model(self) -> KripkeModel:
        """The model that the widget shows, after all edits and announcements."""
        found = respond({"state": self._state, "do": {"command": "copy", "what": "json"}, "want": []})
        return KripkeModel.from_dict(json.loads(found["result"]["text"]))

    def _answer(self, _: object, content: Mapping[str, Any], buffers: object) -> None:
        reply = respond(content.get("request"))
        if reply["ok"] and reply["state"] != self._state:
            self._state = reply["state"]
        self.send({"id": content.get("id"), "reply": reply})
