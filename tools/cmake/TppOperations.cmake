# Reads the list of operations. Sets TPP_OPERATIONS to their names (brgemm;unary;...) and TPP_OPERATION_CLASSES to the words in the names of
# the dialect's classes (Brgemm;Unary;...). Each operation has source files with these names.
set(operations_def ${CMAKE_CURRENT_SOURCE_DIR}/microkernels/include/tpp/operations.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${operations_def})
set(entry "^TPP_OPERATION\\(([a-z0-9_]+), ([A-Za-z0-9]+),.*$")
file(STRINGS ${operations_def} entries REGEX ${entry})
if(NOT entries)
  message(FATAL_ERROR "${operations_def} has no entries")
endif()
list(TRANSFORM entries REPLACE ${entry} "\\1" OUTPUT_VARIABLE TPP_OPERATIONS)
list(TRANSFORM entries REPLACE ${entry} "\\2" OUTPUT_VARIABLE TPP_OPERATION_CLASSES)
