"""The real app, as it is started, in a real pseudo-terminal."""

import signal

from tests.terminal.pseudo import Pseudo

RUN = ("perceptron", "--data", "blobs")


def app(*words: str) -> Pseudo:
    return Pseudo.python("-m", "tui", "--whole", *words, columns=100, rows=30)


def leave(terminal: Pseudo, key: str = "q") -> None:
    terminal.press(key)
    assert terminal.status() == 0
    assert terminal.left_on() == []


def test_it_opens_the_run_that_is_asked_for_and_steps() -> None:
    with app(*RUN, "--at", "3", "--theme", "light") as terminal:
        terminal.see("Perceptron")
        terminal.see("step 3 of")
        terminal.press("l")
        terminal.see("step 4 of")
        terminal.press("hh")
        terminal.see("step 2 of")
        leave(terminal)


def test_it_opens_the_catalogue() -> None:
    with app() as terminal:
        terminal.see("Begin here")
        terminal.see("Perceptron")
        leave(terminal, "\x11")  # ctrl+q: letters find


def test_a_signal_restores_the_terminal() -> None:
    with app(*RUN) as terminal:
        terminal.see("step 0 of")
        terminal.press(" ")
        terminal.signal(signal.SIGTERM)
        assert terminal.status() == 143
        assert terminal.left_on() == []


def test_it_goes_on_after_being_stopped() -> None:
    with app(*RUN, "--theme", "dark") as terminal:
        terminal.see("step 0 of")
        terminal.stop()
        terminal.go_on_after_another()
        terminal.see("step 0 of")
        terminal.press("l")
        terminal.see("step 1 of")
        leave(terminal)
