"""The neural network: by hand, against scikit-learn, resumed and forked, and what a person reads of it."""

import pickle
from math import exp, log, tanh

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import log_loss
from sklearn.neural_network import MLPClassifier, MLPRegressor

from algorithms import Refused, Timeline
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import breast_cancer, digits, iris, moons, rings
from algorithms.families.neural.multilayer_perceptron.measures import MultilayerPerceptronState
from algorithms.toolbox.network import inputs_and_targets, network_for, predictions
from tests.families.ends import end_of
from tests.families.neural.runs import ALL, MLP, first, overlapping, run_of, theirs_as_ours, trained

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_backpropagation:test_a_batch_taken_twice_or_passed_over_breaks_that_they_come_in_turn",
    "update": "test_backpropagation:test_a_step_up_the_gradient_or_of_another_length_breaks_the_rule_and_the_fall",
}
SILENT = {  # in the run that opens, and why
    "a ReLU unit's w·∂f/∂w: in = out": "tanh units do not scale as ReLU units do",
    "squared loss: the last layer takes a step of least squares": "the loss is the cross-entropy",
}

# The algorithm


def test_one_step_by_hand():
    """One input, one tanh unit, one output: x = 2, class 1, W1 = (0.5, -0.2), W2 = (1.5, 0.1), η = 0.5."""
    data = Dataset([[2.0], [-1.0]], [1, 0], classes=("no", "yes"))
    start = MultilayerPerceptronState(weights=np.array([0.5, -0.2, 1.5, 0.1]))
    run = MLP(data, state=start, hidden=(1,), eta=0.5, batch=1, order="cyclic", every="phase")
    up, out, down, below, moved = (next(run) for _ in range(5))
    assert [s.phase for s in (up, out, down, below, moved)] == ["forward", "forward", "backward", "backward", "update"]
    a = tanh(0.5 * 2 - 0.2)
    p = 1 / (1 + exp(-(1.5 * a + 0.1)))
    assert up.activations[0].ravel() == pytest.approx([a, 1.0])
    assert out.activations[1].ravel() == pytest.approx([p])
    assert down.deltas[0].ravel() == pytest.approx([p - 1])
    assert down.gradients[0].ravel() == pytest.approx([(p - 1) * a, p - 1])
    d = 1.5 * (p - 1) * (1 - a**2)
    assert below.deltas[0].ravel() == pytest.approx([d])
    assert below.gradients[0].ravel() == pytest.approx([2 * d, d])
    assert moved.weights == pytest.approx(
        [0.5 - 0.5 * 2 * d, -0.2 - 0.5 * d, 1.5 - 0.5 * (p - 1) * a, 0.1 - 0.5 * (p - 1)]
    )
    network = network_for(data, (1,), "tanh", "cross-entropy")
    assert predictions(network, start.weights, data).losses[0] == pytest.approx(-log(p))


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
@pytest.mark.parametrize("hidden", [(8,), (5, 4)])
@pytest.mark.parametrize(
    "data",
    [moons.load(), iris.with_(scale=True).load(), breast_cancer.with_(scale=True).load()],
    ids=["moons", "iris", "breast cancer"],
)
def test_scikit_learn_comes_to_the_same_weights_with_cross_entropy(data, hidden, activation):
    start, theirs = trained(MLPClassifier, data.X, data.y, hidden, activation, 0.2, 16, 5)
    settings = {"hidden": hidden, "activation": activation, "eta": 0.2, "batch": 16, "order": "cyclic", "epochs": 5}
    last = run_of(data, state=MultilayerPerceptronState(weights=start), every="epoch", **settings)[-1]
    assert last.weights == pytest.approx(theirs_as_ours(theirs), rel=1e-8, abs=1e-8)
    found = predictions(network_for(data, hidden, activation, "cross-entropy"), last.weights, data)
    sure = theirs.predict_proba(data.X)
    assert found.outputs[:, -1] == pytest.approx(sure[:, -1], abs=1e-8)
    assert found.loss == pytest.approx(log_loss(data.y, sure), rel=1e-8)
    assert found.error == pytest.approx(1 - theirs.score(data.X, data.y))


@pytest.mark.parametrize("data", [moons.load(), iris.with_(scale=True).load()], ids=["moons", "iris"])
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_scikit_learn_comes_to_the_same_weights_with_squared_loss(data, activation):
    """Their regressor on the coded classes."""
    targets = inputs_and_targets(data)[1]
    coded = targets[0] if len(targets) == 1 else targets.T
    start, theirs = trained(MLPRegressor, data.X, coded, (6,), activation, 0.05, 10, 5)
    settings = {"hidden": (6,), "activation": activation, "loss": "squared", "eta": 0.05, "batch": 10}
    run = MLP(data, state=MultilayerPerceptronState(weights=start), order="cyclic", epochs=5, every="epoch", **settings)
    assert list(run)[-1].weights == pytest.approx(theirs_as_ours(theirs), rel=1e-8, abs=1e-8)


def test_without_hidden_layers_it_is_logistic_regression():
    data = overlapping(n=200, d=2, k=2)
    last = run_of(data, hidden=(), eta=1.0, batch=ALL, epochs=5000, every="epoch")[-1]
    theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(data.X, data.y)
    assert last.weights == pytest.approx(np.append(theirs.coef_[0], theirs.intercept_), rel=1e-5)


@pytest.mark.parametrize("data", [rings.load(), iris.load()], ids=["rings", "iris"])
def test_the_error_of_a_line_is_that_of_least_squares_on_the_coded_classes(data):
    targets = inputs_and_targets(data)[1]
    said = LinearRegression().fit(data.X, targets.T).predict(data.X)
    codes = said[:, 0] > 0.5 if len(targets) == 1 else said.argmax(axis=1)
    run = Timeline(MLP, data, {"epochs": 1}).run()
    assert run.curve("a line's error")[1][0] == pytest.approx(float((codes != data.y).mean()))


def test_it_learns_exclusive_or_which_no_hyperplane_does():
    data = Dataset([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0], classes=("same", "different"))
    last = run_of(data, hidden=(4,), batch=ALL, eta=1.0, epochs=1000, every="epoch")[-1]
    found = predictions(network_for(data, (4,), "tanh", "cross-entropy"), last.weights, data)
    assert not found.wrong.any()
    assert found.loss < 0.05


@pytest.mark.parametrize("recipe", [moons, rings])
@pytest.mark.parametrize(
    ("activation", "eta", "epochs"), [("tanh", 1.0, 200), ("relu", 0.3, 200), ("sigmoid", 3.0, 500)]
)
def test_it_tells_moons_and_rings_apart(recipe, activation, eta, epochs):
    parameters = {"activation": activation, "eta": eta, "epochs": epochs, "every": "epoch"}
    problem = MLP.problem(recipe.load(), None, parameters)
    end, _ = end_of(MLP.start(problem))
    (training_error,) = (curve for curve in MLP.curves if curve.name == "training error")
    assert training_error.measure(problem, end) <= 0.02


def test_in_its_first_240_steps_it_tells_rings_apart_as_no_hyperplane_does():
    run, flat = (Timeline(MLP, MLP.datasets[0], parameters) for parameters in ({}, {"hidden": ()}))
    for timeline in (run, flat):
        timeline.advance(241)
        assert timeline.at(240).state.phase == "update"
    error, of_a_line = (timeline.curve("training error")[1][-1] for timeline in (run, flat))
    assert error == 0.0
    assert of_a_line > 0.3


@pytest.mark.parametrize(("epochs", "words"), [(1, "1 pass over the rows"), (2, "2 passes over the rows")])
def test_it_ends_in_words(epochs, words):
    assert Timeline(MLP, moons, {"epochs": epochs}).run().stopped.reason == words


def test_errors_have_the_same_unit_in_the_sentence_as_in_the_rule():
    """One row in a batch of two: δ is half of a - y."""
    data = Dataset([[2.0], [-1.0]], [1, 0], classes=("no", "yes"))
    run = Timeline(MLP, data, {"hidden": (), "batch": 2, "order": "cyclic", "spread": 0.0, "every": "phase"})
    run.advance(3)
    said = MLP.explain(run.problem, run.at(1).state, run.at(2).state)
    assert said.startswith("The outputs' errors are δ = (a - y)/b: for row 0, (0.5 - 1)/2 = -0.25 at output 0.")


def test_from_weights_of_zero_the_hidden_units_stay_alike_for_ever():
    last = run_of(moons.load(), spread=0.0, every="epoch", epochs=20)[-1]
    W1, W2 = network_for(moons.load(), (8,), "tanh", "cross-entropy").matrices(last.weights)
    assert np.ptp(W1, axis=0).max() == 0
    assert np.ptp(W2[:, :-1]) == 0


def test_weights_at_the_start_keep_the_scale_of_values_from_layer_to_layer():
    network = network_for(digits.load(), (100, 100), "relu", "cross-entropy")
    matrices = network.matrices(network.starting_weights(1.0, 0))
    assert [W.shape for W in matrices] == [(100, 65), (100, 101), (10, 101)]
    assert all((W[:, -1] == 0).all() for W in matrices)
    bounds = [(6 / 64) ** 0.5, (6 / 100) ** 0.5, (6 / 110) ** 0.5]
    assert [np.abs(W).max() for W in matrices] == pytest.approx(bounds, rel=0.01)


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "replacement"])
@pytest.mark.parametrize("batch", [7, ALL])
@pytest.mark.parametrize("hidden", [(), (5,), (4, 3)])
def test_fewer_states_of_the_same_run(order, batch, hidden):
    settings = {"order": order, "batch": batch, "hidden": hidden, "epochs": 3}
    data = overlapping()
    phases = [s for s in run_of(data, **settings) if s.phase == "update"]
    updates = run_of(data, every="update", **settings)[1:]
    epochs = run_of(data, every="epoch", **settings)[1:]
    assert [s.t for s in updates] == list(range(1, len(updates) + 1))
    assert len(phases) == len(updates) == 3 * -(-60 // min(batch, 60))
    assert len(epochs) == 3
    parts = [lambda s: (s.weights, s.gradients, s.iteration, s.first, s.used)]
    for one, other in [*zip(phases, updates), *zip([s for s in updates if s.used == 60], epochs)]:
        assert all(same(part(one), part(other)) for part in parts)


def test_an_epoch_uses_every_row_once_and_its_last_batch_what_is_left():
    states = run_of(overlapping(n=10), batch=4, epochs=2, every="update")
    assert [(s.iteration, s.first, s.used) for s in states[1:]] == [
        (1, 0, 4),
        (1, 4, 8),
        (1, 8, 10),
        (2, 0, 4),
        (2, 4, 8),
        (2, 8, 10),
    ]


def test_phases_come_layer_by_layer():
    states = first(8, overlapping(), hidden=(5, 4))
    assert [s.phase for s in states] == ["start", *["forward"] * 3, *["backward"] * 3, "update"]
    assert [len(s.activations) for s in states] == [0, 1, 2, 3, 3, 3, 3, 0]
    assert [len(s.gradients) for s in states] == [0, 0, 0, 0, 1, 2, 3, 3]
    assert all(same(s.weights, states[0].weights) for s in states[:7])


@pytest.mark.parametrize("every", ["update", "phase", "epoch"])
@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_a_step_far_too_large_ends_in_words_with_finite_numbers(activation, every):
    settings = {"loss": "squared", "eta": 100.0, "activation": activation, "hidden": (8, 8), "every": every}
    run = Timeline(MLP, breast_cancer.load(), settings).run()
    assert run.stopped.reason.startswith("it diverges")
    assert not run.stopped.failed
    assert not run.failures
    assert not run.troubles
    assert np.isfinite(run.at(run.last).state.weights).all()


# Its states


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "replacement"])
@pytest.mark.parametrize("loss", ["cross-entropy", "squared"])
@pytest.mark.parametrize("every", ["phase", "update", "epoch"])
@pytest.mark.parametrize(("k", "hidden"), [(2, (5,)), (3, (4, 3)), (3, ())])
def test_it_goes_on_from_any_state_bit_for_bit(order, loss, every, k, hidden):
    data = overlapping(n=30, k=k)
    parameters = {"order": order, "loss": loss, "every": every, "hidden": hidden, "batch": 7, "epochs": 3, "eta": 0.1}
    states = run_of(data, **parameters)
    for i in range(0, len(states), max(1, len(states) // 7)):
        copy = pickle.loads(pickle.dumps(states[i]))
        rest = list(MLP(data, state=copy, **parameters))
        assert len(rest) == len(states) - i - 1
        assert all(same(a, b) for a, b in zip(rest, states[i + 1 :]))


def test_a_fork_in_mid_batch_begins_before_it():
    run = Timeline(MLP, overlapping(), {"batch": 20, "epochs": 3, "every": "phase"})
    run.advance(40)
    fork = run.fork(8, batch=5)
    assert fork.begin == 5
    fork.advance(5)
    assert fork.at(6).state.first == 20
    assert fork.at(6).state.used == 25


def test_a_fork_may_change_the_activation_of_the_same_weights():
    run = Timeline(MLP, overlapping(), {"epochs": 50})
    run.advance(60)
    fork = run.fork(50, activation="relu", loss="squared", eta=0.05)
    fork.advance(100)
    assert not fork.stopped
    assert not fork.failures


# What a person reads


def test_it_explains_its_steps():
    run = Timeline(MLP, moons.load(), {"hidden": (3,), "every": "phase"})
    run.advance(6)
    said = [MLP.explain(run.problem, run.at(t).before, run.at(t).state) for t in range(6)]
    now = predictions(network_for(moons.load(), (3,), "tanh", "cross-entropy"), run.at(0).state.weights, moons.load())
    assert said[0] == (
        "2 inputs, 3 hidden tanh units, 1 output: 13 weights. "
        f"The loss is {now.loss:.3g}, and {now.wrong.sum()} of 200 rows are wrong."
    )
    assert said[1].startswith("20 rows go up to layer 1, each of whose 3 units takes the tanh of a weighted sum.")
    assert "The batch's mean loss is" in said[2]
    assert "errors are δ = (a - y)/b: for row" in said[3]
    assert "come back through W2, times the slope of tanh" in said[4]
    assert said[5].startswith("All 13 weights step against the gradient at once")


@pytest.mark.parametrize("rows", [5, 6, 7, 9, 12, 30])
def test_the_names_of_layers_have_a_row_above_all_units(rows):
    run = Timeline(MLP, rings.load(), {"hidden": (8,)})
    run.advance(1)
    panel = next(p for p in MLP.scene(run.problem, None, run.at(0).state).panels if p.title == "the network")
    (low, high) = panel.limits[1]
    *units, names = ((high - m.at[:, 1]) / (high - low) * rows // 1 for m in panel.marks if type(m).__name__ == "Units")
    assert max(names) < min(row for layer in units for row in layer)


def test_the_network_shows_values_on_the_way_up_and_errors_on_the_way_back():
    run = Timeline(MLP, digits.with_(scale=True).load(), {"hidden": (12,), "every": "phase"})
    run.advance(6)
    for t in range(6):
        scene = MLP.scene(run.problem, run.at(t).before, run.at(t).state)
        titles = [panel.title for panel in scene.panels]
        assert titles == [
            "what the network says",
            "the network",
            "weights of layer 1's units",
            "layers",
            "the batch",
            "gradient check",
        ]
        marks = scene.panels[1].marks
        chips = [mark for mark in marks if type(mark).__name__ == "Units"]
        assert [len(chip.texts) for chip in chips] == [10, 10, 10, 3]
        assert chips[-1].texts == ("inputs 10/64", "layer 1 10/12", "outputs")
        ringed = next(m for m in scene.panels[0].marks if type(m).__name__ == "Points").ringed
        assert ringed is None if t == 0 else ringed.sum() == 1
    state = run.at(4).state
    chips = [m for m in MLP.scene(run.problem, run.at(4).before, state).panels[1].marks if type(m).__name__ == "Units"]
    assert [chip.marked.any() for chip in chips[:3]] == [False, True, False]
    shown = np.unique(np.linspace(0, 11, 10).round().astype(int))
    errors = state.deltas[0][:, 0][shown]
    assert chips[1].values == pytest.approx(errors / np.abs(errors).max())


def test_layers_are_asked_for_as_a_list_with_bounds():
    parameter = next(p for p in MLP.parameters if p.name == "hidden")
    assert parameter.bounds == "0 to 5 of them, 1 <= each <= 100"
    assert parameter.help.startswith("units of each hidden layer")
    assert MLP.problem(moons.load(), None, {"hidden": "8, 4"}).parameters.hidden == (8, 4)
    for wrong in ("0", "101", "1,2,3,4,5,6", "many"):
        with pytest.raises(Refused, match="must be whole numbers with commas between, 0 to 5 of them"):
            MLP.problem(moons.load(), None, {"hidden": wrong})


def test_numbers_whose_products_overflow_are_refused_in_words():
    with pytest.raises(Refused, match="out of range: scale it"):
        MLP(Dataset([[1e140], [0.0]], [0, 1], classes=("a", "b")))


def test_held_out_rows_are_measured_where_there_are_any():
    run = Timeline(MLP, breast_cancer.with_(scale=True, hold_out=0.25), {"every": "epoch", "epochs": 30}).run()
    assert run.curve("held-out error")[1][-1] < 0.06
    assert run.curve("held-out loss")[1][-1] < run.curve("held-out loss")[1][0]
