// Draw what holds now: requests with their words, promises, obligations, and calls under way.
import { button, chip, el, quoted, said, values } from "./elements.js";

const NAMES = { open: "Open", listed: "Listed", agreed: "Agreed", done: "Done", withdrawn: "Withdrawn" };

function word(own, act) {
  const sure = own.confidence < 0.98 ? el("span", { class: "sure doubt" }, `doubtful, ${Math.round(own.confidence * 100)} % sure`) : "";
  const turn = own.turn ? el("span", { class: "quiet" }, ` turn ${own.turn}, ${own.source}`) : "";
  return el("li", { class: "word" }, el("div", {}, el("div", {}, said(own.sentence), " ", sure), el("div", { class: "small" }, own.quote ? quoted(own.quote) : "", turn)), act(own.id, own.sentence));
}

export function drawHolding(found, mayChange, open) {
  const act = (id, what, word = "Withdraw") => mayChange ? button(word, () => open({ title: `Withdraw ${id}`, about: what, label: "Reason", go: "Withdraw", path: "withdraw", body: (reason) => ({ entry: id, reason }) }), { class: "plain", "aria-label": `Withdraw ${id}` }) : "";
  const list = (title, rows, none) => el("section", {}, el("h3", {}, title), rows.length ? el("ul", { class: "holds" }, rows) : el("p", { class: "quiet small" }, none));
  const request = (own) => el("li", { class: `request ${own.status}` },
    el("div", { class: "row" }, chip(own.status, NAMES[own.status]), said(own.act, "code"), el("span", { class: "quiet" }, own.id)),
    own.quote ? el("p", { class: "small" }, quoted(own.quote)) : "", el("ul", { class: "said" }, own.words.map((each) => word(each, own.status === "open" || own.status === "listed" || own.status === "agreed" ? act : () => ""))),
    own.status === "done" || own.status === "withdrawn" ? "" : act(own.id, `The request ${own.act}`, "Withdraw the request"));
  const isOpen = (own) => own.status !== "done" && own.status !== "withdrawn";
  const ended = found.requests.filter((own) => !isOpen(own));
  const unmet = (kind) => found.unmet.filter((own) => own.kind === kind).map((own) => el("li", {}, chip(kind === "promise" ? "open" : own.is_open ? "ask" : "block", kind === "promise" ? "Open" : own.is_open ? "Not decided" : "Not met"), " ", said(own.name, "code"), el("div", {}, said(own.say)), own.turn ? el("div", { class: "quiet small" }, `turn ${own.turn}`) : ""));
  return [
    list("Requests", found.requests.filter(isOpen).map(request), "No request is open."),
    found.general.length ? list("For all calls", found.general.map((own) => word(own, act)), "") : null,
    list("Promises", unmet("promise"), "No promise is open."),
    list("Obligations", unmet("obligation"), "No obligation is open."),
    found.pending.length ? list("Calls under way", found.pending.map((own) => el("li", {}, said(own.tool, "code"), " ", el("span", { class: "quiet" }, said(own.id)), values(own.arguments))), "") : null,
    ended.length ? el("details", {}, el("summary", {}, `Done or withdrawn (${ended.length})`), el("ul", { class: "holds" }, ended.map(request))) : null,
  ].filter(Boolean);
}
