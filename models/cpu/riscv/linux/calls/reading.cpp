/// read, write and their kin.
#include <sys/uio.h>

#include <algorithm>
#include <climits>

#include "models/cpu/riscv/linux/calls/file_access.hpp"
#include "models/cpu/riscv/linux/calls/wait_for_files.hpp"
#include "models/cpu/riscv/linux/system_call.hpp"

namespace sanvp::riscv::os {
namespace {

struct Piece {  // struct iovec of the program
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

constexpr std::uint64_t most_pieces = 1024;  // IOV_MAX

using Way = FileAccess::Way;

Transferred move(Call& call, OpenFile& file, const Piece& piece, Way way) {
  constexpr auto may_be_written = static_cast<Permission>(writable | untouched);
  const auto bytes = call.memory().bytes_at(piece.address, piece.bytes, way == Way::read ? may_be_written : readable);
  if (!bytes) return -EFAULT;
  if (way == Way::write) return file.write(*bytes);
  const Transferred moved = file.read(*bytes);
  const bool fits = !moved || *moved <= 0 ||
                    call.memory().window().permits(piece.address, static_cast<std::uint64_t>(*moved), writable);
  return fits ? moved : Transferred(-EFAULT);  // the process ends for lack of memory
}

/// What was transferred, until the first piece that is not in full.
struct Progress {
  std::int64_t bytes = 0;
  std::int64_t error = 0;  ///< -errno
  bool must_wait = false;
};

/// A pipe takes a few bytes at once or not at all.
bool is_too_full(const OpenFile& file, std::span<const Piece> pieces) {
  std::uint64_t bytes = 0;
  for (const Piece& piece : pieces) bytes += std::min<std::uint64_t>(piece.bytes, PIPE_BUF + 1);
  return bytes > 0 && bytes <= PIPE_BUF && file.ready(POLLOUT) == 0;
}

/// Continues behind the bytes that the call moved before it had to wait.
Progress move(Call& call, OpenFile& file, std::span<const Piece> pieces, Way way) {
  Progress progress;
  std::uint64_t before = call.thread.moved;
  for (Piece piece : pieces) {
    const std::uint64_t left_out = std::min(before, piece.bytes);
    before -= left_out;
    piece = {piece.address + left_out, piece.bytes - left_out};
    while (piece.bytes > 0) {
      const Transferred moved = move(call, file, piece, way);
      progress.must_wait = !moved;
      progress.error = std::min<std::int64_t>(moved.value_or(0), 0);
      if (!moved || *moved < 0) return progress;
      progress.bytes += *moved;
      piece = {piece.address + static_cast<std::uint64_t>(*moved), piece.bytes - static_cast<std::uint64_t>(*moved)};
      if (piece.bytes > 0 && (way == Way::read || *moved == 0)) return progress;
    }
  }
  return progress;
}

Result transfer(Call& call, std::span<const Piece> pieces, Way way) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  const std::shared_ptr<OpenFile> file = descriptor->file;
  if ((file->flags & O_ACCMODE) == (way == Way::write ? O_RDONLY : O_WRONLY)) return -EBADF;
  Progress progress;
  if (way == Way::write && is_too_full(*file, pieces))
    progress = (file->flags & O_NONBLOCK) != 0 ? Progress{.error = -EAGAIN} : Progress{.must_wait = true};
  else
    progress = move(call, *file, pieces, way);
  const std::int64_t sum = static_cast<std::int64_t>(call.thread.moved) + progress.bytes;
  if (progress.bytes != 0) call.process.files_changed(call.thread.hart.time_ps);
  if (progress.must_wait && (way == Way::write || sum == 0)) {
    call.thread.moved = static_cast<std::uint64_t>(sum);
    return wait_for_files(call, std::nullopt, true);
  }
  if (progress.error != 0 && sum == 0) {
    if (progress.error == -EPIPE) call.thread.pending.push_back({.number = SIGPIPE});
    return progress.error;
  }
  return after_access(call, *file, way, file->seek(0, SEEK_CUR) - sum, sum);
}

/// The call's pieces, or -errno.
std::int64_t read_pieces(Call& call, std::vector<Piece>& pieces) {
  if (call[2] > most_pieces) return -EINVAL;
  for (std::uint64_t i = 0; i < call[2]; ++i) {
    const auto piece = call.memory().read<Piece>(call[1] + i * sizeof(Piece));
    if (!piece) return -EFAULT;
    pieces.push_back(*piece);
  }
  return 0;
}

Result by_pieces(Call& call, Way way) {
  std::vector<Piece> pieces;
  const std::int64_t error = read_pieces(call, pieces);
  return error != 0 ? error : transfer(call, pieces, way);
}

Result at_once(Call& call, Way way) {
  const Piece piece{call[1], call[2]};
  return transfer(call, {&piece, 1}, way);
}

/// At an offset; the file's own position stays.
Result at_offset(Call& call, std::span<const Piece> pieces, Way way) {
  const Files::Descriptor* const descriptor = call.process.files().find(call.integer(0));
  if (descriptor == nullptr) return -EBADF;
  OpenFile& file = *descriptor->file;
  if (static_cast<std::int64_t>(call[3]) < 0) return -EINVAL;
  const std::int64_t before = file.seek(0, SEEK_CUR);
  if (before < 0) return before;
  const std::int64_t there = file.seek(static_cast<std::int64_t>(call[3]), SEEK_SET);
  if (there < 0) return there;
  const Result done = transfer(call, pieces, way);
  file.seek(before, SEEK_SET);
  return done;
}

Result at_offset(Call& call, Way way) {
  const Piece piece{call[1], call[2]};
  return at_offset(call, {&piece, 1}, way);
}

Result by_pieces_at_offset(Call& call, Way way) {
  std::vector<Piece> pieces;
  const std::int64_t error = read_pieces(call, pieces);
  return error != 0 ? error : at_offset(call, pieces, way);
}

Result read(Call& call) { return at_once(call, Way::read); }
Result write(Call& call) { return at_once(call, Way::write); }
Result readv(Call& call) { return by_pieces(call, Way::read); }
Result writev(Call& call) { return by_pieces(call, Way::write); }
Result pread(Call& call) { return at_offset(call, Way::read); }
Result pwrite(Call& call) { return at_offset(call, Way::write); }
Result preadv(Call& call) { return by_pieces_at_offset(call, Way::read); }
Result pwritev(Call& call) { return by_pieces_at_offset(call, Way::write); }

const SystemCallRegistration registrations[] = {
    SystemCallRegistration({"read", "from a descriptor", 63, read}),
    SystemCallRegistration({"write", "to a descriptor", 64, write}),
    SystemCallRegistration({"readv", "to several places", 65, readv}),
    SystemCallRegistration({"writev", "from several places", 66, writev}),
    SystemCallRegistration({"pread64", "at an offset", 67, pread}),
    SystemCallRegistration({"pwrite64", "at an offset", 68, pwrite}),
    SystemCallRegistration({"preadv", "at an offset, to several places", 69, preadv}),
    SystemCallRegistration({"pwritev", "at an offset, from several places", 70, pwritev})};

}  // namespace
}  // namespace sanvp::riscv::os
