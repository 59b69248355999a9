// treefront._core: arrays, numbers and names cross; everything else is the core's.
#include "certify.hpp"
#include "policy.hpp"
#include "search.hpp"
#include "thread.hpp"
#include "tree.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>

namespace nb = nanobind;
using namespace nb::literals;
using namespace treefront;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Vector<T>& v) {
    return {v.data(), v.size()};
}

std::vector<Column> columns_of(const Matrix& X) {
    std::vector<Column> columns(X.shape(1));
    for (std::size_t f = 0; f < columns.size(); ++f) {
        columns[f] = {X.data() + static_cast<std::ptrdiff_t>(f) * X.stride(1), X.stride(0)};
    }
    return columns;
}

// A NumPy array that owns the vector's memory.
template <class T>
nb::object to_numpy(std::vector<T> values, std::vector<std::size_t> shape) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), shape.size(), shape.data(), owner));
}
template <class T>
nb::object to_numpy(std::vector<T> values) {
    const std::size_t size = values.size();
    return to_numpy(std::move(values), {size});
}

template <class Enum>
Enum choose(const std::string& what, const std::string& name,
            std::initializer_list<std::pair<const char*, Enum>> options) {
    std::string message = what + " must be one of";
    for (const auto& [option, value] : options) {
        if (name == option) return value;
        message += " '" + std::string(option) + "'";
    }
    throw nb::value_error((message + ", got '" + name + "'").c_str());
}

std::vector<Criterion> criteria_of(const std::string& name) {
    using Criteria = std::vector<Criterion>;
    return choose<Criteria>("criterion", name,
                            {{"entropy", {Criterion::entropy}},
                             {"gini", {Criterion::gini}},
                             {"both", {Criterion::entropy, Criterion::gini}}});
}

Criterion criterion_of(const std::string& name) {
    return choose<Criterion>("criterion", name,
                             {{"entropy", Criterion::entropy}, {"gini", Criterion::gini}});
}

// The core calls it without the GIL and may call it from any thread.
GeneratorFunction wrap_function(nb::callable function) {
    return [function](std::span<const RowId> rows) {
        const nb::gil_scoped_acquire gil;
        std::vector<std::int64_t> ids;
        for (RowId row : rows) ids.push_back(index(row));
        const nb::object proposed = function(to_numpy(std::move(ids)));
        try {
            return nb::cast<std::vector<std::pair<std::uint32_t, double>>>(proposed);
        } catch (const nb::cast_error&) {
            throw InvalidInput("a splits function must return a list of (feature, threshold)");
        }
    };
}

GeneratorSpec spec_of(const nb::tuple& spec) {
    GeneratorSpec result;
    const auto kind = nb::cast<std::string>(spec[0]);
    using Kind = GeneratorSpec::Kind;
    result.kind = choose<Kind>("a split generator", kind,
                               {{"cart", Kind::cart},
                                {"top", Kind::top},
                                {"quantile", Kind::quantile},
                                {"all", Kind::all},
                                {"callable", Kind::function}});
    switch (result.kind) {
    case Kind::cart:
        result.max_depth = nb::cast<int>(spec[1]);
        result.max_leaves = nb::cast<std::uint32_t>(spec[2]);
        result.criteria = criteria_of(nb::cast<std::string>(spec[3]));
        result.ties = nb::len(spec) > 4 && nb::cast<bool>(spec[4]);
        break;
    case Kind::top:
        result.size = nb::cast<std::uint32_t>(spec[1]);
        result.criteria = {criterion_of(nb::cast<std::string>(spec[2]))};
        break;
    case Kind::quantile:
        result.size = nb::cast<std::uint32_t>(spec[1]);
        break;
    case Kind::all:
        break;
    case Kind::function:
        result.function = wrap_function(nb::cast<nb::callable>(spec[1]));
        break;
    }
    return result;
}

// For tests: each bound and cache of the exact search can be switched off.
Shortcuts shortcuts_without(const std::vector<std::string>& names) {
    Shortcuts use;
    for (const std::string& name : names) {
        *choose<bool*>("without", name,
                       {{"monotone", &use.monotone},
                        {"similar", &use.similar},
                        {"undivided", &use.undivided},
                        {"margin", &use.margin},
                        {"memo", &use.memo}}) = false;
    }
    return use;
}

struct SearchResult {
    std::string status;
    std::int64_t n_states = 0, n_tests = 0;
    double seconds = 0;
    std::vector<double> complexity, errors;
    double lower_bound = 0;   // on E + alpha C; 0 where nothing was proved
    std::vector<bool> proved; // by vertex
    std::vector<TreeArrays> trees;

    nb::dict tree(std::int64_t i) const {
        if (i < 0 || static_cast<std::size_t>(i) >= trees.size()) {
            throw nb::index_error("no such tree");
        }
        const TreeArrays& t = trees[static_cast<std::size_t>(i)];
        nb::dict arrays;
        arrays["feature"] = to_numpy(t.feature);
        arrays["threshold"] = to_numpy(t.threshold);
        arrays["left"] = to_numpy(t.left);
        arrays["right"] = to_numpy(t.right);
        arrays["missing_left"] = to_numpy(t.missing_left);
        arrays["level_start"] = to_numpy(t.level_start);
        arrays["left_levels"] = to_numpy(t.left_levels);
        arrays["value"] = to_numpy(t.value, {t.feature.size(), t.n_values});
        arrays["n_rows"] = to_numpy(t.n_rows);
        arrays["weight"] = to_numpy(t.weight);
        arrays["loss"] = to_numpy(t.loss);
        arrays["decision"] = to_numpy(t.decision);
        return arrays;
    }
};

// Runs `work` in a thread of its own while the calling thread watches for signals and reports
// progress. Raises what a signal handler or on_progress raised, once the work has stopped; but a
// first KeyboardInterrupt only ends the search, where its result is to be kept.
template <class Work>
void run_watched(Limits& limits, int max_depth, bool keep_on_interrupt,
                 const nb::object& on_progress, Work&& work) {
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::exception_ptr failure;
    Thread thread(stack_for(max_depth), [&] {
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        done = true;
        ended.notify_all();
    });
    // The GIL is released once, and taken back only to look around.
    PyThreadState* released = PyEval_SaveThread();
    bool raised = false;
    // Whether what was raised is an interrupt that only ends the search.
    const auto kept = [&] {
        if (!keep_on_interrupt || limits.interrupted() ||
            !PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
            return false;
        }
        PyErr_Clear();
        limits.interrupt();
        return true;
    };
    {
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, std::chrono::milliseconds(20), [&] { return done; })) {
            if (raised) continue;
            lock.unlock();
            PyEval_RestoreThread(released);
            raised = PyErr_CheckSignals() != 0 && !kept();
            if (!raised && !on_progress.is_none()) {
                PyObject* answer =
                    PyObject_CallFunction(on_progress.ptr(), "dLdd", limits.done(),
                                          static_cast<long long>(limits.n_states.load()),
                                          limits.value.load(), limits.bound.load());
                raised = answer == nullptr && !kept();
                Py_XDECREF(answer);
            }
            released = PyEval_SaveThread();
            if (raised) limits.cancel();
            lock.lock();
        }
    }
    thread.join();
    PyEval_RestoreThread(released);
    if (raised) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
}

// Where all rows count 1 a weight is a number of rows.
void limit_rows(Objective& objective, double weight) {
    const double rows = std::clamp(std::ceil(weight), 1.0, 0x1p31 - 1);
    objective.min_samples_leaf =
        std::max(objective.min_samples_leaf, static_cast<std::uint32_t>(rows));
}

SearchResult
search(const Matrix& X, const Vector<std::int32_t>& y,
       const std::optional<Vector<double>>& sample_weight, int n_classes, int max_depth,
       const nb::list& splits, int exact_tail, const std::string& complexity,
       std::int64_t min_samples_leaf, int n_threads, std::int64_t memo_bytes, double time_limit,
       std::optional<double> alpha, const std::vector<std::string>& baselines,
       const std::string& prove, double prove_alpha, bool every_size, const std::string& kernel,
       const std::string& lanes, const std::vector<std::string>& without,
       const std::vector<std::int32_t>& n_levels, const std::optional<Vector<double>>& loss_weight,
       const std::optional<Matrix>& numbers, bool costs, const std::vector<double>& feature_costs,
       const std::vector<std::int32_t>& feature_groups, bool absolute,
       const std::vector<std::int32_t>& signs, double min_weight_leaf, bool keep_on_interrupt,
       const nb::object& on_progress) {
    const auto started = std::chrono::steady_clock::now();
    if (X.shape(0) != y.size()) throw nb::value_error("X and y must have one row per label");
    if (max_depth < 0) throw nb::value_error("max_depth must be at least 0");
    if (nb::len(splits) == 0) throw nb::value_error("splits needs at least one generator");
    if (exact_tail < 0 || exact_tail > 2) throw nb::value_error("exact_tail must be 0, 1 or 2");
    if (min_samples_leaf < 1 || min_samples_leaf > std::numeric_limits<std::int32_t>::max()) {
        throw nb::value_error("min_samples_leaf must be at least 1");
    }
    if (n_threads < 1) throw nb::value_error("n_threads must be at least 1");
    if (!(time_limit >= 0)) throw nb::value_error("time_limit must not be negative");
    if (prove != "nothing" && prove != "tree" && prove != "front") {
        throw nb::value_error("prove must be 'nothing', 'tree' or 'front'");
    }
    if (!(prove_alpha >= 0)) throw nb::value_error("prove_alpha must not be negative");
    if (alpha && !(*alpha >= 0)) throw nb::value_error("alpha must not be negative");

    SearchSettings settings;
    settings.max_depth = max_depth;
    for (nb::handle spec : splits) {
        settings.generators.push_back(spec_of(nb::cast<nb::tuple>(spec)));
    }
    settings.exact_tail = exact_tail;
    settings.objective.complexity = choose<Complexity>(
        "complexity", complexity, {{"tests", Complexity::tests}, {"splits", Complexity::splits}});
    settings.objective.alpha = alpha;
    settings.objective.keep = every_size ? Keep::every_size : Keep::hull;
    if (every_size && settings.objective.complexity != Complexity::splits) {
        throw nb::value_error("every_size needs complexity='splits'");
    }
    settings.objective.min_samples_leaf = static_cast<std::uint32_t>(min_samples_leaf);
    for (const std::string& name : baselines) settings.baselines.push_back(criterion_of(name));
    settings.n_threads = n_threads;
    settings.memo_bytes = memo_bytes;
    if (lanes != "auto") {
        settings.lane =
            choose<Lane>("lanes", lanes,
                         {{"int16", Lane::int16}, {"int32", Lane::int32}, {"double", Lane::real}});
    }
    const Kernels kernels(kernel);
    const std::vector<Column> columns = columns_of(X);
    const std::span<const double> weights =
        sample_weight ? span_of(*sample_weight) : std::span<const double>{};

    Limits limits(time_limit);
    SearchResult result;
    run_watched(limits, max_depth, keep_on_interrupt, on_progress, [&] {
        Targets targets{span_of(y), n_classes};
        if (loss_weight) targets.loss_weights = span_of(*loss_weight);
        std::vector<double> by_row;
        if (numbers) {
            targets.n_outputs = numbers->shape(1);
            by_row.reserve(numbers->shape(0) * numbers->shape(1));
            for (std::size_t i = 0; i < numbers->shape(0); ++i) {
                for (std::size_t d = 0; d < numbers->shape(1); ++d) {
                    by_row.push_back((*numbers)(i, d));
                }
            }
            targets.numbers = by_row;
            targets.costs = costs;
            targets.absolute = absolute;
        }
        const Dataset data(columns, targets, weights, limits, n_levels,
                           FeatureCosts{feature_costs, feature_groups}, signs);
        std::vector<double>().swap(by_row); // the dataset has its own
        if (settings.lane) {
            const Lane narrowest =
                Kernels::narrowest(data.whole_weights(), data.total_loss_weight(), data.n_rows());
            if (*settings.lane < narrowest) {
                throw InvalidInput("lanes='" + lanes + "' cannot hold the total weight");
            }
        }
        if (data.weighted())
            settings.objective.min_weight_leaf = min_weight_leaf;
        else
            limit_rows(settings.objective, min_weight_leaf);
        Search search(data, settings, kernels, limits);
        FrontPtr front = search.run();
        bool complete = front->complete();
        result.proved.assign(front->size(), false);
        if (prove != "nothing") {
            ExactSettings exact{max_depth,  settings.objective, n_threads,
                                memo_bytes, settings.lane,      shortcuts_without(without)};
            exact.objective.alpha = prove_alpha;
            const Subset root = search.root();
            const Certificate certificate = (prove == "front" ? certify_front : certify_tree)(
                root, exact, kernels, limits, front);
            front = certificate.front;
            result.proved = certificate.proved;
            result.lower_bound = certificate.lower;
            limits.rethrow();
            complete = !limits.stopped();
        }
        for (const Vertex& vertex : front->vertices()) {
            result.complexity.push_back(vertex.complexity);
            result.errors.push_back(vertex.errors);
        }
        result.trees = extract_trees(data, front, search, limits);
        result.status = complete               ? (prove == "nothing" ? "complete" : "optimal")
                        : limits.interrupted() ? "interrupted"
                                               : "time_limit";
        result.n_states = limits.n_states;
        result.n_tests = limits.n_tests;
    });
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return result;
}

nb::object apply_tree(const Vector<std::int32_t>& feature, const Vector<double>& threshold,
                      const Vector<std::int32_t>& left, const Vector<std::int32_t>& right,
                      const Vector<std::uint8_t>& missing_left,
                      const Vector<std::int64_t>& level_start,
                      const Vector<std::int32_t>& left_levels, const Matrix& X) {
    const TreeView tree{span_of(feature),    span_of(threshold),    span_of(left),
                        span_of(right),      span_of(missing_left), span_of(level_start),
                        span_of(left_levels)};
    check_tree(tree, X.shape(1));
    const std::vector<Column> columns = columns_of(X);
    std::vector<std::int32_t> leaves(X.shape(0));
    {
        const nb::gil_scoped_release release;
        apply(tree, columns, leaves);
    }
    return to_numpy(std::move(leaves));
}

std::vector<std::string> kernel_names() {
    std::vector<std::string> names;
    for (std::string_view name : Kernels::available()) names.emplace_back(name);
    return names;
}

} // namespace

NB_MODULE(_core, m) {
    m.doc() = "The compiled search core of treefront (internal: use the treefront package).";

    nb::exception<InvalidInput>(m, "InvalidInput", PyExc_ValueError);

    nb::class_<SearchResult>(m, "SearchResult")
        .def_ro("status", &SearchResult::status)
        .def_ro("n_states", &SearchResult::n_states)
        .def_ro("n_tests", &SearchResult::n_tests)
        .def_ro("seconds", &SearchResult::seconds)
        .def_ro("lower_bound", &SearchResult::lower_bound)
        .def_ro("proved", &SearchResult::proved)
        .def_prop_ro("complexity", [](const SearchResult& r) { return to_numpy(r.complexity); })
        .def_prop_ro("errors", [](const SearchResult& r) { return to_numpy(r.errors); })
        .def("tree", &SearchResult::tree, "i"_a);

    m.def("search", &search, "X"_a, "y"_a, "sample_weight"_a.none(), "n_classes"_a, nb::kw_only(),
          "max_depth"_a, "splits"_a, "exact_tail"_a, "complexity"_a, "min_samples_leaf"_a,
          "n_threads"_a, "memo_bytes"_a, "time_limit"_a, "alpha"_a.none(), "baselines"_a,
          "prove"_a = "nothing", "prove_alpha"_a = 0.0, "every_size"_a = false, "kernel"_a,
          "lanes"_a, "without"_a = std::vector<std::string>{},
          "n_levels"_a = std::vector<std::int32_t>{}, "loss_weight"_a = nb::none(),
          "numbers"_a = nb::none(), "costs"_a = false, "feature_costs"_a = std::vector<double>{},
          "feature_groups"_a = std::vector<std::int32_t>{}, "absolute"_a = false,
          "signs"_a = std::vector<std::int32_t>{}, "min_weight_leaf"_a = 0.0,
          "keep_on_interrupt"_a = false, "on_progress"_a.none());
    m.def("apply", &apply_tree, "feature"_a, "threshold"_a, "left"_a, "right"_a, "missing_left"_a,
          "level_start"_a, "left_levels"_a, "X"_a);
    m.def("kernels", &kernel_names);
}
