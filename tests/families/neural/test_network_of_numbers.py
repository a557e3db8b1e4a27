"""A network that learns a number: against scikit-learn, least squares and its own descent, and what is seen of it."""

import numpy as np
import pytest
from sklearn.neural_network import MLPRegressor

from algorithms import Refused, Timeline, find
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import diabetes, line, sine
from algorithms.families.neural.multilayer_perceptron.measures import MultilayerPerceptronState, on_all
from tests.families.neural.runs import ALL, LINEAR, MLP, at, run_of, theirs_as_ours, trained

WAVE = sine.with_(n=120, noise=0.2).load()


@pytest.mark.parametrize("data", [WAVE, diabetes.with_(scale=True, sample=80).load()], ids=lambda data: data.name)
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_scikit_learn_comes_to_the_same_weights(data, activation):
    settings = {"hidden": (6,), "activation": activation, "eta": 0.0005, "batch": 10}
    start, theirs = trained(MLPRegressor, data.X, np.asarray(data.y), (6,), activation, 0.0005, 10, 5)
    states = run_of(data, "epoch", state=MultilayerPerceptronState(weights=start), order="cyclic", epochs=5, **settings)
    assert states[-1].weights == pytest.approx(theirs_as_ours(theirs), rel=1e-8, abs=1e-8)
    problem = MLP.problem(data, None, settings)
    said = on_all(problem, states[-1])
    residuals = theirs.predict(data.X) - np.asarray(data.y)
    assert said.outputs[:, 0] == pytest.approx(theirs.predict(data.X), rel=1e-7, abs=1e-7)
    assert said.loss == pytest.approx((residuals**2).mean() / 2)
    assert said.error == pytest.approx(np.sqrt((residuals**2).mean()))
    assert not said.wrong.any()


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "replacement"])
def test_without_a_hidden_layer_it_goes_the_way_of_stochastic_gradient_descent(order):
    data, settings = line.load(), {"eta": 0.1, "batch": 7, "order": order, "epochs": 4, "seed": 3}
    ours = [s.weights for s in MLP(data, hidden=(), spread=0.0, every="update", **settings)]
    theirs = [s.w for s in find("stochastic_gradient")(data, **settings)]
    assert len(ours) == len(theirs)
    assert np.allclose(ours, theirs, rtol=1e-12, atol=1e-14)


def test_without_a_hidden_layer_it_ends_at_least_squares():
    data = line.load()
    *_, last = MLP(data, hidden=(), eta=0.2, batch=ALL, epochs=500, every="epoch")
    best = np.linalg.lstsq(np.column_stack([data.X, np.ones(data.n)]), np.asarray(data.y), rcond=None)[0]
    assert last.weights == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("data", [line.load(), WAVE, diabetes.with_(sample=60).load()], ids=lambda data: data.name)
@pytest.mark.parametrize("every", ["update", "phase"])
def test_its_theorems_hold(data, every):
    for hidden in ((), (5,), (4, 3)):
        run = Timeline(MLP, data, {"hidden": hidden, "eta": 0.02, "epochs": 2, "every": every}).run()
        assert not run.failures
        assert not run.troubles
    flat = Timeline(MLP, data, {"hidden": (), "eta": 0.02, "epochs": 1})
    flat.advance(3)
    assert at(LINEAR, flat.problem, flat.at(1).state, flat.at(2).state).status == "holds"


@pytest.mark.parametrize("hidden", [(), (5,)])
@pytest.mark.parametrize("times", [-1.0, 0.5, 2.0])
def test_a_step_of_another_length_is_none_of_least_squares(times, hidden):
    problem = MLP.problem(line.load(), None, {"hidden": hidden})
    before, after = list(MLP.start(problem))[4:6]
    wrong = after.replaced(weights=before.weights + times * (after.weights - before.weights))
    assert at(LINEAR, problem, before, after).status == "holds"
    assert at(LINEAR, problem, before, wrong).status == "fails"


def test_with_cross_entropy_it_is_no_step_of_least_squares():
    classes = MLP.problem(Dataset([[0.0], [1.0]], [0, 1], classes=("a", "b")), None, {"hidden": ()})
    before, after = list(MLP.start(classes))[1:3]
    assert at(LINEAR, classes, before, after).why == "the loss is the cross-entropy"


def test_cross_entropy_and_targets_that_are_too_large_are_refused_in_words():
    with pytest.raises(Refused, match=r"y of sine is a number, and cross-entropy is of classes: take the squared loss"):
        MLP.problem(WAVE, None, {"loss": "cross-entropy"})
    with pytest.raises(Refused, match="out of range"):
        MLP.problem(Dataset(WAVE.X, 1e7 * np.asarray(WAVE.y), kind="number"), None, {})
    same_run = [run_of(WAVE, "epoch", epochs=2, loss=loss) for loss in ("by target", "squared")]
    assert all(same(a, b) for a, b in zip(*same_run, strict=True))


def test_f_is_drawn_over_its_one_feature_and_of_several_against_the_truth():
    run = Timeline(MLP, WAVE, {"epochs": 40})
    run.advance(241)
    frame = run.at(240)
    panel = MLP.scene(run.problem, frame.before, frame.state).panels[0]
    assert panel.title == "y against x"
    now = next(mark for mark in panel.marks if getattr(mark, "name", "") == "network")
    said = on_all(run.problem, frame.state).outputs[:, 0]
    assert np.interp(WAVE.X[:, 0], now.at[:, 0], now.at[:, 1]) == pytest.approx(said, abs=0.01)
    assert run.curve("training RMS error")[1][-1] < 0.3 < run.curve("training RMS error")[1][0]
    many = MLP.problem(diabetes.with_(scale=True).load(), None, {})
    assert MLP.scene(many, None, next(MLP.start(many))).panels[0].title == "predicted against true"


def test_words_name_the_number_and_how_far_it_is_off():
    run = Timeline(MLP, WAVE, {"hidden": (3,), "every": "phase"})
    run.advance(6)
    said = [MLP.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(6)]
    assert "The loss is" in said[0]
    assert said[0].endswith(f"mean squared residual is {on_all(run.problem, run.at(0).state).error:.3g}.")
    row = run.problem.data.row(int(np.random.default_rng((0, 1)).random(120).argsort()[0]))
    assert f"({row}) the network says" in said[2]
    assert "where y is" in said[2]
    assert "wrong" not in said[5]
    table = next(p for p in MLP.scene(run.problem, run.at(1).state, run.at(2).state).panels if p.title == "the batch")
    assert table.marks[0].columns == ("row", "y", "says", "says - y", "loss")
    assert len(table.marks[0].rows) == 20
