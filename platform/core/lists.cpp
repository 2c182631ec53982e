#include "platform/core/lists.hpp"

#include <algorithm>

#include "platform/core/text.hpp"

namespace sanvp {

std::vector<std::string_view> between_commas(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    found.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

}  // namespace sanvp
