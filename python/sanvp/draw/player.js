"use strict";
// Plays a timeline: each worm as it lay over channels and buffers at an instant (motion.js).
const LANE = 2.4; // units of the picture beside a cable's middle, one lane for each direction
const PALETTE = ["#1f77b4", "#e07b00", "#2a9d5c", "#c0392b", "#8457b5", "#8c564b", "#d05fa6", "#5d6d7e", "#9a9a1f", "#1796a8"];
const PS_PER_NS = 1000;

// ---- geometry: lanes of channels

/// A polyline moved to its right by some units.
function shifted(points, by) {
  const moved = [];
  for (let i = 0; i < points.length; ++i) {
    const a = points[Math.max(0, i - 1)], b = points[Math.min(points.length - 1, i + 1)];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    moved.push([points[i][0] - by * (b[1] - a[1]) / length, points[i][1] + by * (b[0] - a[0]) / length]);
  }
  return moved;
}

function laneOf(channel) {
  const lines = NETWORK.lines[Math.floor(channel / 2)];
  if (!lines) return null;
  let points = lines.flatMap((line, index) => {
    const found = [];
    for (let i = 0; i < line.length; i += 2) found.push([line[i], line[i + 1]]);
    if (index > 0) found[0].gap = true;
    return found;
  });
  const isCut = points.findIndex(p => p.gap);
  if (channel % 2) points = points.slice().reverse();
  const gap = isCut < 0 ? -1 : channel % 2 ? points.length - isCut : isCut; // the piece that is not drawn
  const lane = shifted(points.map(p => [p[0], p[1]]), LANE);
  const lengths = [0];
  for (let i = 1; i < lane.length; ++i)
    lengths.push(lengths[i - 1] + (i === gap ? 0 : Math.hypot(lane[i][0] - lane[i - 1][0], lane[i][1] - lane[i - 1][1])));
  return { lane, lengths, gap, length: lengths[lengths.length - 1] };
}

const lanes = new Map();
function lane(channel) {
  if (!lanes.has(channel)) lanes.set(channel, laneOf(channel));
  return lanes.get(channel);
}

function pointAt(way, share) {
  const wanted = Math.max(0, Math.min(1, share)) * way.length;
  let i = 1;
  while (i < way.lengths.length - 1 && way.lengths[i] < wanted) ++i;
  const piece = way.lengths[i] - way.lengths[i - 1] || 1, part = (wanted - way.lengths[i - 1]) / piece;
  const [a, b] = [way.lane[i - 1], way.lane[i]];
  return [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), Math.atan2(b[1] - a[1], b[0] - a[0]), i];
}

function tracePath(context, way, from, to) {
  const a = pointAt(way, from), b = pointAt(way, to);
  context.moveTo(a[0], a[1]);
  for (let i = a[3]; i < b[3]; ++i) {
    context.lineTo(...way.lane[i]);
    if (i + 1 === way.gap) context.moveTo(...way.lane[i + 1]);
  }
  context.lineTo(b[0], b[1]);
}

// ---- drawing

const tellEvery = 80; // ms between two texts while it plays: they are laid out anew, which takes longer than the picture
const colourOf = packet => PALETTE[packet % PALETTE.length];
const BAD = "#d32f2f", GO = "#2a9d5c", CREDIT = "#8a96a3";
const MOST_DOTS = 12; // credits on a channel, beyond which they are a line

class Player {
  constructor(motion) {
    this.motion = motion;
    this.t = 0;
    this.playing = false;
    this.showsCredits = true;
    this.speed = motion.length / 20; // ps of the machine in a second: all of it in 20 s
    this.canvas = document.getElementById("canvas");
    this.context = this.canvas.getContext("2d");
    this.makePanel();
    this.frames = 0;
    this.told = 0;
    onZoom.push(() => this.draw());
    moreFacts.push((kind, number) => this.facts(kind, number));
    this.draw();
  }

  makePanel() {
    const most = this.motion.length / PS_PER_NS;
    document.getElementById("panel").innerHTML =
      `<div class="controls"><button id="back" title="one event back (left arrow)">◂</button>` +
      `<button id="play" title="space bar">play</button><button id="step" title="one event on (right arrow)">▸</button>` +
      `<label>speed <input id="speed" type="range" min="0" max="100" value="50"></label><span id="rate"></span>` +
      (this.motion.motion.credits.length ? `<label><input id="credits" type="checkbox" checked> credits</label>` : "") +
      `<b id="time"></b><input id="at" type="range" min="0" max="1000000" value="0" aria-label="time"></div>` +
      `<svg id="spark" width="100%" height="26" preserveAspectRatio="none"></svg><div id="now"></div>` +
      `<div class="soft">${text(MOTION.source)}: ${this.motion.shown.length} stays of ${Object.keys(MOTION.packets).length} packets on channels in ` +
      `${d3.format(",.0f")(most)} ns, ${this.motion.times.length} instants with events. A worm has its packet's colour; a bar is a ` +
      `buffer with its flits, a square the memory of an in-transit host; a red ring is a head that waits, a dashed line leads to the output it waits for; green dots are ` +
      `acknowledgements and GO, red ones STOP${MOTION.credits.length ? ", small grey ones credits" : ""}. ${MOTION.exact ? "" : "<b>This timeline has no single flits: heads and tails are exact, " +
      "buffers are not shown. Record it with --fidelity flit.</b>"}</div>`;
    const on = (id, event, act) => document.getElementById(id).addEventListener(event, act);
    on("play", "click", () => this.toggle());
    on("step", "click", () => this.step(1));
    on("back", "click", () => this.step(-1));
    on("at", "input", event => this.seek(Number(event.target.value) / 1e6 * this.motion.length));
    on("speed", "input", event => { this.speed = this.motion.length / 20 * 10 ** ((event.target.value - 50) / 20); this.showRate(); });
    if (document.getElementById("credits")) on("credits", "input", event => { this.showsCredits = event.target.checked; this.draw(); });
    document.addEventListener("keydown", event => {
      if (event.target.tagName === "INPUT" && event.target.type === "search") return;
      if (event.key === " " && !event.target.matches("button, [type=checkbox]")) { // which it clicks
        event.preventDefault();
        this.toggle();
      }
      if (event.key === "ArrowRight") { event.preventDefault(); this.step(1); }
      if (event.key === "ArrowLeft") { event.preventDefault(); this.step(-1); }
    });
    this.drawSpark();
    this.showRate();
  }

  /// How many worms there are over time.
  drawSpark() {
    const counts = this.motion.buckets.map(bucket => bucket.length), most = Math.max(1, ...counts);
    const line = d3.area().x((_, i) => i).y0(26).y1(count => 26 - 24 * count / most).curve(d3.curveStepAfter);
    d3.select("#spark").attr("viewBox", "0 0 400 26").append("path").attr("d", line(counts)).attr("fill", "#7da7cf").attr("opacity", .7);
    d3.select("#spark").append("line").attr("id", "cursor").attr("y2", 26).attr("stroke", BAD).attr("vector-effect", "non-scaling-stroke");
  }

  showRate() { document.getElementById("rate").textContent = `${d3.format(",.3~r")(this.speed / PS_PER_NS)} ns per second`; }

  toggle() {
    this.playing = !this.playing;
    this.told = 0;
    if (this.playing && this.t >= this.motion.length) this.t = 0;
    document.getElementById("play").textContent = this.playing ? "pause" : "play";
    if (this.playing) this.run();
  }

  run() {
    let before = performance.now();
    const frame = now => {
      if (!this.playing) return;
      this.seek(this.t + (now - before) / 1000 * this.speed);
      before = now;
      ++this.frames;
      if (this.t >= this.motion.length) this.toggle();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  seek(t) {
    this.t = Math.max(0, Math.min(this.motion.length, t));
    this.draw();
  }

  /// To the next or the previous instant at which something happens.
  step(way) {
    if (this.playing) this.toggle();
    const times = this.motion.times, i = d3.bisectLeft(times, way > 0 ? this.t + 0.5 : this.t);
    const next = way > 0 ? times[i] : times[i - 1];
    if (next !== undefined) this.seek(next);
  }

  state() { return this.motion.at(this.t); }

  draw() {
    const ratio = window.devicePixelRatio || 1, box = stage.getBoundingClientRect();
    const [width, height] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height];
    const context = this.context, { k, tx, ty } = toScreen();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(ratio * k, 0, 0, ratio * k, ratio * tx, ratio * ty);
    this.thick = Math.max(4.5, 2.2 / k);
    this.scale = k;
    this.paper = getComputedStyle(document.body).backgroundColor;
    const state = this.state();
    this.ink = getComputedStyle(document.body).color;
    for (const hop of state.active) this.drawHop(context, hop, state.t);
    this.drawBuffers(context, state);
    if (this.showsCredits) for (const run of state.credits) this.drawCredits(context, run, state.t);
    for (const ack of state.acks) this.drawBack(context, ack[1], (state.t - ack[2]) / (ack[3] - ack[2] || 1), GO, 1);
    for (const signal of state.signals)
      this.drawBack(context, signal[0], (state.t - signal[3]) / (signal[4] - signal[3] || 1), signal[2] ? BAD : GO, 1.3);
    for (const wait of state.waiting) if (wait.since !== null) this.drawWait(context, wait);
    this.drawActivities(context, state);
    const now = performance.now();
    if (this.playing && now - this.told < tellEvery) return;
    this.told = now;
    this.tell(state);
  }

  drawHop(context, hop, t) {
    const way = lane(hop.channel), colour = colourOf(hop.packet);
    if (!way) return this.drawInside(context, hop, t);
    context.lineCap = "butt";
    if (hop.released > t || hop.released >= this.motion.length) { // owned, whether or not flits are on it
      context.strokeStyle = colour;
      context.globalAlpha = 0.35;
      context.lineWidth = this.thick / 2;
      context.beginPath();
      tracePath(context, way, 0, 1);
      context.stroke();
      context.globalAlpha = 1;
    }
    context.strokeStyle = colour;
    context.lineWidth = this.thick;
    for (const [from, to] of this.onTheWay(hop, t)) {
      context.beginPath();
      tracePath(context, way, from, to);
      context.stroke();
    }
    if (hop.headerStart !== null && t >= hop.headerStart && t < hop.headerArrival) {
      const [x, y, angle] = pointAt(way, (t - hop.headerStart) / (hop.headerArrival - hop.headerStart));
      this.head(context, x, y, angle, colour);
    }
  }

  /// In the memory of an in-transit host, which is no buffer of the channel, only the number of flits.
  drawBuffers(context, state) {
    for (const { channel, vc, packets } of this.motion.buffers(state)) {
      const way = lane(channel);
      if (!way) continue;
      if (packets[0].hop.toHost) this.drawMemory(context, way, packets);
      else this.drawBuffer(context, way, channel, vc, packets);
    }
  }

  /// The pieces of a channel that carry flits, as shares of its length.
  onTheWay(hop, t) {
    const pieces = [];
    if (!hop.runs.length) { // only head and tail are known
      if (hop.headerStart === null || t < hop.headerStart) return pieces;
      const head = (t - hop.headerStart) / hop.delay, tail = t > hop.released ? (t - hop.released) / hop.delay : 0;
      return tail < 1 ? [[tail, Math.min(head, 1)]] : pieces;
    }
    const runs = hop.runs;
    for (let i = 0; i < runs.length; i += 4) {
      const first = runs[i + 2], period = runs[i + 3], last = first + (runs[i + 1] - 1) * period;
      if (first > t) break;
      if (last + hop.delay < t) continue;
      const reach = Math.max(period, 0.02 * hop.delay);
      pieces.push([Math.max(0, (t - last - (last < t ? reach : 0)) / hop.delay), Math.min(1, (t - first) / hop.delay)]);
    }
    return pieces;
  }

  head(context, x, y, angle, colour) {
    const size = this.thick * 1.5;
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(size, 0);
    context.lineTo(-size * 0.7, size * 0.8);
    context.lineTo(-size * 0.7, -size * 0.8);
    context.fill();
    context.restore();
  }

  /// A bar at the far end, which packets fill in their order from there, with the number of flits of all.
  drawBuffer(context, way, channel, vc, packets) {
    const [x, y, angle] = pointAt(way, 1), rules = NETWORK.rules[NETWORK.channelRules[channel]];
    const size = 20, wide = 5, flits = d3.sum(packets, one => one.count);
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.translate(-size - 13, 3 + vc * (wide + 1.5));
    context.fillStyle = this.paper;
    context.fillRect(0, 0, size, wide);
    let end = size;
    for (const { hop, count } of packets) {
      const begin = Math.max(0, end - size * count / rules.flow.buffer_flits);
      context.fillStyle = colourOf(hop.packet);
      context.fillRect(begin, 0, end - begin, wide);
      end = begin;
    }
    context.strokeStyle = "#78838f";
    context.lineWidth = 0.7;
    context.strokeRect(0, 0, size, wide);
    context.restore();
    if (this.scale > 0.7) {
      context.fillStyle = packets.length > 1 ? this.ink : colourOf(packets[0].hop.packet);
      context.font = "bold 7px sans-serif";
      const across = vc * (wide + 1.5); // beside the bars of other virtual channels
      context.fillText(String(flits), x - 26 * Math.cos(angle) + (6 + across) * Math.abs(Math.sin(angle)) + 4,
        y - 26 * Math.sin(angle) + (14 + across) * Math.abs(Math.cos(angle)));
    }
  }

  /// Packets that an in-transit host keeps until it sends them on.
  drawMemory(context, way, packets) {
    const [x, y, angle] = pointAt(way, 1);
    context.fillStyle = packets.length > 1 ? this.ink : colourOf(packets[0].hop.packet);
    context.fillRect(x - 3, y - 3, 6, 6);
    if (this.scale <= 0.7) return;
    context.font = "bold 7px sans-serif";
    context.fillText(String(d3.sum(packets, one => one.count)), x + 5 - 12 * Math.cos(angle), y + 3 - 12 * Math.sin(angle));
  }

  /// A stay on a channel inside a switch, whose far end is the buffer of an output.
  drawInside(context, hop, t) {
    const count = this.motion.buffered(hop, t);
    if (!count || !hop.next.length) return;
    const way = lane(hop.next[0].channel);
    if (!way) return;
    const [x, y] = pointAt(way, 0);
    context.fillStyle = colourOf(hop.packet);
    context.fillRect(x - 4, y - 4, 8, 8);
    if (this.scale > 0.7) {
      context.font = "bold 7px sans-serif";
      context.fillText(String(count), x + 6, y + 3);
    }
  }

  drawWait(context, { hop, wanted }) {
    const way = lane(hop.channel) || (hop.up && lane(hop.up.channel));
    if (!way) return;
    const [x, y] = pointAt(way, 1), size = this.thick * 1.5;
    context.strokeStyle = BAD;
    context.lineWidth = Math.max(1.6, this.thick / 3);
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.stroke();
    const out = wanted === null ? null : lane(wanted);
    if (!out) return;
    const [ox, oy] = pointAt(out, 0);
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(ox, oy);
    context.stroke();
    context.setLineDash([]);
  }

  /// A token that goes against a channel's direction.
  drawBack(context, channel, share, colour, size) {
    const way = lane(channel);
    if (!way) return;
    const [x, y] = pointAt(way, 1 - share);
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, this.thick * 0.9 * size, 0, 2 * Math.PI);
    context.fill();
  }

  drawCredits(context, run, t) {
    const shares = this.motion.underWay(run, t), way = shares.length ? lane(run[CREDITS.channel]) : null;
    if (!way) return;
    if (shares.length <= Math.min(MOST_DOTS, way.length / (1.6 * this.thick))) { // else they would touch each other
      for (const share of shares) this.drawBack(context, run[CREDITS.channel], share, CREDIT, 0.45);
      return;
    }
    context.strokeStyle = CREDIT;
    context.lineWidth = this.thick * 0.3;
    context.setLineDash([2, 2]);
    context.beginPath();
    tracePath(context, way, 1 - shares[shares.length - 1], 1 - shares[0]);
    context.stroke();
    context.setLineDash([]);
  }

  /// What CPUs, buses and DMA engines of hosts do.
  drawActivities(context, state) {
    const seen = new Map();
    for (const [host, row, name] of state.activities) {
      const box = NETWORK.boxes[`h${host}`];
      if (!box) continue;
      const place = seen.get(host) || 0;
      seen.set(host, place + 1);
      const [x, y, width, height] = box;
      context.fillStyle = d3.schemeSet2[[...row].reduce((sum, c) => sum + c.charCodeAt(0), 0) % 8];
      context.fillRect(x - width / 2 + place * 5, y + height / 2 + 2, 4, 4);
      if (this.scale > 1.6 && place < 4) {
        context.font = "3.4px sans-serif";
        context.fillText(`${row}: ${name}`.slice(0, 13), x - width / 2, y + height / 2 + 11 + place * 4);
      }
    }
  }

  where(hop) {
    const [kind, unit] = this.motion.motion.channels[hop.channel].slice(3);
    return kind === 0 ? NETWORK.hosts[unit] : unit < NETWORK.counts.s ? `s${unit}` : "an output buffer";
  }

  tell(state) {
    const ns = t => d3.format(",.3f")(t / PS_PER_NS);
    document.getElementById("time").textContent = `${ns(state.t + MOTION.start)} ns`;
    const slider = document.getElementById("at");
    if (document.activeElement !== slider) slider.value = String(Math.round(state.t / this.motion.length * 1e6));
    const cursor = document.getElementById("cursor"), x = 400 * state.t / this.motion.length;
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    const waits = state.waiting.filter(wait => wait.since !== null);
    const lines = waits.slice(0, 3).map(({ hop, since, wanted, holders }) => {
      const [from, to] = MOTION.packets[hop.packet];
      const of = wanted === null ? "" : ` for ${wanted < 2 * NETWORK.counts.c ? `cable ${Math.floor(wanted / 2)}` : "the crossbar"}`;
      const held = holders.length ? `, held by packet ${[...new Set(holders)].join(", ")}` : "";
      return `<span class="wait">packet ${hop.packet} (${from} to ${to}) waits at ${this.where(hop)}${of}${held}, since ${ns(since + MOTION.start)} ns</span>`;
    });
    const packets = new Set(state.active.map(hop => hop.packet)).size;
    document.getElementById("now").innerHTML = `<span>${packets} packets on ${state.owners.size} channels, ${waits.length === 1 ? "1 head waits" : `${waits.length} heads wait`}</span>` + lines.join("");
  }

  facts(kind, number) {
    const state = this.state(), found = [];
    if (kind === "c")
      for (const channel of [2 * number, 2 * number + 1])
        for (const hop of state.active.filter(one => one.channel === channel)) {
          const [from, to] = MOTION.packets[hop.packet], count = this.motion.buffered(hop, state.t);
          found.push([`now, vc ${hop.vc}`, `packet ${hop.packet} (${from} to ${to}), ${hop.flits} flits` +
            (count === null ? "" : `, ${this.motion.sent(hop, state.t)} sent, ${count} in the far buffer`)]);
        }
    if (kind === "h") for (const [host, row, name] of state.activities) if (host === number) found.push([row, name]);
    return found;
  }
}

d3.select("#stage svg .cables").style("opacity", 0.4);
const player = new Player(new Motion(MOTION, NETWORK));
window.player = player; // for tests, and for those who look
