"""Where in a block a gradient is wrong, found by halving."""

import numpy as np

from .block_verdict import compare


def find_place(point, block, rng):
    """Narrow an error down to the smallest box of entries that holds it.

    Each axis is halved as long as the error lies in one half alone, which takes a number of evaluations
    that grows with the logarithm of the block's size.

    Parameters
    ----------
    point : Point
        Where the gradient is wrong.
    block : str
        Name of the parameter.
    rng : numpy.random.Generator
        Source of directions.

    Returns
    -------
    tuple of slice
        One slice an axis; the whole block where the error is everywhere.
    """
    box = [slice(0, n) for n in point.params[block].shape]
    for axis in range(len(box)):
        _halve(point, block, rng, box, axis)
    return tuple(box)


def _halve(point, block, rng, box, axis):
    while box[axis].stop - box[axis].start > 1:
        low, high = box[axis].start, box[axis].stop
        middle = (low + high) // 2
        wrong = []
        for part in (slice(low, middle), slice(middle, high)):
            box[axis] = part
            if compare(point, point.slopes.direction(block, rng, tuple(box))).differs:
                wrong.append(part)
        box[axis] = wrong[0] if len(wrong) == 1 else slice(low, high)
        if len(wrong) != 1:
            return


def entry_at(point, block, box):
    """Return index, given and true derivative of the one entry in a box, or None where it holds more."""
    index = tuple(part.start for part in box)
    if any(part.stop - part.start != 1 for part in box):
        return None
    unit = np.zeros(point.params[block].shape)
    unit[index] = 1.0
    comparison = compare(point, {block: unit})
    return index, comparison.given, comparison.slope.value


def describe_place(shape, box):
    """Say which entries a box holds, in numpy's notation, or '' for all of them."""
    parts = []
    for length, part in zip(shape, box, strict=True):
        whole = part.start == 0 and part.stop == length
        parts.append(
            ":" if whole else str(part.start) if part.stop == part.start + 1 else f"{part.start}:{part.stop}"
        )
    return "" if all(part == ":" for part in parts) else "[" + ", ".join(parts) + "]"
