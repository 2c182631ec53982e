#include "models/nic/elan3/transactions.hpp"

#include <cstddef>
#include <cstring>

namespace sanvp::nic::elan3 {
namespace {

Subject subject_of(const Transaction& transaction, int input = -1) {
  return {.context = transaction.context, .remote = true, .input = input};
}

template <class T>
T data_as(const Transaction& transaction, std::size_t offset = 0) {
  T value{};
  if (transaction.data.size() >= offset + sizeof value)
    std::memcpy(&value, transaction.data.data() + offset, sizeof value);
  return value;
}

bool holds(e3_transaction test, std::int32_t word, std::int32_t operand) {
  switch (test) {
    case E3_TR_GTE:
      return word >= operand;
    case E3_TR_LT:
      return word < operand;
    case E3_TR_EQ:
      return word == operand;
    default:
      return word != operand;
  }
}

constexpr e3_addr word_align = 4, double_word_align = 8;

}  // namespace

// ---- check ----

void Transactions::fetch_ahead(const ParsedPacket& packet) const {
  if (packet.transactions().empty()) return;
  memory_.mmu().fetch_ahead(packet.transactions().front().context);
  for (const Transaction& transaction : packet.transactions())
    if (!transaction.is_block() && transaction.address != 0)
      memory_.fetch_ahead(transaction.context, transaction.address, sizeof(e3_event));
}

Judgement Transactions::judge(const ParsedPacket& packet, Time at) {
  Judgement judgement{.done = at};
  if (packet.malformed()) {
    judgement.acknowledgement = E3_ACK_DISCARD;
    return judgement;
  }
  std::optional<Slot> slot;
  std::optional<std::uint32_t> context;  // of `filter`: usually the same for all transactions
  std::uint32_t filter = 0;
  for (const Transaction& transaction : packet.transactions()) {
    if (context != transaction.context) {
      context = transaction.context;
      filter = memory_.mmu().filter(*context);
    }
    if ((filter & E3_FILTER_DISCARD) != 0) judgement.acknowledgement = E3_ACK_DISCARD;
    if ((filter & E3_FILTER_ACK) != 0) judgement.thrown_away = true;
    if (judgement.acknowledgement != E3_ACK_OK || judgement.thrown_away) return judgement;
    judge(transaction, slot, judgement);
    judgement.waits |= waits_for_end(transaction);
    if (judgement.fault && judgement.object == 0) judgement.object = transaction.address;
    if (judgement.fault || judgement.acknowledgement != E3_ACK_OK) return judgement;
  }
  return judgement;
}

void Transactions::require(const Transaction& transaction, std::uint32_t bytes, Intent intent, Judgement& judgement) {
  const Access access = memory_.check(subject_of(transaction), transaction.address, bytes, intent, judgement.done);
  judgement.done = access.done;
  judgement.fault = access.fault;
}

void Transactions::judge(const Transaction& transaction, std::optional<Slot>& slot, Judgement& judgement) {
  if (transaction.is_block()) return judge_block(transaction, slot, judgement);
  const auto aligned = [&](e3_addr to) {
    if (transaction.address % to == 0) return true;
    judgement.fault = {E3_CAUSE_ALIGNMENT, transaction.context, transaction.address, E3_PERM_REMOTE_WRITE};
    return false;
  };
  switch (transaction.opcode()) {
    case E3_TR_SET_EVENT:
      if (transaction.address != 0) judgement.fault = events_.check(subject_of(transaction), transaction.address);
      return;
    case E3_TR_REMOTE_DMA:
      return judge_remote_dma(transaction, judgement);
    case E3_TR_LOCK_QUEUE:
      return judge_lock(transaction, slot, judgement);
    case E3_TR_UNLOCK_QUEUE:
      slot.reset();
      return;
    case E3_TR_SEND_DISCARD:
      judgement.acknowledgement = E3_ACK_DISCARD;
      return;
    case E3_TR_GTE:
    case E3_TR_LT:
    case E3_TR_EQ:
    case E3_TR_NEQ:
      if (aligned(word_align)) judge_test(transaction, judgement);
      return;
    case E3_TR_WRITE_WORD:
    case E3_TR_TEST_AND_WRITE:
    case E3_TR_ATOMIC_ADD_WORD:
      if (aligned(word_align)) require(transaction, sizeof(std::uint32_t), Intent::write, judgement);
      return;
    case E3_TR_WRITE_DOUBLE_WORD:
      if (aligned(double_word_align)) require(transaction, sizeof(std::uint64_t), Intent::write, judgement);
      return;
    case E3_TR_TRACE_ROUTE:
    case E3_TR_DMA_IDENTIFY:
    case E3_TR_THREAD_IDENTIFY:
      return;  // only for debugging of failed packets
  }
}

void Transactions::judge_block(const Transaction& transaction, const std::optional<Slot>& slot, Judgement& judgement) {
  const auto bytes = static_cast<std::uint32_t>(transaction.data.size());
  if (!slot) return require(transaction, bytes, Intent::write, judgement);
  if (transaction.address + bytes > slot->bytes) {
    judgement.fault = {E3_CAUSE_DESCRIPTOR, transaction.context, slot->base + transaction.address, E3_PERM_NULL};
    return;
  }
  Transaction in_slot = transaction;
  in_slot.address += slot->base;
  require(in_slot, bytes, Intent::write, judgement);
}

void Transactions::judge_lock(const Transaction& transaction, std::optional<Slot>& slot, Judgement& judgement) {
  judgement.fault = events_.check(subject_of(transaction), transaction.address + offsetof(e3_input_queue, event));
  if (judgement.fault) return;
  e3_input_queue queue{};
  const Access access =
      memory_.load(subject_of(transaction), transaction.address, queue, judgement.done, Intent::event);
  judgement.done = access.done;
  judgement.fault = access.fault;
  if ((queue.state & (E3_QUEUE_FULL | E3_QUEUE_LOCKED)) != 0) judgement.acknowledgement = E3_ACK_DISCARD;
  slot = Slot{.base = queue.back, .bytes = queue.slot_bytes};
}

void Transactions::judge_test(const Transaction& transaction, Judgement& judgement) {
  std::int32_t word = 0;
  const Access access = memory_.load(subject_of(transaction), transaction.address, word, judgement.done);
  judgement.done = access.done;
  judgement.fault = access.fault;
  if (!access.fault && !holds(transaction.opcode(), word, data_as<std::int32_t>(transaction)))
    judgement.acknowledgement = E3_ACK_TEST_FAIL;
}

void Transactions::judge_remote_dma(const Transaction& transaction, Judgement& judgement) {
  const auto dma = data_as<e3_dma>(transaction);
  judgement.object = dma.source;
  judgement.fault = dma_.check(transaction.context, dma, dma.source);
  if (judgement.fault || dma.size == 0) return;
  // Only the first and the last byte: a fault between them is found during the transfer.
  for (const e3_addr at : {dma.source, dma.source + (dma.size - 1)}) {
    const Access access = memory_.check(subject_of(transaction), at, 1, Intent::read, judgement.done);
    judgement.done = access.done;
    judgement.fault = access.fault;
    if (access.fault) return;
  }
}

// ---- execution ----

Transactions::Applied Transactions::apply(const ParsedPacket& packet, bool after_end, Time at) {
  Applied applied{.done = at};
  std::optional<Slot> slot;
  const auto all = packet.transactions();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Transaction& transaction = all[i];
    if (transaction.is_block()) {
      // Adjacent blocks form one burst on the bus.
      std::size_t end = i + 1;
      while (end < all.size() && all[end].is_block() && all[end].context == transaction.context &&
             all[end].address == all[end - 1].address + all[end - 1].data.size())
        ++end;
      if (!after_end) applied.done = write_blocks(all.subspan(i, end - i), slot, applied.done);
      i = end - 1;
      continue;
    }
    if (waits_for_end(transaction) != after_end) continue;
    if (transaction.opcode() == E3_TR_LOCK_QUEUE) {
      e3_input_queue queue{};
      memory_.load(subject_of(transaction), transaction.address, queue, at, Intent::event);
      slot = Slot{.base = queue.back, .bytes = queue.slot_bytes};
    } else if (transaction.opcode() == E3_TR_UNLOCK_QUEUE) {
      advance(subject_of(transaction), transaction.address, at);
      slot.reset();
    } else {
      applied.done = write_word(transaction, applied, applied.done);
    }
  }
  return applied;
}

Time Transactions::write_blocks(std::span<const Transaction> blocks, const std::optional<Slot>& slot, Time at) {
  std::array<std::byte, PacketBuilder::most_transactions * E3_BLOCK_BYTES> buffer;
  std::size_t bytes = 0;
  for (const Transaction& block : blocks) {
    std::memcpy(buffer.data() + bytes, block.data.data(), block.data.size());
    bytes += block.data.size();
  }
  const e3_addr to = blocks.front().address + (slot ? slot->base : 0);
  counters_.count(Counter::payload_received, bytes);
  const Access access = memory_.write(subject_of(blocks.front()), to, {buffer.data(), bytes}, at);
  if (!access.main) return at;  // SDRAM takes them as they come
  return posted_.post(static_cast<int>(blocks.size()), at, access.done);
}

Time Transactions::write_word(const Transaction& transaction, Applied& applied, Time at) {
  const Subject subject = subject_of(transaction);
  std::uint32_t before = 0;
  switch (transaction.opcode()) {
    case E3_TR_WRITE_WORD:
      return memory_.store(subject, transaction.address, data_as<std::uint32_t>(transaction), at).done;
    case E3_TR_WRITE_DOUBLE_WORD:
      return memory_.store(subject, transaction.address, data_as<std::uint64_t>(transaction), at).done;
    case E3_TR_TEST_AND_WRITE: {
      at = memory_.load(subject, transaction.address, before, at, Intent::write).done;
      applied.reply = before;
      if (before != data_as<std::uint32_t>(transaction)) return at;
      return memory_.store(subject, transaction.address, data_as<std::uint32_t>(transaction, sizeof before), at).done;
    }
    case E3_TR_ATOMIC_ADD_WORD: {
      at = memory_.load(subject, transaction.address, before, at, Intent::write).done;
      applied.reply = before;
      return memory_.store(subject, transaction.address, before + data_as<std::uint32_t>(transaction), at).done;
    }
    default:
      return at;
  }
}

/// Advances the queue's back pointer to the next slot; if that is the reader's slot, the queue is full.
void Transactions::advance(Subject subject, e3_addr queue, Time at) {
  e3_input_queue record{};
  memory_.load(subject, queue, record, at, Intent::event);
  record.back = record.back == record.top ? record.base : record.back + record.slot_bytes;
  if (record.back == record.front) record.state |= E3_QUEUE_FULL;
  memory_.store(subject, queue + offsetof(e3_input_queue, back), record.back, at, Intent::event);
  memory_.store(subject, queue + offsetof(e3_input_queue, state), record.state, at, Intent::event);
}

bool Transactions::acts(const Transaction& transaction) {
  if (transaction.is_block()) return false;
  const e3_transaction opcode = transaction.opcode();
  return opcode == E3_TR_UNLOCK_QUEUE || opcode == E3_TR_REMOTE_DMA ||
         (opcode == E3_TR_SET_EVENT && transaction.address != 0);
}

net::Task<Fault> Transactions::act(const Transaction& transaction, int input) {
  switch (transaction.opcode()) {
    case E3_TR_UNLOCK_QUEUE:
      return events_.set(subject_of(transaction, input),
                         transaction.address + static_cast<e3_addr>(offsetof(e3_input_queue, event)));
    case E3_TR_REMOTE_DMA:
      return queue_dma(transaction);
    default:
      return events_.set(subject_of(transaction, input), transaction.address);
  }
}

net::Task<Fault> Transactions::queue_dma(const Transaction& transaction) {
  auto dma = data_as<e3_dma>(transaction);
  dma.type |= E3_DMA_REMOTE;
  co_return dma_.put(transaction.context, dma, 0);
}

}  // namespace sanvp::nic::elan3
