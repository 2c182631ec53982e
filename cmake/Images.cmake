# Software of the virtual machines: images (shared objects) that the program loads once per process (models/native).
#
#   build/sw/NAME.so             a driver: folder sw/*drv
#   build/sw/firmware/NAME.so    a program of a NIC's processor: sw/*/firmware/NAME.c, or the folder sw/*/firmware/NAME
#   build/sw/apps/NAME.so        a program: sw/apps/NAME.c
#   build/sw/servers/NAME.so     what machines run besides programs: sw/*/server/NAME.c
#   build/sw/tests/NAME.so       what tests run: tests/images/NAME.c
#   build/sw/archives/libNAME.a  libraries: the other folders of sw, and those in sw/apps
#   build/sw/lib/libsanvp_NAME.a the same for programs of users, of whose names they keep clear
#   build/sw/transports.c        the list of transports, by the files of sw/transport
#   build/sw/include/            their headers, so that build/sanvp-cc needs no source tree
#   build/sw/include/programs/   those that programs name: <mpi.h>, <shmem.h>; historic/: <elan.h>, <elan/elan.h>, <gm.h> and others
#   build/sw/source/             sources of firmware by their paths in the project, which users change (sanvp-cc --firmware)
#   build/sanvp-cc               compiles and links a user's program in the same way
#
# Libraries are archives: each process has its own copy of everything but the C library.
set(sw_build ${CMAKE_BINARY_DIR}/sw)
if(NOT "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}" MATCHES "^GNU 12[.]")
  message(STATUS "Drivers and firmware are compiled by ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}, for lack of GCC 12: "
    "their times differ from those of other systems (docs/cpu.md)")
endif()

# Calls that hal/ takes over from the C library, each in __wrap_NAME.
set(wrapped
  malloc calloc realloc free memalign aligned_alloc posix_memalign malloc_usable_size strdup strndup  # heap.c
  valloc pvalloc
  getcwd realpath                                                                                     # allocated.c
  exit _exit _Exit quick_exit at_quick_exit abort atexit on_exit __cxa_atexit
  pthread_create thrd_create pthread_exit thrd_exit fork vfork                                        # process.c
  execl execlp execle execv execvp execve execvpe fexecve posix_spawn posix_spawnp system popen
  signal bsd_signal __sysv_signal sigset sigaction sigprocmask pthread_sigmask raise kill             # signals.c
  sigwait sigwaitinfo sigtimedwait pthread_kill killpg tgkill sigqueue sigpending sighold sigrelse sigignore sigaltstack longjmp _longjmp siglongjmp __longjmp_chk
  alarm ualarm setitimer getitimer pause sigsuspend timer_create                                      # alarm.c
  time gettimeofday clock_gettime clock timespec_get times getrusage                                  # clock.c
  nanosleep clock_nanosleep usleep sleep sched_yield thrd_sleep thrd_yield select pselect poll ppoll
  clock_getres clock_settime settimeofday
  gethostname uname getpid getppid                                                                    # identity.c
  getenv putenv setenv unsetenv clearenv                                                              # environment.c
  freopen freopen64 fclose write                                                                      # c_library.c
  chdir fchdir umask setlocale uselocale close close_range closefrom dup2 dup3 syscall                # surroundings.c
  getrlimit getrlimit64 setrlimit setrlimit64 prlimit prlimit64
  getrandom getentropy arc4random arc4random_buf arc4random_uniform fopen fopen64                     # chance.c
  _ZNSt13random_device9_M_getvalEv _ZNSt13random_device16_M_getval_pretr1Ev _ZNKSt13random_device13_M_getentropyEv
  read pread pread64 readv preadv preadv64 __read_chk __pread_chk __pread64_chk                        # files.c
  pwrite pwrite64 writev pwritev pwritev64 fsync fdatasync
  fseek fseeko fseeko64 rewind fsetpos fsetpos64 fflush __uflow __overflow
  flock fcntl fcntl64 lockf lockf64                                                                   # locks.c
  strtok rand srand random srandom srand48 drand48 lrand48 mrand48)
# ... and those that it charges by a table.
set(library_costs ${CMAKE_SOURCE_DIR}/sw/abi/hal/library_costs.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${library_costs})
file(STRINGS ${library_costs} charged REGEX "^(CALL|SAME)")
list(TRANSFORM charged REPLACE "^....[(]([a-z0-9_A-Z]+),.*" "\\1")
list(APPEND wrapped ${charged})
list(REMOVE_DUPLICATES wrapped)
list(TRANSFORM wrapped PREPEND "-Wl,--wrap=")
# Position-independent as they are loaded anywhere. A frame that runs over the guard page must touch it:
# stack-clash-protection. Copies of an image must not bind to each other or to the program: -Bsymbolic. The list of a
# program's destructors must be writable (sw/hal/destructors.c): norelro.
# A caller must not know which registers a function leaves alone, as counting takes free ones: no-ipa-ra.
set(image_compile_options -fPIC -fstack-clash-protection -ffp-contract=off -fno-ipa-ra -ffunction-sections
  -fdata-sections)
# Programs, whose instructions have prices: nearly all CPUs of our machines have no vectors, and what x86-64's compiler pairs
# outside of loops (both halves of a complex product) would be counted twice.
set(program_compile_options -fno-tree-slp-vectorize)
set(image_c_standard -std=gnu11)
# Copies of an image have their code in common where it reaches its data through %gs (models/native/README.md): the
# compiler takes the assembler in this folder, and `share` looks whether all of it does. The linker must leave these
# instructions as they are; what else the compiler would link in, for C++ and gprof, reaches data as it likes.
# The folder's name changes with what is in it, so that images are compiled again, and ccache takes none for the same that
# another assembler has made.
file(GLOB image_modules CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scripts/images/*.py)
set(hashes)
foreach(module ${image_modules})
  file(SHA1 ${module} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA1 hash "${hashes}")
string(SUBSTRING ${hash} 0 12 hash)
set(SANVP_IMAGE_TOOLS images/${hash})  # in build/sw
set(image_tools ${sw_build}/${SANVP_IMAGE_TOOLS})
foreach(module ${image_modules})
  cmake_path(GET module FILENAME name)
  if(name MATCHES "^(as|share|uncounted|place)[.]py$")
    cmake_path(GET module STEM name)  # commands; the others are theirs
  endif()
  configure_file(${module} ${image_tools}/${name} COPYONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
set(shared_code_options -B${image_tools}/)
set(shared_code_link_options -nostartfiles)
set(image_link_options -shared -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,noexecstack -Wl,-z,norelro -Wl,--no-relax ${wrapped})
# And of a program: what it never calls need not be there.
set(program_map ${CMAKE_SOURCE_DIR}/sw/hal/program.map)
set(program_link_options -Wl,--gc-sections
  -Wl,-e,hal_alone               # entry: by itself, without `sanvp run`
  -Wl,--undefined=sanvp_layout)  # its variables begin at a page (sw/hal/layout.c)

# Whatever sanitizers the program itself is built with.
set(no_sanitizers $<$<BOOL:${SANVP_SANITIZE}>:-fno-sanitize=all>)

add_custom_target(sw_images ALL)
add_custom_target(sw_test_images ALL)  # tests/images: for tests alone

function(sanvp_sw_library name)
  add_library(sw_${name} STATIC ${ARGN})
  set_target_properties(sw_${name} PROPERTIES OUTPUT_NAME ${name} ARCHIVE_OUTPUT_DIRECTORY ${sw_build}/archives)
  target_include_directories(sw_${name} PRIVATE ${CMAKE_SOURCE_DIR})
  set(options ${image_compile_options})
  list(REMOVE_ITEM options -fno-ipa-ra)  # which clang++, of the rest of the tree, does not know, and does not need
  target_compile_options(sw_${name} PRIVATE $<$<COMPILE_LANGUAGE:C>:${image_c_standard}> ${options}
    $<$<NOT:$<COMPILE_LANG_AND_ID:CXX,Clang>>:-fno-ipa-ra>
    $<$<COMPILE_LANGUAGE:C>:-Werror=incompatible-pointer-types>  # such as a callback with other arguments
    "$<$<COMPILE_LANGUAGE:C,ASM>:${shared_code_options}>"
    ${no_sanitizers})
  add_dependencies(sw_images sw_${name})
endfunction()

function(sanvp_sw_image name folder)
  cmake_path(GET name FILENAME output)
  string(REPLACE "/" "_" target "sw_image_${name}")
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${output} LIBRARY_OUTPUT_DIRECTORY ${folder})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR} ${sw_user_includes})
  target_compile_options(${target} PRIVATE ${image_c_standard} ${image_compile_options} ${shared_code_options}
    ${no_sanitizers})
  target_link_options(${target} PRIVATE ${image_link_options} ${shared_code_link_options} ${no_sanitizers})
  target_link_libraries(${target} PRIVATE -Wl,--whole-archive sw_hal -Wl,--no-whole-archive
    -Wl,--start-group ${sw_libraries} -Wl,--end-group m)
  add_custom_command(TARGET ${target} POST_BUILD COMMAND ${image_tools}/share $<TARGET_FILE:${target}> VERBATIM)
  if(name MATCHES "^(apps|tests)/")
    target_compile_options(${target} PRIVATE ${program_compile_options})
  endif()
  if(name MATCHES "^tests/")
    add_dependencies(sw_test_images ${target})
  else()
    add_dependencies(sw_images ${target})
  endif()
endfunction()

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/hal/*.[cS])
set(charging ${sources})
list(FILTER charging INCLUDE REGEX "/library_[a-z]*[.]c$")
set(layout ${CMAKE_SOURCE_DIR}/sw/hal/layout.c)
list(REMOVE_ITEM sources ${charging} ${layout})
sanvp_sw_library(hal ${sources})
target_compile_options(sw_hal PRIVATE -Wa,--sanvp-uncounted)  # its calls have prices of their own
# What stands in for calls of the C library, of which an image takes what it calls. Its loops must stay loops, and its
# calls calls.
sanvp_sw_library(hal_library ${charging} ${layout})
target_compile_options(sw_hal_library PRIVATE -Wa,--sanvp-uncounted)
set_source_files_properties(${charging} PROPERTIES
  COMPILE_OPTIONS "-fno-builtin;-fno-tree-loop-distribute-patterns")
set_source_files_properties(${CMAKE_SOURCE_DIR}/sw/hal/run_main.c PROPERTIES
  COMPILE_OPTIONS "-fno-exceptions;-fno-unwind-tables;-fno-asynchronous-unwind-tables")
sanvp_sw_library(hal_cxx ${CMAKE_SOURCE_DIR}/sw/hal/streams.cpp)

# The profiling interface (scripts/profile_calls.py): library NAME is compiled with its calls renamed, and NAME_calls has
# their wrappers.
function(sanvp_profiled_library name)
  set(header ${CMAKE_SOURCE_DIR}/sw/${name}/${name}.h)
  set(script ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/scripts/profile_calls.py)
  set(stem ${sw_build}/calls/${name})
  file(MAKE_DIRECTORY ${sw_build}/calls)
  set(declared ${sw_build}/include/sw/${name}/p${name}.h)  # pmpi.h
  file(MAKE_DIRECTORY ${sw_build}/include/sw/${name})
  add_custom_command(OUTPUT ${stem}_names.h ${declared}
    COMMAND ${CMAKE_C_COMPILER} -E -P -I${CMAKE_SOURCE_DIR} ${header} -o ${stem}.i
    COMMAND ${script} rename ${stem}.i > ${stem}_names.h
    COMMAND ${script} declare ${stem}.i > ${declared}
    DEPENDS ${header} ${CMAKE_SOURCE_DIR}/scripts/profile_calls.py VERBATIM)
  target_compile_options(sw_${name} PRIVATE -include ${stem}_names.h)
  target_sources(sw_${name} PRIVATE ${stem}_names.h)
  add_custom_command(OUTPUT ${stem}_calls.c
    COMMAND ${script} wrap ${stem}.i $<TARGET_FILE:sw_${name}> > ${stem}_calls.c
    DEPENDS sw_${name} ${stem}_names.h VERBATIM)
  file(GLOB checks CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/${name}/check/*.c)  # what the wrappers call
  sanvp_sw_library(${name}_calls ${stem}_calls.c ${checks})
  target_compile_options(sw_${name}_calls PRIVATE -Wa,--sanvp-uncounted)  # of the simulator, not of the machine
endfunction()

file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${CMAKE_SOURCE_DIR}/sw ${CMAKE_SOURCE_DIR}/sw/*
  ${CMAKE_SOURCE_DIR}/sw/apps/* ${CMAKE_SOURCE_DIR}/sw/transport/*)
set(profiled mpi shmem)
set(sw_libraries sw_hal_library)
set(library_names hal_library)
foreach(folder ${folders})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/${folder}/*.c)
  if(folder IN_LIST profiled)  # parts of the library have folders of their own
    file(GLOB parts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/${folder}/*/*.c)
    list(FILTER parts EXCLUDE REGEX "/sw/${folder}/(check|fortran)/")  # part of the wrappers; for RISC-V alone (RiscvPrograms.cmake)
    file(GLOB handles CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/${folder}/fortran/*_handles.c)  # which C converts, too
    list(APPEND sources ${parts} ${handles})
  endif()
  if(NOT IS_DIRECTORY ${CMAKE_SOURCE_DIR}/sw/${folder} OR NOT sources OR folder MATCHES "^(hal|apps|.*drv)$")
    continue()
  endif()
  cmake_path(GET folder FILENAME name)
  sanvp_sw_library(${name} ${sources})
  if(NOT folder MATCHES "^apps/")
    target_compile_options(sw_${name} PRIVATE -Wa,--sanvp-library)
  endif()
  list(APPEND sw_libraries sw_${name})
  list(APPEND library_names ${name})
  if(name IN_LIST profiled)
    sanvp_profiled_library(${name})
    list(APPEND sw_libraries sw_${name}_calls)
    list(APPEND library_names ${name}_calls)
  endif()
endforeach()
target_compile_options(sw_recording PRIVATE -Wa,--sanvp-uncounted)  # of the simulator, not of the machine
target_compile_options(sw_goal PRIVATE -Wa,--sanvp-uncounted)  # it plays other programs
# sw/transport/NAME.c defines transport_NAME: all but what chooses among them.
file(GLOB transports CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/transport/*.c)
list(REMOVE_ITEM transports ${CMAKE_SOURCE_DIR}/sw/transport/transport.c)
set(declared)
set(listed)
foreach(source ${transports})
  cmake_path(GET source STEM name)
  string(APPEND declared "extern const struct transport_implementation transport_${name};\n")
  string(APPEND listed "    &transport_${name},\n")
endforeach()
file(CONFIGURE OUTPUT sw/transports.c @ONLY CONTENT [[
/* Made by cmake/Images.cmake. */
#include "sw/transport/implementation.h"

@declared@
const struct transport_implementation* const transport_implementations[] = {
@listed@    (const struct transport_implementation*)0};
__attribute__((weak)) const struct transport_implementation* const sanvp_own_transports[] = {
    (const struct transport_implementation*)0};
]])
target_sources(sw_transport PRIVATE ${sw_build}/transports.c)

# The predefined handles of MPI have fixed numbers in Fortran.
file(GLOB generators CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scripts/fortran/*.py)
add_custom_command(OUTPUT ${sw_build}/calls/mpi_handles.c
  COMMAND ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/scripts/fortran/generate.py handles ${CMAKE_C_COMPILER} ${CMAKE_SOURCE_DIR}
    > ${sw_build}/calls/mpi_handles.c
  DEPENDS ${generators} ${CMAKE_SOURCE_DIR}/scripts/profile_calls.py
    ${CMAKE_SOURCE_DIR}/sw/abi/mpi_numbers.h ${CMAKE_SOURCE_DIR}/sw/mpi/mpi_types.h VERBATIM)
target_sources(sw_mpi PRIVATE ${sw_build}/calls/mpi_handles.c)

# What programs include by its name alone, and no other header of ours: those have names that programs have, too.
# What the world calls so, before all but the program's own; libraries of one machine, after all else.
set(headers_of_programs mpi/mpi.h mpi/pmpi.h shmem/shmem.h shmem/pshmem.h shmem/mpp/shmem.h)
set(headers_of_historic ds_link/ds_link.h elan3lib/elan3lib.h elanlib/elan.h elanlib/tport.h elan3lib/elan3/elan3.h
  elanlib/elan/elan.h gm/gm.h hal/hal.h parix/parix.h parix/sys/root.h parix/sys/link.h parix/sys/sys_rpc.h
  tofu/utofu.h tofu/tofu_job.h vcp/vcp.h)
set(offered)
foreach(kind programs historic)
  set(text)
  foreach(header ${headers_of_${kind}})
    string(REGEX MATCH "^([^/]+)/(.*)" name ${header})
    set(name ${CMAKE_MATCH_2})
    # A makefile's -lmpi is not to find another MPI; sanvp-cc links ours.
    file(CONFIGURE OUTPUT sw/lib/lib${CMAKE_MATCH_1}.a CONTENT "/* sanvp-cc links it by itself. */\n")
    file(CONFIGURE OUTPUT sw/include/${kind}/${name} CONTENT "#include \"sw/${header}\"\n")
    string(APPEND text "#include \"sw/${header}\"\n")
  endforeach()
  list(APPEND sw_user_includes ${sw_build}/include/${kind})
  file(CONFIGURE OUTPUT sw/names/${kind}.c CONTENT "${text}")
  list(APPEND offered COMMAND ${CMAKE_C_COMPILER} -E -P -dD -I${sw_build}/include ${sw_build}/names/${kind}.c
    -o ${sw_build}/names/${kind}.i)
endforeach()

set(drivers)
foreach(folder ${folders})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/${folder}/*.c)
  if(folder MATCHES "drv$" AND sources)
    sanvp_sw_image(${folder} ${sw_build} ${sources})
    list(APPEND drivers ${sw_build}/${folder}.so)
    target_compile_options(sw_image_${folder} PRIVATE -Wa,--sanvp-library)
  endif()
endforeach()
file(GLOB firmware CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/*/firmware/*.c)
if(NOT EXISTS ${CMAKE_SOURCE_DIR}/sw/hal/elan3_thread.c)
  set(firmware)  # what firmware calls is not there yet
endif()
foreach(source ${firmware})
  cmake_path(GET source STEM name)
  sanvp_sw_image(firmware/${name} ${sw_build}/firmware ${source})
  target_compile_options(sw_image_firmware_${name} PRIVATE -Wa,--sanvp-firmware)
endforeach()
file(GLOB programs CONFIGURE_DEPENDS LIST_DIRECTORIES true ${CMAKE_SOURCE_DIR}/sw/*/firmware/*)
foreach(program ${programs})
  file(GLOB sources CONFIGURE_DEPENDS ${program}/*.c)
  cmake_path(GET program FILENAME name)
  if(IS_DIRECTORY ${program} AND sources)
    sanvp_sw_image(firmware/${name} ${sw_build}/firmware ${sources})
    target_compile_options(sw_image_firmware_${name} PRIVATE -Wa,--sanvp-firmware)
  endif()
endforeach()
file(GLOB apps CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/apps/*.c)
foreach(source ${apps})
  cmake_path(GET source STEM name)
  sanvp_sw_image(apps/${name} ${sw_build}/apps ${source})
  target_link_options(sw_image_apps_${name} PRIVATE ${program_link_options} -Wl,--version-script=${program_map})
  set_property(TARGET sw_image_apps_${name} PROPERTY LINK_DEPENDS ${program_map})
  if(name MATCHES "^(goal|otf2)$")  # they stand for other programs: messages and calcs alone take time
    target_compile_options(sw_image_apps_${name} PRIVATE -Wa,--sanvp-uncounted)
  endif()
  # The comment that a program begins with says in its first sentence what it is: for `sanvp list apps`.
  file(READ ${source} summary LIMIT 1000)
  string(REGEX REPLACE "^/[*/]+ *" "" summary "${summary}")
  string(REGEX REPLACE "([.][ \n]| *[*]+/|\n[ *]*\n).*" "" summary "${summary}")
  string(REGEX REPLACE "\n[ *]*" " " summary "${summary}")
  file(CONFIGURE OUTPUT sw/apps/${name}.txt CONTENT "${summary}\n" @ONLY)
endforeach()

# What the machine itself runs: sw/*/server/NAME.c is build/sw/servers/NAME.so.
file(GLOB servers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sw/*/server/*.c)
foreach(source ${servers})
  cmake_path(GET source STEM name)
  sanvp_sw_image(servers/${name} ${sw_build}/servers ${source})
  target_link_options(sw_image_servers_${name} PRIVATE ${program_link_options} -Wl,--version-script=${program_map})
  target_compile_options(sw_image_servers_${name} PRIVATE -Wa,--sanvp-library)
endforeach()

file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/images/*.c)
foreach(source ${tests})
  cmake_path(GET source STEM name)
  sanvp_sw_image(tests/${name} ${sw_build}/tests ${source})
  if(name MATCHES "^(threads|firmware_crash|lanai_steps)$")
    target_compile_options(sw_image_tests_${name} PRIVATE -Wa,--sanvp-firmware)
  endif()
endforeach()

# Headers, below the names by which they are included.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/sw/*.h
  ${CMAKE_SOURCE_DIR}/models/nic/*.h)
set(copied)
foreach(header ${headers})
  add_custom_command(OUTPUT ${sw_build}/include/${header}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${CMAKE_SOURCE_DIR}/${header} ${sw_build}/include/${header}
    DEPENDS ${CMAKE_SOURCE_DIR}/${header})
  list(APPEND copied ${sw_build}/include/${header})
endforeach()
add_custom_target(sw_headers DEPENDS ${copied})
add_dependencies(sw_images sw_headers)

# Sources of firmware, to copy and change.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/sw/*/firmware/*.[ch])
set(copied_sources)
foreach(source ${sources})
  add_custom_command(OUTPUT ${sw_build}/source/${source}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${CMAKE_SOURCE_DIR}/${source} ${sw_build}/source/${source}
    DEPENDS ${CMAKE_SOURCE_DIR}/${source})
  list(APPEND copied_sources ${sw_build}/source/${source})
endforeach()
add_custom_target(sw_firmware_sources DEPENDS ${copied_sources})
add_dependencies(sw_images sw_firmware_sources)

# The libraries for programs (scripts/own_names.py).
set(copies)
set(archives)
foreach(name hal hal_cxx ${library_names})
  list(APPEND copies ${sw_build}/lib/libsanvp_${name}.a)
  list(APPEND archives $<TARGET_FILE:sw_${name}>)
endforeach()
add_custom_command(OUTPUT ${copies} ${sw_build}/lib/provided.ld ${sw_build}/lib/firmware.ld ${offered}
  BYPRODUCTS ${sw_build}/names/programs.i ${sw_build}/names/historic.i
  COMMAND ${CMAKE_COMMAND} -E env NM=${CMAKE_NM} OBJCOPY=${CMAKE_OBJCOPY}
    ${SANVP_PYTHON} -B ${CMAKE_SOURCE_DIR}/scripts/own_names.py ${sw_build}/lib
    --kept ${sw_build}/names/programs.i ${program_map} ${sw_build}/lib/link.rsp
    --provided ${sw_build}/names/historic.i
    --firmware ${CMAKE_SOURCE_DIR}/sw/hal/elan3_thread.h ${CMAKE_SOURCE_DIR}/sw/hal/lanai.h --archives ${archives}
  DEPENDS ${archives} ${copied} ${program_map} ${CMAKE_SOURCE_DIR}/scripts/own_names.py
    ${sw_build}/names/programs.c ${sw_build}/names/historic.c ${sw_build}/lib/link.rsp VERBATIM)
add_custom_target(sw_libraries_of_programs DEPENDS ${copies})
add_dependencies(sw_images sw_libraries_of_programs)

# build/sanvp-cc: what it hands to the compiler is written here, once.
list(JOIN image_compile_options "\n" text)
list(JOIN program_compile_options "\n" more)
file(CONFIGURE OUTPUT sw/lib/compile.rsp CONTENT "${text}\n${more}\n${image_c_standard}\n")
string(STRIP "-DNDEBUG -ftree-slp-vectorize ${plain_stores}" text)  # Compiler.cmake: as firmware that comes with sanvp
string(REGEX REPLACE " +" "\n" text "${text}")
file(CONFIGURE OUTPUT sw/lib/firmware.rsp CONTENT "${text}\n")
list(TRANSFORM library_names PREPEND "-lsanvp_")
list(JOIN image_link_options "\n" text)
list(JOIN program_link_options "\n" more)
file(CONFIGURE OUTPUT sw/lib/link.rsp CONTENT "${text}\n${more}\n")
file(CONFIGURE OUTPUT sw/lib/link_image.rsp CONTENT "${text}\n")
configure_file(${program_map} ${sw_build}/lib/program.map COPYONLY)
list(JOIN library_names "\n" text)
file(CONFIGURE OUTPUT sw/lib/libraries.rsp CONTENT
  "-Wl,--whole-archive\n-lsanvp_hal\n-Wl,--no-whole-archive\n-Wl,--start-group\n${text}\n-l:provided.ld\n-Wl,--end-group\n-lm\n")
# Objects of programs, for sanvp-part to link with transports of users.
set(objects)
foreach(source ${apps})
  cmake_path(GET source STEM name)
  add_custom_command(OUTPUT ${sw_build}/apps/objects/${name}.o
    COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${sw_build}/lib/own_names $<TARGET_OBJECTS:sw_image_apps_${name}>
      ${sw_build}/apps/objects/${name}.o
    DEPENDS $<TARGET_OBJECTS:sw_image_apps_${name}> ${sw_build}/lib/provided.ld VERBATIM)
  list(APPEND objects ${sw_build}/apps/objects/${name}.o)
endforeach()
file(MAKE_DIRECTORY ${sw_build}/apps/objects)
add_custom_target(sw_objects_of_programs DEPENDS ${objects})
add_dependencies(sw_images sw_objects_of_programs)

if(NOT SANVP_C_COMPILER)  # SoftwareCompiler.cmake
  set(SANVP_C_COMPILER ${CMAKE_C_COMPILER})
endif()
configure_file(${CMAKE_SOURCE_DIR}/scripts/sanvp-cc.in ${CMAKE_BINARY_DIR}/sanvp-cc @ONLY
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
file(CREATE_LINK sanvp-cc ${CMAKE_BINARY_DIR}/sanvp-c++ SYMBOLIC)
