// Compiling for Python.
#ifndef TPP_PYTHON_COMPILATION_H
#define TPP_PYTHON_COMPILATION_H

#include "model.h"

namespace tpp::python {

// Compiles `program` or, if `path` is not empty, a file. An empty option is the default. Raises what errors.py says, and KeyboardInterrupt at
// once: the compiler then ends in its thread.
Model *compile(const nb::bytes &program, std::string path, std::string name, std::string entry, std::string target,
               std::string packing, std::string provider, std::string precision, std::string winograd, std::string denormals,
               int threads, bool reference, bool drawing, std::vector<int64_t> weights);

// Waits for compilations that go on after an interrupt. The process may not end before: LLVM's own data would be destroyed under them.
void wait_for_compilations();

} // namespace tpp::python

#endif
