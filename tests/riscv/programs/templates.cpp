// Algorithms, strings, regular expressions, random numbers.
#include <algorithm>
#include <complex>
#include <iostream>
#include <random>
#include <regex>
#include <set>
#include <unordered_map>
int main() {
  std::mt19937 generator(7);
  std::vector<int> list(5000);
  for (int& n : list) n = static_cast<int>(generator() % 1000);
  std::stable_sort(list.begin(), list.end());
  std::cout << std::set<int>(list.begin(), list.end()).size() << " " << list[2500] << "\n";
  std::normal_distribution<double> normal;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += normal(generator);
  std::cout.precision(12);
  std::cout << sum << "\n";
  std::cout << std::regex_replace(std::string("a1b22c333"), std::regex("[0-9]+"), "<$&>") << "\n";
  std::unordered_map<std::string, int> count;
  for (const char* w : {"x", "y", "x", "z", "x"}) ++count[w];
  std::cout << count["x"] << std::exp(std::complex<double>(0, 1)) << "\n";
  return 0;
}
