"""Make commands from declarations: each field of a dataclass that has an `Option` becomes an option."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer

from holdtrue.options import Option


def make_command(
    name: str, run: Callable[[dict[str, Any]], None], parameters: list[inspect.Parameter], help: str
) -> Any:
    """Return a command with these parameters. It calls `run` with all values by name."""

    def call(**given: Any) -> None:
        run(given)

    call.__doc__ = help
    call.__name__ = name
    _give(call, parameters)
    return as_command(call)


def as_command(verb: Callable[..., None] | typer.Typer) -> Any:
    """Return the command of a function, or the group of a `Typer`, with the settings that all commands share."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    if isinstance(verb, typer.Typer):
        app.add_typer(verb, name="verb")
        return typer.main.get_command(app).commands["verb"]  # type: ignore[attr-defined]
    app.command()(verb)
    return typer.main.get_command(app)


def spread(verb: Callable[..., None]) -> Callable[..., None]:
    """Replace the parameter `settings` of a verb by options, one for each field of its dataclass."""
    hints = get_type_hints(verb, include_extras=True)
    declared = hints["settings"]
    options = list(parameters_of(declared))

    @functools.wraps(verb)
    def call(**given: Any) -> None:
        verb(**{name: value for name, value in given.items() if name in hints}, settings=take(declared, given))

    parameters: list[inspect.Parameter] = []
    for name, each in inspect.signature(verb).parameters.items():
        parameters += options if name == "settings" else [parameter(name, hints[name], each.default)]
    _give(call, parameters)
    return call


def _give(call: Callable[..., None], parameters: list[inspect.Parameter]) -> None:
    """Set the signature of a function, from which the command line makes options."""
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}


def parameter(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    """Return a keyword-only parameter."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def parameters_of(declared: type[Any]) -> Iterator[inspect.Parameter]:
    """Yield a parameter for each field of the dataclass that has an `Option`."""
    hints = get_type_hints(declared, include_extras=True)
    for field in fields(declared):
        kind, *metadata = get_args(hints[field.name])
        option = next(each for each in metadata if isinstance(each, Option))
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        plain = _plain(kind)
        if get_origin(kind) is tuple and default == ():
            plain, default = plain | None, None
        yield parameter(field.name, Annotated[plain, _as_typer(option)], default)


def take(declared: type[Any], options: Mapping[str, Any]) -> Any:
    """Return an object of the dataclass with these values of its fields.

    Invalid values raise the dataclass's errors.
    """
    values = {field.name: options[field.name] for field in fields(declared)}
    hints = get_type_hints(declared)
    return declared(
        **{name: tuple(value or ()) if get_origin(hints[name]) is tuple else value for name, value in values.items()}
    )


def _as_typer(option: Option) -> Any:
    flags = () if option.flag is None else (option.flag,)
    return typer.Option(
        *flags, help=option.help, min=option.least, max=option.most, show_default=option.default or True
    )


def _plain(kind: Any) -> Any:
    """Return the type that the command line reads: a text for a choice of texts, and a list for a tuple."""
    origin = get_origin(kind)
    if origin is Literal:
        return str
    if origin is tuple:
        return list[get_args(kind)[0]]  # type: ignore[misc]
    if origin in (Union, types.UnionType):
        some = [_plain(each) for each in get_args(kind) if each is not type(None)]
        return some[0] | None
    return kind
