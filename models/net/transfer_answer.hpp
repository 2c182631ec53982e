/// What a target says about a bus transfer beside its status, in words for people: an extension of TLM-2.0's payload
/// that the initiator attaches and a target may ignore.
#pragma once

#include <string>
#include <string_view>
#include <tlm>

namespace sanvp::net {

struct TransferAnswer final : tlm::tlm_extension<TransferAnswer> {
  std::string_view target{};  ///< name of the register or memory; empty: not told. Lasts as long as the program
  std::string refusal{};      ///< why the access was refused, a sentence without its end

  tlm_extension_base* clone() const override { return new TransferAnswer(*this); }
  void copy_from(const tlm_extension_base& other) override { *this = static_cast<const TransferAnswer&>(other); }
};

/// As long as it lives, a payload has the answer, which is empty at first; it must not outlive either.
class WithAnswer {
 public:
  WithAnswer(tlm::tlm_generic_payload& payload, TransferAnswer& answer) : payload_(payload) {
    answer.target = {};
    answer.refusal.clear();
    payload_.set_extension(&answer);
  }
  ~WithAnswer() { payload_.clear_extension<TransferAnswer>(); }
  WithAnswer(const WithAnswer&) = delete;
  WithAnswer& operator=(const WithAnswer&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
};

inline TransferAnswer* answer_of(const tlm::tlm_generic_payload& payload) {
  return payload.get_extension<TransferAnswer>();
}

}  // namespace sanvp::net
