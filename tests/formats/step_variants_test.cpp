// What the standard and other CAD systems allow to be written in several ways reads as one model.
#include <BRepPrimAPI_MakeBox.hxx>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>

#include "geste/core/files.hpp"
#include "geste/formats/internal/step_normalise.hpp"
#include "geste/formats/step.hpp"

#include "formats/step_writing.hpp"
#include "testing.hpp"

namespace geste {
namespace {

std::string write_box() {
  // Without the line breaks that OpenCASCADE puts into long statements, so that patterns match.
  return std::regex_replace(testing::write_step(BRepPrimAPI_MakeBox(1, 2, 3)),
                            std::regex("\n +|\n(?=[A-Z(])(?!ENDSEC|END-|DATA|FILE|HEADER)"), "");
}

/// The sub-entities of "#1=(A() B())", as text; empty for others.
std::vector<std::string> split_sub_entities(const std::string& value) {
  std::vector<std::string> parts;
  int depth = 0;
  bool is_text = false;
  std::string part;
  for (const char c : value) {
    if (c == '\'') is_text = !is_text;
    if (!is_text && c == '(') ++depth;
    if (depth >= 2 || (depth == 1 && c != '(' && c != ')' && c != ' ' && c != '\n' && c != '\r'))
      part += c;
    if (!is_text && c == ')' && --depth == 1) {
      parts.push_back(part);
      part.clear();
    }
  }
  return parts;
}

/// Every complex entity with its sub-entities in an order of the seed.
std::string shuffle_sub_entities(const std::string& bytes, unsigned seed, int& shuffled) {
  std::mt19937 random(seed);
  std::string out;
  std::size_t at = 0;
  const std::regex head("#[0-9]+ *= *\\(");
  auto match = std::sregex_iterator(bytes.begin(), bytes.end(), head);
  for (; match != std::sregex_iterator(); ++match) {
    const auto begin = static_cast<std::size_t>(match->position() + match->length() - 1);
    if (begin < at) continue;
    std::size_t end = begin;
    for (bool is_text = false; bytes[end] != ';' || is_text; ++end)
      if (bytes[end] == '\'') is_text = !is_text;
    std::vector<std::string> parts = split_sub_entities(bytes.substr(begin, end - begin));
    std::shuffle(parts.begin(), parts.end(), random);
    out += bytes.substr(at, begin - at) + "(";
    for (const std::string& part : parts) out += part + " ";
    out += ")";
    at = end;
    ++shuffled;
  }
  return out + bytes.substr(at);
}

void expect_box(const std::string& bytes, const std::string& what) {
  const Result<StepFile> file = parse_step(bytes, "box.stp");
  ASSERT_TRUE(file) << what << ": " << to_text(file.error());
  ASSERT_EQ(file->solids.size(), 1u) << what;
  EXPECT_NEAR(file->solids[0].volume, 6, 1e-9) << what;
}

bool has_note(const std::string& bytes, const char* code) {
  const Notes notes = parse_step(bytes, "box.stp")->asset.notes;
  return std::any_of(notes.begin(), notes.end(), [&](const Note& n) { return n.code == code; });
}

std::string replaced(const std::string& pattern, const std::string& by) {
  const std::string whole = write_box();
  std::string changed = std::regex_replace(whole, std::regex(pattern), by);
  EXPECT_NE(changed, whole) << pattern;
  return changed;
}

TEST(StepVariants, SubEntitiesMayComeInAnyOrder) {
  const std::string box = write_box();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    int shuffled = 0;
    expect_box(shuffle_sub_entities(box, seed, shuffled), "seed " + std::to_string(seed));
    EXPECT_GT(shuffled, 20);
  }
  expect_box(replaced("LENGTH_UNIT\\(\\) NAMED_UNIT\\(\\*\\) SI_UNIT\\(\\.MILLI\\.,\\.METRE\\.\\)",
                      "NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) LENGTH_UNIT()"),
             "named, si, length");
}

// With a unit that is a conversion: where it is lost all is 25.4 times too small.
TEST(StepVariants, SharedFilesReadTheSameInAnyOrder) {
  for (const char* name : {"as1-oc-214.stp", "dm1-id-214.stp", "nist_ctc_01_asme1_ap242-e1.stp"}) {
    const auto path = testing::shared_data() / "cad" / "step" / name;
    GESTE_NEEDS_DATA(path);
    const std::string bytes = load_file(path).value();
    StepOptions coarse;
    coarse.linear_deflection = 1e-3;
    const Result<StepFile> straight = parse_step(bytes, name, coarse);
    ASSERT_TRUE(straight) << to_text(straight.error());
    int shuffled = 0;
    const Result<StepFile> other =
        parse_step(shuffle_sub_entities(bytes, 3, shuffled), name, coarse);
    ASSERT_TRUE(other) << name << ": " << to_text(other.error());
    EXPECT_GT(shuffled, 10) << name;
    ASSERT_EQ(other->solids.size(), straight->solids.size()) << name;
    for (std::size_t i = 0; i < other->solids.size(); ++i) {
      EXPECT_EQ(other->solids[i].path, straight->solids[i].path);
      EXPECT_DOUBLE_EQ(other->solids[i].volume, straight->solids[i].volume);
    }
    EXPECT_EQ(other->length_units, straight->length_units);
  }
}

TEST(StepVariants, BlanksCommentsAndSmallLettersMayStandAnywhere) {
  const std::string box = write_box();
  const auto change = [&](const char* pattern, const char* by) {
    return std::regex_replace(box, std::regex(pattern), by);
  };
  expect_box(change(" = ", "\n=\n"), "lines around =");
  expect_box(change(" = ", " /* ; ' */ = /* ( */ "), "comments around =");
  expect_box(change("([A-Z])\\(", "$1 /* it's */ ("), "comments behind keywords");
  expect_box(change("ENDSEC;", "ENDSEC ;"), "blank before the end");
  expect_box(change("\nDATA;", "\nDATA\n;"), "line in DATA;");
  expect_box(change("\nDATA;", "\nDATA('one',('AUTOMOTIVE_DESIGN'));"), "edition 2");
  expect_box(change("\n", "\r\n"), "Windows");
  expect_box(change("\n", "\r"), "old Macintosh");
  std::string small = box;
  bool is_text = false;
  for (std::size_t i = small.find("DATA;") + 5; i < small.rfind("ENDSEC"); ++i) {
    if (small[i] == '\'') is_text = !is_text;
    if (!is_text) small[i] = static_cast<char>(std::tolower(small[i]));
  }
  expect_box(small, "small letters");
}

TEST(StepVariants, NamesKeepTheirLettersWhenKeywordsAreRaised) {
  std::string bytes = replaced("PRODUCT\\('[^']*','[^']*'", "product('a','Lid (b) = #7; /* c */'");
  bytes = std::regex_replace(bytes, std::regex(" = product\\("), "\n=product(");
  const Result<StepFile> file = parse_step(bytes, "box.stp");
  ASSERT_TRUE(file) << to_text(file.error());
  EXPECT_EQ(file->asset.instances.at(0).name, "Lid (b) = #7; /* c */");
}

TEST(StepVariants, PlainTextIsNotCopied) {
  EXPECT_FALSE(normalise_step(write_box()));
  EXPECT_EQ(normalise_step("ISO-10303-21;\n#1=(B('(;') A());\nEND-ISO-10303-21;"),
            "ISO-10303-21;\n#1=(A() B('(;') );\nEND-ISO-10303-21;");
  EXPECT_EQ(normalise_step("data ( 'x' );"), "DATA;");
  EXPECT_EQ(normalise_step("#1 /*c*/=a('b');"), "#1=A('b');");
  for (const char* odd : {"#", "#1", "#1=", "#1=(", "#1=()", "#1=(A", "#;", "=;", "#1=(A(;"}) {
    (void)normalise_step(odd);  // whatever comes, it ends
  }
}

// The unit of solid angles, accuracies and other units change no shape.
TEST(StepVariants, NeedlessUnitsMayBeBroken) {
  const std::string steradian =
      "\\( ?NAMED_UNIT\\(\\*\\) SI_UNIT\\(\\$,\\.STERADIAN\\.\\) SOLID_ANGLE_UNIT\\(\\) ?\\)";
  for (const char* unit : {"(NAMED_UNIT(*)SI_UNIT($,$)SOLID_ANGLE_UNIT())",
                           "(NAMED_UNIT(*)SI_UNIT($,.STERADIANS.)SOLID_ANGLE_UNIT())",
                           "(CONVERSION_BASED_UNIT('STERADIAN',$)NAMED_UNIT($)SOLID_ANGLE_UNIT())",
                           "SOLID_ANGLE_UNIT($)", "NAMED_UNIT($)", "DERIVED_UNIT((#9001))",
                           "(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT()ODD_UNIT())"}) {
    const std::string bytes =
        replaced(steradian, std::regex_replace(std::string(unit), std::regex("\\$"), "$$$$"));
    expect_box(bytes, unit);
    EXPECT_TRUE(has_note(bytes, "step.unit_skipped")) << unit;
  }
  expect_box(replaced("'distance_accuracy_value'", "$$"), "accuracy without a name");
  expect_box(replaced("UNCERTAINTY_MEASURE_WITH_UNIT\\(LENGTH_MEASURE\\([^)]*\\),#[0-9]+",
                      "UNCERTAINTY_MEASURE_WITH_UNIT($$,$$"),
             "accuracy without a value");
}

// Where a length or an angle is in it, the size of everything hangs on it.
TEST(StepVariants, NeededUnitsMustBeWhole) {
  for (const auto& [pattern, words] :
       {std::pair{"LENGTH_UNIT\\(\\) NAMED_UNIT\\(\\*\\) SI_UNIT\\(\\.MILLI\\.,\\.METRE\\.\\)",
                  "LENGTH_UNIT() NAMED_UNIT(*) ODD_UNIT() SI_UNIT(.MILLI.,.METRE.)"},
        std::pair{"SI_UNIT\\(\\.MILLI\\.,\\.METRE\\.\\)", "SI_UNIT(.MILLI.,.METER.)"}}) {
    const Result<StepFile> file = parse_step(replaced(pattern, words), "box.stp");
    ASSERT_FALSE(file) << words;
    EXPECT_EQ(file.error().code, "step.entity") << words;
  }
  const Result<StepFile> lost = parse_step(
      replaced(
          "\\( ?LENGTH_UNIT\\(\\) NAMED_UNIT\\(\\*\\) SI_UNIT\\(\\.MILLI\\.,\\.METRE\\.\\) ?\\)",
          "DERIVED_UNIT((#9001))"),
      "box.stp");
  ASSERT_FALSE(lost);
  EXPECT_NE(to_text(lost.error()).find("unit of lengths cannot be read"), std::string::npos)
      << to_text(lost.error());
}

// Dimensions, tolerances, categories and links between aspects are not part of a shape.
TEST(StepVariants, WhatIsNoShapeMayBeBroken) {
  for (const char* entity :
       {"SHAPE_ASPECT_RELATIONSHIP($,$,$,$)", "ANGULAR_SIZE($,$,$)", "ANGULAR_LOCATION($,$,$,$,$)",
        "PRODUCT_CATEGORY_RELATIONSHIP($,$,$,$)", "MASS_UNIT($)",
        "PROPERTY_DEFINITION_RELATIONSHIP($,$,$,$)", "DERIVED_UNIT_ELEMENT($,1.)"}) {
    std::string bytes = write_box();
    bytes.insert(bytes.rfind("ENDSEC;"), std::string("#9001=") + entity + ";\n");
    expect_box(bytes, entity);
  }
}

TEST(StepVariants, MissingIdsAreEmpty) {
  expect_box(replaced("PRODUCT\\('[^']*',", "PRODUCT($$,"), "id of a product");
  expect_box(replaced("PRODUCT_DEFINITION\\('[^']*',", "PRODUCT_DEFINITION($$,"),
             "of a definition");
  expect_box(
      replaced("PRODUCT_DEFINITION_FORMATION\\('[^']*',", "PRODUCT_DEFINITION_FORMATION($$,"),
      "of a formation");
  expect_box(replaced("REPRESENTATION_CONTEXT\\('[^']*', ?'[^']*'", "REPRESENTATION_CONTEXT($$,$$"),
             "of a context");
}

// OpenCASCADE by itself follows a null pointer for each of these.
TEST(StepVariants, EmptyListsOfShapesAreRefused) {
  for (const char* entity :
       {"EDGE_LOOP('',())",
        "B_SPLINE_CURVE_WITH_KNOTS('',1,( ),.UNSPECIFIED.,.F.,.F.,(),(),.UNSPECIFIED.)",
        "SHELL_BASED_SURFACE_MODEL('',())", "CONNECTED_EDGE_SET('',(/* none */))",
        "EDGE_BASED_WIREFRAME_MODEL('',())", "FACE_BASED_SURFACE_MODEL('',())",
        "TRIMMED_CURVE('',#27,(),(),.T.,.CARTESIAN.)", "CURVE_BOUNDED_SURFACE('',#32,(),.T.)",
        "INTERSECTION_CURVE('',#27,(),.PCURVE_S1.)", "SEAM_CURVE('',#27,(),.PCURVE_S1.)",
        "DIRECTION('',())", "derived_unit(())",
        "(BOUNDED_CURVE()B_SPLINE_CURVE(1,(),.UNSPECIFIED.,.F.,.F.)"
        "B_SPLINE_CURVE_WITH_KNOTS((),(),.UNSPECIFIED.)CURVE()GEOMETRIC_REPRESENTATION_ITEM()"
        "RATIONAL_B_SPLINE_CURVE(())REPRESENTATION_ITEM(''))"}) {
    std::string bytes = write_box();
    bytes.insert(bytes.rfind("ENDSEC;"), std::string("#9001=") + entity + ";\n");
    const Result<StepFile> file = parse_step(bytes, "box.stp");
    ASSERT_FALSE(file) << entity;
    EXPECT_EQ(file.error().code, "step.entity") << entity;
    EXPECT_EQ(file.error().element, "entity #9001") << entity;
    EXPECT_GT(file.error().line, 10);
  }
  for (const char* entity : {"PRODUCT('a','b','',())", "PERSON('','','',(),(),())",
                             "DESCRIPTIVE_REPRESENTATION_ITEM('EDGE_LOOP (())','( )')"}) {
    std::string bytes = write_box();
    bytes.insert(bytes.rfind("ENDSEC;"), std::string("#9001=") + entity + ";\n");
    expect_box(bytes, entity);
  }
}

// OpenCASCADE by itself breaks its memory here.
TEST(StepVariants, ScopesAreRefused) {
  std::string bytes = write_box();
  bytes.insert(bytes.rfind("ENDSEC;"),
               "#9001=&SCOPE #9002=DIRECTION('',(0.,0.,1.)); ENDSCOPE VECTOR('',#9002,1.);\n");
  const Result<StepFile> file = parse_step(bytes, "box.stp");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, "step.syntax");
  EXPECT_GT(file.error().line, 10);
  EXPECT_NE(file.error().message.find("&SCOPE"), std::string::npos);
}

}  // namespace
}  // namespace geste
