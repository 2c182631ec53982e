/// A shared object of sw/, loaded for one process alone: each copy has globals of its own.
///
/// A copy through memfd_create or a temporary file, because the loader takes a file that it knows for one it has, and
/// because dlmopen has 16 name spaces only.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/core/error.hpp"

namespace sanvp::native {

/// Memory of a process.
struct Range {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;

  std::byte* end() const { return begin + bytes; }
  bool contains(const volatile void* pointer, std::size_t length) const {
    const auto* first = static_cast<const volatile std::byte*>(pointer);
    return first >= begin && first <= end() && length <= static_cast<std::size_t>(end() - first);
  }
};

class Image {
 public:
  /// Throws UserError where `path` is no image that can be loaded.
  explicit Image(const std::string& path);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  const std::string& path() const { return path_; }

  /// A function that it exports, such as `function<int(int, char**)>("main")`; null where there is none.
  template <class Signature>
  Signature* function(const char* name) const {
    return reinterpret_cast<Signature*>(symbol(name));
  }
  /// The same, which must be there: throws UserError.
  template <class Signature>
  Signature& required(const char* name) const {
    if (auto* found = function<Signature>(name)) return *found;
    throw UserError(path_, std::string("has no function '") + name + "'", "compile it with build/sanvp-cc");
  }
  void* symbol(const char* name) const;

  /// Whether an instruction at `code` is its own.
  bool is_code(const void* code) const { return code_.contains(code, 1); }
  /// The function that an instruction belongs to, from the file's symbols; empty where that is not known.
  std::string function_at(const void* code) const;
  /// The same with the line of the source, where the image was compiled with -g: "main() at prog.c:12".
  std::string place_of(const void* code) const;
  /// Its globals, initialised and zero: segments that can be written.
  const std::vector<Range>& globals() const { return globals_; }

 private:
  std::string path_;
  void* handle_ = nullptr;
  std::byte* base_ = nullptr;  ///< what its addresses are relative to
  std::vector<Range> globals_;
  Range code_;
};

}  // namespace sanvp::native
