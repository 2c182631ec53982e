/// What AsmJit writes to before it aborts, in place of the C library's `stderr` (cmake/Translation.cmake).
#include <cstdio>

extern "C" {
__attribute__((visibility("hidden"))) std::FILE* sanvp_asmjit_stderr = stderr;
}
