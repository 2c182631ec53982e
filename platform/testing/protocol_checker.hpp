/// A checker of TLM-2.0's base protocol (IEEE 1666, sections 11 to 15), to be put in line between an initiator and a
/// target:
///
///   testing::ProtocolChecker checker("checker");
///   host.card.bind(checker.target);
///   checker.initiator.bind(card->registers);
///
/// It passes everything on, and takes no time. A violation on either side is an SC_ERROR of type `report_type`, which
/// sc_start throws if nothing handles it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

namespace sanvp::testing {

class ProtocolChecker : public sc_core::sc_module,
                        private tlm::tlm_fw_transport_if<>,
                        private tlm::tlm_bw_transport_if<> {
 public:
  static constexpr const char* report_type = "/sanvp/protocol";

  tlm::tlm_target_socket<64> target{"target"};           ///< where the initiator is bound
  tlm::tlm_initiator_socket<64> initiator{"initiator"};  ///< to be bound to the target

  explicit ProtocolChecker(const sc_core::sc_module_name& name) : sc_module(name) {
    target.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
    initiator.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  }

  /// Without it only the target is checked: for an initiator that makes mistakes on purpose.
  bool checks_requests = true;

  /// Calls that have passed: a test can tell whether it has checked anything.
  std::uint64_t transfers() const { return transfers_; }
  std::uint64_t debug_transfers() const { return debug_transfers_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  /// What neither side may change while a payload is in a call.
  struct Attributes {
    explicit Attributes(const Payload& payload)
        : command(payload.get_command()),
          address(payload.get_address()),
          data(payload.get_data_ptr()),
          length(payload.get_data_length()),
          width(payload.get_streaming_width()),
          enables(payload.get_byte_enable_ptr()),
          enables_length(payload.get_byte_enable_length()) {
      if (data != nullptr && command != tlm::TLM_READ_COMMAND) bytes.assign(data, data + length);
    }
    tlm::tlm_command command;
    std::uint64_t address;
    const unsigned char* data;
    unsigned length, width;
    const unsigned char* enables;
    unsigned enables_length;
    std::vector<unsigned char> bytes;  ///< of a write, or of a transfer without a command
  };

  // ---- forward ----

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    ++transfers_;
    require_thread("b_transport");
    check_request(payload);
    const Attributes before(payload);
    const sc_core::sc_time start = sc_core::sc_time_stamp() + delay;
    initiator->b_transport(payload, delay);
    check_response(payload, before);
    check_end(payload, start, delay);
  }

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    ++transfers_;
    if (!payload.has_mm()) violation(payload, "nb_transport_fw of a payload without a memory manager");
    if (phase != tlm::BEGIN_REQ) return initiator->nb_transport_fw(payload, phase, delay);
    check_request(payload);
    const Attributes before(payload);
    const sc_core::sc_time start = sc_core::sc_time_stamp() + delay;
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const tlm::tlm_sync_enum answer = initiator->nb_transport_fw(payload, phase, delay);
    if (sc_core::sc_time_stamp() != now) violation(payload, "nb_transport_fw has waited");
    if (answer == tlm::TLM_COMPLETED) check_response(payload, before);
    check_end(payload, start, delay);
    return answer;
  }

  unsigned transport_dbg(Payload& payload) override {
    ++debug_transfers_;
    const Attributes before(payload);
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const std::uint64_t delta = sc_core::sc_delta_count();
    const unsigned moved = initiator->transport_dbg(payload);
    check_kept(payload, before);
    if (moved > before.length) violation(payload, "transport_dbg has moved more bytes than asked for");
    if (sc_core::sc_time_stamp() != now || sc_core::sc_delta_count() != delta)
      violation(payload, "transport_dbg has taken time");
    return moved;
  }

  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override {
    const std::uint64_t address = payload.get_address();
    dmi.init();
    const bool granted = initiator->get_direct_mem_ptr(payload, dmi);
    if (dmi.get_start_address() > address || dmi.get_end_address() < address)
      violation(payload, "the range of get_direct_mem_ptr does not contain the address");
    if (granted && dmi.get_dmi_ptr() == nullptr) violation(payload, "direct memory without a pointer");
    if (granted && (payload.is_read() ? !dmi.is_read_allowed() : !dmi.is_write_allowed()))
      violation(payload, "direct memory does not allow what was asked for");
    return granted;
  }

  // ---- backward ----

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return target->nb_transport_bw(payload, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    if (start > end) SC_REPORT_ERROR(report_type, fmt::format("{}: an empty range is invalidated", name()).c_str());
    target->invalidate_direct_mem_ptr(start, end);
  }

  // ---- rules ----

  void require_thread(const char* call) {
    const sc_core::sc_process_handle process = sc_core::sc_get_current_process_handle();
    if (process.valid() && process.proc_kind() == sc_core::SC_METHOD_PROC_)
      SC_REPORT_ERROR(report_type, fmt::format("{}: {} is called from the method process {} (11.1.1.4 b)", name(), call,
                                               process.name())
                                       .c_str());
  }

  void check_request(const Payload& payload) {
    if (!checks_requests) return;
    if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
      violation(payload, "the request's response status is not TLM_INCOMPLETE_RESPONSE");
    if (payload.is_dmi_allowed()) violation(payload, "the request's DMI hint is set");
    if (payload.get_gp_option() != tlm::TLM_MIN_PAYLOAD) violation(payload, "the request's option is not the minimum");
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
    if (payload.get_data_ptr() == nullptr) violation(payload, "the request has no data pointer");
    if (payload.get_data_length() == 0) violation(payload, "the request has no data");
    if (payload.get_streaming_width() == 0) violation(payload, "the request's streaming width is 0");
    if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
      violation(payload, "the request has byte enables of length 0");
  }

  void check_response(const Payload& payload, const Attributes& before) {
    check_kept(payload, before);
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      violation(payload, "the target has set no response status");
    if (payload.is_dmi_allowed() && !payload.is_response_ok())
      violation(payload, "a refused transfer has the DMI hint set");
  }

  void check_kept(const Payload& payload, const Attributes& before) {
    const auto keep = [&](bool is_kept, const char* what) {
      if (!is_kept) violation(payload, fmt::format("the target has changed the {}", what));
    };
    keep(payload.get_command() == before.command, "command");
    keep(payload.get_address() == before.address, "address");
    keep(payload.get_data_ptr() == before.data, "data pointer");
    keep(payload.get_data_length() == before.length, "data length");
    keep(payload.get_streaming_width() == before.width, "streaming width");
    keep(payload.get_byte_enable_ptr() == before.enables, "byte enable pointer");
    keep(payload.get_byte_enable_length() == before.enables_length, "byte enable length");
    keep(std::equal(before.bytes.begin(), before.bytes.end(), before.data), "data of what is no read");
  }

  /// A transfer does not end before it begins: a target may turn a delay into waiting, but not shorten it.
  void check_end(const Payload& payload, const sc_core::sc_time& start, const sc_core::sc_time& delay) {
    if (sc_core::sc_time_stamp() + delay < start)
      violation(payload, fmt::format("it was to begin at {} and ends at {}", start.to_string(),
                                     (sc_core::sc_time_stamp() + delay).to_string()));
  }

  void violation(const Payload& payload, const std::string& what) {
    const char* const command = payload.is_read() ? "read" : payload.is_write() ? "write" : "transfer";
    SC_REPORT_ERROR(report_type, fmt::format("{}: {} of {} bytes at {:#x}: {}", name(), command,
                                             payload.get_data_length(), payload.get_address(), what)
                                     .c_str());
  }

  std::uint64_t transfers_ = 0, debug_transfers_ = 0;
};

}  // namespace sanvp::testing
