/* Files on I/O nodes: requests of a process go as messages to the servers there (README.md). */
#ifndef SANVP_IO_H
#define SANVP_IO_H

#ifdef __cplusplus
extern "C" {
#endif

/* From now on the requests of this process go to the machine's I/O nodes, if it has any. Starts the transport, so it is
 * collective over the processes of the job. Further calls do nothing. */
void io_client_start(void);

#ifdef __cplusplus
}
#endif
#endif
