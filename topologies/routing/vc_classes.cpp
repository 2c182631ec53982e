#include "topologies/routing/vc_classes.hpp"

#include <algorithm>
#include <utility>

#include "topologies/routing/relation.hpp"

namespace sanvp::topologies {
namespace {

/// Answers as another routing does, but for its virtual channels.
template <class Base>
class Forwarding : public Base {
 public:
  explicit Forwarding(std::unique_ptr<Routing> classes) : classes_(std::move(classes)) {}

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

 protected:
  const Routing& classes() const { return *classes_; }

 private:
  std::unique_ptr<Routing> classes_;
};

class VcClasses : public Forwarding<Routing> {
 public:
  VcClasses(std::unique_ptr<Routing> classes, int share) : Forwarding(std::move(classes)), share_(share) {}

  void route(int source, int destination, int alternative, Route& route) const override {
    classes().route(source, destination, alternative, route);
    for (Step& step : route.steps) {
      if (step.vc == Step::any_vc) continue;
      const int existing = std::min<int>(step.vcs, classes().virtual_channels() - step.vc);
      step.vc = static_cast<std::uint8_t>(step.vc * share_);
      step.vcs = static_cast<std::uint8_t>(existing * share_);
    }
  }

 private:
  int share_;  ///< virtual channels of a class
};

/// Which virtual channels a class has.
class Shares {
 public:
  Shares(int classes, int virtual_channels) : classes_(classes), virtual_channels_(virtual_channels) {}

  int first(int of_class) const {
    return of_class * (virtual_channels_ / classes_) + std::min(of_class, virtual_channels_ % classes_);
  }
  int class_of(int vc) const {
    int found = 0;
    while (found + 1 < classes_ && first(found + 1) <= vc) ++found;
    return found;
  }
  VcSet spread(VcSet classes) const {
    VcSet vcs = 0;
    for (int one = 0; one < classes_; ++one)
      if ((classes >> one & 1U) != 0)
        vcs |= vc_set(static_cast<std::uint8_t>(first(one)), static_cast<std::uint8_t>(first(one + 1) - first(one)));
    return vcs;
  }
  void spread(Candidate& candidate) const {
    if (candidate.vc == Step::any_vc) return;
    const int end = std::min(candidate.vc + candidate.vcs, classes_);  // those that exist
    candidate.vcs = static_cast<std::uint8_t>(first(end) - first(candidate.vc));
    candidate.vc = static_cast<std::uint8_t>(first(candidate.vc));
  }

 private:
  int classes_;
  int virtual_channels_;
};

class RelationVcClasses : public Forwarding<RelationRouting> {
 public:
  RelationVcClasses(std::unique_ptr<Routing> routing, int virtual_channels)
      : Forwarding(std::move(routing)),
        relation_(*classes().relation()),
        shares_(classes().virtual_channels(), virtual_channels) {}

  void candidates(const Header& header, std::vector<Candidate>& to) const override {
    const std::size_t before = to.size();
    Header in_classes = header;
    in_classes.vc = shares_.class_of(header.vc);
    relation_.candidates(in_classes, to);
    for (std::size_t one = before; one < to.size(); ++one) shares_.spread(to[one]);
  }
  VcSet exclusive_vcs() const override { return shares_.spread(relation_.exclusive_vcs()); }

 protected:
  std::uint32_t first_state(int source, int destination, int alternative) const override {
    Route route;
    classes().route(source, destination, alternative, route);
    return route.state;
  }

 private:
  const Relation& relation_;
  Shares shares_;
};

}  // namespace

std::unique_ptr<Routing> with_vc_classes(std::unique_ptr<Routing> routing, int virtual_channels) {
  const int classes = routing->virtual_channels();
  const int share = virtual_channels / classes;
  if (classes < 2 || virtual_channels <= classes || routing->uses_spare_vcs()) return routing;
  if (routing->relation() != nullptr) return std::make_unique<RelationVcClasses>(std::move(routing), virtual_channels);
  if (share < 2) return routing;
  return std::make_unique<VcClasses>(std::move(routing), share);
}

}  // namespace sanvp::topologies
