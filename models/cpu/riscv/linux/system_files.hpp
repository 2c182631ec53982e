/// Files of /dev, /proc and /sys, as far as C and OpenMP libraries use them. They are the virtual machine's own: no
/// descriptor of the simulating computer is behind them.
#pragma once

#include <memory>
#include <string>

#include "models/cpu/riscv/linux/open_file.hpp"
#include "models/cpu/riscv/linux/process.hpp"

namespace sanvp::riscv::os {

/// Null for other paths. Devices (devices.hpp); /proc/self/exe: the program; /proc/self/maps: what is mapped now;
/// /sys/devices/system/cpu/cpuN/topology: CPUs of the node, which are cores of their own in one package.
std::shared_ptr<OpenFile> system_file(Process& process, const std::string& path);

}  // namespace sanvp::riscv::os
