"""Images of eight by eight pixels, drawn by the program, for models that learn a single one."""

import numpy as np

__all__ = ["SIDE", "small_seven"]

SIDE = 8


def small_seven(shift=0, slant=0):
    """Draw a seven.

    Parameters
    ----------
    shift : int
        Pixels to the right, -1 to 1.
    slant : int
        Pixels by which the stem leans further to the left at its foot, 0 to 2.

    Returns
    -------
    ndarray, shape (64,)
        Row by row, 0 for paper and 1 for ink.

    Raises
    ------
    ValueError
        If the figure would leave the image.
    """
    if abs(shift) > 1 or not 0 <= slant <= 2:
        raise ValueError(f"shift must be -1 to 1 and slant 0 to 2, but {shift} and {slant} came")
    image = np.zeros((SIDE, SIDE))
    image[1, 2 + shift : 6 + shift] = 1.0
    for row in range(2, 7):
        image[row, 5 + shift - round(slant * (row - 2) / 4.0)] = 1.0
    return image.ravel()
