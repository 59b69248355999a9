// A test harness in one page:
//
//     TEST("the whole is the sum of its parts") {
//         const check::Context context("seed", seed); // printed with every check that fails
//         CHECK_EQ(got, expected);
//     }
//
// A check that fails is printed and counted, and the test goes on. Checks belong to the thread
// that runs the test.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <iostream>
#include <limits>
#include <ranges>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace check {

struct Case {
    const char* name;
    void (*body)();
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

struct Registration {
    Registration(const char* name, void (*body)()) { cases().push_back({name, body}); }
};

inline std::vector<std::string>& contexts() {
    static std::vector<std::string> stack;
    return stack;
}

template <class T>
void show(std::ostream& out, const T& value) {
    if constexpr (std::is_enum_v<T>) {
        out << +static_cast<std::underlying_type_t<T>>(value);
    } else if constexpr (requires { out << value; }) {
        out << value;
    } else if constexpr (requires { value.first, value.second; }) {
        out << '(';
        show(out, value.first);
        out << ", ";
        show(out, value.second);
        out << ')';
    } else if constexpr (std::ranges::range<T>) {
        out << '[';
        std::size_t i = 0;
        for (const auto& element : value) {
            if (i++) out << ", ";
            if (i > 40) {
                out << "...";
                break;
            }
            show(out, element);
        }
        out << ']';
    } else {
        out << "(no text form)";
    }
}

template <class... Parts>
std::string text(const Parts&... parts) {
    std::ostringstream out;
    out.precision(std::numeric_limits<double>::max_digits10);
    ((show(out, parts), out << ' '), ...);
    return out.str();
}

// What a loop is about, told with each failure inside it.
class Context {
public:
    template <class... Parts>
    explicit Context(const Parts&... parts) {
        contexts().push_back(text(parts...));
    }
    ~Context() { contexts().pop_back(); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
};

// Failures of the test that runs; the first few are printed.
inline std::size_t failures = 0;
inline constexpr std::size_t kPrinted = 5;

inline void fail(const char* file, int line, const std::string& what) {
    if (++failures > kPrinted) return;
    const char* slash = std::strrchr(file, '/');
    std::cout << "  " << (slash ? slash + 1 : file) << ':' << line << ": " << what << '\n';
    for (const std::string& context : contexts()) std::cout << "      with " << context << '\n';
}

template <class A, class B>
bool equal(const A& a, const B& b) {
    constexpr bool integers = std::is_integral_v<A> && std::is_integral_v<B> &&
                              !std::is_same_v<A, bool> && !std::is_same_v<B, bool>;
    if constexpr (integers)
        return std::cmp_equal(a, b);
    else if constexpr (requires { a == b; })
        return a == b;
    else
        return std::ranges::equal(a, b);
}

template <class A, class B>
void expect_equal(const char* file, int line, const char* expression, const A& a, const B& b) {
    if (!equal(a, b)) {
        fail(file, line, std::string(expression) + ": got " + text(a) + "instead of " + text(b));
    }
}

} // namespace check

#define TREEFRONT_JOIN_(a, b) a##b
#define TREEFRONT_JOIN(a, b) TREEFRONT_JOIN_(a, b)
#define TREEFRONT_TEST(name, id)                                                                   \
    static void TREEFRONT_JOIN(test_, id)();                                                       \
    static const check::Registration TREEFRONT_JOIN(registered_, id)(name,                         \
                                                                     TREEFRONT_JOIN(test_, id));   \
    static void TREEFRONT_JOIN(test_, id)()

#define TEST(name) TREEFRONT_TEST(name, __COUNTER__)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) check::fail(__FILE__, __LINE__, #condition " does not hold");            \
    } while (false)

#define CHECK_EQ(got, expected) check::expect_equal(__FILE__, __LINE__, #got, got, expected)

#define CHECK_THROWS(type, ...)                                                                    \
    do {                                                                                           \
        try {                                                                                      \
            (void)(__VA_ARGS__);                                                                   \
            check::fail(__FILE__, __LINE__, #__VA_ARGS__ " does not throw " #type);                \
        } catch (const type&) {                                                                    \
        } catch (const std::exception& other) {                                                    \
            check::fail(__FILE__, __LINE__,                                                        \
                        std::string(#__VA_ARGS__ " throws another exception: ") + other.what());   \
        }                                                                                          \
    } while (false)
