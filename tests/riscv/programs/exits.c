/* atexit, destructors, exit status. */
#include <stdio.h>
#include <stdlib.h>
static void last(void) { printf("last\n"); }
__attribute__((destructor)) static void after(void) { printf("destructor\n"); }
__attribute__((constructor)) static void before(void) { printf("constructor\n"); }
int main(int argc, char** argv, char** environment) {
  atexit(last);
  printf("%d %s %s\n", argc, argv[argc - 1], environment[0] ? getenv("NAME") : "none");
  exit(77);
}
