#include "platform/breakpoints/breakpoints.hpp"

#include <fmt/format.h>

#include <sstream>

#include "platform/core/registry.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp {

Breakpoints::Breakpoints(const Watched& watched, std::function<bool(const std::string& what)> stop)
    : watched_(watched), stop_(std::move(stop)) {}

Breakpoints::Set Breakpoints::make(int number, std::string_view line) {
  std::istringstream in{std::string(line)};
  std::string name;
  in >> name;
  Breakpoint::Words words;
  for (std::string word; in >> word;) words.push_back(word);
  const Breakpoint& kind = Registry<Breakpoint>::get(name, break_place);
  const auto hit = [this, number](const std::string& what) {
    Cluster& cluster = watched_.cluster;
    std::string text;
    if (!what.empty())
      text = fmt::format("breakpoint {} of the machine, at {}: {}", number, to_text(cluster.now()), what);
    cluster.look_at(cluster.now(), [this, number, text] { return !set_.contains(number) || stop_(text); });
  };
  return {std::string(trimmed(line)), kind.set(watched_, words, hit)};
}

std::string Breakpoints::set(std::string_view line) {
  Set made = make(last_ + 1, line);
  return set_.emplace(++last_, std::move(made)).first->second.watch->text();
}

void Breakpoints::erase(std::string_view number) {
  if (number.empty()) return clear();
  const std::int64_t parsed = parse_count(std::string(number), "monitor delete");
  const auto found = set_.find(static_cast<int>(parsed));
  if (found == set_.end() || parsed != found->first)
    throw UserError("monitor delete", fmt::format("there is no breakpoint {} of the machine", parsed),
                    "`monitor breaks` lists them");
  set_.erase(found);
}

std::string Breakpoints::list() const {
  std::string text;
  for (const auto& [number, one] : set_) text += fmt::format("{}: {}, {}\n", number, one.line, one.watch->text());
  return text.empty() ? "no breakpoints of the machine are set\n" : text;
}

std::string Breakpoints::state() const {
  std::string text = std::to_string(last_) + "\n";
  for (const auto& [number, one] : set_) text += fmt::format("{} {}\n", number, one.line);
  return text;
}

void Breakpoints::restore(const std::string& state) {
  clear();
  std::istringstream in(state);
  std::string line;
  std::getline(in, line);
  last_ = static_cast<int>(parse_count(line, break_place));
  while (std::getline(in, line)) {
    const std::size_t space = line.find(' ');
    const auto number = static_cast<int>(parse_count(line.substr(0, space), break_place));
    set_.emplace(number, make(number, line.substr(space + 1)));
  }
}

std::string Breakpoints::forms() {
  std::string text;
  for (const auto& [name, kind] : Registry<Breakpoint>::all())
    text += fmt::format("  break {}: {}\n", kind.form, kind.meaning);
  return text;
}

}  // namespace sanvp
