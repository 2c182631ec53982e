/* chdir and fchdir: paths begin at the working folder, and `..` leads back up. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static char path[4096], top[4096];
static void say(const char* what, int result) {
  printf("%s: %d %s; ", what, result, result < 0 ? strerror(errno) : "");
  if (getcwd(path, sizeof path) == NULL)
    printf("%s\n", strerror(errno));
  else
    printf("in %s\n", strncmp(path, top, strlen(top)) == 0 ? path + strlen(top) : "another place");
}
int main(void) {
  struct stat status;
  getcwd(top, sizeof top);
  mkdir("work.d", 0755);
  mkdir("work.d/sub", 0755);
  const int folder = open(".", O_RDONLY | O_DIRECTORY);
  say("down", chdir("work.d/sub"));
  const int file = open("x..y", O_CREAT | O_RDWR, 0644);
  say("to a file", chdir("x..y"));
  say("to a file's descriptor", fchdir(file));
  close(file);
  say("to nothing", chdir("nothing"));
  say("to an empty path", chdir(""));
  printf("%d %d\n", symlink("x..y", "link"), access("../sub/link", F_OK));
  say("up", chdir(".."));
  printf("%d %d %d\n", stat("sub/x..y", &status), rename("sub/x..y", "z"), access("../work.d/z", F_OK));
  say("by a descriptor", fchdir(folder));
  say("by a bad one", fchdir(77));
  printf("%d %d\n", access("work.d/z", F_OK), access("z", F_OK));
  strcpy(path, top);
  say("by the whole path", chdir(strcat(path, "/work.d/sub")));
  printf("%d %d\n", unlink("link"), rmdir("../sub"));
  say("in a folder that is gone", open("new", O_CREAT | O_RDWR, 0644));
  say("back", chdir(top));
  printf("%d %d\n", unlink("work.d/z"), rmdir("work.d"));
  return 0;
}
