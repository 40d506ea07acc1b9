// Each reader's own time: pages say UTC, and say so; with scripts they say the time of the reader's zone instead.
"use strict";

{
  const isArabic = document.documentElement.lang === "ar";
  const language = isArabic ? "ar-u-ca-gregory-nu-arab" : "en-GB-u-ca-gregory-nu-latn";
  const day = new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: isArabic ? "long" : "short",
    year: "numeric",
  });
  const hour = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const local = (moment) => `${day.format(moment)}${isArabic ? "،" : ","} ${hour.format(moment)}`;

  // An instant gives way to the local one; an age is the same everywhere, and says the local one to who points at it.
  const tell = () => {
    for (const time of document.querySelectorAll("time[data-shows]")) {
      const own = local(new Date(time.dateTime));
      if (time.dataset.shows === "instant") time.textContent = own;
      else time.title = `${own} (${time.title})`;
      delete time.dataset.shows;
    }
  };

  // Times that are typed are meant in the reader's zone too, of which the form tells.
  for (const input of document.querySelectorAll("input[data-zone]")) {
    input.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
    for (const typed of input.form.querySelectorAll("[data-own-help]")) {
      document.getElementById(`${typed.id}_help`).textContent = typed.dataset.ownHelp;
    }
  }

  tell();
  document.addEventListener("htmx:afterSwap", tell);
}
