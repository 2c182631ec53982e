/// Permissions of the window, for any address and length.
#include "models/cpu/riscv/memory.hpp"

#include <catch2/catch.hpp>

#include "models/cpu/riscv/linux/address_space.hpp"
#include "platform/core/random.hpp"

namespace {

using namespace sanvp::riscv;

template <class T>
void compare(const Window& window, std::uint64_t address) {
  const bool is_aligned = address % sizeof(T) == 0;
  const bool expected = is_aligned && window.permits(address, sizeof(T), writable);
  if (is_plain<T>(window, address, writable) == expected) return;
  CAPTURE(address, sizeof(T));
  FAIL();
}

TEST_CASE("the quick test of an access agrees with the thorough one") {
  Memory memory(16 * page_bytes);
  memory.protect(2 * page_bytes, page_bytes, readable | writable);
  memory.protect(3 * page_bytes, page_bytes, readable);
  memory.protect(15 * page_bytes, page_bytes, writable);
  sanvp::Random random(3, "addresses");
  for (int i = 0; i < 200'000; ++i) {
    std::uint64_t address = random.below(17 * page_bytes);
    if (random.below(4) == 0) address = random.below(17) * page_bytes - random.below(9);
    if (random.below(8) == 0) address = random.next();
    compare<std::uint8_t>(memory.window(), address);
    compare<std::uint16_t>(memory.window(), address);
    compare<std::uint32_t>(memory.window(), address);
    compare<std::uint64_t>(memory.window(), address);
  }
}

TEST_CASE("a range that wraps around is refused") {
  const Memory memory(16 * page_bytes);
  CHECK_FALSE(memory.window().permits(~std::uint64_t{0}, 2, readable));
  CHECK_FALSE(memory.window().permits(0, ~std::uint64_t{0}, readable));
  CHECK(memory.window().permits(12345, 0, readable));
}

TEST_CASE("mappings are found from the top and given back") {
  os::AddressSpace space(64 * page_bytes, 32 * page_bytes);
  space.place_heap(4 * page_bytes, 60 * page_bytes);
  const auto first = space.map(2 * page_bytes, readable | writable), second = space.map(1, readable);
  CHECK(first == 58 * page_bytes);
  CHECK(second == 57 * page_bytes);
  store_to(space.memory().window(), *first, 7);
  CHECK(space.unmap(*first, 2 * page_bytes));
  CHECK(space.map(page_bytes, readable | writable) == 59 * page_bytes);
  CHECK(load_from<int>(space.memory().window(), 59 * page_bytes) == 0);  // cleared
}

TEST_CASE("pages count from their first store on, and the limit holds for them") {
  os::AddressSpace space(64 * page_bytes, 8 * page_bytes);
  space.place_heap(4 * page_bytes, 60 * page_bytes);
  const auto first = space.map(8 * page_bytes, readable | writable),
             second = space.map(8 * page_bytes, readable | writable);
  REQUIRE((first && second));
  const Window& window = space.memory().window();
  CHECK(window.permits(*first, 16 * page_bytes, readable) == false);  // the second lies below the first
  CHECK(window.permits(*second, 16 * page_bytes, readable));
  CHECK(space.used() == 0);  // reading costs nothing
  CHECK(may_store<std::uint64_t>(window, *first + 8));
  CHECK(window.permits(*second + page_bytes - 1, 2, writable));  // over the end of a page
  CHECK(space.used() == 3 * page_bytes);
  CHECK(may_store<std::uint64_t>(window, *first + 16));
  CHECK(space.used() == 3 * page_bytes);
  CHECK(space.memory().bytes_at(*first, 6 * page_bytes, writable).has_value());
  CHECK(space.used() == 8 * page_bytes);
  CHECK_FALSE(space.memory().count().is_exceeded);
  CHECK_FALSE(may_store<std::uint8_t>(window, *second + 5 * page_bytes));
  CHECK(space.memory().count().is_exceeded);
}

TEST_CASE("pages that are given back, or cleared, count no longer") {
  os::AddressSpace space(64 * page_bytes, 32 * page_bytes);
  space.place_heap(4 * page_bytes, 60 * page_bytes);
  const auto mapping = space.map(8 * page_bytes, readable | writable);
  REQUIRE(mapping.has_value());
  const Window& window = space.memory().window();
  CHECK(window.permits(*mapping, 8 * page_bytes, writable));
  CHECK(space.protect(*mapping, 2 * page_bytes, readable) == os::AddressSpace::Protected::done);
  CHECK(space.used() == 8 * page_bytes);  // they hold what was written
  CHECK_FALSE(may_store<int>(window, *mapping));
  CHECK(space.protect(*mapping, 2 * page_bytes, readable | writable) == os::AddressSpace::Protected::done);
  CHECK(is_plain<int>(window, *mapping, writable));
  space.clear(*mapping, 2 * page_bytes);
  CHECK(space.used() == 6 * page_bytes);
  CHECK(may_store<int>(window, *mapping));
  CHECK(space.used() == 7 * page_bytes);
  CHECK(space.unmap(*mapping, 8 * page_bytes));
  CHECK(space.used() == 0);
}

TEST_CASE("a range that can never fit is refused") {
  os::AddressSpace space(64 * page_bytes, 8 * page_bytes);
  space.place_heap(4 * page_bytes, 60 * page_bytes);
  CHECK(space.map(40 * page_bytes, 0).has_value());  // a reservation
  CHECK(space.set_break(12 * page_bytes) == 12 * page_bytes);
  CHECK(space.set_break(13 * page_bytes) == 12 * page_bytes);
  CHECK(space.set_break(4 * page_bytes) == 4 * page_bytes);
  CHECK_FALSE(space.map(9 * page_bytes, readable | writable).has_value());
  const auto mapping = space.map(8 * page_bytes, readable | writable);
  REQUIRE(mapping.has_value());
  CHECK_FALSE(space.remap(*mapping, 8 * page_bytes, 9 * page_bytes, true).has_value());
}

TEST_CASE("a page that a bus master writes counts, too") {
  os::AddressSpace space(64 * page_bytes, 2 * page_bytes);
  space.place_heap(4 * page_bytes, 60 * page_bytes);
  const std::uint64_t mapping = space.map(2 * page_bytes, readable | writable).value();
  space.map(page_bytes, readable | writable);
  space.memory().touched_by_bus(mapping + page_bytes - 4, 8);
  CHECK(space.used() == 2 * page_bytes);
  space.memory().touched_by_bus(mapping, 8);
  CHECK_FALSE(space.memory().count().is_exceeded);
  space.memory().touched_by_bus(mapping - page_bytes, 8);
  CHECK(space.memory().count().is_exceeded);
}

TEST_CASE("a mapping that grows moves with its contents") {
  os::AddressSpace space(64 * page_bytes, 32 * page_bytes);
  space.place_heap(4 * page_bytes, 60 * page_bytes);
  const auto mapping = space.map(page_bytes, readable | writable);
  CHECK(space.memory().write(*mapping + 8, 42));
  CHECK_FALSE(space.remap(*mapping, page_bytes, 3 * page_bytes, false).has_value());
  const auto moved = space.remap(*mapping, page_bytes, 3 * page_bytes, true);
  REQUIRE(moved.has_value());
  CHECK(load_from<int>(space.memory().window(), *moved + 8) == 42);
  CHECK(space.is_free(*mapping, page_bytes));
  CHECK(space.used() == page_bytes);
}

TEST_CASE("pages that move keep their permissions, and count as before") {
  os::AddressSpace space(64 * page_bytes, 4 * page_bytes);
  space.place_heap(4 * page_bytes, 60 * page_bytes);
  const std::uint64_t mapping = space.map(3 * page_bytes, readable | writable).value();
  REQUIRE(space.memory().write(mapping, 41));
  REQUIRE(space.memory().write(mapping + 2 * page_bytes, 42));
  REQUIRE(space.protect(mapping, 3 * page_bytes, readable) == os::AddressSpace::Protected::done);
  REQUIRE(space.used() == 2 * page_bytes);
  const std::uint64_t moved = space.remap(mapping, 3 * page_bytes, 4 * page_bytes, true).value();
  CHECK(moved != mapping);
  CHECK(space.used() == 2 * page_bytes);
  CHECK(space.memory().read<int>(moved) == 41);
  CHECK(space.memory().read<int>(moved + 2 * page_bytes) == 42);
  CHECK_FALSE(space.memory().write(moved, 1));
  CHECK_FALSE(space.memory().read<int>(mapping).has_value());
  REQUIRE(space.protect(moved, 4 * page_bytes, readable | writable) == os::AddressSpace::Protected::done);
  CHECK(space.memory().write(moved + page_bytes, 1));  // it had not been written to
  CHECK(space.used() == 3 * page_bytes);
  CHECK(space.unmap(moved, 4 * page_bytes));
  CHECK(space.used() == 0);
  const std::uint64_t again = space.map_at(mapping, 3 * page_bytes, readable) ? mapping : 0;
  CHECK(space.memory().read<int>(again) == 0);
}

TEST_CASE("pages with different permissions do not grow as one mapping") {
  os::AddressSpace space(64 * page_bytes, 32 * page_bytes);
  space.place_heap(4 * page_bytes, 60 * page_bytes);
  const std::uint64_t mapping = space.map(4 * page_bytes, readable | writable).value();
  REQUIRE(space.memory().write(mapping, 1));  // a page that is written to is still of the same mapping
  CHECK(space.is_one_mapping(mapping, 4 * page_bytes));
  REQUIRE(space.protect(mapping + 2 * page_bytes, page_bytes, 0) == os::AddressSpace::Protected::done);
  CHECK_FALSE(space.is_one_mapping(mapping, 4 * page_bytes));
  CHECK_FALSE(space.remap(mapping, 4 * page_bytes, 8 * page_bytes, true).has_value());
  CHECK(space.remap(mapping, 4 * page_bytes, 2 * page_bytes, false) == mapping);  // what goes may differ
}

}  // namespace
