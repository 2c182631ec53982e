"""Results on the pictures of a folded network: the busiest cable and the mean of each bundle and of each group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .folded import Fold
from .network import SWITCH
from .results import SHARES
from .views import Folded

_MOST_LISTED = 6  # of the busiest
_POINTS = 6  # of a curve

Values = Mapping[str, float]  # by channel


def aggregated(values: Values, channels: Sequence[int], *, is_share: bool) -> list[float] | None:
    """The largest value, the mean, and the channel of the largest one; None if no channel has a value.

    A channel without a value was not used: its share is 0, and of waiting times it has none.
    """
    known = [(values[name], channel) for channel in channels if (name := str(channel)) in values]
    if not known:
        return None
    most, busiest = max(known, key=lambda one: (one[0], -one[1]))
    return [most, sum(value for value, _ in known) / (len(channels) if is_share else len(known)), busiest]


def busiest(values: Values) -> list[list[float]]:
    """The channels with the largest values, or differences, and these."""
    found = sorted(((int(channel), value) for channel, value in values.items() if value), key=lambda one: one[0])
    return [list(one) for one in sorted(found, key=lambda one: -abs(one[1]))[:_MOST_LISTED]]


class Aggregated:
    """What each picture shows of results (results.results_of)."""

    def __init__(self, folded: Folded, results: Mapping[str, Any]) -> None:
        self.folded = folded
        self.results = results
        #: Channels that work, by picture, and there by bundle: twice its place, and one more for the way back.
        self.in_bundles: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        self.inside: dict[int, list[int]] = defaultdict(list)  #: of a group, those of cables that do not leave it
        self._sort()

    def _sort(self) -> None:
        folded, network = self.folded, self.folded.network
        places = {fold.number: {pair: i for i, pair in enumerate(folded.bundles(fold.number))} for fold in folded.folds}
        paths = {fold.number: folded.path(fold.number) for fold in folded.folds if not fold.children}
        for cable in network.cables:
            if cable.failed:
                continue
            there, back = 2 * cable.number, 2 * cable.number + 1
            ends = [paths[folded.leaf_of[end[1]]] for end in (cable.a, cable.b) if end[0] == SWITCH]
            found = folded.bundle_of(cable)
            if found is not None:
                view, pair = found
                place = 2 * places[view][pair]
                if pair[0] not in ends[0]:
                    there, back = back, there
                self.in_bundles[view][place].append(there)
                self.in_bundles[view][place + 1].append(back)
            for group in ends[0] if ends else ():
                if all(group in way for way in ends):
                    self.inside[group] += [there, back]

    def view(self, fold: Fold) -> dict[str, Any]:
        """For the page, what a picture shows."""
        show = self._of_groups if fold.children else self._of_channels
        points = {
            str(key): [[round(v, 1) for point in line.points(_POINTS) for v in point] for line in lines]
            for key, lines in self.folded.lines(fold.number).items()
        }
        return {"results": show(fold) | {"lines": points}}

    # ---- a picture of groups

    def _of_groups(self, fold: Fold) -> dict[str, Any]:
        bundles = self.in_bundles[fold.number]
        groups = {child.number: self.inside[child.number] for child in fold.children}
        pairs = self.folded.bundles(fold.number)
        names = [self.folded.folds[number].name for pair in pairs for number in pair]
        sets = [
            {
                "channels": {name: self._each(name, values, bundles) for name, values in one["channels"].items()},
                "groups": {name: self._each(name, values, groups) for name, values in one["channels"].items()},
                "waits": self._waits(one["switches"], fold.children),
            }
            for one in self.results["sets"]
        ]
        time = self.results["over_time"]
        return {
            "isFolded": True,
            "names": [f"{names[i]} to {names[i ^ 1]}" for i in range(len(names))],
            "sets": sets,
            "time": self._over_time(time["use"], bundles) if time else None,
            "groupsOverTime": self._over_time(time["use"], groups) if time else None,
        }

    @staticmethod
    def _each(metric: str, values: Values, channels: Mapping[int, Sequence[int]]) -> dict[str, list[float]]:
        found = {key: aggregated(values, of, is_share=metric in SHARES) for key, of in channels.items()}
        return {str(key): one for key, one in found.items() if one is not None}

    @staticmethod
    def _waits(switches: Values, groups: Iterable[Fold]) -> dict[str, list[float]]:
        """The longest and the mean of the switches' mean waits, by group."""
        found = {str(fold.number): aggregated(switches, fold.switches, is_share=False) for fold in groups}
        return {group: one for group, one in found.items() if one is not None}

    @staticmethod
    def _over_time(use: Mapping[str, list[float]], channels: Mapping[int, Sequence[int]]) -> dict[str, list[Any]]:
        """For each interval what `aggregated` says."""
        found = {}
        for key, of in channels.items():
            used = [(channel, use[str(channel)]) for channel in of if str(channel) in use]
            if used:
                at = [{str(channel): values[i] for channel, values in used} for i in range(len(used[0][1]))]
                found[str(key)] = [aggregated(values, of, is_share=True) for values in at]
        return found

    # ---- a picture of switches

    def _of_channels(self, fold: Fold) -> dict[str, Any]:
        network = self.folded.network
        cables = {cable.number for switch in fold.switches for cable in network.cables_at[switch]}
        channels = [channel for number in sorted(cables) for channel in (2 * number, 2 * number + 1)]
        switches = {str(switch) for switch in fold.switches}
        time = self.results["over_time"]

        def known(values: Mapping[str, Any]) -> dict[str, Any]:
            return {name: values[name] for channel in channels if (name := str(channel)) in values}

        sets = [
            {
                "channels": {name: known(values) for name, values in one["channels"].items()},
                "switches": {switch: wait for switch, wait in one["switches"].items() if switch in switches},
            }
            for one in self.results["sets"]
        ]
        names = {str(channel): network.json["channels"][channel]["name"] for channel in channels}
        return {"isFolded": False, "names": names, "sets": sets, "time": known(time["use"]) if time else None}

    # ---- all

    def whole(self) -> dict[str, Any]:
        """What the page knows besides: the largest values and the busiest channels of all."""
        sets, time = self.results["sets"], self.results["over_time"]
        metrics = list(dict.fromkeys(name for one in sets for name in one["channels"]))
        most = {
            name: max(max(one["channels"].get(name, {"": 0}).values(), default=0) for one in sets) for name in metrics
        }
        hottest = [{name: busiest(values) for name, values in one["channels"].items()} for one in sets]
        if len(sets) == 2:
            hottest.append({name: busiest(self._differences(name)) for name in metrics})
        over_time = None
        if time:
            intervals = range(len(next(iter(time["use"].values()))))
            listed = [busiest({channel: of[i] for channel, of in time["use"].items()}) for i in intervals]
            over_time = {key: time[key] for key in ("source", "from_ns", "step_ns")} | {"hottest": listed}
        listed = [one for of in hottest for each in of.values() for one in each]
        listed += [one for each in (over_time or {"hottest": []})["hottest"] for one in each]
        channels = self.folded.network.json["channels"]
        return {
            "sets": [
                {key: one[key] for key in ("label", "facts", "series")} | {"metrics": list(one["channels"])}
                for one in sets
            ],
            "over_time": over_time,
            "most": most,
            "mostWait": max((wait for one in sets for wait in one["switches"].values()), default=0),
            "mostDifference": {name: max(map(abs, self._differences(name).values()), default=0) for name in metrics}
            if len(sets) == 2
            else {},
            "hottest": hottest,
            "names": {str(channel): channels[channel]["name"] for channel in sorted({int(one[0]) for one in listed})},
            "view": self.view(self.folded.root)["results"],
        }

    def _differences(self, metric: str) -> dict[str, float]:
        """The second result less the first one."""
        one, other = (each["channels"].get(metric, {}) for each in self.results["sets"])
        return {channel: other.get(channel, 0) - one.get(channel, 0) for channel in {**one, **other}}
