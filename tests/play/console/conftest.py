import pytest

from tests.play.console.terminal import Pty


@pytest.fixture
def terminal(tmp_path, request):
    """Start the program in a pseudo-terminal of the module's size."""
    opened, size = [], getattr(request.module, "SIZE", (200, 50))
    yield lambda *args, **more: opened.append(Pty(*args, cwd=tmp_path, size=size, **more)) or opened[-1]
    for each in opened:
        each.close()
