/// The interface that a TLM initiator socket is bound to.
#pragma once

#include <tlm>

namespace sanvp::net {

/// Caches the bound interface at the first call, beside the other data of a transfer: a socket spans many cache lines,
/// with that interface in the middle.
/// @tparam Socket  of tlm_fw_transport_if; it must outlive this
template <class Socket>
class Bound {
 public:
  explicit Bound(Socket& socket) : socket_(socket) {}

  /// Full name of the socket.
  const char* name() const { return socket_.get_base_port().name(); }
  /// For a socket that may stay unbound, only after elaboration.
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
