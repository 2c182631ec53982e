/// Between a card and a memory or bus that calls wait(), as TLM-2.0 permits. A card's units are coroutines on the
/// timeline and call their bus as a function; here their steps run in an SC_THREAD instead, so that the target may wait
/// as long as it likes, while the kernel, the network and all other cards continue.
///
///   nic::WaitingBus bus("bus_0", timeline);
///   auto card = model.make_module("card_0", {.host = 0, ..., .steps = &bus});
///   card->bus.bind(bus.card);
///   bus.memory.bind(my_memory.socket);
///
/// The target is called when the transfer begins, at the kernel's time; the card sees its end: the kernel's time when
/// the call returns, and the delay that the call leaves.
///
/// A card's steps do not overlap: while one waits, the card's others come after it, as its software would see of a card
/// with a single path to memory. Units that could proceed during a transfer are later than with a target that returns
/// the time as a delay. Packets arrive and registers are served meanwhile.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "models/net/immediate_target.hpp"
#include "models/net/task.hpp"
#include "models/net/timeline.hpp"

// After <tlm>.
#include <tlm_utils/simple_initiator_socket.h>

namespace sanvp::nic {

class WaitingBus : public sc_core::sc_module, public net::StepRunner {
 public:
  tlm::tlm_target_socket<64> card{"card"};
  tlm_utils::simple_initiator_socket<WaitingBus, 64> memory{"memory"};

  /// One per card, of whose NicContext it is `steps`.
  WaitingBus(const sc_core::sc_module_name& name, net::Timeline& timeline);

  // StepRunner
  void handle(const net::Event& event) override;
  void run(std::function<void()> step) override;

 private:
  struct Side final : net::ImmediateTarget {
    explicit Side(WaitingBus& bus) : owner(bus) {}
    void b_transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& transfer) override;
    WaitingBus& owner;
  };

  void work();
  void transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay);
  void post(const tlm::tlm_generic_payload& transfer, Time at);
  void after_timeline();
  void open_instant();

  Side side_{*this};
  net::Timeline& timeline_;
  std::deque<std::function<void()>> steps_;     ///< that are to be run
  std::optional<net::Timeline::Step> in_step_;  ///< its thread is running one, and does not wait
  sc_core::sc_event more_{"more"};
  sc_core::sc_event reached_{"reached"};
};

}  // namespace sanvp::nic
