"""Gradients of convolutions, by the images and by the filters."""

from __future__ import annotations

from . import _core
from ._refusals import told_of


@told_of(_core.conv2d_input)
def conv2d_input() -> None:
    """The gradient of :func:`conv2d` by its images: dx, of this size, from dy and w.

    Shapes are conv2d's, by ``order``: dx (N,H,W,C), w (F,R,S,C/groups), dy (N,P,Q,F). What no output
    has seen is 0. Of strides above 1 each remainder of the places by them is a product of its own,
    which writes places of its own: nothing is multiplied with a zero that a stride put there.

    The other arguments are conv2d's; the name and what comes first are torch.nn.grad's.

    Raises :class:`jute.Error`: wrong_arity, not_compatible, illegal_problem, of shapes that are no
    convolution's; unsupported, of strides that are negative.
    """


@told_of(_core.conv2d_weight)
def conv2d_weight() -> None:
    """The gradient of :func:`conv2d` by its filters: dw, of this size, from dy and x.

    Shapes are conv2d's, by ``order``: dw (F,R,S,C/groups), x (N,H,W,C), dy (N,P,Q,F); the sum runs
    over all outputs of all images.

    The other arguments are conv2d's; the name and what comes first are torch.nn.grad's.

    Raises :class:`jute.Error` as :func:`conv2d_input` does.
    """
