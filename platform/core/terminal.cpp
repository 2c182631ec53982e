#include "platform/core/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "platform/core/text.hpp"

namespace sanvp {
namespace {

/// no-color.org: NO_COLOR, unless empty, forbids colour. A terminal named "dumb" has none.
bool allows_colour() {
  const char* const forbidden = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (forbidden == nullptr || *forbidden == '\0') && terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// Columns of the terminal that standard output is; 0 if it is none.
std::size_t columns() {
  winsize size{};
  return ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

std::string heading(std::string_view word) { return heading(word, ::isatty(STDERR_FILENO) == 1 && allows_colour()); }

std::string heading(std::string_view word, bool is_coloured) {
  std::string text = std::string(word) + ": ";
  if (!is_coloured) return text;
  // Bold red, yellow, blue; then everything as before.
  const char* const colour = word == "error" ? "\033[1;31m" : word == "warning" ? "\033[1;33m" : "\033[1;34m";
  return colour + text + "\033[0m";
}

std::string for_terminal(const std::string& text) {
  constexpr std::size_t narrowest = 40;  // below it, text in two columns is hard to read
  const std::size_t width = columns();
  return width == 0 ? text : wrapped(text, std::max(width, narrowest));
}

}  // namespace sanvp
