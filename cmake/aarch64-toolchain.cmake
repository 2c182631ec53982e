# Cross-compiles sanvp for 64-bit ARM under Linux, with Debian's compilers, against the packages of arm64 that
# scripts/build has put into a folder (scripts/arm64_sysroot). What the build or a test runs of its own programs runs under
# qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_ASM_COMPILER aarch64-linux-gnu-gcc)

get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
set(SANVP_SYSROOT ${root}/build/arm64-sysroot CACHE PATH "Packages of arm64")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SANVP_SYSROOT)
set(CMAKE_SYSROOT ${SANVP_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${SANVP_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${SANVP_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${SANVP_SYSROOT}/usr/share/pkgconfig)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;${SANVP_SYSROOT})
