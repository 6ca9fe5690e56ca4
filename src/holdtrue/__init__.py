"""holdtrue: conversations with language models that hold true to what was agreed in them.

The public surface is what `__all__` names. Names are loaded when they are first used, so that importing
holdtrue costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdtrue.budget import Budget, SearchBudget
    from holdtrue.claim_record import CheckRecord, ClaimRecord, ClaimType, ClaimVerdict, SoftVerdict
    from holdtrue.conversation import Session
    from holdtrue.conversation.claim_session import ClaimSession
    from holdtrue.conversation.query_session import QuerySession, Question
    from holdtrue.conversation.search_session import SearchSession
    from holdtrue.errors import (
        HoldtrueError,
        InfrastructureError,
        InputError,
        ModelError,
        RequestRefused,
        SessionBusy,
        SessionClosed,
        SessionError,
    )
    from holdtrue.kinds.assignment.method import Feedback, Method
    from holdtrue.kinds.claims.method import ClaimMethod, find_claim_method
    from holdtrue.kinds.claims.settings import CheckSettings, FormalSettings
    from holdtrue.kinds.labels.case import Case, Premise
    from holdtrue.kinds.labels.method import LabelMethod, find_label_method
    from holdtrue.kinds.labels.record import LabelOutcome, label_outcome
    from holdtrue.kinds.search.method import SearchMethod, find_search_method
    from holdtrue.kinds.search.problem import Requirement, SearchProblem
    from holdtrue.kinds.search.record import CandidateOutcome, candidate_outcome, search_outcome
    from holdtrue.ledger.approval import APPROVE, KEEP, Decision, Retraction, instead
    from holdtrue.ledger.beliefs import Belief
    from holdtrue.ledger.commitment import Commitment
    from holdtrue.ledger.ledger import Ledger
    from holdtrue.logic.formula import (
        AllDifferent,
        And,
        Element,
        Formula,
        IfThenElse,
        Not,
        Or,
        Variable,
        at_least,
        at_most,
        exactly,
        exists,
        for_all,
        ite,
    )
    from holdtrue.logic.sorts import IntSort
    from holdtrue.models.chat import ChatModel, Message, Reply, Request
    from holdtrue.models.model_registry import open_model
    from holdtrue.models.sampling import Sampling
    from holdtrue.models.scripted import ScriptModel
    from holdtrue.record import Label, TurnOutcome, TurnRecord, Usage
    from holdtrue.world.domain import (
        Attribute,
        AttributeName,
        Axiom,
        ConstraintType,
        Domain,
        Entity,
        Integer,
        ValueOf,
    )
    from holdtrue.world.instance import Constraint, Instance
    from holdtrue.world.registry import find_domain

__all__ = [
    "Session",
    "Domain",
    "Attribute",
    "ConstraintType",
    "Entity",
    "Integer",
    "AttributeName",
    "ValueOf",
    "Axiom",
    "Instance",
    "Constraint",
    "find_domain",
    "Formula",
    "Variable",
    "IntSort",
    "And",
    "Or",
    "Not",
    "AllDifferent",
    "IfThenElse",
    "ite",
    "Element",
    "at_most",
    "at_least",
    "exactly",
    "for_all",
    "exists",
    "Ledger",
    "Commitment",
    "Method",
    "Feedback",
    "Sampling",
    "QuerySession",
    "Question",
    "Case",
    "Premise",
    "Label",
    "LabelMethod",
    "find_label_method",
    "LabelOutcome",
    "label_outcome",
    "Belief",
    "Retraction",
    "Decision",
    "APPROVE",
    "KEEP",
    "instead",
    "SearchSession",
    "SearchProblem",
    "Requirement",
    "SearchMethod",
    "find_search_method",
    "SearchBudget",
    "CandidateOutcome",
    "candidate_outcome",
    "search_outcome",
    "ClaimSession",
    "ClaimMethod",
    "find_claim_method",
    "CheckSettings",
    "FormalSettings",
    "CheckRecord",
    "ClaimRecord",
    "ClaimType",
    "ClaimVerdict",
    "SoftVerdict",
    "Budget",
    "ChatModel",
    "Message",
    "Request",
    "Reply",
    "ScriptModel",
    "open_model",
    "TurnRecord",
    "TurnOutcome",
    "Usage",
    "HoldtrueError",
    "InputError",
    "SessionError",
    "SessionBusy",
    "SessionClosed",
    "InfrastructureError",
    "ModelError",
    "RequestRefused",
]

_HOMES = {
    "conversation": ("Session",),
    "conversation.query_session": ("QuerySession", "Question"),
    "conversation.search_session": ("SearchSession",),
    "conversation.claim_session": ("ClaimSession",),
    "kinds.claims.method": ("ClaimMethod", "find_claim_method"),
    "kinds.claims.settings": ("CheckSettings", "FormalSettings"),
    "claim_record": ("CheckRecord", "ClaimRecord", "ClaimType", "ClaimVerdict", "SoftVerdict"),
    "kinds.labels.case": ("Case", "Premise"),
    "kinds.search.problem": ("SearchProblem", "Requirement"),
    "world.domain": (
        "Domain",
        "Attribute",
        "ConstraintType",
        "Entity",
        "Integer",
        "AttributeName",
        "ValueOf",
        "Axiom",
    ),
    "world.instance": ("Instance", "Constraint"),
    "world.registry": ("find_domain",),
    "logic.formula": (
        "Formula",
        "Variable",
        "And",
        "Or",
        "Not",
        "AllDifferent",
        "IfThenElse",
        "ite",
        "Element",
        "at_most",
        "at_least",
        "exactly",
        "for_all",
        "exists",
    ),
    "logic.sorts": ("IntSort",),
    "ledger.ledger": ("Ledger",),
    "ledger.commitment": ("Commitment",),
    "ledger.beliefs": ("Belief",),
    "ledger.approval": ("Retraction", "Decision", "APPROVE", "KEEP", "instead"),
    "kinds.assignment.method": ("Method", "Feedback"),
    "kinds.labels.method": ("LabelMethod", "find_label_method"),
    "kinds.search.method": ("SearchMethod", "find_search_method"),
    "models.sampling": ("Sampling",),
    "budget": ("Budget", "SearchBudget"),
    "models.chat": ("ChatModel", "Message", "Request", "Reply"),
    "models.scripted": ("ScriptModel",),
    "models.model_registry": ("open_model",),
    "kinds.labels.record": ("LabelOutcome", "label_outcome"),
    "kinds.search.record": ("CandidateOutcome", "candidate_outcome", "search_outcome"),
    "record": (
        "TurnRecord",
        "TurnOutcome",
        "Usage",
        "Label",
    ),
    "errors": (
        *("HoldtrueError", "InputError", "InfrastructureError", "ModelError", "RequestRefused"),
        *("SessionBusy", "SessionClosed", "SessionError"),
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'holdtrue' has no attribute {name!r}")
    value = getattr(import_module(f"holdtrue.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
