// Reports errors and determines the exit status. See Tool.h.
#include "Tool.h"

namespace tpp::run {

int finishTool(llvm::StringRef name, llvm::Expected<int> status) {
  auto complain = [&](const llvm::Twine &what) {
    llvm::errs() << name << ": error: " << what << '\n';
    llvm::errs().clear_error(); // if stderr is closed, raw_fd_ostream's destructor would abort the process
    return exitBadInput;
  };
  llvm::outs().flush();
  std::error_code unwritten = llvm::outs().error();
  llvm::outs().clear_error();
  if (!status)
    return complain(llvm::toString(status.takeError()));
  return unwritten ? complain("stdout: cannot write: " + unwritten.message()) : *status;
}

} // namespace tpp::run
