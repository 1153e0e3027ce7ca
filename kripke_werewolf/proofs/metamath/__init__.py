"""Derivations as files that the program metamath checks."""
