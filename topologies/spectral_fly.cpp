/// SpectralFly: switches joined as in the Ramanujan graphs of Lubotzky, Phillips and Sarnak, whose second eigenvalue is
/// as small as that of any regular graph can be (Young et al., SpectralFly: Ramanujan Graphs as Flexible and Efficient
/// Interconnection Networks, IPDPS 2022, section III; Lubotzky, Phillips, Sarnak, Combinatorica 8(3), 1988; Davidoff,
/// Sarnak, Valette, Elementary Number Theory, Group Theory and Ramanujan Graphs, 2003, section 4.2, for p = 3 mod 4).
///
/// For odd primes p and q, q > 2 sqrt(p): switches are the matrices of PSL(2, q), q (q^2 - 1) / 2 of them, if p is a
/// square modulo q, and else those of PGL(2, q), twice as many. Each has p + 1 cables, to its products with the p + 1
/// matrices that stand for p as a sum of four squares. Switches are numbered in the order in which a breadth-first
/// search finds them from the unit matrix on.
#include <array>
#include <string>
#include <unordered_map>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/parts.hpp"
#include "topologies/switch_graph.hpp"

namespace sanvp::topologies {
namespace {

constexpr int largest_q = 61;

bool is_prime(int n) {
  for (int divisor = 2; divisor * divisor <= n; ++divisor)
    if (n % divisor == 0) return false;
  return n > 1;
}

/// Matrices over the integers modulo q, of which those that differ by a factor are the same. The first element that is
/// not 0 is 1.
class Matrices {
 public:
  using Matrix = std::array<int, 4>;  ///< row by row

  explicit Matrices(int q) : q_(q), inverse_(static_cast<std::size_t>(q)) {
    for (int a = 1; a < q; ++a)
      for (int b = 1; b < q; ++b)
        if (a * b % q == 1) inverse_[a] = b;
  }

  Matrix product(const Matrix& a, const Matrix& b) const {
    return reduced({a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],  //
                    a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]});
  }

  /// For each of the p + 1 ways to write p as a^2 + b^2 + c^2 + d^2 with one of them of another parity than the others,
  /// in front and, if it is 0, the next that is not 0, positive.
  std::vector<Matrix> generators(int p) const {
    const auto [x, y] = squares_that_add_up_to_minus_one();
    std::vector<Matrix> found;
    for (int a = p % 4 == 1 ? 1 : 0; a * a <= p; a += 2)
      for (int b = -p; b <= p; ++b)
        for (int c = -p; a * a + b * b <= p && c <= p; ++c)
          for (int d = -p; a * a + b * b + c * c <= p && d <= p; ++d) {
            const int leading = a != 0 ? a : b != 0 ? b : c != 0 ? c : d;
            if (a * a + b * b + c * c + d * d == p && leading > 0)
              found.push_back(reduced({a + b * x + d * y, -b * y + c + d * x, -b * y - c + d * x, a - b * x - d * y}));
          }
    return found;
  }

 private:
  std::pair<int, int> squares_that_add_up_to_minus_one() const {
    for (int x = 0; x < q_; ++x)
      for (int y = 0; y < q_; ++y)
        if ((x * x + y * y + 1) % q_ == 0) return {x, y};
    return {0, 0};  // never: any prime has such numbers
  }

  Matrix reduced(Matrix matrix) const {
    int leading = 0;
    for (int& element : matrix) {
      element = (element % q_ + q_) % q_;
      if (leading == 0) leading = element;
    }
    for (int& element : matrix) element = element * inverse_[leading] % q_;
    return matrix;
  }

  int q_;
  std::vector<int> inverse_;
};

SwitchGraph ramanujan(int p, int q) {
  const Matrices matrices(q);
  const auto generators = matrices.generators(p);
  const auto key = [q](const Matrices::Matrix& m) { return ((m[0] * q + m[1]) * q + m[2]) * q + m[3]; };
  std::vector<Matrices::Matrix> found{{1, 0, 0, 1}};
  std::unordered_map<int, int> number{{key(found.front()), 0}};
  std::vector<std::pair<int, int>> cables;
  for (std::size_t at = 0; at < found.size(); ++at)
    for (const auto& generator : generators) {
      const auto next = matrices.product(found[at], generator);
      const auto [place, is_new] = number.try_emplace(key(next), static_cast<int>(found.size()));
      if (is_new) found.push_back(next);
      cables.emplace_back(static_cast<int>(at), place->second);
    }
  SwitchGraph graph(static_cast<int>(found.size()));
  for (const auto& [one, other] : cables)
    if (one < other) graph.join(one, other);  // each cable is found from both ends
  return graph;
}

const Registration<TopologyPart> registration{
    {"spectral_fly", "Ramanujan graphs: no regular network has a larger spectral gap (LPS graphs)",
     [](const Parameters& parameters, std::uint64_t) {
       const char* source = "Young et al., SpectralFly, IPDPS 2022, section III";
       const auto p = static_cast<int>(
           parameters.count("p", 11, "odd prime: a switch has p + 1 cables to others", source, 3, 251));
       const auto q = static_cast<int>(parameters.count(
           "q", 7, "odd prime: q (q^2 - 1) switches, or half as many if p is a square modulo q", source, 3, largest_q));
       const auto hosts = static_cast<int>(parameters.count("hosts_per_switch", (p + 2) / 3, "hosts on each switch",
                                                            "assumed: a quarter of the ports", 1, 1024));
       for (const auto& [name, value] : {std::pair("p", p), std::pair("q", q)})
         if (value == 2 || !is_prime(value))
           throw UserError(parameters.place(name), std::to_string(value) + " is no odd prime",
                           "give one, such as p=11 and q=7 (168 switches of 12 cables)");
       if (q * q <= 4 * p || p == q)
         throw UserError(parameters.place("q"),
                         "q is not above twice the root of p, or is p itself, and switches would be joined twice",
                         "give a larger prime as q, or a smaller one as p");
       return ramanujan(p, q).with_hosts("spectral_fly", hosts, {p, q, hosts}, parameters.place("q"));
     }}};

}  // namespace
}  // namespace sanvp::topologies
