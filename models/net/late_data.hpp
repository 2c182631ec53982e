/// A read in its place behind posted writes, for an initiator that runs on the timeline and cannot wait in the call: an
/// extension of TLM-2.0's payload with which it promises to wait out the transfer's delay before it looks at the data.
/// A target may then read when the transfer arrives, and put the data here.
#pragma once

#include <cstddef>
#include <memory>
#include <tlm>
#include <vector>

namespace sanvp::net {

struct LateData final : tlm::tlm_extension<LateData> {
  using Bytes = std::vector<std::byte>;
  /// Null: the data are in the payload. Shared, since the initiator may be gone when they come.
  std::shared_ptr<Bytes> bytes{};

  tlm_extension_base* clone() const override { return new LateData(*this); }
  void copy_from(const tlm_extension_base& other) override { *this = static_cast<const LateData&>(other); }
};

/// As long as it lives, a payload may have its data late; it must not outlive either.
class WithLateData {
 public:
  WithLateData(tlm::tlm_generic_payload& payload, LateData& data) : payload_(payload) {
    data.bytes.reset();
    payload_.set_extension(&data);
  }
  ~WithLateData() { payload_.clear_extension<LateData>(); }
  WithLateData(const WithLateData&) = delete;
  WithLateData& operator=(const WithLateData&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
};

}  // namespace sanvp::net
