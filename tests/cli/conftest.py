"""The command line, run in this process."""

import pytest

import algorithms.__main__ as program


@pytest.fixture
def says(capsys):
    """Run the program in this process; gives the status, the output and the errors."""

    def run(*words: str) -> tuple[int, str, str]:
        try:
            status = program.main(words)
        except SystemExit as end:
            status = int(end.code or 0)
        out, err = capsys.readouterr()
        return status, out, err

    return run
