/// A vector whose elements are destroyed in the reverse order of their construction, as the members of a class are.
#pragma once

#include <vector>

namespace sanvp::net {

/// The registries of SystemC and the C library's list of streams search from the newest entry on for what is removed:
/// destroying n elements oldest first takes n^2 / 2 steps.
template <class T>
struct NewestFirst : std::vector<T> {
  using std::vector<T>::vector;
  NewestFirst(const NewestFirst&) = delete;
  NewestFirst& operator=(const NewestFirst&) = delete;
  ~NewestFirst() {
    while (!this->empty()) this->pop_back();
  }
};

}  // namespace sanvp::net
