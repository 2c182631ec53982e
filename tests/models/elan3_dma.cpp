/// The DMA round trip of the QsNET paper's figure 6, between two cards on one Elite.
#include <catch2/catch.hpp>

#include "tests/models/elan3_bench.hpp"

using namespace sanvp;
using namespace sanvp::test;

namespace {

constexpr e3_addr descriptor = place::elan, source = place::elan + 0x1000, dest = place::elan + 0x2000,
                  src_event = place::elan + 0x100, dest_event = place::elan + 0x120, flag = place::elan + 0x140;
constexpr std::uint32_t done_word = 0x600d;

/// The step that a driver leaves to libraries: an event that copies a word to main memory when it fires.
void prime(Elan3Host& host, e3_addr event, e3_addr word_in_main) {
  host.store(Elan3Host::sdram(flag), done_word);
  host.store(
      Elan3Host::sdram(event),
      e3_block_event{.count = 1, .type = E3_EVENT_COPY, .source = flag | E3_EVENT_COPY_WORD, .dest = word_in_main});
}

e3_dma write_dma(std::uint32_t bytes, int process) {
  return {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
          .size = bytes,
          .source = source,
          .dest = dest,
          .dest_event = dest_event,
          .dest_cookie_proc = E3_COOKIE_PROC(0, process),
          .src_event = src_event,
          .src_cookie_proc = E3_COOKIE_PROC(0, 0)};
}

}  // namespace

TEST_CASE("elan3 moves bytes from one card's memory to another's and sets both events") {
  Elan3Bench bench(2);
  constexpr std::uint32_t bytes = 1000;
  bench.program(0, [](Elan3Host& host) {
    for (std::uint32_t i = 0; i < bytes; ++i)
      host.store(Elan3Host::sdram(source + i), static_cast<std::uint8_t>(i * 7));
    prime(host, src_event, place::main);
    host.store(Elan3Host::sdram(descriptor), write_dma(bytes, 1));
    host.wait_until(1us);
    host.command(0, E3_CP_PUT_DMA, descriptor);
  });
  bench.program(1, [](Elan3Host& host) { prime(host, dest_event, place::main + 64); });
  bench.run();
  for (std::uint32_t i = 0; i < bytes; ++i)
    REQUIRE(bench[1].load<std::uint8_t>(Elan3Host::sdram(dest + i)) == static_cast<std::uint8_t>(i * 7));
  CHECK(bench[1].load<std::uint8_t>(Elan3Host::sdram(dest + bytes)) == 0);
  CHECK(bench[0].main_word<std::uint32_t>(place::main) == done_word);
  CHECK(bench[1].main_word<std::uint32_t>(place::main + 64) == done_word);
  CHECK(bench.card(0).busy().empty());
  CHECK(bench.card(1).busy().empty());
}
