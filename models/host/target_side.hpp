/// The target interface of a component of a node.
#pragma once

#include <type_traits>

#include "models/net/immediate_target.hpp"

namespace sanvp::host {

/// Passes transfers to member functions of a module.
/// @tparam debug   unsigned (Module::*)(tlm_generic_payload&); nullptr: no debug transport
/// @tparam direct  bool (Module::*)(tlm_generic_payload&, tlm_dmi&); nullptr: no DMI
template <class Module, void (Module::*transport)(tlm::tlm_generic_payload&, sc_core::sc_time&), auto debug = nullptr,
          auto direct = nullptr>
class TargetSide final : public net::ImmediateTarget {
 public:
  explicit TargetSide(Module& module) : module_(module) {}

  void b_transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) override {
    (module_.*transport)(transfer, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& transfer) override {
    if constexpr (std::is_null_pointer_v<decltype(debug)>)
      return 0;
    else
      return (module_.*debug)(transfer);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transfer, tlm::tlm_dmi& dmi) override {
    if constexpr (std::is_null_pointer_v<decltype(direct)>)
      return false;
    else
      return (module_.*direct)(transfer, dmi);
  }

 private:
  Module& module_;
};

}  // namespace sanvp::host
