#include "models/native/globals_place.hpp"

#include <sys/auxv.h>

namespace sanvp::native {
namespace {

constexpr unsigned long fsgsbase = 1 << 1;  // of AT_HWCAP2: Linux, arch/x86/include/uapi/asm/hwcap2.h

}  // namespace

const bool has_globals_place = (getauxval(AT_HWCAP2) & fsgsbase) != 0;

}  // namespace sanvp::native
