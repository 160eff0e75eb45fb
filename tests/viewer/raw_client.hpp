// SPDX-License-Identifier: MIT
// A client that can misbehave: plain sockets, WebSocket frames put together by hand.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apsis::test {

class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  RawClient(RawClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        connected_(other.connected_),
        buffer_(std::move(other.buffer_)) {}
  RawClient& operator=(RawClient&&) = delete;
  ~RawClient() {
    if (socket_ >= 0) ::close(socket_);
  }

  bool connected() const { return connected_; }
  int descriptor() const { return socket_; }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // More bytes into the buffer; false at the end of the stream or of the time.
  bool receive(std::chrono::milliseconds wait) {
    pollfd watched{socket_, POLLIN, 0};
    if (::poll(&watched, 1, static_cast<int>(wait.count())) <= 0) return false;
    char block[65536];
    const auto got = ::recv(socket_, block, sizeof block, 0);
    if (got <= 0) {
      closed_ = true;
      return false;
    }
    buffer_.append(block, static_cast<std::size_t>(got));
    return true;
  }
  // Whether the server closes within that time, whatever it sends before.
  bool closes_within(std::chrono::milliseconds wait) {
    const auto end = std::chrono::steady_clock::now() + wait;
    while (!closed_ && std::chrono::steady_clock::now() < end) {
      receive(std::chrono::milliseconds(50));
      buffer_.clear();
    }
    return closed_;
  }

  // Everything up to the end of the headers, and the status in them; 0: no answer.
  int status(std::chrono::milliseconds wait = std::chrono::seconds(5)) {
    const auto end = std::chrono::steady_clock::now() + wait;
    while (buffer_.find("\r\n\r\n") == std::string::npos &&
           std::chrono::steady_clock::now() < end) {
      if (!receive(std::chrono::milliseconds(200)) && closed_) break;
    }
    const auto headers_end = buffer_.find("\r\n\r\n");
    if (headers_end == std::string::npos) return 0;
    headers_ = buffer_.substr(0, headers_end);
    buffer_.erase(0, headers_end + 4);
    return std::atoi(headers_.c_str() + 9);
  }
  const std::string& headers() const { return headers_; }
  const std::string& rest() const { return buffer_; }

  int get(const std::string& target, const std::string& more,
          const std::string& host = "127.0.0.1") {
    send("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n");
    return status();
  }
  int open_socket(const std::string& cookie, const std::string& origin = "http://127.0.0.1",
                  const std::string& host = "127.0.0.1") {
    return get("/socket",
               "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: " +
                   origin + "\r\nCookie: " + cookie + "\r\n",
               host);
  }

  static std::string frame(std::string_view payload, unsigned char first = 0x81,
                           bool masked = true) {
    std::string bytes(1, static_cast<char>(first));
    const unsigned mask_bit = masked ? 0x80 : 0;
    if (payload.size() < 126) {
      bytes += static_cast<char>(mask_bit | payload.size());
    } else {
      bytes += static_cast<char>(mask_bit | 126);
      bytes += static_cast<char>(payload.size() >> 8 & 255);
      bytes += static_cast<char>(payload.size() & 255);
    }
    constexpr char mask[4] = {1, 2, 3, 4};
    if (masked) bytes.append(mask, 4);
    for (std::size_t i = 0; i < payload.size(); ++i) {
      bytes += static_cast<char>(payload[i] ^ (masked ? mask[i % 4] : 0));
    }
    return bytes;
  }

  struct Message {
    int opcode = 0;
    std::string payload;
  };
  // The next whole message of the server, which never splits one.
  std::optional<Message> message(std::chrono::milliseconds wait = std::chrono::seconds(5)) {
    const auto end = std::chrono::steady_clock::now() + wait;
    for (;;) {
      if (auto found = take()) return found;
      if (closed_ || std::chrono::steady_clock::now() >= end) return std::nullopt;
      receive(std::chrono::milliseconds(100));
    }
  }

 private:
  std::optional<Message> take() {
    if (buffer_.size() < 2) return std::nullopt;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(buffer_[i]); };
    std::size_t length = byte(1) & 127, header = 2;
    const std::size_t wide = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (buffer_.size() < header + wide) return std::nullopt;
    if (wide > 0) {
      length = 0;
      for (std::size_t i = 0; i < wide; ++i) length = length << 8 | byte(2 + i);
      header += wide;
    }
    if (buffer_.size() < header + length) return std::nullopt;
    Message message{byte(0) & 15, buffer_.substr(header, length)};
    buffer_.erase(0, header + length);
    return message;
  }

  int socket_;
  bool connected_ = false, closed_ = false;
  std::string buffer_, headers_;
};

}  // namespace apsis::test
