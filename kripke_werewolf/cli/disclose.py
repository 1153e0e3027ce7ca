"""The command `disclose`: what a published table gives away."""

from __future__ import annotations

from kripke_werewolf.cli.declared import Names, NewFile, Reply, Words, command
from kripke_werewolf.cli.output import write_file
from kripke_werewolf.logic.tables import disclose


@command("disclose")
def _disclose(
    source: str,
    *,
    sees: Names,
    secret: str,
    then: Words = (),
    announced: Words = (),
    bound: str = "1/2",
    output: NewFile | None = None,
) -> Reply:
    """Report what the table in the file SOURCE gives away about a person in one of its rows.

    SOURCE is a Parquet or CSV file, or a query in quotes. Prints for how many rows an observer who
    knows some columns of a person learns the secret, learns it but for one value, or can guess it; by which
    columns; and how k-anonymous and l-diverse the table is. Needs DuckDB.

    Exit code 0 if the secret is known for no row, 1 if it is for some.

    Options:
      --sees COLUMNS: What the observer knows of the person: columns of the table, separated by commas, or
        expressions, such as "age, zip // 10".
      --secret COLUMN: The column that nobody should learn, or an expression, such as "coalesce(ill, 'none')".
      --then FILE: A further table that has the person too, with the same secret and some of the same columns;
        may be repeated.
      --announced CONDITION: What the observer learns of the person's row, such as "age < 40"; may be
        repeated.
      --bound NUMBER: Count a secret as likely if one value has a probability above this.
      -o, --output FILE: Write the report to this file as a page.
    """
    found = disclose(source, sees, secret, then=then, announced=announced, bound=bound)
    if output is not None:
        write_file(output, found.document().to_page())
    return Reply([found.document().to_text()], found.to_dict(), yes=not found.stages[-1]["known"])
