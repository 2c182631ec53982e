#include "platform/jobs/sent_messages.hpp"

#include <algorithm>

namespace sanvp::jobs {
namespace {

/// Communicators by the context that their messages have; others are known by the number alone
/// (sw/mpi/communicators/communicator.c).
std::string communicator(std::uint64_t tag) {
  constexpr int tag_bits = 32;
  constexpr std::uint64_t world = 0, self = 2;
  const std::uint64_t context = tag >> tag_bits;
  if (context == world) return "MPI_COMM_WORLD";
  return context == self ? "MPI_COMM_SELF" : "communicator " + std::to_string(context);
}

}  // namespace

void SentMessages::sent(int from, int to, std::uint64_t tag, std::uint64_t bytes) {
  ranks_[to].messages[{from, tag}].push_back({++number_, bytes});
}

void SentMessages::posted(int to, std::uint64_t receive, int from, std::uint64_t tag, std::uint64_t mask) {
  ranks_[to].receives[receive] = {.number = ++number_, .tag = tag, .mask = mask, .from = from};
}

void SentMessages::over(int from, int to, std::uint64_t tag, std::uint64_t receive) {
  Rank& rank = ranks_[to];
  rank.receives.erase(receive);
  const bool has_no_message = from < 0 && receive != 0;
  const auto found = from < 0 ? rank.messages.begin() : rank.messages.find({from, tag});
  if (has_no_message || found == rank.messages.end()) return;
  if (receive == 0 && from >= 0)  // a cancelled send, of which there may be earlier ones
    found->second.pop_back();
  else
    found->second.pop_front();
  if (found->second.empty()) rank.messages.erase(found);
}

std::vector<SentMessages::Open> SentMessages::sends() const {
  std::vector<Open> open;
  for (const auto& [to, rank] : ranks_) {
    std::map<std::uint64_t, Open> in_order;
    for (const auto& [key, messages] : rank.messages)
      for (const Message& message : messages)
        in_order.insert({message.number,
                         {.from = key.first,
                          .to = to,
                          .tag = std::to_string(static_cast<std::uint32_t>(key.second)),
                          .communicator = communicator(key.second),
                          .bytes = message.bytes}});
    for (const auto& [number, message] : in_order) open.push_back(message);
  }
  return open;
}

std::vector<SentMessages::Open> SentMessages::receives() const {
  std::vector<Open> open;
  for (const auto& [to, rank] : ranks_) {
    std::map<std::uint64_t, Open> in_order;
    for (const auto& [id, receive] : rank.receives) {
      const bool any_tag = static_cast<std::uint32_t>(receive.mask) == 0;
      in_order.insert({receive.number,
                       {.from = receive.from,
                        .to = to,
                        .tag = any_tag ? "any" : std::to_string(static_cast<std::uint32_t>(receive.tag)),
                        .communicator = communicator(receive.tag)}});
    }
    for (const auto& [number, receive] : in_order) open.push_back(receive);
  }
  return open;
}

std::vector<std::int64_t> SentMessages::counts(std::size_t ranks) const {
  std::vector<std::int64_t> counts(ranks);
  for (const auto& [to, rank] : ranks_)
    for (const auto& [key, messages] : rank.messages)
      if (static_cast<std::size_t>(to) < ranks) counts[to] += static_cast<std::int64_t>(messages.size());
  return counts;
}

std::vector<SentMessages::Left> SentMessages::left_of(const Rank& rank) {
  std::vector<Left> left;
  for (const auto& [key, messages] : rank.messages)
    for (const Message& message : messages)
      if (key.second != unknown_tag) left.push_back({key.first, key.second, message});
  const auto earlier = [](const auto& a, const auto& b) { return a.number < b.number; };
  std::sort(left.begin(), left.end(), [&](const Left& a, const Left& b) { return earlier(a.message, b.message); });
  std::vector<Receive> receives;
  for (const auto& [id, receive] : rank.receives) receives.push_back(receive);
  std::sort(receives.begin(), receives.end(), earlier);
  for (const Receive& receive : receives) {
    const auto taken = std::find_if(left.begin(), left.end(), [&](const Left& one) {
      return (receive.from < 0 || receive.from == one.from) && (one.tag & receive.mask) == (receive.tag & receive.mask);
    });
    if (taken != left.end()) left.erase(taken);
  }
  return left;
}

std::int64_t SentMessages::unmatched_at(int rank) const {
  const auto found = ranks_.find(rank);
  return found == ranks_.end() ? 0 : static_cast<std::int64_t>(left_of(found->second).size());
}

std::vector<std::string> SentMessages::unmatched() const {
  std::vector<std::string> lines;
  for (const auto& [to, rank] : ranks_)
    for (const auto& [from, tag, message] : left_of(rank))
      lines.push_back("to rank " + std::to_string(to) + ": from rank " + std::to_string(from) + ", tag " +
                      std::to_string(static_cast<std::uint32_t>(tag)) + ", " + communicator(tag) + ", " +
                      std::to_string(message.bytes) + (message.bytes == 1 ? " byte" : " bytes"));
  return lines;
}

}  // namespace sanvp::jobs
