#include "models/net/elision.hpp"

#include <cstdlib>
#include <string_view>

namespace sanvp::net {

Elision elision_from_environment() {
  const char* const text = std::getenv("SANVP_ELISION");
  return text != nullptr && std::string_view{text} == "off" ? Elision::off : Elision::on;
}

}  // namespace sanvp::net
