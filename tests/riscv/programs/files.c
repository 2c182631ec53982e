/* Files in the working directory: write, read, seek, stat, remove; nothing outside of it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
  FILE* f = fopen("data.txt", "w+");
  if (!f) return 1;
  for (int i = 0; i < 1000; ++i) fprintf(f, "line %d\n", i);
  fseek(f, 100, SEEK_SET);
  char line[64];
  for (int i = 0; i < 3; ++i) printf("%s", fgets(line, sizeof line, f));
  printf("%ld\n", ftell(f));
  fclose(f);
  struct stat s;
  printf("%d %ld %o\n", stat("data.txt", &s), (long)s.st_size, s.st_mode & S_IFMT);
  printf("%d", stat("none.txt", &s));
  printf(" %d\n", errno);
  int fd = open("data.txt", O_RDWR);
  char* map = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 4096);
  printf("%.20s\n", map);
  map[0] = 'X';
  struct iovec v[2] = {{"ab", 2}, {"cdef", 4}};
  printf("%ld %ld\n", (long)lseek(fd, 0, SEEK_END), (long)writev(fd, v, 2));
  int other = dup(fd);
  printf("%ld %d\n", (long)lseek(other, -4, SEEK_CUR), fcntl(other, F_GETFL) & O_ACCMODE);
  printf("%ld %.4s\n", (long)read(fd, line, 10), line);
  close(fd), close(other);
  printf("%d %d\n", close(77), errno);
  printf("%d %d %d\n", mkdir("sub", 0755), access("sub", F_OK), rmdir("sub"));
  printf("%d %d\n", unlink("data.txt"), access("data.txt", F_OK));
  printf("%d\n", open("/dev/null", O_RDWR) > 2);
  return isatty(1);
}
