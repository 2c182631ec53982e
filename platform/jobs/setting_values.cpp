#include "platform/jobs/setting_values.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <regex>
#include <string_view>

#include "platform/core/error.hpp"
#include "platform/core/text.hpp"
#include "platform/jobs/told_settings.hpp"

namespace sanvp::jobs {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (;; text.remove_prefix(text.find(separator) + separator.size())) {
    parts.emplace_back(text.substr(0, text.find(separator)));
    if (text.find(separator) == text.npos) return parts;
  }
}

void require_one_of(const std::vector<std::string>& words, const std::string& word, const std::string& place) {
  if (std::ranges::find(words, word) != words.end()) return;
  const std::string near = nearest(word, words);
  throw UserError(place, in_quotes(word) + " is not one of " + listed(words),
                  near.empty() ? "" : "did you mean '" + near + "'?");
}

/// @param size  receives it. @return what is wrong; null: nothing. As sw/mpi/collectives/choice_rules.c reads them
const char* read_size(const std::string& text, double& size) {
  static const std::map<std::string, double> units{
      {"", 1},     {"B", 1},    {"k", 1 << 10}, {"K", 1 << 10},   {"M", 1 << 20},   {"G", 1 << 30},
      {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9},    {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
  if (text.empty()) return "a size is missing after ':'";
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto unit = units.find(text.substr(digits));
  if (digits == 0 || unit == units.end()) return "a size is a number of bytes such as 256, 1K, 1KiB or 1MiB";
  size = std::strtod(text.substr(0, digits).c_str(), nullptr) * unit->second;
  return size < std::ldexp(1, std::numeric_limits<std::size_t>::digits) ? nullptr : "a size is too large";
}

/// NAME, or NAME:SIZE,NAME:SIZE,NAME.
void require_algorithms(const std::vector<std::string>& names, const std::string& value, const std::string& place) {
  constexpr std::size_t most_rules = 6;  // MPI_RULES_MOST
  const auto refuse = [&](const std::string& cause) {
    throw UserError(place, in_quotes(value) + ": " + cause,
                    "by size, it is like " + names.at(1) + ":256," + names.at(2));
  };
  const std::vector<std::string> rules = split(value, ",");
  double last = 0;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::string& rule = rules[i];
    const std::size_t colon = rule.find(':');
    const bool is_last = i + 1 == rules.size();
    if (i == most_rules) refuse("too many rules: there are " + std::to_string(most_rules) + " at most");
    if (rule.empty() && is_last && i > 0) refuse("the name after the last size is missing");
    require_one_of(names, rule.substr(0, colon), place);
    if (colon == rule.npos && is_last) return;
    if (colon == rule.npos) refuse("a size is missing: each name but the last has one");
    double size = 0;
    if (const char* const wrong = read_size(rule.substr(colon + 1), size); wrong != nullptr) refuse(wrong);
    if (is_last) refuse("the last name has no size: add one for all that is larger");
    if (i > 0 && size <= last) refuse("sizes do not rise");
    last = size;
  }
}

}  // namespace

void require_value(const ParameterSet::Declared& setting, const std::string& value, const std::string& place) {
  const std::string& told = setting.documentation;
  constexpr std::string_view algorithms = "algorithm: ";  // MPI_CHOICE_MEANING of sw/mpi/collectives/collective.h
  static const std::regex one_of_two(".*: ([a-z]+) or ([a-z]+)(,.*)?");
  std::smatch words;
  if (setting.key == "transport.matching") return;  // a transport of the user's may have a word of its own
  if (told.starts_with(algorithms))
    require_algorithms(split(told.substr(algorithms.size(), told.find(';') - algorithms.size()), ", "), value, place);
  else if (std::regex_match(told, words, one_of_two))
    require_one_of({words[1], words[2]}, value, place);
  else if (told.starts_with("bytes ") && value != setting.fallback &&
           (value.empty() || std::isdigit(static_cast<unsigned char>(value.front())) == 0))
    throw UserError(place, in_quotes(value) + " is no number of bytes", "write such as 4M");
}

void require_values(const ParameterSet& settings, const std::vector<std::string>& images) {
  if (settings.given().empty()) return;
  for (const std::string& image : images)
    for (const ParameterSet::Declared& setting : settings_told_by(image))
      if (const auto* const given = settings.find(setting.key)) require_value(setting, given->text, given->place);
}

}  // namespace sanvp::jobs
