// Exceptions, virtual calls, templates and the library's containers (tests/system/test_counting.py).
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  [[nodiscard]] virtual double area() const = 0;
};

struct Square : Shape {
  double side;
  explicit Square(double s) : side(s) {}
  [[nodiscard]] double area() const override { return side * side; }
};

struct Disc : Shape {
  double radius;
  explicit Disc(double r) : radius(r) {}
  [[nodiscard]] double area() const override { return 3 * radius * radius; }
};

struct AtEnd {
  int& count;
  explicit AtEnd(int& c) : count(c) {}
  ~AtEnd() { ++count; }
};

__attribute__((noinline)) int throws(int n) {
  int count = 0;
  try {
    const AtEnd end(count);
    if (n > 2) throw std::runtime_error("large");
    if (n > 1) throw n;
    count += 10;
  } catch (int what) {
    count += what * 100;
  } catch (const std::exception& error) {
    count += error.what()[0];
  }
  return count;
}

__attribute__((noinline)) int throws_again(int n) {
  try {
    if (n == 0) throw 5;
    return throws_again(n - 1) + 1;
  } catch (int value) {
    if (n < 5) throw;
    return value;
  }
}

template <int n>
int sum() {
  if constexpr (n == 0)
    return 0;
  else
    return n + sum<n - 1>();
}

static const int before_main = sum<10>();
static std::atomic<int> counter{0};

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 20; ++i) {
    if (i % 2 != 0)
      shapes.push_back(std::make_unique<Square>(i));
    else
      shapes.push_back(std::make_unique<Disc>(i));
  }
  double area = 0;
  for (const auto& shape : shapes) area += shape->area();
  std::map<std::string, int> words;
  for (int i = 0; i < 30; ++i) words[std::to_string(i * 7 % 13)] += i;
  std::vector<int> list;
  for (int i = 0; i < 100; ++i) list.push_back(i * 7919 % 101);
  std::sort(list.begin(), list.end(), [](int a, int b) { return a > b; });
  const std::function<int(int)> factorial = [&](int n) { return n < 2 ? 1 : n * factorial(n - 1); };
  while (counter.load() < 20) ++counter;
  int caught = 0;
  for (int i = 0; i < 5; ++i) caught += throws(i);
  std::printf("%g %zu %d %d %d %d %d\n", area, words.size(), list[5], factorial(7), caught, throws_again(7),
              before_main);
  return 0;
}
