"""Strong duality from both sides: what the multipliers promise rises, what a point costs falls, and where they meet.

python demos/strong_duality.py

First three small problems with constraints: θ(α) is at most p* for every α >= 0, and reaches it where the problem is
convex; with two wells a gap stays. Then a support vector machine: after every pass over the rows the least cost lies
between the dual and the primal.
"""

from algorithms import Dataset, Timeline, datasets, find

print(f"{'problem':>12} {'first θ':>9} {'last θ':>9} {'p*':>9} {'gap':>8}")
for problem, parameters in {
    "half-planes": {},
    "circle": {"eta": 1.0, "backtracking": True},
    "wells": {"eta": 0.5, "backtracking": True},
}.items():
    run = Timeline(find("dual_ascent"), Dataset.none, {"problem": problem, **parameters}).run()
    theta, best = run.curve("θ")[1].round(4) + 0.0, run.curve("p*")[1][-1]  # never "-0"
    print(f"{problem:>12} {theta[0]:9.4f} {theta[-1]:9.4f} {best:9.4f} {best - theta[-1]:8.4f}")

data = datasets.load("moons", n=60)
run = Timeline(find("dual_coordinate_descent"), data, {"tolerance": 1e-6, "passes": 2000}).run()
print(f"\n{'pass':>12} {'dual':>9} {'primal':>9} {'gap':>8}")
for number in (1, 2, 3, 5, None):
    state = run.at(number * data.n if number else run.last).state
    dual, primal = (curve.value(run.problem, state) for curve in run.algorithm.curves[:2][::-1])
    print(f"{number or 'end':>12} {dual:9.4f} {primal:9.4f} {primal - dual:8.4f}")
