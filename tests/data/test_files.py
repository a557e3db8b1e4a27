"""A reader's own CSV file: what is taken as what is said, and what cannot be read is refused in one sentence."""

import os
import socket
from io import BytesIO

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from algorithms import Refused, datasets
from algorithms.data.files import read
from tests.data.reading import load, noticed, refusal
from tests.examples import examples


def test_columns_of_numbers_are_features_and_a_last_column_of_text_is_the_target(file):
    data = load(file("a,b,kind\n1,2,yes\n3,4,no\n5,6,yes\n"))
    assert data.features == ("a", "b")
    assert data.X.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert (data.target, data.kind, data.classes, data.y.tolist()) == ("kind", "class", ("no", "yes"), [1, 0, 1])
    assert noticed(data, "kind is taken as the target")
    assert data.name == "own.csv"


def test_the_only_column_of_text_is_the_target_wherever_it_stands(file):
    assert load(file("kind,a\nu,1\nv,2\nu,3\n")).target == "kind"


def test_of_several_columns_of_text_none_is_guessed_unless_it_is_the_last(file):
    assert load(file("kind,place,a\nu,x,1\nv,y,2\nu,x,3\n")).kind == "none"
    assert load(file("place,a,kind\nx,1,u\ny,2,v\nx,3,u\n", "b.csv")).target == "kind"


def test_a_last_column_of_few_whole_numbers_is_the_target_when_each_comes_often(file):
    lines = "".join(f"{i * 0.5},{i % 3}\n" for i in range(15))
    data = load(file("a,label\n" + lines))
    assert (data.target, data.classes) == ("label", ("0", "1", "2"))
    assert load(file("a,b\n1,0\n2,1\n3,2\n", "few.csv")).kind == "none"


def test_numeric_classes_come_in_the_order_of_their_size(file):
    lines = "".join(f"{i},{c}\n" for i, c in enumerate([10, 9, 2] * 5))
    assert load(file("a,label\n" + lines)).classes == ("2", "9", "10")


def test_no_target_at_all_may_be_asked_for(file):
    data = load(file("a,kind\n1,u\n2,v\n3,u\n"), target="")
    assert data.kind == "none"
    assert noticed(data, "kind left out: text")


def test_few_whole_numbers_are_classes_unless_they_are_said_to_be_numbers(file):
    path = file("a,quality\n" + "".join(f"{i},{i % 4}\n" for i in range(20)))
    assert load(path, target="quality").kind == "class"
    assert noticed(load(path, target="quality"), "taken as classes")
    numbers = load(path, target="quality", target_kind="number")
    assert numbers.kind == "number"
    assert numbers.y.tolist()[:5] == [0, 1, 2, 3, 0]
    assert load(path, target="a", target_kind="class").kind == "class"


def test_text_is_no_target_of_numbers(file):
    assert "row 0 (line 2) has 'u' in column kind" in refusal(
        file("a,kind\n1,u\n2,v\n3,u\n"), target="kind", target_kind="number"
    )


def test_a_first_line_of_numbers_is_data(file):
    data = load(file("1,2\n3,4\n5,6\n"))
    assert data.features == ("x1", "x2")
    assert data.n == 3
    assert noticed(data, "x1, x2")


def test_a_first_line_whose_text_comes_again_below_is_data(file):
    data = load(file("5.1,3.5,setosa\n4.9,3.0,setosa\n6.0,2.0,virginica\n6.1,2.1,virginica\n"))
    assert (data.n, data.features, data.target) == (4, ("x1", "x2"), "x3")
    named = load(file("year,2020,2021\nrain,1,2\nsun,3,4\n", "years.csv"))
    assert named.features == ("2020", "2021")
    target = load(file("year,2020,2021\nrain,1,2\nsun,3,4\nrain,5,6\n", "target.csv"), target="year")
    assert (target.classes, target.y.tolist(), target.X.tolist()) == (
        ("rain", "sun"),
        [0, 1, 0],
        [[1, 2], [3, 4], [5, 6]],
    )
    assert "row 0 (line 2) has 'x'" in refusal(file("year,2020,2021\n1,x,2\n2,3,4\n3,4,5\n", "odd.csv"))


@pytest.mark.parametrize(("separator", "word"), [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")])
def test_other_separators_are_found_and_said(file, separator, word):
    data = load(file(f"a{separator}b\n1{separator}2\n3{separator}4\n"))
    assert data.X.tolist() == [[1, 2], [3, 4]]
    assert noticed(data, word)


def test_quoted_cells_may_hold_separators_and_line_ends(file):
    data = load(file('"a, b","c\nd"\n1,2\n3,4\n'))
    assert data.features == ("a, b", "c d")
    assert data.X.tolist() == [[1, 2], [3, 4]]


def test_a_decimal_comma_is_asked_about_and_then_read(file):
    path = file("a;b\n1,5;2\n2,5;3\n")
    sentence = refusal(path)
    assert "row 0 (line 2) has '1,5' in column a" in sentence
    assert "--decimal ," in sentence
    assert load(path, decimal=",").X.tolist() == [[1.5, 2], [2.5, 3]]


def test_a_decimal_comma_is_asked_about_in_a_single_column_too(file):
    path = file("a\n1,5\n2,5\n")
    assert "--decimal ," in refusal(path)
    assert load(path, decimal=",").X.tolist() == [[1.5], [2.5]]


def test_with_a_decimal_comma_a_point_is_no_number(file):
    assert "'1.234'" in refusal(file("a;b\n1,5;2\n2,5;3\n3,5;1.234\n"), decimal=",", target="")


def test_a_tsv_is_separated_by_tabs_alone_and_nothing_is_said_of_it(file):
    data = load(file("a\tb\n1\t2\n3\t4\n", "own.tsv"))
    assert (data.X.tolist(), data.notices) == ([[1, 2], [3, 4]], ())
    assert load(file("a\n1,5\n2,5\n", "commas.TSV"), decimal=",").X.tolist() == [[1.5], [2.5]]
    assert load(file('size\tb\n5" pipe\t1\n3" pipe\t2\n', "inches.tsv")).X.tolist() == [[1], [2]]


def test_a_first_line_may_say_the_separator_and_is_counted(file):
    assert load(file("sep=;\na;b\n1;2\n3;4\n")).X.tolist() == [[1, 2], [3, 4]]
    assert "line 4 of said.csv has 1 cell" in refusal(file("sep=;\na;b\n1;2\n3\n", "said.csv"))
    assert load(file("sep=,a\n1,2\n3,4\n", "name.csv")).features == ("sep=", "a")


def test_a_fault_after_cells_of_several_lines_is_named_by_the_line_it_is_in(file):
    rows = 'a,b\n"1\n",2\n"3\r\n",4\n'
    assert "line 6 of own.csv has 1 cell" in refusal(file(rows + "5\n"))
    assert "line 7, column 2 of quote.csv is not CSV" in refusal(file(rows + '5,6\n7,"8"x\n', "quote.csv"))
    assert "row 2 (line 6) has 'tall' in column a" in refusal(file(rows + "tall,6\n", "word.csv"))


def test_an_open_quotation_mark_is_found_where_it_is_however_much_follows(file):
    sentence = refusal(file('a,b\n1,2\n3,"4\n' + "5,6\n" * 100_000))
    assert sentence.startswith("line 3, column 2 of own.csv is not CSV: the quotation mark that opens the cell")


def test_a_cell_or_a_line_without_end_is_refused(file, monkeypatch):
    assert "line 2, column 2 of own.csv is not CSV: the cell has more than 131,072" in refusal(
        file("a,b\n1," + "2" * 140_000 + "\n")
    )
    monkeypatch.setattr("algorithms.data.textfile.MOST_LINE", 1 << 20)
    assert "has a line of more than" in refusal(file("1" * (3 << 20), "line.csv"))


def test_a_file_that_is_changed_while_it_is_read_is_refused(file):
    path = file("a,b\n" + "1,2\n" * 400_000)

    def add(share):
        with open(path, "a") as handle:
            handle.write("5,6\n")

    with pytest.raises(Refused, match="was changed while it was read"):
        datasets.recipe(path).load(add)


def test_whatever_the_case_is_split_into_blocks_it_reads_the_same(file, monkeypatch):
    text = 'a,b,kind\r\n1,"2\r\n",ü\r\n\r\n3,NA,v\r\n5,6,ü\r\n7,8,v'.encode()
    whole = load(file(text))
    for size in (1, 2, 3, 7):
        monkeypatch.setattr("algorithms.data.textfile._BLOCK", size)
        monkeypatch.setattr("algorithms.data.delimited._MOST_BATCH", size)
        monkeypatch.setattr("algorithms.data.cells._MOST_LOOSE", size)
        again = load(file(text, f"blocks{size}.csv"))
        assert (again.X.tolist(), again.y.tolist(), again.classes, again.notices) == (
            (whole.X.tolist(), whole.y.tolist(), whole.classes, whole.notices)
        )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_byte_order_marks_are_understood(file, encoding):
    text = "größe,b\n1,2\n3,4\n"
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    assert load(file(mark + text.encode(encoding))).features == ("größe", "b")


def test_utf_16_that_breaks_off_or_holds_halves_of_characters_is_refused(file):
    text = "a,b\n1,2\n3,4\n".encode("utf-16")
    assert "begins as UTF-16 but does not go on so" in refusal(file(text[:-1]))
    assert "begins as UTF-16" in refusal(file(text + b"\x00\xd8\x31\x00", "half.csv"))
    assert "not a text file" in refusal(file(text[2:], "unmarked.csv"))


def test_windows_1252_is_the_last_resort_with_a_notice(file):
    data = load(file("größe,b\n1,2\n3,4\n".encode("cp1252")))
    assert data.features == ("größe", "b")
    assert noticed(data, "Windows-1252")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_ends_and_blank_lines_do(file, end):
    assert load(file(end.join(["", "a,b", "1,2", "", "3,4", ""]))).X.tolist() == [[1, 2], [3, 4]]


def test_rows_with_missing_cells_are_dropped_and_named(file):
    data = load(file("a,b\n1,2\n3,NA\n,4\n5,6\n?,7\nnan,8\n"))
    assert data.X.tolist() == [[1, 2], [5, 6]]
    named = "row 1 has no b, row 2 has no a, row 4 has no a, and 1 more"
    assert data.notices[-1] == f"4 rows dropped: {named}; the others are numbered without them."


def test_missing_cells_may_be_refused_by_row_and_column(file):
    sentence = refusal(file("a,b\n1,2\n3,NA\n"), missing="refuse")
    assert sentence.startswith("row 1 (line 3) of own.csv has no b")


def test_a_missing_cell_in_a_column_that_is_not_used_drops_nothing(file):
    assert load(file("a,b\n1,2\n3,NA\n5,6\n"), columns=("a",)).n == 3


def test_every_row_missing_is_refused(file):
    assert "every row of own.csv has a missing cell" in refusal(file("a,b\n1,NA\nNA,2\n"))


def test_an_empty_column_is_left_out(file):
    data = load(file("a,b,c\n1,,2\n3,,4\n"))
    assert data.features == ("a", "c")
    assert noticed(data, "b left out: empty")


def test_a_cell_that_is_no_number_is_named_by_row_line_and_column(file):
    sentence = refusal(file("height,b\n1,2\n3,4\ntall,6\n7,8\n"))
    assert "row 2 (line 4) has 'tall' in column height, which is not a number" in sentence


@pytest.mark.parametrize("cell", ["inf", "1e999", "1_000", "٣", "0x10", "1 000"])
def test_what_only_python_or_no_one_takes_for_a_number_is_none(file, cell):
    assert repr(cell) in refusal(file(f"a,b\n1,2\n3,4\n{cell},6\n"))


def test_a_column_without_a_name_is_left_out_unless_it_is_asked_for(file):
    path = file(",a,b\n1,2,3.5\n2,4,5.5\n")
    assert load(path).features == ("a", "b")
    assert noticed(load(path), "x1 left out: without a name")
    assert load(path, columns=("x1", "b")).X.tolist() == [[1, 3.5], [2, 5.5]]


def test_two_columns_of_one_name_are_told_apart(file):
    data = load(file("a,a,a\n1,2,3.5\n3,4,5.5\n"))
    assert data.features == ("a", "a_2", "a_3")
    assert noticed(data, "two columns are called a")


def test_made_up_names_do_not_meet_given_ones(file):
    data = load(file("a,a,a_2,,x4\n1,2,3,4,5.5\n2,3,4,5,6.5\n"), columns=("a", "a_3", "a_2", "x4", "x4_2"))
    assert data.X[0].tolist() == [1, 2, 3, 4, 5.5]


def test_classes_of_numbers_and_words_each_keep_a_name_of_their_own(file):
    data = load(file("a,id\n1,1000001\n2,1000002\n3,1000001\n"), target="id")
    assert data.classes == ("1000001", "1000002")
    mixed = load(file("a,id\n1,7\n2,x\n3,7.0\n4,NA\n5,b\n", "mixed.csv"), target="id", target_kind="class")
    assert (mixed.classes, mixed.y.tolist()) == (("7", "b", "x"), [0, 2, 0, 1])


def test_text_that_could_steer_a_terminal_is_replaced(file):
    data = load(file("a\x1b]0;title\x07,kind\n1,\x1b[2Ju\n2,v\u202e\n3,v\u202e\n"))
    assert data.features[0].isprintable()
    assert all(name.isprintable() for name in data.classes)
    assert data.features[0].startswith("a�")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "own.csv is empty"),
        ("\n\n  \n", "own.csv is empty"),
        ("a,b\n", "one line of column names and no rows"),
        ("a,b\n1,2\n3\n", "line 3 of own.csv has 1 cell, the first line has 2: there is none for column 2 (b)"),
        ("a,b\n1,2\n3,4,5\n", "line 3 of own.csv has 3 cells, the first line has 2: there is no column 3 for '5'"),
        ("word\nother\nthird\n", "one column, not of numbers"),
        ('a,b\n1,"2"3\n', "line 2, column 2 of own.csv is not CSV: text follows the quotation mark"),
        (
            'a,b\n1,"2\n3,4\n',
            "line 2, column 2 of own.csv is not CSV: the quotation mark that opens the cell",
        ),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00", "not a text file"),
        (b"PK\x03\x04\x14\x08\x81\x00", "neither text nor a whole NPZ archive"),
        (b"\x89PNG\r\n\x1a\n\x81\x8d", "not a text file"),
        (b"\xff\xfea\x00\x00\x00", "not a text file"),
        ("a,b\nu,x\nv,y\nw,z\n", "no column of numbers"),
    ],
)
def test_what_is_no_table_is_refused_in_a_sentence(file, content, words):
    assert words in refusal(file(content))


def test_a_missing_file_a_directory_and_what_is_no_file_are_refused(tmp_path):
    assert "there is no file" in refusal(str(tmp_path / "gone.csv"))
    assert "is a directory" in refusal(str(tmp_path))
    os.mkfifo(tmp_path / "pipe")
    assert "is a pipe" in refusal(str(tmp_path / "pipe"))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        assert "is a socket" in refusal(str(tmp_path / "s"))
    assert "is a device" in refusal("/dev/zero")
    assert refusal("a\0b.csv")
    assert refusal("x" * 5000)


def test_links_are_followed_and_those_in_a_circle_refused(tmp_path, file):
    (tmp_path / "link.csv").symlink_to(file("a,b\n1,2\n3,4\n"))
    assert load(str(tmp_path / "link.csv")).n == 2
    (tmp_path / "there.csv").symlink_to(tmp_path / "back.csv")
    (tmp_path / "back.csv").symlink_to(tmp_path / "there.csv")
    assert "symbolic links" in refusal(str(tmp_path / "there.csv"))
    (tmp_path / "zeros.csv").symlink_to("/dev/zero")
    assert "zeros.csv is a device" in refusal(str(tmp_path / "zeros.csv"))


def test_a_pipe_in_place_of_a_checked_file_is_not_waited_for(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.setattr("algorithms.data.plain_files._check_plain", lambda status, name: None)
    assert "pipe.csv is not a plain file" in refusal(str(tmp_path / "pipe.csv"))


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="a plain file that cannot be read is Linux's own")
def test_a_file_that_fails_at_its_first_read_is_refused(tmp_path):
    for name in ("mine.csv", "mine.npz"):
        (tmp_path / name).symlink_to("/proc/self/mem")
        assert "cannot be read to its end" in refusal(str(tmp_path / name))


def test_a_file_that_has_nothing_to_give_is_refused(tmp_path, monkeypatch):
    """As /proc/kmsg is, which cannot be opened everywhere."""

    class Silent(BytesIO):
        def read(self, size=-1):
            return None

    def opened(path, name):
        return Silent(), os.stat(tmp_path)

    (tmp_path / "mine.csv").write_text("x\n1\n2\n")
    monkeypatch.setattr("algorithms.data.textfile.opened_plain", opened)
    assert "it has nothing to give now" in refusal(str(tmp_path / "mine.csv"))


def test_one_column_of_numbers_is_data(file):
    data = load(file("height\n1\n2\n4\n"))
    assert (data.d, data.features) == (1, ("height",))


def test_names_that_are_not_there_are_refused_with_those_that_are(file):
    path = file("a,b\n1,2\n3,4\n")
    assert "has no column 'c'; it has a and b" in refusal(path, columns=("c",))
    assert "has no column 'c'" in refusal(path, target="c")
    assert "cannot be a feature as well" in refusal(path, columns=("a",), target="a")
    assert "named twice" in refusal(path, columns=("a", "a"))


def test_columns_come_in_the_order_asked_for(file):
    assert load(file("a,b,c\n1,2,3.5\n4,5,6.5\n"), columns=("c", "a")).X.tolist() == [[3.5, 1], [6.5, 4]]


def test_a_target_of_one_value_is_refused(file):
    assert "one value only (u)" in refusal(file("a,kind\n1,u\n2,u\n"), target="kind")


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(file):
    path = file("a,b\n1,2\n3,4\n")
    assert load(path) is load(path)
    before = load(path)
    file("a,b\n1,2\n3,4\n5,6\n")
    assert (before.n, load(path).n) == (2, 3)


anything = st.one_of(
    st.binary(max_size=200),
    st.text('ab01,;\t|."\n\r -eNA$€:', max_size=120).map(str.encode),
    st.binary(max_size=200).map(b"\xff\xfe".__add__),
    st.text('ab01,;"\n\r.€\ud800\x00', max_size=80).map(lambda t: t.encode("utf-16", "surrogatepass")),
)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=anything, sample=st.sampled_from([None, 2, 5]), decimal=st.sampled_from(".,"))
def test_any_bytes_at_all_are_read_or_refused(tmp_path, content, sample, decimal):
    path = tmp_path / "any.csv"
    path.write_bytes(content)
    said: tuple[str, ...] = ()
    try:
        data = load(str(path), sample=sample, decimal=decimal)
        assert np.isfinite(data.X).all()
        said = (*data.features, *data.classes, *data.notices)
    except Refused as refused:
        said = (str(refused),)
    assert all(text.isprintable() for text in said)


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text('ab01,;\t|."\n\r NA', max_size=120))
def test_the_encoding_makes_no_difference(tmp_path, text):
    def outcome(encoding):
        path = tmp_path / "same.csv"
        path.write_bytes(text.encode(encoding))
        try:
            data = load(str(path))
        except Refused as refused:
            return str(refused)
        return data.X.tolist(), data.features, data.classes, data.notices

    assert outcome("utf-8") == outcome("utf-16")


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    rows=st.lists(st.tuples(*[st.floats(-1e150, 1e150)] * 3), min_size=2, max_size=20),
    separator=st.sampled_from(",;\t|"),
)
def test_numbers_written_are_numbers_read(tmp_path, rows, separator):
    path = tmp_path / "numbers.csv"
    text = separator.join(["a", "b", "c"]) + "\n" + "".join(separator.join(map(repr, row)) + "\n" for row in rows)
    path.write_text(text, newline="")
    table = read(path)
    assert np.column_stack([column.values for column in table.columns]).tolist() == [list(row) for row in rows]
    assert load(str(path), target="").X.tolist() == [list(row) for row in rows]
