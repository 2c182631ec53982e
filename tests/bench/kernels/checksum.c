/* A cyclic redundancy check, a byte at a time by a table. */
enum { count = 4096 };
static unsigned table[256];
static unsigned char data[count];

double kernel(int turns) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 256; ++i) {
    unsigned entry = i;
    for (int k = 0; k < 8; ++k) entry = entry & 1 ? entry >> 1 ^ 0xEDB88320u : entry >> 1;
    table[i] = entry;
  }
  for (int i = 0; i < count; ++i) data[i] = (unsigned char)(i * 7);
  for (int turn = 0; turn < turns * 30; ++turn) {
    for (int i = 0; i < count; ++i) sum = table[(sum ^ data[i]) & 255] ^ sum >> 8;
  }
  return sum;
}
