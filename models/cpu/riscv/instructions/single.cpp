/// F: floating-point numbers of 32 bits.
#include "models/cpu/riscv/instructions/floating.hpp"

namespace sanvp::riscv {
namespace {

const Registration<Extension> registration{{.name = "F",
                                            .summary = "floating-point numbers of 32 bits",
                                            .rv32 = FloatTable<std::uint32_t, float>().rows(),
                                            .rv64 = FloatTable<std::uint64_t, float>().rows()}};

}  // namespace
}  // namespace sanvp::riscv
