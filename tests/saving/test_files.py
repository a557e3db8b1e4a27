"""Files are written whole or not at all, never over another unasked; only plain ones are opened."""

import os
import resource
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from algorithms.core.errors import Refused
from algorithms.saving.files import (
    Exists,
    create_file,
    file_name,
    open_at_most,
    read_plain,
    write_in_parts,
    write_whole,
)


def test_what_was_written_is_what_is_read(tmp_path: Path) -> None:
    assert write_whole(tmp_path / "a", b"\x00\xff").read_bytes() == b"\x00\xff"
    assert write_whole(tmp_path / "b", "μ\n").read_bytes() == "μ\n".encode()
    write_whole(tmp_path / "c", lambda file: [file.write(b"1"), file.write(b"2")][0])
    assert read_plain(tmp_path / "c", "a test", 10) == b"12"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b", "c"], "nothing else is left"


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "a", b"old")
    with pytest.raises(Exists, match="there already"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    path.chmod(0o640)
    write_whole(path, b"new", overwrite=True)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    with pytest.raises(Exists):
        create_file(path)


def test_one_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with pytest.raises(Exists):
        write_whole(path, lambda file: [path.write_bytes(b"another's"), file.write(b"ours")][0])
    assert path.read_bytes() == b"another's"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    def fails(file: Any) -> None:
        file.write(b"half")
        raise KeyboardInterrupt

    path = write_whole(tmp_path / "a", b"old")
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, fails, overwrite=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_what_was_there_and_is_said(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "a", b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(Refused, match=r"a cannot be written: file too large\.$"):
            write_whole(path, bytes(100_000), overwrite=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_given_up_leaves_nothing(tmp_path: Path) -> None:
    def parts(file: Any) -> Any:
        for i in range(4):
            file.write(b"part")
            yield i / 4

    going = write_in_parts(tmp_path / "a", parts)
    assert [next(going), next(going)] == [0, 0.25]
    going.close()  # type: ignore[attr-defined]
    assert list(tmp_path.iterdir()) == []
    assert list(write_in_parts(tmp_path / "a", parts)) == [0, 0.25, 0.5, 0.75]
    assert (tmp_path / "a").read_bytes() == b"part" * 4


def test_a_link_is_written_through(tmp_path: Path) -> None:
    real = write_whole(tmp_path / "real", b"old")
    link = tmp_path / "link"
    link.symlink_to(real)
    write_whole(link, b"new", overwrite=True)
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


@pytest.mark.parametrize("name", ["folder", "pipe", "/dev/null", "/dev/zero", "missing/file", "folder/../missing/x"])
def test_what_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for write in (write_whole, lambda path, _, overwrite: create_file(path, overwrite=overwrite)):
        with pytest.raises(Refused, match=r"cannot be written: .*\.$"):
            write(tmp_path / name, b"", overwrite=True)


@pytest.mark.parametrize("name", ["folder", "pipe", "/dev/zero", "missing", "a\0b", "large"])
def test_what_is_no_plain_file_is_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"12345")
    read: list[str] = []

    def look() -> None:
        with pytest.raises(Refused, match=r"\.$"):
            read_plain(tmp_path / name, "a recording", 4)
        read.append(name)

    thread = threading.Thread(target=look, daemon=True)  # opening a pipe could wait for ever
    thread.start()
    thread.join(20)
    assert read == [name]
    with pytest.raises(Refused):
        open_at_most(tmp_path / name, "a recording", 4)


@given(st.text(), st.sampled_from(["", ".csv", ".npz"]))
def test_a_name_made_of_anything_stays_in_its_folder(text: str, suffix: str) -> None:
    name = file_name(text, suffix)
    assert Path(name).name == name
    assert name.endswith(suffix)
    assert not name.startswith((".", "-"))
    assert name.isprintable()
    assert not set(name) & set("/\\\0 ~$`'\"*?<>|:;&")
    assert 0 < len(name.encode()) <= 120


def test_names_read_as_what_they_were_made_of() -> None:
    assert file_name("../../etc/passwd") == "etc-passwd"
    assert file_name("k-means, iris: k=3", ".csv") == "k-means-iris-k-3.csv"
    assert file_name("μ and Σ", ".svg") == "μ-and-Σ.svg"
    assert file_name("eta 1 -> 0.1 -- at 3", ".csv") == "eta-1-0.1-at-3.csv"
    assert file_name("..", ".csv") == "unnamed.csv"
    assert file_name("a" * 900, ".csv") == "a" * 116 + ".csv"
