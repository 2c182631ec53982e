/* Variables of a program begin at a page, those with an initial value and those without, and the program's own come
 * first (cmake/Images.cmake links it before the libraries). How a card or a cache cuts up a buffer depends on where in
 * its page the buffer begins; that must depend on the program alone, and not on its paths, on how much code it has, or
 * on variables of our libraries.
 *
 * The linker aligns a section as the strictest of its parts asks; these two parts hold nothing. */
#define PAGE_BYTES 4096
#define ALIGNED_PART(name) __attribute__((section(name), aligned(PAGE_BYTES), used, retain))

struct nothing {};

ALIGNED_PART(".data.sanvp_layout") static struct nothing initialised = {};
ALIGNED_PART(".bss.sanvp_layout") static struct nothing zeroed;

/* The linker takes this file from its archive where it is asked for this name. */
const char sanvp_layout;
