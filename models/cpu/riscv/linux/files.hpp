/// The descriptors of a process, and its view of the file system: the job's folder, and no file outside of it.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "models/cpu/riscv/linux/job_file.hpp"
#include "models/cpu/riscv/linux/open_file.hpp"

namespace sanvp::riscv::os {

/// Whether a part of the path is `..`.
bool has_parents(const std::string& path);

class Files {
 public:
  static constexpr int most = 1024;  // RLIMIT_NOFILE

  /// @param folder  the job's; at first the working folder of its processes
  /// @param output  takes what goes to standard output and error
  Files(const std::string& folder, const std::function<void(bool is_error, std::string_view)>& output);
  ~Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  /// The folder's path without symbolic links.
  const std::string& folder() const { return folder_; }
  /// The folder at which relative paths begin.
  std::string working_folder() const;
  /// Makes a folder within the job's, by a descriptor of the simulator, the working folder. @returns 0 or -errno
  int enter(int folder);
  /// Whether this is the absolute path of a folder that contains the job's folder. Programs may know that such folders
  /// exist.
  bool is_above(const std::string& path) const {
    return path.starts_with('/') && (path == "/" || folder_.starts_with(path.ends_with('/') ? path : path + "/"));
  }

  struct Descriptor {
    std::shared_ptr<OpenFile> file;
    bool closes_on_exec = false;
  };
  /// Null if no such descriptor is open.
  Descriptor* find(int number);
  /// The lowest free number from `least` on, or -EMFILE.
  int add(std::shared_ptr<OpenFile> file, bool closes_on_exec, int least = 0);
  /// Replaces the number's previous file.
  void put(int number, std::shared_ptr<OpenFile> file, bool closes_on_exec);
  bool close(int number) { return descriptors_.erase(number) != 0; }
  /// The open file by which this process locks regions (F_SETLK) of what `file` is, however often it has opened that:
  /// such locks are the process's, and do not exclude one another.
  std::shared_ptr<OpenFile> locking(const std::shared_ptr<OpenFile>& file);

  /// Opens a file of the job's folder. @returns a descriptor's number or -errno
  std::int64_t open(int directory, const std::string& path, int flags, unsigned mode);
  /// The file that a path leads to, without opening it (O_PATH).
  JobFile find_path(int directory, const std::string& path, bool follows_link);
  /// The folder that contains the last part of a path; `path` becomes that last part.
  JobFile find_parent(int directory, std::string& path);

 private:
  /// The start of a path's resolution in the kernel: a descriptor of the simulator or -errno, and the rest of the path.
  struct Start {
    int folder;
    std::string rest;
  };
  Start start_of(int directory, const std::string& path) const;
  /// @param followed  links that led here, as they name files that are not there yet
  JobFile open_beneath(int directory, const std::string& path, std::uint64_t flags, std::uint64_t mode,
                       int followed = 0);

  std::string folder_;
  int root_;
  int work_ = -1;  ///< the working folder, in whose place others may be moved; -1: it is the job's
  std::map<int, Descriptor> descriptors_;
  std::map<std::pair<dev_t, ino_t>, std::weak_ptr<OpenFile>> locking_{};
};

}  // namespace sanvp::riscv::os
