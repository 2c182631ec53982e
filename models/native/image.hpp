/// A shared object of sw/, loaded for one process: each copy has globals of its own.
///
/// Copies of one that is marked (scripts/images/share.py) have the code in common, at the same addresses. Others are
/// loaded through memfd_create and a name of their own, because the loader takes a file that it knows for one it has,
/// and because dlmopen has 16 name spaces only.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "models/native/globals_place.hpp"
#include "models/native/loader.hpp"
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

/// A function of an image, which finds the image's globals wherever it is called from.
template <class Signature>
class Function;

template <class Result, class... Arguments>
class Function<Result(Arguments...)> {
 public:
  Function() = default;
  Function(Result (*code)(Arguments...), GlobalsPlace globals) : code_(code), globals_(globals) {}
  explicit operator bool() const { return code_ != nullptr; }
  Result operator()(Arguments... arguments) const {
    const AtGlobals there(globals_);
    return code_(std::forward<Arguments>(arguments)...);
  }
  /// For other functions of the image.
  Result (*code() const)(Arguments...) { return code_; }

 private:
  Result (*code_)(Arguments...) = nullptr;
  GlobalsPlace globals_ = 0;
};

/// Whether code that the system's loader called has crashed: what would be called at the end of the program is not to
/// be relied on.
bool loading_has_crashed();

class Image {
 public:
  /// Throws UserError where `path` is no image that can be loaded.
  /// @param loader  has the prices of its instructions; needed during construction only
  Image(const std::string& path, Loader& loader);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  const std::string& path() const { return path_; }

  /// A function that it exports, such as `function<int(int, char**)>("main")`; false where there is none.
  template <class Signature>
  Function<Signature> function(const char* name) const {
    return {reinterpret_cast<Signature*>(symbol(name)), globals_place_};
  }
  /// The same, which must be there: throws UserError.
  template <class Signature>
  Function<Signature> required(const char* name) const {
    if (const auto found = function<Signature>(name)) return found;
    throw UserError(path_, std::string("has no function '") + name + "'", "compile it with build/sanvp-cc");
  }
  void* symbol(const char* name) const;
  /// What its code adds prices to (sw/hal/spent.c); null where it does not.
  std::int64_t* counter() const {
    auto* const place = static_cast<std::int64_t**>(symbol("sanvp_counter"));
    return place != nullptr ? *place : nullptr;
  }

  /// Where its code finds them.
  GlobalsPlace globals_place() const { return globals_place_; }

  /// Whether an instruction at `code` is its own.
  bool is_code(const void* code) const { return code_.contains(code, 1); }
  /// The function that an instruction belongs to, with the line of the source where the image was compiled with -g:
  /// "main() at prog.c:12"; empty where that is not known.
  std::string place_of(const void* code) const;
  /// An address as its file has it; the inverse of `loaded`.
  std::uint64_t in_file(const void* address) const {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - base_);
  }
  std::byte* loaded(std::uint64_t address) const { return base_ + address; }

  /// Its globals, initialised and zero: segments that can be written.
  const std::vector<Range>& globals() const { return globals_; }

 private:
  struct Trial {};
  Image(const std::string& path, Loader& loader, Trial);
  static void load_on_trial(const std::string& path, Loader& loader);

  void load(Loader& loader);
  void load_alone(Loader& loader);
  void open(const char* name);
  bool load_shared();
  void unload();
  bool put_prices(Loader& loader) const;

  std::string path_;
  bool is_trial_ = false;  ///< nothing of it is run
  void* handle_ = nullptr;
  std::byte* base_ = nullptr;  ///< what its addresses are relative to
  std::vector<Range> globals_;
  Range code_;
  Range copied_;  ///< the globals that code in common was linked to: initial values, where nothing is ever stored
  GlobalsPlace globals_place_ = 0;
};

}  // namespace sanvp::native
