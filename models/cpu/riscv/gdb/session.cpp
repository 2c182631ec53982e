#include "models/cpu/riscv/gdb/session.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/cpu/riscv/gdb/registers.hpp"
#include "models/cpu/riscv/gdb/signals.hpp"

namespace sanvp::riscv::gdb {
namespace {

constexpr const char* ok = "OK";
constexpr const char* malformed = "E01";
constexpr const char* no_thread = "E02";
constexpr const char* no_memory = "E03";

}  // namespace

void Session::begin() {
  acknowledges_ = true;
  has_processes_ = false;
  knows_reason_of_breakpoints_ = false;
  passed_.clear();
  files_ = {};
  signal_ = 0;
  for (const auto& inferior : inferiors_.all()) {
    inferior->release();
    inferior->is_debugged = true;
  }
}

void Session::stopped_at(ThreadId thread, int gdb_signal, const std::string& reason) {
  stopped_ = selected_ = resumed_ = thread;
  stop_signal_ = gdb_signal;
  stop_reason_ = reason;
  for (const auto& inferior : inferiors_.all()) inferior->steps.clear();
}

std::string Session::stop_reply() const {
  std::string text = fmt::format("T{:02x}{}thread:{};", stop_signal_, stop_reason_, text_of(stopped_));
  const os::Thread* const at = thread();
  if (at == nullptr) return text;
  constexpr unsigned sp = 2;  // those that gdb would ask for first
  for (const unsigned number : {sp, pc_number})
    text += fmt::format("{:x}:{};", number, *read_register(at->hart, number));
  return text;
}

std::string Session::end_reply(const Inferior& inferior) const {
  const auto& end = inferior.process->end();
  std::string text = "W00";
  if (end) text = end->signal != 0 ? fmt::format("X{:02x}", to_gdb(end->signal)) : fmt::format("W{:02x}", end->status);
  return text + (has_processes_ ? fmt::format(";process:{:x}", inferior.id) : "");
}

os::Thread* Session::thread() const {
  const Inferior* const selected = inferior();
  return selected == nullptr ? nullptr : selected->thread(selected_.thread);
}

Answer Session::answer(std::string_view text) {
  if (text.empty()) return {};
  Cursor packet(text.substr(1));
  switch (text.front()) {
    case '?':
      return {stop_reply()};
    case 'q':
      return question(packet);
    case 'Q':
      return setting(packet);
    case 'v':
      return verbose(packet);
    case 'H':
      return {select(packet)};
    case 'T':
      return {is_alive(packet)};
    case 'g':
      return {registers()};
    case 'G':
      return {write_registers(packet)};
    case 'p':
      return {register_value(packet)};
    case 'P':
      return {write_register_value(packet)};
    case 'm':
      return {memory(packet)};
    case 'M':
    case 'X':
      return {write_memory(packet, text.front() == 'X')};
    case 'Z':
    case 'z':
      return {point(packet, text.front() == 'Z')};
    case 'c':
    case 's':
    case 'C':
    case 'S':
      return resume_old(text.front(), packet);
    case 'b':
      if (!goes_back_ || (text != "bs" && text != "bc")) return {};
      return {{}, text == "bs" ? Answer::Then::step_back : Answer::Then::continue_back};
    case 'D':
      return detach(packet);
    case 'k':
      return {{}, Answer::Then::kill};
    default:
      return {};  // tells gdb that it is not supported
  }
}

std::string Session::select(Cursor packet) {
  const bool is_for_resuming = packet.take("c");  // vCont names its threads itself
  if (!is_for_resuming && !packet.take("g")) return malformed;
  auto id = parse_thread_id(packet);
  if (!id || !packet.at_end()) return malformed;
  if (is_for_resuming) {
    resumed_ = *id;
    return ok;
  }
  if (id->process == ThreadId::any || id->process == ThreadId::all) id->process = selected_.process;
  const Inferior* const wanted = inferiors_.find(id->process);
  if (wanted == nullptr || (wanted->thread(id->thread) == nullptr && id->thread > 0)) return no_thread;
  selected_ = *id;
  return ok;
}

std::string Session::is_alive(Cursor packet) const {
  auto id = parse_thread_id(packet);
  if (!id) return malformed;
  if (id->process <= 0) id->process = selected_.process;
  const Inferior* const wanted = inferiors_.find(id->process);
  return wanted != nullptr && wanted->thread(id->thread) != nullptr ? ok : no_thread;
}

std::string Session::registers() const {
  const os::Thread* const at = thread();
  if (at == nullptr) return no_thread;
  return read_registers(at->hart);
}

/// Changes the registers of the selected thread. If its pc changes, the thread leaves the block in which it is held.
bool Session::change_hart(const std::function<bool(Hart64&)>& change) {
  os::Thread* const at = thread();
  if (at == nullptr) return false;
  Hart64 hart = at->hart;
  if (!change(hart)) return false;
  if (hart.pc != at->hart.pc) inferior()->process->interpreter().leave(hart);
  at->hart = hart;
  return true;
}

bool Session::change_pc(std::uint64_t pc) {
  return change_hart([&](Hart64& hart) {
    hart.pc = pc & ~std::uint64_t{1};
    return true;
  });
}

std::string Session::write_registers(Cursor packet) {
  return change_hart([&](Hart64& hart) { return gdb::write_registers(hart, packet.rest()); }) ? ok : malformed;
}

std::string Session::register_value(Cursor packet) const {
  const auto number = packet.hex();
  const os::Thread* const at = thread();
  if (!number) return malformed;
  if (at == nullptr) return no_thread;
  return read_register(at->hart, *number).value_or(malformed);
}

std::string Session::write_register_value(Cursor packet) {
  const auto number = packet.hex();
  if (!number || !packet.take("=")) return malformed;
  std::string_view digits = packet.rest();
  return change_hart([&](Hart64& hart) { return write_register(hart, *number, digits); }) ? ok : malformed;
}

std::string Session::memory(Cursor packet) const {
  const auto address = packet.hex();
  packet.take(",");
  const auto bytes = packet.hex();
  if (!address || !bytes || inferior() == nullptr) return malformed;
  const std::string read = inferior()->read(*address, std::min<std::uint64_t>(*bytes, most_packet_bytes / 2 - 16));
  return read.empty() && *bytes != 0 ? no_memory : to_hex(read);
}

std::string Session::write_memory(Cursor packet, bool is_binary) {
  const auto address = packet.hex();
  packet.take(",");
  const auto bytes = packet.hex();
  if (!address || !bytes || !packet.take(":") || inferior() == nullptr) return malformed;
  const auto data = is_binary ? std::optional(unescaped(packet.rest())) : from_hex(packet.rest());
  if (!data || data->size() != *bytes) return malformed;
  return inferior()->write(*address, *data) ? ok : no_memory;
}

/// Z and z: breakpoints (0, 1), watchpoints of writes (2), reads (3), both (4).
std::string Session::point(Cursor packet, bool inserts) {
  const auto type = packet.hex();
  packet.take(",");
  const auto address = packet.hex();
  packet.take(",");
  const auto bytes = packet.hex();
  Inferior* const at = inferior();
  if (!type || !address || !bytes || at == nullptr) return malformed;
  if (*type > 4) return {};
  if (*type <= 1) return (inserts ? at->set_breakpoint(*address) : at->clear_breakpoint(*address)) ? ok : malformed;
  constexpr Watchpoint::Of of[] = {Watchpoint::Of::writes, Watchpoint::Of::reads, Watchpoint::Of::accesses};
  const Watchpoint watchpoint{of[*type - 2], *address, *bytes};
  return (inserts ? at->watchpoints.add(watchpoint) : at->watchpoints.remove(watchpoint)) ? ok : malformed;
}

Answer Session::detach(Cursor packet) {
  if (!packet.take(";")) return {ok, Answer::Then::detach};
  const auto id = packet.hex();
  Inferior* const left = id ? inferiors_.find(static_cast<int>(*id)) : nullptr;
  if (left == nullptr) return {malformed};
  left->release();
  left->is_debugged = false;
  for (const auto& other : inferiors_.all())
    if (other->is_debugged) return {ok};
  return {ok, Answer::Then::detach};
}

}  // namespace sanvp::riscv::gdb
