/* Numbers of bytes in the form that people write. */
#ifndef SANVP_SW_SIZE_H
#define SANVP_SW_SIZE_H

#include <stddef.h>

/* Reads a number of 0 or more; with K, M or G it is times 1024, 1024^2, 1024^3. Returns 0 if the text is invalid. */
int size_read(const char* text, size_t* size);

/* The same for the text of a setting; ends the job with its name if the text is invalid. */
size_t size_setting(const char* key, const char* text);

#endif
