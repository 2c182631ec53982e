#include "models/net/fabric.hpp"

#include <algorithm>

namespace sanvp::net {

/// A host's edge of the network: turns calls of its NIC into events of the timeline, and back.
class Fabric::Port final : public NetworkForward, public Endpoint, public EventHandler {
 public:
  Port(Fabric& fabric, int host) : fabric_(fabric), host_(host) {}

  /// The socket is bound: all calls go there, past its checks.
  void find_nic() { nic_ = fabric_.host[host_].operator->(); }

  Packet& make_packet() override {
    Packet& packet = fabric_.network_.make_packet();
    packet.source = host_;
    return packet;
  }

  void send(Packet& packet, const sc_core::sc_time& delay) override {
    packet.generated = kernel_now() + to_time(delay);
    if (queue().dispatch_inline(packet.generated, send_kind, unit()))
      fabric_.network_.send(packet);
    else
      schedule(send_kind, packet, packet.generated);
  }

  void acknowledge(Packet& packet, int acknowledgement, std::uint64_t reply, const sc_core::sc_time& delay) override {
    const Time at = kernel_now() + to_time(delay);
    if (queue().dispatch_inline(at, acknowledge_kind, unit())) {
      fabric_.network_.acknowledge(packet, host_, acknowledgement, reply);
      return;
    }
    answers_.push_back({&packet, packet.id, acknowledgement, reply});
    schedule(acknowledge_kind, packet, at);
  }

  void forward(Packet& packet) override {
    fabric_.timeline_.catch_up();
    fabric_.network_.forward(packet, host_);
  }
  void abandon(Packet& packet) override {
    fabric_.timeline_.catch_up();
    fabric_.network_.abandon(packet);
  }

  void handle(const Event& event) override {
    Packet& packet = *static_cast<Packet*>(event.subject);
    if (event.kind == send_kind) {
      fabric_.network_.send(packet);
      return;
    }
    const auto answer =
        std::find_if(answers_.begin(), answers_.end(), [&](const Answer& known) { return known.packet == &packet; });
    const auto [answered, id, acknowledgement, reply] = *answer;
    answers_.erase(answer);
    // The object of an abandoned packet may be another packet by now.
    if (answered->id == id) fabric_.network_.acknowledge(*answered, host_, acknowledgement, reply);
  }

  void injected(Packet& packet) override { nic_->injected(packet, ahead()); }
  void acknowledged(Packet& packet) override { nic_->acknowledged(packet, ahead()); }
  void sent(Packet& packet) override { nic_->sent(packet, ahead()); }
  bool hears_sent() const override { return nic_->hears_sent(); }
  void lost(Packet& packet) override { nic_->lost(packet, ahead()); }
  void delivered(Packet& packet, int) override { nic_->delivered(packet, ahead()); }
  void in_transit(Packet& packet, int) override { nic_->in_transit(packet, ahead()); }
  void closed(Packet& packet) override { nic_->closed(packet, ahead()); }

 private:
  // After all kinds of Network's events at the same instant.
  static constexpr std::uint16_t send_kind = 64;
  static constexpr std::uint16_t acknowledge_kind = 65;

  struct Answer {
    Packet* packet;
    std::uint64_t id;
    int acknowledgement;
    std::uint64_t reply;
  };

  void schedule(std::uint16_t kind, Packet& packet, Time at) {
    fabric_.timeline_.catch_up();
    fabric_.timeline_.schedule({.ps = at.count(), .handler = this, .subject = &packet, .kind = kind, .unit = unit()});
  }

  EventQueue& queue() { return fabric_.timeline_.queue(); }
  std::uint32_t unit() const { return static_cast<std::uint32_t>(host_); }
  sc_core::sc_time ahead() const { return fabric_.timeline_.ahead(); }

  Fabric& fabric_;
  int host_;
  NetworkBackward* nic_ = nullptr;
  std::vector<Answer> answers_;  // on their way to the network: a few at most
};

Fabric::Fabric(sc_core::sc_module_name name, Timeline& timeline, const Wiring& wiring, Fidelity fidelity,
               std::uint64_t seed)
    : sc_module(name),
      host("host", wiring.nics.size()),
      timeline_(timeline),
      network_(wiring, timeline.queue(), fidelity, seed) {
  for (int i = 0; i < static_cast<int>(wiring.nics.size()); ++i) {
    ports_.push_back(std::make_unique<Port>(*this, i));
    host[i].bind(*ports_.back());
  }
}

Fabric::~Fabric() = default;

void Fabric::end_of_elaboration() {
  for (int i = 0; i < static_cast<int>(ports_.size()); ++i) {
    if (host[i].get_base_port().size() == 0) continue;
    ports_[i]->find_nic();
    network_.attach(i, *ports_[i]);
  }
}

}  // namespace sanvp::net
