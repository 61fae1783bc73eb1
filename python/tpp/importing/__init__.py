"""Reading models of other frameworks with torch-mlir. tools/import uses it, too: nothing here needs the compiler."""
