/// Turn models on meshes: adaptive minimal routing that leaves out just enough turns for no cycle of waiting to close,
/// whatever virtual channels a packet takes (Glass and Ni, The Turn Model for Adaptive Routing, ISCA 1992; Chiu, The
/// Odd-Even Turn Model for Adaptive Routing, IEEE Trans. Parallel Distrib. Syst. 11(7), 2000).
///
/// East is x+, west x-, north y+ and south y-.
#include <cstdint>
#include <functional>
#include <utility>

#include "topologies/parts.hpp"
#include "topologies/routing/lattice_relation.hpp"
#include "topologies/unsuitable.hpp"

namespace sanvp::topologies {
namespace {

/// Distances that are left, and where the packet is.
struct Left {
  int x;       ///< to the east; negative: to the west
  int y;       ///< to the north
  int column;  ///< of this switch ...
  int source_column;
};

/// Which of the four directions a packet may take; those that do not lead nearer are left out anyway.
struct Permitted {
  bool east = true;
  bool west = true;
  bool north = true;
  bool south = true;
};

class TurnModel : public LatticeRelation {
 public:
  using Rule = Permitted (*)(const Left& left);

  TurnModel(const Graph& graph, const std::string& name, Rule rule)
      : LatticeRelation(graph, "routing " + name, Rings::refused), rule_(rule) {
    if (lattice().axis_count() != 2)
      throw UnsuitableGraph(
          "routing " + name,
          "the turn model is defined on two axes, and the mesh has " + std::to_string(lattice().axis_count()),
          "use negative_first or minimal_adaptive");
    x_ = lattice().axis('x');
    y_ = lattice().axis('y');
  }

 protected:
  void travel(const Header& header, std::vector<Candidate>& to) const override {
    const Left left{.x = offset(header, x_),
                    .y = offset(header, y_),
                    .column = lattice().coordinate(header.switch_, x_),
                    .source_column = source_column(header)};
    const Permitted may = rule_(left);
    if (left.x > 0 && may.east) append(header, x_, Run::Way::up, to);
    if (left.x < 0 && may.west) append(header, x_, Run::Way::down, to);
    if (left.y > 0 && may.north) append(header, y_, Run::Way::up, to);
    if (left.y < 0 && may.south) append(header, y_, Run::Way::down, to);
  }

 private:
  Rule rule_;
  int x_;
  int y_;
};

/// No turn to the west: a packet goes there first.
Permitted west_first(const Left& left) {
  const bool goes_west = left.x < 0;
  return {.north = !goes_west, .south = !goes_west};
}

/// No turn away from the north: a packet goes there last.
Permitted north_last(const Left& left) { return {.north = left.x == 0}; }

/// No turn from east to north or south in an even column, none from north or south to west in an odd one (Chiu's
/// ROUTE).
Permitted odd_even(const Left& left) {
  const bool odd = left.column % 2 != 0;
  if (left.x > 0) {
    const bool may_leave_the_row = odd || left.column == left.source_column;
    const bool next_is_odd_or_not_last = !odd || left.x != 1;
    return {.east = left.y == 0 || next_is_odd_or_not_last, .north = may_leave_the_row, .south = may_leave_the_row};
  }
  return {.north = left.x == 0 || !odd, .south = left.x == 0 || !odd};
}

/// First all hops in negative directions, then those in positive ones, on any number of axes.
class NegativeFirst : public LatticeRelation {
 public:
  explicit NegativeFirst(const Graph& graph) : LatticeRelation(graph, "routing negative_first", Rings::refused) {}

 protected:
  void travel(const Header& header, std::vector<Candidate>& to) const override {
    for (int axis = 0; axis < lattice().axis_count(); ++axis)
      if (offset(header, axis) < 0) append(header, axis, Run::Way::down, to);
    if (!to.empty()) return;
    for (int axis = 0; axis < lattice().axis_count(); ++axis)
      if (offset(header, axis) > 0) append(header, axis, Run::Way::up, to);
  }
};

RoutingPart part(const std::string& name, const std::string& summary, TurnModel::Rule rule) {
  return {
      .name = name,
      .summary = summary,
      .build = [name, rule](const Graph& graph, const Parameters&, const RoutingContext&) -> std::unique_ptr<Routing> {
        return std::make_unique<TurnModel>(graph, name, rule);
      }};
}

const Registration<RoutingPart> registration_west{
    part("west_first", "mesh: west first, then adaptively (turn model)", west_first)};
const Registration<RoutingPart> registration_north{
    part("north_last", "mesh: adaptively, and north last (turn model)", north_last)};
const Registration<RoutingPart> registration_odd_even{
    part("odd_even", "mesh: adaptively, with turns that differ in odd and even columns (turn model)", odd_even)};
const Registration<RoutingPart> registration_negative{
    {.name = "negative_first",
     .summary = "mesh of any dimension: negative directions first, then positive ones (turn model)",
     .build = [](const Graph& graph, const Parameters&, const RoutingContext&) -> std::unique_ptr<Routing> {
       return std::make_unique<NegativeFirst>(graph);
     }}};

}  // namespace
}  // namespace sanvp::topologies
