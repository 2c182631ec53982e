// Folders and temporary files: what is in them, other names, links, lengths.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(const char* name, const char* text) {
  FILE* const file = fopen(name, "w");
  fputs(text, file);
  fclose(file);
}

static int visible(const struct dirent* entry) { return entry->d_name[0] != '.'; }

static void list(const char* folder) {
  struct dirent** entries;
  const int count = scandir(folder, &entries, visible, alphasort);
  printf("%s has %d:", folder, count);
  for (int i = 0; i < count; ++i) {
    printf(" %s%s", entries[i]->d_name, entries[i]->d_type == DT_DIR ? "/" : "");
    free(entries[i]);
  }
  free(entries);
  printf("\n");
}

int main(void) {
  char path[4096], name[300];
  struct stat status;
  mkdir("folders.d", 0755);
  mkdir("folders.d/sub", 0700);
  for (int i = 0; i < 300; ++i) { /* more than one call gives */
    snprintf(name, sizeof name, "folders.d/sub/%0200d", i);
    make(name, "");
  }
  DIR* const many = opendir("folders.d/sub");
  int count = 0;
  while (readdir(many) != NULL) ++count;
  rewinddir(many);
  int again = 0;
  while (readdir(many) != NULL) ++again;
  closedir(many);
  printf("%d %d\n", count, again);
  make("folders.d/b", "bbbb");
  make("folders.d/a", "aa");
  list("folders.d");
  printf("%d %d\n", rename("folders.d/b", "folders.d/c"), rename("folders.d/b", "x"));
  printf("%d %d\n", link("folders.d/c", "folders.d/hard"), symlink("a", "folders.d/soft"));
  stat("folders.d/c", &status);
  printf("%d links, %ld bytes\n", (int)status.st_nlink, (long)status.st_size);
  lstat("folders.d/soft", &status);
  printf("link %d, to %d: ", S_ISLNK(status.st_mode), (int)readlink("folders.d/soft", path, sizeof path));
  printf("%.1s\n", path);
  truncate("folders.d/soft", 1);
  stat("folders.d/a", &status);
  printf("%ld bytes\n", (long)status.st_size);
  chmod("folders.d/a", 0400);
  stat("folders.d/a", &status);
  printf("%o\n", status.st_mode & 0777);
  list("folders.d");
  realpath("folders.d/soft", path);
  printf("%s\n", strrchr(path, '/'));
  FILE* const temporary = tmpfile();
  fputs("temporary", temporary);
  rewind(temporary);
  printf("%s\n", fgets(path, sizeof path, temporary));
  fclose(temporary);
  strcpy(path, "/tmp/folders.XXXXXX");
  const int made = mkstemp(path);
  printf("%d %d\n", made > 0, unlink(path));
  close(made);
  printf("%d %d\n", opendir("folders.d/a") == NULL, errno == ENOTDIR);
  if (system("rm -r folders.d 2>/dev/null") != 0) { /* no other processes */
    for (int i = 0; i < 300; ++i) {
      snprintf(name, sizeof name, "folders.d/sub/%0200d", i);
      unlink(name);
    }
    const char* const left[] = {"a", "c", "hard", "soft"};
    for (int i = 0; i < 4; ++i) {
      snprintf(name, sizeof name, "folders.d/%s", left[i]);
      unlink(name);
    }
    rmdir("folders.d/sub");
    rmdir("folders.d");
  }
  printf("%d\n", access("folders.d", F_OK));
  return 0;
}
