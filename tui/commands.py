"""The palette of commands: everything by name, every algorithm of the catalogue too."""

from collections.abc import Callable
from functools import partial

from textual.app import App
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from algorithms.core.catalogue import find, names
from algorithms.playback.runs.loaded_run import LoadedRun
from tui.screens.asking import AnsweredOnce

_LECTURES = "Lectures"
_BY_SECTION = "what they state, by lecture and section"


class Commands(CommandPalette, AnsweredOnce[None]):
    """Textual's palette, which is answered once and closes itself only.

    What comes in the same read as an answer (a second click or enter, letters typed behind it) would close the screen
    below, do the command twice, or look for a list that is gone. It has no id: the next one may come while one closes.
    """

    def __init__(self) -> None:
        super().__init__(placeholder="a command, or an algorithm by name")


class AlgorithmCommands(Provider):
    """Offers to watch any algorithm, by its title or name."""

    async def search(self, query: str) -> Hits:
        """Yield the algorithms that match, the better the higher their scores."""
        matcher = self.matcher(query)
        for name in names():
            algorithm = find(name)
            score = max(matcher.match(algorithm.title), matcher.match(name.replace("_", " ")))
            if score > 0:
                shown = matcher.highlight(algorithm.title)
                yield Hit(score, shown, partial(_watch, self.app, name), help=f"watch it: {algorithm.family}")


class LectureCommands(Provider):
    """Offers the list of what the lectures state, and a statement by its id."""

    async def search(self, query: str) -> Hits:
        """Yield the list where it matches, and the statement of that id."""
        from algorithms.lectures import named

        matcher = self.matcher(query)
        score = matcher.match(_LECTURES)
        if score > 0:
            yield Hit(score, matcher.highlight(_LECTURES), self._browse(), help=_BY_SECTION)
        statement = (
            named(query.strip()) if query.strip()[1:].isdigit() else None
        )  # the lectures are read when asked for
        if statement is not None:
            yield Hit(1.0, Content(f"{statement.id}: {statement.says}"), self._browse(statement.id), help=_BY_SECTION)

    async def discover(self) -> Hits:
        """Yield the list, before anything is typed."""
        yield DiscoveryHit(_LECTURES, self._browse(), help=_BY_SECTION)

    def _browse(self, statement: str = "") -> Callable[[], None]:
        return partial(self.app.browse_lectures, statement)  # type: ignore[attr-defined]


def _watch(app: App[object], name: str) -> None:
    app.watch_run(LoadedRun.usual(find(name)))  # type: ignore[attr-defined]
