#include "platform/commands/own_firmware.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "models/nic/card/firmware_files.hpp"

namespace sanvp::commands {
namespace {

/// The cards that run firmware.
std::vector<const nic::RunsFirmware*> cards_of(Cluster& cluster) {
  std::vector<const nic::RunsFirmware*> cards;
  for (const nic::NicModule* card : cluster.cards())
    if (const auto* const runs = dynamic_cast<const nic::RunsFirmware*>(card)) cards.push_back(runs);
  return cards;
}

/// Those that the user gives: all cards have the same.
std::vector<nic::FirmwareProgram> given_to(const std::vector<const nic::RunsFirmware*>& cards) {
  return cards.empty() ? std::vector<nic::FirmwareProgram>() : cards.front()->firmware_files().given();
}

std::ptrdiff_t count_with(const nic::FirmwareProgram& program, const std::vector<const nic::RunsFirmware*>& cards) {
  return std::ranges::count_if(cards, [&](const nic::RunsFirmware* card) {
    return std::ranges::count(card->firmware(), program.path, &nic::FirmwareProgram::path) > 0;
  });
}

}  // namespace

nlohmann::ordered_json own_firmware(Cluster& cluster) {
  const auto cards = cards_of(cluster);
  auto json = nlohmann::ordered_json::array();
  for (const nic::FirmwareProgram& program : given_to(cards))
    json.push_back({{"program", program.name}, {"file", program.given}, {"cards", count_with(program, cards)}});
  return json;
}

std::string unused_firmware(Cluster& cluster) {
  const auto cards = cards_of(cluster);
  std::string unused, loaded;
  for (const nic::FirmwareProgram& program : given_to(cards))
    if (count_with(program, cards) == 0) unused += (unused.empty() ? "" : ", ") + program.given;
  if (unused.empty()) return {};
  std::set<std::string> names;
  for (const nic::RunsFirmware* card : cards)
    for (const nic::FirmwareProgram& program : card->firmware()) names.insert(program.name);
  for (const std::string& name : names) loaded += (loaded.empty() ? "" : ", ") + name;
  return "nic.firmware: no card has loaded " + unused + "; the programs that cards have loaded are " +
         (loaded.empty() ? "none" : loaded) + ": the name of a file says which of them it replaces";
}

}  // namespace sanvp::commands
