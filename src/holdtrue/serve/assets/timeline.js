// Draw the events of a conversation: words and readings, results, and decisions with all that they rest on.
import { button, chip, el, many, moment, quoted, said, values, visible } from "./elements.js";

const VERDICTS = { allow: "Allowed", block: "Blocked", ask: "Asked about", confirm: "Needs a yes" };
const DOES = { open: "New request", set: "Read as", free: "Left open", withdraw: "Taken back", deny: "Ruled out", commit: "Committed", promise: "Promised" };
const SURE = 0.98;

const person = (own) => [said(own.by, "strong"), own.role ? [" (", said(own.role), ")"] : ""].flat();
const origin = (own) => own.source === "nobody" ? "Nobody agreed to this." : [own.source === "user" ? "The user said " : "The assistant said ", quoted(own.quote), own.turn ? ` in turn ${own.turn}` : ""];
const lines = (title, list) => list.length ? el("div", { class: "part" }, el("h4", {}, title), el("ul", {}, list.map((own) => el("li", {}, own)))) : null;
const folded = (title, ...inner) => el("details", {}, el("summary", {}, title), inner);

function reading(own) {
  const isDoubtful = own.sure !== null && own.sure !== undefined && own.sure < SURE;
  const sure = own.sure === null || own.sure === undefined ? "" : el("span", { class: isDoubtful ? "sure doubt" : "sure" }, `${isDoubtful ? "doubtful, " : ""}${Math.round(own.sure * 100)} % sure`);
  return el("li", {}, el("span", { class: "does" }, DOES[own.do] || own.do), " ", said(own.what, "code"), " ", own.say ? said(own.say) : "", " ", own.quote ? quoted(own.quote) : "", " ", sure);
}

function words(own) {
  const parts = [];
  for (const who of ["assistant", "user"]) {
    if (own[who] === undefined) continue;
    const by = who === "user" && own.by ? el("span", { class: "quiet" }, " passed on by ", person(own)) : "";
    parts.push(el("div", { class: `words ${who}` }, el("h3", {}, who === "user" ? "User" : "Assistant", by), said(own[who], "p")));
  }
  if (own.kind === "reheard") parts.push(el("h3", {}, `Read at last: the message of turn ${own.turn}`));
  if (own.read.length) parts.push(el("ul", { class: "read" }, own.read.map(reading)));
  else if (own.user !== undefined && !own.answered.length) parts.push(el("p", { class: "quiet small" }, "No request was read from this."));
  if (own.answered.length) parts.push(el("p", { class: "small" }, `A yes to ${own.answered.join(", ")}.`));
  for (const why of [own.unheard, own.cut]) if (why) parts.push(el("p", { class: "unsettled" }, chip("ask", "Not read"), " ", said(why)));
  return parts;
}

function finding(own) {
  const isBroken = own.status === "broken";
  return el("li", { class: "finding" }, chip(isBroken && own.severity === "block" ? "block" : "ask", !isBroken ? "Not decided" : own.severity === "block" ? "Broken" : own.severity === "ask" ? "Broken, to be asked about" : "Broken, told only"), " ", said(own.rule, "code"), el("div", {}, said(own.say, "strong")),
    own.why ? said(own.why, "div", { class: "quiet" }) : "", own.origin && !own.say.includes(own.origin.quote) ? el("div", {}, origin(own.origin)) : "",
    own.missing.length && !isBroken ? el("div", {}, "Not seen: ", said(own.missing.join(", "))) : "",
    own.by === "solver" ? el("div", { class: "quiet" }, "Proved over all values that were not seen.") : own.by === "limit" ? el("div", { class: "quiet" }, "The time ran out first.") : "");
}

function coverage(own) {
  const { rules, undecided, unread } = own.coverage;
  const open = [undecided.length ? `Not decided: ${[...new Set(undecided)].join(", ")}.` : "", unread.length ? `Not read: ${unread.join("; ")}.` : ""].filter(Boolean);
  if (!rules && !open.length) return el("p", { class: "quiet small" }, "No rule is on this call.");
  const told = `${many(rules, "rule")} checked, ${own.kept} kept.`;
  return el("p", { class: "small coverage" }, told, " ", open.length ? el("span", { class: "unsettled" }, chip("ask", "Open"), " ", said(open.join(" "))) : "Each was decided, and all was read.");
}

function marksOf(own, changes = []) {
  const marks = new Map();
  const add = (name, told) => marks.set(name, [...(marks.get(name) || []), told]);
  for (const [name, origins] of Object.entries(own.differs)) for (const each of origins) add(name, el("span", {}, origin(each)));
  for (const each of changes) add(each.path.replace(/^call\./, "").split(/[.[]/)[0], el("span", {}, "The nearest allowed: ", said(each.after, "strong")));
  return marks;
}

function decision(own, context) {
  const place = el("div", {}, values(own.arguments, marksOf(own))), near = el("div", { class: "part" }), actions = el("div", { class: "row actions" }), state = el("p", { class: "small state" });
  const parts = [
    el("h3", {}, chip(own.verdict, VERDICTS[own.verdict]), " ", said(own.tool, "code"), " ", el("span", { class: "quiet" }, own.decision), own.mode === "observe" && own.verdict !== "allow" ? el("span", { class: "quiet" }, " observed only, and not stopped") : ""),
    place,
    own.resting.length ? el("ul", { class: "findings" }, own.resting.map(finding)) : null,
    own.doubts.length ? el("ul", { class: "findings" }, own.doubts.map(finding)) : null,
    near,
    lines("Question", own.questions.map((each) => said(each))),
    own.listing ? lines("The user has to say yes to this", [said(own.listing)]) : null,
    lines("This would show it", own.fetch.map((each) => [said(each.tool, "code"), values(each.arguments)])),
    lines("It waits for", own.waits.map((each) => said(each))),
    lines("Looked up for it", own.fetched.map((each) => said(each))),
    lines("Assumed", own.assumptions.map((each) => said(each))),
    coverage(own),
    own.facts.length ? folded(`${many(own.facts.length, "fact")} used`, own.facts.map((each) => el("div", { class: "fact" }, el("h4", {}, said(each.name), " ", said(each.keys, "code")), each.unseen ? said(each.unseen, "p", { class: "unsettled" }) : values(each.record)))) : null,
    state, actions,
  ];
  if (own.verdict === "block" && context.hasPolicy) {
    context.whenSeen(place, async () => {
      const found = await context.mend(own.decision);
      if (found.changes) {
        place.replaceChildren(values(own.arguments, marksOf(own, found.changes)));
        near.append(el("h4", {}, "The nearest call that keeps everything"), el("ul", {}, found.changes.map((each) => el("li", {}, said(each.path, "code"), " is ", said(each.after, "strong")))), found.optimal ? "" : el("p", { class: "quiet" }, "It is not proved to be the nearest."));
      } else if (found.why) near.append(el("p", { class: "quiet small" }, "No other call is proposed: ", said(found.why), "."));
    });
  }
  context.decided(own, { actions, state });
  return parts;
}

function told(own) {
  switch (own.kind) {
    case "saw": case "told again": case "saw stopped": {
      const word = { saw: own.outcome === "failed" ? "failed" : own.outcome === "unknown" ? "ended, and nobody knows how" : "gave", "told again": "gave the same again", "saw stopped": "was stopped, so that this is no result" }[own.kind];
      return [el("h3", {}, said(own.tool, "code"), ` ${word}`), values(own.arguments), said(own.result, "pre", { tabindex: "0" })];
    }
    case "overridden": return [el("h3", {}, chip("by-hand", "Let through"), ` ${own.decision} by `, person(own)), said(own.reason, "p")];
    case "withdrawn": return [el("h3", {}, chip("by-hand", "Withdrawn"), ` ${own.id}`, own.by ? [" by ", person(own)] : ""), said(own.reason || "", "p")];
    case "committed": return [el("h3", {}, "Committed by the app"), own.say ? said(own.say, "p") : el("ul", { class: "read" }, own.read.map(reading))];
    case "erased": return [el("h3", {}, chip("block", "Erased"), ` ${many(own.events, "event")} of this conversation`), said(own.reason || "", "p")];
    default: return [el("h3", { class: "quiet" }, { consented: "A reader compared a yes with a call", compared: "A model compared two texts", "claims read": "A reply was read for claims" }[own.kind] || visible(own.kind))];
  }
}

export function drawEvent(own, context) {
  const inner = own.kind === "heard" || own.kind === "reheard" ? words(own) : own.kind === "decided" ? decision(own, context) : told(own);
  const kind = own.kind === "decided" ? `decided ${own.verdict}` : own.kind === "heard" ? (own.user === undefined ? "heard assistant" : "heard user") : "other";
  return el("li", { class: `event ${kind}`, id: `event-${own.seq}`, tabindex: "-1" }, el("p", { class: "stamp" }, el("span", {}, `${own.seq}`), " ", moment(own.at)), el("div", { class: "card" }, inner));
}

export function inBrief(own) {
  if (own.kind === "decided") return `${own.tool}: ${VERDICTS[own.verdict].toLowerCase()}`;
  if (own.kind === "heard") return own.user === undefined ? "The assistant spoke" : "The user spoke";
  return { saw: `a result of ${own.tool}`, overridden: `${own.decision} was let through`, withdrawn: `${own.id} was withdrawn`, erased: "the conversation was erased" }[own.kind] || own.kind;
}

// The buttons of a decision that stopped its call, as long as nothing later settles it.
export function drawActions(own, open) {
  const word = own.verdict === "block" ? "Override" : "Approve";
  const about = own.verdict === "block" ? "The call is let through once, although it is blocked. Your name, role and reason are written down." : "The call is let through once, in your name. It does not count as the user's yes.";
  const found = [button(`${word} ${own.decision}`, () => open({ title: `${word} ${own.decision}`, about, label: "Reason", go: word, path: "override", body: (reason) => ({ decision: own.decision, reason }) }))];
  if (own.questions.length) found.push(button(`Answer ${own.decision}`, () => open({ title: `Answer ${own.decision}`, about: own.questions.join(" "), label: "The user's words, as you were told them", go: "Pass on", path: "answer", body: (words) => ({ decision: own.decision, words }) })));
  return found;
}
