// Marking a section of a document: the lines that are chosen in the text get their marks before and after.
"use strict";

const marking = document.querySelector("[data-marks]");
if (marking) {
  const text = document.getElementById(marking.dataset.marks);
  const name = marking.querySelector("input");
  const mark = (sign) => `<!-- ${sign}agent-section:${name.value.trim().replace(/[^A-Za-z0-9_.:-]+/g, "-")} -->`;

  marking.hidden = false;
  marking.querySelector("button").addEventListener("click", () => {
    if (!name.value.trim()) {
      name.focus();
      return;
    }
    const start = text.value.lastIndexOf("\n", text.selectionStart - 1) + 1;
    const lineEnd = text.value.indexOf("\n", text.selectionEnd);
    const end = lineEnd < 0 ? text.value.length : lineEnd;
    const marked = `${mark("")}\n${text.value.slice(start, end)}\n${mark("/")}`;
    text.setRangeText(marked, start, end, "select");
    text.dispatchEvent(new Event("input", { bubbles: true }));
    name.value = "";
    text.focus();
  });
}
