/* Plays the program of a GOAL file on the whole machine. */
#ifndef SANVP_APPS_GOAL_PLAY_H
#define SANVP_APPS_GOAL_PLAY_H

/* All of a rank's work, from MPI_Init to MPI_Finalize: reads its part of `file`, plays it and prints the time.
 * `app` is the program's name in messages. A mistake in an argument or the file ends the job with status 2.
 * cpu_ratio: a number above 0, by which calcs take longer than the file says.
 * by_mpi: messages are calls of MPI; else they travel by its transport, without the work of the calls. */
void goal_play(const char* app, const char* file, const char* cpu_ratio, int by_mpi);

#endif
