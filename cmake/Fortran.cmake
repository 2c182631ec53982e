# MPI for Fortran (sw/mpi/fortran), which programs of RISC-V alone are written in: bindings, mpif.h and the modules mpi and
# mpi_f08, made from mpi.h. Included by RiscvPrograms; what it makes is in `fortran_outputs`.
set(fortran_build ${riscv_build}/fortran)
file(GLOB generators CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scripts/fortran/*.py)
file(MAKE_DIRECTORY ${fortran_build} ${riscv_build}/objects/mpi_fortran)
add_custom_command(
  OUTPUT ${fortran_build}/mpi_fortran_calls.c ${fortran_build}/mpif.h ${fortran_build}/mpi.f90 ${fortran_build}/mpi_f08.f90
  COMMAND ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/scripts/fortran/generate.py bindings ${CMAKE_C_COMPILER}
    ${CMAKE_SOURCE_DIR} ${sw_build}/calls/mpi.i $<TARGET_FILE:sw_mpi> ${fortran_build}
  DEPENDS ${generators} ${CMAKE_SOURCE_DIR}/scripts/profile_calls.py
    ${CMAKE_SOURCE_DIR}/sw/abi/mpi_numbers.h ${CMAKE_SOURCE_DIR}/sw/mpi/mpi_types.h
    ${sw_build}/calls/mpi_names.h sw_mpi
  COMMENT "Generating MPI's bindings for Fortran" VERBATIM)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/mpi/fortran/*.c)
list(FILTER sources EXCLUDE REGEX "_handles.c$")  # part of the C library
set(objects)
foreach(source ${sources} ${fortran_build}/mpi_fortran_calls.c)
  sanvp_riscv_object(mpi_fortran ${source})
endforeach()
# The same for `sanvp-fc --check-mpi`: the functions tell where they are called (sw/mpi/check/checked.c).
file(MAKE_DIRECTORY ${riscv_build}/objects/mpi_fortran_check)
set(bindings ${objects})
set(objects)
foreach(source ${sources} ${fortran_build}/mpi_fortran_calls.c)
  sanvp_riscv_object(mpi_fortran_check ${source} -finstrument-functions)
endforeach()
set(checked_bindings ${objects})
# Modules do not depend on the options of those that use them.
set(modules)
foreach(module mpi mpi_f08)
  set(object ${riscv_build}/objects/mpi_fortran/module_${module}.o)
  add_custom_command(OUTPUT ${object} ${riscv_build}/include/${module}.mod
    COMMAND ${SANVP_RISCV_FORTRAN} -O2 -march=rv64gc -ffunction-sections -ffree-line-length-none
      -J ${riscv_build}/include -I ${fortran_build} -c ${fortran_build}/${module}.f90 -o ${object}
    DEPENDS ${fortran_build}/${module}.f90 ${fortran_build}/mpif.h
    COMMENT "Compiling the module ${module} for riscv64" VERBATIM)
  list(APPEND modules ${object})
endforeach()
add_custom_command(OUTPUT ${riscv_build}/include/mpif.h
  COMMAND ${CMAKE_COMMAND} -E copy ${fortran_build}/mpif.h ${riscv_build}/include/mpif.h
  DEPENDS ${fortran_build}/mpif.h VERBATIM)
# Its symbols are those that programs call, or begin with sanvp_ already: no names to change.
set(archive ${riscv_build}/lib/libsanvp_mpi_fortran.a)
add_custom_command(OUTPUT ${archive}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
  COMMAND ${SANVP_RISCV_AR} rcsD ${archive} ${bindings} ${modules}
  DEPENDS ${bindings} ${modules} VERBATIM)
# A program may have functions of its own that the compiler calls so.
set(checked_archive ${riscv_build}/lib/libsanvp_mpi_fortran_check.a)
add_custom_command(OUTPUT ${checked_archive}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${checked_archive}
  COMMAND ${SANVP_RISCV_AR} rcsD ${checked_archive} ${checked_bindings} ${modules}
  COMMAND ${SANVP_RISCV_PREFIX}objcopy --enable-deterministic-archives
    --redefine-sym __cyg_profile_func_enter=sanvp_mpi_entered --redefine-sym __cyg_profile_func_exit=sanvp_mpi_left
    ${checked_archive}
  DEPENDS ${checked_bindings} ${modules} VERBATIM)
set(fortran_outputs ${archive} ${checked_archive} ${riscv_build}/include/mpif.h)
