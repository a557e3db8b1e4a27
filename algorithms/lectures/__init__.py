"""The lectures, statement by statement, and where each is to be seen."""

from algorithms.lectures.statements import LECTURES, Statement, statements

__all__ = ["LECTURES", "Statement", "statements"]
