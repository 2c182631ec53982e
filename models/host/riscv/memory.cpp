/// A process's memory as its node, its cards and the checker see it.
#include <algorithm>
#include <bit>

#include "models/host/node.hpp"
#include "models/host/riscv/core.hpp"
#include "models/host/riscv/process.hpp"

namespace sanvp::host {

namespace os = riscv::os;

/// A card has written: pages that are new count as touched; caches give up the lines, as they do on a bus that they
/// snoop. If caches are sampled, this is left out: the few lines of a message are no sample.
void RiscvProcess::written_by_bus(const std::byte* begin, std::size_t bytes) {
  const native::Range& shared = node().shared_room();
  const native::Range window{base(), program_.shared_begin()};
  if (!shared.contains(begin, bytes) && !window.contains(begin, bytes)) return;
  const std::uint64_t address = address_for_program(begin);
  if (window.contains(begin, bytes)) program_.space().memory().touched_by_bus(address, bytes);
  for (const auto& core : cores_)
    if (core->caches && !program_.settings().caches->samples) core->caches->invalidate(address, bytes);
}

void RiscvProcess::unmapped(std::uint64_t address, std::uint64_t bytes) {
  os::Thread* const thread = running_;
  if (thread == nullptr || node().card().empty()) return;
  settle(*thread);
  node().unmapped(*this, settled_cpu(), std::bit_cast<std::uint64_t>(native_address(address)), bytes);
  resume(*thread);
}

bool RiscvProcess::show_shared_room() const { return node().memory().show_shared(base() + program_.shared_begin()); }

void RiscvProcess::continue_in_child() {
  if (shows_shared_) show_shared_room();
}

std::uint64_t RiscvProcess::show_shared(const std::string& name, std::uint64_t bytes) {
  const native::Range& room = node().shared_room();
  if (bytes > room.bytes) return 0;
  if (!shows_shared_ && !show_shared_room()) return 0;
  shows_shared_ = true;
  void* const piece = node().shared(identity().job, name, bytes);
  if (piece == nullptr) return 0;
  const std::uint64_t address = address_for_program(piece);
  program_.space().permit(address, bytes, riscv::readable | riscv::writable);
  return address;
}

std::byte* RiscvProcess::native_address(std::uint64_t address) const {
  const std::uint64_t shared = program_.shared_begin();
  return address >= shared ? node().shared_room().begin + (address - shared) : base() + address;
}

const std::byte* RiscvProcess::checked_memory(std::uint64_t address, std::size_t bytes) const {
  return program_.space().memory().bytes_at(address, bytes, riscv::readable) ? native_address(address) : nullptr;
}

void RiscvProcess::report_accesses(std::uint64_t address, std::uint64_t bytes, bool begins) const {
  if (observed_) begins ? observed_->add(address, bytes) : observed_->remove(address, bytes);
}

/// What the library does while the program computes (call_hook) is not the program's access: all signals are blocked.
void RiscvProcess::report_access(const riscv::ObservedAccess& access) {
  if (running_ != nullptr && running_->blocked == ~os::never_blocked) return;
  services().check(identity(), {.code = checked_code(access.pc),
                                .address = access.address,
                                .bytes = access.bytes,
                                .is_store = access.is_store,
                                .thread = access.thread});
}

std::uint64_t RiscvProcess::address_for_program(const volatile void* pointer) const {
  const native::Range& shared = node().shared_room();
  const auto* const at = const_cast<const std::byte*>(static_cast<const volatile std::byte*>(pointer));
  return shared.contains(at, 1) ? program_.shared_begin() + static_cast<std::uint64_t>(at - shared.begin)
                                : static_cast<std::uint64_t>(at - base());
}

/// Its globals with all that its heap may grow to, its stack, mappings, or what it shares.
std::optional<native::Range> RiscvProcess::region_of(const volatile void* pointer, std::size_t bytes) const {
  if (const auto shared = node().shared_region(identity().job, pointer, bytes)) return shared;
  const native::Range window{base(), program_.shared_begin()};
  if (!window.contains(pointer, bytes)) return std::nullopt;
  const std::uint64_t at = address_for_program(pointer);
  const auto& space = program_.space();
  const auto has = [&](std::uint64_t begin, std::uint64_t end) { return begin <= at && at < end && bytes <= end - at; };
  const auto range = [&](std::uint64_t begin, std::uint64_t end) { return native::Range{base() + begin, end - begin}; };
  const std::uint64_t heap_end = space.heap_begin() + space.limit();
  if (has(program_.program_begin(), heap_end)) return range(program_.program_begin(), heap_end);
  if (has(program_.stack_begin(), program_.stack_end())) return range(program_.stack_begin(), program_.stack_end());
  const auto around = space.mapped_around(at);
  if (has(around.begin, around.end)) return range(around.begin, around.end);
  return std::nullopt;
}

std::uint64_t RiscvProcess::bus_address(std::uint64_t address, std::size_t bytes) const {
  const std::uint64_t window = program_.space().memory().bytes();
  if (address >= window || bytes > window - address) return 0;
  if (address >= program_.shared_begin()) {
    const std::byte* const shared = native_address(address);
    return node().shared_region(identity().job, shared, bytes) ? std::bit_cast<std::uint64_t>(shared) : 0;
  }
  const std::uint64_t first = address & ~(riscv::page_bytes - 1);
  const std::byte* const begin = native_address(first);
  const std::size_t whole = os::rounded_to_pages(address + std::max<std::size_t>(bytes, 1)) - first;
  return region_of(begin, whole) ? std::bit_cast<std::uint64_t>(begin + (address - first)) : 0;
}

}  // namespace sanvp::host
