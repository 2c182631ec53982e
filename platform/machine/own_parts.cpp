#include "platform/machine/own_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platform/core/error.hpp"
#include "platform/core/lists.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/parts.hpp"
#include "platform/core/text.hpp"

namespace sanvp {
namespace {

namespace fs = std::filesystem;

/// Without the characters around it, which come in pairs.
std::string_view without(std::string_view text, char open, char close, const std::string& place) {
  const bool opens = text.starts_with(open), closes = text.size() > 1 && text.ends_with(close);
  if (opens != closes)
    throw UserError(place, in_quotes(text) + " opens or closes only", "write parts = [\"one.so\", \"other.so\"]");
  return trimmed(opens ? text.substr(1, text.size() - 2) : text);
}

std::vector<std::string> file_names(std::string_view text, const std::string& place) {
  std::vector<std::string> names;
  for (const std::string_view item : between_commas(without(text, '[', ']', place))) {
    const std::string_view name = without(item, '"', '"', place);
    if (name.empty()) throw UserError(place, "machine.parts has an empty name", "write one name between two commas");
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

void load_own_parts(const Parameters& machine) {
  const std::string text = machine.text("parts", "", "parts of your own that the machine needs, such as mine.so",
                                        "yours; sanvp-part makes them");
  const std::string place = machine.place("parts");
  const bool by_command = place.starts_with("-s");
  const fs::path folder = by_command ? fs::path() : fs::path(place.substr(0, place.rfind(':'))).parent_path();
  for (const std::string& name : file_names(trimmed(text), place)) load_part((folder / name).string(), place);
}

}  // namespace sanvp
