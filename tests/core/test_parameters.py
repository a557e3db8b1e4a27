"""Parameters: read from a signature, and checked wherever a value comes from."""

from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pytest
from hypothesis import given, strategies as st

from algorithms import Refused
from algorithms.core import Meta
from algorithms.core.parameters import Parameters


def run(
    data: Any,
    state: Any = None,
    *,
    eta: Annotated[float, Meta(gt=0, le=2, description="step size")] = 0.5,
    k: Annotated[int, Meta(ge=1, lt=100, description="clusters")] = 3,
    way: Annotated[Literal["up", "down"], Meta(description="which way")] = "up",
    bias: Annotated[bool, Meta(description="append 1")] = True,
    layers: Annotated[tuple[int, ...], Meta(description="units")] = (8, 4),
    wide: Annotated[float, Meta(ge=0, description="no upper bound")] = float("inf"),
) -> None: ...


PARAMETERS = Parameters(run, start_only=("k",))


def value(name: str, given: Any) -> Any:
    return getattr(PARAMETERS.convert({name: given}), name)


def test_what_a_form_shows() -> None:
    assert PARAMETERS.names == ("eta", "k", "way", "bias", "layers", "wide")
    eta, k, way, bias, *_ = PARAMETERS.all
    assert (eta.help, eta.default, eta.bounds) == ("step size", 0.5, "0 < eta <= 2")
    assert (k.least, k.most, k.bounds, k.start_only, eta.start_only) == (1, 100, "1 <= k < 100", True, False)
    assert (way.choices, way.bounds) == (("up", "down"), "one of up, down")
    assert bias.bounds == "true or false"


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("eta", "0.25", 0.25),
        ("eta", " 1 ", 1.0),
        ("eta", 1, 1.0),
        ("eta", np.float32(0.5), 0.5),
        ("k", "7", 7),
        ("k", 7.0, 7),
        ("k", np.int64(7), 7),
        ("way", "down", "down"),
        ("bias", "false", False),
        ("bias", "no", False),
        ("bias", "on", True),
        ("bias", np.bool_(False), False),
        ("layers", "8,4", (8, 4)),
        ("layers", "16", (16,)),
        ("layers", [3, 2], (3, 2)),
        ("wide", "inf", float("inf")),
        ("wide", "∞", float("inf")),
    ],
)
def test_a_value_is_taken_as_it_is_meant(name: str, given: Any, meant: Any) -> None:
    found = value(name, given)
    assert found == meant
    assert type(found) is type(meant)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("eta", 0),
        ("eta", -1),
        ("eta", 2.001),
        ("eta", "nan"),
        ("eta", "inf"),
        ("eta", "much"),
        ("eta", ""),
        ("eta", None),
        ("eta", True),
        ("k", 0),
        ("k", 100),
        ("k", 2.5),
        ("k", True),
        ("way", "left"),
        ("bias", "perhaps"),
        ("layers", "8,x"),
    ],
)
def test_a_value_out_of_bounds_is_refused_with_the_bounds(name: str, given: Any) -> None:
    (parameter,) = (p for p in PARAMETERS.all if p.name == name)
    with pytest.raises(Refused) as caught:
        value(name, given)
    said = str(caught.value)
    assert said.startswith(f"{name} = {given!r} will not do")
    assert parameter.bounds in said
    assert said.endswith(".")


def test_a_misspelt_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(Refused, match="there is no parameter 'etta'; there are eta, k, .*Did you mean eta"):
        PARAMETERS.convert({"etta": 1})
    with pytest.raises(Refused, match="this algorithm has none"):
        Parameters(lambda data, state=None: None).convert({"k": 1})


def test_a_default_out_of_bounds_is_found_when_it_is_declared() -> None:
    def wrong(data: Any, *, k: Annotated[int, Meta(ge=1)] = 0) -> None: ...

    with pytest.raises(Refused, match="k = 0 will not do"):
        Parameters(wrong)


@given(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)), st.sampled_from(["eta", "k"])
)
def test_whatever_is_given_is_in_bounds_or_refused(given: Any, name: str) -> None:
    try:
        found = value(name, given)
    except Refused:
        return
    assert 0 < found <= 2 if name == "eta" else 1 <= found < 100


def test_the_struct_can_be_written_down_and_read_again() -> None:
    given = PARAMETERS.convert({"k": "5", "layers": "2,2", "wide": 3})
    assert msgspec.convert(msgspec.to_builtins(given), PARAMETERS.struct) == given
