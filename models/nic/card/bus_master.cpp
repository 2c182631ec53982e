#include "models/nic/card/bus_master.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/net/module.hpp"
#include "models/net/transfer_cause.hpp"
#include "platform/core/error.hpp"

namespace sanvp::nic {

BusMaster::Transfer BusMaster::transfer(tlm::tlm_command command, std::uint64_t address, std::byte* data,
                                        std::size_t size, Time at) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(data));
  payload_.set_data_length(static_cast<unsigned>(size));
  payload_.set_streaming_width(static_cast<unsigned>(size));
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  // A step that has waited (waiting_bus.hpp) may have worked out `at` before.
  sc_core::sc_time delay = net::to_sc_time(std::max(at - net::kernel_now(), Time{0}));
  bus_->b_transport(payload_, delay);
  if (timeline_.was_suspended())
    throw UserError(bus_.name(), fmt::format("the target at address {:#x} calls wait()", address),
                    "put a nic::WaitingBus between");
  return {net::kernel_now() + net::to_time(delay), payload_.get_response_status()};
}

BusMaster::Transfer BusMaster::read(std::uint64_t address, std::span<std::byte> to, Time at) {
  return transfer(tlm::TLM_READ_COMMAND, address, to.data(), to.size(), at);
}

BusMaster::Transfer BusMaster::write(std::uint64_t address, std::span<const std::byte> from, Time at,
                                     const std::optional<Trace::Point>& cause) {
  const net::WithCause with_cause(payload_, cause);
  // TLM's payload has one pointer for both directions; the target of a write does not change the data.
  return transfer(tlm::TLM_WRITE_COMMAND, address, const_cast<std::byte*>(from.data()), from.size(), at);
}

}  // namespace sanvp::nic
