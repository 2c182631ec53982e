"""The page of `scripts/study report`: its contents, its figures with their points, the CSV files beside them."""

from __future__ import annotations

import base64
import csv
import html.parser
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from program import PROJECT, SANVP
from study_bench import Bench, done, make_bench

FIGURES = """\
title: Page
runs:
  sent: {command: 'traffic qsnet-16 uniform --load {load} --seed {seed}', axes: {load: [0.1, 0.2], seed: [1, 2]}}
figures:
  all: {x: load, y: sent.rate}
  mean: {x: load, y: "mean(sent.rate, 'seed')", title: "The <mean>"}
  bars: {kind: bars, groups: seed, y: sent.latency_ns.mean(load=0.2)}
"""
LIBRARY = "/* stands for Plotly */"


def with_library(bench: Bench) -> dict[str, str]:
    """An environment in which Plotly's JavaScript is a comment."""
    package = bench.folder / "packages" / "plotly"
    (package / "package_data").mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    (package / "package_data" / "plotly.min.js").write_text(LIBRARY)
    return {"PYTHONPATH": f"{PROJECT / 'python'}:{package.parent}"}


def figures(page: str) -> dict[str, Any]:
    """The figures that a page draws."""
    calls = re.findall(r'<script>draw\(("(?:[^"\\]|\\.)*"), (.*)\)</script>', page)
    return {json.loads(name): json.loads(figure) for name, figure in calls}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A study whose report is drawn."""
    made = make_bench(tmp_path_factory.mktemp("page"))
    made.write(FIGURES)
    done(made.study("run", "small"))
    done(made.study("report", "small", **with_library(made)))
    return made


@pytest.fixture
def page(drawn: Bench) -> str:
    return (drawn.folder / "results" / "report.html").read_text()


def test_the_page_begins_with_a_list_of_its_figures(page: str) -> None:
    contents = page.split("<nav>")[1].split("</nav>")[0]
    for link in re.findall(r'href="#([^"]*)"', contents):
        assert page.count(f'id="{link}"') == 1
    assert re.findall(r">([^<]+)</a>", contents) == ["Page", "all", "The &lt;mean&gt;", "bars"]


def test_a_point_has_its_value_its_parameters_and_the_command_that_repeats_it(page: str, drawn: Bench) -> None:
    first, second = figures(page)["small-all"]["data"]
    assert (first["x"], first["y"], second["name"]) == ([0.1, 0.2], [10, 20], "seed 2")
    assert second["hovertext"][1].startswith("<b>seed 2</b><br>rate: <b>20</b><br>seed = 2<br>load = 0.2<br>")
    command = second["customdata"][1]
    assert command == f"{drawn.program} traffic qsnet-16 uniform --load 0.2 --seed 2"
    assert subprocess.run([*command.split(), "--json", drawn.folder / "j"], check=False).returncode == 0
    assert json.loads((drawn.folder / "j").read_text())["rate"] == second["y"][1]


def test_a_point_of_several_runs_says_so(page: str) -> None:
    (mean,) = figures(page)["small-mean"]["data"]
    assert "of 2 runs, such as" in mean["hovertext"][0]
    assert mean["customdata"][0].endswith("--load 0.1 --seed 1")
    (bars,) = figures(page)["small-bars"]["data"]
    assert (bars["type"], bars["x"]) == ("bar", ["1", "2"])
    assert [command.split("--load ")[1] for command in bars["customdata"]] == ["0.2 --seed 1", "0.2 --seed 2"]


def test_the_library_is_embedded_once_and_nothing_is_loaded(page: str) -> None:
    assert page.count(LIBRARY) == 1
    assert "http" not in page
    assert " src=" not in page


def test_labels_are_made_of_names_where_a_study_gives_none(page: str) -> None:
    layout = figures(page)["small-bars"]["layout"]
    assert layout["yaxis"]["title"]["text"] == "sent.latency_ns.mean(load=0.2)"
    layout = figures(page)["small-all"]["layout"]
    assert (layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"]) == ("load", "rate")


def test_each_figure_has_its_points_as_a_csv_file(page: str, drawn: Bench) -> None:
    text = (drawn.folder / "results" / "figures" / "small-all.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    assert list(rows[0]) == ["seed", "load", "curve", "y", "interval_95", "runs", "command"]
    assert [(row["load"], row["seed"], float(row["y"])) for row in rows] == [
        *[("0.1", "1", 10), ("0.2", "1", 20), ("0.1", "2", 10), ("0.2", "2", 20)]
    ]
    embedded = re.search(r'download="small-all.csv" href="data:text/csv;base64,([^"]*)"', page)
    assert embedded
    assert base64.b64decode(embedded[1]).decode() == text


def test_a_report_without_statements_has_no_empty_table(bench: Bench) -> None:
    bench.write("title: t\nruns: {sent: {command: traffic qsnet-16 uniform --load 0.1}}\n")
    done(bench.study("run", "small"))
    told = done(bench.study("report", "small"))
    assert told.splitlines() == ["  results/report.html", "  results/report.md"]
    text = (bench.folder / "results" / "report.html").read_text()
    assert "<p>Measured with" in text
    assert "<p></p>" not in text


CONGESTED = """\
title: Matrix
runs:
  sent:
    command: traffic qsnet-16 uniform --load 0.5 --packets 400
    tables: {links: {file: congestion.csv, index: {level: level, source: from, sink: to}}}
figures:
  matrix: {kind: congestion, run: sent, table: links, at: {}}
"""


def test_a_congestion_matrix_names_links_and_switches_with_their_waits(bench: Bench) -> None:
    bench.program = Path(SANVP)
    bench.write(CONGESTED)
    done(bench.study("run", "small"))
    done(bench.study("report", "small", **with_library(bench)))
    figure = figures((bench.folder / "results" / "report.html").read_text())["small-matrix"]
    top, bottom = figure["data"]
    with (bench.folder / "results" / "figures" / "small-matrix.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 48
    hottest = max(rows, key=lambda row: float(row["wait_ns_total"]))
    texts = [text for level in figure["data"] for line in level["hovertext"] for text in line]
    wanted = f"<b>{hottest['from']} to {hottest['to']}</b><br>{float(hottest['wait_ns_total']):.6g} ns<br>100.0 %"
    assert len([text for text in texts if text.startswith(wanted)]) == 1
    assert len([text for text in texts if " to " in text]) == 48
    assert max(cell for line in top["z"] + bottom["z"] for cell in line if cell is not None) == 100
    assert top["z"][0] == [None] * 16  # nothing is above the highest level
    layout = figure["layout"]
    assert layout["yaxis"]["ticktext"] == ["from above", "<b>level 1 switch</b>", "from below"]
    assert layout["xaxis2"]["ticktext"] == ["0", "1", "2", "3"]
    assert layout["coloraxis"]["colorbar"]["title"]["text"] == "waiting (% of the hottest)"


LOOK = """<script>
addEventListener("load", () => {
  for (const plot of document.querySelectorAll(".plot")) {
    const point = plot.data[0].type == "heatmap" ? {xval: 0, yval: 2} : {xval: 0.2, yval: plot.data[0].y[1]};
    Plotly.Fx.hover(plot, point, "xy");
    plot.emit("plotly_click", {points: [{customdata: plot.data[0].customdata[1]}]});
  }
});
</script></body>"""


@pytest.mark.long
def test_a_browser_shows_the_figures_and_what_a_point_says(bench: Bench) -> None:
    if subprocess.run([PROJECT / "scripts" / "install", "page", "browser"], check=False).returncode != 0:
        pytest.skip("Plotly or Chromium cannot be installed here")
    bench.program = Path(SANVP)
    lines = "  lines: {x: load, y: many.accepted_per_node_MBps}\n"
    many = "  many: {command: 'traffic qsnet-16 uniform --load {load} --packets 300', axes: {load: [0.1, 0.2, 0.3]}}\n"
    bench.write(CONGESTED.replace("figures:\n", "figures:\n" + lines).replace("runs:\n", "runs:\n" + many))
    done(bench.study("run", "small"))
    done(bench.study("report", "small"))
    page = bench.folder / "results" / "report.html"
    page.write_text(LOOK.join(page.read_text().rsplit("</body>", 1)))
    browser = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"]
    seen = subprocess.run(
        [browser, *options, f"--user-data-dir={bench.folder / 'browser'}", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    ).stdout.split("<nav>")[1]
    assert seen.count('class="point ') == 3  # of the line
    assert seen.count("<image") == 2  # a heat map for each level
    hovered = re.sub(r"<[^>]*>", " ", " ".join(re.findall(r'<g class="hovertext".*?</g>', seen, re.DOTALL)))
    assert "load = 0.2" in hovered
    assert "traffic qsnet-16 uniform --load 0.2 --packets 300" in hovered
    assert re.search(r"host 0 to level 0 switch 0|level 0 switch 0 to level 1 switch 0", hovered)
    clicked = re.search(r'id="command-small-lines">([^<]*)<', seen)
    assert clicked
    assert clicked[1].splitlines()[0].endswith("traffic qsnet-16 uniform --load 0.2 --packets 300")


HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    '"><img src=x onerror=alert(1)>',
    "a/b & 'c' \\ \"d\"",
]


def hostile(text: str) -> str:
    """A study with this text wherever a page shows one."""
    content = {
        "title": text,
        "about": text,
        "runs": {
            "sent": {
                "command": ["traffic", "qsnet-16", text, "--load", "{load}"],
                "axes": {"load": [0.1, 0.2], "kind": [text, "plain"]},
            }
        },
        "anchors": {text: {"value": 10, "unit": text, "ref": text, "measured": "sent.rate(load=0.1, kind='plain')"}},
        "figures": {
            text: {
                "title": text,
                "x": "load",
                "y": {text: "sent.rate"},
                "x_label": text,
                "y_label": text,
                "names": {"kind": text + "{}"},
            },
            f"{text}-bars": {"kind": "bars", "groups": "kind", "y": "sent.rate"},
        },
    }
    return json.dumps(content)  # YAML, too


class Elements(html.parser.HTMLParser):
    """The elements of a page, with the names of their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(name for name, _ in attrs)))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_study_becomes_a_part_of_the_page(bench: Bench, text: str) -> None:
    pages = []
    for title in (text, "harmless"):
        bench.write(hostile(title))
        done(bench.study("run", "small"))
        told = bench.study("report", "small", **with_library(bench))
        assert (told.returncode, told.stderr) == (0, "")
        pages.append((bench.folder / "results" / "report.html").read_text())
    attacked, harmless = pages
    assert Elements(attacked).found == Elements(harmless).found
    scripts = re.findall(r"<script>(.*?)</script>", attacked, re.DOTALL)
    assert len(scripts) == 4  # Plotly, the page's function, two figures
    assert not any("<" in script for script in scripts)
    lines, bars = figures(attacked).values()
    shown = html.escape(text, quote=False)
    assert lines["layout"]["title"]["text"] == shown
    assert lines["layout"]["yaxis"]["title"]["text"] == shown
    assert lines["data"][0]["name"].startswith(shown)
    assert lines["data"][0]["hovertext"][0].startswith(f"<b>{shown}")
    assert bars["data"][0]["x"] == [shown, "plain"]
    assert sorted(path.parent for path in bench.folder.rglob("*.png")) == [bench.folder / "results" / "figures"] * 4
    table = (bench.folder / "results" / "report.md").read_text().splitlines()
    assert len({line.replace("\\|", "").count("|") for line in table if line.startswith("|")}) == 1
