// Exceptions through many frames, RTTI, containers, streams.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
struct Noisy {
  explicit Noisy(int n) : n(n) {}
  ~Noisy() { std::cout << "~" << n << " "; }
  int n;
};
struct Base {
  virtual ~Base() = default;
  virtual int id() const { return 1; }
};
struct Derived : Base {
  int id() const override { return 2; }
};
static void deep(int n) {
  Noisy noisy(n);
  if (n == 0) throw std::out_of_range("bottom");
  deep(n - 1);
}
int main() {
  for (int i = 0; i < 3; ++i) try {
      deep(i);
    } catch (const std::logic_error& error) {
      std::cout << error.what() << "\n";
    }
  try {
    try {
      std::vector<int>(3).at(7);
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::runtime_error& error) {
    std::cout << error.what() << "\n";
  }
  std::map<std::string, std::vector<double>> table;
  for (int i = 0; i < 100; ++i) table[std::to_string(i % 7)].push_back(i / 3.0);
  for (const auto& [name, list] : table)
    std::cout << name << " " << std::accumulate(list.begin(), list.end(), 0.0) << "\n";
  const std::unique_ptr<Base> base = std::make_unique<Derived>();
  std::cout << base->id() << (dynamic_cast<Derived*>(base.get()) != nullptr) << "\n";
  std::istringstream in("3 4.5 word");
  int a;
  double b;
  std::string c;
  in >> a >> b >> c;
  std::cout << a + b << c << std::endl;
  try {
    new char[std::size_t{1} << 60];
  } catch (const std::bad_alloc&) {
    std::cout << "no memory\n";
  }
  throw 5;
}
