/// The effect of each transaction on memory, and its answer, on a card's units without the rest of the card.
#include <catch2/catch.hpp>

#include "models/nic/elan3/transactions.hpp"
#include "tests/models/elan3_board.hpp"
#include "topologies/fat_tree.hpp"
#include "topologies/routing/fat_tree_adaptive.hpp"

using namespace sanvp;
using namespace sanvp::test;
using namespace sanvp::nic::elan3;

namespace {

constexpr e3_addr word = Elan3Board::base + 0x40, event = Elan3Board::base + 0x80, block = Elan3Board::base + 0x100;

struct Bench : Elan3Board {
  struct Outcome {
    int acknowledgement = -1;
    std::uint32_t reply = 0;
    Fault fault{};
  };

  template <class... Words>
  static std::vector<std::byte> bytes(Words... words) {
    const std::array<std::uint32_t, sizeof...(words)> all{static_cast<std::uint32_t>(words)...};
    const auto raw = std::as_bytes(std::span{all});
    return {raw.begin(), raw.end()};
  }
  void add(std::uint32_t type, e3_addr address, const std::vector<std::byte>& data = {}, std::uint32_t in = context) {
    builder.add(type, in, address, data);
  }
  /// The packet built so far arrives, and then its EOP, which says `taken` for all receivers.
  Outcome arrive(bool taken = true) {
    payload = builder.finish();
    const ParsedPacket packet(*payload);
    const Judgement judgement = transactions.judge(packet, clock.now());
    Outcome outcome{.acknowledgement = judgement.acknowledgement, .reply = 0, .fault = judgement.fault};
    if (judgement.fault || judgement.acknowledgement != E3_ACK_OK || judgement.thrown_away) return outcome;
    outcome.reply = transactions.apply(packet, false, clock.now()).reply;
    for (const bool after_end : {false, true}) {
      if (after_end && !taken) break;
      if (after_end) transactions.apply(packet, true, clock.now());
      for (const Transaction& transaction : packet.transactions())
        if (Transactions::acts(transaction) && waits_for_end(transaction) == after_end)
          run(transactions.act(transaction), outcome.fault);
    }
    return outcome;
  }
  std::uint32_t at_word() { return sdram.load<std::uint32_t>(at(word)); }
  void set_word(std::uint32_t value) { sdram.store(at(word), value); }

  Microcode microcode{{.flit = 3ns}, 5ns};
  Link link{{.timeout = 1ms}, queue, 0, clock, network, counters};
  topologies::Graph graph = topologies::fat_tree(4, 1);
  std::unique_ptr<topologies::Routing> routing = topologies::fat_tree_adaptive(graph, topologies::UpChoice::adaptive);
  RouteTables routes{sdram, mmu, RouteNetwork::of(graph, *routing), 0};
  Tracks tracks{nullptr, "host"};
  Schedule schedule{clock, interrupts, mmu};
  DmaEngine dma{{.user_entries = 2, .system_entries = 1},
                {queue, clock, memory, microcode, link, routes, traps, counters, tracks, schedule},
                0};
  Transactions transactions{{.requests = 8}, memory, events, dma, counters};
  PacketBuilder builder;
  Payload payload;
};

}  // namespace

TEST_CASE("elan3 writes the valid bytes of a write-block") {
  Bench bench;
  bench.add(E3_TR_WRITE_BLOCK, block, std::vector<std::byte>(13, std::byte{0x5a}));
  CHECK(bench.arrive().acknowledgement == E3_ACK_OK);
  CHECK(bench.sdram.load<std::uint8_t>(Bench::at(block) + 12) == 0x5a);
  CHECK(bench.sdram.load<std::uint8_t>(Bench::at(block) + 13) == 0);
  CHECK(bench.counters[Counter::payload_received] == 13);
}

TEST_CASE("elan3 writes words and double words") {
  Bench bench;
  bench.add(E3_TR_WRITE_WORD, word, Bench::bytes(7, 99));
  bench.add(E3_TR_WRITE_DOUBLE_WORD, word + 8, Bench::bytes(8, 9));
  CHECK(bench.arrive().acknowledgement == E3_ACK_OK);
  CHECK(bench.at_word() == 7);
  CHECK(bench.sdram.load<std::uint32_t>(Bench::at(word) + 4) == 0);
  CHECK(bench.sdram.load<std::uint64_t>(Bench::at(word) + 8) == (std::uint64_t{9} << 32 | 8));
}

TEST_CASE("elan3 adds to a word and returns its old value") {
  Bench bench;
  bench.set_word(40);
  bench.add(E3_TR_ATOMIC_ADD_WORD, word, Bench::bytes(2, 0));
  CHECK(bench.arrive().reply == 40);
  CHECK(bench.at_word() == 42);
}

TEST_CASE("elan3 writes a word that has the expected value, leaves another, and returns the old value") {
  Bench bench;
  bench.set_word(5);
  bench.add(E3_TR_TEST_AND_WRITE, word, Bench::bytes(4, 77));
  CHECK(bench.arrive().reply == 5);
  CHECK(bench.at_word() == 5);
  bench.add(E3_TR_TEST_AND_WRITE, word, Bench::bytes(5, 77));
  CHECK(bench.arrive().reply == 5);
  CHECK(bench.at_word() == 77);
}

TEST_CASE("elan3 executes nothing of a packet whose test fails") {
  struct Row {
    std::uint32_t test;
    std::int32_t word, operand;
    bool holds;
  };
  Bench bench;
  for (const auto& [test, value, operand, holds] : std::vector<Row>{{E3_TR_GTE, 3, 3, true},
                                                                    {E3_TR_GTE, -1, 3, false},
                                                                    {E3_TR_LT, -1, 0, true},
                                                                    {E3_TR_LT, 0, 0, false},
                                                                    {E3_TR_EQ, 4, 4, true},
                                                                    {E3_TR_EQ, 4, 5, false},
                                                                    {E3_TR_NEQ, 4, 5, true},
                                                                    {E3_TR_NEQ, 4, 4, false}}) {
    CAPTURE(test, value, operand);
    bench.set_word(static_cast<std::uint32_t>(value));
    bench.sdram.store(Bench::at(block), 0U);
    bench.add(test, word, Bench::bytes(operand, 0));
    bench.add(E3_TR_WRITE_WORD, block, Bench::bytes(1, 0));
    CHECK(bench.arrive().acknowledgement == (holds ? E3_ACK_OK : E3_ACK_TEST_FAIL));
    CHECK(bench.sdram.load<std::uint32_t>(Bench::at(block)) == (holds ? 1 : 0));
  }
}

TEST_CASE("elan3 executes nothing of a packet with a forbidden transaction") {
  Bench bench;
  bench.map(1, E3_PERM_REMOTE_READ);
  bench.add(E3_TR_WRITE_WORD, word, Bench::bytes(1, 0));
  bench.add(E3_TR_WRITE_WORD, Elan3Board::base + E3_PAGE_BYTES, Bench::bytes(1, 0));
  const auto outcome = bench.arrive();
  CHECK(outcome.fault.cause == E3_CAUSE_PERMISSION);
  CHECK(outcome.fault.address == Elan3Board::base + E3_PAGE_BYTES);
  CHECK(bench.at_word() == 0);
}

TEST_CASE("elan3 sets an event, and performs actions that wait for the EOP only when all have taken the packet") {
  Bench bench;
  bench.sdram.store(Bench::at(event), e3_event{.count = 10, .type = 0});
  const auto count = [&] { return bench.sdram.load<std::int32_t>(Bench::at(event)); };
  bench.add(E3_TR_SET_EVENT, event);
  bench.arrive();
  CHECK(count() == 9);
  bench.add(E3_TR_SET_EVENT | E3_TR_WAIT_EOP, event);
  bench.add(E3_TR_WRITE_WORD | E3_TR_WAIT_EOP, word, Bench::bytes(3, 0));
  bench.arrive(false);
  CHECK(count() == 9);
  CHECK(bench.at_word() == 0);
  bench.add(E3_TR_SET_EVENT | E3_TR_WAIT_EOP, event);
  bench.add(E3_TR_WRITE_WORD | E3_TR_WAIT_EOP, word, Bench::bytes(3, 0));
  bench.arrive(true);
  CHECK(count() == 8);
  CHECK(bench.at_word() == 3);
}

TEST_CASE("elan3 queues a DMA that a packet brings, with the rights of a remote process") {
  Bench bench;
  e3_dma dma{};
  dma.size = 100;
  dma.source = block;
  const auto raw = std::as_bytes(std::span{&dma, 1});
  const std::vector<std::byte> data(raw.begin(), raw.end());
  bench.add(E3_TR_REMOTE_DMA, 0, data);
  CHECK(bench.arrive().acknowledgement == E3_ACK_OK);
  CHECK(bench.dma.queued() == 1);
  bench.map(0, E3_PERM_NO_REMOTE);  // the data are not for other nodes
  bench.add(E3_TR_REMOTE_DMA, 0, data);
  CHECK(bench.arrive().fault.cause == E3_CAUSE_PERMISSION);
  CHECK(bench.dma.queued() == 1);
}

TEST_CASE("elan3 discards a packet when it is told to, or cannot read it") {
  Bench bench;
  bench.add(E3_TR_SEND_DISCARD, 0);
  CHECK(bench.arrive().acknowledgement == E3_ACK_DISCARD);
  bench.add(E3_TR_WRITE_WORD, word, Bench::bytes(1, 0), 0);  // a context without tables: no process has attached yet
  CHECK(bench.arrive().acknowledgement == E3_ACK_DISCARD);
  bench.add(E3_TR_WRITE_WORD, 0x7f000000, Bench::bytes(1, 0));  // one with tables, but not for this page
  CHECK(bench.arrive().fault.cause == E3_CAUSE_PAGE);
  bench.add(E3_TR_WRITE_WORD, word, Bench::bytes(1, 0), 5);  // one that does not exist
  CHECK(bench.arrive().acknowledgement == E3_ACK_DISCARD);
  const std::vector<std::byte> nonsense(7);
  CHECK(bench.transactions.judge(ParsedPacket(nonsense), 0ns).acknowledgement == E3_ACK_DISCARD);
}

TEST_CASE("elan3 refuses words that are not aligned") {
  Bench bench;
  bench.add(E3_TR_WRITE_WORD, word + 2, Bench::bytes(1, 0));
  CHECK(bench.arrive().fault.cause == E3_CAUSE_ALIGNMENT);
  bench.add(E3_TR_WRITE_DOUBLE_WORD, word + 4, Bench::bytes(1, 0));
  CHECK(bench.arrive().fault.cause == E3_CAUSE_ALIGNMENT);
}
