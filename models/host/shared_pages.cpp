#include "models/host/shared_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace sanvp::host {
namespace {

/// Anonymous pages cost no descriptor, but only Linux itself maps them twice (mremap of length 0), not qemu-user.
bool are_anonymous_pages_mapped_twice() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const first = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (first == MAP_FAILED) return true;
  void* const second = mremap(first, 0, page, MREMAP_MAYMOVE);
  munmap(first, page);
  if (second == MAP_FAILED) return false;
  munmap(second, page);
  return true;
}

}  // namespace

SharedPages::~SharedPages() {
  if (file_ >= 0) close(file_);
}

bool SharedPages::put(native::Range range) {
  range_ = range;
  if (file_ >= 0) close(file_);
  file_ = -1;
  int flags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED;
  if (are_anonymous_pages_mapped_twice()) {
    flags |= MAP_ANONYMOUS;
  } else {
    file_ = memfd_create("sanvp-shared", MFD_CLOEXEC);
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(range.bytes)) != 0) return false;
  }
  return mmap(range.begin, range.bytes, PROT_READ | PROT_WRITE, flags, file_, 0) != MAP_FAILED;
}

bool SharedPages::show(std::byte* place) const {
  void* const shown = file_ < 0 ? mremap(range_.begin, 0, range_.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place)
                                : mmap(place, range_.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, 0);
  return shown != MAP_FAILED;
}

}  // namespace sanvp::host
