#include "models/net/memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace sanvp::net {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;  // of x86-64, and of arm64 with pages of 4 KiB

bool worth_it(std::size_t bytes) { return bytes >= huge_page / 2; }

}  // namespace

void* HugePages::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (!worth_it(bytes)) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  const std::size_t whole_pages = (bytes + huge_page - 1) / huge_page * huge_page;
  void* const block = std::aligned_alloc(huge_page, whole_pages);
  if (block == nullptr) throw std::bad_alloc();
  (void)madvise(block, whole_pages, MADV_HUGEPAGE);  // a hint: whether it is followed does not matter
  return block;
}

void HugePages::do_deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  if (worth_it(bytes))
    std::free(block);
  else
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
}

}  // namespace sanvp::net
