/// Questions and settings: packets q and Q.
#include <fmt/format.h>

#include <algorithm>

#include "models/cpu/riscv/gdb/registers.hpp"
#include "models/cpu/riscv/gdb/session.hpp"

namespace sanvp::riscv::gdb {
namespace {

/// A part of a long text: `l` at its end, `m` before.
std::string part_of(const std::string& whole, Cursor range) {
  const auto offset = range.hex();
  range.take(",");
  const auto length = range.hex();
  if (!offset || !length) return "E01";
  if (*offset >= whole.size()) return "l";
  const std::string part = whole.substr(*offset, std::min<std::uint64_t>(*length, most_packet_bytes / 2 - 16));
  return (*offset + part.size() < whole.size() ? "m" : "l") + escaped(part);
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (std::string_view("<>&\"'").find(letter) == std::string_view::npos)
      escaped += letter;
    else
      escaped += fmt::format("&#{};", static_cast<int>(letter));
  }
  return escaped;
}

}  // namespace

Answer Session::question(Cursor packet) {
  if (packet.take("Supported")) return {supported(packet)};
  if (packet.take("Xfer:")) return {transfer(packet)};
  if (packet.take("fThreadInfo")) return {thread_list()};
  if (packet.take("sThreadInfo")) return {"l"};
  if (packet.take("ThreadExtraInfo,")) return {thread_info(packet)};
  if (packet.take("GetTLSAddr:")) return {thread_local_address(packet)};
  if (packet.take("Rcmd,")) return monitor(packet);
  if (packet.take("Attached")) return {"1"};  // so that a client that quits leaves the run alone
  if (packet.take("Symbol:")) return {"OK"};
  if (packet.rest() == "C") return {"QC" + text_of(stopped_)};
  return {};
}

Answer Session::setting(Cursor packet) {
  if (packet.take("StartNoAckMode")) {
    acknowledges_ = false;
    return {"OK"};
  }
  if (packet.take("PassSignals:")) {
    passed_.clear();
    while (!packet.at_end())
      if (const auto number = Cursor(packet.until(';')).hex()) passed_.insert(static_cast<int>(*number));
    return {"OK"};
  }
  return {};
}

std::string Session::supported(Cursor packet) {
  packet.take(":");
  while (!packet.at_end()) {
    const std::string_view feature = packet.until(';');
    if (feature == "multiprocess+") has_processes_ = true;
    if (feature == "swbreak+") knows_reason_of_breakpoints_ = true;
  }
  return fmt::format(
      "PacketSize={:x};QStartNoAckMode+;QPassSignals+;vContSupported+;qXfer:features:read+;qXfer:threads:read+;"
      "qXfer:exec-file:read+{}{}{}",
      most_packet_bytes, has_processes_ ? ";multiprocess+" : "", knows_reason_of_breakpoints_ ? ";swbreak+" : "",
      goes_back_ ? ";ReverseStep+;ReverseContinue+" : "");
}

std::string Session::transfer(Cursor packet) {
  if (packet.take("features:read:target.xml:")) return part_of(target_description(), packet);
  if (packet.take("threads:read::")) return part_of(threads_xml(), packet);
  if (!packet.take("exec-file:read:")) return {};
  const auto id = Cursor(packet.until(':')).hex();
  const Inferior* const named = id ? inferiors_.find(static_cast<int>(*id)) : inferior();
  return named == nullptr ? "E02" : part_of(program_path(*named), packet);
}

std::string Session::threads_xml() const {
  std::string xml = "<?xml version=\"1.0\"?><threads>";
  for (const auto& inferior : inferiors_.all()) {
    if (!inferior->is_debugged) continue;
    for (const auto& thread : inferior->process->threads()) {
      const std::string own = thread->name.front() == 0 ? "" : std::string(", ") + thread->name.data();
      xml += fmt::format("<thread id=\"{}\" name=\"{}\">{}</thread>", text_of({inferior->id, thread->id}),
                         xml_text(inferior->name + own),
                         xml_text(inferior->process->end() ? state_text(*inferior) : state_text(*thread)));
    }
  }
  return xml + "</threads>";
}

std::string Session::thread_list() const {
  std::string text;
  for (const auto& inferior : inferiors_.all()) {
    if (!inferior->is_debugged) continue;
    for (const auto& thread : inferior->process->threads())
      text += (text.empty() ? "m" : ",") + text_of({inferior->id, thread->id});
  }
  return text.empty() ? "l" : text;
}

std::string Session::thread_info(Cursor packet) {
  auto id = parse_thread_id(packet);
  if (!id) return "E01";
  const Inferior* const named = inferiors_.find(id->process > 0 ? id->process : selected_.process);
  const os::Thread* const thread = named == nullptr ? nullptr : named->thread(id->thread);
  return thread == nullptr ? "E02" : to_hex(named->name + ", " + state_text(*thread));
}

/// A static program has one block of thread-local variables, to whose begin the register tp points.
std::string Session::thread_local_address(Cursor packet) {
  constexpr unsigned tp = 4;
  const auto id = parse_thread_id(packet);
  packet.take(",");
  const auto offset = packet.hex();
  if (!id || !offset) return "E01";
  const Inferior* const named = inferiors_.find(id->process > 0 ? id->process : selected_.process);
  const os::Thread* const thread = named == nullptr ? nullptr : named->thread(id->thread);
  return thread == nullptr ? "E02" : fmt::format("{:x}", thread->hart.x[tp] + *offset);
}

/// A text that is longer than a packet goes to the console in parts, the last of which is the reply.
Answer Session::monitor(Cursor packet) {
  constexpr std::size_t most = most_packet_bytes / 2 - 16;
  const auto line = from_hex(packet.rest());
  os::Thread* const at = thread();
  if (!line) return {"E01"};
  if (at == nullptr) return {"E02"};
  const std::string text = monitor_.run(inferiors_, *inferior(), *at, *line);
  Answer answer;
  std::string_view rest = text;
  for (; rest.size() > most; rest.remove_prefix(most)) answer.before.push_back("O" + to_hex(rest.substr(0, most)));
  answer.text = to_hex(rest);
  return answer;
}

}  // namespace sanvp::riscv::gdb
