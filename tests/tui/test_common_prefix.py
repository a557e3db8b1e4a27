"""Names that begin alike can still be told apart where there is no room for them whole."""

import pytest

from tui.paint.common_prefix import cut_common_prefix

WINE = ["cultivar_1", "cultivar_2", "cultivar_3"]


def test_names_stay_whole_where_there_is_room() -> None:
    assert cut_common_prefix([*WINE, "wrong"], 47) == [*WINE, "wrong"]


def test_where_there_is_none_their_ends_stay() -> None:
    assert cut_common_prefix([*WINE, "wrong"], 46) == ["cult…1", "cult…2", "cult…3", "wrong"]
    assert cut_common_prefix(["class 10", "class 11", "other"], 10) == ["clas…10", "clas…11", "other"]


@pytest.mark.parametrize(
    "names",
    [
        ["versicolor", "virginica", "setosa"],  # which are told apart by their beginnings
        ["training error", "training loss of the rows"],  # whose ends are long
        ["petal_length", "petal_length"],
        ["boundary"],
    ],
)
def test_other_names_are_left_to_be_cut_at_their_ends(names: list[str]) -> None:
    assert cut_common_prefix(names, 5) == names
