/// Frames by the prologues of functions, in short and long instructions.
#include "models/cpu/riscv/linux/prologue.hpp"

#include <catch2/catch.hpp>

#include "tests/riscv/bare_program.hpp"

namespace sanvp::riscv {
namespace {

constexpr unsigned ra = 1, fp = 8, s1 = 9;

TEST_CASE("a frame grows with each instruction of the prologue, in short forms") {
  // addi sp,sp,-48; sd ra,40(sp) - sd s0,32(sp); addi s0,sp,48 - sub sp,sp,a0 - addi sp,sp,-2032 - sd s1,8(sp); nop
  const BareProgram<std::uint64_t> program({0xF4067179, 0x1800F022, 0x40A10133, 0x81010113, 0x0001E426});
  const auto at = [&](std::uint64_t bytes) { return os::frame_at(program.memory, code_at, code_at + bytes); };
  CHECK(at(0).bytes == 0);
  CHECK_FALSE(at(2).saved_below[ra]);
  CHECK(at(2).bytes == 48);
  CHECK(at(4).saved_below[ra] == 48 - 40);
  CHECK(at(6).saved_below[fp] == 48 - 32);
  CHECK_FALSE(at(6).pointer_below);
  CHECK(at(8).pointer_below == 0);
  CHECK(at(18).bytes == 48 + 2032);
  CHECK(at(18).saved_below[s1] == 48 + 2032 - 8);
  CHECK(at(18).pointer_below == 0);  // where the frame is larger than that
}

TEST_CASE("a frame is the same in long forms, and an end of the function does not shrink it") {
  // addi sp,sp,-48; sd ra,40(sp); addi s0,sp,16; addi sp,sp,48; ret
  const BareProgram<std::uint64_t> program({0xFD010113, 0x02113423, 0x01010413, 0x03010113, 0x00008067});
  const os::FrameLayout frame = os::frame_at(program.memory, code_at, code_at + 20);
  CHECK(frame.bytes == 48);
  CHECK(frame.saved_below[ra] == 8);
  CHECK(frame.pointer_below == 32);
  CHECK_FALSE(frame.saved_below[fp]);
}

TEST_CASE("a function outside of memory has no frame") {
  const Memory memory(window_bytes);
  CHECK(os::frame_at(memory, window_bytes + 8, window_bytes + 100).bytes == 0);
}

}  // namespace
}  // namespace sanvp::riscv
