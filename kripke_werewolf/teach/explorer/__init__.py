"""The logic behind the explorer: pure functions from a state and a command to a new state and a view.

The page, the local server and the notebook send a request as JSON and get a reply as JSON; see `respond`.
Nothing here draws on a screen or opens a file or a connection.
"""

from kripke_werewolf.teach.explorer.replies import respond, respond_json
from kripke_werewolf.teach.explorer.state import State, link, state_of_link

__all__ = ["State", "link", "respond", "respond_json", "state_of_link"]
