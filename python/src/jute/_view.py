"""A plan as a page: what was decided, how shared memory lies, the CUDA and PTX that follow."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._core import Plan


def _smem_layouts(facts: Any) -> list[tuple[str, str]]:
    """(operand, layout) of every tile that a plan keeps in shared memory."""
    found: list[tuple[str, str]] = []

    def walk(name: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "smem" and isinstance(inner, str) and ":" in inner:
                    found.append((name, inner))
                walk(key, inner)
        elif isinstance(value, list):
            for inner in value:
                walk(name, inner)

    walk("plan", facts)
    return found


class View:
    """What ``plan.view()`` shows in a notebook; ``save`` writes it as a page of its own."""

    #: Rows and columns of a picture that one can still read.
    MOST_CELLS = 64

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def _pictures(self) -> str:
        from ._core import Layout

        parts = []
        for name, text in dict(_smem_layouts(self._plan.fields())).items():
            picture = Layout(text).draw().thinned(self.MOST_CELLS)
            parts.append(self._part(f"{name} in shared memory: {text}", picture.svg(), as_text=False))
        return "".join(parts)

    @staticmethod
    def _part(title: str, content: str, *, as_text: bool = True) -> str:
        inner = f"<pre>{escape(content)}</pre>" if as_text else content
        return f"<details><summary>{escape(title)}</summary>{inner}</details>\n"

    def _repr_html_(self) -> str:
        from .error import Error

        parts = [
            self._part("Plan", str(self._plan)),
            self._part("Why", self._plan.explain()),
            self._pictures(),
            self._part("CUDA", self._plan.source),
        ]
        try:
            parts.append(self._part("PTX", self._plan.ptx))
        except Error as error:  # no NVRTC: the rest is worth a page
            parts.append(self._part(f"PTX: {error.code}", str(error)))
        return f"<div><strong>{escape(repr(self._plan))}</strong>\n{''.join(parts)}</div>"

    def save(self, path: str) -> None:
        """As a page that stands by itself."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">\n'
                f"<title>{escape(repr(self._plan))}</title>\n{self._repr_html_()}"
            )
