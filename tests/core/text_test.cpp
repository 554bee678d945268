#include "geste/core/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <clocale>
#include <cmath>
#include <limits>

#include "geste/core/internal/utf8.hpp"

namespace geste {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ParseDouble, ReadsNumbers) {
  EXPECT_EQ(parse_double("0"), 0.0);
  EXPECT_EQ(parse_double(" 1e5 "), 1e5);
  EXPECT_EQ(parse_double("\t-2.5\r\n"), -2.5);
  EXPECT_EQ(parse_double("+3"), 3.0);
  EXPECT_EQ(parse_double("+.5"), 0.5);
  EXPECT_EQ(parse_double("5."), 5.0);
  EXPECT_EQ(parse_double("1E+2"), 100.0);
  EXPECT_EQ(parse_double("0.1"), 0.1);
  EXPECT_EQ(parse_double("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(parse_double("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse_double("inf"), kInfinity);
  EXPECT_EQ(parse_double("-Infinity"), -kInfinity);
}

TEST(ParseDouble, RefusesWhatIsNoNumber) {
  for (const char* text : {"",
                           " ",
                           "+",
                           "-",
                           ".",
                           "e5",
                           "abc",
                           "nan",
                           "-nan",
                           "NaN(1)",
                           "0x10",
                           "1,5",
                           "1_000",
                           "1 2",
                           "++3",
                           "+-3",
                           "-+3",
                           "+ 3",
                           "1e",
                           "1e+",
                           "--1",
                           "1.2.3",
                           "1f",
                           "infx",
                           "\xC2\xA0"
                           "1"}) {
    EXPECT_EQ(parse_double(text), std::nullopt) << '"' << text << '"';
  }
  EXPECT_EQ(parse_double(std::string_view("1\0", 2)), std::nullopt);
}

TEST(ParseDouble, RefusesWhatIsTooLargeAndRoundsWhatIsTooSmall) {
  const std::string digits(400, '1');
  const std::string zeros(400, '0');
  EXPECT_EQ(parse_double("1e999"), std::nullopt);
  EXPECT_EQ(parse_double("-1e999"), std::nullopt);
  EXPECT_EQ(parse_double("1e99999999999999999999"), std::nullopt);
  EXPECT_EQ(parse_double(digits), std::nullopt);
  EXPECT_EQ(parse_double(digits + "e-5"), std::nullopt);
  EXPECT_EQ(parse_double("1e-999"), 0.0);
  EXPECT_EQ(parse_double("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_double("0." + zeros + "1"), 0.0);
  EXPECT_EQ(parse_double("0." + zeros + "1e5"), 0.0);
  EXPECT_EQ(parse_double("0e999"), 0.0);
  EXPECT_EQ(parse_double("0e99999999999999999999"), 0.0);
  EXPECT_TRUE(std::signbit(parse_double("-1e-999").value()));
  // In range, however odd the way it is written.
  EXPECT_EQ(parse_double("0." + zeros + "1e401"), 1.0);
  EXPECT_EQ(parse_double("1" + zeros + "e-400"), 1.0);
}

TEST(ParseDouble, DoesNotAskTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"}) std::setlocale(LC_ALL, name);
  EXPECT_EQ(parse_double("1.5"), 1.5);
  EXPECT_EQ(parse_double("1,5"), std::nullopt);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(ParseInteger, ReadsAndRefuses) {
  EXPECT_EQ(parse_integer(" 42 "), 42);
  EXPECT_EQ(parse_integer("+7"), 7);
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<long long>::min());
  for (const char* text :
       {"", "+", "9223372036854775808", "1.0", "1e3", "0x10", "+-1", "++1", "4 2"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << '"' << text << '"';
  }
}

TEST(ParseDoubles, TakesWordsOrNothing) {
  EXPECT_EQ(parse_doubles(" 1 2.5\n-3 "), (std::vector<double>{1, 2.5, -3}));
  EXPECT_EQ(parse_doubles(""), std::vector<double>());
  EXPECT_EQ(parse_doubles("1 two 3"), std::nullopt);
  EXPECT_EQ(parse_doubles("1,2"), std::nullopt);
}

TEST(Words, TrimSplitLower) {
  EXPECT_EQ(trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(split_words("  a  bc\td\n"), (std::vector<std::string_view>{"a", "bc", "d"}));
  EXPECT_TRUE(split_words(" \t ").empty());
  EXPECT_EQ(to_lower("ÄBC-1"), "Äbc-1") << "ASCII alone, in every locale";
}

TEST(Utf8, AcceptsTheFormsOfRfc3629) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8("plain"));
  EXPECT_TRUE(is_valid_utf8("\xC2\x80 \xDF\xBF"));          // U+80, U+7FF
  EXPECT_TRUE(is_valid_utf8("\xE0\xA0\x80 \xEF\xBF\xBF"));  // U+800, U+FFFF
  EXPECT_TRUE(is_valid_utf8("\xED\x9F\xBF \xEE\x80\x80"));  // either side of the surrogates
  EXPECT_TRUE(is_valid_utf8("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"));
  EXPECT_TRUE(is_valid_utf8(std::string_view("\0", 1)));
}

TEST(Utf8, RefusesTheRest) {
  for (const char* text : {
           "\x80", "\xBF",                                      // a follower alone
           "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF",              // overlong
           "\xF0\x8F\xBF\xBF",                                  //
           "\xED\xA0\x80", "\xED\xBF\xBF",                      // surrogates
           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE\xFF",  // above U+10FFFF
           "\xC2", "\xE2\x82", "\xF0\x9F\x98",                  // cut at the end
           "\xC2"
           "A",
           "\xE2\x82"
           "A",
           "caf\xE9",  // cut inside, Latin-1
       }) {
    EXPECT_FALSE(is_valid_utf8(text));
    EXPECT_FALSE(is_valid_utf8(std::string("ok ") + text));
  }
}

TEST(Utf8, DecodesEveryCodePoint) {
  // The inverse, written by the table of RFC 3629.
  for (char32_t code = 1; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string bytes;
    const auto follower = [&](int shift) {
      bytes += static_cast<char>(0x80 | (code >> shift & 0x3F));
    };
    if (code < 0x80) {
      bytes += static_cast<char>(code);
    } else if (code < 0x800) {
      bytes += static_cast<char>(0xC0 | code >> 6);
      follower(0);
    } else if (code < 0x10000) {
      bytes += static_cast<char>(0xE0 | code >> 12);
      follower(6);
      follower(0);
    } else {
      bytes += static_cast<char>(0xF0 | code >> 18);
      follower(12);
      follower(6);
      follower(0);
    }
    const CodePoint decoded = decode_utf8(bytes, 0);
    ASSERT_TRUE(decoded.valid);
    ASSERT_EQ(decoded.value, code);
    ASSERT_EQ(decoded.length, bytes.size());
  }
}

// The witness is nlohmann's parser.
TEST(QuoteJson, IsReadBackTheSame) {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  for (const std::string& text :
       {all, std::string("bras – 手 😀"), std::string("C:\\a\\\"b\"\n"), std::string()}) {
    EXPECT_EQ(nlohmann::json::parse(quote_json(text)).get<std::string>(), text);
  }
}

TEST(QuoteJson, LooksAsExpected) {
  EXPECT_EQ(quote_json("a\"b\\c\n\t\x01\x7F"), R"("a\"b\\c\n\t\u0001\u007f")");
  EXPECT_EQ(quote_json("caf\xE9!"), "\"caf\xEF\xBF\xBD!\"");
}

TEST(NearestName, FindsTypos) {
  const std::vector<std::string> names{"elbow", "shoulder_pan", "wrist", "mesh", "pose"};
  EXPECT_EQ(find_nearest_name("elbwo", names), "elbow") << "two letters swapped";
  EXPECT_EQ(find_nearest_name("elow", names), "elbow") << "one left out";
  EXPECT_EQ(find_nearest_name("wrrist", names), "wrist") << "one too many";
  EXPECT_EQ(find_nearest_name("wrizt", names), "wrist") << "one wrong";
  EXPECT_EQ(find_nearest_name("SHOULDER_PAN", names), "shoulder_pan") << "case";
  EXPECT_EQ(find_nearest_name("shoulderpan", names), "shoulder_pan");
  EXPECT_EQ(find_nearest_name("psoe", names), "pose");
}

TEST(NearestName, ASwapCountsOnce) {
  // "ab" against "ba": one swap is near enough, two replacements would not be.
  const std::vector<std::string> names{"xyab"};
  EXPECT_EQ(find_nearest_name("xyba", names), "xyab");
  const std::vector<std::string> rivals{"abxx", "abdc"};
  EXPECT_EQ(find_nearest_name("abcd", rivals), "abdc");
}

TEST(NearestName, LeavesOtherNamesAlone) {
  const std::vector<std::string> names{"elbow", "wrist", "y"};
  EXPECT_EQ(find_nearest_name("camera", names), std::nullopt);
  EXPECT_EQ(find_nearest_name("x", names), std::nullopt) << "no letter in common";
  EXPECT_EQ(find_nearest_name("", names), std::nullopt);
  EXPECT_EQ(find_nearest_name("elbow", {}), std::nullopt);
  EXPECT_EQ(find_nearest_name(std::string(1000, 'e'), names), std::nullopt);
  const std::vector<std::string> letters{"abcdef"};
  EXPECT_EQ(find_nearest_name("abcxyz", letters), std::nullopt) << "half the letters";
  EXPECT_EQ(find_nearest_name("abcdxy", letters), "abcdef") << "a third";
}

TEST(NearestName, PrefersTheNearestThenTheFirst) {
  const std::vector<std::string> names{"joint_13", "joint_22", "joint_12", "joint_11"};
  EXPECT_EQ(find_nearest_name("joint_12", names), "joint_12");
  EXPECT_EQ(find_nearest_name("joint_14", names), "joint_13");
}

TEST(SuggestName, GivesARemedy) {
  const std::vector<std::string> names{"elbow", "wrist"};
  EXPECT_EQ(suggest_name("elbwo", names), "did you mean 'elbow'?");
  EXPECT_EQ(suggest_name("camera", names), "valid: elbow, wrist");
  EXPECT_EQ(suggest_name("camera", {}), "there are none here");
  const std::vector<std::string> many(20, "wrist");
  EXPECT_EQ(suggest_name("camera", many).substr(0, 20), "valid: wrist, wrist,");
  EXPECT_TRUE(suggest_name("camera", many).ends_with("wrist, ..."));
}

}  // namespace
}  // namespace geste
