/// Serves gdb's remote protocol for the processes of a run. While the client has control, the simulation waits here.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "models/cpu/riscv/gdb/connection.hpp"
#include "models/cpu/riscv/gdb/history.hpp"
#include "models/cpu/riscv/gdb/machine_stops.hpp"
#include "models/cpu/riscv/gdb/session.hpp"
#include "models/cpu/riscv/linux/debugger.hpp"

namespace sanvp::riscv::gdb {

/// A program that crashes waits for a client: it runs under a debugger from then on.
struct AtCrash {
  /// @param rank  such as "rank 3 on node 1". @param what  happens to it, in a line
  std::function<void(const std::string& rank, const std::string& what, std::int64_t now_ps)> say;
  std::optional<std::chrono::milliseconds> wait{};  ///< of the computer's time, at most; nothing: without limit
};

struct ServerSettings {
  int port = 0;        ///< of the loopback address; 0: any that is free
  bool waits = false;  ///< for a client, before the first instruction
  std::optional<AtCrash> at_crash{};
  std::function<bool()> goes_on = [] { return true; };  ///< false: the user wants the run to end
};

class Server final : public os::Debugger {
 public:
  /// Listens from now on. Throws UserError if the port is in use.
  explicit Server(ServerSettings settings);
  /// The processes are still there; from now on nothing debugs them.
  ~Server() override;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const { return connection_.port(); }
  Monitor& monitor() { return monitor_; }
  /// A process of the run, which it debugs from now on.
  /// @param id    gdb's number of it, from 1
  /// @param name  such as "rank 3 on node 1"
  void add(os::Process& process, int id, std::string name);

  /// The client can go back from now on. @param snapshots  outlive it
  void keep_history(Snapshots& snapshots);
  /// The client may set breakpoints on the machine. @param stops  outlive it
  void keep(MachineStops& stops) { machine_stops_ = &stops; }
  /// One of these is hit at this instant: the client gets control, if it is there. @param what  has happened, in a
  /// line; may be empty
  void halt_by_machine(const std::string& what);

  /// Looks for a new client, or one that wants to stop the run, if the last look is some time ago. Each turn of a
  /// thread calls it; so may the owner, if no thread has a turn for long.
  void look();
  /// The run is over: the client is told how its processes have ended.
  void finish();
  /// Whether the client has ended the run (`kill`).
  bool is_killed() const { return is_killed_; }

  void begin_turn(os::Process& process, os::Thread& thread) override;
  Stop run(os::Process& process, os::Thread& thread, std::uint64_t limit) override;
  int signal(os::Process& process, os::Thread& thread, const os::Signal& signal) override;
  void fails(os::Process& process, os::Thread& thread, const std::string& why) override;

 private:
  /// Says whose stretch it is, for its lifetime.
  struct Executing {
    Executing(Server& server, const Inferior& inferior, const os::Thread& thread) : of(server) {
      of.executing_ = &inferior;
      of.executing_thread_ = thread.id;
    }
    ~Executing() { of.executing_ = nullptr; }
    Executing(const Executing&) = delete;
    Executing& operator=(const Executing&) = delete;
    Server& of;
  };

  Stop debug(Inferior& inferior, os::Thread& thread, std::uint64_t limit);
  void await_client();
  void begin_session();
  void await_client_at_crash(const Inferior& inferior, const os::Thread& thread, const std::string& what);
  /// Whether a client is there, or one that comes at a crash is to find the way back open.
  bool is_recording() const { return history_ && (connection_.is_open() || waits_at_crash_); }
  void look_at_client();
  void halt(ThreadId at, int linux_signal, const std::string& reason = {});
  void halt_after_step(Inferior& inferior, os::Thread& thread);
  Stop advance(Inferior& inferior, os::Thread& thread, std::uint64_t budget);
  ThreadId somewhere() const;
  void serve();
  // going_back.cpp
  void begin_stretch(Inferior& inferior, os::Thread& thread);
  void take(Order order);
  Stop execute_again(Inferior& inferior, os::Thread& thread, std::uint64_t limit);
  Stop find_stops(Inferior& inferior, os::Thread& thread, std::uint64_t limit);
  std::optional<Stop> approach(Inferior& inferior, os::Thread& thread, std::uint64_t limit);
  void arrive(ThreadId executing);
  void note_stop(const Position& position, const std::string& reason, ThreadId thread, const std::string& said = {});
  void note_machine_stop();
  std::string state() const;
  void restore(const std::string& state);
  void say(const std::string& what);
  void find_changes_from_outside();
  void step_back();
  void continue_back();
  std::string travel(std::string_view arguments, bool is_back);
  Position present() const;
  void take(const PacketReader::Event& event);
  void answer(const std::string& packet);
  void send(const std::string& contents);
  void leave();

  ServerSettings settings_;
  Connection connection_;
  Inferiors inferiors_;
  Monitor monitor_;
  Session session_;
  PacketReader reader_;
  std::string last_sent_;
  ThreadId current_{};        ///< whose turn it is
  bool has_control_ = false;  ///< the client has
  MachineStops* machine_stops_ = nullptr;
  std::optional<History> history_;
  std::optional<Order> order_;           ///< of a process that executes again, until it is carried out
  std::string found_{};                  ///< the last stop so far, when it searches
  const Inferior* executing_ = nullptr;  ///< whose stretch it is; null: between stretches
  int executing_thread_ = 0;
  bool stays_at_step_back_ = false;  ///< the client, told of a watchpoint, steps back from there
  bool owes_reply_ = false;          ///< for the packet that resumed the simulation
  bool is_killed_ = false;
  bool has_waited_ = false;
  bool waits_at_crash_ = false;
  std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace sanvp::riscv::gdb
