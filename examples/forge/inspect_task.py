"""A task for inspect: `inspect eval examples/forge/inspect_task.py -T file=items.jsonl --model MODEL`."""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

from kripke_werewolf.research.forge import read_items


@task
def forge(file: str = "items.jsonl") -> Task:
    """Return the questions of a file of items, with their choices."""
    samples = [
        Sample(
            input=f"{item.story}\n\n{item.question}",
            choices=list(item.choices),
            target="ABCDEFGHIJKLMNOPQRSTUVWXYZ"[item.choices.index(item.answer)],
            id=item.id,
            metadata={"family": item.family, "order": item.order, "order_needed": item.order_needed},
        )
        for item in read_items(file)
    ]
    return Task(dataset=MemoryDataset(samples), solver=multiple_choice(), scorer=choice())
