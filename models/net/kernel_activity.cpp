#include "models/net/kernel_activity.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::net {
namespace {

/// Whether a process or a primitive channel is among `objects`, or below.
bool needs_kernel(const std::vector<sc_core::sc_object*>& objects, const sc_core::sc_object* self) {
  return std::any_of(objects.begin(), objects.end(), [self](sc_core::sc_object* object) {
    const bool is_process = sc_core::sc_process_handle(object).valid();
    return (is_process && object != self) || dynamic_cast<sc_core::sc_prim_channel*>(object) != nullptr ||
           needs_kernel(object->get_child_objects(), self);
  });
}

}  // namespace

void KernelActivity::begin() {
  if (std::exchange(begun_, true) && !alone_) return;
  const sc_core::sc_object* self = sc_core::sc_get_current_process_handle().get_process_object();
  children_ = &self->get_child_objects();
  alone_ = !needs_kernel(sc_core::sc_get_top_level_objects(), self);
}

Time KernelActivity::ask() {
  const sc_core::sc_simcontext* const kernel = sc_core::sc_get_curr_simcontext();
  if (kernel->pending_activity_at_current_time()) return kernel_now();
  sc_core::sc_time next;
  if (!kernel->next_time(next)) return never;
  return next < to_sc_time(never) ? to_time(next) : never;
}

}  // namespace sanvp::net
