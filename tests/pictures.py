"""Hold the pictures of this checkout against those of another one, cell by cell.

    python -m tests.pictures FOLDER [NAME ...]

FOLDER is another checkout, as `git worktree add` makes it. Each algorithm, or those named, is shown at two sizes and
three steps by both, each in a process of its own; status 1 where a cell differs.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SIZES = ((160, 48), (80, 24))
_STEPS = (1, 7, 40)
_STILL = 2  # looks in a row at which nothing has changed
_LOOKS = 40

# glyphs and styles of every row, by "NAME at COLUMNSxROWS, step T"
Pictures = dict[str, list[list[list[int]]]]


def main() -> int:
    """Compare both, and print what differs."""
    here, other, names = Path(__file__).parents[1], Path(sys.argv[1]).resolve(), sys.argv[2:]
    ours, theirs = (_of_checkout(folder, names) for folder in (here, other))
    differences = list(_differences(ours, theirs))
    for line in differences:
        print(line)
    print(f"{len(ours)} pictures, {sum(not line.startswith(' ') for line in differences)} differ")
    return 1 if differences else 0


def _differences(ours: Pictures, theirs: Pictures) -> Iterator[str]:
    for what in sorted(ours.keys() | theirs.keys()):
        if what not in ours or what not in theirs:
            yield f"{what}: only {'here' if what in ours else 'there'}"
            continue
        rows = [i for i, (a, b) in enumerate(zip(ours[what], theirs[what])) if a != b]
        if rows:
            yield f"{what}: rows {', '.join(map(str, rows))}"
            for row in rows[:2]:
                yield from (f"    {side} |{_text(of[what][row])}" for side, of in (("here ", ours), ("there", theirs)))


def _text(row: list[list[int]]) -> str:
    return "".join(chr(code) for code in row[0] if code).rstrip()


def _of_checkout(folder: Path, names: list[str]) -> Pictures:
    """Draw the pictures of a checkout, by this file's code and by the checkout's own packages."""
    file = str(Path(__file__))
    code = f"import runpy; runpy.run_path({file!r}, run_name='pictures')['draw']({names!r})"
    drawn = subprocess.run([sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(drawn.stdout.splitlines()[-1]))


def draw(chosen: list[str]) -> None:
    """Draw each algorithm with the packages of this folder, and print the cells."""
    from algorithms import names

    pictures: Pictures = {}
    for name in chosen or names():
        for size in _SIZES:
            pictures |= asyncio.run(_pictures(name, size))
    print(json.dumps(pictures))


async def _pictures(name: str, size: tuple[int, int]) -> Pictures:
    from algorithms import find
    from algorithms.playback.cursor.player import Player
    from algorithms.playback.runs.loaded_run import LoadedRun
    from tui.app import IterscopeApp

    loaded = LoadedRun.usual(find(name))
    run = loaded.timeline()
    run.advance(_STEPS[-1])
    player = Player(run)
    player.stay_behind()
    app, pictures = IterscopeApp(loaded, player), {}
    async with app.run_test(size=size) as pilot:
        for t in sorted({min(t, run.last) for t in _STEPS}):
            await _at_step(app, pilot, t)
            pictures[f"{name} at {size[0]}x{size[1]}, step {t}"] = await _still(app, pilot)
    return pictures


async def _at_step(app: Any, pilot: Any, t: int) -> None:
    while getattr(app.screen, "picture", None) is None:
        await pilot.pause()
    app.screen.player.seek(t)
    app.screen.act()
    while app.screen.player.goal is not None or app.screen.picture.frame.t != t:
        await pilot.pause()


async def _still(app: Any, pilot: Any) -> list[list[list[int]]]:
    """Wait until nothing changes any more, and the picture is a fine one; give the glyphs and styles of each row."""
    from tui.terminal.sending import cells_of

    shown, still = None, 0
    for _ in range(_LOOKS):
        await pilot.pause(0.05)
        cells = cells_of(app.screen)
        now = [[glyphs, styles] for glyphs, styles in zip(cells.glyphs.tolist(), cells.styles.tolist())]
        still = still + 1 if now == shown and not app.screen.picture.coarse else 0
        shown = now
        if still >= _STILL:
            break
    assert shown is not None
    return shown


if __name__ == "__main__":
    sys.exit(main())
