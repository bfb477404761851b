"""Make numpy's browser wheel lighter: tests, headers, stubs and f2py are of no use to a page."""

import os
import shutil
import tempfile
from pathlib import Path
from unittest import mock

from pyodide_build.common import modify_wheel
from pyodide_build.recipe.unvendor import unvendor_tests_in_wheel

USELESS = ("*.pyi", "*.h", "*.c", "*.pxd")
EPOCH = "315532800"  # 1980, the first year of zip archives: the same wheel comes out on every day


def trim(wheel: Path, folder: Path) -> Path:
    """Return the lighter twin of `wheel` in `folder`, made there if it is missing."""
    target = folder / wheel.name
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as place:
            draft = Path(shutil.copy(wheel, place))
            with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH=EPOCH):
                unvendor_tests_in_wheel(draft)
                with modify_wheel(draft, verbose=False) as unpacked:
                    _remove_useless(unpacked / "numpy")
            draft.rename(target)
    return target


def _remove_useless(package: Path) -> None:
    shutil.rmtree(package / "f2py")
    for pattern in USELESS:
        for path in list(package.rglob(pattern)):
            path.unlink()
