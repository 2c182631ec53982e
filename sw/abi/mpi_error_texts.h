/* The standard's error codes, each of which is its own class: EACH(code, what it means). */
#ifndef SANVP_ABI_MPI_ERROR_TEXTS_H
#define SANVP_ABI_MPI_ERROR_TEXTS_H

#define MPI_ERROR_TEXTS(EACH)                                                     \
  EACH(MPI_SUCCESS, "no error")                                                   \
  EACH(MPI_ERR_BUFFER, "invalid buffer pointer")                                  \
  EACH(MPI_ERR_COUNT, "invalid count")                                            \
  EACH(MPI_ERR_TYPE, "invalid datatype")                                          \
  EACH(MPI_ERR_TAG, "invalid tag")                                                \
  EACH(MPI_ERR_COMM, "invalid communicator")                                      \
  EACH(MPI_ERR_RANK, "invalid rank")                                              \
  EACH(MPI_ERR_REQUEST, "invalid request")                                        \
  EACH(MPI_ERR_ROOT, "invalid root")                                              \
  EACH(MPI_ERR_GROUP, "invalid group")                                            \
  EACH(MPI_ERR_OP, "invalid operation")                                           \
  EACH(MPI_ERR_TOPOLOGY, "invalid topology")                                      \
  EACH(MPI_ERR_DIMS, "invalid dimensions")                                        \
  EACH(MPI_ERR_ARG, "invalid argument")                                           \
  EACH(MPI_ERR_UNKNOWN, "unknown error")                                          \
  EACH(MPI_ERR_TRUNCATE, "message longer than the buffer")                        \
  EACH(MPI_ERR_OTHER, "another error")                                            \
  EACH(MPI_ERR_INTERN, "internal error")                                          \
  EACH(MPI_ERR_IN_STATUS, "the error is in the status")                           \
  EACH(MPI_ERR_PENDING, "the request is not done")                                \
  EACH(MPI_ERR_KEYVAL, "invalid key of an attribute")                             \
  EACH(MPI_ERR_NO_MEM, "no memory left")                                          \
  EACH(MPI_ERR_INFO, "invalid info")                                              \
  EACH(MPI_ERR_INFO_KEY, "invalid key of an info")                                \
  EACH(MPI_ERR_INFO_VALUE, "invalid value of an info")                            \
  EACH(MPI_ERR_INFO_NOKEY, "the info has no such key")                            \
  EACH(MPI_ERR_WIN, "invalid window")                                             \
  EACH(MPI_ERR_BASE, "invalid base of a window")                                  \
  EACH(MPI_ERR_SIZE, "invalid size")                                              \
  EACH(MPI_ERR_DISP, "invalid displacement")                                      \
  EACH(MPI_ERR_LOCKTYPE, "invalid kind of lock")                                  \
  EACH(MPI_ERR_ASSERT, "invalid assertion")                                       \
  EACH(MPI_ERR_UNSUPPORTED_OPERATION, "not supported")                            \
  EACH(MPI_ERR_RMA_CONFLICT, "accesses to a window that conflict")                \
  EACH(MPI_ERR_RMA_SYNC, "wrong synchronisation of a window")                     \
  EACH(MPI_ERR_RMA_RANGE, "memory outside a window")                              \
  EACH(MPI_ERR_RMA_ATTACH, "memory that cannot be attached")                      \
  EACH(MPI_ERR_RMA_SHARED, "memory that cannot be shared")                        \
  EACH(MPI_ERR_RMA_FLAVOR, "a window of another kind")                            \
  EACH(MPI_ERR_ACCESS, "permission denied")                                       \
  EACH(MPI_ERR_AMODE, "invalid mode of access")                                   \
  EACH(MPI_ERR_BAD_FILE, "invalid name of a file")                                \
  EACH(MPI_ERR_CONVERSION, "error in a conversion of data")                       \
  EACH(MPI_ERR_DUP_DATAREP, "the representation of data is known already")        \
  EACH(MPI_ERR_FILE, "invalid file")                                              \
  EACH(MPI_ERR_FILE_EXISTS, "the file exists")                                    \
  EACH(MPI_ERR_FILE_IN_USE, "the file is in use")                                 \
  EACH(MPI_ERR_IO, "error of input or output")                                    \
  EACH(MPI_ERR_NAME, "the service has not been published")                        \
  EACH(MPI_ERR_NO_SPACE, "no space left")                                         \
  EACH(MPI_ERR_NO_SUCH_FILE, "there is no such file")                             \
  EACH(MPI_ERR_NOT_SAME, "arguments differ among processes")                      \
  EACH(MPI_ERR_PORT, "invalid port")                                              \
  EACH(MPI_ERR_QUOTA, "the quota is exceeded")                                    \
  EACH(MPI_ERR_READ_ONLY, "read only")                                            \
  EACH(MPI_ERR_SERVICE, "invalid service")                                        \
  EACH(MPI_ERR_SPAWN, "processes cannot be started")                              \
  EACH(MPI_ERR_UNSUPPORTED_DATAREP, "representation of data not supported")       \
  EACH(MPI_T_ERR_MEMORY, "no memory left")                                        \
  EACH(MPI_T_ERR_NOT_INITIALIZED, "the tools' interface does not run")            \
  EACH(MPI_T_ERR_CANNOT_INIT, "the tools' interface cannot start")                \
  EACH(MPI_T_ERR_INVALID_INDEX, "there is no variable with this index")           \
  EACH(MPI_T_ERR_INVALID_ITEM, "there is no value with this index")               \
  EACH(MPI_T_ERR_INVALID_HANDLE, "invalid handle")                                \
  EACH(MPI_T_ERR_OUT_OF_HANDLES, "no handles left")                               \
  EACH(MPI_T_ERR_OUT_OF_SESSIONS, "no sessions left")                             \
  EACH(MPI_T_ERR_INVALID_SESSION, "invalid session")                              \
  EACH(MPI_T_ERR_CVAR_SET_NOT_NOW, "the variable cannot be set now")              \
  EACH(MPI_T_ERR_CVAR_SET_NEVER, "the variable cannot be set by a program")       \
  EACH(MPI_T_ERR_PVAR_NO_STARTSTOP, "the variable cannot be started or stopped")  \
  EACH(MPI_T_ERR_PVAR_NO_WRITE, "the variable cannot be written or reset")        \
  EACH(MPI_T_ERR_PVAR_NO_ATOMIC, "the variable cannot be read and reset at once") \
  EACH(MPI_T_ERR_INVALID_NAME, "there is no variable of this name")               \
  EACH(MPI_T_ERR_INVALID, "invalid use of the tools' interface")                  \
  EACH(MPI_ERR_LASTCODE, "the last of the standard's codes")

#endif
