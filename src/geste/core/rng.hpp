#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace geste {

/// The Philox4x32-10 block function: ten rounds that turn a counter and a key into 128 bits that
/// look random. For a fixed key it is a bijection of the counter.
/// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2,
/// 3", SC 2011, section 3.3.
constexpr std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter,
                                                     std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    const auto a_high = static_cast<std::uint32_t>(a >> 32);
    const auto b_high = static_cast<std::uint32_t>(b >> 32);
    counter = {b_high ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               a_high ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    // Weyl sequences of the golden ratio and of sqrt(3) - 1.
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// A stream of random numbers as a small value: copy it to repeat it, `split` it to give each
/// task, sample or thread a stream of its own. Same seed, same numbers, on every machine; nothing
/// here asks the standard library's distributions, whose numbers differ between implementations.
///
/// A stream is known by 128 bits (key and lane) and numbers its draws with a 64-bit counter.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) : key_(seed) {}

  /// The stream `key` of this one. It depends on this stream's identity and on `key` alone, never
  /// on how many numbers were drawn. Different keys give different streams for certain (the block
  /// function is a bijection); streams of different parents meet with a chance of 2^-128.
  [[nodiscard]] constexpr Rng split(std::uint64_t key) const {
    const auto block = compute_block(key_ ^ kSplitDomain, lane_, key);
    Rng child(block[0]);
    child.lane_ = block[1];
    return child;
  }

  /// 64 random bits.
  constexpr std::uint64_t next() {
    if (drawn_++ % 2 == 1) return spare_;
    const auto block = compute_block(key_, lane_, (drawn_ - 1) / 2);
    spare_ = block[1];
    return block[0];
  }

  /// In [0, 1), a multiple of 2^-53.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// In [lo, hi), or lo when they are equal. Throws std::invalid_argument when lo > hi or their
  /// distance is not finite.
  double uniform(double lo, double hi);

  /// Each integer of lo..hi (both included) with the same chance. Throws std::invalid_argument
  /// when lo > hi. D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1),
  /// 2019.
  std::int64_t integer(std::int64_t lo, std::int64_t hi);

  /// Mean 0, variance 1: `normal_quantile` of one uniform draw, so one call takes one number of the
  /// stream and larger bits give larger values. Within +-8.21.
  double normal();

  /// Two streams are equal when they will give the same numbers for ever.
  friend constexpr bool operator==(const Rng& a, const Rng& b) {
    return a.key_ == b.key_ && a.lane_ == b.lane_ && a.drawn_ == b.drawn_;
  }

  // A UniformRandomBitGenerator, for std::shuffle and the like.
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  constexpr result_type operator()() { return next(); }

 private:
  /// Keeps the blocks that name children apart from the blocks that are drawn.
  static constexpr std::uint64_t kSplitDomain = 0x9FB21C651E98DF25;

  static constexpr std::array<std::uint64_t, 2> compute_block(std::uint64_t key, std::uint64_t lane,
                                                              std::uint64_t counter) {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    const auto block =
        philox4x32_10({low(counter), high(counter), low(lane), high(lane)}, {low(key), high(key)});
    return {std::uint64_t{block[1]} << 32 | block[0], std::uint64_t{block[3]} << 32 | block[2]};
  }

  std::uint64_t key_ = 0;
  std::uint64_t lane_ = 0;
  std::uint64_t drawn_ = 0;  ///< 64-bit numbers given so far; two make a block
  std::uint64_t spare_ = 0;  ///< second half of the current block, when drawn_ is odd
};

/// The value that a standard normal variable stays below with probability p; -inf at 0, inf at 1.
/// Throws std::invalid_argument outside [0, 1]. Relative error about 1e-15.
/// M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied
/// Statistics 37(3), 1988 (PPND16). It uses +, -, *, / and sqrt alone (the logarithm of the tails
/// is ours too), so that every IEEE machine gives the same bits whatever its mathematical library.
double normal_quantile(double p);

}  // namespace geste
