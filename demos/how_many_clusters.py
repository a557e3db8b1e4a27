"""The objective of k-means for k = 1 to 6 on Old Faithful, the best of five starts each: look for the elbow.

python demos/how_many_clusters.py
"""

from algorithms import Timeline, datasets, find

lloyd = find("lloyd")
data = datasets.load("faithful", scale=True)

least_of = {}
for k in range(1, 7):
    runs = [Timeline(lloyd, data, {"k": k, "seed": seed}).run() for seed in range(5)]
    least_of[k] = min(run.curve("objective")[1][-1] for run in runs)
for k, objective in least_of.items():
    print(f"k = {k}  {objective:7.1f}  {'#' * round(60 * objective / least_of[1])}")
