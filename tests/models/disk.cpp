/// The time of requests to a disk, by hand.
#include <catch2/catch.hpp>

#include "models/host/disk.hpp"

namespace {

using namespace sanvp;
using namespace sanvp::host;
using Way = Disk::Way;

constexpr DiskSettings settings{
    .seek = 5ms, .rotation = 3ms, .overhead = 100us, .Bps = 10e6, .buffer_bytes = 0};  // 100 ns for each byte

TEST_CASE("A disk positions its head for a request that does not continue the last one") {
  Disk disk(settings);
  const Time first = disk.serve({Way::read, 1, 0, 1000}, 0ms);
  CHECK(first == 8ms + 100us + 100us);
  const Time second = disk.serve({Way::write, 1, 1000, 1000}, first);
  CHECK(second == first + 200us);
  CHECK(disk.serve({Way::read, 2, 2000, 1000}, second) == second + 8200us);  // another file
}

TEST_CASE("A gap of a file passes below the head where that is faster than a seek") {
  Disk disk(settings);
  const Time first = disk.serve({Way::read, 1, 0, 1000}, 0ms);
  const Time near = disk.serve({Way::read, 1, 3000, 1000}, first);
  CHECK(near == first + 200us + 200us);
  const Time far = disk.serve({Way::read, 1, 4000 + 80001, 1000}, near);  // 80,000 bytes pass in the time of a seek
  CHECK(far == near + 8ms + 200us);
  CHECK(disk.serve({Way::read, 1, 84000, 1000}, far) == far + 8ms + 200us);  // backwards
}

TEST_CASE("Requests take turns") {
  Disk disk(settings);
  const Time first = disk.serve({Way::read, 1, 0, 1000}, 1ms);
  CHECK(first == 1ms + 8200us);
  CHECK(disk.serve({Way::read, 1, 1000, 1000}, 2ms) == first + 200us);
  CHECK(disk.serve({Way::sync, 1, 0, 0}, 3ms) == first + 200us);
  CHECK(disk.serve({Way::sync, 1, 0, 0}, 50ms) == 50ms);
  CHECK(disk.serve({Way::read, 1, 2000, 1000}, 50ms) == 50ms + 200us);
}

TEST_CASE("A process does not wait for writes that fit into the buffer") {
  DiskSettings buffered = settings;
  buffered.buffer_bytes = 2000;
  Disk disk(buffered);
  CHECK(disk.serve({Way::write, 1, 0, 1000}, 1ms) == 1ms);       // on the disk at 9.2 ms
  CHECK(disk.serve({Way::write, 1, 1000, 1000}, 1ms) == 1ms);    // ... at 9.4 ms
  CHECK(disk.serve({Way::write, 1, 2000, 500}, 1ms) == 9200us);  // ... at 9.55 ms; the first must be written
  CHECK(disk.serve({Way::sync, 1, 0, 0}, 9300us) == 9550us);
  CHECK(disk.serve({Way::write, 1, 2500, 2001}, 10ms) == 10ms + 100us + 200100ns);  // larger than the buffer
  CHECK(disk.serve({Way::read, 1, 0, 10}, 10ms) == 10ms + 300100ns + 8101us);       // reads wait for writes
}

}  // namespace
