# The libraries of sw/ once more, for programs of RISC-V under Linux, which `sanvp-cc --target riscv64`, `sanvp-c++` and
# `sanvp-fc` link statically. Target `sw_riscv64`, a part of sw_images where Debian's cross compilers are installed
# (scripts/install riscv).
#
#   build/sw/riscv64/lib/libsanvp_NAME.a    libraries; hal is sw/hal/riscv, system calls to the simulator
#   build/sw/riscv64/include/               what Fortran includes and uses
#   build/sw/riscv64/apps/NAME              the programs of sw/apps
#   build/sw/riscv64/servers/NAME           what machines run besides programs of RISC-V: sw/*/server/NAME.c
#   build/sw/riscv64/compile                what the compiler wrappers call (scripts/riscv_compile.in)
#   build/sw/riscv64/toolchain.cmake        for projects of users that are built by CMake
set(riscv_build ${sw_build}/riscv64)
set(SANVP_RISCV_PREFIX riscv64-linux-gnu-)
configure_file(${CMAKE_SOURCE_DIR}/scripts/riscv_compile.in ${riscv_build}/compile @ONLY
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
file(CREATE_LINK sanvp-cc ${CMAKE_BINARY_DIR}/sanvp-fc SYMBOLIC)
configure_file(${CMAKE_SOURCE_DIR}/cmake/riscv64-toolchain.cmake ${riscv_build}/toolchain.cmake COPYONLY)

find_program(SANVP_RISCV_C ${SANVP_RISCV_PREFIX}gcc)
find_program(SANVP_RISCV_FORTRAN ${SANVP_RISCV_PREFIX}gfortran)
find_program(SANVP_RISCV_AR ${SANVP_RISCV_PREFIX}ar)
find_program(SANVP_RISCV_OBJCOPY ${SANVP_RISCV_PREFIX}objcopy)
if(NOT SANVP_RISCV_C)
  return()
endif()

# Results of the libraries are those of native programs: no fused multiply-add. What a program's error handler throws goes
# through them (-fexceptions: tables alone).
set(riscv_options -std=gnu11 -march=rv64gc -O2 -g1 -DNDEBUG -Wall -Wextra -Werror=incompatible-pointer-types
  -fexceptions -ffp-contract=off -ffunction-sections -fdata-sections -I${CMAKE_SOURCE_DIR}
  -ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(SANVP_WERROR)
  list(APPEND riscv_options -Werror)
endif()

# Appends to `objects` the object of a source.
macro(sanvp_riscv_object library source)  # and options
  cmake_path(GET source STEM stem)
  set(object ${riscv_build}/objects/${library}/${stem}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${SANVP_RISCV_C} ${riscv_options} ${ARGN} -MD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d
    COMMENT "Compiling ${library}/${stem} for riscv64" VERBATIM)
  list(APPEND objects ${object})
endmacro()

set(riscv_archives)
set(riscv_names)
function(sanvp_riscv_archive name)  # and objects
  file(MAKE_DIRECTORY ${riscv_build}/objects/${name})
  set(archive ${riscv_build}/archives/lib${name}.a)
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${SANVP_RISCV_AR} rcsD ${archive} ${ARGN}
    COMMAND ${SANVP_RISCV_OBJCOPY} --enable-deterministic-archives ${renamed} ${archive}
    DEPENDS ${ARGN} COMMENT "Collecting ${name} for riscv64" VERBATIM)
  list(APPEND riscv_archives ${archive})
  list(APPEND riscv_names ${name})
  set(riscv_archives ${riscv_archives} PARENT_SCOPE)
  set(riscv_names ${riscv_names} PARENT_SCOPE)
endfunction()
file(MAKE_DIRECTORY ${riscv_build}/archives ${riscv_build}/lib ${riscv_build}/include)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/hal/riscv/*.c)
set(source ${CMAKE_SOURCE_DIR}/sw/hal/riscv/structures.c)
list(REMOVE_ITEM sources ${source})
set(objects)
sanvp_riscv_object(structures ${source} -fno-tree-loop-distribute-patterns)  # its loops stay loops
sanvp_riscv_archive(structures ${objects})
# The libraries clear and copy structures by functions of their own (structures.c).
set(renamed --redefine-sym memset=sanvp_memset --redefine-sym memcpy=sanvp_memcpy)
set(of_library -include ${CMAKE_SOURCE_DIR}/sw/hal/riscv/structures.h)
set(objects)
foreach(source ${sources})
  sanvp_riscv_object(hal ${source} ${of_library})
endforeach()
sanvp_riscv_archive(hal ${objects})

# The sources of the native libraries, also those that the build makes.
foreach(library ${sw_libraries})
  string(REGEX REPLACE "^sw_" "" name ${library})
  if(name MATCHES "^(hal_library|openmp)$")  # these programs have the compiler's OpenMP
    continue()
  endif()
  set(options ${of_library})
  if(name IN_LIST profiled)
    list(APPEND options -include ${sw_build}/calls/${name}_names.h)
  endif()
  get_target_property(sources ${library} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]c$")
  set(objects)
  foreach(source ${sources})
    sanvp_riscv_object(${name} ${source} ${options})
    if(name IN_LIST profiled)
      add_custom_command(OUTPUT ${object} DEPENDS ${sw_build}/calls/${name}_names.h APPEND)
    endif()
  endforeach()
  sanvp_riscv_archive(${name} ${objects})
endforeach()

# The wrappers of MPI's calls once more, which report them to the simulator: `sanvp-cc --check-mpi` links them instead.
get_target_property(sources sw_mpi_calls SOURCES)
list(FILTER sources INCLUDE REGEX "[.]c$")
set(objects)
foreach(source ${sources})
  sanvp_riscv_object(mpi_check ${source} ${of_library} -DSANVP_CHECK_MPI)
endforeach()
sanvp_riscv_archive(mpi_check ${objects})

set(fortran_outputs)
if(SANVP_RISCV_FORTRAN)
  include(Fortran)
endif()

# Symbols of the program are its own (scripts/own_names.py).
set(riscv_copies)
foreach(name ${riscv_names})
  list(APPEND riscv_copies ${riscv_build}/lib/libsanvp_${name}.a)
endforeach()
add_custom_command(OUTPUT ${riscv_copies} ${riscv_build}/lib/provided.ld
  COMMAND ${CMAKE_COMMAND} -E env NM=${SANVP_RISCV_PREFIX}nm OBJCOPY=${SANVP_RISCV_PREFIX}objcopy
    ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/scripts/own_names.py ${riscv_build}/lib
    --kept ${sw_build}/names/programs.i --provided ${sw_build}/names/historic.i --archives ${riscv_archives}
  DEPENDS ${riscv_archives} ${sw_build}/lib/provided.ld  # made with these names
    ${CMAKE_SOURCE_DIR}/scripts/own_names.py
  COMMENT "Giving the libraries for riscv64 names of their own" VERBATIM)
set(riscv_marks)  # before and behind the code of the libraries
foreach(mark own_code library_code)
  set(source ${CMAKE_SOURCE_DIR}/sw/hal/riscv/${mark}.S)
  add_custom_command(OUTPUT ${riscv_build}/lib/${mark}.o
    COMMAND ${SANVP_RISCV_C} -c ${source} -o ${riscv_build}/lib/${mark}.o DEPENDS ${source} VERBATIM)
  list(APPEND riscv_marks ${riscv_build}/lib/${mark}.o)
endforeach()

# Programs: build/sw/riscv64/FOLDER/NAME of each source.
set(riscv_apps)
function(sanvp_riscv_programs folder)  # and sources
  file(MAKE_DIRECTORY ${riscv_build}/objects/${folder} ${riscv_build}/${folder})
  foreach(source ${ARGN})
    set(objects)
    sanvp_riscv_object(${folder} ${source} -I${sw_build}/include/programs -I${sw_build}/include/historic)
    set(program ${riscv_build}/${folder}/${stem})
    add_custom_command(OUTPUT ${program}
      COMMAND ${SANVP_RISCV_C} -static ${objects} ${riscv_build}/lib/own_code.o -Wl,-u,sanvp_own_code_end
        -Wl,--gc-sections -Wl,--start-group ${riscv_archives} -Wl,--end-group ${riscv_build}/lib/library_code.o -lm
        -o ${program}
      DEPENDS ${objects} ${riscv_marks} ${riscv_archives} COMMENT "Linking ${stem} for riscv64" VERBATIM)
    list(APPEND riscv_apps ${program})
  endforeach()
  set(riscv_apps ${riscv_apps} PARENT_SCOPE)
endfunction()
sanvp_riscv_programs(apps ${apps})
sanvp_riscv_programs(servers ${servers})

list(REMOVE_ITEM riscv_names mpi_check)
list(TRANSFORM riscv_names PREPEND "-lsanvp_" OUTPUT_VARIABLE text)
list(JOIN text "\n" text)
set(fortran)
set(checked_fortran)
if(SANVP_RISCV_FORTRAN)
  set(fortran "-lsanvp_mpi_fortran\n")
  set(checked_fortran "-lsanvp_mpi_fortran_check\n")
endif()
file(CONFIGURE OUTPUT sw/riscv64/lib/libraries.rsp CONTENT
  "-Wl,--start-group\n${fortran}${text}\n-l:provided.ld\n-Wl,--end-group\n")
# The bindings for Fortran come first: what they call is taken from the library behind them.
file(CONFIGURE OUTPUT sw/riscv64/lib/libraries_checked.rsp CONTENT
  "-Wl,--start-group\n${checked_fortran}-lsanvp_mpi_check\n${text}\n-l:provided.ld\n-Wl,--end-group\n")

add_custom_target(sw_riscv64 DEPENDS ${riscv_copies} ${fortran_outputs} ${riscv_apps} ${riscv_marks})
add_dependencies(sw_riscv64 sw_headers sw_libraries_of_programs)
add_dependencies(sw_images sw_riscv64)
