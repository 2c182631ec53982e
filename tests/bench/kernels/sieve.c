/* The sieve of Eratosthenes. */
enum { count = 16384 };
static char composite[count];

double kernel(int turns) {
  int primes = 0;
  for (int turn = 0; turn < turns * 3; ++turn) {
    for (int i = 0; i < count; ++i) composite[i] = (char)(turn == -1);
    for (int i = 2; i < count; ++i) {
      if (composite[i]) continue;
      ++primes;
      for (int j = 2 * i; j < count; j += i) composite[j] = 1;
    }
  }
  return primes;
}
