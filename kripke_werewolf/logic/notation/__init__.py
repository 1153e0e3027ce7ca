"""Formulas as logicians and other programs write them: `parser` reads our notation, `foreign` others."""
