"use strict";
// Zoom, search and facts on hover. D3 moves the picture; its group "view" has all but the heading.
const svg = d3.select("#stage svg"), tip = document.getElementById("tip");
const stage = document.getElementById("stage"), picture = svg.node();
let view, vx, vy, vw, vh;
picture.removeAttribute("width");
picture.removeAttribute("height");
const legibleAt = 0.42, readableAt = 0.16; // pixels per unit, below which small texts, and numbers of switches, are left out
const mostPixels = 3; // per unit, of a part that was searched for
const onZoom = [], onOpen = []; // functions that are called after a zoom; with the content of a picture that is open now

/// Pixels per unit of the picture, before zooming: as the browser fits the view box into the window.
function fitted() {
  const box = picture.getBoundingClientRect();
  const scale = Math.min(box.width / vw, box.height / vh);
  return { scale, x: (box.width - vw * scale) / 2 - vx * scale, y: (box.height - vh * scale) / 2 - vy * scale, box };
}

/// From units of the picture to pixels of the window: x -> k * x + tx.
function toScreen() {
  const t = d3.zoomTransform(picture), fit = fitted();
  return { k: fit.scale * t.k, tx: fit.scale * t.x + fit.x, ty: fit.scale * t.y + fit.y };
}

function zoomed() {
  const t = d3.zoomTransform(picture);
  view.attr("transform", t);
  svg.select(".header").attr("opacity", t.k > 1.15 ? 0 : 1);
  const scale = toScreen().k;
  view.classed("small", scale < legibleAt).classed("smallest", scale < readableAt);
  for (const act of onZoom) act();
}
/// Takes what the picture holds, and shows all of it.
function adopt() {
  view = svg.select(".view");
  [vx, vy, vw, vh] = picture.getAttribute("viewBox").split(" ").map(Number);
  svg.call(zoom.transform, d3.zoomIdentity);
}
const zoom = d3.zoom().scaleExtent([0.5, 200]).on("zoom", zoomed);
svg.call(zoom).on("dblclick.zoom", null);
adopt();
new ResizeObserver(zoomed).observe(stage);
document.getElementById("fit").addEventListener("click", () => svg.call(zoom.transform, d3.zoomIdentity));

/// Brings a box of the picture into the middle, large enough to be read.
function show(x, y, width, height) {
  const fit = fitted();
  const k = Math.min(fit.box.width / (width + 260), fit.box.height / (height + 220), mostPixels) / fit.scale;
  const t = d3.zoomIdentity.translate(vx + vw / 2, vy + vh / 2).scale(Math.max(k, 1)).translate(-x, -y);
  svg.call(zoom.transform, t);
}

const endName = ([kind, which, port]) =>
  kind === 0 ? NETWORK.hosts[which] : `${NETWORK.switches[which][0]} port ${port}`;
const text = value => String(value).replace(/[&<>]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
const rows = pairs => `<table>${pairs.map(([a, b]) => `<tr><td>${text(a)}</td><td>${text(b)}</td></tr>`).join("")}</table>`;
const moreFacts = []; // functions of ("c" | "s" | "h" | "b" | "g", number) that give more rows; b: a bundle, g: a group

function factsOf(kind, number) {
  let head, pairs = [], sources = [];
  if (kind === "c") {
    const [a, b, link, failed, kindOfRules] = NETWORK.cables[number], rules = NETWORK.rules[kindOfRules];
    head = `cable ${number}: ${endName(a)} to ${endName(b)}`;
    pairs = [["class", NETWORK.classes[link] + (failed ? ", failed" : "")], ["rate", rules.rate],
      ["cable's delay", `${rules.wire} ns`], ["start to use", `${rules.delay} ns`], ["buffers", rules.buffers]];
    pairs.push(...(NETWORK.routes[number] || []));
    sources = NETWORK.sources[NETWORK.classes[link]];
  } else if (kind === "s") {
    const [name, ports, failed] = NETWORK.switches[number];
    head = `switch ${number}: ${name}`;
    pairs = [["ports", ports], ...(failed ? [["state", "failed"]] : [])];
    sources = NETWORK.sources.switch;
  } else {
    head = NETWORK.hosts[number];
    if (NETWORK.hostsPerNode > 1) pairs = [["node", Math.floor(number / NETWORK.hostsPerNode)]];
    const isHere = ([kind, which]) => kind === 0 && which === number;
    const cable = Object.keys(NETWORK.cables).find(one => isHere(NETWORK.cables[one][0]) || isHere(NETWORK.cables[one][1]));
    if (cable !== undefined) pairs.push(["cable", cable]);
  }
  for (const more of moreFacts) pairs.push(...more(kind, number));
  const from = sources.length ? `<div class="soft">sources</div>${rows(sources.map(([k, v, s]) => [`${k} = ${v}`, s]))}` : "";
  return `<b>${text(head)}</b>${rows(pairs)}${from}`;
}

function partAt(target) {
  const said = target.closest && target.closest("[data-text]"); // a group, or the cables between two groups
  if (said) return { kind: said.id[0], number: Number(said.id.slice(1)), text: said.dataset.text, element: said };
  const part = target.closest && target.closest("[id]");
  const found = part && /^([csh])(\d+)$/.exec(part.id);
  return found && { kind: found[1], number: Number(found[2]), element: part };
}

/// Cables are thin: the nearest one within a few pixels counts.
function cableNear(x, y) {
  for (const [dx, dy] of [[0, 0], [4, 0], [-4, 0], [0, 4], [0, -4]]) {
    const element = document.elementFromPoint(x + dx, y + dy), part = element && partAt(element);
    if (part) return part;
  }
  return null;
}
stage.addEventListener("mousemove", event => {
  const part = cableNear(event.clientX, event.clientY);
  tip.hidden = !part;
  if (!part) return;
  tip.innerHTML = part.text ? text(part.text) + rows(moreFacts.flatMap(more => more(part.kind, part.number))) : factsOf(part.kind, part.number);
  const width = tip.offsetWidth, height = tip.offsetHeight;
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - width - 8)}px`;
  tip.style.top = `${event.clientY + 18 + height > innerHeight ? Math.max(event.clientY - height - 12, 4) : event.clientY + 18}px`;
});
stage.addEventListener("mouseleave", () => { tip.hidden = true; });

// ---- search

let nameLists = [["s", Object.entries(NETWORK.switches).map(([n, one]) => [n, one[0]])], ["h", Object.entries(NETWORK.hosts)]];
let prepare = () => {}, reveal = () => {}; // of a folded network: loads all names; opens the group of a part

function find(words) {
  const query = words.trim().toLowerCase(), numbered = /^(c|cable|link|h|host|s|switch)\s*(\d+)$/.exec(query);
  if (!query) return null;
  if (numbered) {
    const kind = { l: "c" }[numbered[1][0]] || numbered[1][0], number = Number(numbered[2]);
    return number < NETWORK.counts[kind] ? { kind, number } : null;
  }
  for (const [kind, names] of nameLists) {
    const found = names.find(([, name]) => name.toLowerCase() === query) || names.find(([, name]) => name.toLowerCase().includes(query));
    if (found) return { kind, number: Number(found[0]) };
  }
  return null;
}

function mark(part) {
  svg.selectAll(".marked").classed("marked", false);
  const label = document.getElementById("found");
  label.textContent = part ? "" : "nothing of that name";
  if (!part) return;
  const element = document.getElementById(part.kind + part.number);
  if (!element) { label.textContent = "not in this picture"; return; }
  const shape = part.kind === "c" ? element : element.querySelector("rect");
  shape.classList.add("marked");
  const box = shape.getBBox();
  show(box.x + box.width / 2, box.y + box.height / 2, box.width, box.height);
  label.textContent = part.kind === "c" ? factsOf("c", part.number).match(/<b>(.*?)<\/b>/)[1]
    : part.kind === "s" ? NETWORK.switches[part.number][0] : NETWORK.hosts[part.number];
}
document.getElementById("search").addEventListener("change", async event => {
  const words = event.target.value;
  if (!words.trim()) {
    document.getElementById("found").textContent = "";
    return svg.selectAll(".marked").classed("marked", false);
  }
  await prepare();
  const part = find(words);
  if (part) await reveal(part);
  return mark(part);
});
