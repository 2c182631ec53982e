#include "models/host/riscv/calls.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "models/host/node.hpp"
#include "models/host/riscv/file_calls.hpp"
#include "sw/abi/hal/arguments.h"
#include "sw/abi/hal/files.h"
#include "sw/abi/hal/riscv_calls.h"

namespace sanvp::host {

using riscv::os::Result;

/// A call with its arguments, and the functions that serve it.
struct RiscvCalls {
  RiscvProcess& process;
  riscv::os::Call& arguments;
  const char* name;

  void* self() const { return static_cast<Software*>(&process); }
  static const hal_calls& hal() { return RiscvProcess::calls_of_hal(); }
  std::uint64_t operator[](std::size_t index) const { return arguments[index]; }
  int integer(std::size_t index) const { return arguments.integer(index); }

  [[noreturn]] void refuse(std::uint64_t address, const char* what) const {
    if (process.program().end_if_out_of_memory(arguments.thread)) throw RiscvProcess::Ended{};
    process.fail(fmt::format("{}: {:#x} is no address that the program may {}", name, address, what));
    throw RiscvProcess::Ended{};
  }

  /// Memory of the program, or of what it shares.
  std::byte* memory(std::size_t index, std::uint64_t bytes, riscv::Permission needed) const {
    const std::uint64_t address = (*this)[index];
    if (!arguments.memory().bytes_at(address, bytes, needed))
      refuse(address, needed == riscv::writable ? "write to" : "read");
    return process.native_address(address);
  }
  template <class T>
  T* object(std::size_t index, riscv::Permission needed) const {
    if ((*this)[index] % alignof(T) != 0) refuse((*this)[index], "use so: it is not aligned");
    return reinterpret_cast<T*>(memory(index, sizeof(T), needed));
  }
  /// For any address: the byte there may belong to anything.
  const void* pointer(std::size_t index) const {
    const std::uint64_t address = (*this)[index];
    return address < arguments.memory().bytes() ? process.native_address(address) : nullptr;
  }
  std::string text(std::size_t index) const {
    constexpr std::size_t most = 4096;
    const auto text = arguments.memory().text((*this)[index], most);
    if (!text) refuse((*this)[index], "read a text from");
    return *text;
  }
  /// A text, kept for as long as the simulator runs.
  const char* lasting_text(std::size_t index) const { return process.keep(text(index)); }

  static const std::array<std::pair<const char*, Result (*)(RiscvCalls&)>, HAL_CALLS_END - HAL_CALL_IDENTITY> table;
};

namespace {

using Calls = RiscvCalls;
using riscv::readable;
using riscv::writable;

Result identity(Calls& call) {
  const Identity& own = call.process.identity();
  if (call[1] != sizeof(hal_riscv_identity)) call.process.reject_version();
  hal_riscv_identity to{.version = HAL_CALLS_VERSION,
                        .rank = own.rank,
                        .ranks = own.ranks - own.io_servers,
                        .job = own.job,
                        .node = own.node,
                        .nodes = own.nodes,
                        .process = own.process,
                        .card = {}};
  call.process.card().copy(to.card, sizeof to.card - 1);
  std::memcpy(call.memory(0, sizeof to, writable), &to, sizeof to);
  return 0;
}

Result rank_nodes(Calls& call) {
  const Identity& own = call.process.identity();
  if (call[2] > static_cast<std::uint64_t>(own.ranks)) return -EINVAL;
  const std::size_t bytes = call[2] * sizeof(std::int32_t);
  std::memcpy(call.memory(0, bytes, writable), own.rank_nodes, bytes);
  std::memcpy(call.memory(1, bytes, writable), own.rank_processes, bytes);
  return 0;
}

Result seed(Calls& call) {
  return static_cast<std::int64_t>(Calls::hal().seed(call.self(), call.integer(0), call.text(1).c_str()));
}

Result time_ps(Calls& call) { return static_cast<std::int64_t>(Calls::hal().time_ps(call.self())); }

/// Calls that take a number, or nothing, and return nothing.
template <auto member>
Result number(Calls& call) {
  (Calls::hal().*member)(call.self(), call[0]);
  return 0;
}
template <auto member>
Result of_node(Calls& call) {
  (Calls::hal().*member)(call.self(), call.integer(0));
  return 0;
}
template <auto member>
Result nothing(Calls& call) {
  (Calls::hal().*member)(call.self());
  return 0;
}

Result untimed(Calls& call) {
  call.process.set_untimed(call[0] != 0);
  return 0;
}

Result device(Calls& call) { return static_cast<std::int64_t>(Calls::hal().device(call.self(), call.integer(0))); }

Result io_read(Calls& call) {
  Calls::hal().io_read(call.self(), call[0], call.memory(1, call[2], writable), call[2]);
  return 0;
}

Result io_write(Calls& call) {
  Calls::hal().io_write(call.self(), call[0], call.memory(1, call[2], readable), call[2]);
  return 0;
}

Result bus_address(Calls& call) { return static_cast<std::int64_t>(std::bit_cast<std::uintptr_t>(call.pointer(0))); }

Result is_own(Calls& call) {
  const void* const pointer = call.pointer(0);
  return pointer == nullptr ? 0 : Calls::hal().is_own(call.self(), pointer, call[1]);
}

Result region(Calls& call) {
  const void* const pointer = call.pointer(0);
  void* begin = nullptr;
  const std::size_t bytes = pointer == nullptr ? 0 : Calls::hal().region(call.self(), pointer, &begin);
  if (bytes > 0) *call.object<std::uint64_t>(1, writable) = call.process.address_for_program(begin);
  return static_cast<std::int64_t>(bytes);
}

Result shared(Calls& call) { return static_cast<std::int64_t>(call.process.show_shared(call.text(0), call[1])); }

Result wait_words(Calls& call) {
  constexpr std::uint64_t most = 1 << 16;
  const std::uint64_t count = call[2];
  if (count > most) call.refuse(count, "wait for: too many words");
  const auto* const addresses = reinterpret_cast<const std::uint64_t*>(call.memory(0, count * 8, readable));
  const auto* const seen = reinterpret_cast<const std::uint32_t*>(call.memory(1, count * 4, readable));
  Parked::Words words{.at = {}, .seen = {seen, seen + count}};
  for (std::uint64_t i = 0; i < count; ++i) {
    riscv::os::Call one{call.arguments.process, call.arguments.thread, {addresses[i]}};
    words.at.push_back(Calls{call.process, one, call.name}.object<std::uint32_t>(0, readable));
  }
  return call.process.wait_words(call.arguments.thread, std::move(words), call[3]);
}

Result stored(Calls& call) {
  Calls::hal().stored(call.self(), call.memory(0, call[1], readable), call[1]);
  return 0;
}

Result store_word(Calls& call) {
  Calls::hal().store_word(call.self(), call.object<std::uint32_t>(0, writable), static_cast<std::uint32_t>(call[1]));
  return 0;
}

Result is_dead(Calls& call) { return Calls::hal().is_dead(call.self(), call.integer(0)); }

Result watch_deaths(Calls& call) {
  Calls::hal().watch_deaths(call.self(), call.object<std::uint32_t>(0, writable));
  return 0;
}

/// The argument's size is part of the request (HAL_REQUEST in sw/abi/hal/arguments.h). The driver works on a copy.
Result ioctl(Calls& call) {
  const auto request = static_cast<unsigned>(call[0]);
  const std::size_t bytes = HAL_REQUEST_BYTES(request);
  std::vector<std::byte> argument(bytes);
  std::memcpy(argument.data(), call.memory(1, bytes, writable), bytes);
  const std::int64_t result = Calls::hal().ioctl(call.self(), request, argument.data());
  std::memcpy(call.memory(1, bytes, writable), argument.data(), bytes);
  return result;
}

Result setting(Calls& call) {
  const std::string value = Calls::hal().setting(call.self(), call.text(0).c_str(), call.text(1).c_str(),
                                                 call.lasting_text(2), call.lasting_text(3));
  const std::size_t room = call[5];
  if (room > 0) {
    char* const to = reinterpret_cast<char*>(call.memory(4, std::min(room, value.size() + 1), writable));
    std::memcpy(to, value.c_str(), std::min(room - 1, value.size()));
    to[std::min(room - 1, value.size())] = 0;
  }
  return static_cast<std::int64_t>(value.size());
}

Result end_job(Calls& call) {
  Calls::hal().end_job(call.self(), call.integer(0));
  return 0;
}

Result abort(Calls& call) {
  Calls::hal().abort(call.self(), call.text(0).c_str());
  return 0;
}

Result metric(Calls& call) {
  Calls::hal().metric(call.self(), call.text(0).c_str(), std::bit_cast<double>(call[1]), call.text(2).c_str());
  return 0;
}

Result accepted(Calls& call) {
  Calls::hal().accepted(call.self(), static_cast<double>(call[0]), call[1], call[2]);
  return 0;
}

Result measures(Calls& call) {
  Calls::hal().measures(call.self(), call[0], call[1]);
  return 0;
}

Result trace(Calls& call) {
  Calls::hal().trace(call.self(), call[0] == 0 ? nullptr : call.lasting_text(0));
  return 0;
}

Result call_begin(Calls& call) {
  Calls::hal().call_begin(call.self(), call.lasting_text(0), call.integer(1), static_cast<std::int64_t>(call[2]),
                          call[3]);
  return 0;
}

Result call_waits_for(Calls& call) {
  Calls::hal().call_waits_for(call.self(), call.lasting_text(0), call.integer(1), static_cast<std::int64_t>(call[2]));
  return 0;
}

Result owes(Calls& call) {
  Calls::hal().owes(call.self(), call[0] == 0 ? nullptr : call.lasting_text(0));
  return 0;
}

/// Whether an argument is a rank of the job.
bool is_rank(Calls& call, std::size_t argument) {
  return call.integer(argument) >= 0 && call.integer(argument) < call.process.identity().ranks;
}

Result message_counted(Calls& call) {
  if (is_rank(call, 0)) Calls::hal().message_sent(call.self(), call.integer(0), UINT64_MAX, 0);
  return 0;
}

Result message_uncounted(Calls& call) {
  constexpr std::uint64_t no_receive = 0;
  if (is_rank(call, 0)) Calls::hal().message_over(call.self(), HAL_NO_RANK, call.integer(0), UINT64_MAX, no_receive);
  return 0;
}

Result message_sent(Calls& call) {
  if (is_rank(call, 0)) Calls::hal().message_sent(call.self(), call.integer(0), call[1], call[2]);
  return 0;
}

Result receive_posted(Calls& call) {
  Calls::hal().receive_posted(call.self(), call[0], is_rank(call, 1) ? call.integer(1) : HAL_NO_RANK, call[2], call[3]);
  return 0;
}

Result message_over(Calls& call) {
  const int from = is_rank(call, 0) ? call.integer(0) : HAL_NO_RANK;
  if (is_rank(call, 1)) Calls::hal().message_over(call.self(), from, call.integer(1), call[2], call[3]);
  return 0;
}

/// What the program tells of its messages; for UINT32_MAX: whether the run is recorded at all.
Result record(Calls& call) {
  const auto what = static_cast<std::uint32_t>(call[0]);
  if (what == UINT32_MAX) return call.process.is_recorded() ? 1 : 0;
  if (what > HAL_RECORD_OTHER || !call.process.is_recorded()) return 0;
  Calls::hal().record(call.self(), static_cast<int>(what), call[1], static_cast<unsigned>(call[0] >> 32), call[2],
                      call[3]);
  return 0;
}

/// Hands a call of the program to the checker; for address 0: whether the process is checked at all.
Result check(Calls& call) {
  if (call[0] == 0) return call.process.is_checked() ? 1 : 0;
  return Calls::hal().check(call.self(), call.object<hal_checked_call>(0, readable));
}

Result may_look(Calls& call) { return Calls::hal().may_look(call.self()); }

Result while_computing(Calls& call) {
  call.process.set_progress_hook({.function = call[0], .own_code_end = call[1]});
  return 0;
}

Result files(Calls& call) {
  const Identity& own = call.process.identity();
  if (call[1] != sizeof(hal_riscv_files)) call.process.reject_version();
  const hal_riscv_files to{.files = static_cast<std::uint32_t>(call.process.files()),
                           .io_servers = own.io_servers,
                           .io_stripe = static_cast<std::uint64_t>(own.io_stripe)};
  std::memcpy(call.memory(0, sizeof to, writable), &to, sizeof to);
  return 0;
}

Result carry_files(Calls& call) {
  call.process.set_file_carrier(call[0]);
  return 0;
}

FileWay way_of(Calls& call, std::size_t index) {
  if (call[index] > HAL_FILE_SYNC) call.refuse(call[index], "move bytes of a file by");
  return static_cast<FileWay>(call[index]);
}

Result file_move(Calls& call) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  const FileWay way = way_of(call, 1);
  if (call[4] > most) call.refuse(call[4], "use so: too many parts");
  const std::byte* const spans = call.memory(3, call[4] * sizeof(hal_file_span), readable);
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < call[4]; ++i) {
    hal_file_span span;  // a copy: the bytes read may overwrite it
    std::memcpy(&span, spans + i * sizeof span, sizeof span);
    riscv::os::Call part{call.arguments.process, call.arguments.thread, {call[2] + static_cast<std::uint64_t>(sum)}};
    std::byte* const at =
        Calls{call.process, part, call.name}.memory(0, span.bytes, way == FileWay::read ? writable : readable);
    const std::int64_t now =
        move_bytes(call.arguments.process.files(), call.integer(0), way, span.begin, {at, span.bytes});
    if (now < 0) return sum > 0 ? sum : now;
    sum += now;
    if (static_cast<std::uint64_t>(now) < span.bytes) break;
  }
  return sum;
}

Result file_add(Calls& call) {
  auto* const before = call.object<std::uint64_t>(3, writable);
  return add_to_number(call.arguments.process.files(), call.integer(0), call[1], call[2], *before);
}

Result file_number(Calls& call) {
  return static_cast<std::int64_t>(number_of_file(call.arguments.process.files(), call.integer(0)));
}

Result disk(Calls& call) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;  // a request's time is a number of ps
  if (call[0] > HAL_FILE_SYNC || call[3] > most) return -EINVAL;
  return static_cast<std::int64_t>(Calls::hal().disk(call.self(), call.integer(0), call[1], call[2], call[3]));
}

}  // namespace

/// In the order of enum hal_riscv_call.
constexpr decltype(RiscvCalls::table) RiscvCalls::table{{
    {"identity", identity},
    {"rank_nodes", rank_nodes},
    {"hal_seed", seed},
    {"hal_time_ps", time_ps},
    {"hal_compute_ps", number<&hal_calls::compute_ps>},
    {"hal_instructions", number<&hal_calls::instructions>},
    {"hal_memory_copied", number<&hal_calls::memory_copied>},
    {"hal_sleep_ps", number<&hal_calls::sleep_ps>},
    {"hal_untimed_begin", untimed},
    {"hal_device", device},
    {"hal_read_block", io_read},
    {"hal_write_block", io_write},
    {"hal_bus_address", bus_address},
    {"hal_is_own", is_own},
    {"hal_region", region},
    {"hal_shared", shared},
    {"hal_wait_words", wait_words},
    {"hal_stored", stored},
    {"hal_store_word", store_word},
    {"hal_is_dead", is_dead},
    {"hal_deaths", watch_deaths},
    {"hal_count_as_dead", of_node<&hal_calls::count_as_dead>},
    {"hal_ends_waits_for_the_dead", nothing<&hal_calls::ends_own_waits>},
    {"hal_ioctl", ioctl},
    {"hal_setting", setting},
    {"hal_end_job", end_job},
    {"hal_abort", abort},
    {"hal_metric", metric},
    {"hal_accepted", accepted},
    {"hal_measures", measures},
    {"hal_trace_begin", trace},
    {"hal_call_begin", call_begin},
    {"hal_call_end", nothing<&hal_calls::call_end>},
    {"hal_call_waits_for", call_waits_for},
    {"hal_tested_without_progress", nothing<&hal_calls::tested_without_progress>},
    {"hal_owes", owes},
    {"hal_message_sent", message_counted},
    {"hal_message_over", message_uncounted},
    {"hal_look_for_others", may_look},
    {"hal_while_computing", while_computing},
    {"hal_files_take_time", files},
    {"hal_files_go_through", carry_files},
    {"hal_file_move", file_move},
    {"hal_file_add", file_add},
    {"hal_file_begin", file_number},
    {"hal_disk_begin", disk},
    {"hal_file_wait", number<&hal_calls::disk_wait>},
    {"hal_check", check},
    {"hal_message_sent", message_sent},
    {"hal_receive_posted", receive_posted},
    {"hal_message_over", message_over},
    {"hal_record", record},
}};

bool is_hal_call(std::uint64_t number) { return number >= HAL_CALL_IDENTITY && number < HAL_CALLS_END; }

Result call_hal(RiscvProcess& process, riscv::os::Call& call, std::uint64_t number) {
  const auto& [name, run] = RiscvCalls::table.at(number - HAL_CALL_IDENTITY);
  RiscvCalls checked{process, call, name};
  return run(checked);
}

}  // namespace sanvp::host
