"""Notebooks of exercises as students hand them in."""

import json
from collections.abc import Sequence
from typing import Any


def answered(notebook: dict[str, Any], answers: Sequence[str]) -> dict[str, Any]:
    """Return a notebook with answers filled in, as a student would."""
    filled: dict[str, Any] = json.loads(json.dumps(notebook))
    for cell in filled["cells"]:
        source = "".join(cell["source"])
        for number, answer in enumerate(answers, 1):
            if cell["cell_type"] == "code" and f"answer_{number} = " in source and "_test" not in cell["id"]:
                head = source.split(f"answer_{number} = ", 1)[0]
                cell["source"] = f"{head}answer_{number} = {answer!r}"
    return filled
