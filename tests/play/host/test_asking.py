"""The page that asks one person, by the requests of a browser."""

import json
import re
from queue import SimpleQueue
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from kripke_werewolf.play.host.asking import Person


class Prompt(str):
    options: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


@pytest.fixture
def person():
    made = Person()
    yield made
    made.close()


def page(person: Person, **given: str) -> str:
    sent = urlencode({key.replace("chance_", "% "): value for key, value in given.items()})
    with urlopen(person.address, sent.encode() if given else None) as found:
        return found.read().decode()


def asked(person: Person, prompt: Prompt) -> SimpleQueue[str]:
    """Ask in another thread; return where the answer will be, once the page has the question."""
    answers: SimpleQueue[str] = SimpleQueue()
    Thread(target=lambda: answers.put(person(prompt)), daemon=True).start()
    while "Waiting" in page(person):
        pass
    return answers


def test_a_person_answers_once(person: Person) -> None:
    for number, name in enumerate(("Bo & <b>", "Cy"), 1):
        prompt = Prompt(f"You are Ann. {name}?")
        prompt.options, prompt.facts = (name, "nobody"), ("wolf_Bo",)
        answers = asked(person, prompt)
        form = page(person)
        assert "<b>" not in form
        assert re.findall(r"name=number value=(\d+)", form) == [str(number)]
        assert "Waiting" in page(person, number=str(number), move=name, chance_wolf_Bo="40")
        answer = json.loads(answers.get(timeout=5))
        assert answer == {"move": name, "beliefs": {"wolf_Bo": "40%"}}
        page(person, number=str(number), move="nobody")
        assert person._answers.empty()


def test_an_answer_to_an_earlier_question_is_not_taken(person: Person) -> None:
    answers = asked(person, Prompt("Say something."))
    page(person, number="7", say="late")
    assert answers.empty()
    page(person, number="1", say="now")
    assert json.loads(answers.get(timeout=5))["say"] == "now"


def test_the_address_is_secret(person: Person) -> None:
    asked(person, Prompt("A secret."))
    with pytest.raises(HTTPError) as refused, urlopen(person.address[:-4]):
        pass
    assert b"secret" not in refused.value.read()
