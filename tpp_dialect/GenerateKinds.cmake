# Generates the dialect's enumerations (TppKinds.td) from the entries of kinds.def, so that kinds.def stays the only list.
#
#   cmake -DKINDS=<kinds.def> -DOUTPUT=<TppKinds.td> -P GenerateKinds.cmake
file(READ "${KINDS}" table)
set(text "// Generated from kinds.def by GenerateKinds.cmake.\n\n")

function(append_enum macro name summary)
  # An entry starts a line. Requiring digits as its value excludes the default definitions of the macros and the head comment.
  string(REGEX MATCHALL "\n${macro}\\([a-z0-9_]+, [0-9]+," rows "${table}")
  if(NOT rows)
    message(FATAL_ERROR "${KINDS} has no ${macro} rows")
  endif()
  set(cases "")
  foreach(row IN LISTS rows)
    string(REGEX MATCH "\\(([a-z0-9_]+), ([0-9]+)," _ "${row}")
    set(keyword ${CMAKE_MATCH_1})
    set(value ${CMAKE_MATCH_2})
    # gelu_tanh -> GeluTanh: LLVM's style for enumerators. It also avoids C++ keywords (auto).
    string(REPLACE "_" ";" words ${keyword})
    set(symbol "")
    foreach(word IN LISTS words)
      string(SUBSTRING ${word} 0 1 first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(TOUPPER ${first} first)
      string(APPEND symbol ${first}${rest})
    endforeach()
    list(APPEND cases "  I32EnumAttrCase<\"${symbol}\", ${value}, \"${keyword}\">")
  endforeach()
  list(JOIN cases ",\n" cases)
  string(APPEND text "def Tpp_${name} : I32EnumAttr<\"${name}\", \"${summary}\", [\n${cases}\n]> {\n"
                     "  let cppNamespace = \"::mlir::tpp\";\n  let genSpecializedAttr = 0;\n}\n\n")
  set(text "${text}" PARENT_SCOPE)
endfunction()

append_enum(TPP_TYPE ElementType "element type of an operand")
append_enum(TPP_UNARY_KIND UnaryKind "unary kind")
append_enum(TPP_BINARY_KIND BinaryKind "binary kind")
append_enum(TPP_REDUCE_KIND ReduceKind "reduce kind")
append_enum(TPP_BROADCAST_KIND Broadcast "broadcast of an operand")
append_enum(TPP_PROVIDER Provider "provider of kernels")
file(WRITE "${OUTPUT}" "${text}")
