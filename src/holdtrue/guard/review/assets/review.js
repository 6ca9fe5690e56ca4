(() => {
  "use strict";
  const { policy, passages, marks: given } = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const KEY = `holdtrue review of ${policy}`, LETTERS = { r: "right", w: "wrong", u: "unsure" };
  const KINDS = { kept: "Just inside the rule", broken: "Just outside the rule", boundary: "At a bound", missing: "A fact is missing", hidden: "Another rule is broken, too", question: "Two drafts", sentence: "No call" };
  const items = new Map(), sections = [];
  let marks = Object.fromEntries(given.map((own) => [own.edge, own])), kept = true;
  try {
    Object.assign(marks, JSON.parse(localStorage.getItem(KEY) || "{}"));
  } catch { kept = false; }

  function el(tag, given, ...inner) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
    made.append(...inner);
    return made;
  }

  // The standing of an item: a mark judges the decision that it was made of, and the policy may have changed since.
  function standing({ item }) {
    const mark = marks[item.id];
    if (!mark) return "";
    if (item.kind === "question") return mark.expect ? "answered" : "unsure";
    if (mark.mark !== "unsure" && mark.expect && item.expect) return mark.expect === item.expect ? "right" : "wrong";
    return mark.mark !== "wrong" || !mark.decided || mark.decided === item.expect ? mark.mark : "";
  }

  function put(shown, letter) {
    const { item, note, should } = shown;
    const two = item.kind === "question", free = should.value || null;
    const expect = { r: item.expect, w: two ? item.other : free }[letter] || null;
    const word = two && expect ? "right" : LETTERS[letter];
    marks[item.id] = { mark: word, expect, note: note.value || null, decided: two ? null : item.expect };
    keep();
    refresh();
  }

  function keep() {
    try { localStorage.setItem(KEY, JSON.stringify(marks)); } catch { kept = false; }
  }

  // The case stays a text, so that no number in it is rounded on the way.
  function written() {
    return [...items.values()].filter(({ item }) => marks[item.id]).map(({ item }) => {
      const { mark, note, expect, decided } = marks[item.id];
      const own = { edge: item.id, rule: item.rule, sentences: item.sentences, mark, note, expect, decided };
      return `- ${JSON.stringify(own).slice(0, -1)}, "case": ${item.case || "null"}}\n`;
    }).join("");
  }

  function drawItem(item) {
    const two = item.kind === "question", title = el("h3", { id: `t-${item.id}` }, KINDS[item.kind], item.expect && !two ? el("span", { class: "chip" }, item.expect) : "");
    const box = el("article", { class: "item", id: item.id, tabindex: "0", "aria-labelledby": `t-${item.id}`, "aria-describedby": `p-${item.id}` }, title);
    box.append(el("p", { id: `p-${item.id}` }, item.text));
    const near = el("dl", {}), rest = el("dl", {});
    for (const [path, value, other] of item.values) {
      if (other === null) rest.append(el("dt", {}, path), el("dd", {}, value));
      else near.append(el("dt", {}, path), el("dd", {}, el("mark", {}, value), el("span", { class: "quiet" }, `  in the other call: ${other}`)));
    }
    if (near.children.length) box.append(near);
    if (rest.children.length) box.append(two ? rest : el("details", {}, el("summary", {}, near.children.length ? "The rest of the call" : "The call"), rest));
    const should = el("select", { "aria-label": "It should be" }, el("option", { value: "" }, "it should be…"));
    for (const own of item.tool || !item.expect ? ["allow", "block", "ask", "confirm"] : ["met", "unmet"]) if (own !== item.expect) should.append(el("option", { value: own }, own));
    const note = el("input", { type: "text", placeholder: "note", "aria-label": "Note" }), row = el("div", { class: "marks", role: "group", "aria-label": "Your mark" });
    const shown = { item, box, note, should, buttons: {} };
    const labels = two ? { r: `The first: ${item.expect}`, w: `The second: ${item.other}`, u: "Unsure" } : { r: "Right", w: "Wrong", u: "Unsure" };
    for (const letter of two && !item.expect ? ["u"] : "rwu") {
      const button = shown.buttons[letter] = el("button", { type: "button", class: two && item.other && letter === "w" ? "right" : LETTERS[letter], "aria-keyshortcuts": letter }, labels[letter]);
      button.addEventListener("click", () => put(shown, letter));
      row.append(button);
    }
    const old = marks[item.id];
    if (old) { note.value = old.note || ""; should.value = old.mark === "wrong" && old.expect ? old.expect : ""; }
    should.addEventListener("change", () => put(shown, "w"));
    note.addEventListener("change", () => { if (marks[item.id]) { marks[item.id].note = note.value || null; keep(); } });
    row.append(should, note);
    box.append(row);
    items.set(item.id, shown);
    return box;
  }

  function draw(passage, place) {
    const chip = el("span", { class: "chip" }), name = `h-${place}`;
    const section = el("section", { "aria-labelledby": name });
    if (passage.path.length) section.append(el("p", { class: "quiet" }, passage.path.join(" › ")));
    section.append(el("h2", { id: name }, passage.number ? `${passage.number}. ${passage.text}` : passage.text, chip));
    for (const part of passage.parts) {
      const box = el("div", { class: "part" }, el("p", { class: "quiet" }, `${part.section}: ${part.name}`), part.say ? el("p", {}, part.say) : "", el("pre", {}, part.written));
      for (const gap of part.gaps) box.append(el("p", { class: "quiet" }, `Not found: ${gap}`));
      section.append(box);
    }
    if (!passage.parts.length) section.append(el("p", { class: "quiet" }, "No part stands for this."));
    const again = passage.items.filter((item) => items.has(item.id));
    for (const item of passage.items) if (!items.has(item.id)) section.append(drawItem(item));
    if (again.length) section.append(el("p", {}, el("a", { href: `#${again[0].id}` }, `${again.length} more calls of this are shown above`)));
    sections.push({ passage, section, chip });
    return section;
  }

  function refresh() {
    const chosen = byId("shown").value, count = { settled: 0, open: 0, wrong: 0 };
    for (const shown of items.values()) {
      const state = standing(shown), mark = marks[shown.item.id], second = state === "answered" && mark.expect === shown.item.other;
      const pressed = { right: "r", wrong: "w", unsure: "u", answered: second ? "w" : "r" }[state];
      for (const [letter, button] of Object.entries(shown.buttons)) button.setAttribute("aria-pressed", letter === pressed);
      shown.should.hidden = state !== "wrong";
      shown.state = state;
      shown.box.hidden = chosen === "open" ? !["", "unsure"].includes(state) : chosen === "wrong" && state !== "wrong";
    }
    for (const { passage, section, chip } of sections) {
      const states = passage.items.map((item) => items.get(item.id).state);
      const own = states.includes("wrong") ? "wrong" : passage.open || states.some((state) => state !== "right") ? "open" : "settled";
      count[own] += 1;
      chip.textContent = own;
      chip.className = `chip ${own === "settled" ? own : `is-${own}`}`;
      section.hidden = Boolean(chosen) && own !== chosen && !passage.items.some((item) => !items.get(item.id).box.hidden);
    }
    const marked = [...items.values()].filter((shown) => shown.state).length;
    byId("progress").textContent = `${count.settled} of ${sections.length} settled, ${count.wrong} wrong; ${marked} of ${items.size} marked${kept ? "" : "; this browser keeps no marks, so save them"}`;
  }

  function go(step, fits = () => true) {
    const all = [...items.values()].filter((shown) => !shown.box.hidden), here = document.activeElement.closest(".item");
    const at = all.findIndex((shown) => shown.box === here), next = step < 0 ? all.slice(0, Math.max(at, 0)).reverse() : all.slice(at + 1);
    const found = next.find(fits);
    if (found) { found.box.focus(); found.box.scrollIntoView({ block: "nearest" }); }
  }

  document.title = `Review of ${policy}`;
  document.querySelector("h1").textContent = document.title;
  document.querySelector("main").replaceChildren(...passages.map(draw));
  byId("shown").addEventListener("change", refresh);
  byId("save").addEventListener("click", () => {
    const link = el("a", { download: "marks.yaml", href: URL.createObjectURL(new Blob([written()], { type: "text/yaml" })) });
    link.click();
    URL.revokeObjectURL(link.href);
  });
  byId("copy").addEventListener("click", async () => {
    const text = byId("text");
    try { await navigator.clipboard.writeText(written()); byId("progress").textContent = "The marks are copied."; } catch {
      Object.assign(text, { value: written(), hidden: false });
      text.select();
    }
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const here = document.activeElement.closest(".item"), key = event.key;
    if (LETTERS[key] && here && items.get(here.id).buttons[key]) put(items.get(here.id), key);
    else if (key === "j" || (here && key === "ArrowDown")) go(1);
    else if (key === "k" || (here && key === "ArrowUp")) go(-1);
    else if (key === "n") go(1, (shown) => !shown.state || shown.state === "unsure");
    else return;
    event.preventDefault();
  });
  refresh();
})();
