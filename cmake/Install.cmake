# `cmake --install build --prefix P`, and a Debian package by CPack (scripts/package). Nothing installed holds a path of
# this computer, and the program finds its files relative to libsanvp.so (platform/core/own_files.hpp), so the tree can be
# moved.
#
#   bin/                        sanvp, sanvp-cc, sanvp-c++, sanvp-fc, sanvp-part
#   lib/libsanvp.so             what the program and users' own programs link
#   lib/cmake/sanvp/            find_package(sanvp): target sanvp::models
#   lib/pkgconfig/sanvp.pc
#   lib/sanvp/sw/               images, libraries and headers of host software, the tools of sanvp-cc; source/: of firmware;
#                               riscv64/: the same for programs of RISC-V, if it was built
#   lib/python3/dist-packages/  the Python package, where there is one
#   include/sanvp/              headers, by their paths in the project: #include "models/nic/part.hpp"
#   share/sanvp/machines/       machine files
#   share/sanvp/d3/             D3 for pages of `sanvp draw`
#   share/doc/sanvp/            the project's pages, by their paths in it, and the examples
#   share/man/man1/, share/bash-completion/completions/   made from --help
#
# The library is in lib, not in Debian's lib/x86_64-linux-gnu: the same tree below each prefix.
install(TARGETS sanvp RUNTIME DESTINATION bin)
install(TARGETS sanvp_library LIBRARY DESTINATION lib)
install(PROGRAMS ${CMAKE_BINARY_DIR}/sanvp-cc ${CMAKE_BINARY_DIR}/sanvp-part DESTINATION bin)
install(FILES ${CMAKE_BINARY_DIR}/sanvp-c++ ${CMAKE_BINARY_DIR}/sanvp-fc DESTINATION bin)  # symbolic links

foreach(folder apps firmware include lib servers source)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/sw/${folder} DESTINATION lib/sanvp/sw USE_SOURCE_PERMISSIONS)
endforeach()
install(PROGRAMS ${drivers} DESTINATION lib/sanvp/sw)
install(PROGRAMS ${CMAKE_BINARY_DIR}/sw/riscv64/compile DESTINATION lib/sanvp/sw/riscv64)
install(FILES ${CMAKE_BINARY_DIR}/sw/riscv64/toolchain.cmake DESTINATION lib/sanvp/sw/riscv64)
if(SANVP_RISCV_C)
  foreach(folder apps include lib servers)
    install(DIRECTORY ${CMAKE_BINARY_DIR}/sw/riscv64/${folder} DESTINATION lib/sanvp/sw/riscv64 USE_SOURCE_PERMISSIONS)
  endforeach()
endif()
install(DIRECTORY ${CMAKE_BINARY_DIR}/sw/${SANVP_IMAGE_TOOLS} DESTINATION lib/sanvp/sw/images USE_SOURCE_PERMISSIONS
  PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${SANVP_HEADERS} DESTINATION include)
install(DIRECTORY platform/machines/ DESTINATION share/sanvp/machines FILES_MATCHING PATTERN *.ini)
install(DIRECTORY docs/ DESTINATION share/doc/sanvp/docs PATTERN site EXCLUDE PATTERN *.md EXCLUDE)
install(DIRECTORY examples DESTINATION share/doc/sanvp PATTERN *.md EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES LICENSE NOTICE DESTINATION share/doc/sanvp)
set(SANVP_D3 /usr/share/nodejs/d3/dist/d3.min.js CACHE FILEPATH "D3, which pages of `sanvp draw` hold (Debian: node-d3)")
if(EXISTS ${SANVP_D3})
  install(FILES ${SANVP_D3} DESTINATION share/sanvp/d3)
  install(FILES /usr/share/doc/node-d3/copyright DESTINATION share/sanvp/d3 OPTIONAL)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/python/sanvp)
  install(DIRECTORY python/sanvp DESTINATION lib/python3/dist-packages PATTERN *.md EXCLUDE PATTERN __pycache__ EXCLUDE)
endif()

include(CMakePackageConfigHelpers)
configure_file(cmake/sanvp-config.cmake.in ${CMAKE_BINARY_DIR}/package/sanvp-config.cmake @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/sanvp-config-version.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
configure_file(cmake/sanvp.pc.in ${CMAKE_BINARY_DIR}/package/sanvp.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/sanvp-config.cmake ${CMAKE_BINARY_DIR}/package/sanvp-config-version.cmake
  cmake/FindSystemC.cmake DESTINATION lib/cmake/sanvp)
install(FILES ${CMAKE_BINARY_DIR}/package/sanvp.pc DESTINATION lib/pkgconfig)

# When all else is installed: pages, whose links lead to it, and what the installed program says of itself.
foreach(script installed_pages manual)
  install(CODE "
    execute_process(COMMAND ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/scripts/${script}.py
      \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX} COMMAND_ERROR_IS_FATAL ANY)")
endforeach()

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # packing builds nothing
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sanvp)
set(CPACK_PACKAGE_VENDOR "sanvp")
set(CPACK_PACKAGE_CONTACT "the authors of sanvp")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "virtual platform of system-area-network machines")
set(CPACK_PACKAGE_DESCRIPTION "sanvp builds virtual clusters of QsNET, Myrinet, Macrame, Mesh of Clos, GCel and TOFU machines
and runs MPI and SHMEM programs on them, down to the flit.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR})
# For sanvp-cc, sanvp-part and programs that embed sanvp.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3, binutils")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, pkg-config, libsystemc-dev, libfmt-dev, libboost-program-options-dev, libboost-context-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc-riscv64-linux-gnu, g++-riscv64-linux-gnu, gfortran-riscv64-linux-gnu, python3-matplotlib, python3-numpy, python3-pandas, python3-yaml, python3-tqdm, python3-networkx, node-d3")
include(CPack)
