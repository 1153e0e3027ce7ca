"""What everything rests on, without logic or games: errors, files, settings, displays, sentences, tables.

In come names, strings and numbers; out go values, messages in one voice (`errors`, `usage`), sentences in a
player's language (`wording`), tables and documents (`reports`), bytes on a disk (`files`). Nothing here
imports another room; what a room below must reach above is found by name (`drawing`, `provided`).

Begin with `errors`: what can go wrong, and how it is said. `usage` explains names that do not exist,
`reader` reads small languages line by line, `display` shows values in terminals and notebooks, `drawing`
holds the functions that draw. The words that mean the same are in `usage.txt`, the calls to suggest in
`calls.txt`.
"""
