"""Calls that do not fit their function, told in jute's words: which argument, what it must be, what is near."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

from . import _core
from ._core import nearest_name
from .error import Error, TypeRefusal

F = TypeVar("F", bound=Callable[..., Any])


#: What an annotation asks for, of functions in Python: whether a value is one, and in words.
_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "str": (lambda value: isinstance(value, str), "a text"),
    "str | None": (lambda value: value is None or isinstance(value, str), "a text, or None"),
    "int": (lambda value: hasattr(value, "__index__"), "an integer"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "Sequence[str]": (
        lambda value: isinstance(value, Iterable) and not isinstance(value, str), "a list of texts",
    ),
}  # fmt: skip


def refused(code: str, operand: str, value: Any, rule: str, nearest: str | None = None) -> Error:
    """An error of one broken rule."""
    return Error(code, operand, str(value), (rule,), nearest)


def unknown_keyword(name: str, takes: Iterable[str], function: str) -> Error:
    """Of a keyword that a function has not, with the nearest that it has."""
    known = list(takes)
    return TypeRefusal(
        "unknown_name", "keyword", name, (f"{function} takes {', '.join(known)}",),
        nearest_name(name, known),
    )  # fmt: skip


def words_of(value: Any) -> str | None:
    """A dictionary of choices as the text that says them."""
    if not isinstance(value, Mapping) or not value:
        return None
    return " ".join(f"{name}={each}" for name, each in value.items())


def _refuse(function: Callable[..., Any], words: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Raises what is wrong with the call; returns where nothing is."""
    signature = inspect.signature(function)
    parameters = signature.parameters
    takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    named_ones = [name for name, each in parameters.items()
                  if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]  # fmt: skip
    for name in named:
        if not takes_any and name not in named_ones:
            raise unknown_keyword(name, [each for each in named_ones if each != "self"], function.__name__)
    try:
        bound = signature.bind(*words, **named)
    except TypeError as error:
        raise refused("wrong_arity", function.__name__, f"{len(words)} arguments", str(error)) from None
    for name, value in bound.arguments.items():
        is_one, kind = _KINDS.get(str(parameters[name].annotation), (None, ""))
        if is_one is not None and not is_one(value):
            raise refused("wrong_type", name, repr(value), f"it must be {kind}",
                          words_of(value) if kind == "a text" else None)  # fmt: skip


def told_of(core: F) -> Callable[[Callable[[], None]], F]:
    """Of a function that is what its docstring tells of a compiled one, which has the words and runs the calls."""

    def of(function: Callable[[], None]) -> F:
        scope = {**globals(), **vars(_core), "Sequence": Sequence, "__name__": function.__module__}
        exec(f"{core.__nb_signature__[0][0]}: ...", scope)  # type: ignore[attr-defined]

        @functools.wraps(scope[function.__name__])
        def call(*words: Any, **named: Any) -> Any:
            return core(*words, **named)

        call.__doc__ = function.__doc__
        return cast(F, call)

    return of


def refusing(function: F) -> F:
    """The function, whose calls that do not fit it raise :class:`jute.Error` instead of a bare TypeError."""

    @functools.wraps(function)
    def called(*words: Any, **named: Any) -> Any:
        try:
            return function(*words, **named)
        except TypeError as error:
            if not isinstance(error, Error):
                _refuse(function, words, named)
            raise

    return cast(F, called)
