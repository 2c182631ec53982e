"use strict";
// Use and waiting as width and colour, one stroke for each direction of a cable. Of two results also their difference.
const HOT = "hot", sets = RESULTS.sets, overTime = RESULTS.over_time;
const fixed = d3.format(".3~r");
let shown = { set: sets.length === 2 ? 2 : 0, metric: Object.keys(sets[0].channels)[0], interval: null };
const layerIn = root => d3.select(root).select(".view").insert("g", ".texts").attr("class", HOT);
d3.select("#stage svg .cables").style("opacity", 0.16);
const whole = { root: picture, layer: layerIn(picture) };
const difference = sets.length, beside = sets.length + 1; // choices after the sets themselves
let second = null; // a copy of the picture, for the second of two results

/// Two pictures that are moved together: the first and the second result.
function showBeside(wanted) {
  if (wanted && !second) {
    const root = picture.cloneNode(true);
    root.querySelectorAll(`.${HOT}`).forEach(group => group.remove());
    root.id = "second";
    stage.append(root);
    second = { root, layer: layerIn(root) };
    onZoom.push(() => d3.select(root).select(".view").attr("transform", view.attr("transform")).attr("class", view.attr("class")));
  }
  stage.classList.toggle("two", wanted);
  zoomed();
}

function values(set = shown.set) {
  if (shown.interval !== null)
    return Object.fromEntries(Object.entries(overTime.use).map(([channel, list]) => [channel, list[shown.interval]]));
  if (set < sets.length) return sets[set].channels[shown.metric] || {};
  const [a, b] = sets.map(set => set.channels[shown.metric] || {}), found = {};
  for (const channel of new Set([...Object.keys(a), ...Object.keys(b)])) found[channel] = (b[channel] || 0) - (a[channel] || 0);
  return found;
}
const isDifference = () => shown.interval === null && shown.set === difference;
const isUse = () => shown.interval !== null || shown.metric === "use" || shown.metric === "owned";
const unit = () => (isUse() ? "" : " ns");

function most() {
  if (isDifference()) return d3.max(Object.values(values()), Math.abs) || 1;
  if (shown.interval !== null) return 1;
  if (shown.metric === "use") return 1; // a share: the same colour is the same use in each picture
  return d3.max(sets, set => d3.max(Object.values(set.channels[shown.metric] || {}))) || 1;
}

function laneOf(lines, channel) {
  return lines.map(line => {
    let points = [];
    for (let i = 0; i < line.length; i += 2) points.push([line[i], line[i + 1]]);
    if (channel % 2) points.reverse();
    return "M" + points.map((p, i) => {
      const a = points[Math.max(0, i - 1)], b = points[Math.min(points.length - 1, i + 1)];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      return [p[0] - 2.6 * (b[1] - a[1]) / length, p[1] + 2.6 * (b[0] - a[0]) / length].map(v => v.toFixed(1)).join(" ");
    }).join("L");
  }).join("");
}

const scale = () => isDifference() ? d3.scaleDiverging(t => d3.interpolateRdBu(1 - t)).domain([-most(), 0, most()])
  : d3.scaleSequential(t => d3.interpolateYlOrRd(0.12 + 0.88 * t)).domain([0, most()]);

function paint() {
  const isBeside = shown.set === beside && shown.interval === null;
  showBeside(isBeside);
  const hottest = paintInto(whole, isBeside ? 0 : shown.set);
  if (isBeside) paintInto(second, 1);
  listHot(hottest);
  legend(scale(), most());
}

/// Links and switches of a picture. @return the busiest channels
function paintInto({ root, layer }, set) {
  const now = values(set), colour = scale(), top = most();
  const data = Object.entries(now).filter(([channel, value]) => value && NETWORK.lines[Math.floor(channel / 2)])
    .sort((a, b) => Math.abs(a[1]) - Math.abs(b[1]));
  layer.selectAll("path").data(data, one => one[0]).join("path").order()
    .attr("id", one => `u${one[0]}`).attr("fill", "none").attr("stroke-linecap", "round")
    .attr("d", ([channel]) => laneOf(NETWORK.lines[Math.floor(channel / 2)], Number(channel)))
    .attr("stroke", ([, value]) => colour(value))
    .attr("stroke-width", ([, value]) => 1 + 4.5 * Math.min(1, Math.abs(value) / top));
  paintSwitches(root, set);
  return data.slice(-6).reverse();
}

function switchValues(set) {
  if (set < sets.length) return sets[set].switches;
  const [a, b] = sets.map(set => set.switches), found = {};
  for (const one of new Set([...Object.keys(a), ...Object.keys(b)])) found[one] = (b[one] || 0) - (a[one] || 0);
  return found;
}

function paintSwitches(root, set) {
  const now = switchValues(set), top = d3.max(sets, set => d3.max(Object.values(set.switches), Math.abs)) || 1;
  const colour = isDifference() ? d3.scaleDiverging(t => d3.interpolateRdBu(1 - t)).domain([-top, 0, top])
    : d3.scaleSequential(t => d3.interpolateYlOrRd(0.8 * t)).domain([0, top]);
  NETWORK.switches.forEach((_, i) => {
    const box = root.querySelector(`#s${i} rect`), value = now[i];
    if (!box) return;
    box.style.fill = value ? colour(value) : "";
    const ink = value ? (d3.lab(colour(value)).l < 58 ? "#ffffff" : "#1c242c") : "";
    for (const label of root.querySelectorAll(`#s${i} text`)) label.style.setProperty("fill", ink, "important");
  });
}

function channelText(channel) {
  return `cable ${Math.floor(channel / 2)}: ${NETWORK.channelNames[channel]}`;
}

function listHot(hottest) {
  document.getElementById("hot").innerHTML = "<span class='soft'>most:</span>" + hottest.map(([channel, value]) =>
    `<a data-cable="${Math.floor(channel / 2)}">${text(channelText(channel))} <b>${fixed(value)}${unit()}</b></a>`).join("");
  for (const link of document.querySelectorAll("#hot a"))
    link.addEventListener("click", () => mark({ kind: "c", number: Number(link.dataset.cable) }));
}

function legend(colour, top) {
  const low = isDifference() ? -top : 0, steps = 40;
  const svg = d3.select("#legend").attr("width", 220).attr("height", 32).html("");
  svg.selectAll("rect").data(d3.range(steps)).join("rect").attr("x", i => 10 + 5 * i).attr("width", 5.2).attr("height", 11)
    .attr("fill", i => colour(low + (top - low) * (i + 0.5) / steps));
  const axis = d3.axisBottom(d3.scaleLinear().domain([low, top]).range([10, 210])).ticks(4).tickSize(3);
  svg.append("g").attr("transform", "translate(0,11)").call(axis);
}

function panel() {
  const choices = [...sets.map(set => set.label), ...(sets.length === 2 ? [`${sets[1].label} − ${sets[0].label}`, `${sets[0].label} | ${sets[1].label}`] : [])];
  const metrics = [...new Set(sets.flatMap(set => Object.keys(set.channels)))];
  const option = (name, i, chosen) => `<option value="${i}"${chosen ? " selected" : ""}>${text(name)}</option>`;
  document.getElementById("panel").innerHTML = `<div class="tools">` +
    `<label>results <select id="set">${choices.map((name, i) => option(name, i, i === shown.set)).join("")}</select></label>` +
    `<label>links <select id="metric">${metrics.map(name => option(name, name, name === shown.metric)).join("")}</select></label>` +
    `<svg id="legend"></svg><span class="soft">switches: mean wait of headers there</span>` +
    (overTime ? `<label>time <input id="when" type="range" min="-1" max="${d3.max(Object.values(overTime.use), one => one.length) - 1}" value="-1"></label><b id="time">whole run</b>` : "") +
    `</div><div id="hot"></div><svg id="series" width="100%" height="0"></svg><div class="soft" id="about"></div>`;
  const on = (id, act) => { const one = document.getElementById(id); if (one) one.addEventListener("input", event => act(event.target.value)); };
  on("set", value => { shown.set = Number(value); shown.interval = null; about(); paint(); });
  on("metric", value => { shown.metric = value; paint(); });
  on("when", value => {
    shown.interval = Number(value) < 0 ? null : Number(value);
    const from = overTime.from_ns + overTime.step_ns * value;
    document.getElementById("time").textContent = shown.interval === null ? "whole run"
      : `${d3.format(",.0f")(from)} to ${d3.format(",.0f")(from + overTime.step_ns)} ns`;
    paint();
  });
  about();
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

moreFacts.push((kind, number) => {
  const found = [];
  if (kind === "c") for (const channel of [2 * number, 2 * number + 1])
    sets.forEach(set => {
      const said = Object.entries(set.channels).filter(([, one]) => one[channel] !== undefined)
        .map(([name, one]) => `${name} ${fixed(one[channel])}${name === "use" || name === "owned" ? "" : " ns"}`);
      if (said.length) found.push([`${sets.length > 1 ? `${set.label}, ` : ""}${NETWORK.channelNames[channel]}`, said.join(", ")]);
    });
  if (kind === "s") for (const set of sets) if (set.switches[number] !== undefined) found.push([`${set.label}: mean wait`, `${fixed(set.switches[number])} ns`]);
  return found;
});
panel();
paint();
window.results = { shown, values, paint };
