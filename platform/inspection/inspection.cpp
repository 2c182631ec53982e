#include "platform/inspection/inspection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>

#include "platform/core/registry.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp {
namespace {

using Json = Inspection::Json;

std::string scalar(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "-";
  return value.dump();
}

bool is_flat(const Json& value) {
  return value.is_primitive() || (value.is_array() && std::all_of(value.begin(), value.end(),
                                                                  [](const Json& one) { return one.is_primitive(); }));
}

std::string flat(const Json& value) {
  if (value.is_primitive()) return scalar(value);
  std::string text;
  for (const Json& one : value) text += (text.empty() ? "" : ", ") + scalar(one);
  return text.empty() ? "none" : text;
}

/// "packet 7, from 0, to 3" of an object whose values are flat.
std::string one_line(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items()) text += (text.empty() ? "" : ", ") + key + " " + flat(value);
  return text;
}

void append(const Json& json, const std::string& indent, std::string& text) {
  for (const auto& [key, value] : json.items()) {
    if (is_flat(value)) {
      text += indent + key + ": " + flat(value) + "\n";
    } else if (value.is_array()) {
      text += indent + key + ":" + (value.empty() ? " none" : "") + "\n";
      for (const Json& one : value) {
        if (std::all_of(one.begin(), one.end(), is_flat)) {
          text += indent + "  " + one_line(one) + "\n";
        } else {
          append(one, indent + "  ", text);
        }
      }
    } else {
      text += indent + key + ":" + (value.empty() ? " none" : "") + "\n";
      append(value, indent + "  ", text);
    }
  }
}

}  // namespace

std::string to_text(const Json& json) {
  std::string text;
  append(json, "", text);
  return text;
}

int parse_number(const std::string& text, const std::string& place, const char* what, int count) {
  const std::int64_t parsed = parse_count(text, place);
  if (parsed < 0 || parsed >= count)
    throw UserError(place, fmt::format("there is no {} {}", what, parsed),
                    count > 0 ? fmt::format("give one from 0 to {}", count - 1) : "");
  return static_cast<int>(parsed);
}

AskedSubject find_subject(const Inspected& inspected, std::string_view line, const std::string& place) {
  std::string trimmed = boost::algorithm::trim_copy(std::string(line));
  const std::size_t space = trimmed.find(' ');
  const Inspection& subject = Registry<Inspection>::get(trimmed.substr(0, space), place);
  std::optional<int> number;
  if (space != std::string::npos) {
    const std::string text = boost::algorithm::trim_copy(trimmed.substr(space));
    if (subject.numbered == nullptr)
      throw UserError(place, subject.name + " takes no number, but got " + in_quotes(text));
    number = parse_number(text, place, subject.numbered, subject.count(inspected));
  }
  return {subject, number};
}

Json inspect(const Inspected& inspected, std::string_view line, const std::string& place) {
  const auto [subject, number] = find_subject(inspected, line, place);
  return subject.look(inspected, number);
}

}  // namespace sanvp
