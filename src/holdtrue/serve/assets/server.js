// Ask the server. Each change sends the token of the session.
let token = "";

export class Refused extends Error {
  constructor(message, status) { super(`${message[0].toUpperCase()}${message.slice(1).replace(/[.]$/, "")}.`); this.status = status; }
}

async function answered(asked) {
  let answer;
  try { answer = await asked; } catch { throw new Refused("The server cannot be reached.", 0); }
  const found = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  if (!answer.ok) throw new Refused(found.error, answer.status);
  if (found && found.token) token = found.token;
  return found;
}

const address = (path, given) => `api/${path}?${new URLSearchParams(given)}`;

export const get = (path, given = {}) => answered(fetch(address(path, given)));
export const post = (path, body = {}) => answered(fetch(`api/${path}`, { method: "POST", headers: { "Content-Type": "application/json", "Holdtrue-Token": token }, body: JSON.stringify(body) }));

// Follow a conversation and the list. A hidden page has no stream, since browsers bound the number of connections.
export class Stream {
  constructor(onEvent, onState) {
    Object.assign(this, { onEvent, onState, given: null, source: null, timer: 0 });
    document.addEventListener("visibilitychange", () => this.restart());
  }
  follow(given) { this.given = given; this.restart(); }
  stop() { this.given = null; this.restart(); }
  restart() {
    clearTimeout(this.timer);
    if (this.source) this.source.close();
    this.source = null;
    if (!this.given || document.hidden) return;
    const own = this.source = new EventSource(address("stream", this.given()));
    for (const kind of ["events", "list", "fault"]) own.addEventListener(kind, (event) => this.onEvent(kind, JSON.parse(event.data)));
    own.onopen = () => { clearTimeout(this.timer); this.onState(true); };
    own.onerror = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { this.onState(false); this.restart(); }, 4000);
    };
  }
}
