from algorithms.toolbox.subscripts import subscript


def test_every_digit_is_lowered():
    assert f"w{subscript(1)}" == "w₁"
    assert subscript(9876543210) == "₉₈₇₆₅₄₃₂₁₀"
