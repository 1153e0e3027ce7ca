"""Derivations as files for the proof checker Metamath, and the program if it is installed."""

from tests.reference.metamath.export import MetamathFile, primitive_file, to_metamath
from tests.reference.metamath.program import INSTALLED, accepts, verdict

__all__ = ["INSTALLED", "MetamathFile", "accepts", "primitive_file", "to_metamath", "verdict"]
