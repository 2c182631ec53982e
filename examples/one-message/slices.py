"""What a timeline shows from one MPI_Send to the next.  usage: slices.py TRACE [NUMBER_OF_THE_SEND]"""

import json
import sys
from pathlib import Path

events = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["traceEvents"]
processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
slices = sorted((e for e in events if e["ph"] == "X"), key=lambda e: e["ts"])

sends = [e["ts"] for e in slices if e["name"] == "MPI_Send"]
number = int(sys.argv[2]) if len(sys.argv) > 2 else 1
begin, end = sends[number - 1 : number + 1]
print("  at us  for us  where")
for e in slices:
    if begin <= e["ts"] < end:
        where = f"{processes[e['pid']]}, {tracks[e['pid'], e['tid']]}: {e['name']}"
        print(f"{e['ts'] - begin:7.3f} {e['dur']:7.3f}  {where}")
