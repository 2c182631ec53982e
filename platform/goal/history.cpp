#include "platform/goal/history.hpp"

#include <algorithm>

#include "models/net/hop.hpp"

namespace sanvp::goal {
namespace {

struct ByTransfer {
  bool operator()(const History::Wait& a, const History::Wait& b) const { return a.transfer < b.transfer; }
};

}  // namespace

History::History(const Program& program, std::uint64_t longest) : program_(program), longest_(longest) {
  std::size_t count = 0;
  for (const Rank& rank : program.ranks) {
    first_.push_back(count);
    count += rank.size();
  }
  records_.resize(count);
}

void History::started(std::uint32_t rank, std::uint32_t operation, Time start, Time until) {
  Record& record = at(rank, operation);
  record.start = start;
  record.until = until;
  const Operation& one = program_.ranks[rank][operation];
  if (one.kind == Kind::calc || (one.kind == Kind::send && one.size <= longest_)) record.end = until;
}

void History::carried(const Message& message, Time at_time) {
  at(message.source, message.operation).transfer = static_cast<std::uint32_t>(transfers_.size());
  transfers_.push_back({.message = message, .at = at_time});
}

void History::taken(const Message& message, Time start, Time end) {
  Transfer& transfer = transfers_[transfer_of(message)];
  transfer.taking = start;
  transfer.taken = end;
}

void History::matched(const Message& message, std::uint32_t receive, Time now, Time end) {
  const std::uint32_t number = transfer_of(message);
  transfers_[number].receive = receive;
  Record& record = at(message.destination, receive);
  record.transfer = number;
  record.end = end;
  if (message.bytes > longest_) at(message.source, message.operation).end = now;
}

void History::hop_over(const net::Hop& hop, Time) {
  const std::int64_t number = hop.packet->tag >> tag_shift;
  if (number == 0 || hop.up == nullptr || hop.requested_ps < 0 || hop.granted_ps <= hop.requested_ps) return;
  waits_.push_back({.transfer = static_cast<std::uint32_t>(number - 1),
                    .channel = hop.channel,
                    .span = Time{hop.granted_ps - hop.requested_ps}});
  is_sorted_ = false;
}

std::vector<History::Wait> History::waits_of(std::uint32_t transfer) {
  if (!is_sorted_) std::stable_sort(waits_.begin(), waits_.end(), ByTransfer{});
  is_sorted_ = true;
  const auto [from, until] = std::equal_range(waits_.begin(), waits_.end(), Wait{.transfer = transfer}, ByTransfer{});
  return {from, until};
}

}  // namespace sanvp::goal
