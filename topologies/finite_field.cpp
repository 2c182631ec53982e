#include "topologies/finite_field.hpp"

#include "platform/core/error.hpp"

namespace sanvp::topologies {
namespace {

constexpr int most_elements = 256;

/// Polynomials over the integers modulo p, lowest coefficient first. An element is such a polynomial, its number the
/// value at p.
using Polynomial = std::vector<int>;

Polynomial polynomial_of(int element, int p, int degree) {
  Polynomial coefficients;
  for (int i = 0; i < degree; ++i, element /= p) coefficients.push_back(element % p);
  return coefficients;
}

int element_of(const Polynomial& polynomial, int p) {
  int element = 0;
  for (auto c = polynomial.rbegin(); c != polynomial.rend(); ++c) element = element * p + *c;
  return element;
}

/// The product modulo x^degree = `reduction`.
Polynomial product(const Polynomial& a, const Polynomial& b, const Polynomial& reduction, int p) {
  const std::size_t degree = a.size();
  Polynomial result(2 * degree - 1);
  for (std::size_t i = 0; i < degree; ++i)
    for (std::size_t j = 0; j < degree; ++j) result[i + j] = (result[i + j] + a[i] * b[j]) % p;
  for (std::size_t high = result.size(); high-- > degree;)
    for (std::size_t i = 0; i < degree; ++i)
      result[high - degree + i] = (result[high - degree + i] + result[high] * reduction[i]) % p;
  result.resize(degree);
  return result;
}

}  // namespace

FiniteField::FiniteField(int order, const std::string& place) : order_(order) {
  int p = 2;
  while (p < order && order % p != 0) ++p;
  int degree = 0;
  int power = 1;
  for (; power < order; power *= p) ++degree;
  if (order < 2 || power != order || order > most_elements)
    throw UserError(place, std::to_string(order) + " is no power of a prime up to " + std::to_string(most_elements),
                    "give one, such as 5, 7, 8, 9, 11 or 13");
  for (int a = 0; a < order; ++a)
    for (int b = 0; b < order; ++b) {
      const Polynomial x = polynomial_of(a, p, degree);
      Polynomial sum = polynomial_of(b, p, degree);
      for (int i = 0; i < degree; ++i) sum[i] = (sum[i] + x[i]) % p;
      sums_.push_back(element_of(sum, p));
    }
  for (int a = 0; a < order; ++a)
    for (int b = 0; b < order; ++b)
      if (add(a, b) == 0) negatives_.push_back(b);
  // The first reduction under which some element has order - 1 different powers makes a field.
  for (int reduction = 0; reduction < order; ++reduction) {
    products_.clear();
    for (int a = 0; a < order; ++a)
      for (int b = 0; b < order; ++b)
        products_.push_back(element_of(
            product(polynomial_of(a, p, degree), polynomial_of(b, p, degree), polynomial_of(reduction, p, degree), p),
            p));
    for (primitive_ = 1; primitive_ < order; ++primitive_) {
      int count = 1;
      for (int x = primitive_; x > 1 && count < order; x = multiply(x, primitive_)) ++count;
      if (count == order - 1) return;
    }
  }
}

}  // namespace sanvp::topologies
