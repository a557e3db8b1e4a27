"""Files packed with gzip, JSON, Parquet and sparse archives: read as the right table, or refused in a sentence."""

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from algorithms import Refused, datasets
from algorithms.data import json_table, parquet, sampling
from tests.data.reading import load, noticed, refusal
from tests.examples import examples

File = Callable[..., str]
CSV = "a,b,kind\n1,2.5,u\n3,4,v\n5,6,u\n"
ROWS = [[1.0, 2.5], [3.0, 4.0], [5.0, 6.0]]


def as_in_csv(path: str) -> None:
    data = load(path, target="kind")
    assert (data.X.tolist(), data.features, data.classes) == (ROWS, ("a", "b"), ("u", "v"))
    assert data.y is not None
    assert data.y.tolist() == [0, 1, 0]


# gzip


def test_a_packed_file_is_read_as_what_it_holds(file: File) -> None:
    as_in_csv(file(gzip.compress(CSV.encode()), "own.csv.gz"))
    as_in_csv(file(gzip.compress(CSV.replace(",", "\t").encode("utf-16")), "own.tsv.gz"))
    as_in_csv(file(gzip.compress(CSV.encode()[:20]) + gzip.compress(CSV.encode()[20:]), "parts.csv.gz"))
    archive = io.BytesIO()
    np.savez(archive, X=ROWS)
    assert load(file(gzip.compress(archive.getvalue()), "own.npz.gz")).X.tolist() == ROWS


def test_a_packed_file_that_is_cut_or_unpacks_without_end_is_refused(
    file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = gzip.compress(CSV.encode() * 50)
    assert "own.csv.gz cannot be unpacked" in refusal(file(whole[:-20], "own.csv.gz"))
    assert "cannot be unpacked" in refusal(file(whole[:12] + b"\xff" * 20 + whole[32:], "own.csv.gz"))
    assert "not a text file" in refusal(file(gzip.compress(whole), "own.csv.gz"))
    monkeypatch.setattr("algorithms.data.archive.MOST_UNPACKED", 1 << 20)
    assert "unpacks to more than" in refusal(file(gzip.compress(b"1,2\n" * (1 << 20)), "bomb.csv.gz"))


def test_of_a_packed_file_that_is_large_rows_are_drawn(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MOST_BYTES", 1000)
    monkeypatch.setattr(sampling, "MOST_ROWS_DRAWN", 20)
    lines = "a,b\n" + "".join(f"{i},{i * i}\n" for i in range(500))
    shares: list[float] = []
    data = datasets.recipe(file(gzip.compress(lines.encode()), "large.csv.gz")).load(shares.append)
    assert data.n == 20
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert noticed(data, "20 of its 500 rows were drawn")


# JSON


@pytest.mark.parametrize(
    "plain",
    [
        [{"a": 1, "b": 2.5, "kind": "u"}, {"b": 4, "a": 3, "kind": "v"}, {"a": 5, "b": "6", "kind": "u"}],
        {"a": [1, 3, 5], "b": [2.5, 4, 6], "kind": ["u", "v", "u"]},
        {"a": {"0": 1, "1": 3, "2": 5}, "b": {"0": 2.5, "1": 4, "2": 6}, "kind": {"0": "u", "1": "v", "2": "u"}},
        {"columns": ["a", "b", "kind"], "index": [0, 1, 2], "data": [[1, 2.5, "u"], [3, 4, "v"], [5, 6, "u"]]},
        [["a", "b", "kind"], [1, 2.5, "u"], [3, 4, "v"], [5, 6, "u"]],
    ],
    ids=["rows", "columns", "by index", "split", "lists"],
)
def test_json_in_any_of_the_usual_forms_is_read(file: File, plain: Any) -> None:
    as_in_csv(file(json.dumps(plain), "own.json"))
    as_in_csv(file(b"\xef\xbb\xbf" + json.dumps(plain, indent=1).encode(), "own.json"))
    as_in_csv(file(gzip.compress(json.dumps(plain).encode()), "own.json.gz"))


def test_json_lines_are_read_and_what_is_missing_is_dropped(file: File) -> None:
    rows = ['{"a": 1, "b": 2}', '{"a": null, "b": 3}', '{"b": 4}', "", '{"a": 5, "b": 6}', '{"a": 7, "b": NaN}']
    data = load(file("\n".join(rows), "own.jsonl"))
    assert data.X.tolist() == [[1, 2], [5, 6]]
    assert noticed(data, "3 rows dropped: row 1 has no a, row 2 has no a, row 4 has no b")
    assert load(file("[1, 2]\n[3, 4]\n", "own.ndjson")).X.tolist() == [[1, 2], [3, 4]]
    assert load(file(json.dumps([[float(i), 1 / (i + 1)] for i in range(9)]), "own.json"), sample=4).n == 4


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"a": [1, 2', "own.json is no JSON: line 1, column 12"),
        ('{"a": 1}\n{"a": 2\n', "own.json is no JSON: line 2, column"),
        ("[]", "own.json holds no table; it must be a list of rows"),
        ("3", "holds no table"),
        ('{"a": 1}', "holds no table"),
        ('[{"a": [1, 2]}, {"a": 3}]', "row 0 of own.json holds a list in column a"),
        ('{"a": [1, 2], "b": [1]}', "columns of own.json hold 1 to 2 cells"),
        ("[[1, 2], [3]]", "row 1 of own.json has 1 cells, and there are 2 columns"),
        ("[" * 100_000, "own.json"),
        (b"\xff\xfe\xfa", "not in UTF-8"),
        ('{"a": ["2024-01-01", "2024-01-02"]}', "no column of numbers"),
        (f'{{"a": [1, 1{"0" * 400}]}}', "a"),
    ],
)
def test_json_that_is_no_table_is_refused_in_a_sentence(file: File, content: str | bytes, words: str) -> None:
    assert words in refusal(file(content, "own.json"))


def test_json_that_is_too_large_is_refused_unread(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_table, "_MOST", 10)
    assert "save it as CSV" in refusal(file('{"a": [1, 2, 3]}', "own.json"))


@given(content=st.binary(max_size=40) | st.text('[]{}:,"a1-.e \n', max_size=40).map(str.encode))
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_bytes_in_json_or_gzip_are_read_or_refused(tmp_path: Path, content: bytes) -> None:
    for name, whole in (("a.json", content), ("a.jsonl", content), ("a.csv.gz", b"\x1f\x8b" + content)):
        (tmp_path / name).write_bytes(whole)
        try:
            data = load(str(tmp_path / name))
        except Refused as refusal_of_it:
            words = str(refusal_of_it)
        else:
            words = data.words
            assert np.isfinite(data.X).all()
        assert words.isprintable()


# Parquet


def test_without_pyarrow_a_parquet_file_is_refused_with_what_would_do(
    file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    words = refusal(file(b"PAR1" + bytes(40) + b"PAR1", "own.parquet"))
    assert words.endswith("pip install pyarrow, or save the table as CSV.")


def test_parquet_is_read_with_names_dates_and_missing_cells(tmp_path: Path) -> None:
    arrow, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {
        "a": [1, None, 5, 7],
        "b": [2.5, 4, 6, 8],
        "day": np.array(["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"], "datetime64[D]"),
        "kind": arrow.array(["u", "v", "u", "v"]).dictionary_encode(),
        "on": [True, False, None, True],
        "__index_level_0__": [0, 1, 2, 3],
    }
    pq.write_table(arrow.table(columns), tmp_path / "own.parquet")
    data = load(str(tmp_path / "own.parquet"), columns=("a", "b"))
    assert (data.X.tolist(), data.classes) == ([[1, 2.5], [5, 6], [7, 8]], ("u", "v"))
    assert noticed(data, "1 row dropped: row 1 has no a")
    every = load(str(tmp_path / "own.parquet"))
    assert noticed(every, "day left out: dates")
    assert "__index_level_0__" not in every.features
    assert "in column day, a date" in refusal(str(tmp_path / "own.parquet"), columns=("day",))


def test_of_a_parquet_file_rows_are_drawn_over_its_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arrow, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(parquet, "_BATCH", 7)
    pq.write_table(arrow.table({"a": np.arange(100.0), "b": np.arange(100.0) ** 2}), tmp_path / "own.parquet")
    drawn = load(str(tmp_path / "own.parquet"), sample=30)
    assert np.array_equal(drawn.X[:, 0], sampling.rows_drawn(100, 30, 0))
    assert np.array_equal(drawn.X[:, 1], drawn.X[:, 0] ** 2)
    whole = (tmp_path / "own.parquet").read_bytes()
    for end in (50, len(whole) - 9):
        (tmp_path / "cut.parquet").write_bytes(whole[:end])
        assert "cut.parquet is no whole Parquet file" in refusal(str(tmp_path / "cut.parquet"))


# Sparse archives


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_a_sparse_archive_is_written_out(tmp_path: Path, form: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.random(20, 5, 0.4, random_state=0, format=form)
    sparse.save_npz(tmp_path / "own.npz", matrix)
    data = load(str(tmp_path / "own.npz"))
    assert np.array_equal(data.X, matrix.toarray())
    assert noticed(data, "a sparse matrix (20 x 5) is written out")
    few = load(str(tmp_path / "own.npz"), sample=6)
    assert np.array_equal(few.X, matrix.toarray()[sampling.rows_drawn(20, 6, 0)])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": np.array(b"bsr")}, "in the form 'bsr'; save it in the form csr, csc or coo"),
        ({"shape": np.array([2])}, "must be rows by columns"),
        ({"shape": np.array([10**9, 10**9])}, "1,000,000,000 x 1,000,000,000"),
        ({"indices": np.array([0, 9])}, "do not go together"),
        ({"indptr": np.array([0, 2, 1])}, "do not go together"),
        ({"indptr": np.array([0, 2])}, "do not go together"),
        ({"indices": np.array([0.0, 1.0])}, "do not go together"),
        ({"data": np.array(["u", "v"])}, "do not go together"),
        ({"data": np.array([np.nan, 1.0])}, "no x1"),
    ],
)
def test_a_sparse_archive_that_lies_is_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    parts: dict[str, Any] = {
        "format": np.array(b"csr"), "shape": np.array([2, 2]), "data": np.array([1.0, 2.0]),
        "indices": np.array([0, 1]), "indptr": np.array([0, 1, 2]),
    }  # fmt: skip
    np.savez(tmp_path / "own.npz", **(parts | changes))
    assert words in refusal(str(tmp_path / "own.npz"), missing="refuse")
