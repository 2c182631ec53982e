/// A first-in first-out queue that is mostly empty or short, as the queues of a card are. Whenever it is empty it
/// begins again at the start of its memory, and so reuses the same cache lines, while std::deque moves on to new ones.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sanvp::net {

template <class T>
class Fifo {
 public:
  using iterator = typename std::vector<T>::iterator;

  bool empty() const { return first_ == values_.size(); }
  std::size_t size() const { return values_.size() - first_; }
  T& front() { return values_[first_]; }
  const T& front() const { return values_[first_]; }
  iterator begin() { return values_.begin() + static_cast<std::ptrdiff_t>(first_); }
  iterator end() { return values_.end(); }
  auto begin() const { return values_.begin() + static_cast<std::ptrdiff_t>(first_); }
  auto end() const { return values_.end(); }

  void push_back(T value) { values_.push_back(std::move(value)); }
  void push_front(T value) {
    if (first_ > 0)
      values_[--first_] = std::move(value);
    else
      values_.insert(values_.begin(), std::move(value));
  }
  void insert(iterator place, T value) { values_.insert(place, std::move(value)); }

  void pop_front() {
    ++first_;
    tidy();
  }
  T take_front() {
    T value = std::move(front());
    pop_front();
    return value;
  }
  void erase(iterator place) {
    if (place == begin()) return pop_front();
    values_.erase(place);
  }

 private:
  void tidy() {
    constexpr std::size_t most_gone = 64;  // in one that never runs empty
    if (empty()) {
      values_.clear();
      first_ = 0;
    } else if (first_ >= most_gone && first_ >= size()) {
      values_.erase(values_.begin(), begin());
      first_ = 0;
    }
  }

  std::vector<T> values_;
  std::size_t first_ = 0;  // elements before it are gone
};

}  // namespace sanvp::net
