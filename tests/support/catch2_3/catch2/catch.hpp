/// Catch2 3 under the header and the names of Catch2 2, which the tests use. cmake/Tests.cmake puts this folder on the
/// include path if it finds Catch2 3.
#pragma once

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <catch2/matchers/catch_matchers_vector.hpp>
#include <string>

namespace Catch {

namespace Matchers {
/// Version 3's own `Contains` is for ranges.
inline auto Contains(const std::string& part) { return ContainsSubstring(part); }
}  // namespace Matchers

using Matchers::Contains;
using Matchers::EndsWith;
using Matchers::StartsWith;
using Matchers::VectorContains;

}  // namespace Catch

using Catch::Approx;
