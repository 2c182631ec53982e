/// Patterns in which each node sends to one node for ever: the permutations and the systematic pairs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/traffic/pattern.hpp"

namespace sanvp::traffic {

/// Each node's partner; a node whose partner is itself, or -1, is silent.
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
/// @param image  of a node's number, given how many bits it has
/// Throws UserError where the number of nodes is not a power of two, or of four where `even_bits`.
std::unique_ptr<Pattern> bit_permutation(const PatternContext& context, const std::string& name,
                                         const std::function<unsigned(unsigned number, int bits)>& image,
                                         bool even_bits = false);

}  // namespace sanvp::traffic
