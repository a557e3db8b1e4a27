"""Lessons: moments of runs with their sentences and questions, each lesson a Markdown file.

    ---
    title: EM: what climbs, and where to
    minutes: 10
    needs: Gaussian density, conditional probability
    ---
    Whatever stands before the first heading is a note to who reads the file.

    ## Two humps: which row is whose?

    ```moment
    run gaussian_mixture --data faithful --columns waiting -p seed=3
    go 1
    theorem never falls
    ```

    A paragraph a thought. {side 2 of "never falls" = -4.2025} is what the run says at this step, and has to be what
    is written; {side 1 of "F touches" at step 4 = -3.8720} is of another step; {said} is the algorithm's sentence.
    **What is to be taken home** stands between stars.

    notes: for the teacher

A heading of two signs begins a moment. Its fenced block `moment` says what is on the screen, an instruction a line; a
moment without one stays at the step before. A moment without `run` goes on with the run of the one before:

    run ALGORITHM ...       what follows `python -m tui`: data and parameters of an algorithm of the catalogue
    go PLACE                a step, `end`, `+2` from here, or a condition: the first step at which it holds
    fork NAME=VALUE ...     another run from this step, with other parameters
    edit FIELD[1,0] = .25   another run from this step, with an entry of its state replaced
    edit row 3 = 1.5, 2     another run from this step, with a row put there
    theorem WORDS           the theorem in hand: words of its statement
    chart CURVE             the chart in front: a curve in it
    sides                   in a hall the chart is of the sides of the theorem
    hall                    the screen is laid out for a hall, and stays so
    compare ALGORITHM ...   the run beside another, at the same step: what differs, as after `run`, on the same data if
                            none are named; without an algorithm the same one; alone, the run it was forked from
    sweep eta 0.1 0.5 1     the ends of many runs like this one, over a parameter: values, or 0:40, or 1e-3:1:log:9
    knob eta 0.1 1 0.05     up and down turn a parameter, from where to where, by the step or by 1, 2, 5, 10, ...: the
                            run begins anew and goes to the same place, and the sentences say what it says there

Where the run has ended, those beside it have too. What is asked of one of them ends with its letter, {objective of B =
0.5}; of a sweep with the value, {objective of eta 0.5 = 0.3}, which is the last of the run. What `compare` and `sweep`
show stands over the run with the text beside it; nothing is asked there.

A block `ask` after it is a question, asked at that step; the step is taken when it was answered:

    ```ask
    What does log L/n do in the M step?
    go +1
    - it rises | "mean log-likelihood" rises | M makes the bound greatest, and log L is never below it.
    - it stays | not "mean log-likelihood" changes | That is the E step.
    why: What is said of every right answer.
    ```

`go` is where it is answered, the next step where there is none. Of a choice there are its words, the condition under
which it is right, and the reply to who took it. A question for a number has in place of choices
`number EXPRESSION within 8`. What is right is asked of the run.
"""

from algorithms.lectures.lessons.lesson import (
    Ask,
    Choice,
    Instruction,
    Lesson,
    Misread,
    Moment,
    Numeric,
    Paragraph,
    Quoted,
)
from algorithms.lectures.lessons.reading import course, lesson_named, read_lesson

__all__ = [
    "Ask",
    "Choice",
    "Instruction",
    "Lesson",
    "Misread",
    "Moment",
    "Numeric",
    "Paragraph",
    "Quoted",
    "course",
    "lesson_named",
    "read_lesson",
]
