#include "models/native/new_threads.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "models/native/safety_net.hpp"

namespace sanvp::native {
namespace {

/// Variables of OpenMP's libraries and OpenBLAS; other libraries read one of these, too.
constexpr std::array one_thread{"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS"};

/// The C library's own function.
template <class Call>
Call* next(const char* name) {
  return reinterpret_cast<Call*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

OneThreadInEnvironment::OneThreadInEnvironment() {
  for (const char* const name : one_thread) {
    const char* const value = std::getenv(name);
    before_.emplace_back(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
    setenv(name, "1", 1);
  }
}

OneThreadInEnvironment::~OneThreadInEnvironment() {
  for (const auto& [name, value] : before_) value ? setenv(name, value->c_str(), 1) : unsetenv(name);
}

}  // namespace sanvp::native

// These come before the C library's for all that is loaded.
extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  sanvp::native::refuse_thread();
  auto* const call = sanvp::native::next<decltype(pthread_create)>("pthread_create");
  return call == nullptr ? EAGAIN : call(thread, attributes, start, argument);
}

int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  sanvp::native::refuse_thread();
  auto* const call = sanvp::native::next<decltype(thrd_create)>("thrd_create");
  return call == nullptr ? static_cast<int>(thrd_error) : call(thread, start, argument);
}
}
