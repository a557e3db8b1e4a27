"""The perceptron's mistakes against the margin: Novikoff's bound, and how far below it the truth lies.

python demos/mistakes_and_margin.py
"""

from algorithms import Timeline, datasets, find

perceptron = find("perceptron")
bound = perceptron.theorems[0]

print(f"{'margin':>8} {'mistakes':>9} {'bound':>9}")
for margin in (1.0, 0.5, 0.2, 0.1, 0.05, 0.02):
    run = Timeline(perceptron, datasets.blobs.with_(margin=margin, n=100), {"epochs": 10_000}).run()
    last = run.at(run.last)
    sides = bound.verdict(run.problem, last.before, last.state).sides
    assert sides is not None
    mistakes, most = sides.values
    print(f"{margin:8.2f} {mistakes:9.0f} {most:9.0f}")
