"""A data set for reasoning-gym: `create_dataset("forge", family="gossip", size=100, seed=7)`."""

from dataclasses import dataclass
from itertools import islice
from typing import Any

from reasoning_gym.factory import ProceduralDataset, register_dataset

from kripke_werewolf.research.forge import family_named, forged


@dataclass
class ForgeConfig:
    """What the items are to be like; `orders` are those of the questions."""

    family: str = "announcements"
    orders: tuple[int, ...] = (1, 2)
    agents: int = 4
    size: int = 100
    seed: int | None = None

    def validate(self) -> None:
        """Raise `GameError` for what is not possible."""
        family_named(self.family).knobs(orders=tuple(self.orders), agents=self.agents)


class ForgeDataset(ProceduralDataset):
    """Stories with questions about what people know and think."""

    def __init__(self, config: ForgeConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        family = family_named(config.family)
        knobs = family.knobs(orders=tuple(config.orders), agents=config.agents)
        made = forged(family, knobs, items=config.size, seed=self.seed)
        self.items = list(islice(made, config.size))

    def __getitem__(self, idx: int) -> dict[str, Any]:
        item = self.items[idx]
        asked = f"{item.story}\n\n{item.question} Answer with one of: {', '.join(item.choices)}."
        metadata = {"source_dataset": "forge", "source_index": idx, "order": item.order, "id": item.id}
        return {"question": asked, "answer": item.answer, "metadata": metadata}

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return 1 for the answer, in any case and with or without a full stop, and 0 for any other."""
        said = (answer or "").strip().rstrip(".").casefold()
        return float(said == entry["answer"].casefold())


register_dataset("forge", ForgeDataset, ForgeConfig)
