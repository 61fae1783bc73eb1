/* The header alone is valid C11. */
#include "tpp/compiler.h"

int tpp_test_compiler_header(void);
int tpp_test_compiler_header(void) { return TPP_COMPILER_ABI_VERSION; }
