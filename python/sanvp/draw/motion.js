"use strict";
// What a timeline recorded, at any instant. Nothing is simulated here: a flit is on its channel from its recorded start for the
// channel's delay, then in the buffer until the next hop has sent it.
const HOP = { packet: 0, channel: 1, vc: 2, granted: 3, requested: 4, headerStart: 5, headerArrival: 6, released: 7, flits: 8,
  strip: 9, prepend: 10, runs: 11 };
/// Batches of credits of a virtual channel that went back at equal intervals.
const CREDITS = { channel: 0, vc: 1, slots: 2, count: 3, first: 4, period: 5, delay: 6 };
const BUCKETS = 400; // of the time, so that an instant has few rows to look through

class Motion {
  constructor(motion, network) {
    this.motion = motion;
    this.network = network;
    this.length = motion.length;
    this.hops = motion.hops.map((row, index) => this.makeHop(row, index));
    const outside = new Set(motion.outside); // of a part that is drawn alone: they tell when a packet has left it
    this.shown = this.hops.filter(hop => !outside.has(hop.index));
    this.link();
    this.makeBuckets();
    this.times = this.makeTimes();
  }

  makeHop(row, index) {
    const rules = this.network.channelRules[row[HOP.channel]];
    return { index, packet: row[HOP.packet], channel: row[HOP.channel], vc: row[HOP.vc], granted: row[HOP.granted],
      headerStart: row[HOP.headerStart], headerArrival: row[HOP.headerArrival], requested: row[HOP.requested],
      released: row[HOP.released], flits: row[HOP.flits],
      strip: row[HOP.strip], prepend: row[HOP.prepend], runs: row[HOP.runs], delay: this.motion.delay[rules],
      lead: this.motion.lead[rules], next: [], up: null, end: 0 };
  }

  /// Which hop feeds which: the next ones of the packet that begin where it ends.
  link() {
    const open = new Map();
    for (const hop of this.hops) {
      const [kind, unit] = this.motion.channels[hop.channel];
      const key = `${hop.packet} ${kind} ${unit}`;
      hop.up = open.get(key) || null;
      if (hop.up) hop.up.next.push(hop);
      const to = this.motion.channels[hop.channel].slice(3);
      open.set(`${hop.packet} ${to[0]} ${to[1]}`, hop);
    }
    for (const hop of this.hops) {
      hop.toHost = this.motion.channels[hop.channel][3] === 0;
      hop.last = hop.toHost && hop.next.length === 0;
      hop.end = Math.min(this.length, Math.max(hop.released + hop.delay, ...hop.next.map(next => next.released)));
    }
  }

  makeBuckets() {
    this.bucketLength = Math.max(1, Math.ceil(this.length / BUCKETS));
    this.buckets = this.sorted(this.shown, hop => hop.granted, hop => hop.end);
    this.activities = this.sorted(this.motion.activities, one => one[3], one => one[4]);
    this.acks = this.sorted(this.motion.acks, one => one[2], one => one[3]);
    this.signals = this.sorted(this.motion.signals, one => one[3], one => one[4]);
    this.credits = this.sorted(this.motion.credits, run => run[CREDITS.first],
      run => run[CREDITS.first] + (run[CREDITS.count] - 1) * run[CREDITS.period] + run[CREDITS.delay]);
  }

  /// Rows in the buckets of the time from their begin to their end.
  sorted(rows, begin, end) {
    const found = Array.from({ length: BUCKETS + 1 }, () => []);
    for (const row of rows) {
      const last = Math.min(BUCKETS, Math.floor(end(row) / this.bucketLength));
      for (let b = Math.max(0, Math.floor(begin(row) / this.bucketLength)); b <= last; ++b) found[b].push(row);
    }
    return found;
  }

  /// The instants at which something begins or ends, for steps.
  makeTimes() {
    const times = new Set();
    for (const hop of this.shown)
      for (const t of [hop.granted, hop.headerStart, hop.headerArrival, hop.released])
        if (t !== null) times.add(t);
    for (const signal of this.motion.signals) { times.add(signal[3]); times.add(signal[4]); }
    for (const ack of this.motion.acks) { times.add(ack[2]); times.add(ack[3]); }
    return [...times].filter(t => t >= 0 && t <= this.length).sort((a, b) => a - b);
  }

  /// Flits of a hop that have started by an instant.
  sent(hop, t) {
    const runs = hop.runs;
    if (!runs.length) return null;
    let count = runs[0]; // those before the timeline
    for (let i = 0; i < runs.length; i += 4) {
      if (runs[i + 2] > t) break;
      const passed = runs[i + 3] > 0 ? Math.floor((t - runs[i + 2]) / runs[i + 3]) + 1 : runs[i + 1];
      count = runs[i] + Math.min(passed, runs[i + 1]);
    }
    return count;
  }

  arrived(hop, t) {
    if (hop.lead > 0 && this.sent(hop, t - hop.delay + hop.lead) === hop.flits) return hop.flits;
    return this.sent(hop, t - hop.delay);
  }

  /// Flits in the buffer at the far end; null if the timeline has no flits.
  buffered(hop, t) {
    const arrived = this.arrived(hop, t);
    if (arrived === null || hop.last) return arrived === null ? null : 0;
    let gone = hop.next.length ? arrived : 0;
    for (const next of hop.next) {
      const sent = this.sent(next, t) || 0;
      gone = Math.min(gone, sent === 0 ? 0 : Math.max(sent - next.prepend, 0) + hop.next[0].strip);
    }
    return arrived - gone;
  }

  /// Each buffer that has flits, with its packets in the order of their arrival and their numbers of flits.
  buffers(state) {
    const found = new Map();
    for (const hop of state.active) {
      const count = this.buffered(hop, state.t), key = `${hop.channel} ${hop.vc}`;
      if (!count) continue;
      if (!found.has(key)) found.set(key, { channel: hop.channel, vc: hop.vc, packets: [] });
      found.get(key).packets.push({ hop, count });
    }
    for (const { packets } of found.values()) packets.sort((a, b) => a.hop.granted - b.hop.granted);
    return [...found.values()];
  }

  /// Whether the head is at the far end, and the next hop has not been granted yet.
  isWaiting(hop, t) {
    if (hop.last || hop.headerArrival === null || hop.headerArrival > t) return false;
    return hop.next.length ? hop.next.every(next => next.granted > t) : !hop.toHost;
  }

  /// When the head of a waiting hop asked for its output: null if not yet, or not known.
  waitsSince(hop, t) {
    const requested = hop.next.length ? hop.next[0].requested : hop.headerArrival;
    return requested !== null && requested <= t ? requested : null;
  }

  /// The credits of a run that are on their way: shares of the way from the receiver to the sender.
  underWay(run, t) {
    const first = run[CREDITS.first], period = run[CREDITS.period], delay = run[CREDITS.delay], most = run[CREDITS.count] - 1;
    if (t < first) return [];
    const last = period ? Math.min(most, Math.floor((t - first) / period)) : most;
    const shares = [];
    for (let i = last; i >= 0 && t - first - i * period < delay; --i) shares.push((t - first - i * period) / delay);
    return shares;
  }

  at(t) {
    const bucket = Math.min(BUCKETS, Math.floor(t / this.bucketLength));
    const active = this.buckets[bucket].filter(h => h.granted <= t && t <= h.end);
    const owners = new Map();
    for (const hop of active) {
      if (hop.released <= t && hop.released < this.length) continue;
      if (!owners.has(hop.channel)) owners.set(hop.channel, []);
      owners.get(hop.channel).push(hop);
    }
    const waiting = [];
    for (const hop of active) {
      if (!this.isWaiting(hop, t)) continue;
      const since = this.waitsSince(hop, t), wanted = hop.next.length ? hop.next[0].channel : this.motion.wants[hop.packet] ?? null;
      waiting.push({ hop, since, wanted, holders: wanted === null ? [] : (owners.get(wanted) || []).map(h => h.packet) });
    }
    return {
      t, active, waiting, owners,
      acks: this.acks[bucket].filter(ack => ack[2] <= t && t < ack[3]),
      signals: this.signals[bucket].filter(signal => signal[3] <= t && t <= signal[4]),
      credits: this.credits[bucket],
      activities: this.activities[bucket].filter(a => a[3] <= t && t < a[4]),
    };
  }
}
