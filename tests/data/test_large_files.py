"""Wide, long and huge files: what they take in memory, which rows are drawn, how a reading is watched and ended."""

import json
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from algorithms import Refused, datasets
from algorithms.data.files import MEMORY, OVERHEAD, OVERHEAD_A_COLUMN
from algorithms.data.progress import Cancelled
from algorithms.data.sampling import MOST_BYTES, MOST_CELLS_DRAWN, MOST_ROWS_DRAWN, Drawn, Sample
from tests.data.reading import load, noticed, refusal

_MEASURE = """
import json, resource, sys
from algorithms import datasets
import algorithms.data.archive, numpy.random
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
data = datasets.load(sys.argv[1], **json.loads(sys.argv[2]))
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([data.n, data.d, (after - before) * (1 if sys.platform == "darwin" else 1024)]))
"""


def taken(path: str, **changes) -> tuple[int, int, int]:
    """(rows, columns, bytes at the highest) of loading a file in a fresh process."""
    words = [sys.executable, "-c", _MEASURE, path, json.dumps(changes)]
    n, d, more = json.loads(subprocess.run(words, capture_output=True, check=True, text=True).stdout)
    return n, d, more


def digits(rows: int, columns: int) -> str:
    line = ",".join(str(j % 7) for j in range(columns))
    return ",".join(f"c{j}" for j in range(columns)) + "\n" + f"{line}\n" * rows


@pytest.mark.parametrize(
    ("rows", "columns", "changes"),
    [(300_000, 12, {"scale": True, "hold_out": 0.3}), (20, 100_000, {})],  # with more asked of it more is taken,
)
def test_memory_stays_within_what_is_stated(file, rows, columns, changes):
    path = file(digits(rows, columns))
    _, _, more = taken(path, **changes)
    table = max(8 * rows * columns, os.path.getsize(path))
    assert more <= MEMORY * table + OVERHEAD + OVERHEAD_A_COLUMN * columns


def test_memory_stays_within_what_is_stated_for_text(file):
    rows = 300_000
    path = file("a,b,c,d\n" + "".join(f"name{i},{i},word{i * 7},{i}x\n" for i in range(rows)))
    n, d, more = taken(path, target="")
    assert (n, d) == (rows, 1)
    assert more <= MEMORY * max(32 * rows, os.path.getsize(path)) + OVERHEAD


def test_of_a_packed_archive_no_more_is_in_memory_than_is_drawn(tmp_path):
    np.savez_compressed(tmp_path / "bomb.npz", X=np.zeros((20_000_000, 4), np.int8) + np.arange(4, dtype=np.int8))
    assert (tmp_path / "bomb.npz").stat().st_size < 1 << 20
    n, d, more = taken(str(tmp_path / "bomb.npz"))
    assert n * d <= MOST_CELLS_DRAWN
    assert more <= MEMORY * 8 * n * d + OVERHEAD


def test_thousands_of_columns_are_read_by_name(file):
    data = load(file(digits(3, 30_000)), columns=("c29999", "c5"))
    assert data.X[0].tolist() == [29_999 % 7, 5]
    assert load(file(digits(3, 30_000)), target="").d == 30_000


def test_thousands_of_columns_of_one_name_are_told_in_a_sentence_or_two(file):
    data = load(file(",".join(["a"] * 30_000) + "\n" + ",".join(["1.5"] * 30_000) + "\n"))
    assert len(set(data.features)) == 30_000
    assert sum(map(len, data.notices)) < 500


def test_thousands_of_columns_of_text_are_told_in_a_sentence(file):
    words = ",".join(["2"] + ["w"] * 29_999)
    text = load(file(",".join(f"t{j}" for j in range(30_000)) + "\n" + f"{words}\n" * 3, "text.csv"))
    assert text.d == 1
    assert sum(map(len, text.notices)) < 500


def test_a_sample_is_so_many_of_the_rows_in_their_order_the_same_for_a_seed(file):
    path = file("a,b\n" + "".join(f"{i},{i * i}\n" for i in range(1000)))
    data = load(path, sample=50)
    rows = data.X[:, 0]
    assert data.n == 50
    assert (np.diff(rows) > 0).all()
    assert (data.X[:, 1] == rows**2).all()
    assert (load(path, sample=50, sample_seed=0).X == data.X).all()
    assert (load(path, sample=50, sample_seed=1).X != data.X).any()
    assert noticed(data, "50 of its 1,000 rows were drawn at random (seed 0).")
    assert load(path, sample=1000).n == load(path, sample=5000).n == 1000


def test_a_fault_in_a_row_that_is_not_drawn_is_named_all_the_same(file):
    path = file("a,b\n" + "1,2\n" * 500 + "3\n" + "1,2\n" * 500)
    assert "line 502 of own.csv has 1 cell" in refusal(path, sample=2)


def test_a_first_line_of_values_is_drawn_from_as_the_others_are(file):
    path = file("".join(f"{i},{i}\n" for i in range(10)))
    assert {load(path, sample=2, sample_seed=s).X[0, 0] for s in range(40)} >= {0, 1}


@pytest.mark.parametrize("name", ["iris", "digits"])
def test_named_data_are_drawn_from_too_and_made_ones_take_n(name):
    assert datasets.load(name, sample=100).n == 100
    with pytest.raises(Refused, match="it takes n"):
        datasets.load("blobs", sample=10)


def test_every_row_is_drawn_as_often_as_any_other():
    """10 of 100, 2,000 times over: 200 for each, within 5 standard deviations of a binomial."""
    counts: Counter[int] = Counter()
    for seed in range(2000):
        drawn: Drawn[int] = Drawn(10, seed)
        for start in range(0, 100, 7):
            hits, keys = drawn.hits(min(7, 100 - start))
            drawn.keep(keys, (hits + start).tolist())
        kept = list(drawn)
        assert len(kept) == 10
        assert kept == sorted(kept)
        counts.update(kept)
    assert all(abs(counts[i] - 200) < 5 * np.sqrt(2000 * 0.1 * 0.9) for i in range(100))


def test_the_rows_drawn_do_not_depend_on_how_the_stream_is_cut():
    def rows(block):
        drawn: Drawn[int] = Drawn(5, 3)
        for start in range(0, 60, block):
            hits, keys = drawn.hits(block)
            drawn.keep(keys, (hits + start).tolist())
        return list(drawn)

    assert rows(1) == rows(60) == rows(12)


def test_unasked_a_large_table_is_drawn_from_and_too_much_is_refused():
    assert Sample().most(MOST_BYTES, 4) is None
    assert Sample().most(MOST_BYTES + 1, 4) == MOST_ROWS_DRAWN
    assert Sample().most(MOST_BYTES + 1, 100_000) == MOST_CELLS_DRAWN // 100_000
    assert Sample().most(MOST_BYTES + 1, 10**8) == 2
    assert Sample(500).most(MOST_BYTES + 1, 4) == 500
    with pytest.raises(Refused, match="too many to draw; draw 671 at most"):
        Sample(1000).most(MOST_BYTES + 1, 100_000)


def test_a_large_file_is_drawn_from_and_says_so(file, monkeypatch):
    monkeypatch.setattr("algorithms.data.sampling.MOST_BYTES", 1 << 20)
    monkeypatch.setattr("algorithms.data.sampling.MOST_ROWS_DRAWN", 1000)
    data = load(file("a,b\n" + "".join(f"{i},7.25\n" for i in range(200_000))))
    assert data.n == 1000
    words = "it has 2 MiB, so 1,000 of its 200,000 rows were drawn at random (seed 0); --sample takes more or fewer"
    assert noticed(data, words)


def test_a_gigabyte_of_zeros_is_refused_at_its_first_block(tmp_path):
    path = tmp_path / "zeros.csv"
    with path.open("wb") as handle:
        handle.truncate(1 << 30)
    shares: list[float] = []
    with pytest.raises(Refused, match="not a text file"):
        datasets.recipe(str(path)).load(shares.append)
    assert shares == []


def test_who_watches_is_told_how_far_the_reading_is(file):
    shares: list[float] = []
    path = file("a,b\n" + "1.5,2.5\n" * 500_000)
    datasets.recipe(path).load(shares.append)
    assert len(shares) == 4
    assert shares == sorted(shares)
    assert shares[-1] == 1
    again: list[float] = []
    datasets.recipe(path).load(again.append)
    assert again == []  # it is at hand


@pytest.mark.parametrize("sample", [None, 10])
def test_a_watcher_ends_the_reading_by_raising_and_nothing_is_kept(file, sample):
    def stop(share):
        seen.append(share)
        raise Cancelled

    seen: list[float] = []
    recipe = datasets.recipe(file("a,b\n" + "1.5,2.5\n" * 200_000), sample=sample)
    for times in (1, 2):
        with pytest.raises(Cancelled):
            recipe.load(stop)
        assert len(seen) == times
    assert recipe.load().n in (10, 200_000)


def test_an_archive_is_watched_and_ended_too(tmp_path):
    np.savez(tmp_path / "own.npz", X=np.zeros((500_000, 2)))
    shares: list[float] = []
    recipe = datasets.recipe(str(tmp_path / "own.npz"))

    def stop(share):
        raise Cancelled

    with pytest.raises(Cancelled):
        recipe.load(stop)
    recipe.load(shares.append)
    assert len(shares) > 4
    assert shares[-1] == 1


def test_data_in_hand_are_not_read_again_however_much_was_read_since(file, monkeypatch):
    monkeypatch.setattr("algorithms.data.recipe._MOST_KEPT", 100)
    first, second = file("a,b\n1,2\n3,4\n", "1.csv"), file("a,b\n" + "1,2\n" * 50, "2.csv")
    in_hand = load(first)
    load(second)
    assert load(first) is in_hand


@pytest.mark.soak
def test_a_gigabyte_is_drawn_from_within_the_memory_of_what_is_drawn(tmp_path):
    path = tmp_path / "gigabyte.csv"
    block = "".join(f"{i},{i / 7:.6f},{i * 3 % 11},k{i % 3}\n" for i in range(50_000))
    with path.open("w") as handle:
        handle.write("a,b,c,kind\n")
        while handle.tell() < 1 << 30:
            handle.write(block)
    n, d, more = taken(str(path))
    assert (n, d) == (MOST_ROWS_DRAWN, 3)
    assert more <= MEMORY * 8 * n * 4 + OVERHEAD
