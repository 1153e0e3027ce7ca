"""What every part of the library rests on: it knows no logic and no game."""
