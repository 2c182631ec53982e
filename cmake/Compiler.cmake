# Language, warnings, optimisation and ccache: the same for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
# Programs find libsanvp.so relative to themselves, where they are built and where they are installed.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH $ORIGIN/../lib)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)  # libraries outside of the system's folders: a SystemC at SYSTEMC_HOME

# CMake has one archiver, which is the C compiler's (SoftwareCompiler.cmake): another processor's objects need their own.
if(NOT SANVP_PROCESSOR STREQUAL "x86_64")
  find_program(SANVP_CXX_AR ${SANVP_PROCESSOR}-linux-gnu-ar REQUIRED)
  set(CMAKE_CXX_ARCHIVE_CREATE "${SANVP_CXX_AR} qcs <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_CXX_ARCHIVE_APPEND "${SANVP_CXX_AR} qs <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_CXX_ARCHIVE_FINISH "")
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()
# -g1: line numbers for profiles and backtraces, at little cost in size.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG -g1")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG -g1")

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The models are many small functions that call each other. GCC's own limits of inlining (30 and 15) leave 5 to 8 % more
  # instructions per packet-hop, and 3 % more per message of MPI.
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " --param=max-inline-insns-auto=80 --param=inline-min-speedup=10")
  # Structs of some lines of the cache are cleared by plain stores, and what has no fixed size is copied by the C library:
  # `rep stos` and `rep movs`, which GCC takes from 64 bytes on, need some 30 cycles before they begin.
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(plain_stores " -mmemset-strategy=unrolled_loop:512:noalign,libcall:-1:noalign")
    string(APPEND plain_stores " -mmemcpy-strategy=libcall:-1:noalign")
    string(APPEND CMAKE_C_FLAGS_RELEASE ${plain_stores})  # for x86-64 everywhere
    if(SANVP_PROCESSOR STREQUAL "x86_64")
      string(APPEND CMAKE_CXX_FLAGS_RELEASE ${plain_stores})
    endif()
  endif()
endif()

# -ffp-contract=off: results are the same on machines with and without fused multiply-add.
add_compile_options(-Wall -Wextra -ffp-contract=off)
# Installed files name no folder of this computer: sources go by their paths within the project.
add_compile_options(-ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC sees overlaps and overflows in "text" + string that are none (GCC bug 105651): GCC 12 under three names, GCC 14
  # still under the last two. clang-tidy and the sanitizers watch for the real ones.
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    add_compile_options(-Wno-restrict)
  endif()
  add_compile_options(-Wno-stringop-overflow -Wno-array-bounds)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # It takes what a registry returns for a part of the argument, the name. GCC 15 has it no longer in -Wall.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
  endif()
endif()
option(SANVP_WERROR "Warnings are errors (CI)" OFF)
if(SANVP_WERROR)
  add_compile_options(-Werror)
endif()

option(SANVP_SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
if(SANVP_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Without the sloppiness, ccache takes nothing that is compiled with a precompiled header. Paths relative to the
  # checkout: one worktree hits what another has compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
