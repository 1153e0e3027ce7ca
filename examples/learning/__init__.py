"""Games of the library for programs that learn to play: see docs/learning-programs.md."""
