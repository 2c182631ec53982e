#include "platform/replay/traffic_file.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "platform/core/files.hpp"
#include "platform/core/statements.hpp"
#include "platform/core/text.hpp"

namespace sanvp::replay {
namespace {

constexpr std::string_view form = "TIME_NS SRC DST BYTES [ROUTE_ID]";
constexpr std::int64_t ps_per_ns = 1000;
constexpr std::size_t decimals_of_ns = 3;
// Leaves time for the simulation after the last packet: half of the range of Time, 53 days.
constexpr std::int64_t latest_ns = std::numeric_limits<std::int64_t>::max() / 2 / ps_per_ns;
// Far longer than any packet of the six networks, and short enough that a flit count never overflows.
constexpr std::int64_t longest_packet = std::int64_t{1} << 30;

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// Parses a decimal number of nanoseconds exactly.
Time parse_ns(const Statements& line) {
  const std::string_view word = line.word(0);
  const auto point = std::min(word.find('.'), word.size());
  const std::string_view whole = word.substr(0, point);
  std::string_view decimals = point < word.size() ? word.substr(point + 1) : std::string_view{};
  if (whole.empty() || !all_digits(whole) || !all_digits(decimals))
    line.fail("time " + in_quotes(word) + " is not a decimal number of nanoseconds", "write it like 1250 or 6.25");
  decimals = decimals.substr(0, decimals.find_last_not_of('0') + 1);
  if (decimals.size() > decimals_of_ns)
    line.fail("time " + in_quotes(word) + " is finer than a picosecond", "give at most three decimals");

  std::int64_t ns = 0;
  for (const char digit : whole) {
    ns = 10 * ns + (digit - '0');
    if (ns > latest_ns)
      line.fail("time " + in_quotes(word) + " is out of range", "the latest is " + std::to_string(latest_ns) + " ns");
  }
  std::int64_t ps = 0;
  for (std::size_t i = 0; i < decimals_of_ns; ++i) ps = 10 * ps + (i < decimals.size() ? decimals[i] - '0' : 0);
  return Time{ns * ps_per_ns + ps};
}

}  // namespace

std::vector<Packet> parse_traffic(std::string_view text, const std::string& name, int hosts) {
  std::vector<Packet> packets;
  Statements line(text, name);
  while (line.next()) {
    line.require_words(4, 5, form);
    Packet packet;
    packet.time = parse_ns(line);
    packet.source = static_cast<int>(line.integer(1, "source", 0, hosts - 1));
    packet.destination = static_cast<int>(line.integer(2, "destination", 0, hosts - 1));
    if (packet.source == packet.destination)
      line.fail("host " + std::to_string(packet.source) + " sends to itself", "name two different hosts");
    packet.bytes = line.integer(3, "packet length", 1, longest_packet);
    if (line.size() == 5)
      packet.route_id = static_cast<int>(line.integer(4, "route id", 0, std::numeric_limits<int>::max()));
    packets.push_back(packet);
  }
  return packets;
}

std::vector<Packet> read_traffic_file(const std::string& path, int hosts) {
  return parse_traffic(read_text_file(path), path, hosts);
}

std::string to_text(const std::vector<Packet>& packets) {
  std::string text = "# " + std::string(form) + "\n";
  for (const Packet& packet : packets) {
    text += std::to_string(packet.time.count() / ps_per_ns);
    if (const auto ps = packet.time.count() % ps_per_ns)
      text += "." + std::to_string(ps_per_ns + ps).substr(1);  // the leading 1 keeps the zeros and is cut off
    for (const std::int64_t field : {std::int64_t{packet.source}, std::int64_t{packet.destination}, packet.bytes})
      text += " " + std::to_string(field);
    if (packet.route_id != Packet::any_route) text += " " + std::to_string(packet.route_id);
    text += "\n";
  }
  return text;
}

}  // namespace sanvp::replay
