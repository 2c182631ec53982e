/* Kernels of the NAS Parallel Benchmarks by their specification, on one rank: CG, EP, FT, IS, MG. Class S, or W with
 * -DCLASS_W (EP is class S in both). Each checks its published result.
 *
 * usage: npb cg|ep|ft|is|mg
 */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/hal/hal.h"

static const double PI = 3.14159265358979323846;
static double began;

static void* room(size_t count, size_t bytes) {
  void* const at = calloc(count, bytes);
  if (at == NULL) abort();
  return at;
}

static int is_near(double value, double right, double error) { return fabs(value - right) <= error * fabs(right); }

/* ---- the generator: x becomes 5^13 x mod 2^46 ---- */
static double next(uint64_t* x) {
  *x = *x * 1220703125 & ((UINT64_C(1) << 46) - 1);
  return (double)*x * 0x1p-46;
}

/* ---- EP: pairs of normal numbers by the polar method, and their sums ---- */
static int ep(void) {
  uint64_t x = 271828183;
  double sums[2] = {0, 0};
  long counts[10] = {0};
  for (long i = 0; i < 1 << 24; ++i) {
    const double u = 2 * next(&x) - 1, v = 2 * next(&x) - 1, t = u * u + v * v;
    if (t > 1) continue;
    const double scale = sqrt(-2 * log(t) / t), a = fabs(u * scale), b = fabs(v * scale);
    ++counts[(int)(a > b ? a : b)];
    sums[0] += u * scale;
    sums[1] += v * scale;
  }
  return is_near(sums[0], -3.247834652034740e3, 1e-8) && is_near(sums[1], -6.958407078382297e3, 1e-8);
}

/* ---- CG: the smallest eigenvalue of a random sparse matrix ---- */
#ifdef CLASS_W
enum { ORDER = 7000, DRAWN_FROM = 8192, NONZEROS = 8, MOST = 900 };
static const double SHIFT = 12, ZETA = 10.362595087124;
#else
enum { ORDER = 1400, DRAWN_FROM = 2048, NONZEROS = 7, MOST = 600 };
static const double SHIFT = 10, ZETA = 8.5971775078648;
#endif
static const double CONDITION = 0.1;

struct row {
  int count, columns[MOST];
  double values[MOST];
};

static void add(struct row* to, int column, double value) {
  int i = 0;
  while (i < to->count && to->columns[i] != column) ++i;
  if (i == to->count) {
    if (++to->count > MOST) abort();
    to->columns[i] = column;
    to->values[i] = 0;
  }
  to->values[i] += value;
}

/* The sum of outer products of sparse random vectors, with weights from 1 to CONDITION. */
static void make_matrix(struct row* rows) {
  uint64_t seed = 314159265;
  next(&seed);
  double weight = 1;
  for (int i = 0; i < ORDER; ++i) {
    int places[NONZEROS + 1], count = 0, j;
    double values[NONZEROS + 1];
    while (count < NONZEROS) {
      const double value = next(&seed);
      const int place = (int)(DRAWN_FROM * next(&seed));
      for (j = 0; j < count && places[j] != place; ++j) continue;
      if (place >= ORDER || j < count) continue;
      places[count] = place;
      values[count++] = value;
    }
    for (j = 0; j < count && places[j] != i; ++j) continue;
    places[j] = i;
    values[j] = 0.5;
    if (j == count) ++count;
    for (j = 0; j < count; ++j)
      for (int k = 0; k < count; ++k) add(&rows[places[j]], places[k], weight * values[j] * values[k]);
    weight *= pow(CONDITION, 1.0 / ORDER);
  }
  for (int i = 0; i < ORDER; ++i) add(&rows[i], i, CONDITION - SHIFT);
}

static double dot(const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < ORDER; ++i) sum += a[i] * b[i];
  return sum;
}

static int cg(void) {
  struct row* rows = room(ORDER, sizeof *rows);
  make_matrix(rows);
  int *begins = room(ORDER + 1, sizeof *begins), *columns = NULL;
  for (int i = 0; i < ORDER; ++i) begins[i + 1] = begins[i] + rows[i].count;
  columns = room((size_t)begins[ORDER], sizeof *columns);
  double* values = room((size_t)begins[ORDER], sizeof *values);
  for (int i = 0; i < ORDER; ++i) {
    memcpy(columns + begins[i], rows[i].columns, (size_t)rows[i].count * sizeof *columns);
    memcpy(values + begins[i], rows[i].values, (size_t)rows[i].count * sizeof *values);
  }
  static double x[ORDER], z[ORDER], p[ORDER], q[ORDER], r[ORDER];
  for (int i = 0; i < ORDER; ++i) x[i] = 1;
  double zeta = 0;
  began = MPI_Wtime();
  for (int outer = 0; outer < 15; ++outer) {
    for (int i = 0; i < ORDER; ++i) z[i] = 0, p[i] = r[i] = x[i];
    double rho = dot(r, r);
    for (int inner = 0; inner < 25; ++inner) {
      for (int i = 0; i < ORDER; ++i) {
        double sum = 0;
        for (int k = begins[i]; k < begins[i + 1]; ++k) sum += values[k] * p[columns[k]];
        q[i] = sum;
      }
      const double alpha = rho / dot(p, q), before = rho;
      for (int i = 0; i < ORDER; ++i) z[i] += alpha * p[i], r[i] -= alpha * q[i];
      rho = dot(r, r);
      for (int i = 0; i < ORDER; ++i) p[i] = r[i] + rho / before * p[i];
    }
    zeta = SHIFT + 1 / dot(x, z);
    const double norm = sqrt(dot(z, z));
    for (int i = 0; i < ORDER; ++i) x[i] = z[i] / norm;
  }
  return fabs(zeta - ZETA) <= 1e-10;
}

/* ---- IS: ranks of integers ---- */
#ifdef CLASS_W
enum { KEYS = 1 << 20, LARGEST = 1 << 16, RISING = 2, FIRST_ROUND = 2 };
static const int PLACES[] = {357773, 934767, 875723, 898999, 404505},
                 RANKS[] = {1249, 11698, 1039987, 1043896, 1048018};
#else
enum { KEYS = 1 << 16, LARGEST = 1 << 11, RISING = 3, FIRST_ROUND = 0 };
static const int PLACES[] = {48427, 17148, 23627, 62548, 4431}, RANKS[] = {0, 18, 346, 64917, 65463};
#endif
enum { RANKINGS = 10 };

static int is(void) {
  static int keys[KEYS], counts[LARGEST];
  uint64_t seed = 314159265;
  int is_right = 1;
  for (int i = 0; i < KEYS; ++i) {
    double sum = next(&seed);
    for (int k = 0; k < 3; ++k) sum += next(&seed);
    keys[i] = (int)(LARGEST / 4 * sum);
  }
  began = MPI_Wtime();
  for (int round = 1; round <= RANKINGS; ++round) {
    keys[round] = round;
    keys[round + RANKINGS] = LARGEST - round;
    for (int i = 0; i < LARGEST; ++i) counts[i] = 0;
    for (int i = 0; i < KEYS; ++i) ++counts[keys[i]];
    for (int i = 1; i < LARGEST; ++i) counts[i] += counts[i - 1];
    for (int i = 0; i < 5; ++i) /* the ranks of the first RISING keys rise by round, those of the others fall */
      is_right &= counts[keys[PLACES[i]] - 1] == RANKS[i] + (i < RISING ? round - FIRST_ROUND : -round);
  }
  return is_right;
}

/* ---- FT: a Fourier transform in three dimensions, evolved in time ---- */
#ifdef CLASS_W
enum { NX = 128, NY = 128, NZ = 32 };
#else
enum { NX = 64, NY = 64, NZ = 64 };
#endif
enum { LONGEST = NX, CELLS = NX * NY * NZ };
typedef double complex number;

/* A line of `count` numbers that are `stride` apart. @param sign of the exponent */
static void transform_line(number* at, int count, long stride, const number* roots, int sign) {
  static number line[LONGEST], other[LONGEST];
  number *from = line, *to = other;
  for (int i = 0; i < count; ++i) from[i] = at[i * stride];
  for (int half = count / 2, apart = 1; half >= 1; half /= 2, apart *= 2) {
    for (int j = 0; j < half; ++j) {
      const number power = roots[j * apart * (LONGEST / count)], root = sign > 0 ? power : conj(power);
      for (int k = 0; k < apart; ++k) {
        const number a = from[j * apart + k], b = from[(j + half) * apart + k];
        to[2 * j * apart + k] = a + b;
        to[(2 * j + 1) * apart + k] = root * (a - b);
      }
    }
    number* const kept = from;
    from = to;
    to = kept;
  }
  for (int i = 0; i < count; ++i) at[i * stride] = from[i];
}

static void transform(number* cube, const number* roots, int sign) {
  for (long i = 0; i < NY * NZ; ++i) transform_line(cube + i * NX, NX, 1, roots, sign);
  for (long i = 0; i < NZ; ++i)
    for (long j = 0; j < NX; ++j) transform_line(cube + i * NX * NY + j, NY, NX, roots, sign);
  for (long i = 0; i < NX * NY; ++i) transform_line(cube + i, NZ, NX * NY, roots, sign);
}

static double square_of_index(int i, int count) {
  const int centred = (i + count / 2) % count - count / 2;
  return centred * centred;
}

static int ft(void) {
#ifdef CLASS_W
  static const double right[6][2] = {{567.3612178944, 529.3246849175}, {563.1436885271, 528.2149986629},
                                     {559.4024089970, 527.0996558037}, {556.0698047020, 526.0027904925},
                                     {553.0898991250, 524.9400845633}, {550.4159734538, 523.9212247086}};
#else
  static const double right[6][2] = {{554.6087004964, 484.5363331978}, {554.6385409189, 486.5304269511},
                                     {554.6148406171, 488.3910722336}, {554.5423607415, 490.1273169046},
                                     {554.4255039624, 491.7475857993}, {554.2683411902, 493.2597244941}};
#endif
  number *spectrum = room(CELLS, sizeof *spectrum), *space = room(CELLS, sizeof *space), roots[LONGEST / 2];
  double* factors = room(CELLS, sizeof *factors);
  uint64_t seed = 314159265;
  for (int i = 0; i < CELLS; ++i) {
    const double real = next(&seed);
    spectrum[i] = real + I * next(&seed);
  }
  for (int i = 0; i < LONGEST / 2; ++i) roots[i] = cos(2 * PI * i / LONGEST) + I * sin(2 * PI * i / LONGEST);
  for (int i = 0; i < CELLS; ++i)
    factors[i] =
        exp(-4e-6 * PI * PI *
            (square_of_index(i / NX / NY, NZ) + square_of_index(i / NX % NY, NY) + square_of_index(i % NX, NX)));
  int is_right = 1;
  began = MPI_Wtime();
  transform(spectrum, roots, 1);
  for (int step = 0; step < 6; ++step) {
    for (int i = 0; i < CELLS; ++i) space[i] = spectrum[i] *= factors[i];
    transform(space, roots, -1);
    number sum = 0;
    for (int j = 1; j <= 1024; ++j) sum += space[(5 * j % NZ * NY + 3 * j % NY) * NX + j % NX];
    is_right &=
        is_near(creal(sum) / CELLS, right[step][0], 1e-11) && is_near(cimag(sum) / CELLS, right[step][1], 1e-11);
  }
  return is_right;
}

/* ---- MG: V-cycles on a periodic cube ---- */
/* 2, 4, ... 32 or 128 cells an edge, with a layer of ghosts around */
#ifdef CLASS_W
enum { LEVELS = 7 };
static const double NORM = 0.6467329375339e-5;
#else
enum { LEVELS = 5 };
static const double NORM = 0.5307707005734e-4;
#endif
enum { LONGEST_LINE = (1 << LEVELS) + 2 };
static int cells_of(int level) { return 1 << level; }
#define AT(a, m, k, j, i) (a)[((size_t)(k) * (size_t)(m) + (size_t)(j)) * (size_t)(m) + (size_t)(i)]

static void exchange(double* a, int m) {
  for (int k = 1; k < m - 1; ++k) {
    for (int j = 1; j < m - 1; ++j)
      AT(a, m, k, j, 0) = AT(a, m, k, j, m - 2), AT(a, m, k, j, m - 1) = AT(a, m, k, j, 1);
    for (int i = 0; i < m; ++i) AT(a, m, k, 0, i) = AT(a, m, k, m - 2, i), AT(a, m, k, m - 1, i) = AT(a, m, k, 1, i);
  }
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) AT(a, m, 0, j, i) = AT(a, m, m - 2, j, i), AT(a, m, m - 1, j, i) = AT(a, m, 1, j, i);
}

/* Of the neighbours of a line's cells: sums of those that share a face or an edge with it. */
static void sum_neighbours(const double* a, int m, int k, int j, double* faces, double* edges) {
  for (int i = 0; i < m; ++i) {
    faces[i] = AT(a, m, k, j - 1, i) + AT(a, m, k, j + 1, i) + AT(a, m, k - 1, j, i) + AT(a, m, k + 1, j, i);
    edges[i] =
        AT(a, m, k - 1, j - 1, i) + AT(a, m, k - 1, j + 1, i) + AT(a, m, k + 1, j - 1, i) + AT(a, m, k + 1, j + 1, i);
  }
}

static void residual(const double* u, const double* v, double* r, int m) {
  static double faces[LONGEST_LINE], edges[LONGEST_LINE];
  for (int k = 1; k < m - 1; ++k)
    for (int j = 1; j < m - 1; ++j) {
      sum_neighbours(u, m, k, j, faces, edges);
      for (int i = 1; i < m - 1; ++i)
        AT(r, m, k, j, i) = AT(v, m, k, j, i) + 8.0 / 3 * AT(u, m, k, j, i) -
                            1.0 / 6 * (edges[i] + faces[i - 1] + faces[i + 1]) -
                            1.0 / 12 * (edges[i - 1] + edges[i + 1]);
    }
  exchange(r, m);
}

static void smooth(const double* r, double* u, int m) {
  static double faces[LONGEST_LINE], edges[LONGEST_LINE];
  for (int k = 1; k < m - 1; ++k)
    for (int j = 1; j < m - 1; ++j) {
      sum_neighbours(r, m, k, j, faces, edges);
      for (int i = 1; i < m - 1; ++i)
        AT(u, m, k, j, i) += -3.0 / 8 * AT(r, m, k, j, i) +
                             1.0 / 32 * (AT(r, m, k, j, i - 1) + AT(r, m, k, j, i + 1) + faces[i]) -
                             1.0 / 64 * (edges[i] + faces[i - 1] + faces[i + 1]);
    }
  exchange(u, m);
}

static void restrict_to(const double* r, int m, double* s, int n) {
  static double faces[LONGEST_LINE], edges[LONGEST_LINE];
  for (int k = 1; k < n - 1; ++k)
    for (int j = 1; j < n - 1; ++j) {
      sum_neighbours(r, m, 2 * k, 2 * j, faces, edges);
      for (int i = 1; i < n - 1; ++i)
        AT(s, n, k, j, i) =
            0.5 * AT(r, m, 2 * k, 2 * j, 2 * i) +
            0.25 * (AT(r, m, 2 * k, 2 * j, 2 * i - 1) + AT(r, m, 2 * k, 2 * j, 2 * i + 1) + faces[2 * i]) +
            0.125 * (faces[2 * i - 1] + faces[2 * i + 1] + edges[2 * i]) +
            0.0625 * (edges[2 * i - 1] + edges[2 * i + 1]);
    }
  exchange(s, n);
}

/* Adds z, linearly between its cells. */
static void interpolate(const double* z, int n, double* u, int m) {
  static double sums[4][LONGEST_LINE];
  for (int k = 0; k < n - 1; ++k)
    for (int j = 0; j < n - 1; ++j) {
      for (int i = 0; i < n; ++i) {
        sums[0][i] = AT(z, n, k, j, i);
        sums[1][i] = AT(z, n, k, j + 1, i) + AT(z, n, k, j, i);
        sums[2][i] = AT(z, n, k + 1, j, i) + AT(z, n, k, j, i);
        sums[3][i] = AT(z, n, k + 1, j + 1, i) + AT(z, n, k + 1, j, i) + sums[1][i];
      }
      for (int l = 0; l < 4; ++l) {
        double* const to = &AT(u, m, 2 * k + l / 2, 2 * j + l % 2, 0);
        const double weight = l == 0 ? 1 : l == 3 ? 0.25 : 0.5;
        for (int i = 0; i < n - 1; ++i) {
          to[2 * i] += weight * sums[l][i];
          to[2 * i + 1] += weight / 2 * (sums[l][i] + sums[l][i + 1]);
        }
      }
    }
}

/* 1 at the ten largest of a random field, -1 at the ten smallest. */
static void set_charges(double* v, int m) {
  const size_t all = (size_t)m * (size_t)m * (size_t)m;
  double* const field = room(all, sizeof *field);
  uint64_t seed = 314159265;
  for (int k = 1; k < m - 1; ++k)
    for (int j = 1; j < m - 1; ++j)
      for (int i = 1; i < m - 1; ++i) AT(field, m, k, j, i) = next(&seed);
  for (int sign = -1; sign <= 1; sign += 2)
    for (int found = 0; found < 10; ++found) {
      size_t best = all;
      for (size_t i = 0; i < all; ++i)
        if (field[i] > 0 && v[i] == 0 && (best == all || sign * field[i] > sign * field[best])) best = i;
      v[best] = sign;
    }
  free(field);
  exchange(v, m);
}

static int mg(void) {
  double *u[LEVELS + 1], *r[LEVELS + 1];
  for (int level = 1; level <= LEVELS; ++level) {
    const size_t m = (size_t)cells_of(level) + 2;
    u[level] = room(m * m * m, sizeof(double));
    r[level] = room(m * m * m, sizeof(double));
  }
  const int top = cells_of(LEVELS) + 2;
  double* const v = room((size_t)top * (size_t)top * (size_t)top, sizeof *v);
  set_charges(v, top);
  began = MPI_Wtime();
  residual(u[LEVELS], v, r[LEVELS], top);
  for (int cycle = 0; cycle < 4; ++cycle) {
    for (int level = LEVELS; level > 1; --level)
      restrict_to(r[level], cells_of(level) + 2, r[level - 1], cells_of(level - 1) + 2);
    for (int level = 1; level <= LEVELS; ++level) {
      const int m = cells_of(level) + 2;
      if (level < LEVELS) memset(u[level], 0, (size_t)m * (size_t)m * (size_t)m * sizeof(double));
      if (level > 1) {
        interpolate(u[level - 1], cells_of(level - 1) + 2, u[level], m);
        residual(u[level], level < LEVELS ? r[level] : v, r[level], m);
      }
      smooth(r[level], u[level], m);
    }
    residual(u[LEVELS], v, r[LEVELS], top);
  }
  double sum = 0;
  for (int k = 1; k < top - 1; ++k)
    for (int j = 1; j < top - 1; ++j)
      for (int i = 1; i < top - 1; ++i) sum += AT(r[LEVELS], top, k, j, i) * AT(r[LEVELS], top, k, j, i);
  return is_near(sqrt(sum / pow(cells_of(LEVELS), 3)), NORM, 1e-8);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int (*run)(void);
  } kernels[] = {{"cg", cg}, {"ep", ep}, {"ft", ft}, {"is", is}, {"mg", mg}};
  MPI_Init(&argc, &argv);
  began = MPI_Wtime();
  for (size_t i = 0; argc > 1 && i < sizeof kernels / sizeof *kernels; ++i) {
    if (strcmp(argv[1], kernels[i].name) != 0) continue;
    const int is_right = kernels[i].run();
    const double us = 1e6 * (MPI_Wtime() - began);
    hal_metric("us", us, "us");
    printf("%s: %s, %.1f us\n", argv[1], is_right ? "right" : "WRONG", us);
    if (!is_right) return 1;
  }
  MPI_Finalize();
  return 0;
}
