/// Registers as declarations: decoding, access rights, widths, repeats, messages, inspection, contradictions.
#include <catch2/catch.hpp>
#include <deque>
#include <stdexcept>

#include "models/nic/card/register_map.hpp"

using namespace sanvp;
using namespace sanvp::nic;

namespace {

/// A unit with a register to read and write, and one whose reads have an effect.
class Lamp {
 public:
  std::uint32_t level() const { return level_; }
  void set_level(std::uint32_t level) { level_ = level; }
  void off() { level_ = 0; }
  std::uint32_t take_event() {
    const std::uint32_t event = events.front();
    events.pop_front();
    return event;
  }
  std::deque<std::uint32_t> events{7, 8};

  static Registers<Lamp> registers() {
    return {{.name = "Level",
             .window = 1,
             .offset = 0x10,
             .read = get<&Lamp::level>,
             .write = put<&Lamp::set_level>,
             .meaning = "brightness",
             .source = "assumed"},
            {.name = "Off", .window = 1, .offset = 0x14, .write = strobe<&Lamp::off>},
            {.name = "Event", .window = 1, .offset = 0x18, .take = take<&Lamp::take_event>, .effect = "takes it"}};
  }

 private:
  std::uint32_t level_ = 0;
};

struct Record {
  std::uint64_t address;
  std::uint32_t bytes, flags;
};

class Board {
 public:
  Lamp lamp;
  std::vector<Instance> commands;
  std::vector<std::uint64_t> addresses;
  std::array<std::uint32_t, 6> table{1, 2, 3, 4, 5, 6};

  static const RegisterMap<Board>& map() {
    static const auto map =
        RegisterMap<Board>(
            std::vector<Window<Board>>{
                {.name = "ports", .pages = {4, 0x100, "context"}},
                {.name = "registers", .bytes = 0x100},
                {.name = "ROM", .bytes = 0x40, .contents = [](const Board&) { return std::span<const std::byte>(); }}})
            .with(Lamp::registers(), &Board::lamp)
            .with(Registers<Board>{{.name = "Command",
                                    .window = 0,
                                    .offset = 0x40,
                                    .bytes = sizeof(Record),
                                    .write =
                                        [](Board& board, const Store& store) {
                                          board.commands.push_back(store.instance);
                                          board.addresses.push_back(store.as<Record>().address);
                                        }},
                                   {.name = "Table",
                                    .window = 1,
                                    .offset = 0x80,
                                    .row = {3, 0x10, "row"},
                                    .item = {2, 4},
                                    .read = [](const Board& board, const Instance& one) -> Value {
                                      return board.table[one.row * 2 + one.item];
                                    }},
                                   {.name = "Wide",
                                    .window = 1,
                                    .offset = 0x40,
                                    .most_bytes = 8,
                                    .read = [](const Board&, const Instance&) -> Value { return 1; },
                                    .write = [](Board&, const Store&) {}}});
    return map;
  }
};

std::string refusal(int window, std::uint32_t offset, std::size_t bytes, bool is_write) {
  return Board::map().refusal({window, offset, bytes, is_write}, Board::map().sizes());
}

constexpr bool reads = false, writes = true;

}  // namespace

TEST_CASE("an address leads to its register, to the page, the row and the item") {
  const auto& map = Board::map();
  CHECK(map.name(map.find(1, 0x10)) == "Level");
  const auto command = map.find(0, 0x340);
  CHECK(map.name(command) == "Command of context 3");
  CHECK(command.instance.page == 3);
  const auto table = map.find(1, 0x94);
  CHECK(map.name(table) == "Table 1 of row 1");
  const auto looked = map.look(Board(), table);
  REQUIRE(looked);
  CHECK(looked->word() == 4);
  CHECK(map.find(1, 0x88).number < 0);  // between two rows
  CHECK(map.find(1, 0xc0).number < 0);  // after the last
  CHECK(map.find(1, 0xfc).number < 0);  // the rest of the window
  CHECK(map.find(0, 0x344).inside == 4);
  CHECK(map.sizes() == std::vector<std::uint64_t>{0x400, 0x100, 0x40});
}

TEST_CASE("writes and reads of a register call its unit") {
  const auto& map = Board::map();
  Board board;
  const auto level = map.find(1, 0x10);
  map.write(board, level.number, Store::of(std::uint32_t{5}, level.instance));
  CHECK(map.read(board, level).word() == 5);
  map.write(board, map.find(1, 0x14).number, Store::of(std::uint32_t{1}, {}));
  CHECK(board.lamp.level() == 0);
  CHECK(map.read(board, map.find(1, 0x18)).word() == 7);
  CHECK(board.lamp.events == std::deque<std::uint32_t>{8});
  const auto command = map.find(0, 0x240);
  map.write(board, command.number, Store::of(Record{.address = 42, .bytes = 1, .flags = 0}, command.instance));
  REQUIRE(board.commands.size() == 1);
  CHECK(board.commands[0].page == 2);
  CHECK(board.addresses == std::vector<std::uint64_t>{42});
}

TEST_CASE("a refused access is explained by what the register is") {
  CHECK(refusal(1, 0x10, 4, reads).empty());
  CHECK(refusal(1, 0x14, 4, reads) == "a read of Off, which can only be written");
  CHECK(refusal(0, 0x140, 16, reads) == "a read of Command of context 1, which can only be written");
  CHECK(refusal(1, 0x18, 4, writes) == "a write of Event, which can only be read");
  CHECK(refusal(1, 0x10, 8, writes) == "a write of 8 bytes to Level, which takes 4");
  CHECK(refusal(1, 0x10, 1, reads) == "a read of 1 byte of Level, which has 4");
  CHECK(refusal(0, 0x40, 4, writes) == "a write of 4 bytes to Command of context 0, which takes 16");
  CHECK(refusal(0, 0x44, 4, writes) == "a write in the middle of Command of context 0, at byte 4");
  CHECK(refusal(1, 0x11, 4, reads) == "a read in the middle of Level, at byte 1");
  CHECK(refusal(1, 0x00, 4, reads) == "no register at 0x0 of window registers");
  CHECK(refusal(0, 0x400, 4, writes) == "a write of 4 bytes at 0x400 of window ports, which has 0x400");
  CHECK(refusal(2, 0x3c, 8, reads) == "a read of 8 bytes at 0x3c of window ROM, which has 0x40");
  CHECK(refusal(2, 0, 4, writes) == "a write to window ROM, which can only be read");
  CHECK(refusal(3, 0, 4, reads) == "the card has no window 3");
}

TEST_CASE("a register may take wider stores, and its reads have their own width") {
  CHECK(refusal(1, 0x40, 4, writes).empty());
  CHECK(refusal(1, 0x40, 8, writes).empty());
  CHECK(refusal(1, 0x40, 12, writes) == "a write of 12 bytes to Wide, which takes 4 to 8");
  CHECK(refusal(1, 0x40, 8, reads) == "a read of 8 bytes of Wide, which has 4");
}

TEST_CASE("inspection shows every value and takes nothing") {
  Board board;
  board.lamp.set_level(9);
  const auto& map = Board::map();
  std::vector<std::string> shown;
  for (const RegisterValue& one : map.inspect(board, map.sizes()))
    shown.push_back(one.name + (one.value                      ? " = " + std::to_string(one.value->word())
                                : one.facts->effect != nullptr ? std::string(": a read ") + one.facts->effect
                                                               : ": can only be written"));
  CHECK(shown == std::vector<std::string>{"Level = 9", "Off: can only be written", "Event: a read takes it",
                                          "Command: can only be written", "Table 0 of row 0 = 1",
                                          "Table 1 of row 0 = 2", "Table 0 of row 1 = 3", "Table 1 of row 1 = 4",
                                          "Table 0 of row 2 = 5", "Table 1 of row 2 = 6", "Wide = 1"});
  CHECK(board.lamp.events.size() == 2);
}

TEST_CASE("declarations that contradict each other are refused") {
  const auto declare = [](Registers<Board> registers) {
    return RegisterMap<Board>(std::vector<Window<Board>>{{.name = "registers", .bytes = 0x10}}).with(registers);
  };
  const auto zero = [](const Board&, const Instance&) -> Value { return 0; };
  CHECK_THROWS_WITH(
      declare({{.name = "A", .offset = 4, .bytes = 8, .read = zero}, {.name = "B", .offset = 8, .read = zero}}),
      "register B at 0x8: another register is there");
  CHECK_THROWS_WITH(declare({{.name = "A", .offset = 0x10, .read = zero}}),
                    "register A at 0x10: it is not inside its window");
  CHECK_THROWS_WITH(declare({{.name = "A", .offset = 2, .read = zero}}),
                    "register A at 0x2: it is not made of aligned words");
  CHECK_THROWS_WITH(declare({{.name = "A"}}), "register A at 0x0: it can be neither read nor written");
  CHECK_THROWS_WITH(declare({{.name = "A", .window = 1, .read = zero}}), "register A at 0x0: there is no such window");
}
