/// A client's connection, on the loopback address only.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sanvp::riscv::gdb {

/// @param text  a number below 65536, or UserError. @param place  for its message
int parse_port(const std::string& text, const std::string& place);

/// One client at a time.
class Connection {
 public:
  /// Throws UserError if the port is in use. @param port  0: any that is free
  /// @param goes_on  asked while a client does not take what is written: false closes the connection
  Connection(int port, std::function<bool()> goes_on);

  int port() const { return port_; }
  bool is_open() const { return client_.is_open(); }
  /// Accepts a waiting client unless one is connected. @returns whether a new one is connected
  bool accept();
  /// The client's socket; -1: no client.
  int descriptor() { return is_open() ? client_.native_handle() : -1; }
  /// In a process that was forked earlier: takes the client that another process has accepted, in place of its own.
  void adopt(int descriptor);
  void close();

  /// Bytes from the client: those that are there, or those that come within this time. Closes if the client has.
  std::string read(std::chrono::milliseconds wait);
  void write(std::string_view bytes);
  /// Waits for a client.
  void await(std::chrono::milliseconds wait);

 private:
  static bool is_ready(int descriptor, short events, std::chrono::milliseconds wait);

  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::tcp::socket client_;
  std::function<bool()> goes_on_;
  int port_ = 0;
};

}  // namespace sanvp::riscv::gdb
