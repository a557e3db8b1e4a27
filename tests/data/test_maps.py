"""Feature maps: what they make, on which rows they are fitted, and that what was curved becomes straight under them."""

from itertools import combinations_with_replacement, pairwise
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import PolynomialFeatures

from algorithms import Dataset, Recipe, Refused, Timeline, datasets, find
from algorithms.data.maps import Bumps, fitted
from algorithms.data.null_space import null_space, null_space_panel
from algorithms.toolbox.separation import separate


def refusal(recipe: Recipe) -> str:
    with pytest.raises(Refused) as refused:
        recipe.load()
    return str(refused.value)


def separable(data: Dataset) -> bool:
    return separate(np.column_stack([data.X, np.ones(data.n)]) * data.signs[:, None]).direction is not None


def test_quadratic_and_products_are_the_polynomial_features_of_the_textbook():
    data = datasets.load("iris")
    quadratic = PolynomialFeatures(2, include_bias=False).fit_transform(data.X)
    assert np.allclose(datasets.load("iris", map="quadratic").X, quadratic)
    products = PolynomialFeatures(2, interaction_only=True).fit_transform(data.X)
    assert np.allclose(datasets.load("iris", map="products+1").X, products)


def test_features_are_named_as_they_are_made():
    assert datasets.load("xor", map="quadratic").features == ("x1", "x2", "x1²", "x1·x2", "x2²")
    assert datasets.load("xor", map="products+1").features == ("1", "x1", "x2", "x1·x2")
    near = datasets.load("faithful", scale=True, map="rbf:3")
    assert isinstance(near.map, Bumps)
    places = near.inputs.original(near.map.centres)
    assert near.features == tuple(f"near ({x:.3g}, {y:.3g})" for x, y in places)
    many = datasets.load("iris", map="rbf:40").features
    assert len(set(many)) == 40


def test_bumps_are_gaussians_about_training_rows_as_wide_as_those_say():
    recipe = datasets.rings.with_(map="rbf:20", hold_out=0.4)
    data = recipe.load()
    by = data.map
    assert isinstance(by, Bumps)
    rows = {row.tobytes() for row in data.inputs.X}
    assert all(centre.tobytes() in rows for centre in by.centres), "of rows held out nothing is known"
    assert len(np.unique(by.centres, axis=0)) == 20
    farthest = max(np.linalg.norm(a - b) for a, b in combinations_with_replacement(by.centres, 2))
    assert by.width == pytest.approx(farthest / np.sqrt(40))
    assert np.allclose(data.X, rbf_kernel(data.inputs.X, by.centres, gamma=0.5 / by.width**2))
    assert data.held_out is not None
    assert np.array_equal(data.held_out.X, by(data.held_out.inputs.X)), "with the same centres and width"
    assert not np.array_equal(recipe.with_(map_seed=1).load().X, data.X)


def test_features_are_scaled_before_they_are_mapped():
    data = datasets.load("faithful", scale=True, map="quadratic")
    scaled = datasets.load("faithful", scale=True)
    assert np.array_equal(data.X[:, 2], scaled.X[:, 0] ** 2)
    assert data.inputs is scaled
    assert not data.scaled
    assert data.words == "faithful, scaled, quadratic map"
    assert data.row(0) == scaled.row(0) == "eruptions 3.6, waiting 79"


@pytest.mark.parametrize(
    ("recipe", "by"),
    [
        (datasets.xor, "products"),
        (datasets.circle, "quadratic"),
        (datasets.rings, "quadratic"),
        (datasets.rings, "rbf:20"),
        (datasets.conjunction.with_(terms=2), "products"),
    ],
    ids=lambda part: part if isinstance(part, str) else part.name,
)
def test_what_no_hyperplane_separates_is_separated_by_one_under_the_map(recipe, by):
    assert not separable(recipe.load())
    data = recipe.with_(map=by).load()
    assert separable(data)
    if recipe.name in ("xor", "circle"):
        run = Timeline(find("perceptron"), data, {"epochs": 1000}).run()
        assert run.stopped is not None
        assert run.stopped.reason == "a whole pass without a mistake"
        w = run.at(run.last).state.w
        assert (data.signs * (np.column_stack([data.X, np.ones(data.n)]) @ w) > 0).all()


def test_of_rows_on_a_circle_the_circle_is_the_direction_in_which_nothing_is_learnt():
    data = datasets.load("circle", inside=0, map="quadratic")
    found = null_space(data)
    assert found is not None
    assert found.names == ("1", "x1", "x2", "x1²", "x1·x2", "x2²")
    assert (found.rank, len(found.basis)) == (5, 1)
    a, b, c = 1.0, 2.0, 3.0
    assert found.basis[0] == pytest.approx([a * a + b * b - c * c, -2 * a, -2 * b, 1, 0, 1], abs=1e-9)
    assert "Φ has rank 5 of 6: Φu = 0 along 1 direction." in data.notices[-1]
    (table,) = null_space_panel(data).marks
    assert [row[0] for row in table.rows] == list(found.names)
    with_constant = null_space(datasets.load("circle", inside=0, map="quadratic+1"))
    assert with_constant is not None
    assert (with_constant.names, with_constant.rank) == (found.names, 5), "the constant is not put there twice"


def test_of_binary_features_each_is_its_own_square():
    data = datasets.load("conjunction", n=200, map="quadratic")
    found = null_space(data)
    assert found is not None
    assert len(found.basis) == 6
    for u in found.basis:
        named = {name: value for name, value in zip(found.names, u) if value}
        (square,) = (name for name in named if name.endswith("²"))
        assert named == pytest.approx({square: 1.0, square[:-1]: -1.0})
    assert np.abs(np.column_stack([np.ones(data.n), data.X]) @ found.basis.T).max() < 1e-9
    panel = null_space_panel(data)
    assert "rank 22 of 28" in panel.title
    assert panel.marks[0].rows[-1][0] == "and 2 more"


def test_where_no_direction_is_lost_it_is_said():
    data = datasets.load("xor", map="quadratic")
    assert "no combination of them is constant" in data.notices[-1]
    assert ("directions u", 0) in null_space_panel(data).marks[0].rows


def test_a_letter_of_a_text_column_is_one_feature_a_letter():
    data = datasets.load("badges", map="letters:2")
    assert (data.n, data.d) == (36, 11)
    assert (data.X.sum(axis=1) == 1).all()
    row = data.names.index("Peter Bartlett")
    assert data.features[int(data.X[row].argmax())] == "letter 2 is e"
    assert data.row(row) == "Peter Bartlett"
    assert data.words == "badges, letters:2 map"


def test_second_letters_reach_novikoffs_bound():
    states = list(find("perceptron")(datasets.load("badges", map="letters:2"), bias=False))
    assert states[-1].mistakes == 11
    run = find("perceptron").problem(datasets.load("badges", map="letters:2"), None, {"bias": False})
    sides = find("perceptron").theorems[0].sides(run, None, states[-1])
    assert sides.values == pytest.approx((11, 11))


def test_letters_that_only_rows_held_out_have_are_no_features():
    data = datasets.load("badges", map="letters:2", hold_out=0.3)
    assert data.held_out is not None
    assert data.X.any(axis=0).all()
    assert data.held_out.features == data.features
    unknown = [name for name, row in zip(data.held_out.names, data.held_out.X) if not row.any()]
    assert unknown
    letters = {feature[-1] for feature in data.features}
    assert all(name[1].lower() not in letters for name in unknown)


def test_letters_of_a_file_of_ones_own(tmp_path: Path):
    path = tmp_path / "names.csv"
    path.write_text("name,colour,age,sign\n" + "".join(f"{a},red,{i},{'+-'[i % 2]}\n" for i, a in enumerate(NAMES)))
    data = Recipe(name=str(path)).with_(map="letters:1", columns=("name",), target="sign").load()
    assert data.features == ("letter 1 is .", "letter 1 is a", "letter 1 is b")
    assert data.names == NAMES
    assert "name and colour" in refusal(Recipe(name=str(path)).with_(map="letters:1", target="sign"))
    assert "none" in refusal(Recipe(name=str(path)).with_(map="letters:1", columns=("age",)))
    assert "has no column 'nome'" in refusal(Recipe(name=str(path)).with_(map="letters:1", columns=("nome",)))
    assert "no cell of name" in refusal(Recipe(name=str(path)).with_(map="letters:90", columns=("name",)))
    assert refusal(datasets.xor.with_(map="letters:2")) == "xor is made of numbers, so there are no letters to take."
    assert "takes one column of text" in refusal(datasets.iris.with_(map="letters:2"))


NAMES = ("Ann", "Bob", ".x", "al", "bo")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cubic", "there is no feature map 'cubic'; there are quadratic, products, rbf:20"),
        ("rbf", "does not say how many centres"),
        ("rbf:0", "does not say how many centres"),
        ("rbf:٣", "does not say how many centres"),
        ("letters", "does not say which letter"),
        ("letters:2+1", "no constant"),
        ("quadratic:2", "there is no feature map"),
        ("+1", "there is no feature map"),
    ],
)
def test_what_is_no_map_is_refused_where_it_is_written(text, words):
    with pytest.raises(Refused, match=words):
        datasets.xor.with_(map=text)
    assert words.split("'")[0] in refusal(Recipe(name="xor", map=text))


def test_maps_that_do_not_go_with_the_data_are_refused_in_words():
    assert "takes 20 different rows" in refusal(datasets.xor.with_(n=4, noise=0, map="rbf:20"))
    assert "one feature" in refusal(datasets.line.with_(map="products"))
    assert datasets.load("line", map="quadratic").features == ("x", "x²")
    wide = Dataset(np.ones((9, 2000)) * np.arange(9)[:, None])
    with pytest.raises(Refused, match="2,003,000 features|too many"):
        fitted("quadratic", wide, 0)


def test_what_is_known_of_a_mapped_set_is_known_of_the_features_it_was_made_of():
    data = datasets.load("circle", map="quadratic")
    assert data.truth == {}
    assert data.inputs.truth["radius"] == 3.0
    assert datasets.load("digits", map="rbf:5").image is None
    assert all(earlier != later for earlier, later in pairwise(data.features))
