/* Messages between clients and servers. A file's bytes are dealt to the servers in stripes; a server has its stripes of
 * a file one after the other on its disk, so each request is one range there. It is moved stripe by stripe:
 *
 *   write   request, then a message of data for each stripe; when all are on the disk, a reply
 *   read    request; a message of data for each stripe as soon as it has been read
 *   sync    request; a reply when the disk has no more data to write
 */
#ifndef SANVP_IO_PROTOCOL_H
#define SANVP_IO_PROTOCOL_H

#include <stdint.h>

#include "sw/abi/hal/files.h"

/* Tags of the transport: a context above those of MPI (sw/mpi/communicators/communicator_create.c), below the groups of
 * elanlib. */
#define IO_TAGS 0xbfffffff00000000ull
#define IO_REQUEST (IO_TAGS | 1)
#define IO_DATA (IO_TAGS | 2)
#define IO_REPLY (IO_TAGS | 3)

struct io_request {
  uint64_t way; /* enum hal_file_way */
  uint64_t file;
  uint64_t begin, bytes; /* of the server's part */
};

/* Bytes of a server's part that precede byte `offset` of the file. */
static inline uint64_t io_before(uint64_t offset, uint64_t stripe, unsigned servers, unsigned server) {
  const uint64_t round = stripe * servers, rest = offset % round, first = server * stripe;
  return offset / round * stripe + (rest <= first ? 0 : rest - first < stripe ? rest - first : stripe);
}

/* How many of `bytes` go with the next message of data, from a byte of the server's part on. */
static inline uint64_t io_piece(uint64_t begin, uint64_t bytes, uint64_t stripe) {
  const uint64_t left = stripe - begin % stripe;
  return left < bytes ? left : bytes;
}

#endif
