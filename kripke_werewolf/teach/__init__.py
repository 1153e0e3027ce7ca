"""A course: exercises with keys and grading, sheets and classes, the explorer in a browser.

In come a lecturer's tasks, or kinds and seeds; out go sheets, keys, marks with reasons, files for other
systems, and pages on which a model is built, announced to and asked.

`exercises` has one module for each family of kinds, `sheet` and `classes` for many students, `grading`, and
one module for each system that sheets are exported to. `explorer` is the page's logic (states, commands,
views); `explorer.page` serves it, packs it into one file, or puts it into a notebook.

Begin with `exercises.exercise`: what a kind of exercise declares.
"""
