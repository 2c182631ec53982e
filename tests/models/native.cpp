/// Images and the threads that run their code. Every case is a process of its own.
#include <catch2/catch.hpp>
#include <cerrno>
#include <cfenv>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/native/symbols.hpp"
#include "models/native/thread.hpp"
#include "models/net/timeline.hpp"

using namespace sanvp;
using native::Condition;
using native::Image;
using native::Thread;

namespace {

const std::string faults = std::string(SANVP_SW) + "/tests/faults.so";
constexpr std::size_t stack_bytes = 64 << 10;

/// How a thread ends that calls `code`.
native::Loader loader;  // each case is a process of its own

std::string fault_of(std::function<void(const Image&)> code) {
  const Image image(faults, loader);
  net::Timeline timeline("timeline");
  Thread thread(timeline.run_queue(), stack_bytes, [&] { code(image); });
  thread.start();
  sc_core::sc_start();
  CHECK(thread.has_ended());
  return thread.fault() ? thread.fault()->to_text() : "none";
}

}  // namespace

namespace {

/// The same, but for the mark of scripts/images/share.py.
std::string unmarked(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const std::string mark = ".sanvp.shared_code";
  const auto at = bytes.find(mark);
  REQUIRE(at != std::string::npos);
  bytes.replace(at, mark.size(), ".another.name.for_");
  std::string copy = std::filesystem::temp_directory_path() / ("sanvp_unmarked_" + std::to_string(getpid()));
  std::ofstream(copy, std::ios::binary) << bytes;
  return copy;
}

}  // namespace

TEST_CASE("copies of a marked image have the code in common, and globals and what leads to them for themselves") {
  const Image first(faults, loader), second(faults, loader);
  CHECK((first.symbol("next") == second.symbol("next")) == native::has_globals_place);  // not below valgrind
  for (const Image* image : {&first, &second})
    CHECK(*static_cast<int**>(image->symbol("to_count")) == image->symbol("count"));
  const auto next = second.required<int()>("next");
  CHECK(first.required<int()>("next")() == 1);
  CHECK(next() == 1);
  CHECK(next() == 2);
  CHECK(*static_cast<int*>(first.symbol("count")) == 1);
  CHECK(*static_cast<int*>(second.symbol("count")) == 2);
  CHECK(*static_cast<int*>(Image(faults, loader).symbol("count")) == 0);
}

TEST_CASE("copies of an image without the mark have code of their own") {
  const std::string path = unmarked(faults);
  {
    const Image marked(faults, loader);
    const native::AtGlobals elsewhere(marked.globals_place());  // as when its code loads others
    const Image first(path, loader), second(path, loader);
    CHECK(first.symbol("next") != second.symbol("next"));
    CHECK(first.required<int()>("next")() == 1);
    CHECK(second.required<int()>("next")() == 1);
    CHECK(Image(faults, loader).required<int()>("next")() == 1);
    CHECK(first.required<int()>("next")() == 2);
    CHECK(*static_cast<int**>(second.symbol("to_count")) == second.symbol("count"));
  }
  std::filesystem::remove(path);
}

TEST_CASE("fibers of several images find their own globals whenever they are resumed") {
  const Image first(faults, loader), second(faults, loader);
  const auto steps = [](const Image& image, std::vector<int>& seen, native::Fiber*& self) {
    return [&] {
      for (int i = 0; i < 3; ++i) {
        const native::AtGlobals there(image.globals_place());
        seen.push_back(image.required<int()>("next").code()());
        self->yield();
      }
    };
  };
  std::vector<int> of_first, of_second;
  native::Fiber *a = nullptr, *b = nullptr;
  native::Fiber one(stack_bytes, steps(first, of_first, a)), other(stack_bytes, steps(second, of_second, b));
  a = &one;
  b = &other;
  one.resume();
  for (int i = 0; i < 3; ++i) {
    other.resume();
    one.resume();
  }
  CHECK(of_first == std::vector{1, 2, 3});
  CHECK(of_second == std::vector{1, 2, 3});
}

TEST_CASE("each image of one file has globals of its own, and knows where they are") {
  const Image first(faults, loader), second(faults, loader);
  CHECK(first.required<int()>("next")() == 1);
  CHECK(first.required<int()>("next")() == 2);
  CHECK(second.required<int()>("next")() == 1);
  const auto holds = [](const Image& image, const char* name) {
    const auto& globals = image.globals();
    return std::any_of(globals.begin(), globals.end(),
                       [&](const native::Range& range) { return range.contains(image.symbol(name), sizeof(int)); });
  };
  CHECK(holds(first, "count"));
  CHECK(holds(second, "answer"));
  CHECK(first.symbol("count") != second.symbol("count"));
  CHECK_FALSE(first.function<int()>("no_such_function"));
}

TEST_CASE("what is no image is refused with its name") {
  CHECK_THROWS_WITH(Image("/no/such.so", loader), Catch::StartsWith("/no/such.so: cannot be loaded: No such file"));
  CHECK_THROWS_WITH(Image("/proc/self/cmdline", loader), Catch::StartsWith("/proc/self/cmdline: cannot be loaded"));
  CHECK_THROWS_WITH(Image(faults, loader).required<void()>("main2"), Catch::Contains("has no function 'main2'"));
}

TEST_CASE("symbols name the function around an address, and nothing where a file has none") {
  const Image image(faults, loader);
  const native::Symbols symbols(faults);
  const auto first = image.in_file(reinterpret_cast<const void*>(image.required<int(int)>("recurse").code()));
  CHECK(symbols.function_at(first) == "recurse");
  CHECK(symbols.function_at(first + 1) == "recurse");
  CHECK(symbols.function_at(first - 1) != "recurse");
  CHECK(symbols.function_at(0).empty());
  for (const char* nothing : {"/proc/self/cmdline", "/nowhere"}) {
    CHECK(native::Symbols(nothing).function_at(first).empty());
    CHECK(native::Symbols(nothing).places_at(first).empty());
  }
}

TEST_CASE("a write through a wild pointer ends the thread alone, with the address") {
  CHECK(fault_of([](const Image& image) { image.required<int(int*)>("write_to")(reinterpret_cast<int*>(0x1230)); }) ==
        "segmentation fault at address 0x1230");
}

TEST_CASE("a stack that runs over is told from other faults") {
  CHECK(fault_of([](const Image& image) { image.required<int(int)>("recurse")(1 << 20); }) == "stack overflow");
}

TEST_CASE("a division by 0 ends the thread alone") {
  CHECK(fault_of([](const Image& image) { image.required<int(int, int)>("divide")(1, 0); }) ==
        "arithmetic fault, such as a division by 0");
}

TEST_CASE("code can be left from within, over its frames") {
  net::Timeline timeline("timeline");
  std::unique_ptr<Thread> thread;
  bool went_on = false;
  thread = std::make_unique<Thread>(timeline.run_queue(), stack_bytes, [&] {
    thread->wait(3ns);
    thread->leave();
    went_on = true;
  });
  thread->start();
  sc_core::sc_start();
  CHECK(thread->has_ended());
  CHECK_FALSE(thread->fault());
  CHECK_FALSE(went_on);
  CHECK(timeline.run_queue().now() == 3ns);
}

TEST_CASE("each thread finds stdout, errno and optind as it left them") {
  net::Timeline timeline("timeline");
  std::string text[2];
  std::FILE* const own = stdout;
  std::vector<std::unique_ptr<Thread>> threads;
  char* buffer[2] = {nullptr, nullptr};
  std::size_t bytes[2] = {0, 0};
  std::FILE* streams[2];
  bool kept = true;
  for (int i = 0; i < 2; ++i) {
    streams[i] = open_memstream(&buffer[i], &bytes[i]);
    threads.push_back(std::make_unique<Thread>(
        timeline.run_queue(), stack_bytes,
        [&, i] {
          for (int round = 0; round < 2; ++round) {
            std::printf("%d", i);
            errno = 100 + i;
            threads[i]->wait(1ns);
            kept = kept && errno == 100 + i;
          }
        },
        Thread::Streams{streams[i], nullptr}));
    threads[i]->start();
  }
  sc_core::sc_start();
  CHECK(stdout == own);
  CHECK(kept);
  for (int i = 0; i < 2; ++i) {
    std::fclose(streams[i]);
    CHECK(std::string(buffer[i], bytes[i]) == (i == 0 ? "00" : "11"));
    std::free(buffer[i]);
  }
}

#ifdef __x86_64__
TEST_CASE("each thread rounds and traps as it has set it, and the simulator as ever") {
  // fegetround and fegetexcept ask the x87; doubles are divided by SSE. 1/3 in binary, 0.0101..., is nearest to the 53
  // digits from its first 1 on, as a 0 follows: rounded up it is another.
  const volatile double three = 3;
  const double nearest = 1 / three;
  net::Timeline timeline("timeline");
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<int> modes, traps;
  std::vector<bool> is_above;
  const auto look = [&] {
    modes.push_back(std::fegetround());
    traps.push_back(fegetexcept());
    is_above.push_back(1 / three > nearest);
  };
  for (int i = 0; i < 2; ++i) {
    threads.push_back(std::make_unique<Thread>(timeline.run_queue(), stack_bytes, [&, i] {
      if (i == 0) {
        std::fesetround(FE_UPWARD);
        feenableexcept(FE_DIVBYZERO);
      }
      threads[i]->wait(1ns);
      look();
    }));
    threads[i]->start();
  }
  sc_core::sc_start();
  look();
  CHECK(modes == std::vector{FE_UPWARD, FE_TONEAREST, FE_TONEAREST});
  CHECK(traps == std::vector{FE_DIVBYZERO, 0, 0});
  CHECK(is_above == std::vector{true, false, false});
}
#endif

TEST_CASE("of announcements that are pending the earliest wakes, at its time") {
  net::Timeline timeline("timeline");
  net::RunQueue& run_queue = timeline.run_queue();
  Condition condition(run_queue);
  std::vector<Time> woken;
  std::unique_ptr<Thread> waits, tells;
  waits = std::make_unique<Thread>(run_queue, stack_bytes, [&] {
    for (int i = 0; i < 2; ++i) {
      waits->wait(condition);
      woken.push_back(run_queue.now());
    }
  });
  tells = std::make_unique<Thread>(run_queue, stack_bytes, [&] {
    condition.notify(5ns);
    condition.notify(9ns);
    condition.notify(3ns);
    tells->wait(20ns);
    condition.notify(run_queue.now());
  });
  waits->start();
  tells->start();
  sc_core::sc_start();
  CHECK(woken == std::vector<Time>{3ns, 20ns});
}

TEST_CASE("an announcement without a waiting thread is not kept, and one that is still to come is") {
  net::Timeline timeline("timeline");
  net::RunQueue& run_queue = timeline.run_queue();
  Condition past(run_queue), coming(run_queue);
  std::vector<Time> woken;
  std::unique_ptr<Thread> thread;
  thread = std::make_unique<Thread>(run_queue, stack_bytes, [&] {
    past.notify(1ns);
    coming.notify(4ns);
    thread->wait(2ns);
    thread->wait(5ns, past);
    woken.push_back(run_queue.now());
    coming.notify(8ns);
    thread->wait(5ns, coming);
    woken.push_back(run_queue.now());
  });
  thread->start();
  sc_core::sc_start();
  CHECK(woken == std::vector<Time>{7ns, 8ns});
}

TEST_CASE("within an instant threads run in the order of their construction, whatever the order of scheduling") {
  net::Timeline timeline("timeline");
  std::string order;
  std::vector<std::unique_ptr<Thread>> threads;
  for (const char name : {'a', 'b', 'c'})
    threads.push_back(std::make_unique<Thread>(timeline.run_queue(), stack_bytes, [&, name] { order += name; }));
  for (auto thread = threads.rbegin(); thread != threads.rend(); ++thread) (*thread)->start();
  sc_core::sc_start();
  CHECK(order == "abc");
}

TEST_CASE("each thread begins at another page of its stack, and gives up a 32nd of it at most") {
  constexpr std::size_t large_stack = 8 << 20, page = 4096, gap = 16 << 10;
  net::Timeline timeline("timeline");
  std::vector<std::unique_ptr<Thread>> threads;
  std::set<std::size_t> pages;
  for (int i = 0; i < 64; ++i)
    threads.push_back(std::make_unique<Thread>(timeline.run_queue(), large_stack, [&, i] {
      const std::byte here{};
      const auto given_up = static_cast<std::size_t>(threads[static_cast<std::size_t>(i)]->stack().end() - &here);
      CHECK(given_up > gap);
      CHECK(given_up < gap + large_stack / 32 + 2 * page);  // with the simulator's own frames
      pages.insert(given_up / page);
    }));
  for (const auto& thread : threads) thread->start();
  sc_core::sc_start();
  CHECK(pages.size() == threads.size());
}

TEST_CASE("what a thread throws comes out of the simulation") {
  net::Timeline timeline("timeline");
  Thread thread(timeline.run_queue(), stack_bytes, [] { throw UserError("here", "it is wrong"); });
  thread.start();
  CHECK_THROWS_AS(timeline.run(), UserError);
}
