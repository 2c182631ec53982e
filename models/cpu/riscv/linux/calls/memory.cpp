/// brk, mmap, munmap, mremap, mprotect, madvise.
#include <sys/mman.h>

#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {
namespace {

std::uint8_t permissions_of(std::uint64_t protection) {
  std::uint8_t permissions = 0;
  if ((protection & PROT_READ) != 0) permissions |= readable;
  if ((protection & PROT_WRITE) != 0) permissions |= readable | writable;
  if ((protection & PROT_EXEC) != 0) permissions |= readable | executable;
  return permissions;
}

Result brk(Call& call) { return call.process.space().set_break(call[0]); }

/// Copies a file into new pages; what is beyond its end stays zero.
std::int64_t fill_from(Call& call, std::uint64_t address, std::uint64_t bytes) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(4));
  if (descriptor == nullptr) return -EBADF;
  OpenFile& file = *descriptor->file;
  const std::int64_t before = file.seek(0, SEEK_CUR);
  if (before < 0 || file.seek(static_cast<std::int64_t>(call[5]), SEEK_SET) < 0) return -ENODEV;
  std::span<std::byte> rest(call.memory().window().base + address, bytes);
  while (!rest.empty()) {
    const Transferred count = file.read(rest);
    if (!count || *count <= 0) break;
    rest = rest.subspan(static_cast<std::size_t>(*count));
  }
  file.seek(before, SEEK_SET);
  return 0;
}

Result mmap(Call& call) {
  AddressSpace& space = call.process.space();
  const std::uint64_t hint = call[0], bytes = call[1], flags = call[3];
  const bool is_fixed = (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0, is_of_file = (flags & MAP_ANONYMOUS) == 0;
  const std::uint64_t kind = flags & MAP_TYPE;
  if (kind != MAP_SHARED && kind != MAP_PRIVATE && kind != MAP_SHARED_VALIDATE) return -EINVAL;
  if (bytes == 0 || (is_fixed && hint % page_bytes != 0) || call[5] % page_bytes != 0) return -EINVAL;
  if (kind == MAP_SHARED_VALIDATE && !is_of_file) return -EINVAL;
  if (bytes > space.memory().bytes()) return -ENOMEM;
  if (is_of_file && kind != MAP_PRIVATE && (call[2] & PROT_WRITE) != 0) {
    const Files::Descriptor* const descriptor = call.process.files().find(call.integer(4));
    if (descriptor == nullptr) return -EBADF;
    return (descriptor->file->flags & O_ACCMODE) != O_RDWR ? -EACCES : -ENODEV;
  }
  const std::uint64_t length = rounded_to_pages(bytes);
  if ((flags & MAP_FIXED_NOREPLACE) != 0 && !space.is_free(hint, length)) return -EEXIST;
  const std::uint8_t permissions = permissions_of(call[2]);
  const bool takes_hint = is_fixed || (hint != 0 && hint % page_bytes == 0 && space.is_free(hint, length));
  std::optional<std::uint64_t> address;
  if (!takes_hint)
    address = space.map(bytes, permissions);
  else if (space.map_at(hint, bytes, permissions))
    address = hint;
  if (!address) return -ENOMEM;
  if (is_of_file) {
    const std::int64_t filled = fill_from(call, *address, bytes);
    if (filled < 0) {
      space.unmap(*address, length);
      return filled;
    }
  }
  return *address;
}

Result munmap(Call& call) { return call.process.space().unmap(call[0], call[1]) ? 0 : -EINVAL; }

Result mprotect(Call& call) {
  if (call[0] % page_bytes != 0) return -EINVAL;
  using Protected = AddressSpace::Protected;
  const Protected done = call.process.space().protect(call[0], call[1], permissions_of(call[2]));
  return done == Protected::done ? 0 : -ENOMEM;
}

Result mremap(Call& call) {
  if (call[0] % page_bytes != 0 || (call[3] & ~std::uint64_t{MREMAP_MAYMOVE}) != 0) return -EINVAL;
  AddressSpace& space = call.process.space();
  if (call[2] > call[1] && !space.is_one_mapping(call[0], rounded_to_pages(call[1]))) return -EFAULT;
  const auto address = space.remap(call[0], call[1], call[2], (call[3] & MREMAP_MAYMOVE) != 0);
  return address ? Result(*address) : -ENOMEM;
}

Result madvise(Call& call) {
  const AddressSpace& space = call.process.space();
  const std::uint64_t bytes = call[1] <= space.memory().bytes() ? rounded_to_pages(call[1]) : ~std::uint64_t{0};
  if (!space.is_mapped(call[0], bytes)) return -ENOMEM;
  if (call[2] == MADV_DONTNEED) call.process.space().clear(call[0], bytes);
  return 0;
}

/// No effect: all memory stays where it is, and no change of it goes to a file.
Result stay(Call& call) {
  const AddressSpace& space = call.process.space();
  const std::uint64_t bytes = call[1] <= space.memory().bytes() ? rounded_to_pages(call[1]) : ~std::uint64_t{0};
  return space.is_mapped(call[0] & ~(page_bytes - 1), bytes) ? 0 : -ENOMEM;
}

Result stay_all(Call&) { return 0; }

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"msync", "does nothing: mappings of files are private", 227, stay}),
    SystemCallRegistration({"mlock", "does nothing: all memory stays", 228, stay}),
    SystemCallRegistration({"munlock", "does nothing", 229, stay}),
    SystemCallRegistration({"mlockall", "does nothing: all memory stays", 230, stay_all}),
    SystemCallRegistration({"munlockall", "does nothing", 231, stay_all}),
    SystemCallRegistration({"brk", "end of the heap", 214, brk}),
    SystemCallRegistration({"mmap", "anonymous pages, or a private copy of a file", 222, mmap}),
    SystemCallRegistration({"munmap", "unmaps pages", 215, munmap}),
    SystemCallRegistration({"mremap", "longer, shorter, elsewhere", 216, mremap}),
    SystemCallRegistration({"mprotect", "permissions of pages", 226, mprotect}),
    SystemCallRegistration({"madvise", "MADV_DONTNEED clears pages, other advice is not needed", 233, madvise})};

}  // namespace
}  // namespace sanvp::riscv::os
