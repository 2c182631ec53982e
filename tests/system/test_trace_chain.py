"""`--trace`: the arrows of one message, from the host's store to the host that it wakes."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass

from program import done


@dataclass(frozen=True)
class Slice:
    """What a track shows for a while; times in picoseconds."""

    board: str
    track: str
    name: str
    begin: int
    end: int


class Timeline:
    """The slices of a trace and the arrows between them."""

    def __init__(self, path):
        events = json.loads(path.read_text())["traceEvents"]
        boards, tracks = {}, {}
        for event in events:
            if event["ph"] == "M":
                names = boards if event["name"] == "process_name" else tracks
                key = event["pid"] if names is boards else (event["pid"], event["tid"])
                names[key] = event["args"]["name"]
        self.rows: dict[tuple[int, int], list[Slice]] = {}
        for event in events:
            if event["ph"] == "X":
                row = (event["pid"], event["tid"])
                begin, length = round(event["ts"] * 1e6), round(event["dur"] * 1e6)
                self.rows.setdefault(row, []).append(
                    Slice(boards[row[0]], tracks[row], event["name"], begin, begin + length)
                )
        self.next: dict[Slice, list[Slice]] = {}
        chains: dict[int, list[tuple[int, Slice]]] = {}
        for event in events:
            if event["ph"] in "stf":
                at = round(event["ts"] * 1e6)
                chains.setdefault(event["id"], []).append((at, self.slice((event["pid"], event["tid"]), at)))
        for points in chains.values():
            points.sort(key=lambda point: point[0])
            for (_, here), (_, there) in itertools.pairwise(points):
                self.next.setdefault(here, []).append(there)

    def slice(self, row: tuple[int, int], at: int) -> Slice:
        """The innermost slice there."""
        around = [one for one in self.rows[row] if one.begin <= at <= one.end]
        assert around, f"an arrow sticks to nothing at {at} ps"
        return min(around, key=lambda one: one.end - one.begin)

    def chains(self, here: Slice, before: tuple[Slice, ...] = ()) -> list[list[Slice]]:
        """All ways along arrows from a slice."""
        way = (*before, here)
        following = [one for one in self.next.get(here, []) if one not in way]
        return [chain for one in following for chain in self.chains(one, way)] or [list(way)]


def test_arrows_follow_a_message_from_the_store_to_the_host_that_it_wakes(tmp_path):
    trace = tmp_path / "trace.json"
    ping = ("ping", "--map", "0,63", "--trace", trace, "--", "--level", "elan3", "--least", "64", "--most", "64")
    done("run", "qsnet-64", *ping, "--count", "1")
    timeline = Timeline(trace)
    stores = [
        one
        for row in timeline.rows.values()
        for one in row
        if one.board == "node 0" and one.name.startswith("store to")
    ]
    chains = [chain for store in stores for chain in timeline.chains(store) if chain[-1].board == "node 63"]
    assert chains, "no store of node 0 leads to a CPU of node 63"
    chain = chains[-1]
    assert [chain[1].track, chain[2].track] == ["command port", "DMA"]
    assert chain[1].name == "PutDma"
    assert chain[0].track.startswith("cpu")
    assert chain[0].name == "store to PutDma"
    assert chain[-1].name == "wait"
    assert chain[-2].track.startswith("inputter")
    links = chain[3:-2]
    assert len(links) == 6  # channels from node 0 to node 63: one in, five Elites
    assert all(" vc " in one.track for one in links)
    begins = [one.begin for one in chain[:-1]]
    assert begins == sorted(begins)
    assert chain[-2].begin <= chain[-1].end
