"""The data flags and recipes say the same thing, both ways."""

import shlex
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from algorithms import Recipe, Refused, datasets
from algorithms.cli.arguments import Parser, add_data_flags, flags_of, recipe_from
from tests.examples import examples


def parsed(*words: str) -> Any:
    parser = Parser(prog="test")
    add_data_flags(parser)
    return parser.parse_args(words)


def test_flags_make_the_recipe_they_speak_of():
    words = (
        "--data",
        "penguins",
        "--columns",
        "bill_depth_mm, body_mass_g",
        "--target",
        "species",
        "--positive",
        "Gentoo",
    )
    more = ("--scale", "--hold-out", "0.25", "--hold-out-seed", "7", "--missing", "refuse", "--sample", "40")
    assert recipe_from(parsed(*words, *more)) == datasets.penguins.with_(
        columns=("bill_depth_mm", "body_mass_g"),
        target="species",
        positive="Gentoo",
        scale=True,
        hold_out=0.25,
        hold_out_seed=7,
        missing="refuse",
        sample=40,
    )


def test_flags_without_data_change_what_the_algorithm_starts_with():
    start = datasets.iris.with_(positive="setosa", scale=True)
    assert recipe_from(parsed(), start) == start
    assert recipe_from(parsed("--no-scale"), start) == datasets.iris.with_(positive="setosa")
    assert recipe_from(parsed("--target", "none"), start) == datasets.iris.with_(target="", scale=True)
    with pytest.raises(Refused, match="--data"):
        recipe_from(parsed())


def test_a_made_set_takes_its_own_arguments_after_a_colon():
    assert recipe_from(parsed("--data", "blobs:margin=0.3, n=50")) == datasets.blobs.with_(margin=0.3, n=50)
    assert recipe_from(parsed("--data", "blobs:")) == datasets.blobs


recipes = st.builds(
    lambda name, changes, made: Recipe(name=name).with_(**changes, **(made if name == "blobs" else {})),
    st.sampled_from(["iris", "blobs", "some file.csv", "-odd:path=1.csv", "./iris"]),
    st.fixed_dictionaries(
        {},
        optional={
            "columns": st.lists(st.text(min_size=1).map(str.strip).filter(bool), min_size=1, max_size=3).map(tuple),
            "target": st.text().filter(lambda s: s != "none"),
            "target_kind": st.sampled_from(["auto", "class", "number"]),
            "positive": st.text(),
            "scale": st.booleans(),
            "hold_out": st.floats(0, 0.99),
            "hold_out_seed": st.integers(0, 9),
            "missing": st.sampled_from(["drop", "refuse"]),
            "decimal": st.sampled_from([".", ","]),
            "sample": st.integers(2, 10_000),
            "sample_seed": st.integers(0, 9),
            "map": st.sampled_from(["quadratic", "products+1", "rbf:20", "letters:2"]),
            "map_seed": st.integers(0, 9),
        },
    ),
    st.fixed_dictionaries({}, optional={"n": st.integers(2, 99), "margin": st.floats(0, 9)}),
)


def test_a_map_is_a_flag_and_can_be_taken_off():
    start = datasets.xor.with_(map="products")
    mapped = datasets.rings.with_(map="rbf:20", map_seed=4)
    assert recipe_from(parsed("--data", "rings", "--map", "rbf:20", "--map-seed", "4")) == mapped
    assert recipe_from(parsed("--map", "none"), start) == datasets.xor
    with pytest.raises(Refused, match="there is no feature map 'cube'"):
        recipe_from(parsed("--map", "cube"), start)


@settings(max_examples=examples(200), deadline=None)
@given(recipes)
def test_a_recipe_written_as_flags_is_read_again(recipe):
    assert recipe_from(parsed(*shlex.split(flags_of(recipe)))) == recipe
