/* Linked behind the libraries of sw/ and before those of the system: marks the end of their code (own_code.S). */
  .text
  .globl sanvp_library_code_end
  .type sanvp_library_code_end, @object
sanvp_library_code_end:
  .section .note.GNU-stack, "", @progbits
