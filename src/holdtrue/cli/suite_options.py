"""Make commands from the declarations of suites and kinds of answers: a field with an `Option` becomes an option.

Options that several commands have are declared here; names of models are checked before anything is read or downloaded.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperGroup

from holdtrue.options import Option

if TYPE_CHECKING:
    from holdtrue.lab.kit.suite import Suite


EXIT_CODES = "Exit code: 0 done, 1 a conversation failed, 2 usage, 3 stopped at the token limit, 4 infrastructure."


def suite_app(make: Callable[[Suite], Any], about: str, has: Callable[[Suite], bool] | None = None) -> typer.Typer:
    """Return a group with a command for every suite, made when it is asked for, so that no other one is loaded with it.

    `make` returns the command of a suite. Suites that have none are left out of the list by `has`.
    """

    class Group(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            from holdtrue.lab.kit.registry import find_suite, suite_names

            return [name for name in suite_names() if has is None or has(find_suite(name))]

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            from holdtrue.lab.kit.registry import find_suite

            return make(find_suite(cmd_name))

    app = typer.Typer(cls=Group, help=about, no_args_is_help=True)
    app.callback(help=about)(lambda: None)
    return app


def make_command(
    name: str, run: Callable[[dict[str, Any]], None], parameters: list[inspect.Parameter], help: str
) -> Any:
    """Return a command with these parameters, which calls `run` with all given values by name."""

    def call(**given: Any) -> None:
        run(given)

    call.__doc__ = help
    call.__name__ = name
    _give(call, parameters)
    return as_command(call)


def as_command(verb: Callable[..., None], about: str | None = None) -> Any:
    """The command of one verb, as a group of commands has it; `about` is its line in the group's help."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(short_help=about)(verb)
    return typer.main.get_command(app)


def spread(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb, whose parameter `settings` is a dataclass, the options of that in the parameter's place."""
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
    """Let the function have this signature, from which the command line makes options."""
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
    """Return the dataclass with the given values of its fields; raises what it raises for values that do not fit."""
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
    """The type as the command line reads it: words for a choice of words, several values for a tuple."""
    origin = get_origin(kind)
    if origin is Literal:
        return str
    if origin is tuple:
        return list[get_args(kind)[0]]  # type: ignore[misc]
    if origin in (Union, types.UnionType):
        some = [_plain(each) for each in get_args(kind) if each is not type(None)]
        return some[0] | None
    return kind


def known_model(name: str) -> str:
    """Return the name if a model can have it; raises `SettingsError`. This is the callback of an option."""
    from holdtrue.models.model_registry import check_model_name

    check_model_name(name)
    return name


def reading_model(name: str) -> str:
    """Return the name if a model of that name reads any text; raises `SettingsError`. This is an option's callback."""
    from holdtrue.errors import SettingsError

    if name.partition("/")[0] == "sim":
        raise SettingsError(
            f"{name}: a simulated model knows what a run asks it about, and reads no other text; name one that reads,"
            " such as openai/NAME, local/NAME or script/FILE"
        )
    return known_model(name)


Out = Annotated[Path | None, typer.Option(help="Folder of the run (default: runs/, named by settings).")]
Connections = Annotated[int, typer.Option(min=1, help="Calls under way at a time.")]
TokenLimit = Annotated[int | None, typer.Option(min=1, help="Begin no call beyond so many paid tokens.")]
BaseUrl = Annotated[str | None, typer.Option(help="Where an openai/... model is served.")]
ShowTurns = Annotated[bool, typer.Option("--show-turns", help="Tell every turn in words, as it comes.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only the last line.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Tell which solver, and why, on standard error.")]
