#include "platform/goal/reader.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platform/core/error.hpp"
#include "platform/core/text.hpp"

namespace sanvp::goal {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
// Operations have numbers of 31 bits (Successor); ranks, at a vector's cost each, far fewer.
constexpr std::uint64_t most_operations = (std::uint64_t{1} << 31) - 1;
constexpr std::uint64_t most_ranks = std::uint64_t{1} << 24;
constexpr std::uint64_t most_units = UINT8_MAX;  // CPUs and interfaces of a host
constexpr std::uint64_t most_tag = any - 1;
// 26 days, a quarter of what simulated time can hold; and a message that takes less, whatever its costs (loggops).
constexpr std::uint64_t most_ns = INT64_MAX / 4 / 1000;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.'; }

/// The words of a file. A sign (`{ } : ,`) is a word; a line's end, `;` and the end of the file are "".
class Words {
 public:
  Words(std::istream& in, const std::string& name) : in_(in), name_(name), piece_(piece_bytes, '\0') { step(); }

  /// Valid until step().
  std::string_view word() const { return word_; }
  bool is_end_of_statement() const { return word_.empty(); }
  bool is_end_of_file() const { return is_end_; }
  void step();
  /// To the first word of the next statement.
  void skip_ends() {
    while (is_end_of_statement() && !is_end_) step();
  }
  /// If the present word is this one, steps over it.
  bool take(std::string_view wanted) {
    if (word_ != wanted) return false;
    step();
    return true;
  }
  void require(std::string_view wanted, const char* form) {
    if (!take(wanted)) fail("expected " + in_quotes(wanted) + ", not " + present(), form);
  }
  /// The present word, a whole number and then `unit`, and steps over it.
  /// @param what  the number's meaning. @param form  how the statement is written
  std::uint64_t number(const char* what, std::uint64_t most, const char* form, std::string_view unit = {});
  [[noreturn]] void fail(const std::string& cause, const std::string& cure) const {
    throw UserError(name_ + ":" + std::to_string(word_line_), cause, cure);
  }
  std::string present() const {
    if (is_end_) return "the end of the file";
    return is_end_of_statement() ? "the end of the line" : in_quotes(word_);
  }

 private:
  static constexpr int none = -1;
  int peek() {
    if (next_ == filled_ && !fill()) return none;
    return static_cast<unsigned char>(piece_[next_]);
  }
  bool fill() {
    in_.read(piece_.data(), static_cast<std::streamsize>(piece_.size()));
    filled_ = static_cast<std::size_t>(in_.gcount());
    next_ = 0;
    return filled_ > 0;
  }
  void skip_line_comment() {
    while (peek() != none && peek() != '\n') ++next_;
  }
  void skip_block_comment();
  bool skip_blanks();

  std::istream& in_;
  const std::string& name_;
  std::string piece_;
  std::size_t next_ = 0, filled_ = 0;
  std::string word_;
  std::uint64_t line_ = 1, word_line_ = 1;
  bool is_end_ = false;
};

/// From its asterisk on.
void Words::skip_block_comment() {
  ++next_;
  for (int before = 0;;) {
    const int c = peek();
    if (c == none) fail("a comment has no end", "close it with */");
    ++next_;
    if (c == '\n') ++line_;
    if (before == '*' && c == '/') return;
    before = c;
  }
}

/// Over blanks and comments. @return whether a word or a sign follows, not a statement's end
bool Words::skip_blanks() {
  for (;;) {
    const int c = peek();
    if (c == ' ' || c == '\t' || c == '\r') {
      ++next_;
      continue;
    }
    if (c != '/') return c != none && c != '\n' && c != ';';
    ++next_;
    word_line_ = line_;
    if (peek() == '/')
      skip_line_comment();
    else if (peek() == '*')
      skip_block_comment();
    else
      fail("a lone '/'", "comments are // to the end of the line, or /* to */");
  }
}

void Words::step() {
  word_.clear();
  const bool has_word = skip_blanks();
  word_line_ = line_;
  if (!has_word) {
    is_end_ = peek() == none;
    if (is_end_) return;
    if (peek() == '\n') ++line_;
    ++next_;
    return;
  }
  const char first = static_cast<char>(peek());
  word_ += first;
  ++next_;
  if (!is_letter(first)) return;
  for (int c = peek(); c != none && is_letter(static_cast<char>(c)); c = peek()) {
    word_ += static_cast<char>(c);
    ++next_;
  }
}

std::uint64_t Words::number(const char* what, std::uint64_t most, const char* form, std::string_view unit) {
  std::string_view digits = word_;
  bool is_number = digits.ends_with(unit);
  if (is_number) digits.remove_suffix(unit.size());
  is_number = is_number && !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit);
  if (!is_number) fail("expected the " + std::string(what) + ", not " + present(), form);
  std::uint64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (most - digit) / 10)
      fail("the " + std::string(what) + " " + in_quotes(word_) + " is too large",
           "the most is " + std::to_string(most));
    value = 10 * value + digit;
  }
  step();
  return value;
}

constexpr const char* send_form = "write it like: send 8b to 1 tag 3";
constexpr const char* receive_form = "write it like: recv 8b from 0 tag 3";
constexpr const char* calc_form = "write it like: calc 100";
constexpr const char* collective_form =
    "write it like: collective allreduce gives 8b, or: collective gatherv gives 8b takes 8b 16b root 0 comm 1";
constexpr const char* communicator_form = "write it like: comm 1 { 0 2 4 }";
constexpr const char* rank_form = "write it like: rank 0 { ... }";
constexpr const char* statement_form =
    "a rank has send, recv, calc, collective, each perhaps after LABEL:, and LABEL requires LABEL";

class Reader {
 public:
  Reader(std::istream& in, const std::string& name) : words_(in, name) {}

  Program read() {
    words_.skip_ends();
    words_.require("num_ranks", "begin the file with the number of ranks, such as num_ranks 4");
    const auto ranks = words_.number("number of ranks", most_ranks, "write it like: num_ranks 4");
    if (ranks == 0) words_.fail("a program of no ranks", "give at least one");
    program_.ranks.resize(ranks);
    has_block_.resize(ranks);
    for (words_.skip_ends(); !words_.is_end_of_file(); words_.skip_ends())
      words_.take("comm") ? read_communicator() : read_rank();
    return std::move(program_);
  }

 private:
  void read_communicator();
  void read_rank();
  void read_statement();
  void read_operation();
  void read_message(Operation& operation);
  void read_collective(Operation& operation);
  std::vector<std::uint64_t> read_sizes();
  void read_units(Operation& operation, const char* form);
  void read_dependence(const std::string& label);
  std::uint32_t known(const std::string& label) const;
  std::string label_of(std::uint32_t operation) const;
  void end_rank(std::uint64_t number);

  Words words_;
  Program program_;
  std::vector<bool> has_block_;
  // What is known of the present rank:
  std::unordered_map<std::string, std::uint32_t> labels_;
  std::vector<Operation> operations_;
  std::vector<Rank::Dependence> dependences_;
  std::vector<Collective> collectives_;
};

void Reader::read_communicator() {
  const auto number = words_.number("communicator", most_ranks, communicator_form);
  if (number != program_.communicators.size() + 1)
    words_.fail("communicator " + std::to_string(number), "number them 1, 2, 3 and so on, in this order");
  words_.require("{", communicator_form);
  auto& ranks = program_.communicators.emplace_back();
  std::vector<bool> is_in(program_.ranks.size());
  for (words_.skip_ends(); !words_.take("}"); words_.skip_ends()) {
    const auto rank = words_.number("rank", most_ranks, communicator_form);
    if (rank >= program_.ranks.size() || is_in[rank])
      words_.fail("rank " + std::to_string(rank) + " of " + std::to_string(program_.ranks.size()),
                  "name ranks of the program, each once");
    is_in[rank] = true;
    ranks.push_back(static_cast<std::uint32_t>(rank));
  }
  if (ranks.empty()) words_.fail("a communicator of no ranks", "give at least one");
}

void Reader::read_rank() {
  words_.require("rank", rank_form);
  const auto rank = words_.number("rank", most_ranks, rank_form);
  if (rank >= program_.ranks.size())
    words_.fail("rank " + std::to_string(rank) + " of " + std::to_string(program_.ranks.size()),
                "ranks count from 0; num_ranks at the begin of the file says how many there are");
  if (has_block_[rank]) words_.fail("a second block of rank " + std::to_string(rank), "join the two");
  has_block_[rank] = true;
  words_.skip_ends();
  words_.require("{", rank_form);
  for (words_.skip_ends(); !words_.take("}"); words_.skip_ends()) {
    if (words_.is_end_of_file()) words_.fail("rank " + std::to_string(rank) + " has no end", "close it with }");
    read_statement();
  }
  end_rank(rank);
}

void Reader::read_statement() {
  const std::string first(words_.word());
  if (first == "send" || first == "recv" || first == "calc" || first == "collective") {
    read_operation();
    return;
  }
  words_.step();
  if (words_.take(":")) {
    if (!labels_.emplace(first, static_cast<std::uint32_t>(operations_.size())).second)
      words_.fail("a second label " + in_quotes(first) + " in the rank", "give each operation its own");
    read_operation();
  } else if (words_.word() == "requires" || words_.word() == "irequires") {
    read_dependence(first);
  } else {
    words_.fail("no statement begins with " + in_quotes(first), statement_form);
  }
}

void Reader::read_operation() {
  Operation operation;
  const char* form = calc_form;
  if (words_.take("calc")) {
    operation.size = words_.number("time in nanoseconds", most_ns, calc_form);
  } else if (words_.take("send")) {
    operation.kind = Kind::send;
    form = send_form;
    read_message(operation);
  } else if (words_.take("recv")) {
    operation.kind = Kind::receive;
    form = receive_form;
    read_message(operation);
  } else if (words_.take("collective")) {
    operation.kind = Kind::collective;
    form = collective_form;
    read_collective(operation);
  } else {
    words_.fail("expected send, recv, calc or collective, not " + words_.present(), statement_form);
  }
  read_units(operation, form);
  if (operations_.size() == most_operations)
    words_.fail("a rank of more than " + std::to_string(most_operations) + " operations", "divide it");
  operations_.push_back(operation);
}

void Reader::read_message(Operation& operation) {
  const bool is_send = operation.kind == Kind::send;
  const char* const form = is_send ? send_form : receive_form;
  operation.size = words_.number("number of bytes", most_bytes, form, "b");
  words_.require(is_send ? "to" : "from", form);
  if (is_send || !words_.take("-1")) {
    const std::uint64_t partner = words_.number("rank", most_ranks, form);
    if (partner >= program_.ranks.size())
      words_.fail("there is no rank " + std::to_string(partner),
                  "the program has ranks 0 to " + std::to_string(program_.ranks.size() - 1));
    operation.partner = static_cast<std::uint32_t>(partner);
  } else {
    operation.partner = any;
  }
}

std::vector<std::uint64_t> Reader::read_sizes() {
  std::vector<std::uint64_t> sizes;
  while (words_.word().ends_with('b') && is_digit(words_.word().front()))
    sizes.push_back(words_.number("number of bytes", most_bytes, collective_form, "b"));
  if (sizes.empty()) words_.fail("expected a number of bytes, not " + words_.present(), collective_form);
  return sizes;
}

void Reader::read_collective(Operation& operation) {
  Collective read{.name = std::string(words_.word()), .gives = {}, .takes = {}};
  if (!is_collective(read.name)) words_.fail(words_.present() + " is no collective operation", collective_form);
  words_.step();
  if (words_.take("gives")) read.gives = read_sizes();
  if (words_.take("takes")) read.takes = read_sizes();
  if (words_.take("root")) read.root = static_cast<std::uint32_t>(words_.number("root", most_ranks, collective_form));
  if (words_.take("comm"))
    read.communicator = static_cast<std::uint32_t>(words_.number("communicator", most_ranks, collective_form));
  if (read.communicator > program_.communicators.size())
    words_.fail("there is no communicator " + std::to_string(read.communicator),
                "define it in front of the ranks; " + std::string(communicator_form));
  const std::size_t ranks =
      read.communicator == 0 ? program_.ranks.size() : program_.communicators[read.communicator - 1].size();
  if (read.root != any && read.root >= ranks)
    words_.fail("there is no rank " + std::to_string(read.root) + " in the communicator",
                "it has ranks 0 to " + std::to_string(ranks - 1));
  for (const auto* sizes : {&read.gives, &read.takes})
    if (sizes->size() > 1 && sizes->size() != ranks)
      words_.fail(std::to_string(sizes->size()) + " sizes for " + std::to_string(ranks) + " ranks",
                  "give one size, or one for each rank of the communicator");
  operation.size = collectives_.size();
  collectives_.push_back(std::move(read));
}

/// `tag`, `cpu` and `nic`, in any order.
void Reader::read_units(Operation& operation, const char* form) {
  while (!words_.is_end_of_statement() && words_.word() != "}") {
    const bool is_message = operation.kind == Kind::send || operation.kind == Kind::receive;
    if (is_message && words_.take("tag")) {
      const bool is_any = operation.kind == Kind::receive && words_.take("-1");
      operation.tag = is_any ? any : static_cast<std::uint32_t>(words_.number("tag", most_tag, form));
    } else if (words_.take("cpu")) {
      operation.cpu = static_cast<std::uint8_t>(words_.number("CPU", most_units, form));
    } else if (words_.take("nic")) {
      operation.interface = static_cast<std::uint8_t>(words_.number("NIC", most_units, form));
    } else {
      words_.fail(words_.present() + " does not belong there", form);
    }
  }
}

void Reader::read_dependence(const std::string& label) {
  const bool at_start = words_.word() == "irequires";
  const std::uint32_t after = known(label);
  words_.step();
  do {
    const std::uint32_t before = known(std::string(words_.word()));
    words_.step();
    dependences_.push_back({.before = before, .after = after, .at_start = at_start});
  } while (words_.take(","));
  if (!words_.is_end_of_statement() && words_.word() != "}")
    words_.fail(words_.present() + " does not belong there", "write it like: l2 requires l1");
}

std::uint32_t Reader::known(const std::string& label) const {
  const auto found = labels_.find(label);
  if (found == labels_.end())
    words_.fail("no operation of the rank above this line has the label " + in_quotes(label),
                "label one, as in l1: calc 100; labels of other ranks are not known here");
  return found->second;
}

void Reader::end_rank(std::uint64_t number) {
  Rank rank(std::exchange(operations_, {}), dependences_, std::exchange(collectives_, {}));
  if (const auto circle = rank.circle(); !circle.empty()) {
    std::string names;
    for (const std::uint32_t one : circle) names += label_of(one) + " waits for ";
    words_.fail("operations of rank " + std::to_string(number) + " wait for each other: " + names + label_of(circle[0]),
                "take one `requires` away");
  }
  program_.ranks[number] = std::move(rank);
  labels_.clear();
  dependences_.clear();
}

std::string Reader::label_of(std::uint32_t operation) const {
  for (const auto& [label, index] : labels_)
    if (index == operation) return label;
  return "an operation";
}

}  // namespace

Program read_program(std::istream& in, const std::string& name) { return Reader(in, name).read(); }

Program read_program_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError(path, "cannot be read: " + std::string(std::strerror(errno)), "name a GOAL file");
  Program program = read_program(in, path);
  if (in.bad()) throw UserError(path, "cannot be read to its end", "see whether its disk or link works");
  return program;
}

}  // namespace sanvp::goal
