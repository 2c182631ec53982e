/// What tests of DMAs have in common: where things are, descriptors, events that leave a word in main memory.
#pragma once

#include "tests/models/elan3_bench.hpp"

namespace sanvp::test {

constexpr e3_addr dma_at = place::elan, flag = place::elan + 0x140, src_event = place::elan + 0x180,
                  dest_event = place::elan + 0x1c0, source = place::elan + 0x10000, dest = place::elan + 0x60000,
                  src_done = place::main, dest_done = place::main + 64;
constexpr std::uint32_t done_word = 0x600d;

/// An event that fires the first time it is set and then leaves `done_word` at `word_in_main`.
inline void prime(Elan3Host& host, e3_addr event, e3_addr word_in_main) {
  host.store(Elan3Host::sdram(flag), done_word);
  host.store(
      Elan3Host::sdram(event),
      e3_block_event{.count = 1, .type = E3_EVENT_COPY, .source = flag | E3_EVENT_COPY_WORD, .dest = word_in_main});
}

/// A write to `process`, with its destination event.
inline e3_dma write_dma(std::uint32_t bytes, int process, std::uint32_t opcode = 0) {
  return {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, opcode, E3_DMA_RETRIES),
          .size = bytes,
          .source = source,
          .dest = dest,
          .dest_event = dest_event,
          .dest_cookie_proc = E3_COOKIE_PROC(0, process),
          .src_event = 0,
          .src_cookie_proc = 0};
}

/// Never 0, which is what memory holds that was never written.
inline std::uint8_t pattern(std::uint32_t i) { return static_cast<std::uint8_t>(1 + i * 7 % 255); }

inline void fill(Elan3Host& host, e3_addr address, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) host.store(Elan3Host::sdram(address + i), pattern(i));
}
/// How many of the bytes from `address` on are those of `fill`, up to the first that is not.
inline std::uint32_t right_bytes(Elan3Host& host, e3_addr address, std::uint32_t bytes) {
  std::uint32_t i = 0;
  while (i < bytes && host.load<std::uint8_t>(Elan3Host::sdram(address + i)) == pattern(i)) ++i;
  return i;
}

/// Puts a DMA with its descriptor in a place of its own.
inline void put(Elan3Host& host, const e3_dma& dma, std::uint32_t number = 0, std::uint32_t context = 0) {
  const e3_addr at = place::elan + 0x1000 + number * E3_DMA_ALIGN;
  host.store(Elan3Host::sdram(at), dma);
  host.command(context, E3_CP_PUT_DMA, at);
}

inline Time done_at(const Elan3Host& host, e3_addr word_in_main) {
  for (const auto& transfer : host.transfers)
    if (transfer.write && transfer.address == word_in_main - place::main) return transfer.at;
  return never;
}

}  // namespace sanvp::test
