/// The descriptors of a process, and its view of the file system: the job's folder, and no file outside of it.
#pragma once

#include <map>
#include <string>

#include "models/cpu/riscv/linux/open_file.hpp"

namespace sanvp::riscv::os {

class Files {
 public:
  static constexpr int most = 1024;  // RLIMIT_NOFILE

  /// @param folder  the job's; at first the working folder of its processes
  /// @param output  takes what goes to standard output and error
  /// @param draw    random numbers for /dev/urandom
  Files(const std::string& folder, const std::function<void(bool is_error, std::string_view)>& output,
        std::function<std::uint64_t()> draw);
  ~Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  /// The folder's path without symbolic links.
  const std::string& folder() const { return folder_; }
  /// What paths without a first slash begin at.
  std::string working_folder() const;
  /// Makes a folder of the simulator, within the job's, the working folder. @returns 0 or -errno
  int enter(int folder);
  /// Whether this is the absolute path of a folder that the job's lies in. Of those, programs may know that they exist.
  bool is_above(const std::string& path) const {
    return path.starts_with('/') && (path == "/" || folder_.starts_with(path.ends_with('/') ? path : path + "/"));
  }

  struct Descriptor {
    std::shared_ptr<OpenFile> file;
    bool closes_on_exec = false;
  };
  /// Null where there is none.
  Descriptor* find(int number);
  /// The lowest free number from `least` on, or -EMFILE.
  int add(std::shared_ptr<OpenFile> file, bool closes_on_exec, int least = 0);
  /// In place of what the number has been.
  void put(int number, std::shared_ptr<OpenFile> file, bool closes_on_exec);
  bool close(int number) { return descriptors_.erase(number) != 0; }

  /// @returns a descriptor's number or -errno
  std::int64_t open(int directory, const std::string& path, int flags, unsigned mode);
  /// Of the simulator: a path as it leads there, without opening it (O_PATH). -errno where it leads outside.
  int find_path(int directory, const std::string& path, bool follows_link);
  /// The folder in which the last part of a path lies, opened, or -errno; `path` becomes that last part.
  int find_parent(int directory, std::string& path);

 private:
  int open_beneath(int directory, const std::string& path, std::uint64_t flags, std::uint64_t mode);
  std::shared_ptr<OpenFile> special(const std::string& path) const;

  std::string folder_;
  int root_;
  int work_ = -1;  ///< the working folder, in whose place others may be moved; -1: it is the job's
  std::function<std::uint64_t()> draw_;
  std::map<int, Descriptor> descriptors_;
};

}  // namespace sanvp::riscv::os
