"""Refusals: whatever jute will not do, it says as an :class:`Error` that names the rule."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """A refusal: what was refused, which value, every broken rule, the nearest legal value.

    About a value it is a ValueError, too; about the kind of one, or a keyword that is none, a TypeError.

    Attributes
    ----------
    code            what kind it is: ``"not_divisible"``, ``"illegal_problem"``, ``"no_gpu"``, …
    operand         which argument or part: ``"tile.k"``
    value           what it was: ``"20"``
    violated_rules  every broken rule: ``("tile.k must be a multiple of the atom's K (16)",)``
    nearest_legal   ``"16"``; None where nothing is near
    position        (line, column) in a text, from 1; None elsewhere
    detail          a compiler's log, a report of the emulator, a line with a caret; may be empty
    """

    def __new__(cls, code: str, *words: Any, **named: Any) -> Error:
        return super().__new__(_CLASSES.get(code, cls) if cls is Error else cls, code, *words)

    def __init__(
        self,
        code: str,
        operand: str = "",
        value: str = "",
        violated_rules: tuple[str, ...] = (),
        nearest_legal: str | None = None,
        position: tuple[int, int] | None = None,
        detail: str = "",
    ) -> None:
        super().__init__(code, operand, value, violated_rules, nearest_legal, position, detail)
        self.code = code
        self.operand = operand
        self.value = value
        self.violated_rules = violated_rules
        self.nearest_legal = nearest_legal
        self.position = position
        self.detail = detail

    def __str__(self) -> str:
        named = " = ".join(part for part in (self.operand, self.value) if part)
        text = f"{self.code}: " + ": ".join(
            part for part in (named, "; ".join(self.violated_rules)) if part
        )
        if self.position is not None:
            line, column = self.position
            text += f" (line {line}, column {column})"
        if self.nearest_legal is not None:
            text += f" (nearest legal: {self.nearest_legal})"
        return f"{text}\n{self.detail}" if self.detail else text


class ValueRefusal(Error, ValueError):
    """About a value that an argument has."""


class TypeRefusal(Error, TypeError):
    """About what kind of thing an argument is, or whether a function has it."""


#: What is about neither, as a machine that lacks a GPU, is an Error alone.
_CLASSES: dict[str, type[Error]] = {
    **dict.fromkeys(
        ("syntax", "overflow", "too_deep", "out_of_range", "not_divisible", "not_congruent", "not_compatible",
         "not_injective", "wrong_arity", "unknown_name", "illegal_atom", "illegal_problem", "illegal_config",
         "illegal_template", "illegal_tensor_map", "misaligned", "unsupported", "signature_mismatch"),
        ValueRefusal,
    ),
    "wrong_type": TypeRefusal,
}  # fmt: skip
