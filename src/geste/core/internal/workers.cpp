#include "geste/core/internal/workers.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace geste {

int count_cores() { return tbb::info::default_concurrency(); }

void run_workers(std::size_t workers, void* object,
                 void (*work)(void* object, std::size_t worker)) {
  const auto run = [=] {
    // Isolated: a thread that waits for the other workers takes up nothing of an outer loop.
    tbb::this_task_arena::isolate([=] {
      tbb::parallel_for(
          std::size_t{0}, workers, [=](std::size_t worker) { work(object, worker); },
          tbb::simple_partitioner());
    });
  };
  const int threads = static_cast<int>(workers);
  if (threads <= tbb::this_task_arena::max_concurrency()) return run();

  // More threads than cores: TBB gives them only when asked twice.
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, workers);
  tbb::task_arena(threads).execute(run);
}

}  // namespace geste
