/// All bytes to an open file.
#pragma once

#include <string_view>

namespace sanvp {

/// write(2), again until all bytes are out. @return whether they are; otherwise `errno` says why not
bool write_all(int file, std::string_view rest);

}  // namespace sanvp
