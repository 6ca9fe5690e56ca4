// Make elements. Texts become text nodes only, so that nothing that somebody wrote becomes an element.
const NAMES = new Set(["class", "id", "type", "dir", "title", "datetime", "tabindex", "open", "role", "aria-label", "aria-labelledby", "aria-hidden", "aria-current", "aria-describedby", "data-kind"]);

export const byId = (id) => document.getElementById(id);

export function el(tag, given, ...inner) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given || {})) {
    if (name === "click") made.addEventListener("click", value);
    else if (NAMES.has(name) && value !== null) made.setAttribute(name, value);
  }
  made.append(...inner.flat().filter((own) => own !== null && own !== undefined && own !== "").map((own) => typeof own === "string" ? visible(own) : own));
  return made;
}

// A text of a person or a tool. Signs that nobody sees, or that turn the direction of others, are shown by their codes.
export function visible(text) {
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (own) => `⟨U+${own.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

export const said = (text, tag = "bdi", given = {}) => el(tag, { dir: "auto", ...given }, visible(text));
export const quoted = (text) => el("q", { class: "quote" }, said(text));
export const chip = (kind, word) => el("span", { class: `chip ${kind}` }, el("span", { class: "shape", "aria-hidden": "true" }), el("span", {}, word));
export const button = (word, click, given = {}) => el("button", { type: "button", click, ...given }, word);
export const many = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

export function moment(iso) {
  const at = new Date(/[Z+]|-\d\d:\d\d$/.test(iso.slice(10)) ? iso : `${iso}Z`);
  if (Number.isNaN(at.getTime())) return said(iso);
  const isToday = at.toDateString() === new Date().toDateString();
  const style = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return el("time", { datetime: at.toISOString(), title: at.toISOString() }, at.toLocaleString("en", style));
}

// The arguments of a call. `marks` has nodes that tell how a value differs, by the argument's name.
export function values(pairs, marks = new Map()) {
  const rows = pairs.map(([name, value]) => {
    const own = marks.get(name);
    const shown = own ? el("mark", {}, el("span", { class: "unseen" }, "differs: "), said(value)) : said(value);
    return el("div", {}, el("dt", {}, said(name || "value")), el("dd", {}, shown, own ? own.map((each) => el("span", { class: "other" }, each)) : null));
  });
  return rows.length ? el("dl", { class: "values" }, rows) : el("p", { class: "quiet" }, "It has no arguments.");
}
