/// Instead of x86_64/ if that cannot be compiled: otherwise SANVP_TRANSLATES is defined (cmake/Translation.cmake).
#include "models/cpu/riscv/translation/translation.hpp"

#ifndef SANVP_TRANSLATES

namespace sanvp::riscv {

const char* Translation::unavailable() {
#ifdef __x86_64__
  return "this simulator was built without AsmJit: install it (Debian: libasmjit-dev) and run scripts/build";
#else
  return "programs are translated to code of x86-64 only";
#endif
}

std::shared_ptr<SharedCode> SharedCode::make() { return nullptr; }

std::unique_ptr<Translation> Translation::make(const Memory&, Blocks<Word>&, const TranslationSettings&) {
  return nullptr;
}

}  // namespace sanvp::riscv
#endif
