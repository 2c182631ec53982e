#include "platform/core/temporary_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "platform/core/error.hpp"

namespace sanvp {

TemporaryFolder::TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "sanvp-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr)
    throw UserError(path_, "cannot be created", "make room there, or name another folder in TMPDIR");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace sanvp
