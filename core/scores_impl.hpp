// Scoring many boundaries at once, compiled for each instruction set like the batched pass.

#include "lanes.hpp"
#include "scores.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

double gini_score(double l, double l1, double n, double n1) {
    const double r = n - l, r1 = n1 - l1;
    return -(l1 * (l - l1) * r + r1 * (r - r1) * l) / (l * r);
}

} // namespace

void gini_scores(const std::uint32_t* positions, const std::uint32_t* ones, std::size_t count,
                 double n, double n1, double* scores) {
    using V = Vectors<double>;
    typedef std::int32_t Halves __attribute__((vector_size(kVectorBytes / 2)));
    std::size_t k = 0;
    for (; k + V::kLanes <= count; k += V::kLanes) {
        Halves position, one;
        __builtin_memcpy(&position, positions + k, sizeof(Halves));
        __builtin_memcpy(&one, ones + k, sizeof(Halves));
        const V::Value l = __builtin_convertvector(position, V::Value);
        const V::Value l1 = __builtin_convertvector(one, V::Value);
        const V::Value r = n - l, r1 = n1 - l1;
        const V::Value score = -(l1 * (l - l1) * r + r1 * (r - r1) * l) / (l * r);
        __builtin_memcpy(scores + k, &score, sizeof(score));
    }
    for (; k < count; ++k) scores[k] = gini_score(positions[k], ones[k], n, n1);
}

void side_scores(const std::uint32_t* positions, const std::int64_t* left,
                 const std::int64_t* right, std::size_t count, double n, double* scores) {
    using V = Vectors<double>;
    typedef std::int32_t Halves __attribute__((vector_size(kVectorBytes / 2)));
    std::size_t k = 0;
    for (; k + V::kLanes <= count; k += V::kLanes) {
        Halves position;
        V::Mask left_whole, right_whole;
        __builtin_memcpy(&position, positions + k, sizeof(Halves));
        __builtin_memcpy(&left_whole, left + k, sizeof(left_whole));
        __builtin_memcpy(&right_whole, right + k, sizeof(right_whole));
        const V::Value left_sum = __builtin_convertvector(left_whole, V::Value);
        const V::Value right_sum = __builtin_convertvector(right_whole, V::Value);
        const V::Value l = __builtin_convertvector(position, V::Value), r = n - l;
        const V::Value score = (left_sum * r + right_sum * l) / (l * r);
        __builtin_memcpy(scores + k, &score, sizeof(score));
    }
    for (; k < count; ++k) {
        const double l = positions[k], r = n - l;
        scores[k] =
            (static_cast<double>(left[k]) * r + static_cast<double>(right[k]) * l) / (l * r);
    }
}

std::size_t first_best(const double* scores, std::size_t count) {
    using V = Vectors<double>;
    double best = scores[0];
    std::size_t k = 0;
    if (count >= V::kLanes) {
        V::Value most;
        __builtin_memcpy(&most, scores, sizeof(most));
        for (; k + V::kLanes <= count; k += V::kLanes) {
            V::Value here;
            __builtin_memcpy(&here, scores + k, sizeof(here));
            most = V::max(most, here);
        }
        for (int lane = 0; lane < V::kLanes; ++lane) best = most[lane] > best ? most[lane] : best;
    }
    for (; k < count; ++k) best = scores[k] > best ? scores[k] : best;
    for (k = 0; scores[k] != best; ++k) {
    }
    return k;
}

} // namespace treefront::TREEFRONT_VARIANT
