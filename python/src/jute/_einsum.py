"""Letters of Einstein's notation as rows, columns, sums and batches of one product."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from .error import Error

#: Axes that are (batch, rows, columns) of one array.
Axes = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def _refuse(subscripts: str, rule: str, nearest: str | None = None) -> Error:
    return Error(
        "unsupported",
        operand="subscripts",
        value=subscripts,
        violated_rules=(rule,),
        nearest_legal=nearest,
    )


def _split(subscripts: str) -> tuple[str, str, str]:
    """The letters of a, of b and of the result; without ``->`` the result's in their order."""
    text = subscripts.replace(" ", "")
    read = re.fullmatch(r"([A-Za-z]+),([A-Za-z]+)(?:->([A-Za-z]*))?", text)
    if read is None:
        raise _refuse(
            subscripts, "it must be two operands' letters and the result's", "mk,kn->mn"
        )
    left, right, result = read.groups()
    if result is None:
        both = left + right
        result = "".join(sorted(letter for letter in set(both) if both.count(letter) == 1))
    return left, right, result


@lru_cache(maxsize=1024)
def _classified(subscripts: str) -> tuple[Axes, Axes, Axes, str]:
    """Axes of a, of b and of the result, and the result's letters."""
    left, right, result = _split(subscripts)
    for name, letters in (("a", left), ("b", right), ("the result", result)):
        twice = sorted({letter for letter in letters if letters.count(letter) > 1})
        if twice:
            raise _refuse(subscripts, f"{', '.join(twice)} must stand once in {name}: no diagonals")
    unknown = sorted(set(result) - set(left) - set(right))
    if unknown:
        raise _refuse(subscripts, f"{', '.join(unknown)} must stand in an operand")
    alone = sorted((set(left) ^ set(right)) - set(result))
    if alone:
        raise _refuse(
            subscripts, f"{', '.join(alone)} must stand in the result, or in both operands"
        )
    shared = set(left) & set(right)
    batch = [letter for letter in result if letter in shared]
    rows = [letter for letter in result if letter not in right]
    cols = [letter for letter in result if letter not in left]
    summed = [letter for letter in left if letter in shared and letter not in result]

    def axes(letters: str, *groups: list[str]) -> Axes:
        first, second, third = (tuple(letters.index(each) for each in group) for group in groups)
        return first, second, third

    return (
        axes(left, batch, rows, summed),
        axes(right, batch, summed, cols),
        axes(result, batch, rows, cols),
        result,
    )


def roles_of(subscripts: str, a: Any, b: Any) -> tuple[Axes, Axes, Axes, tuple[int, ...]]:
    """Which axes of a, b and the result are which, and the result's shape.

    Raises :class:`jute.Error`: unsupported, for letters that one product cannot serve;
    not_compatible, where a letter has two extents.
    """
    of_a, of_b, of_d, result = _classified(subscripts)
    left, right, _ = _split(subscripts)
    extents: dict[str, int] = {}
    for name, letters, array in (("a", left, a), ("b", right, b)):
        shape = tuple(array.shape)
        if len(shape) != len(letters):
            raise Error(
                "wrong_arity",
                operand=name,
                value=str(shape),
                violated_rules=(f"it must have an axis for each letter of {letters}",),
            )
        for letter, extent in zip(letters, shape, strict=True):
            if extents.setdefault(letter, extent) != extent:
                raise Error(
                    "not_compatible",
                    operand=f"{name}, axis {letter}",
                    value=str(extent),
                    violated_rules=("a letter must have one extent",),
                    nearest_legal=str(extents[letter]),
                )
    return of_a, of_b, of_d, tuple(extents[letter] for letter in result)
