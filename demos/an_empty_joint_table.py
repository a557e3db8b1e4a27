"""Why nobody keeps the whole joint table: the 2^(d+1) cells of d words against naive Bayes' 2d + 1 numbers.

python demos/an_empty_joint_table.py

On the rows it was counted from, no classifier makes fewer errors than the table, and more features never cost any. But
the rows fill ever fewer of its cells, and an email that falls into an empty one has probability 0 in both classes.
"""

from algorithms import Timeline, datasets, find

data = datasets.load("emails", n=300, hold_out=0.5)
names = ("training error", "held-out error", "naive Bayes, training", "naive Bayes, held out")

print(f"{data.n} emails counted, {data.held_out.n} held out")
print(f"{'':11} {'numbers':>13} {'empty':>7} {'training error':>16} {'held-out error':>16}")
print(f"{'d':>2} {'':8} {'table':>6} {'naive':>6} {'cells':>7} {'table':>8} {'naive':>7} {'table':>8} {'naive':>7}")
for d in range(1, data.d + 1):
    run = Timeline(find("full_joint"), data, {"features": d}).run()
    last = run.values(run.at(run.last))
    values = dict(zip([curve.name for curve in run.algorithm.curves], last))
    training, held_out, naive_training, naive_held_out = (values[name] for name in names)
    print(f"{d:2} {'':8} {2 ** (d + 1) - 1:6} {2 * d + 1:6} {values['empty cells']:7.1%}", end=" ")
    print(f"{training:8.3f} {naive_training:7.3f} {held_out:8.3f} {naive_held_out:7.3f}")
