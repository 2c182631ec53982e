/// files.h for programs of RISC-V: contents of files are moved at one instant, which takes no time; then a request is
/// made, which does.
#pragma once

#include <cstdint>
#include <span>

#include "models/cpu/riscv/linux/files.hpp"

namespace sanvp::host {

enum class FileWay : std::uint8_t { read, write, sync };  // as enum hal_file_way

/// Moves bytes of a file from an offset on. @returns how many, up to the end of the file, or -errno
std::int64_t move_bytes(riscv::os::Files& files, int descriptor, FileWay way, std::uint64_t begin,
                        std::span<std::byte> memory);

/// Adds to the number that the file holds, or to `first` if it is empty. @returns 0 or -errno
std::int64_t add_to_number(riscv::os::Files& files, int descriptor, std::uint64_t first, std::uint64_t more,
                           std::uint64_t& before);

/// A number that identifies a regular file; 0 for any other file.
std::uint64_t number_of_file(riscv::os::Files& files, int descriptor);

}  // namespace sanvp::host
