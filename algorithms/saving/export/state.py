"""One state, in a file: its arrays as they are."""

from pathlib import Path

from algorithms.core.errors import Refused
from algorithms.core.state import State
from algorithms.saving.export.arrays import parts, write_archive
from algorithms.saving.files import write_whole
from algorithms.userfile.state import PlainState


def export_state(path: str | Path, state: State, *, overwrite: bool = False) -> Path:
    """Write a state as NPZ: an array a field, numbers and texts as arrays of no dimension, tuples as name.0, name.1.

    Raises:
        Refused: for another ending, a file that is there, or one that cannot be written.
    """
    if Path(path).suffix.lower() != ".npz":
        raise Refused(f"{path} does not end in .npz.")
    if isinstance(state, PlainState):
        fields = [("t", state.t), ("iteration", state.iteration), ("phase", state.phase), *state.fields]
    else:
        fields = [(name, getattr(state, name)) for name in state.__struct_fields__]
    arrays = [part for name, value in fields for part in parts(name, value)]
    return write_whole(path, lambda file: write_archive(file, arrays), overwrite=overwrite)
