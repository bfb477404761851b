"""What pytest collects, and how much hypothesis tries."""

import importlib.util

from hypothesis import settings

# tests of the PyTorch bridge only where PyTorch is installed
collect_ignore = [] if importlib.util.find_spec("torch") else ["torch"]

settings.register_profile("repeatable", max_examples=100, derandomize=True, deadline=None)
settings.register_profile("thorough", max_examples=2500, deadline=None)
settings.load_profile("repeatable")
