/// Pages that are mapped in several places: memory that processes share.
#pragma once

#include <cstddef>

#include "models/native/image.hpp"

namespace sanvp::host {

class SharedPages {
 public:
  SharedPages() = default;
  ~SharedPages();
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;

  /// Maps new pages, with zeros, over this range. @return false if this computer grants none
  bool put(native::Range range);
  /// Maps them at a second place, over what is there. @return false if this computer does not do it
  bool show(std::byte* place) const;

 private:
  native::Range range_{};
  int file_ = -1;  ///< that holds the pages, where only a file can be mapped twice
};

}  // namespace sanvp::host
