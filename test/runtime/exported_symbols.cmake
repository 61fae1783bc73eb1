# Checks that the library exports exactly the symbols in LIST, and that LIST is exactly what the header declares. The header expands the
# tables in TABLES, so it is preprocessed.
#   cmake -DNM= -DLIBRARY= -DLIST= -DHEADER= -DTABLES= -DC_COMPILER= -P exported_symbols.cmake
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " [TtDdBbRrVvWwi] [^\n]+" entries "${output}") # type A, the symbol of the version itself, is left out
list(TRANSFORM entries REPLACE "^ . ([^@]+).*$" "\\1")
list(SORT entries)
file(STRINGS ${LIST} expected)
if(NOT entries STREQUAL expected)
  message(FATAL_ERROR "exported: ${entries}\nlisted:   ${expected}")
endif()
execute_process(COMMAND ${C_COMPILER} -E -P -I${TABLES} ${HEADER} OUTPUT_VARIABLE header COMMAND_ERROR_IS_FATAL ANY)
set(exported "__attribute__\\(\\(visibility\\(\"default\"\\)\\)\\)") # TPP_API
string(REGEX MATCHALL "${exported} [^(;]*[ *](tpp_[a-z_]+)\\(" declared "${header}")
list(TRANSFORM declared REPLACE "^.*[ *](tpp_[a-z_]+)\\($" "\\1")
list(SORT declared)
if(NOT declared STREQUAL expected)
  message(FATAL_ERROR "declared: ${declared}\nlisted:   ${expected}")
endif()
