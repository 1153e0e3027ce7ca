"""Another distribution may have a package `visualise`, too: the one installed last overwrites the other."""

import warnings
from importlib.util import find_spec

_FIRST_LINE = '"""Pictures of models, updates and games."""'


def warn_if_foreign() -> None:
    """Warn if the `visualise` that Python finds is not the one that draws for this library.

    Its file is read and not run: importing it would load matplotlib, or somebody else's program.
    """
    spec = find_spec("visualise")
    if spec is None or spec.origin is None:
        return
    try:
        with open(spec.origin, encoding="utf-8", errors="replace") as file:
            ours = file.readline().rstrip() == _FIRST_LINE
    except OSError:
        return
    if not ours:
        warnings.warn(
            f"the package visualise at {spec.origin} is not the one that draws for kripke_werewolf; pictures "
            "will fail. If another distribution has overwritten it: uninstall that one, then "
            "'pip install --force-reinstall --no-deps kripke-werewolf'",
            RuntimeWarning,
            stacklevel=3,
        )
