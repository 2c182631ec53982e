# Cross-compiles sanvp for 64-bit ARM under Linux with Debian's compilers, against packages of arm64 in a folder
# (scripts/build arm64 unpacks them there). What the build or a test runs of its own programs runs under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# For software of the virtual machines alone (SoftwareCompiler.cmake).
find_program(SANVP_C NAMES x86_64-linux-gnu-gcc-12 x86_64-linux-gnu-gcc REQUIRED)
set(CMAKE_C_COMPILER ${SANVP_C})

get_filename_component(root ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
set(SANVP_SYSROOT ${root}/build-arm64/sysroot CACHE PATH "Packages of arm64")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SANVP_SYSROOT)
set(CMAKE_CXX_FLAGS_INIT --sysroot=${SANVP_SYSROOT})  # not CMAKE_SYSROOT, which would be the C compiler's, too
set(CMAKE_FIND_ROOT_PATH ${SANVP_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${SANVP_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${SANVP_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${SANVP_SYSROOT}/usr/share/pkgconfig)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;${SANVP_SYSROOT})
