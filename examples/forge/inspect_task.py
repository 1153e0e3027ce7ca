"""A task for inspect: `inspect eval examples/forge/inspect_task.py -T file=items.jsonl --model MODEL`."""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import SampleScore, accuracy, choice, metric, scorer
from inspect_ai.solver import multiple_choice

from kripke_werewolf.research.forge import read_items
from kripke_werewolf.research.forge.judged import group_shares


def _share(kind):
    def share(scores: list[SampleScore]) -> float:  # without this annotation inspect leaves out the samples
        about = [(score.sample_metadata, score.score.as_float() == 1) for score in scores]
        rows = [(meta["group"], meta["corner"], right) for meta, right in about]
        return group_shares(rows).get(kind, 0.0)

    return share


@metric
def pairs():
    """Return the share of pairs that are wholly right."""
    return _share("pairs")


@metric
def quadruples():
    """Return the share of quadruples that are wholly right."""
    return _share("quadruples")


@scorer(metrics=[accuracy(), pairs(), quadruples()])
def choice_in_groups():
    """Return the scorer of choices."""
    return choice()


@task
def forge(file: str = "items.jsonl") -> Task:
    """Return the questions of a file of items, with their choices."""
    samples = [
        Sample(
            input=f"{item.story}\n\n{item.question}",
            choices=list(item.choices),
            target="ABCDEFGHIJKLMNOPQRSTUVWXYZ"[item.choices.index(item.answer)],
            id=item.id,
            metadata={"order": item.order, "group": item.group, "corner": list(item.corner)},
        )
        for item in read_items(file)
    ]
    return Task(dataset=MemoryDataset(samples), solver=multiple_choice(), scorer=choice_in_groups())
