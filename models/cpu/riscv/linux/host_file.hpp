/// Open files of the simulating computer, in the job's folder.
#pragma once

#include <string>
#include <vector>

#include "models/cpu/riscv/linux/job_file.hpp"
#include "models/cpu/riscv/linux/open_file.hpp"

namespace sanvp::riscv::os {

class HostFile final : public OpenFile {
 public:
  HostFile(JobFile file, int open_flags);
  Transferred read(std::span<std::byte> bytes) override;
  Transferred write(std::span<const std::byte> bytes) override;
  std::int64_t read_at(std::int64_t offset, std::span<std::byte> bytes) override;
  std::int64_t write_at(std::int64_t offset, std::span<const std::byte> bytes) override;
  std::int64_t seek(std::int64_t offset, int whence) override;
  std::int64_t truncate(std::int64_t bytes) override;
  std::int64_t change_mode(mode_t permissions) override;
  std::int64_t change_times(const struct timespec* times) override;
  std::int64_t change_flags(int changed) override;
  std::int64_t lock(int operation) override;
  std::int64_t lock_region(struct flock& region) override;
  std::int64_t find_lock(struct flock& region) const override;
  std::int64_t read_entries(std::span<std::byte> to) override;
  std::int64_t status(struct stat& status) const override;
  int folder() const override;
  std::int64_t readable_bytes() override;

 private:
  struct Entry {
    std::string name{};
    std::uint64_t inode = 0;
    std::uint8_t kind = 0;
  };
  bool list();

  JobFile file_;
  std::vector<Entry> entries_{};  ///< of a folder, in the order of names: the same on every computer
  std::size_t next_entry_ = 0;
};

}  // namespace sanvp::riscv::os
