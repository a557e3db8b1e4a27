"""What every test stands on: workers side by side for the whole suite, one thread of linear algebra in each."""

import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

# Compiled once, and not by each worker and by each of the hundreds of processes that tests start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Two workers on two cores: threads of linear algebra would only take turns with them.
# Set before NumPy is imported, and inherited by every process that a test starts.
for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

# Begun with & by a script, all of it and what it starts would be deaf to ctrl+c, which tests press.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A fault of the app's own ends it, in this process and in those that tests start: none goes unseen.
os.environ["ITERSCOPE_STRICT"] = "1"

# What a test answers or sets is not what the person who runs it has answered and set, nor what another test has.
_state = os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="iterscope-state-")
atexit.register(shutil.rmtree, _state, ignore_errors=True)
_number = count(1)

import pytest  # noqa: E402
from hypothesis import HealthCheck, find, settings  # noqa: E402
from hypothesis.strategies import just  # noqa: E402

if TYPE_CHECKING:
    from tests.tui.browser import Browser

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

_WORKERS = 8  # at most: each imports everything, which on many cores costs more than it saves


# What starts terminals and processes of its own, what looks at each algorithm or screen, and what goes through many
# screens and dialogs, take two fifths of the time.
# They are a part of their own in `.ci/run`, and run wherever one of these is named.
REAL = (
    "terminal",
    "hands",
    "heavy",
    "text",
    "saving/runlog/test_hands.py",
    "saving/runlog/test_screen.py",
    "sweeping/test_background.py",
    "sweeping/test_cluster.py",
    "timeline/test_types.py",
    "classroom/test_in_browser.py",
    "classroom/test_in_terminal.py",
    "classroom/test_serving.py",
    "tui/test_catalogue.py",
    "tui/test_contrast.py",
    "tui/test_editing.py",
    "tui/test_every_algorithm.py",
    "tui/test_hall.py",
    "tui/test_keeping.py",
    "tui/test_lesson_in_browser.py",
    "tui/test_notebook_kernel.py",
    "tui/test_page_in_browser.py",
    "tui/test_sweeping.py",
    "tui/test_without_rows.py",
    "userfile/test_declared_screen.py",
    "userfile/test_declared_isolated.py",
    "userfile/test_edited_isolated.py",
    "userfile/test_installed.py",
    "userfile/test_forked_screen.py",
    "userfile/test_process.py",
    "userfile/test_screen.py",
    "data/test_large_files.py",
    "data/test_progress_line.py",
    "test_check.py",
    "test_demos.py",
    "test_elsewhere.py",
)
_USUAL, _REAL = "not soak and not real", "real and not soak"  # as pyproject.toml and `.ci/run` say


def _named(config: pytest.Config) -> set[Path]:
    """The files and folders of tests that are named on the command line."""
    here = Path(__file__).parent
    every = {here, *here.parents}
    return {(config.invocation_params.dir / word.split("::")[0]).resolve() for word in config.args} - every


def _is_real(path: Path, config: pytest.Config) -> bool:
    """Whether a file is real, and neither it, a part of it nor its folder is named."""
    named = _named(config)
    return any(
        not any(place == n or place in n.parents or n in place.parents for n in named)
        for place in {Path(__file__).parent / name for name in REAL} & {path, *path.parents}
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no tests of the part that is not run: seconds of processor in each worker."""
    which = config.option.markexpr
    if not collection_path.name.startswith("test_") or which not in (_USUAL, _REAL):
        return None
    return True if _is_real(collection_path, config) != (which == _REAL) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is real."""
    known: dict[Path, bool] = {}  # of each file, since there are thousands of tests
    for item in items:
        if item.path not in known:
            known[item.path] = _is_real(item.path, config)
        if known[item.path]:
            item.add_marker("real")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let the collector of garbage sleep while thousands of tests are collected, which all stay."""
    gc.disable()
    if worker := getattr(session.config, "workerinput", None):  # of one of several
        _compile_a_share(session.config, int(worker["workerid"].removeprefix("gw")) / worker["workercount"])


def _compile_a_share(config: pytest.Config, begin: float) -> None:
    """Import the tests from another place on than the other workers do, and then those before it.

    All would compile each file of a new checkout at once and side by side, which takes half a minute.
    """
    files = [file for word in config.args for file in sorted(Path(word).rglob("test_*.py"))]
    files = [file.resolve() for file in files if not pytest_ignore_collect(file.resolve(), config)]
    first = int(begin * len(files))
    for file in (*files[first:], *files[:first]):
        name = ".".join(file.relative_to(Path(__file__).parents[1]).with_suffix("").parts)
        with suppress(Exception, pytest.skip.Exception):  # said when it is collected
            import_module(name)


def pytest_collection_finish() -> None:
    """Never look at them again, nor at what was imported: with each of them it took a twelfth of the time."""
    find(just(1), bool, settings=settings(database=None))  # registers what it has to find among what is looked at
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # seldom, as a test's own rings of things are few
    gc.enable()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three workers more than there are cores for the suite or a folder of it, two for what is real; none for files.

    What a test waits for (a screen, another process) leaves its core to those.
    """
    named = [argument.split("::")[0] for argument in config.invocation_params.args]
    if any(argument.endswith(".py") for argument in named):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores + (2 if config.option.markexpr.startswith("real") else 3), _WORKERS)


@pytest.fixture(autouse=True)
def _remembers_nothing() -> Iterator[None]:
    """Begin each test as on a machine where iterscope never ran; a folder is made by who writes into it."""
    os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = os.path.join(_state, str(next(_number)))
    yield
    os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = _state


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """One Chromium for all tests of a file."""
    from tests.tui.browser import begun, program

    with begun(program() or "") as browser:
        yield browser
