#pragma once
// A port of this host that nobody has.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace jute::test {

inline std::string free_place() {
  const int handle = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  if (::bind(handle, reinterpret_cast<sockaddr*>(&at), size) != 0 ||
      ::getsockname(handle, reinterpret_cast<sockaddr*>(&at), &size) != 0)
    throw std::runtime_error("no port is free");
  ::close(handle);
  return "127.0.0.1:" + std::to_string(ntohs(at.sin_port));
}

}  // namespace jute::test
