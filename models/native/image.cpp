#include "models/native/image.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sanvp::native {
namespace {

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void refuse(const std::string& path) {
  throw UserError(path, std::string("cannot be loaded: ") + std::strerror(errno));
}

/// A file without a name that holds the same bytes.
int copy_of(const std::string& path) {
  const File original(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (original.get() < 0 || fstat(original.get(), &status) != 0) refuse(path);
  const int copy = memfd_create("sanvp image", MFD_CLOEXEC);
  if (copy < 0) refuse(path);
  for (off_t done = 0; done < status.st_size;) {
    const ssize_t sent = sendfile(copy, original.get(), &done, static_cast<std::size_t>(status.st_size - done));
    if (sent > 0) continue;
    close(copy);
    refuse(path);
  }
  return copy;
}

/// The loader knows its files by name, and the number of a descriptor comes again: a symbolic link with a fresh name
/// leads there.
class FreshName {
 public:
  explicit FreshName(int descriptor) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/sanvp-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) refuse(path_);
    link_ = path_ + "/" + std::to_string(next_number());
    if (symlink(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), link_.c_str()) != 0) refuse(link_);
  }
  ~FreshName() {
    unlink(link_.c_str());
    rmdir(path_.c_str());
  }
  FreshName(const FreshName&) = delete;
  FreshName& operator=(const FreshName&) = delete;
  const char* path() const { return link_.c_str(); }

 private:
  /// mkdtemp may give a name again once its folder is gone.
  static int next_number() {
    static int last = 0;
    return ++last;
  }

  std::string path_;
  std::string link_;
};

std::vector<Range> writable_segments(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return {};
  struct Search {
    const link_map* map;
    std::vector<Range> found;
  } search{map, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (object->dlpi_addr != wanted.map->l_addr) return 0;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& header = object->dlpi_phdr[i];
          if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0)
            wanted.found.push_back({reinterpret_cast<std::byte*>(object->dlpi_addr + header.p_vaddr), header.p_memsz});
        }
        return 1;
      },
      &search);
  return search.found;
}

}  // namespace

Image::Image(const std::string& path) : path_(path) {
  const File copy(copy_of(path));
  const FreshName name(copy.get());
  handle_ = dlopen(name.path(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    std::string cause = dlerror();
    if (cause.starts_with(name.path())) cause.erase(0, std::strlen(name.path()) + 2);  // and ": "
    throw UserError(path, "cannot be loaded: " + cause, "compile it with build/sanvp-cc");
  }
  globals_ = writable_segments(handle_);
}

Image::~Image() { dlclose(handle_); }

void* Image::symbol(const char* name) const { return dlsym(handle_, name); }

}  // namespace sanvp::native
