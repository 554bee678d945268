#pragma once

#include "geste/tasks/task.hpp"

#include "studio/server/json.hpp"

namespace geste::studio {

/// The options of a task as they stand after reading, defaults filled in: what a form shows, and
/// what tells two tasks apart. SI units. Numbers that are not finite are left out: they mean "not
/// given".
Json make_task_values(Task& task);

}  // namespace geste::studio
