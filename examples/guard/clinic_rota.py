"""A clinic's rota: plain functions behind the guard, promises that are kept, and a person who lets one call through.

    python examples/guard/clinic_rota.py [STORE]

Nobody works more than two shifts in a conversation, a swap needs the consent of whoever asked for it, and who is put on
a shift is told. What happened is kept in a file, and `holdtrue ledger show STORE rota-7` tells it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from holdtrue.guard import CallStopped, Guard, SqliteStore, read_policy

POLICY = read_policy("""
policy: rota
now: 2026-03-02T09:00:00
tools:
  definitions:
    - name: Rota.Assign
      description: Put somebody on a shift
      parameters:
        type: object
        properties:
          nurse: {type: string, description: Name of the nurse}
          day: {type: string, format: date, description: Day of the shift}
          shift: {type: string, enum: [early, late, night], description: Which shift}
        required: [nurse, day, shift]
    - name: Rota.SendNote
      description: Send somebody a note about their shift
      parameters: {type: object, properties: {nurse: {type: string, description: Name of the nurse}}, required: [nurse]}
  writes: [Rota.Assign, Rota.SendNote]
  types: {"*": {nurse: id of nurse}}
limits:
  - {id: two-shifts, on: Rota.Assign, most: 2, per: nurse, say: Nobody is put on more than two shifts.}
obligations:
  - {id: told, when: "size(done['Rota.Assign']) > 0", hold: "size(done['Rota.SendNote']) > 0", say: Who is put on a shift is told.}
""")  # noqa: E501


def main(path: Path) -> None:
    guard = Guard(POLICY, store=SqliteStore(path, durability="power"))

    @guard.tool(name="Rota.Assign")
    def assign(nurse: str, day: str, shift: str) -> dict[str, str]:
        return {"nurse": nurse, "day": day, "shift": shift}

    @guard.tool(name="Rota.SendNote")
    def send_note(nurse: str) -> str:
        return f"sent to {nurse}"

    with guard.inside("rota-7") as talk:
        guard.run(talk.heard(user="Please put Amara on the night shift on 5 March."))
        guard.run(talk.heard(assistant="I'll put her on it, and I'll send her a note."))
        try:
            assign(nurse="Amara", day="2026-03-05", shift="early")
        except CallStopped as stopped:
            print("stopped:", stopped.decisions[0].for_user)
        print("done:", assign(nurse="Amara", day="2026-03-05", shift="night"))
        print("unmet:", [(own.kind, own.name) for own in guard.run(talk.unmet())])
        print("done:", send_note(nurse="Amara"))
        guard.run(talk.heard(user="And on 6 and 7 March as well, the late shift."))
        assign(nurse="Amara", day="2026-03-06", shift="late")
        try:
            assign(nurse="Amara", day="2026-03-07", shift="late")
        except CallStopped as stopped:
            print("stopped:", stopped.decisions[0].for_user)
            guard.run(talk.override(stopped.decisions[0], by="head nurse", reason="two are ill"))
            print("done:", assign(nurse="Amara", day="2026-03-07", shift="late"))
        print("unmet:", guard.run(talk.unmet()))
    guard.close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder) / "rota.db")
