"""Check the declaration of a `Domain` when it is made, as far as this is possible without an instance.

The module `instance_check` tries the declared functions in each instance.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import Formatter
from typing import TYPE_CHECKING

from holdtrue.world import declaration as declared
from holdtrue.world.ambiguity_check import check_alike
from holdtrue.world.declaration_errors import Place, check_takes

if TYPE_CHECKING:
    from holdtrue.world.domain import Domain

_ARGUMENTS = 'Entity(), Integer(low, high), AttributeName() or ValueOf("day")'


def check_declaration(domain: Domain) -> None:
    """Raise `DomainError`, which names the domain and the place in it, for an invalid declaration."""
    place = Place(f"domain {domain.name!r}")
    if not declared.is_text(domain.name):
        raise Place("a domain").error(f"its name must be a text, not {domain.name!r:.60}")
    if callable(domain.attributes):
        check_takes(place, "attributes", domain.attributes, 1, "the setting")
    else:
        check_attributes(place, domain.attributes)
    _check_types(place, domain)
    for what, function, count, given in (
        ("context", domain.context, 2, "the entities and the setting"),
        ("axioms", domain.axioms, 1, "the instance"),
        ("setup", domain.setup, 1, "the instance"),
    ):
        if function is not None:
            check_takes(place, what, function, count, given)
    if callable(domain.conventions):
        check_takes(place, "conventions", domain.conventions, 1, "the instance")
    else:
        check_texts(place.at("conventions"), domain.conventions)
    check_texts(place.at("entities"), domain.entities)
    if not isinstance(domain.joining, bool):
        check_takes(place, "joining", domain.joining, 2, "the instance and a name")


def check_attributes(place: Place, attributes: object) -> Sequence[declared.Attribute]:
    """Return the attributes. Raises `DomainError` if they are not a list of attributes with different names."""
    if isinstance(attributes, str) or not isinstance(attributes, Sequence):
        raise place.error(f"attributes must be a list of Attribute(...), not {attributes!r:.60}")
    for attribute in attributes:
        if not isinstance(attribute, declared.Attribute):
            raise place.error(f"attributes must hold Attribute(...), not {attribute!r:.60}")
    if not attributes or len({attribute.name.strip().casefold() for attribute in attributes}) != len(attributes):
        raise place.error("a domain needs attributes, each with a name of its own")
    return attributes


def check_texts(place: Place, texts: object) -> Sequence[str]:
    """Return a list of texts. Raises `DomainError` for anything else, also for a single text."""
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        raise place.error(f"must be a list of texts, not {texts!r:.60}")
    for text in texts:
        if not isinstance(text, str):
            raise place.error(f"must be a list of texts; one is {text!r:.60}")
    return texts


def _check_types(place: Place, domain: Domain) -> None:
    kinds: object = domain.constraint_types
    if isinstance(kinds, str) or not isinstance(kinds, Sequence):
        raise place.error(f"constraint_types must be a list of ConstraintType(...), not {kinds!r:.60}")
    for number, kind in enumerate(kinds, start=1):
        if not isinstance(kind, declared.ConstraintType):
            raise place.error(f"constraint type {number} must be a ConstraintType(...), not {kind!r:.60}")
        if not declared.is_text(kind.name):
            raise place.error(f"constraint type {number} needs a name, not {kind.name!r:.60}")
    names = [kind.name for kind in domain.constraint_types]
    for name in names:
        if names.count(name) > 1:
            raise place.error(f"the constraint type {name!r} is declared twice")
    known = None if callable(domain.attributes) else [attribute.name for attribute in domain.attributes]
    for kind in domain.constraint_types:
        _check_type(place.at(f"constraint type {kind.name!r}"), kind, known)
    check_alike(place, domain.constraint_types)


def _check_type(place: Place, kind: declared.ConstraintType, known: Sequence[str] | None) -> None:
    """Check one type; `known` are the names of the attributes, or None if they depend on the setting."""
    arguments: object = kind.arguments
    if not isinstance(arguments, tuple):
        raise place.error(f"its arguments must be a tuple such as (Entity(), Integer(1, 5)), not {arguments!r:.60}")
    for number, argument in enumerate(kind.arguments):
        _check_argument(place.at_argument(number), number, argument, kind.arguments, known)
    count = len(kind.arguments)
    _check_sentence(place.at("sentence"), kind.sentence, kind.arguments)
    for number, wording in enumerate(check_texts(place.at("wordings"), kind.wordings), start=1):
        _check_sentence(place.at(f"wording {number}"), wording, kind.arguments)
    check_takes(place, "formula", kind.formula, 1 + count, f"the instance and {count} arguments")
    if kind.canonical is not None:
        check_takes(place, "canonical", kind.canonical, 1, "the tuple of arguments")
    if kind.applies is not None:
        check_takes(place, "applies", kind.applies, 1, "the instance")
    if kind.symmetric and (count < 2 or type(kind.arguments[0]) is not type(kind.arguments[1])):
        raise place.error("symmetric says that the first two arguments may be swapped, so they must be of one kind")
    if not isinstance(kind.definition, str):
        raise place.error(f"its definition must be a text, not {kind.definition!r:.60}")
    _check_examples(place, kind)
    _check_words(place, kind)


def _check_argument(
    place: Place, number: int, argument: object, arguments: Sequence[declared.Argument], known: Sequence[str] | None
) -> None:
    match argument:
        case declared.Entity():
            return
        case declared.Integer():
            for bound in (argument.low, argument.high):
                if callable(bound):
                    check_takes(place, "a bound", bound, 1, "the instance")
                elif isinstance(bound, bool) or not isinstance(bound, int):
                    raise place.error(f"a bound must be a whole number or a function of the instance: {bound!r:.60}")
            if isinstance(argument.low, int) and isinstance(argument.high, int) and argument.low > argument.high:
                raise place.error(f"Integer needs low <= high, got {argument.low}..{argument.high}")
        case declared.AttributeName():
            if argument.among is not None:
                check_takes(place, "among", argument.among, 1, "the instance")
        case declared.ValueOf(argument=str(named)):
            if known is not None and named not in known:
                raise place.error(f"ValueOf({named!r:.60}) names no attribute; there are {', '.join(known)}")
        case declared.ValueOf(argument=named):
            before = [place for place, one in enumerate(arguments[:number]) if isinstance(one, declared.AttributeName)]
            if isinstance(named, bool) or named not in before:
                earlier = f"one of {', '.join(map(str, before))}" if before else "and there is none"
                raise place.error(
                    f"ValueOf({named!r:.20}) must give the name of an attribute, or the number of an earlier "
                    f"AttributeName(), {earlier}"
                )
        case _:
            raise place.error(f"must be {_ARGUMENTS}, not {argument!r:.60}")


def _check_sentence(place: Place, text: object, arguments: Sequence[declared.Argument]) -> None:
    """Raise `DomainError` for a text that is not a format string with every argument as a bare `{0}`.

    An attribute's name may be missing, since its value can imply it.
    """
    if not isinstance(text, str) or not declared.is_text(text):
        raise place.error(f"must be a text, not {text!r:.60}")
    known = ", ".join(f"{{{number}}}" for number in range(len(arguments))) or "not at all"
    try:
        fields = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        raise place.error(f"{text!r:.60} is no format string: {error}; write {{{{ for a bracket itself") from error
    numbers = [str(number) for number in range(len(arguments))]
    if all(name == "" for _, name, _, _ in fields):  # `{}` and `{}` are `{0}` and `{1}`
        fields = [(before, str(at), form, way) for at, (before, _, form, way) in enumerate(fields)]
    for _, name, form, conversion in fields:
        if name not in numbers or form or conversion:
            written = f"{{{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}}}"
            raise place.error(f"{text!r:.60} holds {written}; its arguments are written {known}, without anything else")
    said = {name for _, name, _, _ in fields}
    for number, argument in zip(numbers, arguments, strict=True):
        if number not in said and not isinstance(argument, declared.AttributeName):
            raise place.error(f"{text!r:.60} does not say argument {{{number}}}, so that two constraints read the same")


def _check_examples(place: Place, kind: declared.ConstraintType) -> None:
    if not isinstance(kind.examples, Sequence):
        raise place.error(f"its examples must be a tuple of Example(sentence, args), not {kind.examples!r:.60}")
    for number, example in enumerate(kind.examples, start=1):
        here = place.at(f"example {number}")
        said: object = example
        if not isinstance(said, declared.Example) or not declared.is_text(example.sentence):
            raise here.error(f"must be Example(sentence, args), not {example!r:.60}")
        args: object = example.args
        if not isinstance(args, tuple) or len(args) != len(kind.arguments):
            raise here.error(f"{args!r:.60} must be a tuple of {len(kind.arguments)} arguments, like its type's")
        for place_of, (argument, arg) in enumerate(zip(kind.arguments, example.args, strict=True)):
            _check_example(here.at_argument(place_of), argument, arg)


def _check_example(place: Place, argument: declared.Argument, arg: object) -> None:
    whole = isinstance(arg, int) and not isinstance(arg, bool)
    match argument:
        case declared.Entity() | declared.AttributeName():
            if not isinstance(arg, str):
                raise place.error(f"must be a name, not {arg!r:.60}")
        case declared.Integer():
            low = argument.low if isinstance(argument.low, int) else None
            high = argument.high if isinstance(argument.high, int) else None
            if not isinstance(arg, int) or not whole:
                raise place.error(f"must be a whole number, not {arg!r:.60}")
            if (low is not None and arg < low) or (high is not None and arg > high):
                raise place.error(f"{arg} is not in {'...' if low is None else low}..{'...' if high is None else high}")
        case declared.ValueOf():
            if not isinstance(arg, str) and not whole:
                raise place.error(f"must be a value, a text or a whole number, not {arg!r:.60}")


def _check_words(place: Place, kind: declared.ConstraintType) -> None:
    """Check the number words and the cues of a type."""
    for entry in kind.number_words:
        match entry:
            case (str(), int()) if not isinstance(entry[1], bool):
                continue
        raise place.error(f'number_words are pairs such as ("overlap", 0), not {entry!r:.60}')
    if kind.number_words and not any(
        isinstance(argument, declared.Integer | declared.ValueOf) for argument in kind.arguments
    ):
        raise place.error("number_words stand for a number, and none of its arguments is one")
    for cue in kind.cues:
        given: object = cue
        if not isinstance(given, declared.Cue) or not declared.is_text(cue.pattern):
            raise place.error(f"cues must hold Cue(pattern), not {cue!r:.60}")
        try:
            re.compile(rf"\b(?:{cue.pattern})\b")  # The reader uses this form.
        except (re.error, OverflowError, RecursionError) as error:
            raise place.error(f"the cue {cue.pattern!r:.60} is no regular expression: {error}") from error
    if kind.cues and kind.arguments[:2] != (declared.Entity(), declared.Entity()):
        raise place.error("cues tell which of two entities is the first argument, so its first two must be Entity()")
