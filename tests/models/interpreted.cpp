/// Interpreted code of x86-64 (models/native/interpreted), as on computers with another processor, against the
/// processor: functions of tests/images/interpreted.c with random numbers.
#include "models/native/interpreted/code.hpp"

#include <fcntl.h>

#include <catch2/catch.hpp>

#include "models/native/image.hpp"
#include "platform/core/random.hpp"

namespace {

using sanvp::Random;
namespace native = sanvp::native;
using Function = std::uint64_t(std::uint64_t, std::uint64_t, void*);
using Memory = std::array<std::uint64_t, 512>;

const std::string path = SANVP_SW "/tests/interpreted.so";

/// Of all magnitudes, and now and then negative.
std::uint64_t draw(Random& random) {
  const std::uint64_t number = random.next() >> random.below(64);
  return random.below(5) == 0 ? std::uint64_t{0} - number : number;
}

void compare(const std::string& name, int times) {
  native::Loader loader;
  const native::Image image(path, loader);
  const native::File file(native::open_image(path));
  const native::interpreted::Code code(path, file.get());
  const auto function = image.required<Function>(name.c_str());
  Random random(7, "interpreted " + name);
  for (int i = 0; i < times; ++i) {
    Memory expected;
    for (std::uint64_t& word : expected) word = random.next();
    Memory memory = expected;
    const std::uint64_t a = draw(random), b = random.below(9) == 0 ? a : draw(random);
    const std::uint64_t result = function(a, b, expected.data());
    CAPTURE(name, i, a, b);
    REQUIRE(code.call(code.symbol(name), {a, b, reinterpret_cast<std::uint64_t>(memory.data())}) == result);
    REQUIRE(memory == expected);
  }
}

}  // namespace

TEST_CASE("interpreted arithmetic has the processor's results") {
  for (const char* name : {"arithmetic", "shifts", "bits"}) compare(name, 3000);
}

TEST_CASE("interpreted comparisons take the processor's branches") { compare("comparisons", 5000); }

TEST_CASE("interpreted floating point has the processor's results") { compare("numbers", 3000); }

TEST_CASE("interpreted vector instructions have the processor's results") { compare("vectors", 100); }

TEST_CASE("interpreted calls reach functions of the code and of the C library") { compare("calls", 2000); }

TEST_CASE("interpreted code prints numbers of every kind as the C library does") { compare("texts", 500); }
