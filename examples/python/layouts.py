"""Layouts: the swizzle that frees a tile's columns of bank conflicts, found and drawn.

    python3 examples/python/layouts.py
"""

from __future__ import annotations

import jute


def conflicts(layout: jute.Layout) -> int:
    """Cycles in which 32 lanes read a column of f32, 1 at best: a lane for each of 32 rows."""
    column = layout(None, 0)
    cycles: int = jute.bank_conflicts(column, 32, 4)[0]
    return cycles


def main() -> None:
    plain = jute.Layout((32, 32), (32, 1))
    swizzled = jute.Swizzle(5, 0, 5) @ plain
    print(f"{plain}: {conflicts(plain)} cycles a column")
    print(f"{swizzled}: {plain.explain().words[-1]}")
    print(f"tiles of 8x8: {jute.zipped_divide(plain, (8, 8))}")
    swizzled.draw(banks="f32").save("swizzled.svg")


if __name__ == "__main__":
    main()
