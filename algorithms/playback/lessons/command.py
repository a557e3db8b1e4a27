"""A lesson without a screen: as text, checked, or as a page for browsers."""

from argparse import Namespace

from algorithms.cli.painting import painting
from algorithms.core.errors import Refused
from algorithms.core.painter import painter
from algorithms.core.text import counted, printable
from algorithms.lectures.lessons import lesson_named
from algorithms.playback.lessons.checking import faults
from algorithms.playback.lessons.page import page


def print_lesson(arguments: Namespace) -> int:
    """Print a lesson, or what of it is not so; returns the exit status."""
    if arguments.size is not None or arguments.overwrite:
        raise Refused("--size and --overwrite are of a page: say --to page.html.")
    lesson = lesson_named(arguments.name)
    if not arguments.check:
        for line in page(lesson):
            print(printable(line), file=arguments.out)
        return 0
    found = list(faults(lesson))
    for line in found:
        print(printable(line), file=arguments.out)
    if not found:
        so = f"{lesson.file}: {counted(len(lesson.moments), 'moment')}, and all of it is so."
        print(printable(so), file=arguments.out)
    return 1 if found else 0


def write_lesson(arguments: Namespace) -> int:
    """Write a lesson as a page."""
    if arguments.check:
        raise Refused("--check says what is not so, and --to writes a page: one after the other.")
    if not arguments.to.lower().endswith((".html", ".htm")):
        raise Refused(f"a lesson goes into a page: {arguments.to} does not end in .html.")
    lesson = lesson_named(arguments.name)
    given = {} if arguments.size is None else {"size": arguments.size}
    with painting(arguments.to) as watch:
        painter("lesson").write_lesson(lesson, arguments.to, overwrite=arguments.overwrite, watch=watch, **given)
    moments, verb = counted(len(lesson.moments), "moment"), "is" if len(lesson.moments) == 1 else "are"
    told = f"{moments} of {lesson.title!r} {verb} in {arguments.to}; any browser opens it."
    print(printable(told), file=arguments.out)
    return 0
