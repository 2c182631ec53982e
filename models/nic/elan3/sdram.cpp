#include "models/nic/elan3/sdram.hpp"

#include <sys/mman.h>

#include <bit>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::elan3 {

static_assert(std::endian::native == std::endian::little, "sw/abi/registers/elan3.h: all records are little-endian");

Sdram::Rules Sdram::Rules::read(const Parameters& parameters) {
  return {.access =
              parameters.time("access", 75ns, "an access of the card's memory, until its first word is there",
                              "calibrated: descriptor and route, 2 accesses, are 150 ns of the 2.2 us (FACTS 1.1)")};
}

Sdram::Sdram(const Rules& rules) : rules_(rules) {
  // Allocated lazily: a card that uses little memory costs little, so that 1,024 of them fit.
  void* memory =
      mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw UserError("nic", "there is no address space for a card's 64 MB of SDRAM", "raise `ulimit -v`");
  madvise(memory, mapped_bytes, MADV_DONTDUMP);  // 64 cards would make a core file of 4 GB
  memory_ = static_cast<std::byte*>(memory);
}

Sdram::~Sdram() { munmap(memory_, mapped_bytes); }

}  // namespace sanvp::nic::elan3
