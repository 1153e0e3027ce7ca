"""Tests; run from the root of the repository."""
