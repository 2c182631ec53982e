/// Differences between SystemC 2.3.4 and 3.x for modules.
#pragma once

#include <cstdint>
#include <systemc>

#include "platform/core/time.hpp"

// SC_METHOD and SC_THREAD need to know their module's type: in 2.3.4 through this, from 3.0 on by themselves.
#if defined(SC_VERSION_MAJOR) && SC_VERSION_MAJOR >= 3
#define SANVP_HAS_PROCESS(Module) static_assert(true)
#else
#define SANVP_HAS_PROCESS(Module) SC_HAS_PROCESS(Module)
#endif

namespace sanvp::net {

/// During its lifetime new objects are children of `module`, as during its constructor.
class Within {
 public:
#if defined(SC_VERSION_MAJOR) && SC_VERSION_MAJOR >= 3
  explicit Within(sc_core::sc_module& module) : scope_(Scoped::of(module)) {}

 private:
  struct Scoped : sc_core::sc_module {  // only modules themselves may ask for it
    static sc_core::sc_hierarchy_scope of(sc_core::sc_module& module) {
      return (module.*&Scoped::get_hierarchy_scope)();
    }
  };
  sc_core::sc_hierarchy_scope scope_;
#else
  explicit Within(sc_core::sc_module& module) { sc_core::sc_get_curr_simcontext()->hierarchy_push(&module); }
  ~Within() { sc_core::sc_get_curr_simcontext()->hierarchy_pop(); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;
#endif
};

/// Between our time and the kernel's, whose resolution is its default: 1 ps (Timeline checks it).
inline sc_core::sc_time to_sc_time(Time t) {
  return sc_core::sc_time::from_value(static_cast<sc_core::sc_time::value_type>(t.count()));
}
inline Time to_time(const sc_core::sc_time& t) { return Time{static_cast<std::int64_t>(t.value())}; }
/// Simulated time as the kernel's processes see it.
inline Time kernel_now() { return to_time(sc_core::sc_time_stamp()); }

}  // namespace sanvp::net
