/// Address translation of the Elan3 alone: walks, TLB, permissions.
#include <catch2/catch.hpp>

#include "tests/models/elan3_board.hpp"

using namespace sanvp;
using namespace sanvp::test;
using namespace sanvp::nic::elan3;

namespace {

constexpr Subject own{.context = Elan3Board::context}, other{.context = Elan3Board::context, .remote = true};
constexpr e3_addr page(std::uint32_t number) { return Elan3Board::base + number * E3_PAGE_BYTES; }

}  // namespace

TEST_CASE("elan3 translates an address by a walk of four tables and then from the TLB") {
  Elan3Board board;
  const Translation first = board.mmu.translate(own, page(3) + 0x123, Intent::read);
  CHECK_FALSE(first.fault);
  CHECK(first.address == Elan3Board::data + 3 * E3_PAGE_BYTES + 0x123);
  CHECK(first.local);
  CHECK(first.walked == 4);  // the context's record and three levels
  CHECK(board.mmu.translate(own, page(3), Intent::read).walked == 0);
  CHECK(board.counters[Counter::tlb_walks] == 1);
  CHECK(board.counters[Counter::tlb_hits] == 1);
}

TEST_CASE("elan3 takes the time of a walk and of the access itself") {
  Elan3Board board;
  std::uint32_t word = 0;
  CHECK(board.memory.load(own, page(0), word, 1us).done == 1us + 5 * Elan3Board::access);
  CHECK(board.memory.load(own, page(0), word, 2us).done == 2us + Elan3Board::access);
}

TEST_CASE("elan3 drops the translation that was not used for longest when the TLB's 16 entries are full") {
  Elan3Board board;
  for (std::uint32_t i = 0; i < 16; ++i) board.mmu.translate(own, page(i), Intent::read);
  CHECK(board.mmu.translate(own, page(0), Intent::read).walked == 0);  // now page 1 is the oldest
  CHECK(board.mmu.translate(own, page(16), Intent::read).walked == 4);
  CHECK(board.mmu.translate(own, page(0), Intent::read).walked == 0);
  CHECK(board.mmu.translate(own, page(1), Intent::read).walked == 4);
}

TEST_CASE("elan3 fetches ahead what the TLB has, without a trace of it") {
  Elan3Board board;
  CHECK(board.mmu.place(Elan3Board::context, page(3)) == nullptr);
  for (std::uint32_t i = 0; i < 16; ++i) board.mmu.translate(own, page(i), Intent::read);
  board.mmu.translate(own, page(3), Intent::read);
  CHECK(board.mmu.place(Elan3Board::context, page(3) + 0x123) == board.sdram.find(board.at(page(3) + 0x123), 1));
  CHECK(board.mmu.place(Elan3Board::context + 1, page(3)) == nullptr);

  const auto hits = board.counters[Counter::tlb_hits], walks = board.counters[Counter::tlb_walks];
  board.memory.fetch_ahead(Elan3Board::context, page(0), E3_PAGE_BYTES);
  board.memory.fetch_ahead(Elan3Board::context, page(16), sizeof(e3_event));
  board.mmu.fetch_ahead(Elan3Board::context);
  board.mmu.fetch_ahead(17);  // there is no such context
  CHECK(board.counters[Counter::tlb_hits] == hits);
  CHECK(board.counters[Counter::tlb_walks] == walks);
  // Page 0 is the oldest as before, and page 16 is not there.
  CHECK(board.mmu.translate(own, page(16), Intent::read).walked == 4);
  CHECK(board.mmu.translate(own, page(0), Intent::read).walked == 4);
}

TEST_CASE("elan3 sees a changed table entry only after the TLB was flushed") {
  Elan3Board board;
  board.mmu.translate(own, page(2), Intent::read);
  board.sdram.store(Elan3Board::third + 2 * 8, std::uint64_t{0});
  CHECK_FALSE(board.mmu.translate(own, page(2), Intent::read).fault);
  board.mmu.flush();
  const Translation gone = board.mmu.translate(own, page(2), Intent::read);
  CHECK(gone.fault.cause == E3_CAUSE_PAGE);
  CHECK(gone.fault.address == page(2));
  CHECK(gone.fault.context == Elan3Board::context);
}

TEST_CASE("elan3 marks a page as referenced and, when it is written, as modified") {
  Elan3Board board;
  const auto entry = [&] { return board.sdram.load<std::uint64_t>(Elan3Board::third + 5 * 8); };
  board.mmu.translate(own, page(5), Intent::read);
  CHECK((entry() & E3_PTE_REFERENCED) != 0);
  CHECK((entry() & E3_PTE_MODIFIED) == 0);
  board.mmu.translate(own, page(5), Intent::write);
  CHECK((entry() & E3_PTE_MODIFIED) != 0);
}

TEST_CASE("elan3 permits what the page's permission says, to the own process and to others") {
  struct Row {
    std::uint32_t permission;
    bool own_read, own_write, remote_read, remote_write, remote_event;
  };
  // registers/elan3.h, e3_permission
  const std::vector<Row> rows{
      {E3_PERM_NULL, false, false, false, false, false},     {E3_PERM_LOCAL_READ, true, false, false, false, false},
      {E3_PERM_READ, true, false, true, false, false},       {E3_PERM_NO_REMOTE, true, true, false, false, false},
      {E3_PERM_REMOTE_READ, true, true, true, false, false}, {E3_PERM_REMOTE_WRITE, true, true, true, true, false},
      {E3_PERM_REMOTE_EVENT, true, true, true, true, true},  {E3_PERM_REMOTE_ALL, true, true, true, true, true}};
  Elan3Board board;
  for (const Row& row : rows) {
    CAPTURE(row.permission);
    board.map(0, row.permission);
    const auto allowed = [&](Subject subject, Intent what) {
      const Fault fault = board.mmu.translate(subject, page(0), what).fault;
      CHECK((!fault || fault.cause == E3_CAUSE_PERMISSION));
      return !fault;
    };
    CHECK(allowed(own, Intent::read) == row.own_read);
    CHECK(allowed(own, Intent::write) == row.own_write);
    CHECK(allowed(other, Intent::read) == row.remote_read);
    CHECK(allowed(other, Intent::write) == row.remote_write);
    CHECK(allowed(other, Intent::event) == row.remote_event);
  }
}

TEST_CASE("elan3 keeps contexts apart and refuses one that does not exist") {
  Elan3Board board;
  board.mmu.translate(own, page(0), Intent::read);
  CHECK(board.mmu.translate({.context = 0}, page(0), Intent::read).fault.cause == E3_CAUSE_PAGE);
  CHECK(board.mmu.translate({.context = 77}, page(0), Intent::read).fault.cause == E3_CAUSE_PAGE);
  CHECK(board.mmu.context(77).filter == E3_FILTER_DISCARD);
}

TEST_CASE("elan3 writes across a page border to both pages and stops at one that is not mapped") {
  Elan3Board board;
  const std::vector<std::byte> bytes(16, std::byte{0xab});
  CHECK_FALSE(board.memory.write(own, page(1) - 8, bytes, 0ns).fault);
  CHECK(board.sdram.load<std::uint8_t>(Elan3Board::at(page(1)) + 7) == 0xab);
  board.sdram.store(Elan3Board::third + 1 * 8, std::uint64_t{0});
  board.mmu.flush();
  const Access access = board.memory.write(own, page(1) - 8, bytes, 0ns);
  CHECK(access.fault.cause == E3_CAUSE_PAGE);
  CHECK(access.fault.address == page(1));
}
