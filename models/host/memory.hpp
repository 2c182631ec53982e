/// A node's main memory. The bus address of a byte is the native pointer to it. Heap, stack and globals of a process
/// are regions of this memory; bus masters cannot access anything else in the simulator's address space.
///
/// Processes watch cache lines instead of polling words: a store by a bus master or another CPU wakes them, `notice`
/// after it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/host/shared_pages.hpp"
#include "models/host/target_side.hpp"
#include "models/native/condition.hpp"
#include "models/native/image.hpp"
#include "platform/core/time.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::host {

class Memory : public sc_core::sc_module {
 public:
  static constexpr std::uintptr_t line_bytes = 64;  // Alpha 21264: cache line

  /// For bus masters; TLM-2.0 base protocol. Never waits. No DMI for writes, which would bypass watches.
  tlm::tlm_target_socket<64> socket{"socket"};

  /// @param bytes   reserved address space; the host computer allocates pages when they are touched
  /// @param number  of the node: it determines the addresses, which are the same in every run
  Memory(const sc_core::sc_module_name& name, int number, std::size_t bytes, Time notice,
         const net::RunQueue& run_queue);
  ~Memory() override;

  /// From now on, calls this for each write of a bus master.
  using Observer = std::function<void(const std::byte* begin, std::size_t bytes)>;
  void observe(Observer observer) { observers_.push_back(std::move(observer)); }

  /// Takes the next `bytes` of the reserved memory, rounded up to whole pages, as a region.
  native::Range take(std::size_t bytes);
  /// The same for memory that can be mapped a second time.
  native::Range take_shared(std::size_t bytes);
  /// Replaces such memory by other at the same place, with zeros, which no other process has.
  void renew_shared(native::Range taken);
  /// Maps it a second time, over what is there. @return false if this computer does not do it
  bool show_shared(std::byte* place) const { return shared_.show(place); }
  std::size_t left() const { return reserved_.bytes - taken_; }

  /// Adds memory that was allocated elsewhere: a stack, globals.
  void add(native::Range region);
  /// The same for a window with holes: bus masters get no answer where `answers` is false.
  using Answers = std::function<bool(const std::byte* begin, std::size_t bytes)>;
  void add_window(native::Range region, Answers answers);
  /// The region that contains [pointer, pointer + bytes); null if none does.
  const native::Range* region_of(const volatile void* pointer, std::size_t bytes) const;

  /// Reports a store: notifies watches of [pointer, pointer + bytes), `notice` after `at`.
  /// @param by     the condition of the CPU that stored; null: a bus master
  /// @param cause  the store's place in the trace
  void stored(const volatile void* pointer, std::size_t bytes, Time at, const native::Condition* by = nullptr,
              const std::optional<Trace::Point>& cause = {});
  /// The `cause` of the last store to these bytes that are still recorded.
  std::optional<Trace::Point> cause(const volatile void* pointer, std::size_t bytes) const;
  /// When the CPU of `by` has noticed all pending stores of others to these bytes; 0 if none are pending.
  Time noticed(const volatile void* pointer, std::size_t bytes, const native::Condition* by) const;

  /// The same for pending stores anywhere in memory.
  Time all_noticed(const native::Condition* by) const;

  /// During its lifetime, stores to the lines of `words` notify `condition`. At most one watch for each condition.
  class Watch {
   public:
    Watch(Memory& memory, std::span<const volatile std::uint32_t* const> words, native::Condition& condition);
    /// The same, for places with an address `at`.
    template <class Place>
    Watch(Memory& memory, std::span<const Place> places, native::Condition& condition)
        : memory_(memory), condition_(condition) {
      for (const Place& place : places) memory_.watch(place.at, condition);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

   private:
    Memory& memory_;
    const native::Condition& condition_;
  };

 private:
  struct Store {
    std::uintptr_t begin, end;
    Time noticed;
    const native::Condition* by;
    std::optional<Trace::Point> cause;
  };

  void watch(const volatile void* place, native::Condition& condition);
  bool answers(const std::byte* begin, std::size_t bytes) const;
  void b_transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& transfer);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transfer, tlm::tlm_dmi& dmi);

  struct WindowWithHoles {
    native::Range range;
    Answers answers;
  };
  struct Watched {
    std::uintptr_t line;
    native::Condition* condition;
  };

  TargetSide<Memory, &Memory::b_transport, &Memory::transport_dbg, &Memory::get_direct_mem_ptr> side_{*this};
  Time notice_;
  const net::RunQueue& run_queue_;
  native::Range reserved_;
  SharedPages shared_;
  std::size_t taken_ = 0;
  std::vector<native::Range> regions_;   // in the order of their addresses
  mutable native::Range last_region_{};  // a cache: most transfers hit the region of the previous one
  std::vector<WindowWithHoles> windows_;
  std::vector<Watched> watches_;  // a few for each waiting CPU
  std::vector<Store> under_way_;
  std::vector<Observer> observers_;
};

}  // namespace sanvp::host
