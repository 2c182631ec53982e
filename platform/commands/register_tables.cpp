#include "platform/commands/register_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace sanvp::commands {
namespace {

using nic::RegisterFacts;
using nic::RegisterTable;
using nic::Row;
using nic::WindowFacts;
using nic::WindowKind;
using Json = nlohmann::ordered_json;

const char* access_of(const RegisterFacts& facts) {
  if (!facts.can_write) return "r";
  return facts.can_read ? "rw" : "w";
}

const char* name_of(WindowKind kind) {
  switch (kind) {
    case WindowKind::memory:
      return "memory";
    case WindowKind::read_only:
      return "read-only memory";
    case WindowKind::served:
      return "forwarded";
    default:
      return "registers";
  }
}

/// "64 MiB", "0x6000 bytes".
std::string size_of(std::uint64_t bytes) {
  constexpr std::uint64_t mebibyte = 1 << 20;
  if (bytes == 0) return "a size that depends on the machine";
  return bytes % mebibyte == 0 ? fmt::format("{} MiB", bytes / mebibyte) : fmt::format("{:#x} bytes", bytes);
}

std::string extent_of(const WindowFacts& window) {
  if (window.pages.stride == 0) return fmt::format("{}, {}", name_of(window.kind), size_of(window.bytes));
  const std::string count = window.pages.count == 0 ? "pages" : fmt::format("{} pages", window.pages.count);
  return fmt::format("{} of {:#x} bytes, one for each {}", count, window.pages.stride, window.pages.each);
}

/// " [8]", " [32 links] [36]".
std::string repeats_of(const RegisterFacts& facts) {
  std::string text;
  for (const Row& row : {facts.row, facts.item})
    if (row.count > 1)
      text += *row.each == '\0' ? fmt::format(" [{}]", row.count) : fmt::format(" [{} {}s]", row.count, row.each);
  return text;
}

constexpr std::size_t columns = 6;
using Line = std::array<std::string, columns>;

Line line_of(const RegisterFacts& facts) {
  const std::string bytes = facts.most_bytes > facts.bytes ? fmt::format("{}-{}", facts.bytes, facts.most_bytes)
                                                           : fmt::format("{}", facts.bytes);
  std::string meaning = facts.meaning;
  if (facts.effect != nullptr) meaning += fmt::format("; a read {}", facts.effect);
  return {fmt::format("{:#06x}", facts.offset),
          access_of(facts),
          bytes,
          fmt::format("{:#x}", facts.reset),
          facts.name + repeats_of(facts),
          fmt::format("{} [{}]", meaning, facts.source)};
}

Json to_json(const Row& row) { return {{"each", row.each}, {"count", row.count}, {"stride", row.stride}}; }

}  // namespace

std::string register_text(const RegisterTable& table) {
  std::string text;
  for (std::size_t number = 0; number < table.windows().size(); ++number) {
    const WindowFacts& window = table.windows()[number];
    text += fmt::format("  window {}, {}: {}: {} [{}]\n", number, window.name, extent_of(window), window.meaning,
                        window.source);
    std::vector<Line> lines{{"offset", "access", "bytes", "reset", "name", "meaning"}};
    std::vector<RegisterFacts> registers;
    for (const RegisterFacts& facts : table.registers())
      if (static_cast<std::size_t>(facts.window) == number) registers.push_back(facts);
    std::ranges::sort(registers, {}, &RegisterFacts::offset);
    for (const RegisterFacts& facts : registers) lines.push_back(line_of(facts));
    if (registers.empty()) continue;
    std::array<std::size_t, columns> widths{};
    for (const Line& line : lines)
      for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], line[i].size());
    for (const Line& line : lines) {
      text += "   ";
      for (std::size_t i = 0; i + 1 < columns; ++i) text += fmt::format(" {:<{}}", line[i], widths[i]);
      text += " " + line.back() + "\n";
    }
  }
  return text;
}

Json register_json(const RegisterTable& table) {
  Json json{{"windows", Json::array()}, {"registers", Json::array()}};
  for (const WindowFacts& window : table.windows()) {
    Json one{{"name", window.name},
             {"kind", name_of(window.kind)},
             {"bytes", window.bytes},
             {"documentation", window.meaning},
             {"source", window.source}};
    if (window.pages.stride != 0) one["pages"] = to_json(window.pages);
    json["windows"].push_back(one);
  }
  for (const RegisterFacts& facts : table.registers()) {
    Json one{{"name", facts.name},
             {"window", facts.window},
             {"offset", facts.offset},
             {"bytes", facts.bytes},
             {"access", access_of(facts)},
             {"reset", facts.reset},
             {"documentation", facts.meaning},
             {"source", facts.source}};
    if (facts.most_bytes > facts.bytes) one["most_bytes"] = facts.most_bytes;
    for (const Row& row : {facts.row, facts.item})
      if (row.count > 1) one["repeats"].push_back(to_json(row));
    if (facts.effect != nullptr) one["effect_of_read"] = facts.effect;
    json["registers"].push_back(one);
  }
  return json;
}

}  // namespace sanvp::commands
