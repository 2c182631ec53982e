/// The stream to which AsmJit writes before it aborts, instead of the C library's `stderr` (cmake/Translation.cmake).
#include <cstdio>

extern "C" {
__attribute__((visibility("hidden"))) std::FILE* sanvp_asmjit_stderr = stderr;
}
