/// Helpers of the core's tests.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "platform/core/error.hpp"

namespace sanvp::test {

/// The message of the error that `action` throws; fails the comparison if it throws none.
template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "(no complaint)";
}

/// A temporary folder that is removed after the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> next{0};
    path_ = std::filesystem::temp_directory_path() /
            ("sanvp-test-" + std::to_string(::getpid()) + "-" + std::to_string(next++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace sanvp::test
