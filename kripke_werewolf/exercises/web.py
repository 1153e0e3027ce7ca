"""A sheet as a self-contained web page: read, answer, save the answers as a file."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files

from kripke_werewolf.exercises.forms import Form
from kripke_werewolf.exercises.rendering import marked, pictures_of, to_html
from kripke_werewolf.exercises.sheet import Variant
from kripke_werewolf.exercises.submissions import template
from kripke_werewolf.reports.documents import filled_page, inert, whole_page


def web_page(variant: Variant, *, name: str = "", file: str = "answers.txt") -> str:
    """Return a sheet as a page with fields for the answers and a button that saves them.

    While a student types, the page says how the answer is read, or why it cannot be; not whether it is right.
    `name`: the student's; `file`: the name of the saved file.
    """
    student = name or variant.student
    parts = [
        f"<h1>{escape(variant.sheet.title)}</h1>",
        f'<p class="name">{escape(student)}</p>' if student else "",
    ]
    parts += [f"<p>{escape(variant.sheet.text)}</p>"] if variant.sheet.text else []
    for number, exercise in enumerate(variant.exercises, 1):
        svgs = [picture.svg for picture in pictures_of(exercise)]
        parts.append(f'<section data-task="{number}">')
        fields = bool(exercise.form.options)
        parts.append(to_html(exercise, heading=variant.heading(number), pictures=svgs, options=not fields))
        parts.append(_field(exercise.form, number))
        parts.append("</section>")
    head = template(variant, fields=False)
    script = filled_page(_asset("sheet.js"), {"head": inert(head), "file": inert(file)})
    parts.append(
        '<p class="screen"><button id="save" type="button">Save my answers</button><br>'
        f"This saves the file {escape(file)}, which you hand in. Nothing is sent from this page.</p>"
    )
    parts.append(f"<script>{_asset('forms.js')}{script}</script>")
    return whole_page(variant.sheet.title, "\n".join(filter(None, parts)), _asset("sheet.css"))


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _field(form: Form, number: int) -> str:
    options = form.options
    if not options:
        label = f'aria-label="Your answer to task {number}" aria-describedby="read{number}"'
        data = f'data-form="{escape(json.dumps(form.to_dict(), ensure_ascii=False, default=str))}"'
        field = f'<textarea rows="{form.lines + 1}" {label} {data} spellcheck="false"></textarea>'
        return f'{field}<p class="read screen" id="read{number}" role="status"></p>'
    kind = "checkbox" if form.several else "radio"
    look = ' class="long"' if any(option.answer != option.label for option in options) else ""
    boxes = "".join(
        f'<label><input type="{kind}" name="task{number}" value="{escape(option.answer)}"> '
        f"{_labelled(option.answer, option.label)}</label>"
        for option in options
    )
    if form.several:
        boxes += f'<label><input type="checkbox" name="task{number}" value="none"> none of them</label>'
    return f"<fieldset{look}><legend>Your answer</legend>{boxes}</fieldset>"


def _labelled(answer: str, label: str) -> str:
    return escape(label) if answer == label else f"{escape(answer)}. {marked(label)}"
