#include "models/nic/module.hpp"

#include <algorithm>

namespace sanvp::nic {

void NicModule::end_of_elaboration() {
  if (interrupt.size() == 0) return;
  // Only here: a machine whose kernel has no process runs faster (net/kernel_activity.hpp).
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&level_due_);
  sc_core::sc_spawn([this] { drive_signal(); }, "drive_interrupt", &options);
}

void NicModule::set_interrupt(bool raised, const sc_core::sc_time& delay) {
  if (interrupt_line.size() > 0) interrupt_line->set(raised, delay);
  if (interrupt.size() == 0) return;
  const Time at = net::kernel_now() + net::to_time(delay);
  const auto place = std::upper_bound(levels_.begin(), levels_.end(), at,
                                      [](Time time, const auto& level) { return time < level.first; });
  levels_.insert(place, {at, raised});
  level_due_.notify(delay);  // one that is pending for an earlier time stays
}

void NicModule::drive_signal() {
  while (!levels_.empty() && levels_.front().first <= net::kernel_now()) {
    interrupt->write(levels_.front().second);
    levels_.pop_front();
  }
  if (!levels_.empty()) level_due_.notify(net::to_sc_time(levels_.front().first - net::kernel_now()));
}

}  // namespace sanvp::nic
