/* Sizes in bytes as users write them. */
#ifndef SANVP_SW_SIZE_H
#define SANVP_SW_SIZE_H

#include <stddef.h>

/* Reads a number of 0 or more; with K, M or G it is times 1024, 1024^2, 1024^3. Returns 0 if the text is no such
 * number. */
int size_read(const char* text, size_t* size);

/* The same for the text of a setting; ends the job with a message that names the setting if it is no such number. */
size_t size_setting(const char* key, const char* text);

#endif
