"""What each departure of an update rule means, in words."""

# kind: (status, meaning, next step); {where}, {source} and {factor} are filled in
KINDS = {
    "ignores-gradient": (
        "fault",
        "The rule moves {where} by the same amount whatever the gradient is: the gradient is never read.",
        "Look at the line that updates {where}: it should subtract the learning rate times the gradient.",
    ),
    "unrelated": (
        "fault",
        "The moves of {where} have nothing to do with its gradient, now or one step before.",
        "Follow the gradient of {where} from where it is computed to where it is used; somewhere it is "
        "replaced.",
    ),
    "parameter": (
        "fault",
        "The rule for {where} is fed with the parameter itself in place of its gradient, so that {where} "
        "follows "
        "its own value whatever the data say.",
        "In the update of {where}, replace the parameter by its gradient.",
    ),
    "last-batch": (
        "fault",
        "{where} is moved by the gradient of the step before, not by the present one.",
        "Compute the gradient before the update reads it, and do not keep it across steps.",
    ),
    "first-batch": (
        "fault",
        "{where} is moved at each step by the gradient of the first step.",
        "The gradient was stored once and is never renewed: recompute it at each step.",
    ),
    "accumulates": (
        "fault",
        "The gradients of {where} add up from step to step: each step subtracts the sum of all gradients so "
        "far.",
        "Set the gradient to zero before each backward pass, or assign it instead of adding to it.",
    ),
    "swapped": (
        "fault",
        "{where} is moved by the gradient of {source}.",
        "Match parameters and gradients by name, not by position.",
    ),
    "swapped-values": (
        "fault",
        "The rule returns under the name of {where} the new value of {source}: the two change places.",
        "Check the order in which the rule puts its results back.",
    ),
    "transposed": (
        "fault",
        "{where} is moved by the transpose of its gradient; the matrix is square, so nothing complains.",
        "Remove the transpose, or transpose once more.",
    ),
    "reordered": (
        "fault",
        "{where} is moved by its gradient in reversed row order.",
        "Check how rows of the parameter and of the gradient are matched.",
    ),
    "averaged": (
        "fault",
        "All elements of {where} move alike, by the mean of the gradient.",
        "Use the gradient element by element: a mean or sum over its axes stands in the update.",
    ),
    "absolute": (
        "fault",
        "{where} is moved by the absolute value of its gradient, always in one direction.",
        "Remove the absolute value.",
    ),
    "sign": (
        "fault",
        "{where} moves along its gradient instead of against it, so each step raises the loss.",
        "Change the sign of the step of {where}.",
    ),
    "decay-sign": (
        "fault",
        "The weight decay of {where} has the wrong sign: it makes the weights grow.",
        "Subtract the decay from the parameter, or add it to the gradient.",
    ),
    "never-moves": (
        "fault",
        "{where} (or some of its elements) never moves although its gradient is not zero.",
        "Check that the rule covers all of {where}; if it is frozen on purpose, leave it out of `params`.",
    ),
    "twice": (
        "fault",
        "Each step of {where} is applied twice: it moves as if the update had run two times.",
        "Look for a second update of {where} in the same step, or a factor of 2 in the rate.",
    ),
    "rate": (
        "fault",
        "{where} moves with {factor} times the stated learning rate.",
        "Find the factor in the update rule, or state the rate that you mean.",
    ),
    "own-rate": (
        "fault",
        "The rule for {where} takes no notice of the learning rate it is given and uses {factor} times the "
        "stated one.",
        "Use the rate that is passed in.",
    ),
    "rate-squared": (
        "fault",
        "The step of {where} grows with the square of the learning rate: the rate is multiplied in twice.",
        "Multiply by the learning rate once, in the gradient or in the update.",
    ),
    "rate-vanishes": (
        "fault",
        "The learning rate of {where} shrinks with every step, to less than a thousandth in a dozen steps: "
        "training stops before it has begun.",
        "Let the rate decay once an epoch, or by a factor nearer to 1.",
    ),
    "shared-velocity": (
        "fault",
        "{where} and {source} share one velocity: each is pushed by the other's gradient too.",
        "Keep one velocity array for each parameter.",
    ),
    "rate-by-block": (
        "suspect",
        "{where} moves with {factor} times the stated learning rate, other parameters with another multiple.",
        "Fine if meant; otherwise look for a step that is applied more than once.",
    ),
    "integer": (
        "fault",
        "The new values of {where} are whole numbers: an integer array cuts the step off.",
        "Make the parameter, and every buffer of the rule, a float array.",
    ),
    "precision": (
        "suspect",
        "The rule returns {where} in a coarser floating-point type than it got.",
        "Keep parameters and the rule's buffers in one type.",
    ),
    "rounding": (
        "suspect",
        "The steps of {where} are smaller than the spacing of floating-point numbers there, so that nothing "
        "changes.",
        "Raise the learning rate, or scale the parameter.",
    ),
    "non-finite": (
        "fault",
        "The rule makes {where} infinite or NaN from finite parameters and gradients.",
        "Look for a division by zero: a step counter that starts at 0, a missing epsilon, a root of a "
        "negative.",
    ),
    "aliased": (
        "fault",
        "Arrays that should be separate are one piece of memory ({source}): what changes one changes the "
        "other.",
        "Make each with its own `np.zeros_like` or `.copy()`.",
    ),
    "bias-correction": (
        "fault",
        "Adam corrects one of its moments of {where} for the start at zero, and the other not.",
        "Divide the first moment by 1 - beta1**t and the second by 1 - beta2**t.",
    ),
    "no-root": (
        "fault",
        "The step of {where} is divided by the mean square of the gradient, not by its root.",
        "Take the square root of the second moment.",
    ),
    "step-counter": (
        "fault",
        "Adam's step counter is wrong for {where}: it does not advance once a step, so the bias correction "
        "is off.",
        "Count steps once for each call of the rule, starting from 1.",
    ),
    "velocity-start": (
        "fault",
        "The momentum of {where} starts from the parameter's own value instead of zero.",
        "Start the velocity with `np.zeros_like`.",
    ),
    "no-correction": (
        "suspect",
        "Adam runs without bias correction on {where}: its first steps are several times too long.",
        "Fine if meant; otherwise divide the moments by 1 - beta**t.",
    ),
    "unknown": (
        "suspect",
        "No law in the catalog explains how {where} moves; the nearest leaves {factor} of the move "
        "unexplained.",
        "Compare the rule with its formula for one step by hand.",
    ),
}
