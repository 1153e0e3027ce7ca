"""Kripke models and what belongs to them."""

from kripke_werewolf.models.model import DEFAULT_LIMIT, KripkeModel

__all__ = ["DEFAULT_LIMIT", "KripkeModel"]
