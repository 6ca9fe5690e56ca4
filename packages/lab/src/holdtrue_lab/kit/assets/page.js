// Everything is in the page already: this only hides what was not chosen, and links what belongs together.
(() => {
  "use strict";
  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("details.topic, details.long, details.how")) folded.open = true;
  });

  // A link may lead into what is folded: open it, then go there.
  function unfold() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target || target.closest(".problem")) return;
    for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    const own = target.querySelector(":scope > details.long");
    if (own) own.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  // A link that leads where the page is already changes nothing that would be told.
  addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) unfold();
  });
  unfold();

  const form = document.querySelector("form.choose");
  if (!form) return;
  const { problem, left, right } = form.elements;

  function choose() {
    for (const section of document.querySelectorAll(".problem")) section.hidden = section.id !== problem.value;
    for (const side of document.querySelectorAll(".side")) {
      side.hidden = side.dataset.side !== left.value && side.dataset.side !== right.value;
      side.style.order = side.dataset.side === left.value ? 0 : 1;
    }
    for (const row of document.querySelectorAll("[data-row]")) {
      row.classList.toggle("chosen", row.dataset.row === left.value || row.dataset.row === right.value);
    }
  }

  // A link may lead to what is hidden: choose it, then go there.
  function follow() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    const section = target.closest(".problem"), side = target.closest(".side");
    if (!section) return;
    problem.value = section.id;
    if (side && side.hidden) right.value = side.dataset.side;
    choose();
    target.scrollIntoView();
  }

  function link(event, on) {
    const from = event.target.closest("[data-c]");
    if (!from) return;
    for (const each of document.querySelectorAll(`[data-c="${CSS.escape(from.dataset.c)}"]`)) {
      each.classList.toggle("linked", on);
    }
  }

  form.hidden = false;
  form.addEventListener("change", choose);
  window.addEventListener("hashchange", follow);
  for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
    document.addEventListener(name, (event) => link(event, on));
  }
  choose();
  follow();
})();
