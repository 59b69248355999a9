#include "certify.hpp"

#include "exact_front.hpp"

#include <algorithm>
#include <set>

namespace treefront {

namespace {

FrontPtr with_tree(const Subset& root, const Front& front, const FrontPtr& tree, Keep keep) {
    FrontBuilder builder({0, root.leaf_errors(), 1}, std::nullopt, keep);
    builder.add_front(front);
    if (tree) builder.add_front(*tree);
    return builder.finish(front.complete(), nullptr);
}

class Certifier {
public:
    Certifier(const Subset& root, const ExactSettings& settings, const Kernels& kernels,
              Limits& limits, FrontPtr front)
        : root_(root), settings_(settings), kernels_(kernels), limits_(limits),
          front_(std::move(front)) {}

    // Lower bound on E + alpha C; a better tree joins the front.
    double prove(double alpha) {
        ExactSettings settings = settings_;
        settings.objective.alpha = alpha;
        Exact exact(settings, kernels_, limits_);
        const double known = best_value(front_->vertices(), alpha);
        const Proof proof = exact.prove(root_, known);
        if (proof.tree) front_ = with_tree(root_, *front_, proof.tree, settings_.objective.keep);
        const double lower = std::min(proof.lower, best_value(front_->vertices(), alpha));
        if (!limits_.stopped()) proved_.insert(alpha);
        return lower;
    }

    Certificate certificate(double lower) const {
        Certificate result{front_, std::vector<bool>(front_->size(), false), lower};
        for (double alpha : proved_) {
            const double best = best_value(front_->vertices(), alpha);
            for (std::size_t i = 0; i < front_->size(); ++i) {
                if ((*front_)[i].value(alpha) <= best) result.proved[i] = true;
            }
        }
        return result;
    }

private:
    const Subset& root_;
    ExactSettings settings_;
    const Kernels& kernels_;
    Limits& limits_;
    FrontPtr front_;
    std::set<double> proved_; // prices of a test at which the front's best is the best of all
};

} // namespace

Certificate certify_tree(const Subset& root, const ExactSettings& settings, const Kernels& kernels,
                         Limits& limits, const FrontPtr& found) {
    Certifier certifier(root, settings, kernels, limits, found);
    const double lower = certifier.prove(*settings.objective.alpha);
    return certifier.certificate(lower);
}

Certificate certify_front(const Subset& root, const ExactSettings& settings, const Kernels& kernels,
                          Limits& limits, const FrontPtr& found) {
    ExactFront exact(settings, kernels, limits);
    const FrontPtr front = exact.prove(root, found);
    return {front, std::vector<bool>(front->size(), front->complete()), exact.lower_bound()};
}

} // namespace treefront
