/// What a client asks and changes while a process stands; and whatever it may send.
#include "models/cpu/riscv/gdb/session.hpp"

#include <csignal>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "platform/core/random.hpp"
#include "tests/riscv/tiny_program.hpp"

namespace {

using namespace sanvp::riscv;
using gdb::Answer;
using Then = gdb::Answer::Then;

/// Two processes, the client stands in the first one's thread.
struct Debugged {
  TinyProgram program{addi(1, 0, 5), addi(1, 1, 1), nop, ecall, 0x11223344};
  os::Process first{program.settings()}, second{program.settings()};
  gdb::Inferiors inferiors;
  gdb::Monitor monitor;
  gdb::Session session{inferiors, monitor};

  Debugged() {
    inferiors.add(first, 1, "rank 0");
    inferiors.add(second, 2, "rank <1>");
    session.begin();
    session.stopped_at({1, 1}, 5);
    session.answer("qSupported:multiprocess+;swbreak+");
  }
  std::string text(const std::string& packet) { return session.answer(packet).text; }
  Hart64& hart() { return first.threads().front()->hart; }
};

TEST_CASE("the stop reply names signal, thread and the registers that are wanted first") {
  Debugged debugged;
  CHECK(debugged.text("?").starts_with("T05thread:p1.1;2:"));
  debugged.session.stopped_at({2, 1}, 11, "watch:10;");
  CHECK(debugged.text("?").starts_with("T0bwatch:10;thread:p2.1;"));
}

TEST_CASE("memory is read and written where there is some") {
  Debugged debugged;
  const auto data = TinyProgram::entry + 16;
  CHECK(debugged.text(fmt::format("m{:x},4", data)) == "44332211");
  CHECK(debugged.text(fmt::format("M{:x},2:aabb", data)) == "OK");
  CHECK(debugged.text(fmt::format("X{:x},2:}}\x03z", data + 2)) == "OK");  // an escaped '#'
  CHECK(debugged.text(fmt::format("m{:x},4", data)) == "aabb237a");
  CHECK(debugged.text("m0,4") == "E03");
  CHECK(debugged.text("mffffffffffffffff,4") == "E03");
  CHECK(debugged.text("M0,1:00") == "E03");
  CHECK(debugged.text(fmt::format("M{:x},2:aa", data)) == "E01");
  CHECK(debugged.text("Hgp2.1") == "OK");  // another process has memory of its own
  CHECK(debugged.text(fmt::format("m{:x},4", data)) == "44332211");
}

TEST_CASE("a thread whose pc is changed leaves its block") {
  Debugged debugged;
  CHECK(debugged.first.interpreter().step(debugged.hart()) == Stop::budget);
  REQUIRE(debugged.hart().left.block != nullptr);
  CHECK(debugged.hart().retired == 4);  // paid for in full
  CHECK(debugged.text("P20=0000010000000000") == "OK");
  CHECK(debugged.hart().pc == 0x10000);
  CHECK(debugged.hart().left.block == nullptr);
  CHECK(debugged.hart().retired == 1);
}

TEST_CASE("other registers are changed in place") {
  Debugged debugged;
  CHECK(debugged.first.interpreter().step(debugged.hart()) == Stop::budget);
  CHECK(debugged.text("p1") == "0500000000000000");
  CHECK(debugged.text("P1=2a00000000000000") == "OK");
  CHECK(debugged.hart().left.block != nullptr);
  CHECK(debugged.first.interpreter().step(debugged.hart()) == Stop::budget);
  CHECK(debugged.hart().x[1] == 43);
}

TEST_CASE("code that the client changes is decoded again") {
  Debugged debugged;
  CHECK(debugged.first.interpreter().step(debugged.hart()) == Stop::budget);
  CHECK(debugged.text(fmt::format("M{:x},4:93801100", TinyProgram::entry + 4)) == "OK");  // addi x1, x3, 1
  CHECK(debugged.first.interpreter().run(debugged.hart(), 10) == Stop::environment_call);
  CHECK(debugged.hart().x[1] == 1);
  CHECK(debugged.hart().retired == 4);
}

TEST_CASE("actions of vCont: steps and ranges for those that they name, signals") {
  Debugged debugged;
  const Answer stepped = debugged.session.answer("vCont;S0b:p1.1;r10000,10010:p2.1;c");
  CHECK(stepped.then == Then::resume);
  CHECK(debugged.session.signal_to_deliver() == SIGSEGV);
  CHECK(debugged.inferiors.find(1)->steps.contains(1));
  const gdb::Step& range = debugged.inferiors.find(2)->steps.at(1);
  CHECK_FALSE(range.is_over(0x20000));  // not begun
  CHECK(gdb::Step{range.begin, range.end, true}.is_over(0x10010));
  CHECK_FALSE(gdb::Step{range.begin, range.end, true}.is_over(0x1000F));
  CHECK(debugged.session.answer("vCont;c").then == Then::resume);
  CHECK(debugged.inferiors.find(1)->steps.empty());
  for (const char* wrong : {"vCont;x", "vCont;r1", "vCont;S", "vCont;s:p", "vCont;;"})
    CHECK(debugged.session.answer(wrong).then == Then::stay);
}

TEST_CASE("the client detaches from one process, and from the last") {
  Debugged debugged;
  debugged.text(fmt::format("Z0,{:x},4", TinyProgram::entry));
  CHECK(debugged.first.interpreter().blocks().has_breakpoint(TinyProgram::entry));
  CHECK(debugged.session.answer("D;1").then == Then::stay);
  CHECK_FALSE(debugged.first.interpreter().blocks().has_breakpoint(TinyProgram::entry));
  CHECK(debugged.text("qfThreadInfo") == "mp2.1");
  CHECK(debugged.session.answer("D;2").then == Then::detach);
  CHECK(debugged.session.answer("k").then == Then::kill);
}

TEST_CASE("long texts come in parts, and names are escaped") {
  Debugged debugged;
  std::string whole, part;
  do {
    part = debugged.text(fmt::format("qXfer:threads:read::{:x},10", whole.size()));
    whole += gdb::unescaped(part.substr(1));
  } while (part.front() == 'm');
  CHECK(whole.find("<thread id=\"p2.1\" name=\"rank &#60;1&#62;\">") != std::string::npos);
  CHECK(debugged.text("qXfer:features:read:target.xml:0,fff").find("riscv:rv64") != std::string::npos);
}

TEST_CASE("a thread-local variable lies behind where the thread's register points, and a thread has its own name") {
  Debugged debugged;
  debugged.hart().x[4] = 0x5000;
  CHECK(debugged.text("qGetTLSAddr:p1.1,18,0") == "5018");
  CHECK(debugged.text("qGetTLSAddr:p1.7,18,0") == "E02");
  CHECK(debugged.text("qGetTLSAddr:p1.1") == "E01");
  CHECK(debugged.text("qXfer:threads:read::0,1000").find("name=\"rank 0\"") != std::string::npos);
  debugged.first.threads().front()->name = {'s', 'o', 'l', 'v', 'e', 'r'};
  CHECK(debugged.text("qXfer:threads:read::0,1000").find("name=\"rank 0, solver\"") != std::string::npos);
}

TEST_CASE("only the programs of the processes can be read as files") {
  Debugged debugged;
  const auto open = [&](const std::string& path) { return debugged.text("vFile:open:" + gdb::to_hex(path) + ",0,0"); };
  CHECK(open("/etc/passwd") == "F-1,2");
  CHECK(open(debugged.program.settings().path) == "F1");
  CHECK(debugged.text("vFile:pread:1,3,1") == "F3;ELF");
  CHECK(debugged.text("vFile:close:1") == "F0");
  CHECK(debugged.text("vFile:pread:1,3,1") == "F-1,9");
}

TEST_CASE("monitor answers, and lists what it knows") {
  Debugged debugged;
  const auto monitor = [&](const std::string& line) {
    return *gdb::from_hex(debugged.text("qRcmd," + gdb::to_hex(line)));
  };
  CHECK(monitor("time") == "0ns\n");
  CHECK(monitor("ranks").find("* process 1: rank 0, runs\n") == 0);
  CHECK(monitor("nonsense").starts_with("there is no 'nonsense'. There are:\n"));
}

TEST_CASE("a long text goes to the console in parts, the last of which is the reply") {
  Debugged debugged;
  for (const std::size_t bytes : {std::size_t{1}, gdb::most_packet_bytes / 2, 5 * gdb::most_packet_bytes}) {
    std::string text;
    while (text.size() < bytes) text += std::to_string(text.size()) + "\n";
    debugged.monitor.add("long", {"a text", [&](auto&, auto&, auto) { return text; }});
    const Answer answer = debugged.session.answer("qRcmd," + gdb::to_hex("long"));
    std::string got;
    for (const std::string& part : answer.before) {
      CHECK(part.starts_with("O"));
      CHECK(part.size() <= gdb::most_packet_bytes);
      got += *gdb::from_hex(std::string_view(part).substr(1));
    }
    CHECK(answer.text.size() <= gdb::most_packet_bytes);
    CHECK(got + *gdb::from_hex(answer.text) == text);
    CHECK(answer.before.empty() == (bytes == 1));
  }
}

TEST_CASE("no packet, however damaged, brings the session down") {
  Debugged debugged;
  sanvp::Random random(1, "gdb session");
  const std::vector<std::string> good = {"?",
                                         "g",
                                         "p20",
                                         "P1=0000000000000000",
                                         "m10000,40",
                                         "M10078,1:00",
                                         "X10078,1:a",
                                         "Z0,10078,4",
                                         "z0,10078,4",
                                         "Z2,10088,4",
                                         "z2,10088,4",
                                         "Z4,10088,8",
                                         "vCont;s:p1.1;c",
                                         "vCont;r10000,20000:p1.1",
                                         "Hgp1.1",
                                         "Hc-1",
                                         "Tp2.1",
                                         "D;3",
                                         "qSupported:multiprocess+",
                                         "qXfer:features:read:target.xml:0,100",
                                         "qXfer:threads:read::0,100",
                                         "qXfer:exec-file:read:1:0,100",
                                         "qThreadExtraInfo,p1.1",
                                         "qRcmd,74696d65",
                                         "QPassSignals:e;10;14",
                                         "vFile:open:61,0,0",
                                         "vFile:pread:1,100,0",
                                         "vFile:fstat:1",
                                         "C0b",
                                         "s10078",
                                         "qfThreadInfo",
                                         "qC",
                                         "vKill;1"};
  for (int i = 0; i < 200'000; ++i) {
    std::string packet = good[random.below(good.size())];
    for (std::uint64_t changes = random.below(4); changes > 0 && !packet.empty(); --changes) {
      const std::size_t at = random.below(packet.size());
      const char letters[] = "0123456789abcdefp.,;:-+ZXcs}\x00\xff";
      if (random.below(3) == 0)
        packet.erase(at, 1);
      else if (random.below(2) == 0)
        packet.insert(at, 1, letters[random.below(sizeof letters)]);
      else
        packet[at] = letters[random.below(sizeof letters)];
    }
    debugged.session.answer(packet);
    if (random.below(16) == 0)
      debugged.inferiors.all().front()->watchpoints.run(debugged.first.interpreter(), debugged.hart(), 3);
  }
  SUCCEED();
}

}  // namespace
