#include "platform/faults/account.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/net/packet.hpp"
#include "platform/core/units.hpp"

namespace sanvp::faults {
namespace {

void add(Account::Count& count, const net::Packet& packet) {
  ++count.packets;
  count.flits += packet.flits;
}

void add(Account::Count& sum, const Account::Count& more) {
  sum.packets += more.packets;
  sum.flits += more.flits;
}

}  // namespace

void Account::end_interval(Time now) {
  Interval& interval = intervals_.back();
  interval.until = now;
  if (!resent_) return;
  const std::uint64_t resent = resent_();
  interval.resent = resent - std::exchange(resent_before_, resent);
}

void Account::begin(const Event& event, const std::string& part, Time now) {
  end_interval(now);
  intervals_.push_back(
      {.from = now, .until = now, .event = faults::to_text(event.part) + (event.down ? " down" : " up"), .part = part});
  if (event.down)
    down_.push_back({event.part, last_failure_ = intervals_.size() - 1});
  else
    std::erase_if(down_, [&](const Down& one) { return one.part == event.part; });
}

void Account::close(Time now) {
  end_interval(now);
  for (const auto& [unused, gap] : gaps_) {
    if (!gap.is_open) continue;
    Interval& interval = intervals_[gap.interval];
    interval.longest = std::max(interval.longest, now - gap.since);
  }
}

void Account::packet_sent(const net::Packet& packet, Time) { add(intervals_.back().sent, packet); }

void Account::packet_delivered(const net::Packet& packet, int host, Time now) {
  add(intervals_.back().delivered, packet);
  if (gaps_.empty()) return;
  const auto found = gaps_.find(pair(packet.source, host));
  if (found == gaps_.end()) return;
  Gap& gap = found->second;
  gap.served = now;
  if (!std::exchange(gap.is_open, false)) return;
  --open_gaps_;
  Interval& interval = intervals_[gap.interval];
  ++interval.pairs_served;
  interval.served_at = now;
  interval.longest = std::max(interval.longest, now - gap.since);
}

void Account::packet_lost(const net::Packet& packet, std::span<const int> hosts, Time now) {
  constexpr std::size_t few = 8;
  if (first_losses_.size() < few)
    first_losses_.push_back({now, packet.source, hosts.empty() ? packet.destination : hosts.front()});
  add(intervals_.back().lost, packet);
  for (const int host : hosts) open_gap(packet.source, host, now);
}

/// The loss of a packet on a failed channel may be found only when the channel works again. If nothing has failed since
/// the start, the time begins with the loss.
void Account::open_gap(int source, int host, Time now) {
  Gap& gap = gaps_[pair(source, host)];
  if (std::exchange(gap.is_open, true)) return;
  ++open_gaps_;
  gap.interval = down_.empty() ? last_failure_ : down_.back().interval;
  gap.since = gap.interval == 0 ? now : std::max(intervals_[gap.interval].from, gap.served);
  ++intervals_[gap.interval].pairs_cut;
}

Account::Totals Account::totals() const {
  Totals totals{.events = static_cast<std::int64_t>(intervals_.size()) - 1, .pairs_unserved = open_gaps_};
  for (const Interval& one : intervals_) {
    add(totals.sent, one.sent);
    add(totals.delivered, one.delivered);
    add(totals.lost, one.lost);
    if (resent_) totals.resent = totals.resent.value_or(0) + one.resent;
    totals.pairs_cut += one.pairs_cut;
    totals.longest = std::max(totals.longest, one.longest);
  }
  return totals;
}

Table table(const Account& account, int flit_bytes) {
  Table table({"from_ns", "until_ns", "event", "part", "sent_packets", "sent_bytes", "delivered_packets",
               "delivered_bytes", "lost_packets", "lost_bytes", "resent_packets", "pairs_cut", "pairs_served_again",
               "served_again_ns", "longest_without_service_ns"});
  for (const Account::Interval& one : account.intervals()) {
    std::vector<Cell> row{in_ns(one.from), in_ns(one.until), one.event, one.part};
    for (const Account::Count& count : {one.sent, one.delivered, one.lost}) {
      row.emplace_back(count.packets);
      row.emplace_back(count.flits * flit_bytes);
    }
    row.push_back(account.counts_resent() ? Cell(static_cast<std::int64_t>(one.resent)) : Cell(""));
    row.emplace_back(one.pairs_cut);
    row.emplace_back(one.pairs_served);
    row.push_back(one.served_at == never ? Cell("") : Cell(in_ns(one.served_at)));
    row.push_back(one.pairs_cut == 0 ? Cell("") : Cell(in_ns(one.longest)));
    table.add(row);
  }
  return table;
}

nlohmann::ordered_json to_json(const Account::Totals& totals) {
  using Json = nlohmann::ordered_json;
  return {{"events", totals.events},
          {"sent_packets", totals.sent.packets},
          {"delivered_packets", totals.delivered.packets},
          {"lost_packets", totals.lost.packets},
          {"resent_packets", totals.resent ? Json(*totals.resent) : Json(nullptr)},
          {"pairs_cut", totals.pairs_cut},
          {"pairs_unserved", totals.pairs_unserved},
          {"longest_without_service_ns", in_ns(totals.longest)}};
}

std::string to_text(const Account::Totals& totals) {
  const auto count = [](std::int64_t number, const char* what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  std::string text = "faults: " + count(totals.events, "event") + ", " + count(totals.lost.packets, "packet") +
                     " lost of " + std::to_string(totals.sent.packets);
  if (totals.pairs_cut > 0)
    text += ", " + sanvp::to_text(totals.longest) + " the longest time of a pair without service";
  if (totals.pairs_unserved > 0) text += ", " + count(totals.pairs_unserved, "pair") + " without it at the end";
  return text + "\n";
}

}  // namespace sanvp::faults
