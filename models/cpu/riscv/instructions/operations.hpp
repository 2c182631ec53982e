/// Operations on words that integer instructions and atomic memory operations have in common.
#pragma once

namespace sanvp::riscv {

struct Add {
  template <class Word>
  static Word of(Word a, Word b) {
    return a + b;
  }
};
struct And {
  template <class Word>
  static Word of(Word a, Word b) {
    return a & b;
  }
};
struct Or {
  template <class Word>
  static Word of(Word a, Word b) {
    return a | b;
  }
};
struct Xor {
  template <class Word>
  static Word of(Word a, Word b) {
    return a ^ b;
  }
};

}  // namespace sanvp::riscv
