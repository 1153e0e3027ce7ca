"""A sheet as a self-contained web page: read, answer, save the answers as a file."""

from __future__ import annotations

import json
from html import escape

from kripke_werewolf.exercises.forms import Form
from kripke_werewolf.exercises.rendering import marked, pictures_of, to_html
from kripke_werewolf.exercises.sheet import Variant
from kripke_werewolf.exercises.submissions import template
from kripke_werewolf.reports.documents import whole_page

_STYLE = """
h2 { margin-top: 2.5rem; border-top: 1px solid #ccc; padding-top: 1rem; font-size: 1.2rem; }
textarea { width: 100%; box-sizing: border-box; font: 1rem/1.4 ui-monospace, monospace; }
fieldset { border: 1px solid #ccc; margin: 0.5rem 0; }
fieldset label { display: inline-block; padding: 0.4rem 1rem 0.4rem 0; }
fieldset.long label { display: block; }
svg, img { max-width: 100%; height: auto; }
code { font-size: 1.05em; white-space: pre-wrap; }
details { margin: 0.5rem 0; color: #444; }
button { font-size: 1.05rem; padding: 0.5rem 1.2rem; margin: 1.5rem 0; }
.name { color: #444; }
@media print { button, fieldset, textarea, details, .screen { display: none; } }
"""

# reads the fields of each task, and saves them for the lecturer's program
_SCRIPT = """
function answers() {
  const said = [];
  document.querySelectorAll("[data-task]").forEach((part) => {
    const ticked = [...part.querySelectorAll("input:checked")].map((box) => box.value);
    const free = part.querySelector("textarea");
    const text = free ? free.value.trim() : ticked.join(", ");
    said.push("Task " + part.dataset.task + ":" + (text.includes("\\n") ? "\\n" : " ") + text + "\\n");
  });
  return HEAD + "\\n" + said.join("\\n");
}
document.getElementById("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([answers()], { type: "text/plain;charset=utf-8" }));
  link.download = FILE;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
"""


def web_page(variant: Variant, *, name: str = "", file: str = "answers.txt") -> str:
    """Return a sheet as a page with fields for the answers and a button that saves them.

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
    script = _SCRIPT.replace("HEAD", _script_text(head)).replace("FILE", _script_text(file))
    parts.append(
        '<p class="screen"><button id="save" type="button">Save my answers</button><br>'
        f"This saves the file {escape(file)}, which you hand in. Nothing is sent from this page.</p>"
    )
    parts.append(f"<script>{script}</script>")
    return whole_page(variant.sheet.title, "\n".join(filter(None, parts)), _STYLE)


def _field(form: Form, number: int) -> str:
    options = form.options
    if not options:
        label = f'aria-label="Your answer to task {number}"'
        return f'<textarea rows="{form.lines + 1}" {label} spellcheck="false"></textarea>'
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


def _script_text(text: str) -> str:
    """Return a string as JavaScript, so that it cannot end the script."""
    return json.dumps(text).replace("<", "\\u003c")
