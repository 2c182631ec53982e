/// A shared object of sw/, loaded for one process: each copy has private globals.
///
/// Copies of a marked file (scripts/images/share.py) share the code, at the same addresses. Other files are copied with
/// memfd_create and loaded under a fresh name, because the loader loads a file that it knows only once, and dlmopen has
/// only 16 namespaces.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/native/code_map.hpp"
#include "models/native/globals_place.hpp"
#include "models/native/interpreted/code.hpp"
#include "models/native/loader.hpp"
#include "models/native/range.hpp"
#include "platform/core/error.hpp"
#include "platform/core/own_files.hpp"

namespace sanvp::native {

/// A function of an image. Calls set the GS base to the image's globals, or interpret its code.
template <class Signature>
class Function;

template <class Result, class... Arguments>
class Function<Result(Arguments...)> {
 public:
  Function() = default;
  /// @param interpreter  null: this processor runs the code itself
  Function(Result (*code)(Arguments...), GlobalsPlace globals, const interpreted::Code* interpreter = nullptr)
      : code_(code), globals_(globals), interpreter_(interpreter) {}
  explicit operator bool() const { return code_ != nullptr; }
  Result operator()(Arguments... arguments) const {
    if (interpreter_ != nullptr) [[unlikely]]
      return interpret(arguments...);
    const AtGlobals there(globals_);
    return code_(std::forward<Arguments>(arguments)...);
  }
  /// The bare pointer, for other functions of the image.
  Result (*code() const)(Arguments...) { return code_; }

 private:
  Result interpret(Arguments... arguments) const {
    [[maybe_unused]] const auto word = [](auto argument) {
      if constexpr (std::is_pointer_v<decltype(argument)>)
        return reinterpret_cast<std::uint64_t>(argument);
      else
        return static_cast<std::uint64_t>(argument);
    };
    [[maybe_unused]] const std::uint64_t result =
        interpreter_->call(reinterpret_cast<const void*>(code_), {word(arguments)...});
    if constexpr (!std::is_void_v<Result>) return static_cast<Result>(result);
  }

  Result (*code_)(Arguments...) = nullptr;
  GlobalsPlace globals_ = 0;
  const interpreted::Code* interpreter_ = nullptr;
};

/// Whether this computer interprets images: any but x86-64, and x86-64 if the environment variable SANVP_IMAGES is
/// `interpreted`, for tests. Results are the same.
bool interprets_images();

/// Whether a constructor or destructor of an image has crashed: exit handlers of the process are then unreliable.
bool loading_has_crashed();

class Image final : public CodeMap {
 public:
  /// Throws UserError if `path` cannot be loaded as an image.
  /// @param loader  has the prices of instructions; used during construction only
  Image(const std::string& path, Loader& loader);
  ~Image();
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  const std::string& path() const { return path_; }

  /// An exported function, such as `function<int(int, char**)>("main")`; false if it does not exist.
  template <class Signature>
  Function<Signature> function(const char* name) const {
    return {reinterpret_cast<Signature*>(symbol(name)), globals_place_, interpreted_.get()};
  }
  /// The same; throws UserError if it does not exist.
  template <class Signature>
  Function<Signature> required(const char* name) const {
    if (const auto found = function<Signature>(name)) return found;
    throw UserError(path_, std::string("has no function '") + name + "'", "compile it with " + own_program("sanvp-cc"));
  }
  void* symbol(const char* name) const;
  /// The counter to which its code adds prices (sw/hal/spent.c); null for code that is not counted.
  std::int64_t* counter() const {
    auto* const place = static_cast<std::int64_t**>(symbol("sanvp_counter"));
    return place != nullptr ? *place : nullptr;
  }

  using Constructor = void (*)(int count, char** arguments, char** environment);
  /// Constructors that have not run, since one of them calls a library: the process runs them before main.
  const std::vector<Constructor>& deferred_constructors() const { return deferred_; }

  /// The base of GS with which its code runs.
  GlobalsPlace globals_place() const { return globals_place_; }

  bool is_code(const void* code) const override { return code_.contains(code, 1); }
  /// Whether `code` is in the functions by which computing code yields, or in the stubs that call them, which belong to
  /// no function.
  bool is_yielding(const void* code) const;
  std::vector<std::string> places_of(const void* code) const override;
  /// places_of in one line: "solve() at prog.c:7 < main() at prog.c:12".
  std::string place_of(const void* code) const;
  /// The address in the file; the inverse of `loaded`.
  std::uint64_t in_file(const void* address) const {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - base_);
  }
  std::byte* loaded(std::uint64_t address) const { return base_ + address; }

  /// Writes the loader's prices into its code, after Loader::reprice.
  void put_new_prices(Loader& loader) const;

  /// Its globals, initialised and zero: the writable segments.
  const std::vector<Range>& globals() const { return globals_; }
  /// Whether so many bytes are its code or constants.
  bool is_constant(const void* pointer, std::size_t bytes) const;

 private:
  struct Trial {};
  Image(const std::string& path, Loader& loader, Trial);
  static void load_on_trial(const std::string& path, Loader& loader);

  [[noreturn]] static void try_in_child(const std::string& path, Loader& loader, volatile int& is_constructing);
  std::vector<Constructor> constructors() const;
  void load(Loader& loader);
  void load_alone(Loader& loader);
  void load_interpreted(Loader& loader);
  void open(const char* name);
  bool load_shared();
  void unload();
  bool put_prices(Loader& loader) const;

  std::string path_;
  bool is_trial_ = false;  ///< no code of it is run
  void* handle_ = nullptr;
  std::unique_ptr<interpreted::Code> interpreted_;
  std::byte* base_ = nullptr;  ///< what its addresses are relative to
  std::vector<Range> globals_;
  Range code_;
  std::vector<Constructor> deferred_;
  std::vector<Range> constants_;  ///< code among them
  Range copied_;                  ///< the globals at which shared code was linked: initial values, read-only
  GlobalsPlace globals_place_ = 0;
};

}  // namespace sanvp::native
