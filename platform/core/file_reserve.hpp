/// Open files that are kept for the simulator itself, for results and for images that it loads during a run: programs
/// that use up all of this computer's descriptors must not lose the results of their run.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

namespace sanvp {

class FileReserve {
 public:
  /// Keeps `files` open files: as many as the simulator opens at once while they are lent.
  explicit FileReserve(std::size_t files) : files_(files, -1) { fill(); }
  ~FileReserve() { release(); }
  FileReserve(const FileReserve&) = delete;
  FileReserve& operator=(const FileReserve&) = delete;

  /// While this lives, the simulator may open as many files.
  class Lent {
   public:
    explicit Lent(FileReserve& reserve) : reserve_(reserve) { reserve_.release(); }
    ~Lent() { reserve_.fill(); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

   private:
    FileReserve& reserve_;
  };

  /// From now on the simulator may open as many files.
  void release() {
    for (int& file : files_) {
      if (file >= 0) close(file);
      file = -1;
    }
  }

 private:
  void fill() {
    for (int& file : files_) file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  }

  std::vector<int> files_;
};

}  // namespace sanvp
