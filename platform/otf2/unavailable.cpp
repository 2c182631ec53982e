/// Instead of library/ if OTF2's library was not found: otherwise SANVP_HAS_OTF2 is defined (cmake/Otf2.cmake).
#include "platform/core/error.hpp"
#include "platform/otf2/recording.hpp"

#ifndef SANVP_HAS_OTF2

namespace sanvp::otf2 {

const char* unavailable() {
  return "this simulator was built without OTF2's library: install it (Debian: libopen-trace-format2-dev) and run "
         "scripts/build";
}

void write(const Recording&, const std::string& path) { throw UserError(path, unavailable()); }

}  // namespace sanvp::otf2
#endif
