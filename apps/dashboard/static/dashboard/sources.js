// What the pages about sources do more with scripts: previews while typing, fields at a click, files to drop.
"use strict";

const fieldOf = (element, name) => element.closest("form").elements[name];

const tell = (field) => field.dispatchEvent(new Event("input", { bubbles: true }));

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fills], [data-inserts], [data-picks]");
  if (!button) return;
  const { fills, inserts, picks, value } = button.dataset;
  const field = fieldOf(button, fills || inserts || picks);
  if (inserts) {
    field.setRangeText(value, field.selectionStart, field.selectionEnd, "end");
    field.focus();
    tell(field);
  } else {
    field.value = value;
    tell(fills ? field : [...field].find((choice) => choice.checked));
  }
});

// Buttons that only scripts can press show once there are any.
const reveal = (within) => {
  for (const button of within.querySelectorAll("[data-picks][hidden]")) button.hidden = false;
};
reveal(document);
document.addEventListener("htmx:afterSwap", (event) => reveal(event.target));

// What is large is previewed when asked for, not at every keystroke.
document.addEventListener("htmx:beforeRequest", (event) => {
  const form = event.detail.elt;
  if (!form.matches("form[data-largest]")) return;
  const length = [...form.querySelectorAll("textarea")].reduce((sum, box) => sum + box.value.length, 0);
  if (length <= Number(form.dataset.largest)) return;
  event.preventDefault();
  const shown = document.querySelector(form.getAttribute("hx-target"));
  const note = document.createElement("p");
  note.textContent = shown.dataset.tooLarge;
  for (const child of [...shown.children]) if (!child.matches("input, datalist")) child.remove();
  shown.append(note);
});

// A file may be dropped where it is written.
document.addEventListener("dragover", (event) => {
  const place = event.target.closest("[data-drop]");
  if (!place || !event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  place.classList.add("over");
});
document.addEventListener("dragleave", (event) => {
  event.target.closest("[data-drop]")?.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  const place = event.target.closest("[data-drop]");
  if (!place || !event.dataTransfer.files.length) return;
  event.preventDefault();
  place.classList.remove("over");
  const input = document.getElementById(place.dataset.drop);
  input.files = event.dataTransfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
