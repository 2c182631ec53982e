/// Watchpoints: which accesses stop, and that nothing else changes.
#include "models/cpu/riscv/watchpoints.hpp"

#include <catch2/catch.hpp>

#include "tests/riscv/bare_program.hpp"

namespace {

using namespace sanvp::riscv;
using Of = Watchpoint::Of;

constexpr std::uint32_t amoadd_w = 0x0020A1AF;  // amoadd.w x3, x2, (x1)
constexpr std::uint16_t c_sw = 0xC088;          // c.sw x10, 0(x9)

/// x1 is the address of the data.
struct Watched : BareProgram<std::uint64_t> {
  Watchpoints watchpoints{memory};
  explicit Watched(std::initializer_list<std::uint32_t> words) : BareProgram(words) {
    hart.x[1] = hart.x[9] = data_at;
    hart.x[2] = 7;
  }
  Stop run_watched() { return watchpoints.run(interpreter, hart, 1000); }
};

TEST_CASE("a watchpoint stops after each store to its bytes, and at no other access") {
  Watched program({sw(2, 1, 0), sw(2, 1, 8), lw(4, 1, 4), sw(2, 1, 4), nop, ecall});
  REQUIRE(program.watchpoints.add({Of::writes, data_at + 4, 4}));
  CHECK(program.run_watched() == Stop::watchpoint);
  CHECK(program.hart.pc == code_at + 16);
  CHECK(program.watchpoints.hit().address == data_at + 4);
  CHECK(program.memory.read<std::uint32_t>(data_at + 4) == 7U);
  CHECK(program.run_watched() == Stop::environment_call);
}

TEST_CASE("watchpoints of reads and of both stop at loads and atomic operations") {
  Watched program({sw(2, 1, 0), lw(4, 1, 0), amoadd_w, ecall});
  REQUIRE(program.watchpoints.add({Of::reads, data_at, 1}));
  CHECK(program.run_watched() == Stop::watchpoint);
  CHECK(program.hart.pc == code_at + 8);
  CHECK(program.run_watched() == Stop::watchpoint);
  CHECK(program.hart.pc == code_at + 12);
  CHECK(program.hart.x[3] == 7);
  CHECK(program.run_watched() == Stop::environment_call);
}

TEST_CASE("short forms and bytes across two pages are seen") {
  Watched program({0, ecall});
  program.hart.x[10] = 3;
  store_to(program.memory.window(), code_at, c_sw);
  store_to(program.memory.window(), code_at + 2, std::uint16_t{0x0001});  // c.nop
  program.memory.protect(data_at, 2 * page_bytes, readable | writable);
  program.hart.x[9] = data_at + page_bytes;
  REQUIRE(program.watchpoints.add({Of::writes, data_at + page_bytes - 2, 4}));
  CHECK(program.run_watched() == Stop::watchpoint);
  CHECK(program.watchpoints.hit().address == data_at + page_bytes);
  CHECK(program.hart.pc == code_at + 2);
}

TEST_CASE("time, instructions and permissions are the same with a watchpoint") {
  const std::initializer_list<std::uint32_t> words = {addi(2, 0, 50), sw(2, 1, 0),       lw(4, 1, 0),
                                                      addi(2, 2, -1), bne_back(2, 0, 3), ecall};
  Watched plain(words), watched(words);
  REQUIRE(watched.watchpoints.add({Of::accesses, data_at + 64, 8}));
  for (int turn = 0; turn < 30; ++turn) {
    CHECK(watched.watchpoints.run(watched.interpreter, watched.hart, 7) == plain.run(7));
    CHECK(watched.hart.retired == plain.hart.retired);
    CHECK(watched.hart.time_ps == plain.hart.time_ps);
    CHECK(watched.memory.permissions(data_at >> page_bits) == plain.memory.permissions(data_at >> page_bits));
  }
}

TEST_CASE("a fault in a watched page is still a fault") {
  Watched program({lw(4, 1, 0), sw(2, 1, 0), ecall});
  program.memory.protect(data_at, page_bytes, readable);
  REQUIRE(program.watchpoints.add({Of::writes, data_at + 16, 4}));
  CHECK(program.run_watched() == Stop::fault);
  CHECK(program.hart.pc == code_at + 4);
  CHECK(program.hart.fault.cause == Cause::store_fault);
  CHECK(program.hart.retired == 1);
  CHECK(program.hart.left.block == nullptr);
}

TEST_CASE("what others write is noticed once") {
  Watched program({ecall});
  REQUIRE(program.watchpoints.add({Of::writes, data_at, 4}));
  CHECK_FALSE(program.watchpoints.changed_from_outside());
  store_to(program.memory.window(), data_at, std::uint32_t{1});
  CHECK(program.watchpoints.changed_from_outside());
  CHECK_FALSE(program.watchpoints.changed_from_outside());
}

TEST_CASE("watchpoints that are empty or outside the window are refused") {
  Watched program({ecall});
  CHECK_FALSE(program.watchpoints.add({Of::writes, data_at, 0}));
  CHECK_FALSE(program.watchpoints.add({Of::writes, window_bytes - 1, 2}));
  CHECK_FALSE(program.watchpoints.add({Of::writes, ~std::uint64_t{0}, 2}));
  CHECK_FALSE(program.watchpoints.remove({Of::writes, data_at, 4}));
}

}  // namespace
