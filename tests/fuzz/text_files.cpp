/// libFuzzer target for the three text formats of `sanvp replay`; not part of the build. By hand, from the root:
///   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -I. \
///     tests/fuzz/text_files.cpp platform/replay/traffic_file.cpp topologies/*.cpp topologies/routing/*.cpp \
///     platform/core/*.cpp -lfmt -o /tmp/fuzz && /tmp/fuzz -max_len=600 -max_total_time=300
/// The first byte of an input chooses the format.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "platform/core/error.hpp"
#include "platform/replay/traffic_file.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/route_file.hpp"
#include "topologies/text_graph.hpp"

namespace {

using namespace sanvp;

void require(bool condition) {
  if (!condition) std::abort();
}

void topology(std::string_view text) {
  const auto graph = topologies::parse_graph(text, "input");
  const std::string written = to_text(graph);
  require(to_text(topologies::parse_graph(written, "again")) == written);
}

void routes(std::string_view text) {
  static const auto graph = topologies::parse_graph(
      "switches 3\nports 4\nhost 0 0 0\nhost 1 1 0\nhost 2 2 0\nhost 3 2 3\nlink 0 1 1 2\nlink 1 1 2 2\nlink 2 1 0 2\n",
      "ring");
  const auto table = topologies::parse_routes(graph, text, "input");
  const std::string written = to_text(graph, *table);
  require(to_text(graph, *topologies::parse_routes(graph, written, "again")) == written);
  require(check(graph, *table).routes_broken == 0);
}

void traffic(std::string_view text) {
  const auto packets = replay::parse_traffic(text, "input", 4);
  require(replay::parse_traffic(replay::to_text(packets), "again", 4) == packets);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0] % 3) {
      case 0:
        topology(text);
        break;
      case 1:
        routes(text);
        break;
      default:
        traffic(text);
    }
  } catch (const UserError&) {
  }
  return 0;
}
