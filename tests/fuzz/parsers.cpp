/// Mutated input for every parser of the program, many executions in one process: `fuzz_parsers SECONDS [SEED
/// [FORMAT]]`. A parser must accept an input or refuse it with a UserError (or report a deadlock, or run out of
/// memory). Anything else ends the process with status 1, after the input has been written to ./fuzz-FORMAT-NUMBER:
/// another exception, a crash, a failed round trip, or more than a minute of processor time (a thousand nodes with
/// routes between all of them take some seconds). The same seed gives the same inputs.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "models/native/block_table.hpp"
#include "models/native/image_check.hpp"
#include "models/native/symbols.hpp"
#include "platform/core/elf_file.hpp"
#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"
#include "platform/core/units.hpp"
#include "platform/faults/schedule.hpp"
#include "platform/goal/critical_path.hpp"
#include "platform/goal/ideal_player.hpp"
#include "platform/goal/reader.hpp"
#include "platform/jobs/job.hpp"
#include "platform/machine/machine.hpp"
#include "platform/replay/traffic_file.hpp"
#include "platform/traffic/load.hpp"
#include "platform/traffic/measurement.hpp"
#include "platform/traffic/message_sizes.hpp"
#include "platform/traffic/pattern.hpp"
#include "platform/traffic/settings.hpp"
#include "topologies/routing/check.hpp"
#include "topologies/routing/route_file.hpp"
#include "topologies/text_graph.hpp"

namespace {

using namespace sanvp;

struct Format {
  const char* name;
  std::vector<std::string> corpus;
  std::vector<std::string> words;  ///< tokens that mutations insert, beside numbers
  std::function<void(const std::string& input)> parse;
};

void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

// ---- parsers

std::string scratch_file;  // in a separate folder

void topology(const std::string& text) {
  const auto graph = topologies::parse_graph(text, "input");
  const std::string written = to_text(graph);
  require(to_text(topologies::parse_graph(written, "again")) == written, "a topology reads back as another");
}

void routes(const std::string& text) {
  static const auto graph = topologies::parse_graph(
      "switches 3\nports 4\nhost 0 0 0\nhost 1 1 0\nhost 2 2 0\nhost 3 2 3\nlink 0 1 1 2\nlink 1 1 2 2\nlink 2 1 0 2\n",
      "ring");
  const auto table = topologies::parse_routes(graph, text, "input");
  const std::string written = to_text(graph, *table);
  require(to_text(graph, *topologies::parse_routes(graph, written, "again")) == written, "routes read back as others");
  if (written.find("..") != std::string::npos) return;  // of a group of ports the parser follows the preferred one
  const auto report = check(graph, *table, {.virtual_channels = table->virtual_channels()});
  require(report.routes_broken == 0, "a route that was taken is broken");
}

void packets(const std::string& text) {
  const auto list = replay::parse_traffic(text, "input", 4);
  require(replay::parse_traffic(replay::to_text(list), "again", 4) == list, "packets read back as others");
}

/// What is accepted is also played on an ideal network: it comes to an end, to a message that never comes, or to a time
/// that is refused.
void goal_program(const std::string& text) {
  std::istringstream in(text);
  const goal::Program program = goal::read_program(in, "input");
  std::ostringstream written;
  write_program(program, written);
  std::istringstream again(written.str());
  require(goal::read_program(again, "again") == program, "a program reads back as another");
  if (goal::has_collectives(program)) return;  // no host here can do them
  goal::IdealPlayer player(program, {});
  goal::History history(program, goal::LogGops{}.S);
  player.watch(history);
  require(player.run(never, [](Time) { return true; }), "a program does not come to an end");
  require(player.ranks().is_done() || !player.ranks().unmatched(1).empty() || program.ranks.empty(),
          "a program hangs for no reason");
  if (!player.ranks().is_done()) return;
  Time end{0};
  for (std::uint32_t rank = 0; rank < program.ranks.size(); ++rank)
    for (std::uint32_t i = 0; i < program.ranks[rank].size(); ++i) end = std::max(end, history.record(rank, i).end);
  require(goal::critical_path(program, {}, history, true, {}).total() == end, "a critical path is not the time");
}

void machine_file(const std::string& text) {
  write_text_file(scratch_file, text);
  const Machine machine({.name = scratch_file});
  static_cast<void>(machine.headline());
}

/// Lines of KEY=VALUE; the first line is a machine's name.
void settings(const std::string& text) {
  MachineRequest request;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (begin == 0)
      request.name = line;
    else if (!line.empty())
      request.settings.push_back(line);
    begin = end + 1;
  }
  const Machine machine(request);
  static_cast<void>(machine.headline());
}

void map(const std::string& text) {
  static_cast<void>(jobs::place_ranks({.app = "app", .ranks = 8, .map = text, .place = "--map"}, 64, 4));
  static_cast<void>(jobs::place_ranks({.app = "app", .map = text, .place = "--map"}, 64, 4));
}

void job(const std::string& text) { static_cast<void>(jobs::parse_job(text, "--job")); }

/// Accepted events are in order of time.
void events(const std::string& text) {
  static const Machine machine({.name = "qsnet-16"});
  ParameterSet set;
  faults::add_events({text}, set);
  const auto plan = faults::Plan::read({set, "fault"}, machine.stock(), 1);
  faults::Schedule schedule(plan, machine.stock());
  for (Time before{0}; schedule.next() != never;) {
    require(schedule.next() >= before, "an event comes too late");
    before = schedule.take().at;
  }
}

/// Lines of KEY=VALUE of the sections [traffic] and [pattern]; the first line is the pattern's name. An accepted
/// pattern runs for a few packets.
void pattern(const std::string& text) {
  static const Machine machine({.name = "myrinet-8"});
  ParameterSet set;
  set.set("traffic.packets", "20", "fuzz");
  std::string name;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (begin == 0)
      name = line;
    else if (!line.empty())
      set.set(line);
    begin = end + 1;
  }
  traffic::NetworkUnderTest under_test{
      .graph = machine.graph(),
      .routing = machine.routing(),
      .wiring = machine.wiring(),
      .format = machine.format(),
      .make_route_selection = [] { return machine.make_route_selection(); },
      .address = [](net::Packet& packet, int source, int destination,
                    int alternative) { machine.address(packet, source, destination, alternative); },
      .unhindered = [](int host, int flits) { return machine.unhindered(host, flits); }};
  const auto& part = Registry<traffic::PatternPart>::get(name, "fuzz");
  const Parameters section{set, "pattern"};
  const auto made = part.build({machine.graph(), section, 1});
  auto read = traffic::Settings::read({set, "traffic"}, under_test, *made);
  set.require_all_read();
  constexpr std::int64_t few_packets = 50;
  constexpr Time short_time{20'000'000};  // 20 us
  read.plan.packets = std::min(read.plan.packets, few_packets);
  read.plan.until = short_time;
  read.workload.load = read.loads.front();
  traffic::Measurement run(under_test, *made, read.workload, read.plan);
  run.time_probes(read.timing_node);
  run.run();
}

void units(const std::string& text) {
  const auto each = [&](auto parse) {
    try {
      parse();
    } catch (const UserError&) {
    }
  };
  each([&] {
    require(parse_time(to_text(parse_time(text, "")), "") == parse_time(text, ""), "a time reads back else");
  });
  each([&] { require(parse_size(size_to_text(parse_size(text, "")), "") == parse_size(text, ""), "a size does"); });
  each([&] { static_cast<void>(parse_rate(text, "")); });
  each([&] { static_cast<void>(parse_count(text, "")); });
  each([&] { static_cast<void>(parse_real(text, "")); });
  each([&] { static_cast<void>(traffic::Load::parse_sweep(text, "")); });
  each([&] { static_cast<void>(traffic::MessageSizes::parse(text, "").mean_bytes()); });
}

void image(const std::string& bytes) {
  write_text_file(scratch_file, bytes);
  const ElfFile file(scratch_file);
  const native::Symbols symbols(scratch_file);
  static_cast<void>(symbols.function_at(0x1000));
  static_cast<void>(symbols.places_at(0x1000));
  static_cast<void>(file.has_section(".sanvp.shared_code"));
  for (const native::Block& block : native::read_blocks(file, scratch_file))
    static_cast<void>(file.offset_of(block.price_at));
  static_cast<void>(native::read_loops(file, scratch_file));
  native::require_sound(scratch_file);
}

// ---- mutations

constexpr std::array<const char*, 24> odd_numbers{"0",
                                                  "-1",
                                                  "1",
                                                  "2",
                                                  "3",
                                                  "7",
                                                  "255",
                                                  "65536",
                                                  "2147483647",
                                                  "2147483648",
                                                  "4294967295",
                                                  "9223372036854775807",
                                                  "-9223372036854775808",
                                                  "18446744073709551615",
                                                  "1e308",
                                                  "1e-308",
                                                  "nan",
                                                  "inf",
                                                  "0.5",
                                                  "1e400",
                                                  "00",
                                                  "99999999999999999999",
                                                  "0x10",
                                                  ""};

std::string mutated(const Format& format, Random& random) {
  const auto any = [&](const auto& list) { return std::string(list[random.below(list.size())]); };
  std::string text = any(format.corpus);
  for (auto rounds = 1 + random.below(random.below(4) == 0 ? 12 : 3); rounds > 0; --rounds) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t most = std::min<std::size_t>(text.size() - at, 1 + random.below(16));
    switch (random.below(9)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
        break;
      case 2:
        text.erase(at, most);
        break;
      case 3:
        text.insert(at, text.substr(at, most));
        break;
      case 4:
        text.insert(at, any(odd_numbers));
        break;
      case 5: {  // a number becomes another
        const std::size_t begin = text.find_first_of("0123456789", at);
        if (begin == std::string::npos) break;
        const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
        text.replace(begin, end - begin, any(odd_numbers));
        break;
      }
      case 6: {  // the rest of another
        const std::string other = any(format.corpus);
        text = text.substr(0, at) + other.substr(std::min(at, other.size()));
        break;
      }
      case 7:
        if (at + sizeof(std::uint64_t) <= text.size()) {  // for binary files
          constexpr std::array<std::uint64_t, 6> odd{0, 1, UINT32_MAX, std::uint64_t{1} << 63, UINT64_MAX, 4096};
          const std::uint64_t value =
              random.below(2) == 0 ? odd[random.below(odd.size())] : random.next() >> random.below(64);
          std::memcpy(text.data() + at, &value, random.below(2) == 0 ? sizeof value : sizeof value / 2);
        }
        break;
      default:
        if (!format.words.empty()) text.insert(at, any(format.words));
    }
  }
  return text;
}

// ---- formats

std::vector<std::string> machine_texts() {
  std::vector<std::string> texts;
  for (const char* name : {"qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "tofu-36"})
    texts.push_back(read_text_file(find_machine_file(name)));
  // Whole machines without includes, small enough to be built many times.
  for (const char* name : {"qsnet-16", "myrinet-8", "tofu-36"}) {
    const Machine machine({.name = name});
    std::string text;
    std::string section;
    for (const auto& [key, declared] : machine.parameters().declared()) {
      if (declared.value.empty()) continue;
      const std::string of = key.substr(0, key.rfind('.'));
      if (of != section) text += "[" + (section = of) + "]\n";
      text += key.substr(key.rfind('.') + 1) + " = " + declared.value + "\n";
    }
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> setting_texts(std::vector<std::string>& words) {
  std::vector<std::string> texts;
  for (const char* name : {"qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "tofu-36", "gcel-64"}) {
    const Machine machine({.name = name});
    for (const auto& [key, declared] : machine.parameters().declared()) {
      texts.push_back(std::string(name) + "\n" + key + "=" + declared.value);
      words.push_back("\n" + key + "=");
    }
  }
  return texts;
}

std::vector<Format> formats() {
  std::vector<std::string> setting_words{"=", "ns", "s", "MB/s", "KiB", ","};
  const std::vector<std::string> setting_corpus = setting_texts(setting_words);
  const std::string app = read_text_file(own_folder("sw") + "/apps/hello.so");
  return {
      {"topology",
       {"switches 3\nports 4\nhost 0 0 0\nhost 1 1 0\nhost 2 2 0\nlink 0 1 1 2\nlink 1 1 2 2\nlink 2 1 0 2\n",
        "# comment\nswitches 2\nports 8\nhost 0 0 0\nhost 1 1 7\nlink 0 3 1 3\n"},
       {"switches ", "ports ", "host ", "link ", "\n", "#", " "},
       topology},
      {"routes",
       {"route 0 1 0 1 0\nroute 0 2 0 1 1 0\nroute 0 2 1 2 0\nroute 3 0 0 1 0\n", "route 0 2 0 1 0 / 1 0\n",
        "route 2v3 0 1 0 / 1 0\nroute 0 1 0 1v1..2+1 0-1\n", "threshold 3\nroute 0 1 0 1v1 0 | 2 2v2 0\n"},
       {"route ", "/", "\n", " ", "#", "v", "..", "@", "|", "+"},
       routes},
      {"packets", {"0 0 1 64\n10.5 1 2 512 0\n", "100 3 0 1 1 # late\n"}, {"\n", " ", "#", "."}, packets},
      {"goal",
       {"num_ranks 2\nrank 0 {\nl1: calc 100 cpu 1\nl2: send 8b to 1 tag 3\nl2 requires l1\n}\n"
        "rank 1 { recv 8b from 0 tag 3 }\n",
        "num_ranks 3\nrank 2 {\na: send 70000b to 0 nic 1; b: calc 5; b irequires a // late\n}\n"
        "rank 0 { recv 70000b from -1 tag -1 /* any */ }\n",
        "num_ranks 3\ncomm 1 { 2 0 }\nrank 0 {\nl1: collective gatherv gives 8b takes 8b 16b root 1 comm 1\n"
        "collective barrier }\n"},
       {"rank ", "{",     "}",     ":",       ";",           "\n",     "requires", "irequires", "send ",
        "recv ", "calc ", "b to ", "b from ", "-1",          "//",     "/*",       "*/",        "tag ",
        "cpu ",  "nic ",  "l1",    "comm ",   "collective ", "gives ", "takes ",   "root ",     "allreduce "},
       goal_program},
      {"machine",
       machine_texts(),
       {"[", "]", "\n", "=", "include = ", "type = ", ".", "ns", "MB/s", "KiB"},
       machine_file},
      {"settings", setting_corpus, setting_words, settings},
      {"map", {"spread", "block", "cyclic", "0,4,8-15", "0-7", "3,3,3"}, {",", "-", " "}, map},
      {"job",
       {"hello --np 4 --map 0,4,8-15 -- one 'two three' \"four\"", "ping", "a\\ b --np 2"},
       {" ", "\\", "'", "\"", "--np ", "--map ", "-- "},
       job},
      {"events",
       {"3ms link 12 down, 5ms link 12 up,4ms switch 3 down", "6ms node 5 down", "1us link 0 down"},
       {"link ", "switch ", "node ", " down", " up", ",", " ", "ms ", "ns "},
       events},
      {"pattern",
       {"uniform\ntraffic.load=0.5\ntraffic.bytes=exp:100", "hot-spot\npattern.target=3\npattern.writes=0.5",
        "pairs\npattern.list=0-5,5-0,3-7", "pairs\npattern.exchange=2\ntraffic.arrivals=constant",
        "multiple-hot-spots\npattern.io-nodes=2\npattern.mapping=distributed", "complement\ntraffic.load=0.1,0.5@3us",
        "all-to-all\ntraffic.bytes=32", "gossip\ntraffic.load=120MB/s", "equal-dist\npattern.messages=3",
        "uniform\ntraffic.probe-interval=10us\ntraffic.series=1us", "uniform\ntraffic.bytes=bimodal:32:512:0.3",
        "uniform\ntraffic.warmup=1us\ntraffic.request-bytes=16B"},
       {"\n", "pattern.", "traffic.load=", "traffic.bytes=", ":", "@", ",", "us", "MB/s"},
       pattern},
      {"units",
       {"35ns", "64KiB", "400MB/s", "1.5k", "0.1:0.9:0.1", "exp:64", "uniform:1:9", "bimodal:1:2:0.5", "0.1,0.5@3ms"},
       {"ps", "ns", "s", "B", "GiB", "bit/s", ":", "@", ",", ".", "-", "e"},
       units},
      {"image", {app}, {}, image},
  };
}

// ---- the loop

std::string current_format, current_input;
unsigned long current_number = 0;

/// Async-signal-safe as far as needed: the process ends after the report.
[[noreturn]] void report(const char* cause) {
  const std::string file = "fuzz-" + current_format + "-" + std::to_string(current_number);
  if (FILE* const to = std::fopen(file.c_str(), "w")) {
    std::fwrite(current_input.data(), 1, current_input.size(), to);
    std::fclose(to);
  }
  std::fprintf(stderr, "fuzz: %s, input %lu: %s; the input is in %s\n", current_format.c_str(), current_number, cause,
               file.c_str());
  _exit(1);
}

void on_signal(int signal) { report(signal == SIGPROF ? "it does not come to an end" : strsignal(signal)); }

void run_once(const Format& format, const std::string& input) {
  constexpr time_t most_seconds = 60;
  const itimerval limit{{}, {most_seconds, 0}}, none{};
  setitimer(ITIMER_PROF, &limit, nullptr);
  try {
    format.parse(input);
  } catch (const Error&) {
  } catch (const std::bad_alloc&) {
  } catch (const std::exception& error) {
    report(error.what());
  }
  setitimer(ITIMER_PROF, &none, nullptr);
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 10;
  const auto seed = static_cast<std::uint64_t>(count > 2 ? std::atoll(arguments[2]) : 1);
  const std::string only = count > 3 ? arguments[3] : "";
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF}) std::signal(signal, on_signal);
#ifndef __SANITIZE_ADDRESS__  // its shadow memory is larger than any limit
  constexpr rlim_t most_bytes = rlim_t{4} << 30;
  const rlimit memory{most_bytes, most_bytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
  std::string folder = "/tmp/sanvp-fuzz-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return 2;
  scratch_file = folder + "/input.ini";
  std::map<std::string, unsigned long> executions;
  unsigned long all = 0;
  const std::vector<Format> every = formats();
  if (count > 4) {  // an input file from an earlier run
    for (const Format& format : every)
      if (only == format.name) {
        current_format = format.name;
        current_input = read_text_file(arguments[4]);
        run_once(format, current_input);
      }
    std::filesystem::remove_all(folder);
    return 0;
  }
  const auto share = std::chrono::duration<double>(seconds / static_cast<double>(only.empty() ? every.size() : 1));
  for (const Format& format : every) {
    if (!only.empty() && only != format.name) continue;
    current_format = format.name;
    Random random(seed, current_format);
    const auto end = std::chrono::steady_clock::now() + share;
    for (current_number = 0; std::chrono::steady_clock::now() < end; ++current_number) {
      current_input = mutated(format, random);
      run_once(format, current_input);
    }
    executions[format.name] = current_number;
    all += current_number;
  }
  for (const auto& [name, number] : executions) std::printf("%-10s %8lu\n", name.c_str(), number);
  std::printf("%-10s %8lu executions\n", "all", all);
  std::filesystem::remove_all(folder);
  return 0;
}
