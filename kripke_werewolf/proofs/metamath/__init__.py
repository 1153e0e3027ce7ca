"""Derivations as files for the proof checker Metamath."""

from kripke_werewolf.proofs.metamath.export import MetamathFile, primitive_file, to_metamath

__all__ = ["MetamathFile", "primitive_file", "to_metamath"]
