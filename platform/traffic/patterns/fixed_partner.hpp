/// Patterns in which each node always sends to the same node: permutations and systematic pairs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {

/// Each node's partner; a node whose partner is itself or -1 is silent.
class FixedPartner final : public Pattern {
 public:
  explicit FixedPartner(std::vector<int> partner) : partner_(std::move(partner)) {}

  std::optional<Descriptor> next(int node, Random&) override {
    if (!sends(node)) return {};
    return Descriptor{.destination = partner_[node]};
  }
  bool sends(int node) const override { return partner_[node] >= 0 && partner_[node] != node; }
  bool is_repeatable() const override { return true; }
  int partner(int node) const { return partner_[node]; }

 private:
  std::vector<int> partner_;
};

/// A permutation of the bits of a node's number (QsNET paper, section 4.4).
/// Throws UserError unless the number of nodes is a power of two, or of four if `even_bits`.
/// @param image  maps a node's number, given its number of bits
std::unique_ptr<Pattern> bit_permutation(const PatternContext& context, const std::string& name,
                                         const std::function<unsigned(unsigned number, int bits)>& image,
                                         bool even_bits = false);

}  // namespace sanvp::traffic
