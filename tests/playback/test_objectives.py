"""Numbers of several runs are held against each other where they measure one objective, and nowhere else."""

from typing import Any

import pytest

from algorithms import Timeline, datasets, find
from algorithms.core import Move
from algorithms.core.edits import edited
from algorithms.playback.comparison.objectives import Objectives

ROWS = datasets.blobs.with_(n=60, spread=1.5)


def problems(*runs: tuple[str, dict[str, Any]]) -> Objectives:
    rows = ROWS.load()
    return Objectives([(find(name), find(name).problem(rows, None, given)) for name, given in runs])


@pytest.mark.parametrize(
    ("runs", "curve", "other"),
    [
        ([("pegasos", {}), ("dual_coordinate_descent", {})], "objective", "C"),  # 1/(60 · 0.1) and 1
        ([("pegasos", {"lam": 1 / 60}), ("dual_coordinate_descent", {})], "objective", ""),
        ([("pegasos", {}), ("pegasos", {"lam": 0.2})], "objective", "C"),
        ([("pegasos", {}), ("pegasos", {"lam": 0.2})], "training error", ""),
        ([("pegasos", {}), ("pegasos", {"seed": 3, "epochs": 2})], "objective", ""),
        ([("pegasos", {}), ("pegasos", {"loss": "squared hinge", "bias": 2.0})], "objective", "loss, constant"),
        ([("lloyd", {"k": 2}), ("lloyd", {"k": 3})], "objective", "k"),
        ([("lloyd", {"k": 2}), ("kernel_k_means", {"k": 2, "kernel": "linear"})], "objective", ""),
        ([("lloyd", {"k": 2}), ("kernel_k_means", {"k": 2, "kernel": "rbf"})], "objective", "kernel, gamma"),
        ([("smo", {"kernel": "linear"}), ("smo", {"kernel": "linear", "gamma": 3.0})], "primal", ""),
        ([("smo", {"margin": "hard"}), ("smo", {"margin": "hard", "C": 3.0})], "dual", ""),
    ],
)
def test_runs_have_one_objective_where_all_that_it_depends_on_is_the_same(
    runs: list[tuple[str, dict[str, Any]]], curve: str, other: str
) -> None:
    assert problems(*runs).other(curve, 0, 1) == other


def test_the_data_are_part_of_an_objective() -> None:
    algorithm, rows = find("lloyd"), ROWS.load()
    moved = edited(rows, [Move(0, (9.0, 9.0))])
    objectives = Objectives([(algorithm, algorithm.problem(data)) for data in (rows, moved)])
    assert objectives.other("objective", 0, 1) == "data"
    assert objectives.incomparable("objective", 0, 1) == "other data, another objective"
    assert objectives.incomparable("rows moved", 0, 1) == "other data"
    assert not objectives.comparable("rows moved", (0, 1))


def test_what_is_not_declared_is_not_said_to_differ() -> None:
    algorithm = find("lloyd").with_defaults()
    algorithm.objective = None
    rows = ROWS.load()
    objectives = Objectives([(algorithm, algorithm.problem(rows, None, {"k": k})) for k in (2, 3)])
    assert objectives.incomparable("objective", 0, 1) == ""


def test_runs_of_one_objective_are_grouped() -> None:
    runs = [("pegasos", {"lam": lam}) for lam in (0.1, 0.2, 0.1)]
    assert problems(*runs).groups("objective", (0, 1, 2)) == [[0, 2], [1]]
    assert problems(*runs).groups("training error", (0, 1, 2)) == [[0, 1, 2]]


def test_a_fork_has_the_objective_of_its_parent_until_it_begins() -> None:
    run = Timeline(find("pegasos"), ROWS.load())
    run.advance(6)
    fork = run.fork(4, lam=0.5)
    fork.advance(2)
    for t, other in ((3, ""), (5, "C")):
        objectives = Objectives([(each.algorithm, each.problem_at(t)) for each in (run, fork)])
        assert objectives.other("objective", 0, 1) == other
