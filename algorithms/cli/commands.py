"""The commands of `python -m algorithms`, those of `iterscope` too: what each does, and a line to try it with."""

from msgspec import Struct


class Command(Struct, frozen=True):
    """What the help says of a command.

    Attributes:
        summary: what it does, in a line.
        example: what follows its name in a line that runs.
    """

    summary: str
    example: str = ""


COMMANDS = {
    "list": Command("every algorithm by family, or those that match", "never rises"),
    "data": Command("the data sets, and what of one or of a file can be taken", "iris"),
    "lectures": Command("what the lectures state, and where each is seen", "csc411"),
    "lessons": Command("the lessons of the course, a line each"),
    "lesson": Command("a lesson as text, with the numbers of its runs", "em --check"),
    "show": Command("what an algorithm does, takes and proves", "lloyd"),
    "run": Command("run it, a line a step", "lloyd --data faithful -p k=3 --format csv"),
    "sweep": Command(
        "run it many times, over seeds, parameters or data",
        "lloyd --data iris -p start=rows --over seed=0:20",
    ),
    "report": Command("run it, then its curves, numbers and theorems on a page", "lloyd --data faithful -p k=3"),
    "export": Command(
        "run it, and write its numbers, a state or a page to a file",
        "lloyd --data faithful -p k=3 --to numbers.csv",
    ),
    "diverge": Command("where two runs first differ; exit status 1 when they do", "lloyd lloyd --set-b seed=1"),
    "check": Command("whether your own ALGORITHM keeps to what all of ours do", "demos/running_mean.py"),
    "replay": Command(
        "replay a session; exit status 1 where a state differs",
        "demos/dragged_mean.json",
    ),
    "completion": Command("what a shell reads so that tab completes words", "bash"),
}
