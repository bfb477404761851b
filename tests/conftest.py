"""What pytest collects: tests of the PyTorch bridge only where PyTorch is installed."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("torch") else ["torch"]
