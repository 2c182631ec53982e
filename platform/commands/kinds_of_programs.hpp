/// The CPUs that programs are for, according to their files, and options of `sanvp run` that depend on it.
#pragma once

#include <string>
#include <vector>

#include "models/host/settings.hpp"
#include "platform/commands/command.hpp"
#include "platform/jobs/apps.hpp"
#include "platform/machine/cluster.hpp"

namespace sanvp::commands {

/// The kind of program of apps that --cpu requests.
jobs::AppKind asked_kind(const Invocation& invocation);
/// Refuses programs of the other kind than --cpu names.
void check_cpu_model(const Invocation& invocation, const std::vector<Program>& programs);
/// --check-mpi needs wrappers of MPI's calls that a program for RISC-V has only if it was linked so.
void check_wrappers(const Invocation& invocation, const std::vector<Program>& programs);
/// Whether the wrappers of its calls of MPI tell of them (hal_check).
bool tells_its_calls(const Program& program);
/// Refuses programs without such wrappers: their branches cannot have other algorithms of collective operations.
void require_told_calls(const std::vector<Program>& programs);
/// Notes a setting host.cpu.translate=on that has no effect.
void note_if_not_translated(const host::CpuSettings& cpu, const std::vector<Program>& programs);
/// How a program waits for memory, and what that leaves out (docs/cpu.md): "; memory: ...".
std::string time_model_text(const host::CpuSettings& cpu, const Program& program);
/// Whether a program for RISC-V uses no library of sanvp: then it is one process, unless --np says otherwise.
bool is_of_linux_alone(const std::string& path);
/// Whether it is linked with MPI or shmem.
bool sends_messages(const std::string& path);

}  // namespace sanvp::commands
