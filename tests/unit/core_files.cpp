#include <catch2/catch.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "platform/core/files.hpp"
#include "tests/unit/core_support.hpp"

using namespace sanvp;
using sanvp::test::complaint;
using sanvp::test::TemporaryFolder;

namespace {

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("a file is read back as it was written, bytes of every value included") {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i % 256);
  write_text_file(folder / "f", "old");
  write_text_file(folder / "f", bytes);
  CHECK(read_text_file(folder / "f") == bytes);
  CHECK(files_in(folder / "") == 1);  // no temporary file stays behind
}

TEST_CASE("a file that cannot be read is named with the cause") {
  const TemporaryFolder folder;
  CHECK(complaint([&] { read_text_file(folder / "gone"); }) ==
        (folder / "gone") + ": cannot be read: No such file or directory");
  CHECK(complaint([&] { read_text_file(folder / ""); }) == (folder / "") + ": is a folder, not a file");
  CHECK_THAT(complaint([] { read_text_file("/dev/zero", 1000); }), Catch::Contains("larger than 1000 bytes"));
}

TEST_CASE("a file of just the allowed size is read, one byte more is refused") {
  const TemporaryFolder folder;
  write_text_file(folder / "f", std::string(100, 'x'));
  CHECK(read_text_file(folder / "f", 100).size() == 100);
  CHECK_THAT(complaint([&] { read_text_file(folder / "f", 99); }), Catch::Contains("larger than 99 bytes"));
}

TEST_CASE("a file that cannot be written is named, and nothing is left behind") {
  const TemporaryFolder folder;
  CHECK(complaint([&] { write_text_file(folder / "no/f", "x"); }) ==
        (folder / "no/f") + ": cannot be written: No such file or directory");
  std::filesystem::create_directory(folder / "d");
  CHECK_THAT(complaint([&] { write_text_file(folder / "d", "x"); }), Catch::Contains("cannot be written"));
  CHECK(files_in(folder / "") == 1);
}

TEST_CASE("a place where no file can be written is an error that leaves no file") {
  const TemporaryFolder folder;
  for (const char* name : {"no/f", "d"}) {
    std::filesystem::create_directory(folder / "d");
    CHECK(complaint([&] { OutputFile(folder / name); }) == complaint([&] { write_text_file(folder / name, ""); }));
  }
  CHECK_NOTHROW(OutputFile(folder / "f"));
  CHECK_NOTHROW(OutputFile("/dev/null"));
  CHECK(files_in(folder / "") == 1);
}

TEST_CASE("a device is written to, not replaced") {
  write_text_file("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK_THAT(complaint([] { write_text_file("/dev/full", "x"); }), Catch::Contains("No space left on device"));
}

TEST_CASE("what a program puts in the place of a result during a run leads it nowhere") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  write_text_file(folder / "outside", "theirs");
  fs::create_directory(folder / "results");
  const OutputFile file(folder / "f.json");
  const OutputFolder results(folder / "results", "results");
  fs::create_symlink(folder / "outside", folder / "f.json");
  fs::create_symlink("/dev/full", folder / "results/a.csv");
  fs::create_symlink(folder / "outside", folder / "results/b.csv");
  fs::rename(folder / "results", folder / "moved");
  fs::create_directory(folder / "other");
  fs::create_directory_symlink(folder / "other", folder / "results");
  file.write("ours");
  for (const char* name : {"a.csv", "b.csv", "c.csv"}) results.write(name, "ours", name);
  CHECK(read_text_file(folder / "outside") == "theirs");
  for (const char* name : {"f.json", "moved/a.csv", "moved/b.csv", "moved/c.csv"}) {
    CHECK(!fs::is_symlink(folder / name));
    CHECK(read_text_file(folder / name) == "ours");
  }
  CHECK(fs::is_empty(folder / "other"));
}

TEST_CASE("a result for the file of standard output follows what is there") {
  const TemporaryFolder folder;
  const int before = dup(STDOUT_FILENO);
  const int file = open((folder / "all").c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(file, STDOUT_FILENO);
  const bool wrote = write(STDOUT_FILENO, "first ", 6) == 6;
  write_text_file("/proc/self/fd/1", "second");
  dup2(before, STDOUT_FILENO);
  close(before);
  close(file);
  CHECK(wrote);
  CHECK(read_text_file(folder / "all") == "first second");
}
