#include "models/nic/card/waiting_bus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <coroutine>
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sanvp::nic {
namespace {

// Kinds of events without a coroutine. The thread continues after all that units of other cards do at the instant.
constexpr std::uint16_t reached_kind = UINT16_MAX - 1;
constexpr std::uint16_t open_kind = UINT16_MAX;

}  // namespace

WaitingBus::WaitingBus(const sc_core::sc_module_name& name, net::Timeline& timeline)
    : sc_module(name), timeline_(timeline) {
  card.bind(side_);
  SANVP_HAS_PROCESS(WaitingBus);
  SC_THREAD(work);
}

void WaitingBus::handle(const net::Event& event) {
  if (event.subject != nullptr)
    run([step = std::coroutine_handle<>::from_address(event.subject)] { step.resume(); });
  else if (event.kind == reached_kind)
    reached_.notify(timeline_.ahead());
}

void WaitingBus::run(std::function<void()> step) {
  steps_.push_back(std::move(step));
  more_.notify(timeline_.ahead());  // when the kernel's time has got here
}

void WaitingBus::work() {
  for (;;) {
    while (steps_.empty()) wait(more_);
    after_timeline();
    const std::function<void()> step = std::move(steps_.front());
    steps_.pop_front();
    in_step_.emplace(timeline_);
    try {
      step();
    } catch (const sc_core::sc_unwind_exception&) {
      throw;
    } catch (...) {
      timeline_.fail(std::current_exception());
    }
    in_step_.reset();
    open_instant();
  }
}

/// Waits until the timeline has handled its events of the kernel's present instant.
void WaitingBus::after_timeline() {
  net::EventQueue& queue = timeline_.queue();
  if (queue.now() == net::kernel_now() && queue.next() > net::kernel_now()) return;
  queue.schedule({.ps = net::kernel_now().count(), .handler = this, .kind = reached_kind});
  timeline_.wake();
  wait(reached_);
}

/// What the step has done may call for an update of the network, and has scheduled events.
void WaitingBus::open_instant() {
  timeline_.queue().schedule({.ps = net::kernel_now().count(), .handler = this, .kind = open_kind});
  timeline_.wake();
}

void WaitingBus::transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
  if (!in_step_) return post(transfer, net::kernel_now() + net::to_time(delay));
  in_step_.reset();
  open_instant();
  if (delay > sc_core::SC_ZERO_TIME) wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  memory->b_transport(transfer, delay);
  after_timeline();
  in_step_.emplace(timeline_);
}

/// A write outside of steps, as of a status that a packet's arrival changes, goes through a write buffer: nothing waits
/// for it.
void WaitingBus::post(const tlm::tlm_generic_payload& transfer, Time at) {
  if (!transfer.is_write())
    throw std::logic_error(
        fmt::format("{}: the card reads address {:#x} outside of its units' steps (net::Clock::act makes one)", name(),
                    transfer.get_address()));
  const unsigned char* const begin = transfer.get_data_ptr();
  run([this, at, address = transfer.get_address(),
       data = std::vector<unsigned char>(begin, begin + transfer.get_data_length())]() mutable {
    tlm::tlm_generic_payload write;
    write.set_write();
    write.set_address(address);
    write.set_data_ptr(data.data());
    write.set_data_length(static_cast<unsigned>(data.size()));
    write.set_streaming_width(static_cast<unsigned>(data.size()));
    sc_core::sc_time delay = net::to_sc_time(std::max(at - net::kernel_now(), Time{0}));
    transport(write, delay);
  });
}

void WaitingBus::Side::b_transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
  const bool is_posted = !owner.in_step_;
  owner.transport(transfer, delay);
  if (is_posted) transfer.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned WaitingBus::Side::transport_dbg(tlm::tlm_generic_payload& transfer) {
  return owner.memory->transport_dbg(transfer);
}

}  // namespace sanvp::nic
