"""What commands leave: their JSON, and the tables of the result folder as DataFrames (docs/result-folder.md)."""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def _numbered(rows: list[dict[str, Any]], name: str) -> pd.DataFrame:
    """A table of these rows, whose index is their number."""
    import pandas as pd

    return pd.DataFrame(rows).rename_axis(name)


def _cables(links: list[dict[str, Any]]) -> pd.DataFrame:
    """A row for each cable: what its ends a and b are connected to, and its class."""
    rows = []
    for link in links:
        row = {"class": link["class"]}
        for end in ("a", "b"):
            for kind in ("host", "switch"):
                if kind in link[end]:
                    row |= {f"{end}_kind": kind, f"{end}_index": link[end][kind], f"{end}_port": link[end]["port"]}
        rows.append(row)
    return _numbered(rows, "link")


class Result:
    """The result of a command. `result["latency_ns.mean"]` is a number of its JSON, `result.table("nodes")` a table."""

    def __init__(
        self,
        command: tuple[str, ...],
        json: Mapping[str, Any],
        output: str = "",
        files: Mapping[str, str] | None = None,
    ) -> None:
        self.command = tuple(command)  #: as it can be repeated in a shell
        self.json = dict(json)  #: the JSON of the program
        self.output = output  #: what the program printed
        self._files = dict(files or {})

    @property
    def status(self) -> str:
        """`done`, or why the run did not come to its end, such as `until reached`."""
        return str(self.json.get("status", "done"))

    def __getitem__(self, path: str) -> Any:
        """A value of the JSON; dots lead to what is inside: `result["latency_ns.p99"]`."""
        value: Any = self.json
        for part in path.split("."):
            if not isinstance(value, Mapping) or part not in value:
                known = ", ".join(map(str, value)) if isinstance(value, Mapping) else "nothing"
                raise KeyError(f"no '{path}': there is {known}")
            value = value[part]
        return value

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables that there are."""
        return tuple(sorted(Path(name).stem for name in self._files if name.endswith(".csv")))

    def table(self, name: str) -> pd.DataFrame:
        """A CSV file of the result folder, such as `nodes`."""
        import pandas as pd

        file = f"{name.removesuffix('.csv')}.csv"
        if file not in self._files:
            raise KeyError(f"no table '{name}': there are {', '.join(self.tables) or 'none'}")
        return pd.read_csv(io.StringIO(self._files[file]))

    @functools.cached_property
    def manifest(self) -> dict[str, Any]:
        """The manifest: versions, seed, parameters."""
        return json.loads(self._files["manifest.json"]) if "manifest.json" in self._files else {}

    @property
    def parameters(self) -> pd.DataFrame:
        """The value of every parameter by its key, and where it comes from."""
        import pandas as pd

        return pd.DataFrame.from_dict(self.manifest.get("parameters", {}), orient="index").rename_axis("key")

    @property
    def stats(self) -> pd.DataFrame:
        """Numbers of parts of the machine: path, name, unit, value."""
        return self.table("stats")

    @property
    def faults(self) -> pd.DataFrame:
        """The times between faults; a KeyError if nothing fails."""
        return self.table("faults")

    @property
    def branches(self) -> pd.DataFrame:
        """With `branch_at` and `branch`: a row for each branch of the run."""
        return self.table("branches")

    def __repr__(self) -> str:
        numbers = {key: value for key, value in self.json.items() if isinstance(value, (int, float, str))}
        lines = "\n".join(f"  {key}: {value}" for key, value in numbers.items())
        return f"{type(self).__name__} of {' '.join(self.command)}\n{lines}"


class RunResult(Result):
    """The result of `sanvp.run`."""

    @property
    def jobs(self) -> pd.DataFrame:
        """A row for each job: its program, ranks, metrics, and how its ranks spent their time."""
        import pandas as pd

        rows = []
        for job in self.json.get("jobs", []):
            metrics = {name: one["value"] for name, one in job["metrics"].items()}
            rows.append({"app": job["app"], "ranks": job["ranks"], **metrics, **job["time"]})
        return pd.DataFrame(rows).rename_axis("job")

    @property
    def units(self) -> dict[str, str]:
        """The unit of each metric that the programs reported."""
        return {name: one["unit"] for job in self.json.get("jobs", []) for name, one in job["metrics"].items()}

    @property
    def ranks(self) -> pd.DataFrame:
        """A row for each rank: where it ran, how it spent its time, its metrics."""
        return self.table("ranks")

    @property
    def congestion(self) -> pd.DataFrame:
        """A row for each link into a switch: headers and their waiting."""
        return self.table("congestion")

    @property
    def profile(self) -> pd.DataFrame:
        """With `profile=True`: a row for each rank and call of MPI or SHMEM."""
        return self.table("profile")

    @property
    def functions(self) -> pd.DataFrame:
        """With `profile=True`: a row for each job and function of the program."""
        return self.table("functions")

    @property
    def mpi_check(self) -> pd.DataFrame:
        """With `check_mpi`: a row for each mistake in the use of MPI."""
        return self.table("mpi_check")

    @property
    def seeds(self) -> pd.DataFrame:
        """With `seeds="1:8"`: a row for each seed and number of the JSON."""
        return self.table("seeds")


class TrafficResult(Result):
    """The result of `sanvp.traffic`. Tables but `loads` are of the last load of a sweep."""

    @property
    def loads(self) -> pd.DataFrame:
        """A row for each load of the sweep: offered and accepted load, latencies."""
        return self.table("latency")

    @property
    def nodes(self) -> pd.DataFrame:
        """A row for each node."""
        return self.table("nodes")

    @property
    def links(self) -> pd.DataFrame:
        """A row for each channel, one direction of a cable."""
        return self.table("links")

    @property
    def congestion(self) -> pd.DataFrame:
        """A row for each link into a switch: headers and their waiting."""
        return self.table("congestion")

    @property
    def histogram(self) -> pd.DataFrame:
        """Bins of the latency from generation."""
        return self.table("histogram")

    @property
    def latency(self) -> pd.DataFrame:
        """The same as `loads`."""
        return self.table("latency")

    @property
    def classes(self) -> pd.DataFrame:
        """Of the pattern mix: a row for each load and class of traffic."""
        return self.table("classes")

    @property
    def series(self) -> pd.DataFrame:
        """With `settings={"traffic.series": "1us"}`: a row for each interval of the run."""
        return self.table("series")

    @property
    def spy(self) -> pd.DataFrame:
        """With `spy`: a row for each packet on that channel."""
        return self.table("spy")

    @property
    def probes(self) -> pd.DataFrame:
        """With `probe_interval`: a row for each packet of the timing node."""
        return self.table("probes")

    @property
    def contention(self) -> pd.DataFrame:
        """Of the pattern goal with `critical_path=True`: a row for each link on the longest chain."""
        return self.table("contention")


class ReplayResult(Result):
    """The result of `sanvp.replay`."""

    @property
    def deliveries(self) -> pd.DataFrame:
        """A row for each packet, in the order of the packet list."""
        return self.table("deliveries")


class CheckResult(Result):
    """The result of `sanvp.check`."""

    @property
    def verdict(self) -> str:
        """Such as `deadlock-free`."""
        return str(self.json["verdict"])

    @property
    def is_deadlock_free(self) -> bool:
        """Whether no packets can wait for each other in a cycle."""
        return self.verdict != "deadlock"

    @property
    def distances(self) -> pd.Series:
        """The number of pairs of hosts at each distance."""
        import pandas as pd

        return pd.Series(self.json["histogram"], name="pairs").rename_axis("distance")

    @property
    def links(self) -> pd.DataFrame:
        """A row for each cable: what its ends a and b are connected to, and its class."""
        return _cables(self.json["graph"]["links"])


class Network(Result):
    """The result of `sanvp.network`. Indices are the numbers that options such as `faults` have."""

    @property
    def hosts(self) -> pd.DataFrame:
        """A row for each host: its name and its coordinates."""
        return _numbered(self.json["graph"]["hosts"], "host")

    @property
    def switches(self) -> pd.DataFrame:
        """A row for each switch: its name, its number of ports and its coordinates."""
        return _numbered(self.json["graph"]["switches"], "switch")

    @property
    def links(self) -> pd.DataFrame:
        """A row for each cable: what its ends a and b are connected to, and its class."""
        return _cables(self.json["graph"]["links"])

    @property
    def channels(self) -> pd.DataFrame:
        """A row for each channel, one direction of a cable: its name, and its rules, such as its rate."""
        rules = [{key: value for key, value in one.items() if key != "flow_control"} for one in self.json["rules"]]
        rows = [{"name": one["name"], **rules[one["rules"]]} for one in self.json["channels"]]
        return _numbered(rows, "channel")

    @property
    def routes(self) -> pd.DataFrame:
        """With `route`: a row for each path of each pair: hop by hop, the channels of which one is taken."""
        rows = []
        for pair in self.json.get("routes", []):
            ends = {"source": pair["source"], "destination": pair["destination"]}
            rows += [{**ends, "id": one["id"], "path": path} for one in pair["alternatives"] for path in one["paths"]]
        return _numbered(rows, "route")


class Listing(Result):
    """The result of `sanvp.listing`: `machines`, `apps`, `patterns` or `parts`, those of them that were asked for."""

    @property
    def names(self) -> pd.DataFrame:
        """A row for each by its name: what kind of thing it is, and a summary."""
        import pandas as pd

        rows = [one for of_kind in self.json.values() if isinstance(of_kind, list) for one in of_kind]
        columns = ["name", "kind", "summary"]
        return pd.DataFrame([{name: one.get(name) for name in columns} for one in rows], columns=columns).set_index(
            "name"
        )


class Description(Result):
    """The result of `sanvp.describe`."""

    @property
    def parameters(self) -> pd.DataFrame:
        """A row for each parameter by its key: value, default, kind, meaning, source."""
        import pandas as pd

        rows = self.json.get("parameters", [])
        return pd.DataFrame(rows).set_index("key") if rows else pd.DataFrame()

    @property
    def options(self) -> pd.DataFrame:
        """A row for each option of an app by its name: meaning, default."""
        import pandas as pd

        rows = self.json.get("options", [])
        return pd.DataFrame(rows).set_index("key") if rows else pd.DataFrame()
