// The page: sign in, choose a conversation, follow it, and change it by hand.
import { byId, chip, el, many, moment, said, visible } from "./elements.js";
import { drawHolding } from "./holding.js";
import { Stream, get, post } from "./server.js";
import { drawActions, drawEvent, inBrief } from "./timeline.js";

let me = null, shown = null, last = 0, first = 0, asking = null, holdingTimer = 0, searchTimer = 0, isErased = false, isListed = false;
let latest = [], older = [], decisions = new Map(), settled = new Set(), lastOf = new Map();
const is = (own) => shown !== null && own.tenant === shown.tenant && own.conversation === shown.conversation;
const mayChange = () => me.role === "operator" && me.policy !== null && !isErased;
const filter = () => { const of = byId("of").value.trim(); return { containing: byId("containing").value, ...(of ? { of: of === "-" ? "" : of } : {}) }; };
const tell = (text) => { byId("live").textContent = text; };
const isWide = matchMedia("(min-width: 70rem)");

function warn(text) { byId("banner").textContent = text; byId("banner").hidden = !text; }

async function tried(work) {
  try { const found = await work(); warn(""); return found; } catch (error) {
    if (error.status === 401 && me) return begin();
    warn(visible(error.message));
    return null;
  }
}

// Signing in

async function begin() {
  stream.stop();
  me = await get("me").catch((error) => { warn(visible(error.message)); return null; });
  byId("sign-in").hidden = me !== null;
  byId("desk").hidden = me === null;
  byId("sign-out").hidden = me === null || me.is_alone;
  byId("who").replaceChildren(...(me ? [said(me.name, "strong"), ` ${me.role}`, me.tenant === "*" ? "" : [" of ", said(me.tenant || "no tenant")]].flat() : []));
  byId("policy").replaceChildren(...(me && me.policy ? ["Policy ", said(me.policy)] : []));
  if (!me) return byId("key").focus();
  byId("of").hidden = me.tenant !== "*";
  byId("read-only").hidden = me.policy !== null;
  byId("read-only").textContent = "This page was started without a policy. It shows the events only, and nothing can be changed.";
  readAddress();
}

byId("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  try { await post("sign-in", { key: byId("key").value }); byId("sign-in-fault").textContent = ""; await begin(); byId("containing").focus(); } catch (error) { byId("sign-in-fault").textContent = visible(error.message); }
  byId("key").value = "";
});
byId("sign-out").addEventListener("click", async () => {
  stream.stop();
  await tried(() => post("sign-out"));
  me = null;
  location.hash = "";
  begin();
});

// The list

function drawList() {
  const all = [...latest, ...older.filter((own) => !latest.some((each) => each.tenant === own.tenant && each.conversation === own.conversation))];
  const focused = document.activeElement && document.activeElement.closest("#list li") ? document.activeElement.own : null;
  byId("list").replaceChildren(...all.map((own) => {
    const made = el("button", { type: "button", class: "talk", "aria-current": is(own) ? "true" : null, click: () => { location.hash = new URLSearchParams({ tenant: own.tenant, conversation: own.conversation }).toString(); } },
      said(own.conversation, "strong"), own.tenant && me.tenant === "*" ? el("span", { class: "tenant" }, said(own.tenant)) : "", el("span", { class: "quiet small" }, own.erased ? chip("block", "Erased") : many(own.events, "event"), " · ", moment(own.last_at)));
    made.own = JSON.stringify([own.tenant, own.conversation]);
    return el("li", {}, made);
  }));
  byId("list-empty").hidden = all.length > 0 || !isListed;
  if (focused) [...byId("list").querySelectorAll("button")].find((own) => own.own === focused)?.focus();
}

byId("list-more").addEventListener("click", async () => {
  const end = older.at(-1) || latest.at(-1);
  const found = await tried(() => get("conversations", { ...filter(), before_at: end.last_at, before_tenant: end.tenant, before_id: end.conversation }));
  if (!found) return;
  older.push(...found.conversations);
  byId("list-more").hidden = !found.has_more;
  drawList();
});

async function search() {
  const found = await tried(() => get("conversations", filter()));
  if (!found) return;
  latest = found.conversations;
  older = [];
  byId("list-more").hidden = !found.has_more;
  drawList();
  follow();
}
for (const id of ["containing", "of"]) byId(id).addEventListener("input", () => { clearTimeout(searchTimer); searchTimer = setTimeout(search, 250); });
byId("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });

// A conversation

const seen = new IntersectionObserver((entries) => {
  for (const own of entries) if (own.isIntersecting) { seen.unobserve(own.target); own.target.whenSeen?.().catch((error) => warn(visible(error.message))); }
});

function context() {
  const of = shown;
  return {
    hasPolicy: me.policy !== null,
    mend: (decision) => get("mend", { ...of, decision }),
    whenSeen: (place, work) => { place.whenSeen = work; seen.observe(place); },
    decided: (own, place) => {
      const call = JSON.stringify([own.tool, own.arguments]);
      decisions.set(own.decision, { own, ...place, call });
      lastOf.set(call, Math.max(lastOf.get(call) || 0, own.seq));
    },
  };
}

function settle() {
  for (const { own, actions, state, call } of decisions.values()) {
    const by = settled.has(own.decision), later = lastOf.get(call) > own.seq;
    const isOpen = own.stops === true && !by && !later;
    state.textContent = own.stops ? (by ? "A person let this call through." : later ? "A later decision on the same call takes its place." : "") : "";
    if (!isOpen || !mayChange()) actions.replaceChildren();
    else if (!actions.children.length) actions.replaceChildren(...drawActions(own, ask));
  }
}

function add(events, where) {
  const own = context();
  for (const event of events) {
    if (event.kind === "overridden") settled.add(event.decision);
    isErased ||= event.kind === "erased";
  }
  byId("timeline")[where](...events.map((event) => drawEvent(event, own)));
  first = Math.min(first || Infinity, events[0].seq);
  last = Math.max(last, events.at(-1).seq);
  settle();
}

const scroller = () => isWide.matches ? byId("main") : document.scrollingElement;
const toEnd = () => { const own = scroller(); own.scrollTop = own.scrollHeight; };

async function open(named) {
  const of = shown = named;
  [last, first, isErased, decisions, settled, lastOf] = [0, 0, false, new Map(), new Set(), new Map()];
  document.body.dataset.view = named ? "talk" : "list";
  for (const id of ["talk", "holding"]) byId(id).hidden = named === null;
  byId("nothing").hidden = named !== null;
  drawList();
  if (!named) return follow();
  byId("timeline").replaceChildren();
  byId("holding-parts").replaceChildren();
  byId("title").replaceChildren(said(named.conversation));
  byId("about").replaceChildren(...(named.tenant ? ["Tenant ", said(named.tenant)] : []));
  document.title = `${visible(named.conversation)} – holdtrue`;
  const found = await tried(() => get("timeline", named));
  if (of !== shown) return null;
  if (!found) { byId("talk").hidden = byId("holding").hidden = true; return null; }
  if (found.events.length) add(found.events, "append");
  byId("earlier").hidden = !found.has_earlier;
  byId("chain").hidden = !found.fault;
  byId("chain").textContent = found.fault ? `The events were changed outside of the guard: ${visible(found.fault)}.` : "";
  await drawHolds();
  toEnd();
  byId("main").focus({ preventScroll: true });
  return follow();
}

byId("earlier").addEventListener("click", async () => {
  const of = shown, found = await tried(() => get("timeline", { ...shown, before: first }));
  if (!found || of !== shown) return;
  const own = scroller(), height = own.scrollHeight, next = byId(`event-${first}`);
  if (found.events.length) add(found.events, "prepend");
  byId("earlier").hidden = !found.has_earlier;
  own.scrollTop += own.scrollHeight - height;
  tell(`${many(found.events.length, "earlier event")} shown.`);
  if (byId("earlier").hidden) next.focus({ preventScroll: true });
});
byId("back").addEventListener("click", () => { location.hash = ""; });

async function drawHolds() {
  const of = shown;
  byId("holding").hidden = me.policy === null || isErased;
  if (byId("holding").hidden) return;
  const found = await tried(() => get("holding", of));
  if (!found || of !== shown) return;
  const label = document.activeElement?.closest("#holding-parts") ? document.activeElement.getAttribute("aria-label") : null;
  byId("holding-parts").replaceChildren(...drawHolding(found, mayChange(), ask));
  if (label) [...byId("holding-parts").querySelectorAll("button")].find((own) => own.getAttribute("aria-label") === label)?.focus();
}

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1)), id = given.get("conversation");
  open(id ? { tenant: given.get("tenant") || "", conversation: id } : null);
}
addEventListener("hashchange", () => { if (me) readAddress(); });

// Live changes

const stream = new Stream((kind, found) => {
  if (kind === "fault") return warn(visible(found));
  if (kind === "list") { [latest, isListed] = [found.conversations, true]; if (!older.length) byId("list-more").hidden = !found.has_more; return drawList(); }
  const own = scroller(), isAtEnd = own.scrollHeight - own.scrollTop - own.clientHeight < 120, fresh = found.filter((event) => event.seq > last);
  if (!shown || !fresh.length) return;
  add(fresh, "append");
  if (isAtEnd) toEnd();
  tell(`New: ${visible(fresh.slice(-3).map(inBrief).join("; "))}.`);
  clearTimeout(holdingTimer);
  holdingTimer = setTimeout(drawHolds, 150);
}, (isOpen) => { if (isOpen) warn(""); else get("me").then((found) => found ? warn("The connection is lost. Trying again.") : begin(), (error) => warn(visible(error.message))); });

const follow = () => stream.follow(() => ({ ...filter(), ...(shown ? { ...shown, after: last } : {}) }));

// The dialog for a change

function ask(given) {
  asking = { ...given, of: shown, from: document.activeElement };
  byId("dialog-title").textContent = visible(given.title);
  byId("dialog-about").replaceChildren(said(given.about));
  byId("dialog-label").textContent = given.label;
  byId("dialog-go").textContent = given.go;
  byId("dialog-text").value = byId("dialog-fault").textContent = "";
  byId("dialog").showModal();
  byId("dialog-text").focus();
}

byId("dialog-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("dialog-go").disabled = true;
  try {
    await post(asking.path, { ...asking.of, ...asking.body(byId("dialog-text").value) });
    byId("dialog").close();
    tell("It is written down.");
  } catch (error) {
    byId("dialog-fault").textContent = visible(error.message);
  }
  byId("dialog-go").disabled = false;
});
byId("dialog-no").addEventListener("click", () => byId("dialog").close());
byId("dialog").addEventListener("close", () => {
  // The button may have gone, because the change has settled its decision.
  const from = asking.from, rest = from.isConnected ? from : byId("main");
  rest.focus();
});

isWide.addEventListener("change", () => { byId("holding-box").open = isWide.matches; });
byId("holding-box").open = isWide.matches;
begin();
