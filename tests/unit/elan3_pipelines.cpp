/// Resources that the Elan3's units share or overlap: the microcode's pipeline, and requests for the bus.
#include <catch2/catch.hpp>

#include "models/nic/elan3/microcode.hpp"
#include "models/nic/elan3/posted_writes.hpp"

using namespace sanvp;
using namespace sanvp::nic::elan3;

namespace {

constexpr Time link_flit = 5ns, pipeline_flit = 3ns;
constexpr int flits = 100;

Microcode microcode() { return Microcode({.flit = pipeline_flit}, link_flit); }

}  // namespace

TEST_CASE("elan3 microcode: alone, a packet is sent when it is ready and is in when it has arrived") {
  Microcode one = microcode();
  CHECK(one.send(10us, flits) == 10us);
  CHECK(one.receive(20us, flits) == 20us);
  // The next may follow when the pipeline has taken the first one in, which is faster than the link.
  CHECK(one.send(30us, flits) == 30us);
  CHECK(one.send(30us, flits) == 30us + flits * pipeline_flit);
}

TEST_CASE("elan3 microcode: where one packet is sent and one received at once, each goes at half speed") {
  Microcode one = microcode();
  // Both are through 600 ns after they began, 100 ns later than the link would have been.
  CHECK(one.send(10us, flits) == 10us);
  CHECK(one.receive(10us + flits * link_flit, flits) == 10us + 2 * flits * pipeline_flit);
}

TEST_CASE("elan3 microcode: neither thread starves the other, however much it has to do") {
  Microcode one = microcode();
  for (int i = 0; i < 20; ++i) one.send(10us, flits);
  CHECK(one.receive(10us + flits * link_flit, flits) == 10us + 2 * flits * pipeline_flit);
  // The 20 sent took 300 ns each and wait for the one received as well.
  CHECK(one.send(10us, flits) == 10us + 21 * flits * pipeline_flit);
}

TEST_CASE("elan3 microcode: packets both ways without a pause take turns, and both streams keep to half the pipeline") {
  Microcode one = microcode();
  constexpr int packets = 50;
  Time sent{0}, in{0};
  for (int i = 0; i < packets; ++i) {
    sent = one.send(10us, flits);
    in = one.receive(10us + (i + 1) * flits * link_flit, flits);
  }
  constexpr Time all = 2 * packets * flits * pipeline_flit;
  CHECK(in == 10us + all);
  CHECK(sent > 10us + all - 4 * flits * pipeline_flit);  // the last one's begin
}

TEST_CASE("elan3 writes to main memory: as many as there are requests go on their way at once") {
  PostedWrites writes(8);
  // 5 blocks that the bus moves in 500 ns: all have a request at once.
  CHECK(writes.post(5, 1us, 1us + 500ns) == 1us);
  // 5 more: 3 requests are left, and one comes back with each of the first blocks, the second one at 1.2 us.
  CHECK(writes.post(5, 1us, 2us) == 1us + 200ns);
  // Long after, all are free again.
  CHECK(writes.post(5, 9us, 10us) == 9us);
}

TEST_CASE("elan3 writes to main memory: on a slow bus each block waits for the one a round of requests before") {
  PostedWrites writes(1);
  CHECK(writes.post(1, 0ns, 100ns) == 0ns);
  CHECK(writes.post(3, 0ns, 400ns) == 300ns);
}
