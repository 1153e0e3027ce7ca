"""The local server: one page, its questions, and nobody else."""

import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from kripke_werewolf.teach.explorer import respond
from kripke_werewolf.teach.explorer.page.server import ExplorerServer
from tests.naming import naming

Serve = Callable[..., ExplorerServer]


def sent(server: ExplorerServer, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
    """Send a request as the page does, with other headers if given; return the code and the body."""
    address = urlsplit(server.url)
    own = {"Host": address.netloc}
    if method == "POST":
        own |= {"Origin": f"http://{address.netloc}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.putrequest(method, path, skip_host=True)
    content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    length = {"Content-Length": str(len(content))} if method == "POST" else {}
    for name, value in {**own, **length, **{k.replace("_", "-"): v for k, v in headers.items()}}.items():
        if value:
            connection.putheader(name, value)
    connection.endheaders(content)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_it_serves_the_page_and_answers_as_the_library(served: Serve) -> None:
    server = served(puzzle="muddy-children", n=3)
    assert server.server_address[0] == "127.0.0.1"
    path = urlsplit(server.url).path
    code, page = sent(server, "GET", path)
    assert code == 200
    assert "Content-Security-Policy" in page
    asked = {"do": {"command": "open", "puzzle": "cheryl"}, "want": ["title", "model"]}
    code, reply = sent(server, "POST", path + "answer", asked)
    assert (code, json.loads(reply)) == (200, json.loads(json.dumps(respond(asked))))


IT_REFUSES_OTHERS = [
    ("GET", "", {"Host": "example.org"}, 421),
    ("GET", "", {"Host": "example.org:80"}, 421),
    ("GET", "", {"Origin": "http://example.org"}, 403),
    ("POST", "answer", {"Origin": "http://example.org"}, 403),
    ("POST", "answer", {"Origin": "null"}, 403),
    ("POST", "answer", {"Origin": ""}, 403),
    ("POST", "stop", {"Origin": "http://example.org"}, 403),
    ("POST", "answer", {"Content-Type": "text/plain"}, 415),
    ("GET", "", {"Sec-Fetch-Site": "cross-site"}, 403),
    ("POST", "nothing", {}, 404),
    ("GET", "../", {}, 404),
]


def test_it_refuses_others(served: Serve) -> None:
    for method, name, headers, code in IT_REFUSES_OTHERS:
        with naming(method, name, headers, code):
            server = served(empty=True)
            path = urlsplit(server.url).path + name
            assert sent(server, method, path, {} if method == "POST" else None, **headers)[0] == code


def test_another_path_leads_nowhere(served: Serve) -> None:
    server, other = served(empty=True), served(puzzle="muddy-children", n=3)
    assert urlsplit(server.url).path != urlsplit(other.url).path
    assert len(urlsplit(server.url).path) >= 22
    assert sent(server, "GET", "/")[0] == 404
    assert sent(server, "GET", urlsplit(other.url).path)[0] == 404


def test_requests_that_are_no_questions(served: Serve) -> None:
    server = served(empty=True)
    path = urlsplit(server.url).path + "answer"
    assert sent(server, "POST", path, b"no JSON") == (400, "error: the request must be JSON\n")
    assert sent(server, "POST", path, b"[" * 100_000)[0] == 400
    assert sent(server, "POST", path, b"\xff\xfe")[0] == 400
    assert sent(server, "POST", path, b"{}", Content_Length="9000000")[0] == 413
    assert sent(server, "POST", path, b"{}", Content_Length="many")[0] == 411
    code, reply = sent(server, "POST", path, ["no", "request"])
    assert (code, json.loads(reply)["ok"]) == (200, False)


def test_a_question_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "kripke_werewolf.teach.explorer.page.server._CHILD",
        "import time\nfor line in open(0): time.sleep(600)",
    )
    with ExplorerServer(str, limit=0.2) as server:
        for _ in range(2):
            assert json.loads(server.ask("{}")) == {"ok": False, "stopped": True}
