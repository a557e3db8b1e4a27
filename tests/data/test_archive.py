"""NPZ archives: the arrays that make a table are found and told, and no lie in one is believed."""

import io
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from algorithms import Refused
from algorithms.data.archive import MOST_UNPACKED
from tests.data.reading import load, noticed, refusal
from tests.examples import examples

X = np.arange(12.0).reshape(6, 2) ** 2
WORDS = np.array(["u", "v", "u", "v", "u", "w"])


@pytest.fixture
def saved(tmp_path: Path):
    """Save arrays and give the path back."""

    def save(*unnamed, packed=False, **arrays) -> str:
        (np.savez_compressed if packed else np.savez)(tmp_path / "own.npz", *unnamed, **arrays)
        return str(tmp_path / "own.npz")

    return save


def archive(header: str, content: bytes, version: bytes = b"\1\0") -> bytes:
    """An NPZ with an X of any header and content."""
    text = header.encode("latin-1") + b"\n"
    length = len(text).to_bytes(2 if version[0] == 1 else 4, "little")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as whole:
        whole.writestr("X.npy", b"\x93NUMPY" + version + length + text + content)
    return out.getvalue()


def header(shape: str, descr: str = "<f8") -> str:
    return f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"


def test_X_and_y_and_names_are_features_target_and_their_names(saved):
    data = load(saved(X=X, y=WORDS, names=np.array(["length", "width", "kind"])))
    assert (data.X.tolist(), data.features, data.target) == (X.tolist(), ("length", "width"), "kind")
    assert (data.classes, data.y.tolist()) == (("u", "v", "w"), [0, 1, 0, 1, 0, 2])
    assert noticed(data, "X (6 x 2) is taken as rows by columns, y as the target.")
    short = load(saved(X=X, y=X[:, 0], names=np.array(["length", "width"])))
    assert (short.features, short.target, short.kind) == (("length", "width"), "y", "number")


def test_without_names_columns_are_numbered_and_without_y_there_is_no_target(saved):
    data = load(saved(X=np.repeat([[1, 0], [2, 1]], 20, axis=0)))
    assert (data.features, data.kind) == (("x1", "x2"), "none")


def test_names_that_do_not_fit_are_left_with_a_word(saved):
    assert noticed(load(saved(X=X, names=np.array(["a", "b", "c", "d"]))), "names (4) does not name the columns")
    objects = load(saved(X=X, names=np.array(["a", "b"], dtype=object)))
    assert noticed(objects, "never unpickled")
    assert objects.features == ("x1", "x2")


def test_the_only_table_is_taken_whatever_its_name_and_the_rest_is_told(saved):
    assert noticed(
        load(saved(table=X, more=np.arange(3))), "table (6 x 2) is taken as rows by columns; not taken: more"
    )
    assert load(saved(X)).X.tolist() == X.tolist()
    assert "call the one with the rows X" in refusal(saved(a=X, b=X))


def test_arrays_of_equal_length_are_columns_and_y_the_target(saved):
    data = load(saved(y=WORDS, a=X[:, 0], b=X[:, 1]))
    assert (data.features, data.target, data.X.tolist()) == (("a", "b"), "y", X.tolist())
    assert noticed(data, "a, b and y are taken as columns")
    assert load(saved(a=X[:, 0], kind=WORDS)).target == "kind"
    assert "a (6) and b (3); columns must be equally long" in refusal(saved(a=X[:, 0], b=X[:3, 1]))


@pytest.mark.parametrize("kind", ["<f4", ">f8", "<f2", "|i1", ">u4", "<i8", "|b1"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("packed", [True, False])
def test_numbers_of_any_kind_and_order_are_read_as_they_are(saved, kind, order, packed, monkeypatch):
    monkeypatch.setattr("algorithms.data.archive._BLOCK", 24)
    given = np.arange(15).reshape(5, 3).astype(kind, order=order)
    path = saved(X=given, packed=packed)
    assert load(path).X.tolist() == given.astype(float).tolist()
    drawn = load(path, sample=3).X.tolist()
    assert len(drawn) == 3
    assert all(row in given.astype(float).tolist() for row in drawn)


def test_digits_in_text_are_numbers_dates_are_told_and_nan_is_missing(saved):
    days = np.array(["2024-01-01", "NaT", "2024-01-03"], "M8[D]")
    data = load(saved(day=days, a=np.array([1.0, 2.0, np.nan]), b=np.array([b"4", b"5", b"6"])))
    assert (data.features, data.X.tolist()) == (("a", "b"), [[1, 4], [2, 5]])
    assert noticed(data, "day left out: dates")
    assert noticed(data, "row 2 has no a")


def test_an_infinite_cell_is_named_by_row_and_column(saved):
    assert "row 1 has 'inf' in column x2" in refusal(saved(X=np.array([[1, 2], [3, np.inf], [5, 6], [7, 8]])))


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({}, "an archive without arrays"),
        ({"x": np.float64(3)}, "x (one number); an array of rows by columns is needed"),
        ({"X": np.zeros((2, 3, 4))}, "X of own.npz has 3 dimensions"),
        ({"X": np.zeros((0, 3))}, "there is nothing in it"),
        ({"X": np.array([["a", "b"]])}, "X of own.npz holds text"),
        ({"X": np.zeros((2, 2), complex)}, "items of the kind complex128"),
        ({"X": np.zeros(3, [("a", "f8"), ("b", "i4")])}, "not an array of single numbers or texts"),
        ({"X": X, "y": WORDS[:4]}, "y must be one value a row"),
        ({"X": X, "y": np.array([{}] * 6)}, "y of own.npz cannot be read: Python objects"),
    ],
)
def test_what_makes_no_table_is_refused_by_the_name_of_the_array(saved, arrays, words):
    assert words in refusal(saved(**arrays))


class Trap:
    def __reduce__(self):
        return Path.touch, (Path("sprung"),)


def test_nothing_is_ever_unpickled(tmp_path, saved, file, monkeypatch):
    monkeypatch.chdir(tmp_path)
    trap = np.array([Trap()] * 4, dtype=object).reshape(2, 2)
    assert "Python objects, which are never unpickled" in refusal(saved(X=trap))
    load(saved(X=X, trap=trap))
    refusal(file(archive(header("(1, 1)", "|O"), pickle.dumps([Trap()])), "own.npz"))
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ("(5, 3)", "X (5 x 3) of own.npz would take 120 bytes, and the archive holds 80 of it"),
        ("(5, 1)", "would take 40 bytes, and the archive holds 80"),
        ("(1000000000000, 10)", "would take 80,000,000,000,000 bytes, and the archive holds 80"),
        ("(1, 99999999999999999999999999)", "and the archive holds 80 of it"),
        ("(-10, 1)", "not an array"),
        ("(True, 10)", "not an array"),
        ("(" * 4000 + "10" + ")" * 4000, "not an array"),
    ],
)
def test_a_shape_that_is_a_lie_is_refused_before_anything_is_unpacked(file, shape, words):
    assert words in refusal(file(archive(header(shape), b"\0" * 80), "own.npz"))


def test_a_directory_that_lies_as_the_header_does_is_found_out(file):
    """Header and directory both speak of 2,000 rows; the stream holds ten."""
    real = bytearray(archive(header("(2000,)").ljust(117), b"\1" * 80))
    held = 128 + 80
    for at in (real.index(b"PK\3\4") + 22, real.index(b"PK\1\2") + 24):
        assert int.from_bytes(real[at : at + 4], "little") == held
        real[at : at + 4] = (128 + 16_000).to_bytes(4, "little")
    assert refusal(file(bytes(real), "own.npz"))


@pytest.mark.parametrize("descr", ["<U0", "<U99999999", "|V8", "<m8[s]", "<f3", "nonsense"])
def test_items_of_odd_kinds_are_refused(file, descr):
    assert "X of own.npz cannot be read" in refusal(file(archive(header("(10,)", descr), b"\0" * 80), "own.npz"))


def test_characters_that_there_are_not_are_refused(file):
    assert refusal(file(archive(header("(20,)", "<U1"), b"\xff" * 80), "own.npz"))


def test_headers_of_other_writers_are_understood(file):
    text = "{'shape':(10,1),'fortran_order':False,'descr':'<f8'}"
    content = np.arange(10.0).tobytes()
    assert load(file(archive(text, content), "own.npz")).n == 10
    assert load(file(archive(text, content, b"\2\0"), "two.npz")).n == 10
    spaces = "{" + " 'descr' : '<f8' ," * 300 + " " * 2000 + "!"
    assert "cannot be read" in refusal(file(archive(spaces, content), "own.npz"))


def test_what_unpacks_to_terabytes_is_refused_and_what_is_large_is_drawn_from(tmp_path, saved):
    most = MOST_UNPACKED // 8
    assert "up to 4 GiB are read" in refusal(_claims(tmp_path, f"({most + 1},)", 8 * (most + 1)))
    assert "unpacks to 7,451 GiB" in refusal(_claims(tmp_path, "(1000000000000,)", 8 * 10**12))
    data = load(saved(X=np.zeros((3_000_000, 3)) + np.arange(3), packed=True))
    assert (data.n, data.d) == (100_000, 3)
    assert noticed(data, "it has 68 MiB, so 100,000 of its 3,000,000 rows were drawn at random (seed 0)")


def _claims(folder: Path, shape: str, size: int) -> str:
    """An archive of which header and directory both claim so many bytes."""
    out = io.BytesIO(archive(header(shape), b"\0" * 80))
    with zipfile.ZipFile(out, "a") as whole:
        whole.infolist()[0].file_size = 10 + len(header(shape)) + 1 + size
        whole._didModify = True
    (folder / "claims.npz").write_bytes(out.getvalue())
    return str(folder / "claims.npz")


def test_other_archives_and_single_arrays_are_refused(file, tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as sheet:
        sheet.writestr("xl/workbook.xml", "<workbook/>")
    assert "save a spreadsheet as CSV" in refusal(file(out.getvalue(), "sheet.xlsx"))
    np.save(tmp_path / "one.npy", X)
    assert "save it with numpy.savez" in refusal(str(tmp_path / "one.npy"))
    assert "neither text nor a whole NPZ archive" in refusal(file(b"a,b\n1,2\n", "text.npz"))
    with zipfile.ZipFile(tmp_path / "odd.npz", "w", zipfile.ZIP_LZMA) as odd:
        odd.writestr("X.npy", b"\0" * 100)
    assert "packed in a way that is not read" in refusal(str(tmp_path / "odd.npz"))
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as whole:
        for i in range(1001):
            whole.writestr(f"{i}.npy", b"")
    assert "holds 1,001 arrays" in refusal(file(many.getvalue(), "many.npz"))


def test_an_archive_with_two_arrays_of_one_name_is_refused(tmp_path):
    path = tmp_path / "twice.npz"
    with zipfile.ZipFile(path, "w") as whole:
        whole.writestr("X.npy", b"\x93NUMPY\1\0\0\0")
        with pytest.warns(UserWarning, match="Duplicate name"):
            whole.writestr("X.npy", b"\x93NUMPY\1\0\0\0")
    assert "two arrays called X" in refusal(str(path))


VALID = [
    archive(header("(10, 1)"), np.arange(10.0).tobytes()),
    archive(header("(4, 5)", "<f4"), np.arange(20, dtype="f4").tobytes()),
]
for _arrays in (
    {"X": X, "y": WORDS, "names": np.array(["a", "b"])},
    {"a": X[:, 0], "when": np.arange(6).astype("M8[D]")},
):
    for _save in (np.savez, np.savez_compressed):
        _out = io.BytesIO()
        _save(_out, **_arrays)
        VALID.append(_out.getvalue())


@settings(max_examples=examples(400), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    whole=st.sampled_from(VALID),
    places=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=6),
    cut=st.one_of(st.just(1.0), st.floats(0, 1)),
    more=st.binary(max_size=30),
    sample=st.sampled_from([None, 3]),
)
def test_any_archive_however_damaged_is_read_or_refused(tmp_path, whole, places, cut, more, sample):
    damaged = bytearray(whole)
    for place, byte in places:
        damaged[int(place * (len(damaged) - 1))] = byte
    path = tmp_path / "any.npz"
    path.write_bytes(bytes(damaged[: int(cut * len(damaged))]) + more)
    said: tuple[str, ...] = ()
    try:
        data = load(str(path), sample=sample)
        assert np.isfinite(data.X).all()
        said = (*data.features, *data.classes, *data.notices)
    except Refused as refused:
        said = (str(refused),)
    assert all(text.isprintable() for text in said)
