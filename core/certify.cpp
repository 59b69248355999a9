#include "certify.hpp"

#include "exact_front.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace treefront {

namespace {

double value_at(const Point& point, double alpha) {
    return point.errors + alpha * point.complexity;
}

double best_value(const Front& front, double alpha) {
    double best = std::numeric_limits<double>::infinity();
    for (const Vertex& vertex : front.vertices()) best = std::min(best, value_at(vertex, alpha));
    return best;
}

FrontPtr with_tree(const Front& front, const FrontPtr& tree, Keep keep) {
    // The first vertex of a whole front is the leaf that the builder starts with.
    FrontBuilder builder(front[0], std::nullopt, keep);
    builder.add_front(front);
    if (tree) builder.add_front(*tree);
    return builder.finish(front.complete(), nullptr);
}

class Certifier {
  public:
    Certifier(const Dataset& data, const Subset& root, const ExactSettings& settings,
              const Kernels& kernels, Limits& limits, FrontPtr front)
        : data_(data), root_(root), settings_(settings), kernels_(kernels), limits_(limits),
          front_(std::move(front)) {}

    // Lower bound on E + alpha C; a better tree joins the front.
    double prove(double alpha) {
        ExactSettings settings = settings_;
        settings.objective.alpha = alpha;
        Exact exact(data_, settings, kernels_, limits_);
        const double known = best_value(*front_, alpha);
        const Proof proof = exact.prove(root_, known);
        if (proof.tree) front_ = with_tree(*front_, proof.tree, settings_.objective.keep);
        const double lower = std::min(proof.lower, best_value(*front_, alpha));
        if (!limits_.stopped()) proved_.insert(alpha);
        return lower;
    }

    Certificate certificate(double lower) const {
        Certificate result{front_, std::vector<bool>(front_->size(), false), lower};
        for (double alpha : proved_) {
            const double best = best_value(*front_, alpha);
            for (std::size_t i = 0; i < front_->size(); ++i) {
                if (value_at((*front_)[i], alpha) <= best) result.proved[i] = true;
            }
        }
        return result;
    }

  private:
    const Dataset& data_;
    const Subset& root_;
    ExactSettings settings_;
    const Kernels& kernels_;
    Limits& limits_;
    FrontPtr front_;
    std::set<double> proved_; // prices of a test at which the front's best is the best of all
};

} // namespace

Certificate certify_tree(const Dataset& data, const Subset& root, const ExactSettings& settings,
                         const Kernels& kernels, Limits& limits, const FrontPtr& found) {
    Certifier certifier(data, root, settings, kernels, limits, found);
    const double lower = certifier.prove(*settings.objective.alpha);
    return certifier.certificate(lower);
}

Certificate certify_front(const Dataset& data, const Subset& root, const ExactSettings& settings,
                          const Kernels& kernels, Limits& limits, const FrontPtr& found) {
    ExactFront exact(data, settings, kernels, limits);
    const FrontPtr front = exact.prove(root, found);
    const double best = best_value(*front, *settings.objective.alpha);
    return {front, std::vector<bool>(front->size(), front->complete()),
            front->complete() ? best : 0};
}

} // namespace treefront
