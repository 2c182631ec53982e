/* What a process tells of its messages while its run is recorded (`sanvp run --record`). */
#ifndef SANVP_HAL_RECORDED_H
#define SANVP_HAL_RECORDED_H

/* Between HAL_RECORD_ENTER and the next of the others the process is in the library that carries messages, which
 * another machine does at its own pace; all else is computation. */
enum hal_recorded {
  HAL_RECORD_ENTER,
  HAL_RECORD_LEAVE,
  HAL_RECORD_SEND,    /* begun: request, to, tag, bytes */
  HAL_RECORD_RECEIVE, /* begun: request */
  HAL_RECORD_OVER,    /* request, which the process has waited for; of a receive also from, tag, bytes */
  HAL_RECORD_OTHER    /* something that is no message has gone to another process */
};

#endif
