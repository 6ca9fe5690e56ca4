"""Read the definition of a tool from a Python function: its name, type hints, defaults and docstring.

>>> def refund(order: str, amount: float = 0.0) -> None:
...     '''Pay back.'''
>>> definition_of(refund)["parameters"]["properties"]
{'order': {'type': 'string'}, 'amount': {'type': 'number', 'default': 0.0}}
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Annotated, Any

from holdtrue.rules.syntax import RuleError

UNREADABLE = (RuntimeError, ValueError, TypeError, NameError, LookupError, AttributeError, SyntaxError)
"""The errors of classes and functions whose type hints cannot be evaluated, or have no JSON Schema."""


def definition_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return a tool definition, in which pydantic says the JSON Schema of each type hint.

    Raises `RuleError` with all parameters that have no hint, or a hint without a JSON Schema.
    """
    from pydantic import TypeAdapter

    name = str(getattr(function, "__name__", type(function).__name__))
    try:
        parameters = [*inspect.signature(function, eval_str=True).parameters.values()]
    except UNREADABLE as error:
        raise RuleError(f"{name}: its type hints cannot be read: {_first_line(error)}") from error
    if parameters and parameters[0].name in ("self", "cls") and parameters[0].annotation is Parameter.empty:
        parameters = parameters[1:]  # A method that is no part of an object yet.
    own, adapters, faults = [_Given(each) for each in parameters], dict[str, Any](), list[str]()
    for given in own:
        path = f"{name}.{given.name}"
        if given.hint is Parameter.empty:
            faults.append(f"{path}: the parameter has no type hint; write one, such as {given.name}: str")
            continue
        try:
            adapters[given.name] = TypeAdapter(given.hint)
            adapters[given.name].json_schema()
        except UNREADABLE as error:
            hint = f"{path}: its type hint has no JSON Schema; give the tool's definition as JSON"
            faults.append(f"{hint} ({_first_line(error)})")
    if faults:
        raise RuleError("\n".join(faults))
    found, more = TypeAdapter.json_schemas([(key, "validation", each) for key, each in adapters.items()])
    schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    for given in own:
        part = found[given.name, "validation"]
        if given.kind is Parameter.VAR_KEYWORD:
            schema["additionalProperties"] = part
            continue
        part = {"type": "array", "items": part} if given.kind is Parameter.VAR_POSITIONAL else part
        schema["properties"][given.name] = {**part, **given.default_of(adapters[given.name])}
    schema["required"] = [given.name for given in own if given.is_required]
    return {"name": name, "description": _first_line(inspect.getdoc(function) or ""), "parameters": {**schema, **more}}


class _Given:
    """A parameter of a function, in which a default made by pydantic's `Field` counts as part of its hint."""

    def __init__(self, parameter: Parameter) -> None:
        from pydantic.fields import FieldInfo

        self.name, self.kind = parameter.name, parameter.kind
        self.hint, self._default = parameter.annotation, parameter.default
        if isinstance(self._default, FieldInfo):
            field, none = self._default, Parameter.empty
            self.hint = none if self.hint is none else Annotated[self.hint, field]
            self._default = none if field.is_required() else field.get_default(call_default_factory=True)

    @property
    def is_required(self) -> bool:
        several = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
        return self._default is Parameter.empty and self.kind not in several

    def default_of(self, adapter: Any) -> dict[str, Any]:
        """Return the default under its keyword, or nothing if there is none or no JSON says it."""
        if self._default is Parameter.empty:
            return {}
        try:
            return {"default": adapter.dump_python(self._default, mode="json", warnings=False)}
        except UNREADABLE:
            return {}


def _first_line(text: object) -> str:
    return str(text).strip().partition("\n")[0][:300]
