/* Numbers of bytes as people write them. */
#ifndef SANVP_SW_SIZE_H
#define SANVP_SW_SIZE_H

#include <stddef.h>

/* Reads a number of 0 or more; with K, M or G it is times 1024, 1024^2, 1024^3. Answers 0 where it is none. */
int size_read(const char* text, size_t* size);

/* The same of a setting's text; ends the job with its name where it is none. */
size_t size_setting(const char* key, const char* text);

#endif
