#include "platform/core/terminal.hpp"

#include <unistd.h>

#include <cstdlib>

namespace sanvp {
namespace {

/// no-color.org: NO_COLOR, unless empty, forbids colour. A terminal named "dumb" has none.
bool allows_colour() {
  const char* const forbidden = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (forbidden == nullptr || *forbidden == '\0') && terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

std::string heading(std::string_view word) { return heading(word, ::isatty(STDERR_FILENO) == 1 && allows_colour()); }

std::string heading(std::string_view word, bool is_coloured) {
  const std::string text = std::string(word) + ": ";
  if (!is_coloured) return text;
  // Bold red, yellow, blue; then everything as before.
  const char* const colour = word == "error" ? "\033[1;31m" : word == "warning" ? "\033[1;33m" : "\033[1;34m";
  return colour + text + "\033[0m";
}

}  // namespace sanvp
