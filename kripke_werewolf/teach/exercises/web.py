"""A sheet as a self-contained web page: read, answer, save the answers as a file."""

from __future__ import annotations

import json
from html import escape

from kripke_werewolf.base.reports.documents import filled_page, inert, whole_page
from kripke_werewolf.teach.exercises.forms import Form
from kripke_werewolf.teach.exercises.own_files import data_text
from kripke_werewolf.teach.exercises.rendering import marked, pictures_of, to_html
from kripke_werewolf.teach.exercises.sheet import Variant
from kripke_werewolf.teach.exercises.submissions import template


def web_page(variant: Variant, *, name: str = "", file: str = "answers.txt") -> str:
    """Return a sheet as a page with fields for the answers and a button that saves them.

    While a student types, the page says how the answer is read, or why it cannot be; not whether it is right.
    `name`: the student's; `file`: the name of the saved file.
    """
    student = name or variant.student
    parts = [f"<h1>{escape(variant.sheet.title)}</h1>"]
    if student:
        parts.append(f'<p class="name">{escape(student)}</p>')
    if variant.sheet.text:
        parts.append(f"<p>{escape(variant.sheet.text)}</p>")
    for number, exercise in enumerate(variant.exercises, 1):
        parts.append(f'<section data-task="{number}">')
        heading, listed = variant.heading(number), not exercise.form.options
        parts.append(to_html(exercise, heading=heading, pictures=pictures_of(exercise), options=listed))
        parts.append(_field(exercise.form, number))
        parts.append("</section>")
    head = template(variant, fields=False)
    script = filled_page(data_text("sheet.js"), {"head": inert(head), "file": inert(file)})
    parts.append(
        '<p class="screen"><button id="save" type="button">Save my answers</button><br>'
        f"This saves the file {escape(file)}, which you hand in. Nothing is sent from this page.</p>"
    )
    parts.append(f"<script>{data_text('forms.js')}{script}</script>")
    return whole_page(variant.sheet.title, "\n".join(parts), data_text("sheet.css"))


def _field(form: Form, number: int) -> str:
    options = form.options
    if not options:
        label = f'aria-label="Your answer to task {number}" aria-describedby="read{number}"'
        data = f'data-form="{escape(json.dumps(form.to_dict(), ensure_ascii=False, default=str))}"'
        field = f'<textarea rows="{form.lines + 1}" {label} {data} spellcheck="false"></textarea>'
        return f'{field}<p class="read screen" id="read{number}" role="status"></p>'
    kind, look, boxes = "checkbox" if form.several else "radio", "", list[tuple[str, str]]()
    for answer, label in options:
        said = escape(label)
        if answer != label:
            said, look = f"{escape(answer)}. {marked(label)}", ' class="long"'
        boxes.append((answer, said))
    if form.several:
        boxes.append(("none", "none of them"))
    named = f'type="{kind}" name="task{number}"'
    labels = [f'<label><input {named} value="{escape(answer)}"> {said}</label>' for answer, said in boxes]
    return f"<fieldset{look}><legend>Your answer</legend>{''.join(labels)}</fieldset>"
