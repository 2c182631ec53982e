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
        import pandas as pd

        rows = []
        for link in self.json["graph"]["links"]:
            row = {"class": link["class"]}
            for end in ("a", "b"):
                for kind in ("host", "switch"):
                    if kind in link[end]:
                        row |= {f"{end}_kind": kind, f"{end}_index": link[end][kind], f"{end}_port": link[end]["port"]}
            rows.append(row)
        return pd.DataFrame(rows).rename_axis("link")


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
