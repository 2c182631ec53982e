/// Flags of open() as Linux on RISC-V numbers them (include/uapi/asm-generic/fcntl.h). x86-64 has the same; on ARM some
/// have each other's numbers (arch/arm64/include/uapi/asm/fcntl.h).
#pragma once

#include <fcntl.h>

#include <array>

namespace sanvp::riscv::os {

struct OpenFlag {
  int guest, host;
};

#ifdef __aarch64__
constexpr int host_large_file = 0400000;
#else
constexpr int host_large_file = 0100000;
#endif
static_assert(O_LARGEFILE == 0);  // so the C library does not tell it: every file may be large

constexpr std::array<OpenFlag, 4> numbered_by_processor{
    {{040000, O_DIRECT}, {0100000, host_large_file}, {0200000, O_DIRECTORY}, {0400000, O_NOFOLLOW}}};

constexpr int host_open_flags(int guest) {
  int host = guest;
  for (const OpenFlag& flag : numbered_by_processor) host &= ~flag.guest;
  for (const OpenFlag& flag : numbered_by_processor) host |= (guest & flag.guest) != 0 ? flag.host : 0;
  return host;
}

constexpr int guest_open_flags(int host) {
  int guest = host;
  for (const OpenFlag& flag : numbered_by_processor) guest &= ~flag.host;
  for (const OpenFlag& flag : numbered_by_processor) guest |= (host & flag.host) != 0 ? flag.guest : 0;
  return guest;
}

}  // namespace sanvp::riscv::os
