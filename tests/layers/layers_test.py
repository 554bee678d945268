"""tools/layers must catch each kind of fault in a small tree made here, and accept what is right.

usage: layers_test.py TOOLS_LAYERS
"""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys
import tempfile
import unittest


def load_tool(path):
    """tools/layers as a module: dozens of runs in one process."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("layers", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("layers", loader))
    loader.exec_module(module)
    return module


TOOL = load_tool(sys.argv.pop(1))


class Layers(unittest.TestCase):
    def run_on(self, files):
        """Exit code and output of tools/layers on a project of {path: text}."""
        with tempfile.TemporaryDirectory() as project:
            for path, text in files.items():
                os.makedirs(os.path.join(project, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(project, path), "w", encoding="utf-8") as file:
                    file.write(text)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                code = TOOL.main([project])
        return code, output.getvalue()

    def assert_refused(self, path, include, *words, others=None):
        """The include on line 2 of `path` is the one fault, and the message holds `words`."""
        code, output = self.run_on({path: f"#pragma once\n#include {include}\n", **(others or {})})
        self.assertEqual(code, 1, output)
        faults = output.splitlines()[:-1]
        self.assertEqual(len(faults), 1, output)
        self.assertTrue(faults[0].startswith(f"{path}:2: "), output)
        for word in words:
            self.assertIn(word, faults[0])

    def assert_accepted(self, path, include, others=None):
        code, output = self.run_on({path: f"#pragma once\n#include {include}\n", **(others or {})})
        self.assertEqual(code, 0, output)

    def test_arrow_upwards(self):
        self.assert_refused("src/geste/geometry/a.hpp", '"geste/model/scene.hpp"',
                            "geometry -> model", "geometry may include core, math")
        self.assert_refused("src/geste/core/a.cpp", '"geste/math/pose.hpp"', "core -> math")
        self.assert_refused("src/geste/dynamics/a.cpp", '"geste/geometry/mesh.hpp"',
                            "dynamics -> geometry")
        self.assert_refused("src/geste/formats/a.cpp", "<geste/tasks/move.hpp>", "formats -> tasks")

    def test_studio_server_is_for_the_program_and_its_tests(self):
        others = {"apps/studio/server/studio.hpp": "#pragma once\n"}
        include = '"studio/server/studio.hpp"'
        for path in ("apps/cli/a.cpp", "tests/studio/a_test.cpp", "tests/fuzz/a_fuzz.cpp",
                     "benches/see/a.cpp", "apps/studio/server/a.cpp"):
            self.assert_accepted(path, include, others=others)
        self.assert_refused("src/geste/tasks/a.cpp", include, "nothing includes an app",
                            others=others)
        self.assert_refused("tests/model/a_test.cpp", include, "nothing includes an app",
                            others=others)

    def test_arrow_allowed(self):
        self.assert_accepted("src/geste/model/a.cpp", '"geste/geometry/mesh.hpp"')
        self.assert_accepted("src/geste/human/a.cpp", '"geste/math/pose.hpp"')
        self.assert_accepted("src/geste/tasks/a.cpp", '"geste/formats/urdf.hpp"')
        self.assert_accepted("apps/cli/a.cpp", '"geste/tasks/move.hpp"')
        self.assert_accepted("benches/mesh/a.cpp", '"geste/formats/stl.hpp"')

    def test_ik_is_open_to_planning_spaces_only(self):
        self.assert_accepted("src/geste/planning/space_tracking.cpp", '"geste/ik/solver.hpp"')
        self.assert_accepted("src/geste/planning/space/tracking.cpp", '"geste/ik/solver.hpp"')
        self.assert_refused("src/geste/planning/roadmap.cpp", '"geste/ik/solver.hpp"',
                            "planning -> ik", "ik (only planning/space*)")

    def test_internal_headers_stay_at_home(self):
        header = '"geste/model/internal/compiler.hpp"'
        self.assert_accepted("src/geste/model/a.cpp", header)
        self.assert_accepted("src/geste/model/internal/a.hpp", header)
        self.assert_accepted("tests/model/a_test.cpp", header)
        for path in ["src/geste/formats/a.cpp", "apps/cli/a.cpp", "benches/mesh/a.cpp",
                     "tests/formats/a_test.cpp", "tests/fuzz/a.cpp"]:
            self.assert_refused(path, header, "internal to model")
        self.assert_refused("src/geste/model/scene.hpp", header, "public header", "not installed")

    def test_relative_includes(self):
        self.assert_refused("src/geste/model/a.cpp", '"../core/error.hpp"', "relative")
        self.assert_refused("src/geste/model/a.cpp", '"geste/model/../core/error.hpp"', "relative")
        self.assert_refused("tests/model/a_test.cpp", '"../testing.hpp"', "relative",
                            others={"tests/testing.hpp": ""})
        self.assert_refused("src/geste/model/a.cpp", '"./scene.hpp"', "relative")

    def test_rooms_named_without_geste(self):
        self.assert_refused("src/geste/model/a.cpp", '"core/error.hpp"', "not named from the root")
        self.assert_refused("src/geste/model/a.cpp", '"scene.hpp"', "not named from the root",
                            others={"src/geste/model/scene.hpp": ""})
        self.assert_refused("tests/model/a_test.cpp", '"core/error.hpp"', "not named from the root",
                            others={"src/geste/core/error.hpp": ""})

    def test_helpers_of_a_leaf(self):
        helper = {"tests/core/temp_folder.hpp": ""}
        self.assert_accepted("tests/core/a_test.cpp", '"temp_folder.hpp"', others=helper)
        self.assert_accepted("tests/formats/a_test.cpp", '"core/temp_folder.hpp"', others=helper)

    def test_unknown_rooms(self):
        self.assert_refused("src/geste/model/a.cpp", '"geste/cellar/wine.hpp"', "no room")
        self.assert_refused("apps/cli/a.cpp", '"geste/all.hpp"', "no room")
        code, output = self.run_on({"src/geste/cellar/wine.hpp": ""})
        self.assertEqual(code, 1)
        self.assertIn("src/geste/cellar/wine.hpp:1: ", output)

    def test_nothing_includes_an_app(self):
        app = {"apps/cli/options.hpp": ""}
        self.assert_accepted("apps/cli/main.cpp", '"options.hpp"', others=app)
        self.assert_accepted("apps/cli/main.cpp", '"cli/options.hpp"', others=app)
        for path in ["src/geste/tasks/a.cpp", "tests/tasks/a_test.cpp", "apps/studio/main.cpp"]:
            for include in ['"cli/options.hpp"', '"apps/cli/options.hpp"']:
                self.assert_refused(path, include, "nothing includes an app", others=app)

    def test_every_fault_is_named(self):
        code, output = self.run_on({
            "src/geste/core/a.cpp": '#include "geste/math/pose.hpp"\n#include "geste/ik/a.hpp"\n',
            "src/geste/math/b.cpp": '#include <vector>\n  #  include "geste/model/scene.hpp"\n'})
        self.assertEqual(code, 1)
        places = [line.split(": ")[0] for line in output.splitlines()]
        self.assertEqual(places[:3], ["src/geste/core/a.cpp:1", "src/geste/core/a.cpp:2",
                                      "src/geste/math/b.cpp:2"])

    def test_an_empty_project_is_no_success(self):
        code, _ = self.run_on({"README.md": ""})
        self.assertEqual(code, 1)


if __name__ == "__main__":
    unittest.main()
