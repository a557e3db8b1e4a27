"""What the network's theorems say at every step, and that broken gradients break them."""

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms.data import breast_cancer, iris, moons
from algorithms.families.neural.multilayer_perceptron.algorithm import returned
from algorithms.families.neural.multilayer_perceptron.network import network_for
from tests.families.neural.runs import AGREE, ALL, BALANCE, MLP, SLOPE, SUM, at, overlapping, verdicts


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
@pytest.mark.parametrize("loss", ["cross-entropy", "squared"])
@pytest.mark.parametrize(("hidden", "batch"), [((8,), 20), ((5, 4, 3), 1), ((), 7), ((6,), ALL)])
@pytest.mark.parametrize("every", ["phase", "update"])
def test_the_gradient_agrees_with_differences_at_every_step(activation, loss, hidden, batch, every):
    settings = {"activation": activation, "loss": loss, "hidden": hidden, "batch": batch, "every": every, "eta": 0.1}
    data = iris.with_(scale=True).load()
    for theorem in (AGREE, SLOPE):
        said = verdicts(theorem, data, 150, **settings)
        assert {v.status for v in said} <= {"holds", "does not apply"}
        whys = {v.why for v in said if v.status != "holds"} - {"not at this step", "it compares with the step before"}
        assert all("kink" in why for why in whys)
        assert sum(v.status == "holds" for v in said) > 20


@pytest.mark.parametrize("eta", [0.3, 100.0])
@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "relu"])
def test_it_agrees_on_unscaled_data_and_where_units_are_saturated(activation, eta):
    for theorem in MLP.theorems:
        for parameters in ({"spread": 10.0}, {"loss": "squared", "hidden": (5, 5)}):
            said = verdicts(theorem, breast_cancer.load(), 120, activation=activation, eta=eta, **parameters)
            assert {v.status for v in said} <= {"holds", "does not apply"}


def backward_pairs(data, **parameters):
    """(problem, before, after) at the first backward states, from the output down, and the update after them."""
    problem = MLP.problem(data, None, parameters)
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
        "algorithms.families.neural.multilayer_perceptron.algorithm.returned",
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
    assert verdicts(AGREE, moons.load(), 3, every="epoch", batch=ALL)[1].status == "holds"


def test_outputs_that_are_no_probabilities_break_the_sum():
    problem = MLP.problem(overlapping(), None, {})
    out = list(zip(range(3), MLP.start(problem)))[2][1]
    assert at(SUM, problem, None, out).status == "holds"
    bent = replace(out, activations=(out.activations[0], 1.01 * out.activations[1]))
    assert at(SUM, problem, None, bent).status == "fails"
    assert verdicts(SUM, overlapping(), 3, loss="squared")[2].status == "does not apply"
    assert verdicts(SUM, overlapping(k=2), 3)[2].why == "two classes have one output"


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
