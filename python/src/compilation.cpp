// See compilation.h.
#include "compilation.h"

#include "failures.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace tpp::python {

namespace {

// The compilations at work.
struct Running {
  std::mutex guard; // protects `count`
  std::condition_variable changed;
  int count = 0;

  void add(int difference) {
    std::lock_guard<std::mutex> lock(guard);
    count += difference;
    changed.notify_all();
  }
};
Running &running = *new Running; // never destroyed: a thread may end after everything else

// A compilation in a thread of its own, so that an interrupt of the main thread is not delayed: the thread then ends by itself.
struct Compilation {
  std::string program, path, name, entry, target, packing, provider, precision, winograd, denormals;
  std::vector<int64_t> weights;
  int32_t threads = 1;
  bool reference = false, drawing = false;

  std::mutex guard; // protects what follows
  std::condition_variable changed;
  bool done = false;
  tpp_status status = TPP_STATUS_OK;
  ModelHandle model;
  std::string error;
  std::vector<Diagnostic> diagnostics;

  void run() {
    tpp_compile_options options = TPP_COMPILE_OPTIONS;
    auto text = [](const std::string &given) { return given.empty() ? nullptr : given.c_str(); };
    options.entry = text(entry);
    options.target = text(target);
    options.packing = text(packing);
    options.provider = text(provider);
    options.precision = text(precision);
    options.winograd = text(winograd);
    options.denormals = text(denormals);
    options.threads = threads;
    options.reference = reference;
    options.drawing = drawing;
    options.weights = weights.data();
    options.weight_count = static_cast<int64_t>(weights.size());
    options.user = &diagnostics;
    options.diagnose = [](void *user, const tpp_diagnostic *diagnostic) {
      static const char *const severities[] = {"error", "warning", "remark", "note"};
      static_cast<std::vector<Diagnostic> *>(user)->emplace_back(severities[diagnostic->severity], diagnostic->message,
                                                                 diagnostic->file, diagnostic->line, diagnostic->column);
    };
    tpp_model *made = nullptr;
    const tpp_status result = path.empty() ? tpp_compile(program.data(), program.size(), text(name), &options, &made)
                                           : tpp_compile_file(path.c_str(), &options, &made);
    std::lock_guard<std::mutex> lock(guard);
    status = result;
    model.reset(made);
    error = result == TPP_STATUS_OK ? "" : tpp_compiler_last_error();
    done = true;
    changed.notify_all();
  }
};

} // namespace

void wait_for_compilations() {
  nb::gil_scoped_release release;
  std::unique_lock<std::mutex> lock(running.guard);
  running.changed.wait(lock, [] { return running.count == 0; });
}

Model *compile(const nb::bytes &program, std::string path, std::string name, std::string entry, std::string target,
               std::string packing, std::string provider, std::string precision, std::string winograd, std::string denormals,
               int threads, bool reference, bool drawing, std::vector<int64_t> weights) {
  auto work = std::make_shared<Compilation>();
  work->program.assign(program.c_str(), program.size());
  work->path = std::move(path);
  work->name = std::move(name);
  work->entry = std::move(entry);
  work->target = std::move(target);
  work->packing = std::move(packing);
  work->provider = std::move(provider);
  work->precision = std::move(precision);
  work->winograd = std::move(winograd);
  work->denormals = std::move(denormals);
  work->threads = threads;
  work->reference = reference;
  work->drawing = drawing;
  work->weights = std::move(weights);
  running.add(1);
  std::thread([work] {
    work->run();
    running.add(-1);
  }).detach();
  while (true) {
    {
      nb::gil_scoped_release release;
      std::unique_lock<std::mutex> lock(work->guard);
      if (work->changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return work->done; }))
        break;
    }
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
  }
  if (work->status != TPP_STATUS_OK)
    raise_failure(work->status, work->error, work->diagnostics);
  return new Model(std::move(work->model));
}

} // namespace tpp::python
