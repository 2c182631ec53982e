/// Lists in values of parameters.
#pragma once

#include <string_view>
#include <vector>

namespace sanvp {

/// What stands between the commas of "a, b", without blanks around it. A comma may end the list; "" is empty.
std::vector<std::string_view> between_commas(std::string_view text);

}  // namespace sanvp
