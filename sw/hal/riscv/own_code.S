/* Linked behind the program's own objects and before all libraries: code up to here is the program's own, behind it
 * are libraries, whose work hal_while_computing must not interrupt. */
  .text
  .globl sanvp_own_code_end
  .type sanvp_own_code_end, @object
sanvp_own_code_end:

/* The simulator finds the code of our libraries by this note: from here to library_code.S, as distances. */
  .section .note.sanvp, "a", @note
  .balign 4
  .long 6, 8, 1 /* bytes of the name and of what follows it, type */
  .string "sanvp"
  .balign 4
  .long sanvp_own_code_end - .
  .long sanvp_library_code_end - .

  .section .note.GNU-stack, "", @progbits
