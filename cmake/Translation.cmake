# Optional: AsmJit, with which blocks of RISC-V programs become code of the host (models/cpu/riscv/translation). Without
# it, or for another host than x86-64, the folder's x86_64/ is left out, and host.cpu.translate says so.
#
# Debian's archive is made for programs, not for a shared library: the one thing that keeps it out of libsanvp.so is its
# reference to the C library's `stderr`, to which it would write before it aborts. Here that is a variable of our own.
if(SANVP_PROCESSOR STREQUAL "x86_64")
  find_package(asmjit CONFIG QUIET)
endif()

function(sanvp_translation)
  file(GLOB native ${CMAKE_SOURCE_DIR}/models/cpu/riscv/translation/x86_64/*.cpp)
  if(NOT TARGET asmjit::asmjit)
    message(STATUS "AsmJit (Debian: libasmjit-dev) was not found: RISC-V programs are interpreted only")
    set_source_files_properties(${native} PROPERTIES HEADER_FILE_ONLY ON)
    return()
  endif()
  set_source_files_properties(${CMAKE_SOURCE_DIR}/models/cpu/riscv/translation/unavailable.cpp PROPERTIES
    COMPILE_DEFINITIONS SANVP_TRANSLATES)
  get_target_property(type asmjit::asmjit TYPE)
  if(NOT type STREQUAL "STATIC_LIBRARY")
    target_link_libraries(sanvp_models_cpu PUBLIC asmjit::asmjit)
    return()
  endif()
  set(archive ${CMAKE_BINARY_DIR}/libasmjit_shared.a)
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym stderr=sanvp_asmjit_stderr $<TARGET_FILE:asmjit::asmjit> ${archive}
    DEPENDS $<TARGET_FILE:asmjit::asmjit> COMMENT "AsmJit for a shared library" VERBATIM)
  add_custom_target(sanvp_asmjit DEPENDS ${archive})
  add_dependencies(sanvp_models_cpu sanvp_asmjit)
  target_include_directories(sanvp_models_cpu SYSTEM PRIVATE
    $<TARGET_PROPERTY:asmjit::asmjit,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(sanvp_models_cpu PRIVATE ASMJIT_STATIC)
  target_link_libraries(sanvp_models_cpu PUBLIC ${archive} rt)
endfunction()
