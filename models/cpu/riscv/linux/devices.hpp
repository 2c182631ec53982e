/// Devices that every process may have. They are the virtual machine's own: no device of the simulating computer is
/// behind them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "models/cpu/riscv/linux/open_file.hpp"

namespace sanvp::riscv::os {

/// /dev/null, /dev/zero, /dev/random and /dev/urandom; null for other paths.
/// @param draw  the bytes of /dev/random and /dev/urandom
std::shared_ptr<OpenFile> device(const std::string& path, std::function<std::uint64_t()> draw);

/// Fills bytes with random ones.
void fill_randomly(std::span<std::byte> bytes, const std::function<std::uint64_t()>& draw);

}  // namespace sanvp::riscv::os
