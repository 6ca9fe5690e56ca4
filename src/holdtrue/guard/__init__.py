"""The guard holds the tool calls of an assistant to its operator's policy, and proves its decisions.

`load_policy` reads a `Policy` from a file. `make_policy` makes one in Python, with rules as texts or written with
`root`, `function`, `has` and `choose`. `Policy.saw` turns tool results into `Facts`. `Policy.check` gives a `Decision`
on a call before it takes effect. A decision has `Finding`s, and may have the `Fetch` that would show a missing fact, or
the `Mend` that keeps every rule.

A `Guard` holds whole conversations to the policy and to the user's words. `Guard.conversation` gives a
`GuardedConversation`. It reads messages (`Heard`), takes in results, decides on calls, and lists the `Unmet`
obligations. `Guard.wrap` and `Guard.tool` put a guard around clients and functions, where a stopped call may raise
`CallStopped`. A `Store` keeps the events: `MemoryStore`, `SqliteStore` or `PostgresStore`; `open_store` opens one by
its path or address. The `Origin` of a finding names the speaker and the words that it rests on.

`unmet` returns the obligations that are not met at the end. `PolicyError` lists every fault of a policy file with its
line. `check_policy` finds rules that can never apply, always hold or clash. `compare_policies` finds a call on which
two policies differ. `find_edges` finds the calls on both sides of each rule's edge. `import_policy` makes a policy of
one in Cedar, Dogwood or Rego. `read_slot_value` turns a user's
words into a `SlotValue`: a date, a time of day, a duration or an amount. A custom reader (`RequestReader`) returns the
`Operation`s of a message on the user's requests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.guard.analysis.edges import find_edges as find_edges
    from holdtrue.guard.analysis.policy_analysis import check_policy as check_policy
    from holdtrue.guard.analysis.policy_comparison import compare_policies as compare_policies
    from holdtrue.guard.clients.blocking import CallStopped as CallStopped
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation as GuardedConversation
    from holdtrue.guard.conversation.guarded_conversation import Unmet as Unmet
    from holdtrue.guard.conversation.message_intake import Heard as Heard
    from holdtrue.guard.deciding import unmet as unmet
    from holdtrue.guard.decision import Change as Change
    from holdtrue.guard.decision import Coverage as Coverage
    from holdtrue.guard.decision import Decision as Decision
    from holdtrue.guard.decision import Fetch as Fetch
    from holdtrue.guard.decision import Fetched as Fetched
    from holdtrue.guard.decision import Finding as Finding
    from holdtrue.guard.decision import Mend as Mend
    from holdtrue.guard.decision import Origin as Origin
    from holdtrue.guard.facts import Facts as Facts
    from holdtrue.guard.guard import Guard as Guard
    from holdtrue.guard.imported.imported_policy import import_policy as import_policy
    from holdtrue.guard.policy import Policy as Policy
    from holdtrue.guard.policy_file import PolicyError as PolicyError
    from holdtrue.guard.policy_file import load_policy as load_policy
    from holdtrue.guard.policy_file import make_policy as make_policy
    from holdtrue.guard.policy_file import read_policy as read_policy
    from holdtrue.guard.store.event import Store as Store
    from holdtrue.guard.store.memory import MemoryStore as MemoryStore
    from holdtrue.guard.store.opening import open_store as open_store
    from holdtrue.guard.store.postgres import PostgresStore as PostgresStore
    from holdtrue.guard.store.sqlite import SqliteStore as SqliteStore
    from holdtrue.language.requests.operation import Act as Act
    from holdtrue.language.requests.operation import Argument as Argument
    from holdtrue.language.requests.operation import Claim as Claim
    from holdtrue.language.requests.operation import Operation as Operation
    from holdtrue.language.requests.operation import RequestContext as RequestContext
    from holdtrue.language.requests.operation import RequestReader as RequestReader
    from holdtrue.language.requests.operation import RequestReading as RequestReading
    from holdtrue.language.slot_values.slot_value import SlotValue as SlotValue
    from holdtrue.language.slot_values.slot_value import read_slot_value as read_slot_value
    from holdtrue.rules.python_expressions import Written as Written
    from holdtrue.rules.python_expressions import choose as choose
    from holdtrue.rules.python_expressions import function as function
    from holdtrue.rules.python_expressions import has as has
    from holdtrue.rules.python_expressions import root as root
    from holdtrue.rules.tools import read_tools as read_tools
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".policy_file": "load_policy read_policy make_policy PolicyError",
            ".policy": "Policy",
            ".facts": "Facts",
            ".decision": "Decision Finding Fetch Fetched Mend Change Coverage Origin",
            ".guard": "Guard",
            ".imported.imported_policy": "import_policy",
            ".conversation.guarded_conversation": "GuardedConversation Unmet",
            ".conversation.message_intake": "Heard",
            ".clients.blocking": "CallStopped",
            ".store.event": "Store",
            ".store.memory": "MemoryStore",
            ".store.opening": "open_store",
            ".store.postgres": "PostgresStore",
            ".store.sqlite": "SqliteStore",
            ".deciding": "unmet",
            ".analysis.edges": "find_edges",
            ".analysis.policy_analysis": "check_policy",
            ".analysis.policy_comparison": "compare_policies",
            "holdtrue.language.slot_values.slot_value": "SlotValue read_slot_value",
            "holdtrue.language.requests.operation": (
                "Act Argument Claim Operation RequestContext RequestReader RequestReading"
            ),
            "holdtrue.rules.tools": "read_tools",
            "holdtrue.rules.python_expressions": "root function has choose Written",
        },
    )
