"""What a product may be off by, beside float64: of numpy's arrays and torch's tensors alike."""

from __future__ import annotations

from typing import Any


def error_bound(exact: Any, size: Any, k: int, roundoff: float, sums: float | None = None) -> Any:
    """Of each element.

    exact     the product in float64, with what is added
    size      the same of magnitudes, |A||B|
    roundoff  half a unit in the last place of a result
    sums      what an accumulator adds to each product: f32's, or f64's of an f64 result
    """
    if sums is None:
        sums = 2.0**-53 if roundoff == 2.0**-53 else 2.0**-23
    return (k + 4) * sums * size + 2 * roundoff * abs(exact) + 2.0**-24
