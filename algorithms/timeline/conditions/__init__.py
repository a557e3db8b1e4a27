"""Conditions: where in a run something holds, typed as text, checked as it is typed, looked for in both directions.

    objective < 120                    a curve or a field of the state, compared: < <= > >= == !=, in chains 0 < x < 1
    max(alpha) >= C and not prune      and, or, not, parentheses
    means[0,1] + 2 * norm(w) > 3       entries of arrays; + - * / **; max min sum norm len of arrays, abs
    "training error" rises             rises, falls, changes: against the step before; a curve that is measured in some
                                       phases only, against where it last was. Quotes are for names that need them
    mistake                            a phase or an event by its name; phase update where a name means both
    iteration 5                        where iteration 5 begins; iteration >= 5 all through
    step 100                           that step; t and step are its number
    row 17 is visited                  the states' field `row` is 17
    isnan(loss)                        a value, or an entry of it, is NaN; loss == nan is the same
    finite(w)                          a value is finite, with all its entries
    row 17 moves                       its label changes, after its first; without labels, any entry that each row has
                                       one of
    side 2 of "never falls" > -4       a side of the theorem with these words in its statement, from the left
    a theorem fails                    any of them; theorem 2 fails: the second, as they are listed

    condition   = every ("or" every)*
    every       = ("not")* simple, joined by "and"
    simple      = "(" condition ")" | phrase | name | test "(" value ")" | value way | value (sign value)+
    value       = numbers, names, name "[" i ("," j)* "]", function "(" value ")", "side" number "of" words,
                  joined by + - * / **

What is not there at a step (a field that is None, a curve in a phase in which it is not measured, an entry beyond
the end) makes a comparison false. NaN does so too, but for !=, which holds of NaN and anything, itself included. A
name that no field has is refused: at once where a state of the run is given, else when a run is asked. `starting`
gives where a comparison begins to hold. Texts are parsed, never evaluated as Python.

>>> from algorithms import Timeline, conditions
>>> run = Timeline("lloyd", "faithful", {"k": 3}).run()
>>> condition = conditions.parse("objective < 17000", run)
>>> conditions.Search(run, condition, start=0).work() is not None
True
"""

from algorithms.timeline.conditions.completing import Completion, completions, quoted
from algorithms.timeline.conditions.condition import Condition, any_of, parse, parsed_value, starting
from algorithms.timeline.conditions.moment import Unanswerable, UnknownField
from algorithms.timeline.conditions.search import Search
from algorithms.timeline.conditions.tokens import Unreadable

__all__ = [
    "Completion",
    "Condition",
    "Search",
    "Unanswerable",
    "UnknownField",
    "Unreadable",
    "any_of",
    "completions",
    "parse",
    "parsed_value",
    "quoted",
    "starting",
]
