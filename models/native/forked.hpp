/// The simulator in a child process (platform/snapshots).
#pragma once

namespace sanvp::native {

/// Arms again what a fork does not copy: timers, and the notice of raw system calls.
void continue_in_child();

}  // namespace sanvp::native
