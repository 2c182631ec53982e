#include "platform/core/write_all.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace sanvp {

bool write_all(int file, std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t now = ::write(file, rest.data(), rest.size());
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(now));
  }
  return true;
}

}  // namespace sanvp
