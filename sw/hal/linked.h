/* The first include of every source that sanvp-cc compiles: its object refers to a symbol that only sanvp-cc defines
 * when it links. A linker that is called otherwise, as by plain cc, prints what to do instead. Nothing of it is loaded.
 */
#ifndef SANVP_HAL_LINKED_H
#define SANVP_HAL_LINKED_H

#ifndef __ASSEMBLER__
__asm__(".pushsection .sanvp.link,\"\",%progbits\n\t.quad link_with_sanvp_cc_instead\n\t.popsection");
#endif

#endif
