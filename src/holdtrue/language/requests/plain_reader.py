"""Read unambiguous words without a model: the answer to a policy's question, and its choices by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holdtrue.language.requests.operation import Act, Argument, Content, Operation, RequestContext, RequestReading
from holdtrue.language.requests.spans import spans_of
from holdtrue.language.requests.word_values import content_of, plain, stands_in
from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.language.yes_words import answer_of, denies, is_yes_or_no, says_no
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import Flag, Number, without_null

SAID = "said"
"""The act that holds the questions of a policy."""


class PlainReader:
    """A `PlainReader` calls no model. It reads no values of calls, because only the call shows their arguments."""

    name = "plain"

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        """Return the answers of a message to the questions of the policy."""
        asked = acts[SAID].arguments if SAID in acts else {}
        found = {own.argument: own for own in _answers(asked, message, context)}
        others = [own for name, act in acts.items() if name != SAID for own in act.arguments.values()]
        for argument in asked.values():
            choice = choice_in(message, argument, [*asked.values(), *others])
            if choice is not None and argument.name not in found:
                found[argument.name] = Operation("set", SAID, "", argument.name, value=choice, quote=choice)
        unread = () if found or answer_of(message) != "more" else ("what it says in words: no model reads it",)
        return RequestReading(tuple(found.values()), unread)


def _answers(asked: Mapping[str, Argument], message: str, context: RequestContext) -> Iterator[Operation]:
    """Yield the answer to the one question of the policy with which the assistant's message ends."""
    before = plain(context.assistant)
    own = [name for name, question in context.questions.items() if plain(question) and before.endswith(plain(question))]
    if len(own) != 1 or own[0] not in asked:
        return
    [name] = own
    type = without_null(asked[name].type)
    value: Content | None = None
    if isinstance(type, Flag):
        value = True if answer_of(message) == "yes" else False if says_no(message) else None
    elif isinstance(type, Calendar | Number):
        spans = spans_of(message, type, context.now, context.locale)
        read = read_slot_value(spans[0].text, type, context.now, context.locale) if len(spans) == 1 else None
        value = content_of(read.shown[0], type) if read and len(read.shown) == 1 and not denies(message) else None
    if value is not None:
        yield Operation("set", SAID, "", name, value=value, quote=message.strip())


def never_answered(acts: Mapping[str, Act], questions: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of the policy's questions to which code alone can read no answer."""
    among = [own for act in acts.values() for own in act.arguments.values()]
    for name, argument in acts[SAID].arguments.items():
        asked, others = plain(questions.get(name, "")), (plain(own) for each, own in questions.items() if each != name)
        is_told_apart = bool(asked) and not any(own and asked.endswith(own) for own in others)
        is_answered = argument.is_read and isinstance(without_null(argument.type), Flag | Calendar | Number)
        if not (is_answered and is_told_apart) and not any(
            choice_in(own, argument, among) for own in argument.choices or ()
        ):
            yield name


def choice_in(message: str, argument: Argument, among: list[Argument]) -> str | None:
    """Return the only choice of an argument that a message names, if no other argument has the same choice.

    A message with a word for 'not' may deny the choice, so it names none.
    """
    named = [own for own in argument.choices or () if stands_in(own, message) and not is_yes_or_no(own)]
    if len(named) != 1 or denies(message.casefold().replace(named[0].replace("_", " ").casefold(), " ")):
        return None
    same = [own for own in among if own.choices and named[0] in own.choices and own.name != argument.name]
    return None if same else named[0]
