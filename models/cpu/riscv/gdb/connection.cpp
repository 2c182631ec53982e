#include "models/cpu/riscv/gdb/connection.hpp"

#include <poll.h>

#include <array>
#include <charconv>
#include <utility>

#include <boost/asio/buffer.hpp>

#include "platform/core/error.hpp"

namespace sanvp::riscv::gdb {

using boost::asio::ip::tcp;

namespace {

/// Not the end of the connection.
bool is_passing(const boost::system::error_code& error) {
  return error == boost::asio::error::interrupted || error == boost::asio::error::would_block;
}

}  // namespace

int parse_port(const std::string& text, const std::string& place) {
  int port = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || stopped != end || port < 0 || port > 65535)
    throw UserError(place, "'" + text + "' is not a port", "give a number up to 65535; 0: any that is free");
  return port;
}

Connection::Connection(int port, std::function<bool()> goes_on)
    : acceptor_(context_), client_(context_), goes_on_(std::move(goes_on)) {
  boost::system::error_code error;
  const tcp::endpoint loopback(boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(port));
  acceptor_.open(loopback.protocol());
  acceptor_.set_option(tcp::acceptor::reuse_address(true));  // also right after another run with this port
  acceptor_.bind(loopback, error);
  if (!error) acceptor_.listen(1, error);
  if (error)
    throw UserError("--gdb", "port " + std::to_string(port) + " cannot be used: " + error.message(),
                    "choose another, or 0 for any that is free");
  acceptor_.non_blocking(true);
  port_ = acceptor_.local_endpoint().port();
}

bool Connection::is_ready(int descriptor, short events, std::chrono::milliseconds wait) {
  pollfd waited{.fd = descriptor, .events = events, .revents = 0};
  return poll(&waited, 1, static_cast<int>(wait.count())) > 0;
}

bool Connection::accept() {
  if (client_.is_open()) return false;
  boost::system::error_code error;
  acceptor_.accept(client_, error);
  if (error) return false;
  client_.set_option(tcp::no_delay(true), error);
  client_.non_blocking(true, error);
  return true;
}

void Connection::adopt(int descriptor) {
  if (descriptor < 0) return;
  context_.notify_fork(boost::asio::execution_context::fork_child);  // its list of sockets is shared otherwise
  boost::system::error_code error;
  if (client_.is_open()) client_.close(error);
  client_.assign(tcp::v4(), descriptor, error);
  client_.non_blocking(true, error);
}

void Connection::close() {
  boost::system::error_code ignored;
  client_.shutdown(tcp::socket::shutdown_both, ignored);
  client_.close(ignored);
}

std::string Connection::read(std::chrono::milliseconds wait) {
  if (!is_ready(client_.native_handle(), POLLIN, wait)) return {};
  std::array<char, 4096> bytes{};
  boost::system::error_code error;
  const std::size_t count = client_.read_some(boost::asio::buffer(bytes), error);
  if (error && !is_passing(error)) close();
  return {bytes.data(), count};
}

void Connection::write(std::string_view bytes) {
  constexpr std::chrono::milliseconds between_checks{100};
  while (!bytes.empty()) {
    boost::system::error_code error;
    bytes.remove_prefix(client_.write_some(boost::asio::buffer(bytes.data(), bytes.size()), error));
    if (error && !is_passing(error)) return close();
    if (!error || is_ready(client_.native_handle(), POLLOUT, between_checks)) continue;
    if (!goes_on_()) return close();
  }
}

void Connection::await(std::chrono::milliseconds wait) { is_ready(acceptor_.native_handle(), POLLIN, wait); }

}  // namespace sanvp::riscv::gdb
