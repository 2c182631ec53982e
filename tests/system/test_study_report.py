"""`scripts/study report`: rows, tables, the page, the pictures."""

from __future__ import annotations

import json
import re
import struct
import sys
import textwrap
from pathlib import Path

import pytest
from program import PROJECT, SANVP
from study_bench import STUDY, USERS_MISTAKE, Bench, done

sys.path.insert(0, str(PROJECT / "python"))

from sanvp.studies.targets import DEVIATES, HOLDS, NOT_RUN, WITHIN


def test_the_report_has_all_targets(bench: Bench) -> None:
    rows = bench.rows()
    assert list(rows) == ["number", "family.1", "family.2", "shape", "never", "other"]
    assert all(row["verdict"] == NOT_RUN and row["measured"] is None for row in rows.values())
    assert rows["never"]["cause"] == "The mechanism is unknown."
    done(bench.study("run", "small"))
    rows = bench.rows()
    fields = {"id", "paper", "measured", "unit", "deviation", "verdict", "cause", "interval_95", "seeds"}
    assert set(rows["number"]) == fields
    assert (rows["number"]["interval_95"], rows["number"]["seeds"]) == (None, 1)  # nothing says that it is repeated
    number = rows["number"]
    assert (number["paper"], number["unit"], number["verdict"], number["cause"]) == (50, "MB/s", DEVIATES, "It is so.")
    assert (number["measured"], number["deviation"]) == (pytest.approx(40), pytest.approx(-0.2))
    assert [rows[name]["verdict"] for name in ("family.1", "family.2", "shape")] == [WITHIN, WITHIN, HOLDS]
    assert rows["family.1"]["cause"] == ""
    assert rows["other"]["verdict"] == NOT_RUN
    assert rows["other"]["measured"] is None


def test_quick_results_say_so_until_there_are_all(bench: Bench) -> None:
    done(bench.study("run", "small", "--quick"))
    rows = bench.rows()
    short = "From the quick version, which is short; scripts/study run small decides."
    assert rows["number"]["cause"] == f"It is so. {short}"
    assert rows["family.2"]["verdict"] == NOT_RUN  # seed 2 is not among the quick ones
    done(bench.study("run", "small"))
    assert bench.rows()["number"]["cause"] == "It is so."


def test_the_report_is_one_page_with_its_pictures(bench: Bench) -> None:
    done(bench.study("run", "small"))
    page = bench.folder / "page.html"
    told = done(bench.study("report", "--static", "--html", page, "--json", bench.folder / "rows.json"))
    assert "| number | 50 | 40 | MB/s | -20.0 % | deviates | It is so. |" in told
    assert "| shape | it rises | 10, 20, 40 |" in told
    assert "| mine | 0.8 | 0.8 |  | +0.0 % | within tolerance |  |" in told
    text = page.read_text()
    assert text.count("data:image/png;base64,") == 1
    assert "http" not in text
    assert 'src="/' not in text
    assert (bench.folder / "results" / "figures" / "small-one.png").read_bytes().startswith(b"\x89PNG")
    assert (bench.folder / "results" / "report.md").read_text() in told
    assert len(json.loads((bench.folder / "rows.json").read_text())) == 6


def test_the_report_can_be_a_page_of_markdown_with_the_times_of_runs(bench: Bench) -> None:
    done(bench.study("run", "small"))
    page = bench.folder / "results.md"
    done(bench.study("report", "small", "--markdown", page))
    text = page.read_text()
    assert "## A study" in text
    assert "| number | 50 | 40 | MB/s | -20.0 % | deviates | It is so. |" in text
    took = re.search(r"6 of 6 results \(all points\); 0 min (\d+) s of CPU time, .* (\d+) MB of memory", text)
    assert took
    assert int(took[1]) < 30
    assert 5 < int(took[2]) < 500  # what a Python process needs


def test_a_shown_value_has_the_coordinates_of_its_id(bench: Bench) -> None:
    shown = "{measured: sent.rate(load=0.1), shows: '{sent.rate(load=0.4):.0f} at most'}"
    bench.write(STUDY.replace('{measured: "sent.rate(load=0.1)"}', shown))
    done(bench.study("run", "small"))
    assert "| family.2 | 10 | 40 at most |" in done(bench.study("report"))


def test_values_shown_beside_another_may_be_missing(bench: Bench) -> None:
    bench.break_at(0.2)
    bench.write(STUDY.replace("{measured: rate(load=0.4)", "{shows: '{rate(load=0.2):.0f}', measured: rate(load=0.4)"))
    assert bench.study("run", "small").returncode == USERS_MISTAKE  # a point failed
    assert bench.rows()["number"]["measured"] == pytest.approx(40)
    assert "| number | 50 | 40 | MB/s |" in done(bench.study("report"))


def test_a_figure_has_a_panel_for_each_value_of_its_axes(bench: Bench) -> None:
    rest = "x: load, x_label: load, y_label: rate, marks: [{target: number, at: {load: 0.4}}]"
    one = f"  one: {{y: sent.rate, {rest}}}"
    two = f"  two: {{y: sent.rate, panels: seed, names: {{seed: 'number {{}}'}}, {rest}}}"
    four = f"  four: {{y: sent.each.got, panels: [seed, who], {rest}}}"
    bench.write("\n".join([STUDY.split("  one:")[0], one, two, four, ""]))
    done(bench.study("run", "small"))
    done(bench.study("report"))
    size = {}
    for name in ("one", "two", "four"):
        png = (bench.folder / "results" / "figures" / f"small-{name}.png").read_bytes()
        size[name] = struct.unpack(">II", png[16:24])
    assert size["two"][0] > size["one"][0]  # two beside each other
    assert size["four"] == (size["two"][0], 2 * size["two"][1])
    bench.write(STUDY.replace("x: load, y: rate", "x: load, panels: sead, y: sent.rate"))
    told = bench.study("report")
    assert told.returncode == USERS_MISTAKE
    assert "figures.one.panels: no axis 'sead'" in told.stderr


def test_missing_data_of_a_result_is_reported_and_affects_no_other_target(bench: Bench) -> None:
    bench.write(STUDY.replace("{measured: rate(load=0.4)", "{measured: max(sent.rait)"))
    done(bench.study("run", "small"))
    told = bench.study("report", "--json", "-")
    assert told.returncode == USERS_MISTAKE
    assert "no metric 'rait' in the results: did you mean 'rate'?" in told.stderr
    assert {row["id"]: row["verdict"] for row in json.loads(told.stdout)}["shape"] == HOLDS


def test_a_study_runs_with_the_program_itself(bench: Bench) -> None:
    bench.program = Path(SANVP)
    bench.write(
        textwrap.dedent("""\
        title: Real
        runs:
          sent:
            command: traffic qsnet-16 uniform --load {load} --packets 300
            axes: {load: [0.1, 0.3]}
            tables:
              each: {file: nodes.csv, index: {node: node}}
              links: {file: congestion.csv, index: {level: level, source: from, sink: to}}
        values:
          by_node: sum(sent.each.accepted_MBps, 'node') / sent.accepted_MBps
          links: count(sent.links.headers(load=0.1))
          from_hosts: count(sent.links.headers(load=0.1, level=1, source='host *'))
        targets:
          shape: {measured: "rises(sent.accepted_per_node_MBps, 'load') and links == 48 and from_hosts == 16"}
          number: {measured: 50 * max(by_node)}
        figures:
          matrix: {kind: congestion, run: sent, table: links, at: {load: 0.3}}
          delays: {kind: congestion, run: sent, table: links, at: {load: 0.3}, metric: delay_ns_total}
          bars: {kind: bars, groups: load, y: sent.accepted_MBps, y_label: MB/s}
        """)
    )
    done(bench.study("run", "small", "--jobs", 1))
    rows = bench.rows()
    assert rows["shape"]["verdict"] == HOLDS  # a 4-ary 2-tree: 16 links up from hosts, 16 up and 16 down
    assert rows["number"]["deviation"] == pytest.approx(0, abs=0.01)
    told = done(bench.study("report", "small"))
    assert all(picture in told for picture in ("small-matrix.png", "small-delays.png", "small-bars.png"))


def test_a_study_of_host_software_sees_jobs_ranks_and_waits(bench: Bench) -> None:
    bench.program = Path(SANVP)
    bench.write(
        textwrap.dedent("""\
        title: Real
        runs:
          both:
            command: >
              run qsnet-16 hot_spot --np {ranks} --job {'hot_spot --map 8-11 -- --bytes 4K'} -- --bytes 4K
            axes: {ranks: [2, 4]}
            tables:
              ranks: {index: {job: job, rank: rank}}
              links: {file: congestion.csv, index: {level: level, source: from, sink: to}}
        values:
          senders: sum(both.ranks.rank_MBps / both.ranks.rank_MBps, 'rank')
        targets:
          shape:
            measured: >
              senders(ranks=2, job=0) == 1 and senders(ranks=4, job=0) == 3 and all(senders(job=1) == 3)
              and all(both.job1.accepted_MBps > 0) and max(both.links.headers) > 0
        """)
    )
    done(bench.study("run", "small", "--jobs", 1))
    assert bench.rows()["shape"]["verdict"] == HOLDS
