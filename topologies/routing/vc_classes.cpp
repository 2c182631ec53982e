#include "topologies/routing/vc_classes.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::topologies {
namespace {

class VcClasses : public Routing {
 public:
  VcClasses(std::unique_ptr<Routing> classes, int share) : classes_(std::move(classes)), share_(share) {}

  void route(int source, int destination, int alternative, Route& route) const override {
    classes_->route(source, destination, alternative, route);
    for (Step& step : route.steps) {
      if (step.vc == Step::any_vc) continue;
      const int classes = std::min<int>(step.vcs, classes_->virtual_channels() - step.vc);  // those that exist
      step.vc = static_cast<std::uint8_t>(step.vc * share_);
      step.vcs = static_cast<std::uint8_t>(classes * share_);
    }
  }

  int virtual_channels() const override { return classes_->virtual_channels(); }
  int alternatives(int source, int destination) const override { return classes_->alternatives(source, destination); }
  int route_id(int source, int destination, int alternative) const override {
    return classes_->route_id(source, destination, alternative);
  }
  std::string why_unserved(int source, int destination) const override {
    return classes_->why_unserved(source, destination);
  }
  bool passes_hosts() const override { return classes_->passes_hosts(); }
  bool random_alternative() const override { return classes_->random_alternative(); }
  bool looks_at_queues() const override { return classes_->looks_at_queues(); }
  std::int64_t detour_threshold() const override { return classes_->detour_threshold(); }
  std::string about_failures() const override { return classes_->about_failures(); }
  bool climbs_adaptively() const override { return classes_->climbs_adaptively(); }

 private:
  std::unique_ptr<Routing> classes_;
  int share_;  ///< virtual channels of a class
};

}  // namespace

std::unique_ptr<Routing> with_vc_classes(std::unique_ptr<Routing> routing, int virtual_channels) {
  const int classes = routing->virtual_channels();
  const int share = virtual_channels / classes;
  if (classes < 2 || share < 2 || routing->relation() != nullptr) return routing;
  return std::make_unique<VcClasses>(std::move(routing), share);
}

}  // namespace sanvp::topologies
