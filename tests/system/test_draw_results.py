"""Results of runs on the pictures of `sanvp draw`."""

from __future__ import annotations

import json
import re

import pytest
from drawings import draw, network_of
from program import done, sanvp

from sanvp.draw.aggregated import Aggregated
from sanvp.draw.network import SWITCH
from sanvp.draw.results import results_of, source_of
from sanvp.draw.svg import Extra
from sanvp.draw.views import Folded


def test_results_stand_on_the_channels_of_links_csv(tmp_path):
    done("traffic", "qsnet-16", "uniform", "--load", 0.3, "--packets", 500, "--out", "a", cwd=tmp_path)
    page = draw(tmp_path, "--results", "a", "-o", "a.html")
    shown = json.loads(re.search(r"^const RESULTS = (.*);$", page, re.MULTILINE)[1])
    network = json.loads(re.search(r"^const NETWORK = (.*);$", page, re.MULTILINE)[1])
    rows = [line.split(",") for line in (tmp_path / "a" / "links.csv").read_text().splitlines()[1:]]
    use = {
        network["channelNames"][int(channel)]: value for channel, value in shown["sets"][0]["channels"]["use"].items()
    }
    assert use == {row[0]: float(row[3]) for row in rows}


WRITTEN = {
    "before the machine": ("-s", "topology.failed_links=20", "--seed", 3, "myrinet-8", "uniform"),
    "with =": ("myrinet-8", "uniform", "--set=topology.failed_links=20", "--seed=3"),
    "in one word": ("myrinet-8", "-stopology.failed_links=20", "uniform", "--seed", 3),
}


@pytest.mark.parametrize("words", WRITTEN.values(), ids=WRITTEN)
def test_results_are_drawn_on_the_network_of_their_run_however_its_options_are_written(words, tmp_path):
    done("traffic", *words, "--load", 0.1, "--packets", 200, "--out", tmp_path / "out")
    source = source_of(tmp_path / "out")
    network = network_of(source.machine, *source.options)
    assert [cable.number for cable in network.cables if cable.failed] == [20]
    assert network.cables != network_of("myrinet-8", "-s", "topology.failed_links=20").cables  # those of seed 1
    assert len(results_of(network, [source], None)["sets"][0]["channels"]["use"]) == 2 * len(network.cables)


@pytest.mark.parametrize("given", [(), ("qsnet-32",)], ids=["the first one's", "a given machine"])
def test_results_of_another_network_are_refused(given, tmp_path):
    for name, machine in (("a", "qsnet-32"), ("b", "qsnet-16")):
        done("traffic", machine, "uniform", "--load", 0.1, "--packets", 200, "--out", tmp_path / name)
    result = sanvp("draw", *given, "--results", tmp_path / "a", tmp_path / "b", "-o", tmp_path / "m.html")
    assert result.status == 2
    assert "b is of another network" in result.err


def test_on_a_folded_network_a_bundle_has_its_busiest_cable_and_the_mean(tmp_path):
    done("traffic", "qsnet-1024", "hot-spot", "--load", 0.001, "--packets", 300, "--out", "a", cwd=tmp_path)
    folded = Folded(network_of("qsnet-1024"), Extra())
    shown = Aggregated(folded, results_of(folded.network, [source_of(tmp_path / "a")], None))
    rows = [line.split(",") for line in (tmp_path / "a" / "links.csv").read_text().splitlines()[1:]]
    use = {folded.network.channel_of_name[row[0]]: float(row[3]) for row in rows}
    network = folded.network
    for fold in folded.folds:
        of_view = shown.view(fold)["results"]
        if not fold.children:
            assert of_view["sets"][0]["channels"]["use"] == {
                str(channel): use[channel]
                for number in {cable.number for switch in fold.switches for cable in network.cables_at[switch]}
                for channel in (2 * number, 2 * number + 1)
                if channel in use
            }
            continue
        for place, pair in enumerate(folded.bundles(fold.number)):
            switches = [set(folded.folds[number].switches) for number in pair]
            for way in (0, 1):
                between = [
                    channel
                    for cable in network.between_switches
                    for channel, a, b in (
                        (2 * cable.number, cable.a, cable.b),
                        (2 * cable.number + 1, cable.b, cable.a),
                    )
                    if a[1] in switches[way] and b[1] in switches[1 - way]
                ]
                values = [use.get(channel, 0) for channel in between]
                found = of_view["sets"][0]["channels"]["use"].get(str(2 * place + way), [0, 0])
                assert found[:2] == pytest.approx([max(values), sum(values) / len(values)])
                assert found == [0, 0] or use[found[2]] == found[0]
        for child in fold.children:
            inside = [
                use.get(channel, 0)
                for cable in network.cables
                if {end[1] for end in (cable.a, cable.b) if end[0] == SWITCH} <= set(child.switches)
                for channel in (2 * cable.number, 2 * cable.number + 1)
            ]
            found = of_view["sets"][0]["groups"]["use"].get(str(child.number), [0, 0])
            assert found[:2] == pytest.approx([max(inside, default=0), sum(inside) / max(len(inside), 1)])
    most = max(use.values())
    assert shown.whole()["hottest"][0]["use"][0] == [min(c for c, value in use.items() if value == most), most]
