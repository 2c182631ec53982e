/// `card`: registers, counters and pending work of cards.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <string>

#include "platform/core/registry.hpp"
#include "platform/inspection/inspection.hpp"

namespace sanvp {
namespace {

using Json = Inspection::Json;

/// A record, byte by byte.
std::string hex_of(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

/// Registers whose values are not those after a reset.
Json registers_of(const nic::NicModule& card) {
  Json changed = Json::object();
  for (const nic::RegisterValue& one : card.inspect()) {
    if (!one.value) continue;
    const std::span<const std::byte> bytes = one.value->bytes();
    if (bytes.size() <= sizeof(std::uint32_t)) {
      if (one.value->word() != one.facts->reset) changed[one.name] = fmt::format("{:#x}", one.value->word());
    } else if (std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{0}; })) {
      changed[one.name] = hex_of(bytes);
    }
  }
  return changed;
}

/// Those that have counted anything.
Json counters_of(const nic::NicModule& card) {
  StatisticsTable table;
  card.report(table);
  Json counters = Json::object();
  std::istringstream lines(table.table().csv());
  std::string line;
  std::getline(lines, line);           // the heading
  while (std::getline(lines, line)) {  // path,name,unit,value
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.pop_back();
    const std::size_t value = line.rfind(','), name = line.find(',') + 1;
    if (value == std::string::npos || line.substr(value + 1) == "0") continue;
    counters[line.substr(name, line.find(',', name) - name)] = line.substr(value + 1);
  }
  return counters;
}

Json queues_of(const nic::NicModule& card) {
  Json queues = Json::object();
  for (const nic::CardQueue& queue : card.queues()) {
    Json& entries = queues[queue.name] = Json::array();
    for (const nic::QueueEntry& entry : queue.entries) {
      Json one = Json::object();
      for (const auto& [name, cell] : entry.values()) std::visit([&](const auto& value) { one[name] = value; }, cell);
      entries.push_back(std::move(one));
    }
  }
  return queues;
}

Json card_of(Cluster& cluster, int node) {
  const nic::NicModule& card = *cluster.cards()[static_cast<std::size_t>(node)];
  const std::string busy = card.busy();
  return {{"node", node},
          {"state", busy.empty() ? "idle" : busy},
          {"queues", queues_of(card)},
          {"registers", registers_of(card)},
          {"counters", counters_of(card)}};
}

Json look(const Inspected& inspected, std::optional<int> number) {
  if (number) return card_of(inspected.cluster, *number);
  Json cards = Json::array();
  const auto all = inspected.cluster.cards();
  for (std::size_t node = 0; node < all.size(); ++node)
    cards.push_back({{"node", node}, {"state", all[node]->busy().empty() ? "idle" : all[node]->busy()}});
  return {{"cards", cards}};
}

int count(const Inspected& inspected) { return static_cast<int>(inspected.cluster.cards().size()); }

const Registration<Inspection> registration{{.name = "card",
                                             .summary = "card [N]: what each card has to do; of one what waits in its "
                                                        "queues, its registers that have changed, and its counters",
                                             .numbered = "card",
                                             .count = count,
                                             .look = look}};

}  // namespace
}  // namespace sanvp
