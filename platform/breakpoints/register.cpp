/// `register`: a store to a register of a card.
#include <fmt/format.h>

#include "platform/breakpoints/breakpoint.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/text.hpp"

namespace sanvp {
namespace {

class Stores final : public Watch, private nic::StoreObserver {
 public:
  Stores(nic::RegisterWatch& registers, int node, std::string name, Breakpoint::Hit hit)
      : registers_(registers), node_(node), name_(std::move(name)), hit_(std::move(hit)) {
    registers_.add(*this);
  }
  ~Stores() override { registers_.remove(*this); }
  Stores(const Stores&) = delete;
  Stores& operator=(const Stores&) = delete;

  std::string text() const override {
    return fmt::format("gdb stops when {} of the card of node {} is written", name_, node_);
  }

 private:
  void register_stored(const nic::RegisterFacts& facts, const std::string& name, const nic::Store& store) override {
    if (facts.name != name_ && name != name_) return;
    hit_(fmt::format("{} is stored to {} of the card of node {}", nic::text_of(facts, store), name, node_));
  }

  nic::RegisterWatch& registers_;
  int node_;
  std::string name_;
  Breakpoint::Hit hit_;
};

/// The register's own name, of "SetEvent of context 3" as well.
const nic::RegisterFacts& facts_of(const nic::RegisterTable& table, const std::string& name) {
  std::vector<std::string> known;
  for (const nic::RegisterFacts& facts : table.registers()) {
    if (facts.can_write) known.push_back(facts.name);
    const bool is_it = name == facts.name || name.starts_with(facts.name + " ");
    if (!is_it) continue;
    if (!facts.can_write) throw UserError(break_place, facts.name + " can only be read");
    return facts;
  }
  const std::string near = nearest(name.substr(0, name.find(' ')), known);
  throw UserError(break_place, "there is no register " + in_quotes(name),
                  near.empty() ? "these can be written: " + listed(known) : "did you mean " + in_quotes(near) + "?");
}

std::shared_ptr<Watch> set(const Watched& watched, const Breakpoint::Words& words, Breakpoint::Hit hit) {
  if (words.size() < 3 || words.back() != "write")
    throw UserError(break_place, "a node, a register and `write` are missing",
                    "write `monitor break register 0 NAME write`; `sanvp describe CARD registers` has the names");
  const int node = parse_number(words.front(), break_place, "card", static_cast<int>(watched.cluster.cards().size()));
  std::string name = words[1];
  for (std::size_t i = 2; i + 1 < words.size(); ++i) name += " " + words[i];
  nic::RegisterWatch* const registers = watched.cluster.registers_of(node);
  if (registers == nullptr) throw UserError(break_place, "this machine's cards declare no registers");
  facts_of(registers->register_table(), name);
  return std::make_shared<Stores>(*registers, node, std::move(name), std::move(hit));
}

const Registration<Breakpoint> registration{
    {.name = "register",
     .form = "register N NAME write",
     .meaning = "gdb stops when a store to a register of node N's card takes effect, such as PutDma",
     .set = set}};

}  // namespace
}  // namespace sanvp
