/* Packing in the standard's own representation, "external32" (MPI-2, 9.5.2): the same bytes from every machine. */
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "sw/hal/hal.h"
#include "sw/mpi/base/checks.h"
#include "sw/mpi/base/type.h"
#include "sw/mpi/datatypes/type_map.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bytes are turned");

#if __LDBL_MANT_DIG__ == 113
typedef long double quad_number; /* as on RISC-V */
#else
typedef __float128 quad_number;
#endif

static size_t bytes_of(const struct mpi_run* run) { return MPI_EXTERNAL_BYTES(run->element, run->external); }

/* Reverses the byte order of each part. */
static void turn(const char* from, char* to, size_t bytes, size_t parts) {
  const size_t each = bytes / parts;
  for (size_t i = 0; i < bytes; ++i) to[i] = from[i / each * each + each - 1 - i % each];
}

/* Whether an element can be written: its value fits into its size in external32. */
static int fits(const struct mpi_run* run, const char* from) {
  long value;
  unsigned long positive;
  wchar_t letter;
  switch (run->external) {
    case MPI_EXTERNAL_LONG:
      memcpy(&value, from, sizeof value);
      return value >= INT32_MIN && value <= INT32_MAX;
    case MPI_EXTERNAL_UNSIGNED_LONG:
      memcpy(&positive, from, sizeof positive);
      return positive <= UINT32_MAX;
    case MPI_EXTERNAL_WCHAR:
      memcpy(&letter, from, sizeof letter);
      return letter >= 0 && letter <= UINT16_MAX;
    default:
      return 1;
  }
}

static void write_one(const struct mpi_run* run, const char* from, char* to) {
  const size_t bytes = bytes_of(run);
  quad_number quad[2];
  long double parts[2];
  switch (run->external) {
    case MPI_EXTERNAL_COMPLEX:
      turn(from, to, bytes, 2);
      return;
    case MPI_EXTERNAL_LONG_DOUBLE:
    case MPI_EXTERNAL_LONG_DOUBLE_COMPLEX:
      memcpy(parts, from, run->element);
      for (size_t i = 0; i < bytes / MPI_QUAD_BYTES; ++i) quad[i] = parts[i];
      turn((const char*)quad, to, bytes, bytes / MPI_QUAD_BYTES);
      return;
    default: /* the low bytes of a number that fits into fewer bytes */
      turn(from, to, bytes, 1);
  }
}

static void read_one(const struct mpi_run* run, const char* from, char* to) {
  const size_t bytes = bytes_of(run);
  quad_number quad[2];
  long double parts[2];
  switch (run->external) {
    case MPI_EXTERNAL_COMPLEX:
      turn(from, to, bytes, 2);
      return;
    case MPI_EXTERNAL_LONG_DOUBLE:
    case MPI_EXTERNAL_LONG_DOUBLE_COMPLEX:
      turn(from, (char*)quad, bytes, bytes / MPI_QUAD_BYTES);
      memset(parts, 0, sizeof parts);
      for (size_t i = 0; i < bytes / MPI_QUAD_BYTES; ++i) parts[i] = (long double)quad[i];
      memcpy(to, parts, run->element);
      return;
    default: /* the sign is in the first byte */
      memset(to, run->external == MPI_EXTERNAL_LONG && (from[0] & 0x80) ? 0xff : 0, run->element);
      turn(from, to, bytes, 1);
  }
}

static int check_name(const char* call, const char* representation, MPI_Datatype type) {
  MPI_TRY(mpi_check_lone_type(call, type));
  if (!representation || strcmp(representation, "external32") != 0)
    return mpi_fail(call, MPI_ERR_ARG, "the representation is '%s'; there is \"external32\" alone",
                    representation ? representation : "a null pointer");
  return MPI_SUCCESS;
}

static int check(const char* call, const char* representation, const void* data, int count, MPI_Datatype type,
                 const void* packed, MPI_Aint packed_bytes, const MPI_Aint* position) {
  MPI_TRY(check_name(call, representation, type));
  MPI_TRY(mpi_check_data(call, data, count, type));
  MPI_TRY(mpi_check_result(call, position));
  const size_t bytes = (size_t)count * type->map->shape.external_bytes;
  if (!packed && bytes > 0) return mpi_fail(call, MPI_ERR_BUFFER, "the buffer for packed data is a null pointer");
  if (*position < 0 || *position > packed_bytes || bytes > (size_t)(packed_bytes - *position))
    return mpi_fail(call, MPI_ERR_TRUNCATE, "%zu bytes from position %td on do not fit into %td; ask %s", bytes,
                    *position, packed_bytes, "MPI_Pack_external_size");
  return MPI_SUCCESS;
}

/* ---- MPI_Pack_external, MPI_Unpack_external ---- */
int MPI_Pack_external(const char* representation, const void* in, int count, MPI_Datatype type, void* packed,
                      MPI_Aint packed_bytes, MPI_Aint* position) {
  static const char call[] = "MPI_Pack_external";
  MPI_TRY(check(call, representation, in, count, type, packed, packed_bytes, position));
  char* to = (char*)packed + *position;
  for (int i = 0; i < count; ++i)
    for (size_t done = 0, inside = 0; done < type->bytes;) {
      const struct mpi_run at = mpi_map_run(type->map, done, &inside), *run = &at;
      done += run->count * run->element;
      const char* from = (const char*)in + i * type->extent + run->offset;
      for (size_t k = 0; k < run->count; ++k, from += run->element, to += bytes_of(run)) {
        if (!fits(run, from))
          return mpi_fail(call, MPI_ERR_CONVERSION,
                          "a value of element %d does not fit into the %zu bytes that its type has in external32; take "
                          "MPI_INT64_T, MPI_UINT64_T or MPI_INT",
                          i, bytes_of(run));
        write_one(run, from, to);
      }
    }
  *position = to - (char*)packed;
  return MPI_SUCCESS;
}

int MPI_Unpack_external(const char* representation, const void* packed, MPI_Aint packed_bytes, MPI_Aint* position,
                        void* out, int count, MPI_Datatype type) {
  MPI_TRY(check("MPI_Unpack_external", representation, out, count, type, packed, packed_bytes, position));
  for (int i = 0; i < count; ++i)
    for (size_t done = 0, inside = 0; done < type->bytes;) {
      const struct mpi_run at = mpi_map_run(type->map, done, &inside), *run = &at;
      done += run->count * run->element;
      char* to = (char*)out + i * type->extent + run->offset;
      for (size_t k = 0; k < run->count; ++k, to += run->element, *position += (MPI_Aint)bytes_of(run))
        read_one(run, (const char*)packed + *position, to);
    }
  return MPI_SUCCESS;
}

/* ---- MPI_Pack_external_size ---- */
int MPI_Pack_external_size(const char* representation, int count, MPI_Datatype type, MPI_Aint* bytes) {
  static const char call[] = "MPI_Pack_external_size";
  MPI_TRY(check_name(call, representation, type));
  MPI_TRY(mpi_check_result(call, bytes));
  if (count < 0) return mpi_fail(call, MPI_ERR_COUNT, "the count is %d; it must be 0 or more", count);
  *bytes = (MPI_Aint)((size_t)count * type->map->shape.external_bytes);
  return MPI_SUCCESS;
}
