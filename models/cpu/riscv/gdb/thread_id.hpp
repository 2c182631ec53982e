/// Names of threads in packets: `p2.3` is thread 3 of process 2.
#pragma once

#include <optional>
#include <string>

#include "models/cpu/riscv/gdb/packet.hpp"

namespace sanvp::riscv::gdb {

struct ThreadId {
  static constexpr int any = 0, all = -1;
  int process = any;
  int thread = any;
  bool operator==(const ThreadId&) const = default;
};

/// Nothing if it is malformed.
std::optional<ThreadId> parse_thread_id(Cursor& packet);
/// @param with_process  false for a client that knows only threads
std::string to_text(ThreadId id, bool with_process);

}  // namespace sanvp::riscv::gdb
