/// chdir, fchdir, getcwd: within the job's folder.
#include <unistd.h>

#include "models/cpu/riscv/linux/calls/paths.hpp"

namespace sanvp::riscv::os {
namespace {

Result chdir(Call& call) {
  const auto path = call.memory().text(call[0], longest_path);
  if (!path) return -EFAULT;
  const JobFile folder = call.process.files().find_path(AT_FDCWD, *path, true);
  return folder.error() != 0 ? folder.error() : call.process.files().enter(folder.descriptor());
}

Result fchdir(Call& call) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  const int folder = descriptor->file->folder();
  return folder < 0 ? folder : call.process.files().enter(folder);
}

Result getcwd(Call& call) {
  const std::string folder = call.process.files().working_folder();
  if (::access(folder.c_str(), F_OK) != 0) return -ENOENT;
  if (folder.size() + 1 > call[1]) return -ERANGE;
  const auto place = call.memory().bytes_at(call[0], folder.size() + 1, writable);
  if (!place) return -EFAULT;
  std::memcpy(place->data(), folder.c_str(), folder.size() + 1);
  return folder.size() + 1;
}

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"chdir", "another working folder, within the job's", 49, chdir}),
    SystemCallRegistration({"fchdir", "the same by a descriptor", 50, fchdir}),
    SystemCallRegistration({"getcwd", "the working folder, at first the job's", 17, getcwd})};

}  // namespace
}  // namespace sanvp::riscv::os
