#include "platform/jobs/known_settings.hpp"

#include <algorithm>

#include "platform/core/files.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::jobs {
namespace {

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// "section.name" with at least two characters in each part, which excludes "file.c".
bool looks_like_key(std::string_view text) {
  std::size_t parts = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++parts) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    if (part.size() < 2 || !std::all_of(part.begin(), part.end(), is_name)) return false;
    begin = end + 1;
  }
  return parts >= 2;
}

void declare(ParameterSet& known, std::string_view key) {
  ParameterSet::Declared parameter;
  parameter.key = key;
  known.declare(parameter);
}

void declare_keys_in(const std::string& image, const ParameterSet& settings, ParameterSet& known) {
  for (std::size_t begin = 0; begin < image.size();) {
    const std::size_t end = std::min(image.find('\0', begin), image.size());
    const std::string_view text = std::string_view(image).substr(begin, end - begin);
    if (looks_like_key(text)) declare(known, text);
    // A linker may store a string as the end of another one.
    for (const auto& [key, given] : settings.given())
      if (text.ends_with(key)) declare(known, key);
    begin = end + 1;
  }
}

}  // namespace

void require_known(const ParameterSet& settings, const ParameterSet& machine, const std::vector<std::string>& images) {
  if (settings.given().empty()) return;
  ParameterSet known = settings.with(machine);
  for (const std::string& image : images) declare_keys_in(read_text_file(image), settings, known);
  known.require_all_read();
}

}  // namespace sanvp::jobs
