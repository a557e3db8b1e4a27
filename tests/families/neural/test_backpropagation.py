"""What the network's theorems say at every step, and that broken gradients break them."""

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms.data import breast_cancer, iris, moons
from algorithms.families.neural.multilayer_perceptron.algorithm import returned
from algorithms.toolbox.network import network_for
from tests.families.neural.runs import (
    AGREE,
    ALL,
    BALANCE,
    BIAS,
    FALL,
    MLP,
    SLOPE,
    STEP,
    TURN,
    at,
    first,
    overlapping,
    verdicts,
    verdicts_of,
)

BACKPROPAGATION = "algorithms.families.neural.multilayer_perceptron.algorithm"


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
@pytest.mark.parametrize("loss", ["cross-entropy", "squared"])
@pytest.mark.parametrize(("hidden", "batch"), [((8,), 20), ((5, 4, 3), 1), ((), 7), ((6,), ALL)])
@pytest.mark.parametrize("every", ["phase", "update"])
def test_the_gradient_agrees_with_differences_at_every_step(activation, loss, hidden, batch, every):
    settings = {"activation": activation, "loss": loss, "hidden": hidden, "batch": batch, "every": every, "eta": 0.1}
    data = iris.with_(scale=True).load()
    for said in verdicts_of((AGREE, SLOPE), data, 105 if every == "phase" else 30, **settings):
        assert {v.status for v in said} <= {"holds", "does not apply"}
        whys = {v.why for v in said if v.status != "holds"} - {"not at this step", "it compares with the step before"}
        assert all("kink" in why for why in whys)
        assert sum(v.status == "holds" for v in said) > 20


@pytest.mark.parametrize("eta", [0.3, 100.0])
@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
def test_it_agrees_on_unscaled_data_and_where_units_are_saturated(activation, eta):
    for parameters in ({"spread": 10.0}, {"loss": "squared", "hidden": (5, 5)}):
        for said in verdicts_of(MLP.theorems, breast_cancer.load(), 40, activation=activation, eta=eta, **parameters):
            assert {v.status for v in said} <= {"holds", "does not apply"}


def backward_pairs(data, every="phase", **parameters):
    """(problem, before, after) at the first backward states, from the output down, and the update after them."""
    problem = MLP.problem(data, None, {"every": every, **parameters})
    states = [s for _, s in zip(range(80), MLP.start(problem))]
    return [(problem, b, a) for b, a in zip(states, states[1:]) if a.gradients]


def broken(state, change):
    """The state with the gradient of its lowest layer changed."""
    return replace(state, gradients=(change(state.gradients[0]), *state.gradients[1:]))


BREAKAGES = {
    "a wrong sign": lambda g: -g,
    "a sum, not a mean": lambda g: 20 * g,
    "a thousandth more": lambda g: 1.001 * g,
    "units swapped": lambda g: np.ascontiguousarray(g[::-1]),
    "inputs shifted": lambda g: np.roll(g, 1, axis=1),
}


@pytest.mark.parametrize("breakage", BREAKAGES)
@pytest.mark.parametrize("theorem", [AGREE, SLOPE], ids=["weights", "slope"])
def test_a_broken_gradient_breaks_the_theorem(theorem, breakage):
    pairs = backward_pairs(overlapping(k=3), hidden=(6,))
    whole = [(p, b, a) for p, b, a in pairs if len(a.gradients) == 2]
    assert {at(theorem, *pair).status for pair in whole} == {"holds"}
    caught = [at(theorem, p, b, broken(a, BREAKAGES[breakage])).status == "fails" for p, b, a in whole]
    assert sum(caught) > len(caught) / 2


def test_errors_returned_without_the_slope_of_the_units_break_it(monkeypatch):
    monkeypatch.setattr(
        f"{BACKPROPAGATION}.returned",
        lambda network, above, delta_above, values: np.dot(above[:, :-1].T, delta_above),
    )
    assert "fails" in {v.status for v in verdicts(AGREE, overlapping(), 60)}
    assert "fails" in {v.status for v in verdicts(SLOPE, overlapping(), 60)}


def test_a_gradient_at_the_weights_after_the_step_breaks_it():
    """Of an update it is the gradient at the weights before."""
    pairs = [(p, b, a) for p, b, a in backward_pairs(overlapping()) if a.phase == "update"]
    assert {at(AGREE, *pair).status for pair in pairs} == {"holds"}
    late = [at(SLOPE, p, replace(b, weights=a.weights), a).status for p, b, a in pairs]
    assert set(late) == {"fails"}


def test_at_the_kink_it_does_not_apply():
    """All sums are 0 where all weights are."""
    said = verdicts(AGREE, moons.load(), 5, spread=0.0, activation="relu")
    assert said[4].status == "does not apply"
    assert "crosses 0, its kink" in said[4].why
    assert verdicts(AGREE, moons.load(), 5, spread=0.0, activation="tanh")[4].status == "holds"


def test_a_state_an_epoch_has_lost_the_weights_that_its_gradient_belongs_to():
    assert "are gone" in verdicts(AGREE, moons.load(), 3, every="epoch")[1].why
    assert {v.status for t in (STEP, FALL, TURN) for v in verdicts(t, moons.load(), 3, every="epoch")} == {
        "does not apply"
    }
    for theorem in (AGREE, SLOPE, STEP, FALL, TURN):
        assert verdicts(theorem, moons.load(), 3, every="epoch", batch=ALL)[1].status == "holds"


@pytest.mark.parametrize("loss", ["cross-entropy", "squared"])
@pytest.mark.parametrize("k", [2, 3])
def test_outputs_that_the_gradient_was_not_made_of_break_that_of_their_biases(loss, k):
    pairs = [(p, b, a) for p, b, a in backward_pairs(overlapping(k=k), loss=loss) if a.phase == "backward"]
    for p, b, a in pairs:
        bent = replace(a, activations=(*a.activations[:-1], 1.01 * a.activations[-1]))
        assert at(BIAS, p, b, a).status == "holds"
        assert at(BIAS, p, b, bent).status == "fails"
    half = [replace(a, gradients=(*a.gradients[:-1], a.gradients[-1] / 2)) for _, _, a in pairs]
    assert {at(BIAS, p, b, h).status for (p, b, _), h in zip(pairs, half)} == {"fails"}


def steps_of(data, **parameters):
    """(problem, before, after) at the first updates, a state each."""
    problem = MLP.problem(data, None, parameters)
    states = first(40, data, every="update", **parameters)
    return [(problem, b, a) for b, a in zip(states, states[1:])]


STRIDES = {"up the gradient": -1.0, "a tenth as far": 0.1, "twice as far": 2.0, "not at all": 0.0}


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
@pytest.mark.parametrize("loss", ["cross-entropy", "squared"])
@pytest.mark.parametrize("stride", STRIDES)
def test_a_step_up_the_gradient_or_of_another_length_breaks_the_rule_and_the_fall(stride, loss, activation):
    for p, b, a in steps_of(overlapping(), activation=activation, loss=loss, eta=0.2)[:15]:
        planted = replace(a, weights=b.weights + STRIDES[stride] * (a.weights - b.weights))
        assert at(STEP, p, b, a).status == "holds"
        assert at(STEP, p, b, planted).status == "fails"
        assert at(FALL, p, b, a).status in {"holds", "does not apply"}
        assert at(FALL, p, b, planted).status == ("does not apply" if stride == "not at all" else "fails")


@pytest.mark.parametrize("batch", [1, 7, 20, ALL])
@pytest.mark.parametrize("eta", [0.01, 1.0, 100.0])
def test_the_fall_of_the_loss_is_what_the_slope_says_but_for_the_curvature(batch, eta):
    pairs = steps_of(overlapping(), batch=batch, eta=eta)
    moved = [pair for pair in pairs if (pair[1].weights != pair[2].weights).any()]  # not where outputs are sure
    assert len(moved) > 5
    assert {at(FALL, *pair).status for pair in moved} == {"holds"}
    if eta == 0.01:  # then the curvature counts little
        for p, b, a in pairs:
            g = np.concatenate(a.gradients, axis=None)
            sides = at(FALL, p, b, a).sides
            was = MLP.curves[0].measure(p, b) if batch == ALL else None
            assert was is None or sides.values[0] - was == pytest.approx(-eta * g @ g, rel=0.1)


@pytest.mark.parametrize("every", ["phase", "update"])
def test_a_batch_taken_twice_or_passed_over_breaks_that_they_come_in_turn(every):
    data = overlapping()
    problem = MLP.problem(data, None, {"every": every})
    states = first(60, data, every=every)
    pairs = [(b, a) for b, a in zip(states, states[1:]) if at(TURN, problem, b, a).sides]
    assert len(pairs) > 20
    for b, a in pairs:
        assert at(TURN, problem, b, a).status == "holds"
        for by in (-20, 20):
            assert at(TURN, problem, b, replace(a, first=a.first + by, used=a.used + by)).status == "fails"
        assert at(TURN, problem, b, replace(a, used=a.used - 1)).status == "fails"


def test_a_batch_of_other_rows_than_those_that_are_next_breaks_the_gradient(monkeypatch):
    def always_the_first(n, order, seed, epoch, first, last):
        return slice(0, last - first)

    problem = MLP.problem(overlapping(), None, {})
    monkeypatch.setattr(f"{BACKPROPAGATION}.batch_rows", always_the_first)
    states = [s for _, s in zip(range(8), MLP.start(problem))]
    monkeypatch.undo()
    said = {at(SLOPE, problem, b, a).status for b, a in zip(states, states[1:])}
    assert said == {"fails"}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_gradient_that_is_not_a_number_fails():
    for p, b, a in steps_of(overlapping())[:3]:
        for theorem in (AGREE, SLOPE, STEP, FALL, BIAS):
            lost = replace(a, weights=np.nan * a.weights, gradients=tuple(np.nan * g for g in a.gradients))
            assert at(theorem, p, b, lost).status == "fails"


@pytest.mark.parametrize("hidden", [(8,), (6, 5, 4)])
@pytest.mark.parametrize("loss", ["cross-entropy", "squared"])
def test_relu_units_keep_their_balance_and_a_wrong_gradient_does_not(hidden, loss):
    settings = {"activation": "relu", "hidden": hidden, "loss": loss, "eta": 0.1}
    said = [v for v in verdicts(BALANCE, overlapping(), 300, **settings) if v.why != "not at this step"]
    assert len(said) > 50
    assert {v.status for v in said} == {"holds"}
    lower = [(p, b, a) for p, b, a in backward_pairs(overlapping(), **settings) if a.phase == "backward"]
    lower = [(p, b, a) for p, b, a in lower if len(a.gradients) > 1 and a.gradients[0].any()]  # some units are dead
    for breakage in ("a wrong sign", "a thousandth more"):
        assert {at(BALANCE, p, b, broken(a, BREAKAGES[breakage])).status for p, b, a in lower} == {"fails"}


def test_tanh_units_have_no_such_balance():
    assert "tanh units do not scale" in verdicts(BALANCE, overlapping(), 5)[4].why


def test_no_error_goes_into_the_constant():
    network = network_for(overlapping(), (4,), "tanh", "cross-entropy")
    assert returned(network, np.ones((3, 5)), np.ones((3, 7)), np.zeros((5, 7))).shape == (4, 7)
