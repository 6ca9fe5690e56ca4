"""Find what supports a call in a conversation: a yes to just its arguments, or words and results for each of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

from holdtrue.guard.conversation.happenings import same_call
from holdtrue.guard.conversation.mentions import leaves, left_out, names_another
from holdtrue.guard.conversation.said import Said, clauses
from holdtrue.guard.conversation.served_requests import served
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.policy_parts import ConsentWay, Tool
from holdtrue.language.requests.word_values import stands_in, word_tokens
from holdtrue.language.yes_words import denies
from holdtrue.ledger.requests import ALL
from holdtrue.rules.types import Name, Type
from holdtrue.rules.values import show, to_json


def yes_to(state: ConversationState, tool: str, arguments: Any) -> ConsentWay | Literal[""]:
    """Return the surest way in which a yes of the user to just this call is known, "" where there is none."""
    ways = {state.answered[id].way for id in answers_for(state, tool, arguments, "confirm")}
    return next((own for own in reversed(get_args(ConsentWay)) if own in ways), "")


def lists_just(said: Said, state: ConversationState, tool: Tool, call: Mapping[str, Any]) -> bool:
    """Return whether code finds a call in a text, and nothing else in the place of any of it, and no denial.

    That is what a model's reading of a text as the listing of a call has to stand. Of several items of a list those
    that are about other things are left aside.
    """
    if said.is_cut:
        return False
    said = said.part(_own_items(said.text, tool, call))
    text = said.text.casefold()
    for _, name, value, type in leaves(call, tool.arguments, ""):
        # A reason such as 'no longer needed' denies nothing, nor does 'without insurance' where there is to be none.
        if isinstance(type, Name) and value:
            text = text.replace(value.casefold(), " ")
        elif value is False:
            text = " ".join(own for own in clauses(text) if not stands_in(name.replace("_", " "), own))
    whole = not left_out(said, tool, call, frozenset(state.facts.written))
    return whole and not names_another(said, tool, call) and not denies(text)


_ITEM = re.compile(r"(?<=[^\d\s][.!?])\s+|\n+|;\s")
"""What stands between two items: a number with a dot ends none, for `8. Dezember` is a day."""
_ID = re.compile(r"(?=\S*\d)(?=\S*[A-Z#_/-])\S+")


def _own_items(text: str, tool: Tool, call: Mapping[str, Any]) -> str:
    """Return a text without its items that name other things than a call does: they have other ids."""
    texts = [str(own) for _, _, own, type in leaves(call, tool.arguments, "") if isinstance(type, Name)]
    called = {token for own in texts for token in word_tokens(own)}
    items = [(own, {each for each in word_tokens(own) if _ID.fullmatch(each)}) for own in _ITEM.split(text)]
    return "\n".join(own for own, ids in items if ids <= called or ids & called)


def answers_for(state: ConversationState, tool: str, arguments: Any, kind: str) -> tuple[str, ...]:
    """Return the decisions of a kind on just this call that a person answered with yes, and that still count."""
    return tuple(
        id
        for id, yes in state.answered.items()
        if id not in state.spent
        and (own := state.decisions.get(id)) is not None
        and own.kind == kind
        and same_call(own, tool, arguments)
        and state.last_change(tool) <= yes.seq
    )


def unfounded(
    state: ConversationState, tool: Tool, call: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the arguments of a call that nobody agreed to and nothing shows, by their names.

    What the user said of the request that the call serves, what stands in their words or in a listing that they said
    yes to, what a result has shown, and what a call has by default anyway is founded.
    """
    act = state.act_of(tool.name)
    request = served(state.acts[act], state.ledger, given) if act in state.acts else None
    said = {own.argument for id in (ALL, *([request.id] if request else ())) for own in state.ledger.words_of(id)}
    found = []
    for name, value in call.items():
        type = tool.arguments.fields[name].type
        default = name in tool.schema.defaults and tool.schema.defaults[name] == to_json(value, type)
        if not default and name not in said and not _is_founded(state, name, value, type):
            found.append(name)
    return tuple(found)


def _is_founded(state: ConversationState, name: str, value: Any, type: Type) -> bool:
    for _, own, each, kind in leaves(value, type, name, name):
        shown = {str(to_json(each, kind)), show(each, kind)} & state.shown.texts
        if not shown and not any(said.mentions(own, each, kind) for said in state.words.said_or_agreed()):
            return False
    return True
