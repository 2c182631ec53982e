"""Latency over offered load, from the latency.csv of a sweep.  usage: plot.py RESULT_FOLDER"""

import sys

import pandas as pd

runs = pd.read_csv(f"{sys.argv[1]}/latency.csv")
axes = runs.plot(x="offered_per_node_MBps", y=["latency_mean_ns", "latency_p99_ns"], style="o-", logy=True, grid=True)
axes.set(xlabel="offered load per node (MB/s)", ylabel="latency from generation (ns)")
axes.figure.savefig(f"{sys.argv[1]}/latency.png")
print(runs[["load", "accepted_per_node_MBps", "latency_mean_ns", "verdict"]].to_string(index=False))
