/// The card's side of the host's bus: a page for each process, and the ROM. Commands are posted: they take effect
/// at the card's time, in order of arrival.
#pragma once

#include <functional>
#include <vector>

#include "models/nic/card/bus_target.hpp"
#include "models/nic/card/posted_stores.hpp"
#include "models/nic/message_port/parts.hpp"

namespace sanvp::nic::message_port {

class Window final : public BusTarget {
 public:
  /// @param obey  called at the instant at which a command has arrived
  Window(net::Timeline& timeline, std::uint32_t unit, const message_position& position,
         std::function<void(const Order&)> obey, const message_complaint& complaint,
         std::function<void()> complaint_read)
      : position_(position),
        complaint_(complaint),
        complaint_read_(std::move(complaint_read)),
        posted_(timeline, unit, std::move(obey)) {}

  static std::vector<std::uint64_t> sizes();

 private:
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) override;
  template <class Record>
  static tlm::tlm_response_status read(const Record& record, tlm::tlm_generic_payload& payload, std::uint64_t offset);
  tlm::tlm_response_status command(const tlm::tlm_generic_payload& payload, std::uint64_t offset, Time at);

  message_position position_;
  const message_complaint& complaint_;
  std::function<void()> complaint_read_;
  PostedStores<Order> posted_;
};

}  // namespace sanvp::nic::message_port
