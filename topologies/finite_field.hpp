/// A finite field of few elements, by tables: for networks that are built from one.
#pragma once

#include <string>
#include <vector>

namespace sanvp::topologies {

/// Elements are 0 to order - 1; 0 and 1 are the neutral ones.
class FiniteField {
 public:
  /// Throws UserError at `place` if `order` is no power of a prime, or above 256.
  FiniteField(int order, const std::string& place);

  int order() const { return order_; }
  int add(int a, int b) const { return sums_[a * order_ + b]; }
  int negative(int a) const { return negatives_[a]; }
  int subtract(int a, int b) const { return add(a, negative(b)); }
  int multiply(int a, int b) const { return products_[a * order_ + b]; }
  /// An element whose powers are all elements but 0.
  int primitive() const { return primitive_; }

 private:
  int order_;
  std::vector<int> sums_;
  std::vector<int> products_;
  std::vector<int> negatives_;
  int primitive_ = 1;
};

}  // namespace sanvp::topologies
