"""The words of puzzles: what is declared for reading is what is printed, under any names and of any size."""

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from kripke_werewolf import Atom, FormulaSyntaxError, K, Kw, from_sentence, to_sentence
from kripke_werewolf.logic.english.sentence_parser import read_question
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.puzzles import PUZZLES, puzzle
from tests.cases import cases

SIZES = {
    "muddy-children": (2, 6),
    "drinking-logicians": (2, 5),
    "dining-cryptographers": (3, 5),
    "surprise-exam": (2, 7),
    "consecutive-numbers": (6, 12),
    "gossip": (2, 4),
    "prisoners": (2, 3),
    "coordinated-attack": (1, 12),
    "nearest-worlds": (2, 5),
}
NAMES = ("Ann", "Bob Lee", "Mary_Ann", "Mary", "x", "7", "Zoë")


def words_of(name: str, n: int | None) -> Vocabulary:
    """Return the words of a puzzle with the names of its model."""
    return puzzle(name, n).model.words


def renamed(about: Vocabulary, rng: Random) -> Vocabulary:
    """Return the words with other names of the agents, also in the atoms that begin or end with them."""
    names = dict(zip(about.agents, rng.sample(NAMES, len(about.agents)), strict=True))
    atoms = ("_".join(names.get(part, part) for part in atom.split("_")) for atom in about.atoms)
    return replace(about, agents=tuple(names.values()), atoms=tuple(dict.fromkeys(atoms)))


@pytest.mark.parametrize("name", PUZZLES)
def test_every_atom_is_read_as_it_is_printed(name: str) -> None:
    rng = Random(name)
    for n in SIZES.get(name, (None,)):
        plain = words_of(name, n)
        said_by_name = "_{who" in str(plain.phrases) or "{who}_" in str(plain.phrases)
        for about in (plain, renamed(plain, rng)) if said_by_name and len(plain.agents) <= 6 else (plain,):
            for atom in rng.sample(about.atoms, min(12, len(about.atoms))):
                one, other = rng.choice(about.agents), rng.choice(about.agents)
                for f in (Atom(atom), ~Atom(atom), K(one, ~Atom(atom)), K(one, ~Kw(other, Atom(atom)))):
                    said = to_sentence(f, vocabulary=about)
                    assert read_question(said, about) is f, said
                    assert "_" not in said or "Mary_Ann" in said, said


@pytest.mark.parametrize("name", PUZZLES)
def test_reasons_are_given_in_the_words_of_the_puzzle(name: str) -> None:
    found = puzzle(name)
    model = found.model
    for agent in islice(model.agents, 2):
        for atom in islice(model.atoms, 2):
            why = model.explain(Kw(agent, atom), at=next(iter(model.worlds)))
            said = to_sentence(Atom(atom), vocabulary=model.words).removesuffix(".")
            assert said[1:] in str(why).replace(" not ", " ")
            assert f"{atom} is true" not in str(why)
            assert f"{atom} is false" not in str(why)


@cases(
    ("cheryl", "When is Cheryl's birthday?", "possibly May 15, May 16, May 19, June 17"),
    ("cheryl", "Does Bernard know when Cheryl's birthday is?", "in 2 of 10 worlds"),
    ("cheryl", "Could the birthday be June 17?", "yes"),
    ("three-wise-men", "Does man 3 know the colour of his own hat?", "no"),
    ("three-wise-men", "Who knows that man 1's hat is red?", "2, 3"),
    ("three-wise-men", "Does man 2 wear a white hat?", "no"),
    ("three-wise-men", "Is everybody's hat red?", "yes"),
    ("three-wise-men", "Does man 2 see that somebody has a red hat?", "yes"),
    ("gossip", "Who knows everybody's secret?", "nobody"),
    ("gossip", "Does 1 know somebody's secret?", "yes"),
    ("russian-cards", "Which cards does a hold?", "card 0, card 1, card 2"),
    ("russian-cards", "Does b know which card c holds?", "no"),
    ("hexa", "Who holds card 1?", "b"),
    ("hexa", "Does a have card 1 or card 2?", "no"),
    ("sally-anne", "Where is the marble?", "in the box"),
    ("consecutive-numbers", "Does a know b's number?", "in 2 of 20 worlds"),
    ("drinking-logicians", "Who wants a beer?", "1, 2, 3"),
    ("dining-cryptographers", "Has cryptographer 1 paid?", "yes"),
    ("resistance", "Who is a spy?", "1, 2"),
    ("aces-and-eights", "Could player 1 hold two aces?", "yes"),
    ("surprise-exam", "Does student know when the exam is?", "no"),
    ("coordinated-attack", "Does general A know that message 1 has arrived?", "in 11 of 13 worlds"),
    ("coordinated-attack", "Is it common knowledge that message 1 has arrived?", "no"),
    ("diagnosis", "Does doc believe that the illness is flu?", "yes"),
    ("nearest-worlds", "Which lamps are on?", ""),
)
def test_questions_about_things(name: str, question: str, answer: str) -> None:
    if not answer:
        with pytest.raises(FormulaSyntaxError):
            puzzle(name).ask(question)
        return
    said = str(puzzle(name).ask(question))
    assert said == answer or ("possibly" in answer and answer in said), said


def test_a_phrase_may_deny_and_may_be_read_only() -> None:
    box = {"key": "the key is in the box"}
    about = Vocabulary(("Bo",), ("key",), phrases=(*box.items(), ("~key", "the key is in the drawer")))
    assert to_sentence("K_Bo ~key", vocabulary=about) == "Bo knows that the key is not in the box."
    assert read_question("Does Bo know that the key is in the drawer?", about) is K("Bo", ~Atom("key"))
    assert from_sentence("the key is in the box", phrases=box) is Atom("key")


def test_an_answer_is_given_once_for_a_thing_that_has_two_phrases() -> None:
    found = read_question("Does Albert know when Cheryl's birthday is?", words_of("cheryl", None))
    assert len(found.children) == len(set(found.children)) == 10


def test_a_condition_is_said_in_the_words_of_the_puzzle() -> None:
    model = puzzle("three-wise-men").model
    answer = model.point(*model.worlds).ask("Is 2's hat red if 1's hat is white?")
    assert str(answer).endswith("of the worlds where man 1's hat is not red")
    children = puzzle("muddy-children", 3).model
    answer = children.point(*children.worlds).ask("Is child 2 muddy if child 1 or child 3 is clean?")
    assert str(answer) == "in 3 of 6 of the worlds where child 1 or child 3 is not muddy"
