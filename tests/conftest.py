"""What holds for every test, and the demo corpus that many of them read."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

from resources.encoder import Encoder, open_encoder
from tests.support.pipeline import Demo, copied, is_setting, run_demo

# Every run asks the same examples; on a busy machine no example is too slow.
settings.register_profile("suite", deadline=None, derandomize=True, database=None)
settings.load_profile("suite")


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine() -> Iterator[None]:
    """Tests start without any setting, and what they or the code set is forgotten."""
    before = dict(os.environ)
    for name in filter(is_setting, before):
        del os.environ[name]
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """What `muon-evidence demo` prints and leaves in a new data location.

    Run once, also where several processes share the tests; read only.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with FileLock(shared / "demo.lock"):
        return run_demo(shared / "demo")


@pytest.fixture
def copy_of_demo(demo: Demo, tmp_path: Path) -> Callable[[], Path]:
    """Copies of the demo's data location, for tests that change it."""
    return lambda: copied(demo.data, tmp_path / "copy")


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The packaged encoder, opened once."""
    from pipelines.parts import cache_folder  # noqa: PLC0415 - heavy, and few tests need it

    return open_encoder("", cache_folder())
