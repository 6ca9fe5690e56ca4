"""Cache what depends on an instance alone, as long as the instance lives.

A suite plays the same conversation under many methods: what a sentence names, and the lessons that a domain
teaches, are the same every time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from holdtrue.world.instance import Instance

Rest = ParamSpec("Rest")
Result = TypeVar("Result")

_MOST = 512  # results of one function for one instance; what is made beyond that is made again


def cached_per_instance(
    make: Callable[Concatenate[Instance, Rest], Result],
) -> Callable[Concatenate[Instance, Rest], Result]:
    """Return the function with a cache; its other arguments must be hashable, and its results must not be changed."""
    known: WeakKeyDictionary[Instance, dict[Any, Result]] = WeakKeyDictionary()

    def remember(instance: Instance, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
        own = known.setdefault(instance, {})
        key = (args, *sorted(kwargs.items()))
        if key not in own:
            if len(own) >= _MOST:
                own.clear()
            own[key] = make(instance, *args, **kwargs)
        return own[key]

    update_wrapper(remember, make)
    return remember
