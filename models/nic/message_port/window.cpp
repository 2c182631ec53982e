#include "models/nic/message_port/window.hpp"

#include <cstring>

namespace sanvp::nic::message_port {
std::vector<std::uint64_t> Window::sizes() {
  return {std::uint64_t{MESSAGE_PORTS} * MESSAGE_PAGE_BYTES, sizeof(message_position), sizeof(message_complaint)};
}

tlm::tlm_response_status Window::access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) {
  if (place.window == MESSAGE_BAR_ROM && payload.is_read()) return read(position_, payload, place.offset);
  if (place.window == MESSAGE_BAR_COMPLAINT && payload.is_read()) {
    complaint_read_();
    return read(complaint_, payload, place.offset);
  }
  if (place.window == MESSAGE_BAR_PORTS && payload.is_write()) return command(payload, place.offset, arrival(delay));
  return tlm::TLM_COMMAND_ERROR_RESPONSE;
}

template <class Record>
tlm::tlm_response_status Window::read(const Record& record, tlm::tlm_generic_payload& payload, std::uint64_t offset) {
  const unsigned bytes = payload.get_data_length();
  if (offset > sizeof record || bytes > sizeof record - offset) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  std::memcpy(payload.get_data_ptr(), reinterpret_cast<const std::byte*>(&record) + offset, bytes);
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
