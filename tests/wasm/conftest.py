"""The package for web pages, driven by Node: the same core, asked the same questions."""

from collections.abc import Iterator

import pytest
from packaged import BUILT, NODE, Package

if NODE is None or not all(path.is_file() for path in BUILT):
    raise pytest.UsageError(
        "tests/wasm need Node and the built package (make wasm); --ignore=tests/wasm does without"
    )


@pytest.fixture(scope="session")
def package() -> Iterator[Package]:
    package = Package()
    yield package
    package.close()
