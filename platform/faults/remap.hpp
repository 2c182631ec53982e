/// A mapper: computes new routes while a machine runs, some time after a part has failed or been repaired. Packets in
/// flight keep their routes.
#pragma once

#include <functional>
#include <memory>

#include "models/net/event_queue.hpp"
#include "platform/core/time.hpp"
#include "topologies/failures.hpp"
#include "topologies/routing/routing.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::faults {

/// Time from an event until all hosts have routes around the failed parts. Another event restarts it.
struct RemapTimes {
  bool on = false;
  Time detect{0};
  Time per_switch{0};
  Time per_host{0};

  Time total(const topologies::Graph& graph) const {
    return detect + graph.switch_count() * per_switch + graph.host_count() * per_host;
  }
  static RemapTimes read(const Parameters& section);
};

/// The routes in use.
class CurrentRoutes final : public topologies::Routing {
 public:
  /// @param first  the initial routes; they outlive it
  explicit CurrentRoutes(const topologies::Routing& first) : first_(first) {}

  void replace(std::shared_ptr<const topologies::Routing> routes) { later_ = std::move(routes); }
  /// Restores the initial routes.
  void reset() { later_.reset(); }

  int alternatives(int source, int destination) const override { return now().alternatives(source, destination); }
  void route(int source, int destination, int alternative, topologies::Route& route) const override {
    now().route(source, destination, alternative, route);
  }
  int route_id(int source, int destination, int alternative) const override {
    return now().route_id(source, destination, alternative);
  }
  int host_ports() const override { return now().host_ports(); }
  topologies::PortAlternatives by_port(int source, int destination, int port) const override {
    return now().by_port(source, destination, port);
  }
  bool random_alternative() const override { return now().random_alternative(); }
  bool climbs_adaptively() const override { return now().climbs_adaptively(); }

 private:
  const topologies::Routing& now() const { return later_ ? *later_ : first_; }

  const topologies::Routing& first_;
  std::shared_ptr<const topologies::Routing> later_;
};

class Remap final : public net::EventHandler {
 public:
  using Compute = std::function<std::shared_ptr<const topologies::Routing>(const topologies::Failures& down)>;

  /// @param takes   time from an event to the new routes
  /// @param loaded  called when they are in use
  Remap(Time takes, Compute compute, CurrentRoutes& routes, net::EventQueue& queue, std::function<void()> loaded = {})
      : takes_(takes), compute_(std::move(compute)), routes_(routes), queue_(queue), loaded_(std::move(loaded)) {}

  void begin(const topologies::Failures& down);

 private:
  void handle(const net::Event& event) override;

  Time takes_;
  Compute compute_;
  CurrentRoutes& routes_;
  net::EventQueue& queue_;
  std::function<void()> loaded_;
  topologies::Failures down_;
  std::uint32_t begun_ = 0;
};

}  // namespace sanvp::faults
