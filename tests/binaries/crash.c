/* Ends as its argument says: by a null pointer, a recursion that is too deep, an illegal instruction, or never. */
#include <stddef.h>
int f(long count), deeper(int depth);
struct node {
  struct node* next;
  int value;
};

__attribute__((noinline)) int walk(struct node* node) {
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += node->value;
    node = node->next;
  }
  return sum;
}

__attribute__((noinline)) int recurse(int depth) {
  volatile int room[256];
  room[0] = depth;
  return recurse(depth + 1) + room[0];
}

int main(int argc, char** argv) {
  struct node alone = {NULL, 1};
  switch (argc > 1 ? argv[1][0] : 'n') {
    case 'n':
      return walk(&alone);
    case 'r':
      return recurse(1);
    case 'i':
      __asm__ volatile(".word 0");
      return 0;
    case 'l':
      return f(100 << 20);
    case 'd':
      return deeper(1);
    default:
      for (volatile int turn = 0;; ++turn) continue;
  }
}

/* Names of one letter are types where they are taken for mangled ones. */
__attribute__((noinline)) int f(long count) {
  volatile char large[count];
  large[0] = 1;
  return large[count - 1];
}

__attribute__((noinline)) int deeper(int depth) { return -deeper(depth + 1) / depth; }
