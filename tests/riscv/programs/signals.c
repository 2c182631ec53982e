/* Handlers of faults, with siginfo, on an alternate stack; masks; raise. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
static sigjmp_buf back;
static volatile int caught;
static void on_fault(int number, siginfo_t* info, void* context) {
  ucontext_t* c = context;
  printf("signal %d code %d pc %d address %d\n", number, info->si_code, c->uc_mcontext.__gregs[0] != 0,
         info->si_addr == (void*)16);
  siglongjmp(back, number);
}
static void on_user(int number) { caught = caught * 10 + number; }
static void skip(int number, siginfo_t* info, void* context) {
  (void)info;
  ucontext_t* c = context;
  c->uc_mcontext.__gregs[0] += 4; /* after the instruction */
  c->uc_mcontext.__gregs[10] = (unsigned long)number;
}
static int overflow(int n) {
  volatile char room[5000];
  room[0] = (char)n;
  return overflow(n + 1) + room[0];
}
int main(void) {
  static char other[65536];
  stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGSEGV, &action, 0);
  sigaction(SIGBUS, &action, 0);
  setvbuf(stdout, 0, _IONBF, 0);
  if (!sigsetjmp(back, 1)) *(volatile int*)16 = 1;
  if (!sigsetjmp(back, 1)) return *(volatile int*)16;
  char* page = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!sigsetjmp(back, 1)) *(volatile char*)page = 1;
  if (!sigsetjmp(back, 1)) overflow(0);
  action.sa_sigaction = skip;
  sigaction(SIGILL, &action, 0);
  register long a0 __asm__("a0") = 0;
  __asm__ volatile(".4byte 0xffffffff" : "+r"(a0));
  printf("%ld\n", a0);
  signal(SIGUSR1, on_user);
  signal(SIGUSR2, on_user);
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, &old);
  raise(SIGUSR1);
  printf("%d\n", caught);
  raise(SIGUSR2);
  printf("%d\n", caught);
  sigprocmask(SIG_SETMASK, &old, 0);
  printf("%d\n", caught);
  signal(SIGUSR1, SIG_DFL);
  fflush(stdout);
  abort();
}
