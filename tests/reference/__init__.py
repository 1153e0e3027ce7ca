"""Slow, obviously right implementations to test against."""
