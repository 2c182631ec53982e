/* Linked behind the program's own objects and before all libraries: code up to here is the program's own, behind it
 * are libraries, whose work hal_while_computing must not interrupt. */
  .text
  .globl sanvp_own_code_end
  .type sanvp_own_code_end, @object
sanvp_own_code_end:
  .section .note.GNU-stack, "", @progbits
