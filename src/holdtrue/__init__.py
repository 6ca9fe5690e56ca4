"""holdtrue: conversations with language models that hold true to what was agreed in them.

This package has the names that a conversation needs. Their parts and results are in `holdtrue.logic`,
`holdtrue.ledger`, `holdtrue.kinds.assignment`, `.labels` and `.search`, `holdtrue.models`, `holdtrue.record` and
`holdtrue.errors`. The distribution `holdtrue_claims` handles claims in free text, and `holdtrue_lab` runs experiments.
Names are loaded on first use, so that importing holdtrue is fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdtrue.budget import Budget as Budget
    from holdtrue.budget import SearchBudget as SearchBudget
    from holdtrue.conversation.query_session import QuerySession as QuerySession
    from holdtrue.conversation.query_state import Question as Question
    from holdtrue.conversation.search_session import SearchSession as SearchSession
    from holdtrue.conversation.session import Session as Session
    from holdtrue.errors import HoldtrueError as HoldtrueError
    from holdtrue.errors import InfrastructureError as InfrastructureError
    from holdtrue.errors import InputError as InputError
    from holdtrue.errors import ModelError as ModelError
    from holdtrue.errors import SessionError as SessionError
    from holdtrue.kinds.assignment.method import Method as Method
    from holdtrue.kinds.labels.case import Case as Case
    from holdtrue.kinds.labels.case import Premise as Premise
    from holdtrue.kinds.labels.method import LabelMethod as LabelMethod
    from holdtrue.kinds.search.method import SearchMethod as SearchMethod
    from holdtrue.kinds.search.problem import Requirement as Requirement
    from holdtrue.kinds.search.problem import SearchProblem as SearchProblem
    from holdtrue.language.extract import LlmExtractor as LlmExtractor
    from holdtrue.language.extract import ReadingSettings as ReadingSettings
    from holdtrue.language.readers import TemplateExtractor as TemplateExtractor
    from holdtrue.logic.connectives import Formula as Formula
    from holdtrue.logic.sorts import IntSort as IntSort
    from holdtrue.logic.terms import Variable as Variable
    from holdtrue.models.chat import ChatModel as ChatModel
    from holdtrue.models.chat import Message as Message
    from holdtrue.models.chat import Reply as Reply
    from holdtrue.models.chat import Request as Request
    from holdtrue.models.model_registry import open_model as open_model
    from holdtrue.models.sampling import Sampling as Sampling
    from holdtrue.models.scripted import ScriptModel as ScriptModel
    from holdtrue.record import Label as Label
    from holdtrue.record import TurnOutcome as TurnOutcome
    from holdtrue.record import TurnRecord as TurnRecord
    from holdtrue.world.declaration import Attribute as Attribute
    from holdtrue.world.declaration import AttributeName as AttributeName
    from holdtrue.world.declaration import ConstraintType as ConstraintType
    from holdtrue.world.declaration import Entity as Entity
    from holdtrue.world.declaration import Integer as Integer
    from holdtrue.world.declaration import ValueOf as ValueOf
    from holdtrue.world.domain import Domain as Domain
    from holdtrue.world.instance import Instance as Instance
    from holdtrue.world.registry import find_domain as find_domain
    from holdtrue.world.world import Axiom as Axiom
    from holdtrue.world.world import Constraint as Constraint
    from holdtrue.world.world import World as World
else:
    _HOMES = {
        ".conversation.session": "Session",
        ".conversation.query_session": "QuerySession",
        ".conversation.query_state": "Question",
        ".conversation.search_session": "SearchSession",
        ".world.domain": "Domain",
        ".world.declaration": "Attribute ConstraintType Entity Integer AttributeName ValueOf",
        ".world.world": "World Axiom Constraint",
        ".world.instance": "Instance",
        ".world.registry": "find_domain",
        ".logic.connectives": "Formula",
        ".logic.terms": "Variable",
        ".logic.sorts": "IntSort",
        ".kinds.labels.case": "Case Premise",
        ".kinds.search.problem": "SearchProblem Requirement",
        ".kinds.assignment.method": "Method",
        ".kinds.labels.method": "LabelMethod",
        ".kinds.search.method": "SearchMethod",
        ".language.extract": "LlmExtractor ReadingSettings",
        ".language.readers": "TemplateExtractor",
        ".budget": "Budget SearchBudget",
        ".models.sampling": "Sampling",
        ".models.chat": "ChatModel Message Request Reply",
        ".models.scripted": "ScriptModel",
        ".models.model_registry": "open_model",
        ".record": "TurnRecord TurnOutcome Label",
        ".errors": "HoldtrueError InputError SessionError ModelError InfrastructureError",
    }
    __all__ = [name for names in _HOMES.values() for name in names.split()]

    def __getattr__(name: str) -> object:
        from holdtrue.namespace import load  # here, because importing holdtrue loads nothing else

        return load(__name__, _HOMES, name)

    def __dir__() -> list[str]:
        return sorted(__all__)
