// What the pages do more with scripts than without; nothing here is needed for reading.
"use strict";

// Copy the text of the element that the button names.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  const text = "value" in source ? source.value : source.textContent;
  navigator.clipboard.writeText(text).then(() => {
    button.querySelector("[data-label]").textContent = button.dataset.copied;
  });
});

// A select that stands alone in its form sends it when it changes; the button for readers without scripts goes.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-sends]")) event.target.form.requestSubmit();
});

// An open menu closes with Escape and when something else is chosen.
const closeMenus = (except) => {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(except)) menu.open = false;
  }
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeMenus(null);
});
document.addEventListener("click", (event) => closeMenus(event.target));

// A form is sent once, however often its button is pressed.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});
