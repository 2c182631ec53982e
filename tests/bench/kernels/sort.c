/* Quicksort, recursive. */
enum { count = 2000 };
static int list[count];

static void sort(int* first, int* last) {
  while (last - first > 1) {
    const int pivot = first[(last - first) / 2];
    int *low = first, *high = last - 1;
    while (low <= high) {
      while (*low < pivot) ++low;
      while (*high > pivot) --high;
      if (low <= high) {
        const int kept = *low;
        *low++ = *high;
        *high-- = kept;
      }
    }
    if (high + 1 - first < last - low) {
      sort(first, high + 1);
      first = low;
    } else {
      sort(low, last);
      last = high + 1;
    }
  }
}

double kernel(int turns) {
  unsigned seed = 1;
  for (int turn = 0; turn < turns; ++turn) {
    for (int i = 0; i < count; ++i) {
      seed = seed * 1103515245u + 12345u;
      list[i] = (int)(seed >> 8);
    }
    sort(list, list + count);
  }
  return list[77];
}
