"""Check the arguments of a session. An error names the given value and the needed one."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from holdtrue.errors import InputError, SettingsError
from holdtrue.language.asking_back import AskBack
from holdtrue.language.readers import UNASKING
from holdtrue.language.reading import Extractor
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import check_model_name
from holdtrue.world.domain import Domain
from holdtrue.world.world import Setting

Kind = TypeVar("Kind")

_MODEL = (
    'a name such as "openai/NAME" or "local/NAME", or an object with `name`, `async def complete(request)` and '
    "`async def aclose()`"
)
_EXTRACTOR = '"llm", "templates", or an object with `name` and `async def read(world, message, context)`'


def described(value: object) -> str:
    """Describe a value in a few words."""
    if isinstance(value, type):
        return f"the class {value.__module__}.{value.__qualname__}"
    if inspect.isroutine(value):
        return f"the function {getattr(value, '__qualname__', value)}"
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return f"{value!r:.60}"
    return f"an object of the class {type(value).__module__}.{type(value).__qualname__}"


def check_kind(what: str, value: Any, kind: type[Kind]) -> Kind:
    """Return the value, which must be of that class. Raises `SettingsError` if it is not."""
    if isinstance(value, kind):
        return value
    named = f'"NAME" or {kind.__name__}(...)' if what == "method" else f"{kind.__name__}(...)"
    raise SettingsError(f"{what} is {described(value)}; needed is {named}")


def value_or_default(what: str, value: Any, default: Kind) -> Kind:
    """Return the value, which must be of the default's class, or the default if it is None. Raises `SettingsError`."""
    return default if value is None else check_kind(what, value, type(default))


def check_one_of(what: str, value: object, known: Sequence[str]) -> None:
    """Raise `SettingsError` for a word that is not known."""
    if value not in known:
        raise SettingsError(f"unknown {what} {value!r:.60}; there are {' and '.join(known)}")


def check_text(what: str, value: Any) -> str:
    """Return the value, which must be a text. Raises `InputError` if it is not."""
    if not isinstance(value, str):
        raise InputError(f"the {what} is a text, not {described(value)}")
    return value


def check_texts(what: str, values: Any) -> Iterable[str]:
    """Return the values, which must be texts. Raises `SettingsError` if they are not."""
    if not isinstance(values, Sequence) or isinstance(values, bytes):
        raise SettingsError(f"the {what} is a text or a list of texts, not {described(values)}")
    for value in values:
        if not isinstance(value, str):
            raise SettingsError(f"the {what} is a list of texts; one of them is {described(value)}")
    return values


def check_domain(value: Any) -> Domain | Setting:
    """Return the value, which must be a domain, an instance or another world. Raises `SettingsError` if it is not."""
    if isinstance(value, Domain | Setting):
        return value
    named = 'a name such as "seating" or "module:NAME", a Domain(...), or one of its instances'
    raise SettingsError(f"domain is {described(value)}; needed is {named}")


def check_model(value: Any, what: str = "model") -> ChatModel:
    """Return the value, which must be a chat model. Raises `SettingsError` if it is not."""
    _check_parts(what, value, ("complete", "aclose"), _MODEL)
    model: ChatModel = value
    return model


def check_extractor(value: Any) -> Extractor:
    """Return the value, which must be a reader of messages. Raises `SettingsError` if it is not."""
    _check_parts("extractor", value, ("read",), _EXTRACTOR)
    extractor: Extractor = value
    return extractor


def check_ask_back(value: Any) -> AskBack:
    """Return how the user is asked back. True means `beside`. Raises `SettingsError` for an unknown value."""
    match value:
        case False:
            return False
        case True | "beside":
            return "beside"
        case "alone":
            return "alone"
    raise SettingsError(f"ask_back is {described(value)}; there are False, 'beside' (or True) and 'alone'")


def check_reader(value: Any, extractor: Extractor | str) -> ChatModel | str:
    """Return the value, which must be a chat model or the name of one. The extractor must be a name and ask a model.

    Raises `SettingsError` if something does not fit.
    """
    if not isinstance(extractor, str):
        raise SettingsError(
            f"reader is given, and extractor {extractor.name!r} is an object, which asks what it was made with; "
            "give the model to that, as in LlmExtractor(model), or leave one of the two out"
        )
    if extractor in UNASKING:
        raise SettingsError(
            f"reader is given, and extractor {extractor!r} asks no model; leave reader out, or take extractor 'llm'"
        )
    if not isinstance(value, str):
        return check_model(value, "reader")
    check_model_name(value)
    return value


def _check_parts(what: str, value: object, methods: Sequence[str], needed: str) -> None:
    if isinstance(value, type):
        raise SettingsError(f"{what} is {described(value)} itself; make an object of it: {value.__name__}(...)")
    lacking = [f"{name}()" for name in methods if not callable(getattr(value, name, None))]
    if not isinstance(getattr(value, "name", None), str):
        lacking.append("a name")
    if lacking:
        hint = ""
        if type(value).__module__.partition(".")[0] == "openai":
            hint = '; for a client of a server write model="openai/NAME", with the address in OPENAI_BASE_URL'
        raise SettingsError(f"{what} is {described(value)}, without {' and '.join(lacking)}; needed is {needed}{hint}")
