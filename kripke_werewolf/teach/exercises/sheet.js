// reads the fields of each task, and saves them for the lecturer's program
function answers() {
  const said = [];
  document.querySelectorAll("[data-task]").forEach((part) => {
    const ticked = [...part.querySelectorAll("input:checked")].map((box) => box.value);
    const free = part.querySelector("textarea");
    const text = free ? free.value.trim() : ticked.join(", ");
    said.push("Task " + part.dataset.task + ":" + (text.includes("\n") ? "\n" : " ") + text + "\n");
  });
  return @@head@@ + "\n" + said.join("\n");
}
document.querySelectorAll("textarea[data-form]").forEach((field) => {
  const line = field.nextElementSibling, form = JSON.parse(field.dataset.form);
  const tell = () => {
    const { ok, said } = readable(form, field.value);
    line.textContent = said && !ok ? "This cannot be read: " + said : said;
    line.classList.toggle("wrong", !ok);
  };
  field.addEventListener("input", tell);
  tell();
});
document.getElementById("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([answers()], { type: "text/plain;charset=utf-8" }));
  link.download = @@file@@;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
