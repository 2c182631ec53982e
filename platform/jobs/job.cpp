#include "platform/jobs/job.hpp"

#include <algorithm>
#include <boost/program_options/parsers.hpp>
#include <map>
#include <stdexcept>

#include "platform/core/error.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::jobs {
namespace {

namespace po = boost::program_options;

constexpr std::int64_t most_ranks = 1 << 20;

int parse_node(const std::string& text, int nodes, const std::string& place) {
  const std::int64_t node = parse_count(std::string(trimmed(text)), place);
  if (node < 0 || node >= nodes)
    throw UserError(place, "there is no node " + std::to_string(node),
                    "they go from 0 to " + std::to_string(nodes - 1));
  return static_cast<int>(node);
}

std::vector<int> parse_list(const std::string& text, int nodes, const std::string& place) {
  std::vector<int> list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t dash = item.find('-', 1);
    const int first = parse_node(item.substr(0, dash), nodes, place);
    const int last = dash == std::string::npos ? first : parse_node(item.substr(dash + 1), nodes, place);
    if (last < first) throw UserError(place, in_quotes(item) + " goes backwards");
    for (int node = first; node <= last; ++node) list.push_back(node);
    begin = end + 1;
  }
  return list;
}

/// Splits with quotes and backslashes as in a shell.
std::vector<std::string> words_of(const std::string& text, const std::string& place) {
  try {
    return po::split_unix(text);
  } catch (const std::runtime_error& error) {  // boost::escaped_list_error: a backslash before another character
    throw UserError(place, in_quotes(text) + ": " + error.what(), "write \\\\ for a backslash");
  }
}

}  // namespace

int parse_ranks(const std::string& text, const std::string& place) {
  const std::int64_t ranks = parse_count(text, place);
  if (ranks < 1 || ranks > most_ranks)
    throw UserError(place, in_quotes(text) + " is not a number of ranks", "give 1 or more");
  return static_cast<int>(ranks);
}

JobRequest parse_job(const std::string& text, const std::string& place) {
  JobRequest request;
  request.place = place;
  const std::vector<std::string> words = words_of(text, place);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      request.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (word == "--np" || word == "--map") {
      if (++i == words.size()) throw UserError(place, word + " has no value");
      if (word == "--np")
        request.ranks = parse_ranks(words[i], place + ": --np");
      else
        request.map = words[i];
    } else if (request.app.empty() && !word.starts_with("-")) {
      request.app = word;
    } else {
      throw UserError(place, in_quotes(word) + " is not understood",
                      "a job is \"APP [--np N] [--map MAP] [-- ARGUMENTS]\"");
    }
  }
  if (request.app.empty()) throw UserError(place, "names no program");
  return request;
}

std::vector<int> place_ranks(const JobRequest& request, int all_nodes, int cpus, const std::vector<int>& reserved) {
  const std::string place = request.place + ": --map";
  std::vector<int> usable;
  for (int node = 0; node < all_nodes; ++node)
    if (std::find(reserved.begin(), reserved.end(), node) == reserved.end()) usable.push_back(node);
  const int nodes = static_cast<int>(usable.size());
  const int ranks = request.ranks.value_or(nodes);
  std::vector<int> placed(static_cast<std::size_t>(ranks));
  const auto fill = [&](auto node_of) {
    for (int rank = 0; rank < ranks; ++rank) placed[rank] = usable[node_of(rank)];
    return placed;
  };
  const int share = (ranks + nodes - 1) / nodes;
  if (request.map == "spread") return fill([&](int rank) { return rank / share; });
  if (request.map == "block") return fill([&](int rank) { return rank / std::max(cpus, share); });
  if (request.map == "cyclic") return fill([&](int rank) { return rank % nodes; });
  if (request.map.empty() || !std::isdigit(static_cast<unsigned char>(request.map[0])))
    throw UserError(place, in_quotes(request.map) + " is none of spread, block, cyclic, nor a list of nodes",
                    "a list is such as 0,4,8-15");
  std::vector<int> list = parse_list(request.map, all_nodes, place);
  if (request.ranks && *request.ranks != static_cast<int>(list.size()))
    throw UserError(place, "lists " + std::to_string(list.size()) + " nodes for " + std::to_string(ranks) + " ranks",
                    "name one for each rank, or leave out --np");
  return list;
}

void require_room(const std::vector<int>& nodes, const NodeRoom& room, const std::string& place) {
  constexpr std::int64_t KiB = 1024, least_share = 256 * KiB;  // MPI's buffers alone take more
  std::map<int, std::int64_t> ranks;
  for (const int node : nodes) ++ranks[node];
  for (const auto& [node, count] : ranks) {
    const std::string crowd = "node " + std::to_string(node) + " would have " + std::to_string(count) + " ranks";
    if (room.processes > 0 && count > room.processes)
      throw UserError(place, crowd + ", and the software of its card has room for " + std::to_string(room.processes),
                      "spread them over more nodes");
    if (room.memory_bytes / count < least_share)
      throw UserError(place,
                      crowd + ", with " + size_to_text(room.memory_bytes / count / KiB * KiB) + " of memory for each",
                      "spread them over more nodes, or give nodes more with -s host.memory=SIZE");
  }
}

std::string crowded_nodes(const std::vector<std::vector<int>>& jobs, int nodes, int cpus) {
  std::vector<int> ranks(static_cast<std::size_t>(nodes), 0);
  for (const auto& job : jobs)
    for (const int node : job) ++ranks[static_cast<std::size_t>(node)];
  const auto is_crowded = [cpus](int number) { return number > cpus; };
  const auto first = std::find_if(ranks.begin(), ranks.end(), is_crowded);
  if (first == ranks.end()) return {};
  const auto others = std::count_if(first + 1, ranks.end(), is_crowded);
  return "node " + std::to_string(first - ranks.begin()) +
         (others > 0 ? " and " + std::to_string(others) + " more" : "") + (others > 0 ? " have " : " has ") +
         std::to_string(*first) + " ranks on " + std::to_string(cpus) + (cpus == 1 ? " CPU" : " CPUs") +
         ": they take turns (host.time_slice)";
}

}  // namespace sanvp::jobs
