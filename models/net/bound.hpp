/// What a TLM initiator socket is bound to.
#pragma once

#include <tlm>

namespace sanvp::net {

/// Found out with the first call, and kept beside what else a transfer wants: a socket is many lines of the cache, and
/// what is called through it stands in the middle.
/// @tparam Socket  of tlm_fw_transport_if; it must outlive this
template <class Socket>
class Bound {
 public:
  explicit Bound(Socket& socket) : socket_(socket) {}

  /// Not before elaboration is over for one that may stay unbound.
  explicit operator bool() { return to_ != nullptr || socket_.size() > 0; }
  /// It is bound.
  tlm::tlm_fw_transport_if<>* operator->() {
    if (to_ == nullptr) to_ = socket_.operator->();
    return to_;
  }

 private:
  tlm::tlm_fw_transport_if<>* to_ = nullptr;
  Socket& socket_;
};

}  // namespace sanvp::net
