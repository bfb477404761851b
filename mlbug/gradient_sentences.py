"""What the verdicts on a gradient mean, where no slip is found."""

VERDICTS = {
    "kink": (
        "ok",
        "The loss has a kink here: its slopes to the two sides differ, and the gradient takes "
        "one of the values "
        "that are allowed. At parameters near by, off the kink, it is right.",
    ),
    "round-off": (
        "ok",
        "Nothing but rounding is left of this gradient here, so that its error cannot be told; "
        "it is as small as "
        "the true one is. Parameters that a later step cancels, such as a bias before a "
        "normalization, end so.",
    ),
    "unclear": (
        "skipped",
        "The loss is too noisy to judge this gradient: an error smaller than its own size would stay unseen.",
    ),
    "unreached": (
        "suspect",
        "The gradient is zero, and rightly so: the loss does not change with this parameter, "
        "neither here nor near by.",
    ),
    "not-floating": ("skipped", "This parameter is not of a floating type, so that it has no derivative."),
    "wrong-elsewhere": (
        "suspect",
        "The gradient is right at the start, but at parameters near by it is not the derivative of the loss.",
    ),
}
"""By verdict: the status of its finding, and what it means."""

NEXT = {
    "unreached": "If it ought to matter, look for what cuts it off: an unused argument, a dead layer, a "
    "wrong name.",
    "wrong-elsewhere": "If the formula holds only under a constraint (such as norm 1), nothing is wrong; "
    "otherwise "
    "test it where no bias or weight is zero.",
}
"""By verdict: what to do next."""
