/// Files that gdb reads through the server (vFile): the programs of the processes, for their symbols, and no others.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "models/cpu/riscv/gdb/inferior.hpp"

namespace sanvp::riscv::gdb {

class Files {
 public:
  /// @param packet  after "vFile:". @returns an empty text for unsupported requests
  std::string answer(const Inferiors& inferiors, Cursor packet);

 private:
  std::string open(const Inferiors& inferiors, Cursor packet);
  std::string read(Cursor packet) const;
  std::string status(Cursor packet) const;

  std::map<std::uint64_t, std::shared_ptr<const native::File>> open_;  ///< by descriptor
  std::uint64_t opened_ = 0;
};

/// The absolute path of a process's program.
std::string program_path(const Inferior& inferior);

}  // namespace sanvp::riscv::gdb
