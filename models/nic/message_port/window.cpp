#include "models/nic/message_port/window.hpp"

#include <cstring>

namespace sanvp::nic::message_port {
namespace {

constexpr int window_shift = 32;

}  // namespace

std::vector<std::uint64_t> Window::sizes() {
  return {std::uint64_t{MESSAGE_PORTS} * MESSAGE_PAGE_BYTES, sizeof(message_position)};
}

void Window::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto window = static_cast<int>(payload.get_address() >> window_shift);
  const std::uint64_t offset = payload.get_address() & UINT32_MAX;
  if (payload.get_byte_enable_ptr() != nullptr)
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  else if (window == MESSAGE_BAR_ROM && payload.is_read())
    payload.set_response_status(read_rom(payload, offset));
  else if (window == MESSAGE_BAR_PORTS && payload.is_write())
    payload.set_response_status(command(payload, offset, net::kernel_now() + net::to_time(delay)));
  else
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

/// Loosely timed only: what a bus asks of it is over at once.
tlm::tlm_sync_enum Window::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                           sc_core::sc_time& delay) {
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

tlm::tlm_response_status Window::read_rom(tlm::tlm_generic_payload& payload, std::uint64_t offset) const {
  const unsigned bytes = payload.get_data_length();
  if (offset > sizeof position_ || bytes > sizeof position_ - offset) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  std::memcpy(payload.get_data_ptr(), reinterpret_cast<const std::byte*>(&position_) + offset, bytes);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status Window::command(const tlm::tlm_generic_payload& payload, std::uint64_t offset, Time at) {
  if (payload.get_data_length() != sizeof(message_command)) return tlm::TLM_BURST_ERROR_RESPONSE;
  const std::uint64_t port = offset / MESSAGE_PAGE_BYTES;
  if (offset % MESSAGE_PAGE_BYTES != 0 || port >= MESSAGE_PORTS) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  Order order{.port = static_cast<std::uint32_t>(port)};
  std::memcpy(&order.command, payload.get_data_ptr(), sizeof order.command);
  posted_.post(at, order);
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace sanvp::nic::message_port
