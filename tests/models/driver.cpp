/// What drivers do when a process gives memory back (hal_driver_unmapped), and what a process may access of its card.
/// Every case is a machine of its own, with the program tests/images/given_back.c.
#include "models/host/driver.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "models/host/grants.hpp"
#include "models/host/node.hpp"
#include "platform/core/results.hpp"
#include "platform/machine/cluster.hpp"

using namespace sanvp;

namespace {

const std::string software = SANVP_SW;

/// A job of two ranks on nodes 0 and 1, whose metric "give back" gives back memory of rank 0.
class Giver final : public host::Services {
 public:
  explicit Giver(const std::string& machine, const std::string& argument = "")
      : machine_({.name = machine}),
        cluster_(machine_, net::Fidelity::worm, software,
                 {{software + "/tests/given_back.so", {"given_back", argument}, {0, 1}}}, *this, nullptr) {
    cluster_.run(1000ms, [] { return true; });
  }

  double operator[](const std::string& metric) const { return metrics_.at(metric); }
  bool has(const std::string& metric) const { return metrics_.contains(metric); }
  const std::string& failure() const { return failure_; }
  /// Of node 0 when the program had given that metric.
  int interrupts(const std::string& metric) const { return interrupts_.at(metric); }

  const char* setting(const char*, const char* fallback, const char*, const char*) override { return fallback; }
  void metric(const host::Identity& of, const char* name, double value, const char*) override {
    if (of.rank != 0) return;
    metrics_[name] = value;
    interrupts_[name] = count_interrupts();
    if (std::string(name) != "give back") return;
    host::Node& node = *dynamic_cast<host::Node*>(sc_core::sc_find_object("node_0"));
    host::Process& process = *node.processes().front();
    node.unmapped(process, process.first_cpu(), static_cast<std::uint64_t>(value),
                  static_cast<std::size_t>(metrics_.at("bytes")));
  }
  void output(const host::Identity&, bool, std::string_view) override {}
  void ended(const host::Identity&, int, Time) override {
    if (++ends_ == 2) cluster_.stop();
  }
  void ended_job(const host::Identity&, int, Time) override { cluster_.stop(); }
  void failed(const host::Identity&, const std::string& why, Time) override {
    failure_ = why;
    cluster_.stop();
  }

 private:
  int count_interrupts() const {
    StatisticsTable table;
    dynamic_cast<host::Node*>(sc_core::sc_find_object("node_0"))->report(table);
    const std::string row = "node 0,interrupts,,", &csv = table.table().csv();
    return std::stoi(csv.substr(csv.find(row) + row.size()));
  }

  std::map<std::string, double> metrics_;
  std::map<std::string, int> interrupts_;
  std::string failure_;
  int ends_ = 0;
  Machine machine_;
  Cluster cluster_;
};

constexpr const char* not_granted = "has not granted it to this process";

}  // namespace

TEST_CASE("an Elan3 translates a page that was given back once more, and only that") {
  const Giver run("qsnet-16");
  REQUIRE(run.failure().empty());
  CHECK(run.interrupts("second") == run.interrupts("first"));
  CHECK(run.interrupts("third") == run.interrupts("second"));
  // The trap for the missing page: neither the page tables nor the card's cache of them have it.
  CHECK(run.interrupts("fourth") == run.interrupts("third") + 1);
  CHECK(run.interrupts("fifth") == run.interrupts("fourth"));
}

TEST_CASE("GM sends from no memory that was given back, and from what else is registered") {
  const Giver run("myrinet-8", "page");
  CHECK(run.has("first"));
  CHECK(run.has("second"));
  CHECK_FALSE(run.has("third"));
  CHECK(run.failure().starts_with("GM port 2: a message or buffer of 4096 bytes is not in registered memory"));
}

TEST_CASE("a GM port is closed when the memory of its events is given back") {
  const Giver run("myrinet-8", "heap");
  CHECK(run.has("first"));
  CHECK_FALSE(run.has("second"));
  CHECK_THAT(run.failure(), Catch::StartsWith("store to bus address 0x1") && Catch::Contains(not_granted));
}

TEST_CASE("a Tofu controller forgets registered memory that was given back, and a queue whose entries were") {
  const Giver run("tofu-36");
  constexpr int local_address_error = -131;  // UTOFU_ERR_TCQ_STADD
  CHECK(run["first"] == 0);
  CHECK(run["second"] == local_address_error);
  CHECK(run["third"] == 0);
  CHECK_THAT(run.failure(), Catch::StartsWith("store to bus address 0x1") && Catch::Contains(not_granted));
}

TEST_CASE("a DS link is disconnected when the memory of its control block is given back") {
  const Giver run("macrame-clos-64");
  CHECK(run["first"] == 5);
  CHECK_THAT(run.failure(), Catch::StartsWith("store to bus address 0x1") && Catch::Contains(not_granted));
}

TEST_CASE("grants join, and what is revoked cuts them") {
  host::Grants grants;
  CHECK_FALSE(grants.allow(0, 1));
  grants.add(100, 50);
  grants.add(200, 50);
  CHECK(grants.allow(100, 50));
  CHECK_FALSE(grants.allow(100, 51));
  CHECK_FALSE(grants.allow(99, 2));
  CHECK_FALSE(grants.allow(149, 52));
  grants.add(150, 50);
  CHECK(grants.allow(100, 150));
  grants.add(120, 10);  // a part of what there is
  grants.remove(140, 20);
  CHECK(grants.allow(100, 40));
  CHECK(grants.allow(160, 90));
  CHECK_FALSE(grants.allow(139, 2));
  CHECK_FALSE(grants.allow(159, 1));
  grants.add(90, 200);
  CHECK(grants.allow(90, 200));
  grants.remove(0, 1000);
  CHECK_FALSE(grants.allow(120, 1));
  CHECK_FALSE(grants.allow(120, std::size_t(-1)));
}
