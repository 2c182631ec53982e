# Copies the headers to where sanvp-part and the installation take them from, and makes a fingerprint of them:
#
#   cmake -DFROM=<source tree> -DTO=<folder> -DSTAMP=<C++ file> -DVERSION=<version> -P Headers.cmake
#
#   TO/part_headers.hpp   marks each object of a part with the fingerprint of the headers that it was compiled with
#   STAMP                 tells the library the fingerprint of its own (platform/core/parts.cpp)
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE headers RELATIVE ${FROM} ${FROM}/platform/*.hpp ${FROM}/topologies/*.hpp ${FROM}/models/*.hpp
  ${FROM}/models/*.h ${FROM}/sw/*.h)
list(SORT headers)
file(GLOB_RECURSE stale RELATIVE ${TO} ${TO}/*.h ${TO}/*.hpp)
list(REMOVE_ITEM stale ${headers} part_headers.hpp)
foreach(header ${stale})
  file(REMOVE ${TO}/${header})
endforeach()
set(hashes)
foreach(header ${headers})
  cmake_path(GET header PARENT_PATH folder)
  file(MAKE_DIRECTORY ${TO}/${folder})
  file(COPY_FILE ${FROM}/${header} ${TO}/${header} ONLY_IF_DIFFERENT)
  file(SHA256 ${FROM}/${header} hash)
  string(APPEND hashes "${header} ${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 12 hash)
set(fingerprint "${VERSION} (headers ${hash})")

file(CONFIGURE OUTPUT ${TO}/part_headers.hpp @ONLY CONTENT [=[
/// Marks what is compiled with it: sanvp loads a part only if it was compiled with sanvp's own headers. sanvp-part
/// includes it in each source. Made by cmake/Headers.cmake.
#pragma once
namespace {
[[gnu::used, gnu::retain, gnu::section(".sanvp.part")]] constexpr char sanvp_part_headers[] = "@fingerprint@";
}
]=])
file(WRITE ${STAMP}.new "namespace sanvp {\nextern const char* const part_headers;\nconst char* const part_headers = \"${fingerprint}\";\n}  // namespace sanvp\n")
file(COPY_FILE ${STAMP}.new ${STAMP} ONLY_IF_DIFFERENT)
