"""One kernel refuted: (γ x·z + 1)^1.5 looks like one for thirteen rows, and the next shows that it is none.

python demos/one_kernel_refuted.py

A kernel has no Gram matrix with a negative eigenvalue. So a single one refutes, with its eigenvector v as witness, and
rows that come later mend nothing: the least eigenvalue never rises. Beside it (γ x·z + 1)², which has features φ with
k = φ·φ. Its least eigenvalue is never below 0 but for rounding; that is no proof, the features are.
"""

from algorithms import Timeline, datasets, find

data = datasets.load("iris", sample=30)  # of features above 0: the power has no negative base
asked = ({"function": function, "gamma": 1.0} for function in ("power", "polynomial"))
power, square = (Timeline(find("kernel_matrix"), data, each).run() for each in asked)

print(f"{'rows':>4} {'^1.5':>10} {'squared':>10}")
for t in (0, 4, 8, 10, 11, 12, 13, 14, 19, 29):
    print(f"{t + 1:4} " + " ".join(f"{run.at(t).state.spectrum[0]:10.2e}" for run in (power, square)))

last = power.at(power.last).state
refuting = power.at(last.refuted - 1).state
value = refuting.spectrum[0]
most = abs(refuting.witness).argmax()
print(f"the witness: v over {last.refuted} rows, vᵀKv = {value:.2e}; most of it is row {most}, {data.row(int(most))}")
print(f"the power: {power.stopped.reason}")
print(f"the square: {square.stopped.reason}")
