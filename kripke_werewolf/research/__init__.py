"""Stories as programs, plans and policies, certified questions for theory-of-mind studies, an arena.

In come models, actions, goals, story files and seeds; out go plans with their proofs of success, played
stories, and sets of questions whose answers and depth are certified.

`stories` runs scenarios in plain text as programs and tests; `planning` finds plans and policies, and reads
and writes EPDDL; `forge` makes stories about who believes what, and checks published sets of them. In the
`arena` programs and language models play, and are scored by what each of them could know.

Begin with `stories.story`, the smallest whole; then `planning.task`, and `forge.family`.
"""
