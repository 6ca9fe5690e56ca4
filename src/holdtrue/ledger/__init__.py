"""This package records the commitments of a conversation, and revises them if they clash.

A `Ledger` has `Commitment`s to constraints. A `Belief` is a statement to which a label commits a model. A `Statement`
is a sentence that claims are tested against. Each is an entry with a `Source`, and an `Event` of some `EventKind`
records a change of it. A function can approve each `Retraction` of a belief by a `Decision`: `APPROVE`, `KEEP` or
`instead(...)`. `RevisionPolicy` names the policies that choose the beliefs to give up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.ledger.approval import APPROVE as APPROVE
    from holdtrue.ledger.approval import KEEP as KEEP
    from holdtrue.ledger.approval import Approve as Approve
    from holdtrue.ledger.approval import Decision as Decision
    from holdtrue.ledger.approval import Retraction as Retraction
    from holdtrue.ledger.approval import instead as instead
    from holdtrue.ledger.beliefs import Belief as Belief
    from holdtrue.ledger.entries import Event as Event
    from holdtrue.ledger.entries import EventKind as EventKind
    from holdtrue.ledger.entries import Source as Source
    from holdtrue.ledger.entries import Statement as Statement
    from holdtrue.ledger.ledger import Commitment as Commitment
    from holdtrue.ledger.ledger import Ledger as Ledger
    from holdtrue.ledger.ledger import Proposal as Proposal
    from holdtrue.ledger.policies import RevisionPolicy as RevisionPolicy
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".ledger": "Commitment Ledger Proposal",
            ".beliefs": "Belief",
            ".entries": "Event EventKind Source Statement",
            ".approval": "Approve Retraction Decision APPROVE KEEP instead",
            ".policies": "RevisionPolicy",
        },
    )
