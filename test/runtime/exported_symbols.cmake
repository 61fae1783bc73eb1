# Checks that the library exports exactly the symbols in LIST, and that LIST is exactly what the header declares.
#   cmake -DNM= -DLIBRARY= -DLIST= -DHEADER= -P exported_symbols.cmake
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " [TtDdBbRrVvWwi] [^\n]+" entries "${output}") # type A, the symbol of the version itself, is left out
list(TRANSFORM entries REPLACE "^ . ([^@]+).*$" "\\1")
list(SORT entries)
file(STRINGS ${LIST} expected)
if(NOT entries STREQUAL expected)
  message(FATAL_ERROR "exported: ${entries}\nlisted:   ${expected}")
endif()
file(READ ${HEADER} header)
string(REGEX MATCHALL "TPP_API [^(;]*[ *](tpp_[a-z_]+)\\(" declared "${header}")
list(TRANSFORM declared REPLACE "^.*[ *](tpp_[a-z_]+)\\($" "\\1")
list(SORT declared)
if(NOT declared STREQUAL expected)
  message(FATAL_ERROR "declared: ${declared}\nlisted:   ${expected}")
endif()
