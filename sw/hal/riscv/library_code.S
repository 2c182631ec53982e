/* Linked behind the libraries of sw/ and before those of the system: where their code ends (own_code.S). */
  .text
  .globl sanvp_library_code_end
  .type sanvp_library_code_end, @object
sanvp_library_code_end:
  .section .note.GNU-stack, "", @progbits
