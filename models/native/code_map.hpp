/// What catching a crash needs to know of an image: which addresses are its code, and what is there.
#pragma once

#include <string>
#include <vector>

namespace sanvp::native {

class CodeMap {
 public:
  /// Whether `code` is in the image's code. Called by signal handlers.
  virtual bool is_code(const void* code) const = 0;
  /// The function that an instruction belongs to, with the source line if the image was compiled with -g: "main() at
  /// prog.c:12". Before it the functions that are inlined there, each before its caller. None if it is not known.
  virtual std::vector<std::string> places_of(const void* code) const = 0;

 protected:
  ~CodeMap() = default;
};

}  // namespace sanvp::native
