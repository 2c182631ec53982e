#include "platform/commands/log_file.hpp"

#include <fmt/format.h>

#include <iostream>
#include <vector>

#include "platform/commands/idle_options.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/core/trace_format.hpp"

namespace sanvp::commands {
namespace {

namespace po = boost::program_options;

std::string card_name(int node) { return fmt::format("node_{}.nic", node); }

/// The names of all parts but those of cards and switches' ports, whose rows come as they are used.
std::vector<std::string> objects_of(const Machine& machine) {
  std::vector<std::string> objects;
  for (int node = 0; node < machine.nodes(); ++node) {
    objects.push_back(fmt::format("node_{}", node));
    objects.push_back(fmt::format("node_{}.kernel", node));
    for (int cpu = 0; cpu < machine.host().cpus; ++cpu) objects.push_back(fmt::format("node_{}.cpu_{}", node, cpu));
  }
  return objects;
}

std::vector<std::string> open_objects_of(const Machine& machine) {
  std::vector<std::string> objects;
  for (int node = 0; node < machine.nodes(); ++node) objects.push_back(card_name(node));
  for (const auto& unit : machine.wiring().switches) objects.push_back(log_name(unit.name));
  return objects;
}

}  // namespace

void add_log_options(po::options_description_easy_init add) {
  add("log", po::value<std::vector<std::string>>()->composing()->value_name("OBJECT=LEVEL"),
      "log what a part of the machine does, such as node_3.nic=debug, on standard error; off, info or debug; * stands "
      "for any text (repeat for more; docs/log.md)");
  add("log-file", po::value<std::string>()->value_name("FILE"), "with --log: the lines go to this file");
}

/// Packets, at the level info, and stores to registers, at debug.
class LogFile::Cards final : private net::PacketObserver {
 public:
  Cards(const Log& log, LoggedNetwork network, int ports) : log_(log), network_(std::move(network)), ports_(ports) {
    bool logs_packets = false;
    const auto nodes = static_cast<int>(network_.hosts) / ports_;
    for (int node = 0; node < nodes; ++node) {
      const Log::Level level = log_.level_of(card_name(node));
      levels_.push_back(level);
      logs_packets = logs_packets || level != Log::Level::off;
      nic::RegisterWatch* const registers = network_.registers ? network_.registers(node) : nullptr;
      if (level == Log::Level::debug && registers != nullptr)
        stores_.push_back(std::make_unique<Stores>(log_, network_.now, *registers, node));
    }
    if (logs_packets) network_.observe(*this);
  }
  ~Cards() { network_.forget(*this); }
  Cards(const Cards&) = delete;
  Cards& operator=(const Cards&) = delete;

 private:
  class Stores final : private nic::StoreObserver {
   public:
    Stores(const Log& log, const std::function<Time()>& now, nic::RegisterWatch& registers, int node)
        : log_(log), now_(now), registers_(registers), path_(card_name(node) + ".registers") {
      registers_.add(*this);
    }
    ~Stores() { registers_.remove(*this); }
    Stores(const Stores&) = delete;
    Stores& operator=(const Stores&) = delete;

   private:
    void register_stored(const nic::RegisterFacts& facts, const std::string& name, const nic::Store& store) override {
      log_.add(now_(), path_, fmt::format("{} is written: {}", name, nic::text_of(facts, store)));
    }

    const Log& log_;
    const std::function<Time()>& now_;
    nic::RegisterWatch& registers_;
    std::string path_;
  };

  void packet_sent(const net::Packet& packet, Time now) override {
    add(packet.source, now,
        fmt::format("packet {} to node {}, {} flits", packet.id, packet.destination / ports_, packet.flits));
  }
  void packet_delivered(const net::Packet& packet, int host, Time now) override {
    add(host, now, fmt::format("packet {} from node {} has arrived", packet.id, packet.source / ports_));
  }
  void packet_lost(const net::Packet& packet, std::span<const int>, Time now) override {
    add(packet.source, now, fmt::format("packet {} to node {} is lost", packet.id, packet.destination / ports_));
  }
  void add(int host, Time now, const std::string& what) const {
    const int node = host / ports_;
    if (levels_[static_cast<std::size_t>(node)] != Log::Level::off) log_.add(now, card_name(node), what);
  }

  const Log& log_;
  LoggedNetwork network_;
  int ports_;
  std::vector<Log::Level> levels_;  ///< by node
  std::vector<std::unique_ptr<Stores>> stores_;
};

LogFile::LogFile(const Invocation& invocation, const Machine& machine, Around around) : ports_(machine.nic().ports) {
  if (!invocation.has("log")) {
    note_idle(invocation, {"log-file"}, "does nothing without --log OBJECT=LEVEL");
    return;
  }
  log_.emplace(log_name(machine.name()), invocation.values["log"].as<std::vector<std::string>>(),
               [this](const std::string& line) { write(line); });
  log_->require_known(around == Around::nodes ? objects_of(machine) : std::vector<std::string>(),
                      open_objects_of(machine));
  int host = 0;
  for (const auto& nic : machine.wiring().nics) cards_[nic.name] = card_name(host++ / ports_);
  if (!invocation.has("log-file")) return;
  path_ = invocation.text("log-file");
  file_.open(path_);
  if (!file_) throw UserError("--log-file", "cannot write " + in_quotes(path_));
}

std::unique_ptr<TraceFormat> LogFile::format() const {
  if (!log_) return nullptr;
  return log_of_trace(*log_, [this](const std::string& board, const std::string& row) {
    const auto card = cards_.find(board);
    return (card == cards_.end() ? log_name(board) : card->second) + "." + log_name(row);
  });
}

std::shared_ptr<void> LogFile::begin(Cluster& cluster) const {
  return begin(LoggedNetwork{.hosts = cluster.network().wiring().nics.size(),
                             .now = [&cluster] { return cluster.now(); },
                             .observe = [&cluster](net::PacketObserver& one) { cluster.observe_packets(one); },
                             .forget = [&cluster](net::PacketObserver& one) { cluster.forget_packets(one); },
                             .registers = [&cluster](int node) -> nic::RegisterWatch* {
                               const auto cards = static_cast<int>(cluster.cards().size());
                               return node < cards ? cluster.registers_of(node) : nullptr;
                             }});
}

std::shared_ptr<void> LogFile::begin(LoggedNetwork network) const {
  return log_ ? std::make_shared<Cards>(*log_, std::move(network), ports_) : nullptr;
}

void LogFile::write(const std::string& line) {
  if (path_.empty()) {
    if (before_line_) before_line_();
    std::cerr << line;
  } else {
    file_ << line;
  }
}

void LogFile::close() {
  if (!log_) return;
  for (const std::string& object : log_->silent())
    std::cerr << heading("note") << "--log: " << object << " has done nothing\n";
  if (path_.empty()) return;
  file_.close();
  if (!file_) throw UserError("--log-file", "could not write all of " + in_quotes(path_));
}

}  // namespace sanvp::commands
