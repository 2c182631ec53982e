/* Stores a word where the card takes an order. */
#include <hal.h>

int main(void) {
  hal_write32(hal_device(0), 1);
  return 0;
}
