/// A node's main memory. The bus address of a byte is the native pointer to it: what a process has (heap, stack, the
/// globals of its image) are regions of this memory, everything else of the program is out of reach.
///
/// Processes watch lines instead of polling words: a store that the node's processors did not see themselves wakes
/// them, `notice` after it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/host/target_side.hpp"
#include "models/native/image.hpp"
#include "models/native/wakeup.hpp"
#include "platform/core/time.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::host {

class Memory : public sc_core::sc_module {
 public:
  static constexpr std::uintptr_t line_bytes = 64;  // Alpha 21264: cache line

  /// Bus masters; TLM-2.0 base protocol. Never waits. No DMI for writes, which watchers would miss.
  tlm::tlm_target_socket<64> socket{"socket"};

  /// @param bytes   reserved from the machine that simulates; it gives them when they are touched
  /// @param number  of the node: places are the same in every run
  Memory(const sc_core::sc_module_name& name, int number, std::size_t bytes, Time notice, const net::Agenda& agenda);
  ~Memory() override;

  /// The next so many bytes of the reserved ones, rounded up to whole pages. They are a region at once.
  native::Range take(std::size_t bytes);
  std::size_t left() const { return reserved_.bytes - taken_; }

  /// Memory that comes from elsewhere: a stack, globals.
  void add(native::Range region);
  /// The region that has all of [pointer, pointer + bytes); null where none has.
  const native::Range* region_of(const volatile void* pointer, std::size_t bytes) const;

  /// Wakes who watches [pointer, pointer + bytes), `notice` after `at`.
  /// @param by     the event of the CPU that stored; null: a bus master
  /// @param cause  where that is in the trace
  void stored(const volatile void* pointer, std::size_t bytes, Time at, const native::Wakeup* by = nullptr,
              const std::optional<Trace::Point>& cause = {});
  /// Of the last store to these bytes that is remembered; nothing where it had none.
  std::optional<Trace::Point> cause(const volatile void* pointer, std::size_t bytes) const;
  /// When a store to these bytes that is under way, and not one of its own, is noticed by `by`; 0 where none is.
  Time noticed(const volatile void* pointer, std::size_t bytes, const native::Wakeup* by) const;

  /// When all stores that are under way, and none of its own, have been noticed by `by`; 0 where there are none.
  Time all_noticed(const native::Wakeup* by) const;

  /// As long as it lives, `wakeup` is notified for stores to the lines of `words`. One at a time for a wakeup.
  class Watch {
   public:
    Watch(Memory& memory, std::span<const volatile std::uint32_t* const> words, native::Wakeup& wakeup);
    /// The same, of anything that has an address `at`.
    template <class Place>
    Watch(Memory& memory, std::span<const Place> places, native::Wakeup& wakeup) : memory_(memory), wakeup_(wakeup) {
      for (const Place& place : places) memory_.watch(place.at, wakeup);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

   private:
    Memory& memory_;
    const native::Wakeup& wakeup_;
  };

 private:
  struct Store {
    std::uintptr_t begin, end;
    Time noticed;
    const native::Wakeup* by;
    std::optional<Trace::Point> cause;
  };

  void watch(const volatile void* place, native::Wakeup& wakeup);
  void b_transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& transfer);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transfer, tlm::tlm_dmi& dmi);

  struct Watched {
    std::uintptr_t line;
    native::Wakeup* wakeup;
  };

  TargetSide<Memory, &Memory::b_transport, &Memory::transport_dbg, &Memory::get_direct_mem_ptr> side_{*this};
  Time notice_;
  const net::Agenda& agenda_;
  native::Range reserved_;
  std::size_t taken_ = 0;
  std::vector<native::Range> regions_;   // in the order of their addresses
  mutable native::Range last_region_{};  // one of them: most transfers go where the one before went
  std::vector<Watched> watches_;         // a few for each CPU that waits
  std::vector<Store> under_way_;
};

}  // namespace sanvp::host
