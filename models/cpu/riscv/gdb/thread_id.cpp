#include "models/cpu/riscv/gdb/thread_id.hpp"

#include <limits>

#include <fmt/format.h>

namespace sanvp::riscv::gdb {
namespace {

std::optional<int> parse_number(Cursor& packet) {
  if (packet.take("-1")) return ThreadId::all;
  const auto number = packet.hex();
  if (!number || *number > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace

std::optional<ThreadId> parse_thread_id(Cursor& packet) {
  ThreadId id;
  if (packet.take("p")) {
    const auto process = parse_number(packet);
    if (!process) return std::nullopt;
    id = {*process, ThreadId::all};
    if (!packet.take(".")) return id;
  }
  const auto thread = parse_number(packet);
  if (!thread) return std::nullopt;
  id.thread = *thread;
  return id;
}

std::string to_text(ThreadId id, bool with_process) {
  return with_process ? fmt::format("p{:x}.{:x}", id.process, id.thread) : fmt::format("{:x}", id.thread);
}

}  // namespace sanvp::riscv::gdb
