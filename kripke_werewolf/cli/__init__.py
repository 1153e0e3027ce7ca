"""The command line, `kripke-werewolf COMMAND …`: each module declares the commands of one subject.

In come words of a shell; out go tables and sentences, plain or as JSON, and exit codes: 0 yes or done, 1
no, 2 not understood. A command's options are the parameters of the function that it calls (`declared`).

Begin with `declared`, then with any module of a subject. `main` finds commands, groups and near misses;
`sources` opens what is given; `output` prints.
"""

from kripke_werewolf.cli.main import main

__all__ = ["main"]
