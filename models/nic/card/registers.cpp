#include "models/nic/card/registers.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "models/nic/card/register_watch.hpp"

namespace sanvp::nic {
namespace {

std::string bytes_of(std::size_t count) { return count == 1 ? "1 byte" : fmt::format("{} bytes", count); }

std::string widths(const RegisterFacts& facts, bool is_write) {
  const bool has_range = is_write && facts.most_bytes > facts.bytes;
  return has_range ? fmt::format("{} to {}", facts.bytes, facts.most_bytes) : fmt::format("{}", facts.bytes);
}

}  // namespace

std::vector<std::uint64_t> RegisterTable::sizes() const {
  std::vector<std::uint64_t> sizes;
  for (const WindowFacts& window : windows_) sizes.push_back(window.bytes);
  return sizes;
}

void RegisterTable::add(WindowFacts window) {
  if (window.pages.stride != 0) window.bytes = std::uint64_t{window.pages.count} * window.pages.stride;
  indices_.push_back({.page_bytes = window.pages.stride, .numbers = {}});
  windows_.push_back(std::move(window));
}

void RegisterTable::add(RegisterFacts facts) {
  const auto wrong = [&](const char* why) {
    throw std::logic_error(fmt::format("register {} at {:#x}: {}", facts.name, facts.offset, why));
  };
  if (facts.window < 0 || static_cast<std::size_t>(facts.window) >= windows_.size()) wrong("there is no such window");
  const WindowFacts& window = windows_[static_cast<std::size_t>(facts.window)];
  Index& index = indices_[static_cast<std::size_t>(facts.window)];
  if (window.kind != WindowKind::registers) wrong("its window has no registers");
  if (facts.offset % word_bytes != 0 || facts.bytes % word_bytes != 0 || facts.bytes == 0)
    wrong("it is not made of aligned words");
  if (facts.bytes > most_register_bytes || facts.most_bytes > most_register_bytes) wrong("it is too wide");
  if (!facts.can_read && !facts.can_write) wrong("it can be neither read nor written");
  const std::uint64_t page = window.pages.stride != 0 ? window.pages.stride : window.bytes;
  registers_.push_back(facts);
  for (std::uint32_t row = 0; row < facts.row.count; ++row)
    for (std::uint32_t item = 0; item < facts.item.count; ++item) {
      const std::uint32_t at = facts.offset + row * facts.row.stride + item * facts.item.stride;
      if (std::uint64_t{at} + facts.bytes > page) wrong("it is not inside its window");
      for (std::size_t word = at / word_bytes; word < (at + facts.bytes) / word_bytes; ++word) {
        if (index.numbers.size() <= word) index.numbers.resize(word + 1);
        if (index.numbers[word] != 0) wrong("another register is there");
        index.numbers[word] = static_cast<std::uint16_t>(registers_.size());
      }
    }
}

std::string RegisterTable::refusal(const Attempt& attempt, std::span<const std::uint64_t> sizes) const {
  const auto [window, offset, bytes, is_write] = attempt;
  const std::string access = is_write ? "a write" : "a read";
  if (window < 0 || static_cast<std::size_t>(window) >= windows_.size())
    return fmt::format("the card has no window {}", window);
  const auto number = static_cast<std::size_t>(window);
  const WindowFacts& of = windows_[number];
  if (sizes[number] == 0) return fmt::format("{} of window {}, which is empty on this machine", access, of.name);
  if (offset >= sizes[number] || bytes > sizes[number] - offset)
    return fmt::format("{} of {} at {:#x} of window {}, which has {:#x}", access, bytes_of(bytes), offset, of.name,
                       sizes[number]);
  if (of.kind == WindowKind::read_only && is_write)
    return fmt::format("a write to window {}, which can only be read", of.name);
  if (of.kind != WindowKind::registers) return {};
  const Found found = find(window, offset);
  if (found.number < 0) return fmt::format("no register at {:#x} of window {}", offset, of.name);
  const RegisterFacts& facts = registers_[static_cast<std::size_t>(found.number)];
  const std::string target = name(found);
  if (found.inside != 0) return fmt::format("{} in the middle of {}, at byte {}", access, target, found.inside);
  if (is_write ? !facts.can_write : !facts.can_read)
    return fmt::format("{} of {}, which can only be {}", access, target, is_write ? "read" : "written");
  if (!facts.takes(bytes, is_write))
    return fmt::format("{} of {} {} {}, which {} {}", access, bytes_of(bytes), is_write ? "to" : "of", target,
                       is_write ? "takes" : "has", widths(facts, is_write));
  return {};
}

std::string text_of(const RegisterFacts& facts, const Store& store) {
  if (facts.bytes == sizeof(std::uint32_t)) return fmt::format("{:#x}", store.as<std::uint32_t>());
  std::string text;
  for (std::size_t i = 0; i < facts.bytes; ++i) text += fmt::format("{:02x}", std::to_integer<unsigned>(store.data[i]));
  return text;
}

std::string RegisterTable::name(const Found& found) const {
  const RegisterFacts& facts = registers_[static_cast<std::size_t>(found.number)];
  std::string text = facts.name;
  const Row& pages = windows_[static_cast<std::size_t>(facts.window)].pages;
  if (facts.item.count > 1) text += fmt::format(" {}", found.instance.item);
  if (facts.row.count > 1)
    text += *facts.row.each == '\0' ? fmt::format(" {}", found.instance.row)
                                    : fmt::format(" of {} {}", facts.row.each, found.instance.row);
  if (pages.stride != 0) text += fmt::format(" of {} {}", pages.each, found.instance.page);
  return text;
}

}  // namespace sanvp::nic
