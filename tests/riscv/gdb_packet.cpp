/// Frames of gdb's protocol, byte by byte.
#include "models/cpu/riscv/gdb/packet.hpp"

#include <csignal>

#include <catch2/catch.hpp>

#include "models/cpu/riscv/gdb/registers.hpp"
#include "models/cpu/riscv/gdb/signals.hpp"
#include "models/cpu/riscv/gdb/thread_id.hpp"

namespace {

using namespace sanvp::riscv::gdb;
using Kind = PacketReader::Kind;

TEST_CASE("a frame has the sum of its bytes") {
  CHECK(framed("OK") == "$OK#9a");  // 'O' 0x4f, 'K' 0x4b
  CHECK(framed("") == "$#00");
}

TEST_CASE("a packet is found in whatever pieces it comes") {
  PacketReader reader;
  for (const char byte : std::string("+$g#67-$m1,2#")) reader.feed({&byte, 1});
  CHECK(reader.next()->kind == Kind::accepted);
  const auto packet = reader.next();
  CHECK(packet->kind == Kind::packet);
  CHECK(packet->contents == "g");
  CHECK(reader.next()->kind == Kind::rejected);
  CHECK_FALSE(reader.next());
  reader.feed("fc");  // 'm' 0x6d, '1' 0x31, ',' 0x2c, '2' 0x32
  CHECK(reader.next()->contents == "m1,2");
}

TEST_CASE("wrong sums and packets without end are damaged, and the next one is good") {
  PacketReader reader;
  reader.feed("$g#00");
  CHECK(reader.next()->kind == Kind::damaged);
  reader.feed("$g#zz");
  CHECK(reader.next()->kind == Kind::damaged);
  reader.feed("$" + std::string(10 * most_packet_bytes, 'a') + "#00");
  CHECK(reader.next()->kind == Kind::damaged);
  reader.feed("$half$g#67");
  CHECK(reader.next()->contents == "g");
}

TEST_CASE("Ctrl-C is a byte between packets, not within one") {
  PacketReader reader;
  reader.feed("\x03");
  CHECK(reader.next()->kind == Kind::interrupt);
  reader.feed(framed("X1,1:\x03"));
  CHECK(reader.next()->contents == "X1,1:\x03");
}

TEST_CASE("binary data come back from their escapes") {
  CHECK(escaped("a#$}*") == "a}\x03}\x04}]}\n");
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(unescaped(escaped(all)) == all);
  CHECK(unescaped("}") == "}");
  CHECK(from_hex(to_hex(all)) == all);
  CHECK_FALSE(from_hex("abc"));
  CHECK_FALSE(from_hex("g0"));
}

TEST_CASE("names of threads") {
  const auto parsed = [](const char* text) {
    Cursor cursor(text);
    return parse_thread_id(cursor);
  };
  CHECK(parsed("p1f.2") == ThreadId{31, 2});
  CHECK(parsed("p2") == ThreadId{2, ThreadId::all});
  CHECK(parsed("p-1.-1") == ThreadId{ThreadId::all, ThreadId::all});
  CHECK(parsed("7") == ThreadId{ThreadId::any, 7});
  for (const char* wrong : {"", "p", "p.", "x", "p1.", "pfffffffff.1"}) CHECK_FALSE(parsed(wrong));
  CHECK(to_text({31, 2}, true) == "p1f.2");
}

TEST_CASE("registers go out and come back") {
  sanvp::riscv::Hart64 hart, other;
  for (std::size_t i = 1; i < 32; ++i) hart.x[i] = 0x0102030405060708 * i;
  for (std::size_t i = 0; i < 32; ++i) hart.f[i] = 0x1112131415161718 * i;
  hart.pc = 0x10ABC;
  hart.flags = 0x11;
  hart.rounding = 3;
  const std::string all = read_registers(hart);
  CHECK(all.size() == 2 * (65 * 8 + 4));
  CHECK(write_registers(other, all));
  CHECK(other.x == hart.x);
  CHECK(other.f == hart.f);
  CHECK(other.pc == hart.pc);
  CHECK(other.flags == hart.flags);
  CHECK(other.rounding == hart.rounding);
  CHECK(read_register(hart, pc_number) == "bc0a010000000000");
  CHECK_FALSE(write_registers(other, all.substr(2)));
  CHECK_FALSE(write_registers(other, all + "00"));
  for (const std::uint64_t none : {65, 66, 67, 69, 4096}) CHECK_FALSE(read_register(hart, none));
}

TEST_CASE("signals keep their meaning both ways") {
  CHECK(to_gdb(SIGSEGV) == 11);
  CHECK(to_gdb(SIGBUS) == 10);
  CHECK(to_gdb(SIGUSR1) == 30);
  CHECK(to_gdb(34) == 46);  // GDB_SIGNAL_REALTIME_34
  for (int number = 1; number <= 64; ++number)
    if (number != SIGSTKFLT) CHECK(to_linux(to_gdb(number)) == number);
  CHECK(to_linux(0) == 0);
  CHECK(to_linux(1000) == 0);
}

}  // namespace
