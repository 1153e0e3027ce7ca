"""A task set for verifiers: `eval verifiers_taskset -m MODEL`, with examples/forge on the path.

The items are made when they are needed, from `--env.taskset.family`, `orders`, `agents`, `size` and `seed`.
"""

from collections.abc import Iterator

import verifiers.v1 as vf

from kripke_werewolf.research.forge import family_named, forged

__all__ = ["ForgeTaskset"]


class ForgeData(vf.TaskData):
    """A question about a story, and its answer."""

    answer: str
    order: int


class ForgeTask(vf.Task[ForgeData]):
    """A question that is answered with one of its choices."""

    @vf.reward(weight=1.0)
    async def right(self, trace: vf.Trace) -> float:
        """Return 1 for the answer, in any case and with or without a full stop, and 0 for any other."""
        said = trace.last_reply.strip().rstrip(".").casefold()
        return float(said == self.data.answer.casefold())


class ForgeConfig(vf.TasksetConfig):
    """What the items are to be like; `orders` are those of the questions."""

    family: str = "announcements"
    orders: tuple[int, ...] = (1, 2)
    agents: int = 4
    size: int = 100
    seed: int = 0


class ForgeTaskset(vf.Taskset[ForgeTask, ForgeConfig]):
    """Stories with questions about what people know and think."""

    def load(self) -> Iterator[ForgeTask]:
        """Yield the questions."""
        family = family_named(self.config.family)
        knobs = family.knobs(orders=self.config.orders, agents=self.config.agents)
        for item in forged(family, knobs, items=self.config.size, seed=self.config.seed):
            asked = f"{item.story}\n\n{item.question} Answer with one of: {', '.join(item.choices)}."
            data = ForgeData(id=item.id, prompt=asked, answer=item.answer, order=item.order)
            yield ForgeTask(data, self.config.task)
