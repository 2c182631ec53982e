"""`scripts/study report`: rows, tables, the page, the pictures."""

from __future__ import annotations

import base64
import json
import re
import struct
import sys
import textwrap
from pathlib import Path
from xml.etree import ElementTree

import pytest
from program import PROJECT, SANVP
from study_bench import STUDY, USERS_MISTAKE, Bench, done

sys.path.insert(0, str(PROJECT / "python"))

from sanvp.studies.drawing import thinned
from sanvp.studies.plotted import Dot
from sanvp.studies.targets import DEVIATES, HOLDS, NOT_RUN, WITHIN


def test_the_report_has_all_targets(bench: Bench) -> None:
    rows = bench.rows()
    assert list(rows) == ["number", "family.1", "family.2", "shape", "never", "other", "mine"]
    assert [row["origin"] for row in rows.values()] == ["paper"] * 6 + ["ours"]
    assert all(row["verdict"] == NOT_RUN and row["measured"] is None for row in rows.values())
    assert rows["never"]["cause"] == "The mechanism is unknown."
    done(bench.study("run", "small"))
    rows = bench.rows()
    fields = {"id", "paper", "measured", "unit", "deviation", "verdict", "cause", "interval_95", "seeds"}
    fields |= {"origin", "basis", "fitted", "readings", "unsettled"}
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
    assert "| number | 50 | 40 | MB/s | -20.0 % | deviates | predicted | It is so. |" in told
    assert "| shape | it rises | 10, 20, 40 |" in told
    assert "| mine | 0.8 | 0.8 |  | +0.0 % | within tolerance | predicted |  |" in told
    text = page.read_text()
    assert text.count("data:image/svg+xml;base64,") == 1
    assert "http" not in text
    assert 'src="/' not in text
    assert (bench.folder / "results" / "figures" / "small-one.png").read_bytes().startswith(b"\x89PNG")
    points = re.findall(r'<p>([^<]*)</p><pre class="command">([^<]*)</pre>', text.split("<details>")[1])
    assert [place for place, _ in points] == ["load = 0.1, y = 10.0", "load = 0.2, y = 20.0", "load = 0.4, y = 40.0"]
    assert points[2][1].endswith("traffic qsnet-16 uniform --load 0.4 --seed 1")
    figure = bench.folder / "results" / "figures" / "small-one.svg"
    drawn_before = figure.read_bytes()
    assert base64.b64encode(drawn_before).decode() in text
    done(bench.study("report", "--static"))
    assert figure.read_bytes() == drawn_before, "the same results give the same bytes"
    tables = (
        (bench.folder / "results" / "report.md").read_text().split("points: [small-one.csv](figures/small-one.csv)\n\n")
    )
    assert tables[1] in told
    assert len(json.loads((bench.folder / "rows.json").read_text())) == 7


def test_the_report_can_be_a_page_of_markdown_with_the_times_of_runs(bench: Bench) -> None:
    done(bench.study("run", "small"))
    page = bench.folder / "results.md"
    done(bench.study("report", "small", "--markdown", page))
    text = page.read_text()
    assert "## A study" in text
    assert "| number | 50 | 40 | MB/s | -20.0 % | deviates | predicted | It is so. |" in text
    took = re.search(r"6 of 6 results \(all points\); 0 min (\d+) s of CPU time, .* (\d+) MB of memory", text)
    assert took
    assert int(took[1]) < 30
    assert 5 < int(took[2]) < 500  # what a Python process needs


def test_a_page_of_markdown_keeps_its_head_when_it_is_written_again(bench: Bench) -> None:
    done(bench.study("run", "small"))
    page = bench.folder / "results.md"
    done(bench.study("report", "small", "--markdown", page))
    first = page.read_text()
    assert first.startswith("# Results")
    page.write_text("# Mine\n\n" + first[first.index("<!--") :])
    done(bench.study("report", "small", "--markdown", page))
    assert page.read_text() == "# Mine\n\n" + first[first.index("<!--") :]


def test_the_figures_of_a_page_of_markdown_are_copied_beside_it_as_svg(bench: Bench) -> None:
    done(bench.study("run", "small"))
    page = bench.folder / "pages" / "results.md"
    page.parent.mkdir()
    done(bench.study("report", "small", "--markdown", page))
    mark = page.read_text()[page.read_text().index("<!--") :]
    page.write_text(f"# Mine\n\n![One](pictures/small-one.png)\n\n![Other](pictures/other.png)\n\n{mark}")
    told = done(bench.study("report", "small", "--markdown", page))
    assert "![One](pictures/small-one.svg)\n\n![Other](pictures/other.png)" in page.read_text()
    copied = page.parent / "pictures" / "small-one.svg"
    assert copied.read_bytes() == (bench.folder / "results" / "figures" / "small-one.svg").read_bytes()
    assert "pages/pictures/small-one.svg" in told
    assert [one.name for one in copied.parent.iterdir()] == ["small-one.svg"]


def test_a_figure_is_a_small_svg_file_of_texts_and_of_colours_for_dark_pages(bench: Bench) -> None:
    loads = [round(0.001 * i, 3) for i in range(1, 401)]
    bench.write(
        "title: t\nruns: {sent: {command: 'traffic qsnet-16 uniform --load {load}', axes: {load: [0.1, 0.2]}}}\n"
        "data: {theirs: {file: theirs.csv, index: {whose: whose, load: load}}}\n"
        "figures:\n  both: {x: load, y: {ours: sent.rate, theirs: theirs.rate}, x_label: load, y_label: a rate}\n"
    )
    rows = [
        f"{load},{whose},{100 * load + (7 if i == 200 else i % 2)}"
        for whose in "abcdef"
        for i, load in enumerate(loads)
    ]
    (bench.folder / "theirs.csv").write_text("\n".join(["load,whose,rate", *rows]) + "\n")
    done(bench.study("run", "small"))
    done(bench.study("report", "small", "--static"))
    picture = (bench.folder / "results" / "figures" / "small-both.svg").read_text()
    assert len(picture) < 60_000
    ElementTree.fromstring(picture)
    assert ">a rate</text>" in picture, "no glyph is drawn or embedded"
    assert "DejaVuSans-" not in picture
    dark = picture.split("@media (prefers-color-scheme: dark) {")[1].split("</style>")[0]
    assert "fill: #14181d" in dark
    assert "stroke: #e3e8ee" in dark
    assert "fill: #e3e8ee" in dark
    assert "#ffffff" not in dark


def test_the_peak_of_very_many_points_is_drawn() -> None:
    dots = [Dot(i, 50.0 if i == 1234 else float(i % 3), 0, {}) for i in range(5000)]
    kept = thinned(dots, 240)
    assert len(kept) <= 240
    assert dots[1234] in kept
    assert (kept[0], kept[-1]) == (dots[0], dots[-1])
    assert list(kept) == sorted(kept, key=lambda dot: dot.x)
    assert thinned(dots[:240], 240) == dots[:240]


def test_fitted_values_and_statements_of_ours_are_counted_apart(bench: Bench) -> None:
    bench.write(STUDY.replace("{measured: rate(load=0.4)", "{fitted: link.rate, measured: 1.25 * rate(load=0.4)"))
    done(bench.study("run", "small"))
    rows = bench.rows()
    assert (rows["number"]["verdict"], rows["number"]["basis"], rows["number"]["fitted"]) == (
        WITHIN,
        "fitted",
        "link.rate",
    )
    assert (rows["family.1"]["basis"], rows["family.1"]["fitted"]) == ("predicted", "")
    told = done(bench.study("report", "small", "--markdown", bench.folder / "page.md"))
    assert "| number | 50 | 50 | MB/s | +0.0 % | within tolerance | fitted | Fitted: link.rate |" in told
    assert "papers, predicted: 2 within tolerance, 1 shape holds" in told
    assert "; papers, fitted: 1 within tolerance; ours, predicted: 1 within tolerance\n" in told
    page = (bench.folder / "page.md").read_text()
    assert "|  | all | within tolerance | shape holds | deviates | shape fails | not run |" in page
    assert "| papers, fitted | 1 | 1 | 0 | 0 | 0 | 0 |" in page


def test_a_verdict_says_where_another_reading_of_the_paper_decides_otherwise(bench: Bench) -> None:
    readings = "readings: {the largest: max(rate), the mean: rate(load=0.4) * 1.3}"
    bench.write(STUDY.replace("{measured: rate(load=0.4)", f"{{{readings}, measured: 1.2 * rate(load=0.4)"))
    done(bench.study("run", "small"))
    row = bench.rows()["number"]
    assert row["verdict"] == WITHIN
    assert row["readings"]["the largest"] == {"measured": pytest.approx(40), "verdict": DEVIATES}
    assert row["readings"]["the mean"]["verdict"] == WITHIN
    assert "| within tolerance; by the largest: deviates | predicted |" in done(bench.study("report"))


def test_a_value_of_runs_that_had_not_settled_says_so_and_what_it_is_without_them(bench: Bench) -> None:
    """The script's runs of seed 2 have not settled: `rate` is a mean over both seeds, `drawn` is 1 and 4."""
    program = bench.program.read_text()
    bench.program.write_text(
        program.replace('metrics["named"]', 'metrics["settled"] = metrics["odd"]\nmetrics["named"]')
    )
    study = STUDY.replace("traffic qsnet-16", "run qsnet-16")
    bench.write(study.replace("{measured: rate(load=0.4)", "{measured: \"mean(sent.drawn(load=0.4), 'seed')\""))
    done(bench.study("run", "small"))
    rows = bench.rows()
    assert (rows["number"]["measured"], rows["number"]["unsettled"]) == (2.5, 3)
    assert rows["number"]["cause"] == "It is so. 3 of 6 runs behind it had not settled; without them: 1."
    assert rows["family.1"]["cause"] == ""  # all its runs have settled
    assert rows["family.2"]["cause"].endswith(
        "3 of 6 runs behind it had not settled, and without them there is no value."
    )
    assert rows["shape"]["cause"].endswith("without them: yes.")


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
