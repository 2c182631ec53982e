/// The origin of a bus transfer in a trace: an extension of TLM-2.0's payload, for models that draw arrows.
#pragma once

#include <optional>
#include <tlm>

#include "platform/core/trace.hpp"

namespace sanvp::net {

struct TransferCause final : tlm::tlm_extension<TransferCause> {
  Trace::Point point{};

  tlm_extension_base* clone() const override { return new TransferCause(*this); }
  void copy_from(const tlm_extension_base& other) override { *this = static_cast<const TransferCause&>(other); }
};

/// As long as it lives, a payload has the cause; it must not outlive either.
class WithCause {
 public:
  WithCause(tlm::tlm_generic_payload& payload, const std::optional<Trace::Point>& point)
      : payload_(payload), has_one_(point.has_value()) {
    if (!has_one_) return;
    cause_.point = *point;
    payload_.set_extension(&cause_);
  }
  ~WithCause() {
    if (has_one_) payload_.clear_extension(&cause_);
  }
  WithCause(const WithCause&) = delete;
  WithCause& operator=(const WithCause&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
  bool has_one_;
  TransferCause cause_;
};

inline std::optional<Trace::Point> cause_of(const tlm::tlm_generic_payload& payload) {
  const auto* cause = payload.get_extension<TransferCause>();
  return cause == nullptr ? std::nullopt : std::optional(cause->point);
}

}  // namespace sanvp::net
