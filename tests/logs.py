"""Logs for tests that edit them."""

import json
from hashlib import sha256


def signed(lines):
    """Return a log whose lines were edited, with the checksums that they need."""
    found, check = [], ""
    for line in lines:
        try:
            value = {**json.loads(line)}
        except (ValueError, TypeError):
            found.append(line)
            continue
        value.pop("check", None)
        text = json.dumps(value, ensure_ascii=False)
        check = sha256(f"{check}\n{text}".encode()).hexdigest()[:16]
        found.append(json.dumps({**value, "check": check}, ensure_ascii=False))
    return tuple(found)
