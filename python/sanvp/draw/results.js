"use strict";
// Use and waiting as width and colour, one stroke for each direction of a cable. Of two results also their difference.
// On a folded network a stroke is the busiest cable between two groups, or their mean, and a box the cables inside a group.
const HOT = "hot", sets = RESULTS.sets, overTime = RESULTS.over_time;
const fixed = d3.format(".3~r");
const metricsOf = set => set.metrics || Object.keys(set.channels);
/// What is drawn: all of it, or of a folded network what its open picture shows.
let content = RESULTS.view || { isFolded: false, sets, lines: NETWORK.lines, names: NETWORK.channelNames, time: overTime && overTime.use };
let shown = { set: sets.length === 2 ? 2 : 0, metric: metricsOf(sets[0])[0], interval: null, of: 0 };
const BUSIEST = 0, MEAN = 1; // of a bundle or a group
const difference = sets.length, beside = sets.length + 1; // choices after the sets themselves
const first = { root: picture };
let second = null; // a copy of the picture, for the second of two results
renew(first);

/// Makes the layer of a picture that has just been drawn.
function renew(drawn) {
  d3.select(drawn.root).selectAll(`.${HOT}`).remove();
  d3.select(drawn.root).selectAll(".cables, .bundles").style("opacity", 0.16);
  drawn.layer = d3.select(drawn.root).select(".view").insert("g", ".texts, .group").attr("class", HOT);
}

/// Two pictures that are moved together: the first and the second result.
function showBeside(wanted) {
  if (wanted && !second) {
    second = { root: picture.cloneNode(true) };
    second.root.id = "second";
    stage.append(second.root);
    renew(second);
    onZoom.push(() => d3.select(second.root).select(".view").attr("transform", view.attr("transform")).attr("class", view.attr("class")));
  }
  stage.classList.toggle("two", wanted);
  zoomed();
}

/// A group of a folded network has been opened, or left.
onOpen.push(opened => {
  content = opened.results;
  if (second) {
    second.root.setAttribute("viewBox", picture.getAttribute("viewBox"));
    second.root.replaceChildren(...picture.cloneNode(true).childNodes);
    renew(second);
  }
  renew(first);
  paint();
});

const plain = one => (Array.isArray(one) ? one[shown.of] : one || 0);
const mapped = (object, act) => Object.fromEntries(Object.entries(object || {}).map(([key, one]) => [key, act(one)]));
function lessFirst(a, b) {
  const found = {};
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) found[key] = plain(b[key]) - plain(a[key]);
  return found;
}
/// By channel; of a picture of groups by bundle and direction, or of `groups` by group.
function values(set = shown.set, kind = "channels") {
  if (shown.interval !== null)
    return mapped(kind === "groups" ? content.groupsOverTime : content.time, list => plain(list[shown.interval]));
  const of = one => (content.sets[one][kind] || {})[shown.metric] || {};
  return set < sets.length ? mapped(of(set), plain) : lessFirst(of(0), of(1));
}
const isDifference = () => shown.interval === null && shown.set === difference;
const isShare = () => shown.interval !== null || shown.metric === "use" || shown.metric === "owned";
const unit = () => (isShare() ? "" : " ns");

function most() {
  if (isDifference()) return (RESULTS.mostDifference ? RESULTS.mostDifference[shown.metric] : d3.max(Object.values(values()), Math.abs)) || 1;
  if (shown.interval !== null || shown.metric === "use") return 1; // a share: the same colour is the same use in each picture
  return (RESULTS.most ? RESULTS.most[shown.metric] : d3.max(sets, set => d3.max(Object.values(set.channels[shown.metric] || {})))) || 1;
}

/// A line beside the middle of a cable, or of a bundle, at the right of its direction.
function laneOf(lines, key) {
  const by = content.isFolded ? 5 : 2.6;
  return lines.map(line => {
    let points = [];
    for (let i = 0; i < line.length; i += 2) points.push([line[i], line[i + 1]]);
    if (key % 2) points.reverse();
    return "M" + points.map((p, i) => {
      const a = points[Math.max(0, i - 1)], b = points[Math.min(points.length - 1, i + 1)];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      return [p[0] - by * (b[1] - a[1]) / length, p[1] + by * (b[0] - a[0]) / length].map(v => v.toFixed(1)).join(" ");
    }).join("L");
  }).join("");
}

// What is hot stands out from the page: dark red from a light one, bright yellow from a dark one; no difference fades.
const dark = matchMedia("(prefers-color-scheme: dark)");
const onDark = d3.piecewise(d3.interpolateRgb, ["#6cb1ff", "#39434d", "#ff7a6b"]);
const heat = t => d3.interpolateYlOrRd(dark.matches ? 0.95 - 0.9 * t : 0.12 + 0.88 * t);
const between = t => (dark.matches ? onDark(t) : d3.interpolateRdBu(1 - t));
const scale = (top = most()) => isDifference() ? d3.scaleDiverging(between).domain([-top, 0, top]) : d3.scaleSequential(heat).domain([0, top]);
dark.addEventListener("change", () => paint());

function paint() {
  const isBeside = shown.set === beside && shown.interval === null;
  showBeside(isBeside);
  const painted = isBeside ? [[0, paintInto(first, 0)], [1, paintInto(second, 1)]] : [[shown.set, paintInto(first, shown.set)]];
  listHot(painted.map(([set, hottest]) => ({
    label: isBeside ? `most in ${sets[set].label}:` : "most:", hottest: RESULTS.hottest ? hottestOfAll(set) : hottest })));
  legend(scale(), most());
}

function hottestOfAll(set) {
  if (shown.interval !== null) return overTime.hottest[shown.interval];
  return RESULTS.hottest[set][shown.metric] || [];
}

/// Links and boxes of a picture. @return the busiest channels
function paintInto({ root, layer }, set) {
  const now = values(set), colour = scale(), top = most(), thickest = content.isFolded ? 8 : 4.5;
  const data = Object.entries(now).filter(([key, value]) => value && content.lines[Math.floor(key / 2)])
    .sort((a, b) => Math.abs(a[1]) - Math.abs(b[1]));
  layer.selectAll("path").data(data, one => one[0]).join("path").order()
    .attr("id", one => `u${one[0]}`).attr("fill", "none").attr("stroke-linecap", "round")
    .attr("d", ([key]) => laneOf(content.lines[Math.floor(key / 2)], Number(key)))
    .attr("stroke", ([, value]) => colour(value))
    .attr("stroke-width", ([, value]) => 1 + thickest * Math.min(1, Math.abs(value) / top));
  if (content.isFolded) fill(root, "g", values(set, "groups"), colour);
  else paintSwitches(root, set);
  return data.slice(-6).reverse();
}

/// Boxes of a kind of parts, with texts that can be read on their colours.
function fill(root, kind, now, colour) {
  for (const part of root.querySelectorAll(`g[id^="${kind}"]`)) {
    const box = part.querySelector("rect"), value = now[part.id.slice(1)];
    if (!box || !/^\w\d+$/.test(part.id)) continue;
    box.style.fill = value ? colour(value) : "";
    const ink = value ? (d3.lab(colour(value)).l < 58 ? "#ffffff" : "#1c242c") : "";
    for (const label of part.querySelectorAll("text")) label.style.setProperty("fill", ink, "important");
  }
}

function paintSwitches(root, set) {
  const of = one => content.sets[one].switches;
  fill(root, "s", set < sets.length ? of(set) : lessFirst(of(0), of(1)), scale(mostWait()));
}

const mostWait = () => (RESULTS.mostWait ?? d3.max(sets, one => d3.max(Object.values(one.switches), Math.abs))) || 1;

const nameOf = channel => (RESULTS.names || content.names)[channel] || content.names[channel];

/// Leads to a cable, wherever it is.
async function goTo(number) {
  const part = { kind: "c", number };
  await prepare();
  await reveal(part);
  mark(part);
}

function listHot(lists) {
  document.getElementById("hot").innerHTML = lists.map(({ label, hottest }) => `<span class="soft">${text(label)}</span>` + hottest.map(([channel, value]) =>
    `<a data-cable="${Math.floor(channel / 2)}">cable ${Math.floor(channel / 2)}: ${text(nameOf(channel))} <b>${fixed(value)}${unit()}</b></a>`).join("")).join("");
  for (const link of document.querySelectorAll("#hot a")) link.addEventListener("click", () => goTo(Number(link.dataset.cable)));
}

/// A line between two groups leads to the busiest of its cables.
stage.addEventListener("click", event => {
  const bundle = event.target.closest(".bundle");
  if (!bundle || !content.isFolded) return;
  const set = shown.set < sets.length ? shown.set : 0, place = Number(bundle.id.slice(1));
  const known = shown.interval === null ? content.sets[set].channels[shown.metric] || {}
    : mapped(content.time, list => list[shown.interval]);
  const both = [known[2 * place], known[2 * place + 1]].filter(one => one);
  if (both.length) goTo(Math.floor(d3.greatest(both, one => one[BUSIEST])[2] / 2));
});

function legend(colour, top) {
  const low = isDifference() ? -top : 0, steps = 40;
  const svg = d3.select("#legend").attr("width", 220).attr("height", 32).html("");
  svg.selectAll("rect").data(d3.range(steps)).join("rect").attr("x", i => 10 + 5 * i).attr("width", 5.2).attr("height", 11)
    .attr("fill", i => colour(low + (top - low) * (i + 0.5) / steps));
  document.getElementById("boxes").textContent = content.isFolded ? "a line: cables between two groups; a box: cables inside"
    : `switches: mean wait of headers there, from ${isDifference() ? `-${fixed(mostWait())}` : 0} to ${fixed(mostWait())} ns`;
  const axis = d3.axisBottom(d3.scaleLinear().domain([low, top]).range([10, 210])).ticks(4).tickSize(3);
  svg.append("g").attr("transform", "translate(0,11)").call(axis);
  const what = shown.interval !== null ? "use" : shown.metric;
  const share = what === "owned" ? ", as a share of the time, the sum of its virtual channels" : ", as a share of the time";
  svg.append("title").text(what + (isShare() ? share : ", in ns"));
}

function panel() {
  const choices = [...sets.map(set => set.label), ...(sets.length === 2 ? [`${sets[1].label} − ${sets[0].label}`, `${sets[0].label} | ${sets[1].label}`] : [])];
  const metrics = [...new Set(sets.flatMap(metricsOf))];
  const intervals = overTime && (overTime.hottest || d3.greatest(Object.values(overTime.use), one => one.length)).length;
  const option = (name, i, chosen) => `<option value="${i}"${chosen ? " selected" : ""}>${text(name)}</option>`;
  document.getElementById("panel").innerHTML = `<div class="tools">` +
    `<label>results <select id="set">${choices.map((name, i) => option(name, i, i === shown.set)).join("")}</select></label>` +
    `<label>links <select id="metric">${metrics.map(name => option(name, name, name === shown.metric)).join("")}</select></label>` +
    (RESULTS.view ? `<label>of a group <select id="of">${option("the busiest cable", BUSIEST, true)}${option("the mean", MEAN)}</select></label>` : "") +
    `<svg id="legend"></svg><span class="soft" id="boxes"></span>` +
    (overTime ? `<label>time <input id="when" type="range" min="-1" max="${intervals - 1}" value="-1"></label><b id="time">whole run</b>` : "") +
    `</div><div id="hot"></div><svg id="series" width="100%" height="0"></svg><div class="soft" id="about"></div>`;
  const on = (id, act) => { const one = document.getElementById(id); if (one) one.addEventListener("input", event => act(event.target.value)); };
  on("set", value => { shown.set = Number(value); showWhen(null); about(); paint(); });
  on("metric", value => { shown.metric = value; showWhen(null); paint(); });
  on("of", value => { shown.of = Number(value); paint(); });
  on("when", value => {
    showWhen(Number(value) < 0 ? null : Number(value));
    paint();
  });
  about();
}

/// The whole run, or an interval of its timeline.
function showWhen(interval) {
  shown.interval = interval;
  const slider = document.getElementById("when");
  if (!slider) return;
  slider.value = String(interval ?? -1);
  const from = overTime.from_ns + overTime.step_ns * interval;
  document.getElementById("time").textContent = interval === null ? "whole run"
    : `use in ${overTime.source} from ${d3.format(",.0f")(from)} to ${d3.format(",.0f")(from + overTime.step_ns)} ns`;
}

function about() {
  const chosen = shown.set < sets.length ? [sets[shown.set]] : sets;
  document.getElementById("about").innerHTML = chosen.map(set => set.facts.map(([name, value]) => `${text(name)}: ${text(value)}`).join(" · ")).join("<br>");
  series(chosen.filter(set => set.series));
}

/// Rates and latency over the time of the run, with a cursor that tells their values.
function series(chosen) {
  const svg = d3.select("#series").html("").attr("height", chosen.length ? 86 : 0);
  if (!chosen.length) return;
  const width = document.getElementById("panel").clientWidth - 20, height = 86;
  const times = chosen[0].series.from_ns.map(t => t / 1000), x = d3.scaleLinear().domain(d3.extent(times)).range([50, width - 10]);
  const all = chosen.flatMap(set => set.series.accepted_MBps), y = d3.scaleLinear().domain([0, d3.max(all)]).range([height - 20, 6]).nice();
  svg.append("g").attr("transform", `translate(0,${height - 20})`).call(d3.axisBottom(x).ticks(8).tickFormat(t => `${t} µs`));
  svg.append("g").attr("transform", "translate(50,0)").call(d3.axisLeft(y).ticks(3));
  chosen.forEach((set, i) => svg.append("path").attr("class", "curve").style("stroke", ["#2a6fb0", "#c7702b"][i])
    .attr("d", d3.line().x((_, k) => x(times[k])).y(v => y(v || 0))(set.series.accepted_MBps)));
  const cursor = svg.append("line").attr("y1", 4).attr("y2", height - 20).attr("stroke", "#c62828");
  const label = svg.append("text").attr("y", 14).attr("font-size", 11).attr("fill", "currentColor");
  const at = k => {
    cursor.attr("x1", x(times[k])).attr("x2", x(times[k]));
    const said = chosen.map(set => `${fixed(set.series.accepted_MBps[k] || 0)} MB/s accepted` +
      (set.series.latency_mean_ns && set.series.latency_mean_ns[k] ? `, latency ${fixed(set.series.latency_mean_ns[k])} ns` : ""));
    label.attr("x", Math.min(x(times[k]) + 6, width - 330)).text(`${fixed(times[k])} µs: ${said.join("; ")}`);
  };
  at(0);
  svg.node().onmousemove = event => {
    const time = x.invert(event.clientX - svg.node().getBoundingClientRect().left);
    at(Math.max(0, Math.min(times.length - 1, d3.bisect(times, time) - 1)));
  };
}

const told = (name, one) => {
  const ns = name === "use" || name === "owned" ? "" : " ns";
  return `${name} ${Array.isArray(one) ? `${fixed(one[BUSIEST])}${ns} at most, ${fixed(one[MEAN])}${ns} mean` : `${fixed(one)}${ns}`}`;
};
moreFacts.push((kind, number) => {
  const found = [];
  const of = (set, what, key) => Object.entries(set[what] || {}).filter(([, one]) => one[key] !== undefined).map(([name, one]) => told(name, one[key])).join(", ");
  content.sets.forEach((set, i) => {
    const label = sets.length > 1 ? `${sets[i].label}, ` : "", add = (name, said) => { if (said) found.push([`${label}${name}`, said]); };
    if (kind === "c" || kind === "b") for (const key of [2 * number, 2 * number + 1]) add(content.names[key], of(set, "channels", key));
    if (kind === "g") {
      add("cables inside", of(set, "groups", number));
      if (set.waits && set.waits[number]) add("waits at switches", told("mean wait", set.waits[number]));
    }
    if (kind === "s" && set.switches && set.switches[number] !== undefined) add("mean wait", `${fixed(set.switches[number])} ns`);
  });
  return found;
});
panel();
paint();
window.results = { shown, values, paint };
