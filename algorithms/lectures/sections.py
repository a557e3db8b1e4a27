"""Lectures section by section, and the statements that a query is about."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from os.path import commonprefix

from algorithms.core.search import occurs
from algorithms.lectures.statements import LECTURES, Statement, statements

# What the statements from an id on stand under, up to the next.
HEADINGS: Mapping[str, str] = {
    "M1": "Representation learning: compression",
    "M8": "PCA round by round",
    "M18": "PCA with d ≫ n",
    "M22": "Features and kernels",
    "M28": "Kernel PCA",
    "M31": "Clustering: Lloyd",
    "M45": "Mixtures and EM",
    "M55": "Estimation",
    "M64": "Regression: least squares",
    "M70": "Kernel regression",
    "M74": "Probability, ridge, validation",
    "M85": "Lasso",
    "M91": "Classification, nearest neighbours",
    "M96": "Decision trees",
    "M102": "Generative models, naive Bayes",
    "M112": "Gaussian discriminants",
    "M115": "Perceptron",
    "M122": "Logistic regression",
    "M128": "Support vectors: the margin",
    "M132": "Duality",
    "M139": "Soft margin",
    "M145": "Ensembles",
    "M153": "Losses",
    "M162": "Neural networks",
    "A1": "Lecture 6: losses before margins",
    "A6": "Lecture 6: feasibility and the margin",
    "A10": "Lecture 6: the dual",
    "A12": "Lecture 6: slack",
    "A25": "Lecture 7: one framework of losses",
    "A28": "Lecture 7: many classes",
    "A41": "Lecture 7: duals and kernels",
    "A47": "Lecture 10: decision trees",
    "A56": "Lecture 10: votes, bagging, forests",
    "A63": "Lecture 10: boosting",
    "B1": "Linear models and hyperplanes",
    "B5": "Support vectors and slack",
    "B10": "AdaBoost as stagewise fitting",
    "C1": "Logistic regression by Newton",
    "C7": "Many classes and masking",
    "C15": "Margins",
    "C20": "Complexity and slack",
    "C23": "Appendix: duality and KKT",
    "D1": "The Badges game, learning in general",
    "D5": "Linear classifiers",
    "D7": "Perceptron",
    "D13": "Learning as loss minimisation",
    "D18": "Support vector machines",
    "D22": "Logistic regression",
    "D24": "Optimisation",
}


def by_section(query: str = "", lecture: str = "") -> dict[str, dict[str, list[Statement]]]:
    """Group the statements that match a query, all for "", by lecture and then by the heading that they stand under.

    Args:
        lecture: the one lecture to take them from, "" for every one.
    """
    grouped: dict[str, dict[str, list[Statement]]] = {}
    for one in statements():
        if lecture in ("", one.lecture) and occurs(query, _text(one)):
            grouped.setdefault(one.lecture, {}).setdefault(heading_of(one), []).append(one)
    return grouped


def flat(grouped: dict[str, dict[str, list[Statement]]]) -> list[Statement]:
    """List the statements of such groups, in their order."""
    return [one for headings in grouped.values() for group in headings.values() for one in group]


def heading_of(one: Statement) -> str:
    """Find the heading that a statement stands under."""
    started = (heading for id, heading in HEADINGS.items() if id[0] == one.id[0] and int(id[1:]) <= int(one.id[1:]))
    return list(started)[-1]


def place_in(heading: str, one: Statement) -> str:
    """Say where below a heading a statement stands: "Rem 1.15" of "Lecture 6: slack, Rem 1.15", "" for the whole."""
    own, above = (re.split("[:,] ", text) for text in (one.section, heading))
    common = ": ".join(commonprefix([own, above]))
    return one.section[len(common) :].lstrip(":, ")


def named(id: str) -> Statement | None:
    """Get the statement of that id, in capitals or not; None where there is none."""
    return next((one for one in statements() if one.id == id.upper()), None)


def shown_by(algorithm: str) -> tuple[Statement, ...]:
    """List the statements whose run is of an algorithm, or is compared with it."""
    return tuple(one for one in statements() if algorithm in one.algorithms)


def stated_by(theorem: str, algorithm: str) -> tuple[Statement, ...]:
    """List the statements that a theorem of an algorithm shows."""
    return tuple(
        one
        for one in statements()
        if one.algorithm == algorithm and any(part in theorem for part in (*one.theorem, *one.expectation))
    )


def nearest(text: str) -> str:
    """Find the lecture or the id that is spelled most like a text, "" where none is."""
    known = [*LECTURES, *(one.id for one in statements())]
    near = get_close_matches(text, known, n=1, cutoff=0.5) or get_close_matches(text.upper(), known, n=1, cutoff=0.5)
    return near[0] if near else ""


def _text(one: Statement) -> str:
    """Join all that a statement can be found by."""
    stands = (one.id, one.lecture, LECTURES[one.lecture], heading_of(one), one.section)
    words = (*stands, one.says, one.errs, one.run, one.again, *one.demo)
    return "\n".join((*words, *one.theorem, *one.curve, *one.panel, one.run.replace("_", " ")))
