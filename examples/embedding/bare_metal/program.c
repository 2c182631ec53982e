/* What runs on the CPUs: node 0 sends 256 bytes to node 3, whose interrupt routine hears of them. */
#include "driver.h"

#define BYTES 256u
#define SOURCE 0x20000u
#define DESTINATION 0x21000u

/* Calls of the environment (cpu.hpp): number in a7, argument and result in a0. */
enum { CALL_EXIT, CALL_SAY, CALL_SET_HANDLER, CALL_WAIT_FOR_INTERRUPT, CALL_WINDOW, CALL_SLEEP_UNTIL_NS };
static long environment(long number, long argument) {
  register long a0 __asm__("a0") = argument;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
  return a0;
}
static void say(const char* text) { environment(CALL_SAY, (long)text); }

static struct card card;
static void interrupted(void) { card_interrupt(&card); }

static uint8_t pattern(uint32_t i) { return (uint8_t)(3 * i + 1); }

static void send(void) {
  uint8_t* const data = (uint8_t*)SOURCE;
  for (uint32_t i = 0; i < BYTES; ++i) data[i] = pattern(i);
  const e3_addr descriptor = ELAN_SDRAM;
  const struct e3_dma dma = {.type = E3_DMA_TYPE(E3_DMA_BYTE, E3_DMA_WRITE, 0, E3_DMA_RETRIES),
                             .size = BYTES,
                             .source = ELAN_MAIN + SOURCE,
                             .dest = ELAN_MAIN + DESTINATION,
                             .dest_event = ELAN_SDRAM + 0x40,
                             .dest_cookie_proc = E3_COOKIE_PROC(0, 3)};
  card_store(&card, descriptor, &dma, sizeof dma);
  environment(CALL_SLEEP_UNTIL_NS, 500000);
  say("rings the doorbell");
  card_start_dma(&card, descriptor);
}

static void receive(void) {
  const struct e3_event event = {.count = 1, .type = E3_EVENT_INTERRUPT(7)};
  card_store(&card, ELAN_SDRAM + 0x40, &event, sizeof event);
  while (card.events == 0) environment(CALL_WAIT_FOR_INTERRUPT, 0);
  const volatile uint8_t* const data = (const volatile uint8_t*)DESTINATION;
  uint32_t right = 0;
  while (right < BYTES && data[right] == pattern(right)) ++right;
  say(card.events == 1 && card.cookie == 7 && right == BYTES ? "has the event and 256 right bytes" : "has failed");
}

void start(uint64_t node, uint64_t nodes) {
  card.sdram = (uintptr_t)environment(CALL_WINDOW, E3_BAR_SDRAM);
  card.commands = (uintptr_t)environment(CALL_WINDOW, E3_BAR_COMMAND);
  card.registers = (uintptr_t)environment(CALL_WINDOW, E3_BAR_REGISTERS);
  environment(CALL_SET_HANDLER, (long)interrupted);
  card_boot(&card, (uint32_t)node, (uint32_t)nodes);
  if (node == 0) send();
  if (node == 3) receive();
  environment(CALL_EXIT, 0);
}
