#include "models/native/surroundings.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

namespace sanvp::native {
namespace {

int home_folder = -1;
mode_t home_mask = 0;
std::set<int>& kept() {
  static std::set<int> descriptors;
  return descriptors;
}

int open_folder() {
  const int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) kept().insert(folder);
  return folder;
}

mode_t mask_in_force() {
  const mode_t mask = umask(0);
  umask(mask);
  return mask;
}

void go_to(int folder) {
  // A removed directory stays the working directory; nothing else can fail here.
  if (folder >= 0 && fchdir(folder) != 0) return;
}

}  // namespace

Surroundings::Surroundings() : folder_(open_folder()), mask_(mask_in_force()), locale_(uselocale(nullptr)) {}

Surroundings::~Surroundings() {
  kept().erase(folder_);
  if (folder_ >= 0) close(folder_);
}

void Surroundings::enter() const {
  go_to(folder_);
  umask(mask_);
  uselocale(locale_);
}

void Surroundings::leave() {
  go_to(home_folder);
  umask(home_mask);
  uselocale(LC_GLOBAL_LOCALE);
}

void keep_surroundings() {
  home_folder = open_folder();
  home_mask = mask_in_force();
}

void keep_descriptors() {
  DIR* const all = opendir("/proc/self/fd");
  if (all == nullptr) return;
  while (const dirent* entry = readdir(all))
    if (const int descriptor = std::atoi(entry->d_name); entry->d_name[0] != '.' && descriptor != dirfd(all))
      kept().insert(descriptor);
  closedir(all);
}

bool keeps_descriptor(int descriptor) { return kept().contains(descriptor); }

}  // namespace sanvp::native
