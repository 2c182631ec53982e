#include "platform/core/random.hpp"

namespace sanvp {
namespace {

constexpr std::uint64_t rotate_left(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/// SplitMix64, which the authors of the generator recommend for filling its state.
std::uint64_t split_mix(std::uint64_t& x) {
  x += 0x9e3779b97f4a7c15;
  std::uint64_t z = x;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::string_view consumer) {
  std::uint64_t name_hash = 0xcbf29ce484222325;  // FNV-1a: the stream depends only on the name
  for (const char c : consumer) name_hash = (name_hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::uint64_t mixed = seed;
  mixed = split_mix(mixed) ^ name_hash;
  for (auto& word : state_) word = split_mix(mixed);
}

std::uint64_t Random::next() {
  const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  // Lemire's multiplication method with rejection.
  __extension__ using Wide = unsigned __int128;
  auto product = static_cast<Wide>(next()) * bound;
  if (auto low = static_cast<std::uint64_t>(product); low < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (low < threshold) {
      product = static_cast<Wide>(next()) * bound;
      low = static_cast<std::uint64_t>(product);
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Random::exponential() {
  for (double whole = 0;; whole += 1) {
    const double first = uniform();
    double previous = first;
    bool accepted = true;  // accept when the falling run that starts with `first` has odd length
    for (double following = uniform(); following < previous; following = uniform()) {
      previous = following;
      accepted = !accepted;
    }
    if (accepted) return whole + first;
  }
}

}  // namespace sanvp
