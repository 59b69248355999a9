"use strict";
// Draws the summary; the only thing computed here is which way a row goes.
(() => {
  const byId = (id) => document.getElementById(id);
  const { texts, summary } = JSON.parse(byId("data").textContent);
  const S = restored(summary);
  const { model: M, front: F, tested: T, classes: CLASSES, cross_validation: FOLDS } = S;
  const N_TREES = F.loss.length;
  const COLUMNS = new Map(S.columns.map((column, place) => [column.column, { ...column, place }]));

  const IS_RATE = M.loss_name === "error_rate";
  const LOSS_NAME = {
    error_rate: "error rate",
    cost: "mean cost of a row",
    squared_error: "mean squared error",
    absolute_error: "mean absolute error",
  }[M.loss_name];
  const MOST_NODES = 63; // more are folded when a tree is first shown
  const MOST_PRINTED = 400;
  const MOST_LISTED = 24; // lines of a list before the rest waits behind a button
  const MOST_CLASSES = 12; // of a confusion matrix; more become a list
  const N_COLORS = 7;
  const NARROW = 560; // CSS pixels: less room than this has no place for a diagram
  const SVG = "http://www.w3.org/2000/svg";

  const state = {
    tree: S.chosen,
    axis: "tests",
    mode: S.rows.length ? "row" : "questions",
    row: 0,
    given: new Map(), // column -> number, or null: missing
    typed: new Map(), // column -> what stands in its field
    answers: [], // of the questions so far: { left, said }
    folded: new Map(), // tree -> set of folded nodes
    outline: false, // asked for
    printing: false,
    focused: 0, // node that Tab reaches
    path: null,
  };

  // ---- texts and numbers ----

  function restored(value) {
    if (typeof value === "string") return value[0] === "@" ? texts[Number(value.slice(1))] : value;
    if (Array.isArray(value)) return value.map(restored);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, restored(of)]));
  }

  const short = (number) => {
    if (number === null) return "–";
    const text = String(Number(number.toPrecision(4)));
    return text.includes("e") ? text : Number(text).toLocaleString("en", { maximumSignificantDigits: 4 });
  };
  const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(2)}%`);
  const loss = (number) => (IS_RATE ? percent(number) : short(number));
  const count = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
  const weight = (number) =>
    Number.isInteger(number) ? number.toLocaleString("en") : short(number);
  const treeName = (i) => `tree ${i} (${count(F.n_leaves[i], "leaf", "leaves")})`;
  const className = (k) => (k < 0 ? "(not in training)" : CLASSES[k]);

  // ---- elements ----

  function el(tag, properties, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
  }

  const fill = (id, ...children) => byId(id).replaceChildren(...children.flat().filter(Boolean));
  const button = (text, onclick, properties) => el("button", { type: "button", onclick, ...properties }, text);

  /** Elements of a long list: the first ones, and a button for the rest. */
  function listed(make, items, parent) {
    parent.append(...items.slice(0, MOST_LISTED).map(make));
    const rest = items.slice(MOST_LISTED);
    if (!rest.length) return [parent];
    const more = button(`Show ${rest.length} more`, () => {
      parent.append(...rest.map(make));
      more.remove();
    });
    return [parent, more];
  }

  // ---- classes in colour: those with the most rows ----

  const COLORED = CLASSES === null ? [] : coloredClasses();

  function coloredClasses() {
    const weights = S.trees[S.chosen].arrays.value[0];
    const bySize = CLASSES.map((_, k) => k).sort((a, b) => weights[b] - weights[a] || a - b);
    return bySize.slice(0, N_COLORS).sort((a, b) => a - b);
  }

  const colorOf = (k) => (COLORED.includes(k) ? `c${COLORED.indexOf(k)}` : "others");

  /** Class shares of a node; of a regression tree, where its mean lies between those of the leaves. */
  function bar(tree, node) {
    const { arrays } = tree;
    const result = el("span", { class: "bar", "aria-hidden": "true" });
    const part = (color, share) => {
      const piece = el("span", { class: color });
      piece.style.width = `${100 * share}%`;
      result.append(piece);
    };
    if (CLASSES !== null) {
      const all = arrays.value[node].reduce((a, b) => a + b, 0);
      arrays.value[node].forEach((w, k) => w > 0 && part(colorOf(k), w / all));
    } else {
      const leaves = arrays.value.filter((_, n) => arrays.feature[n] < 0).map((value) => value[0]);
      const low = Math.min(...leaves);
      const high = Math.max(...leaves);
      const share = high > low ? (arrays.value[node][0] - low) / (high - low) : 0.5;
      part("mean", Math.min(1, Math.max(0, share)));
    }
    return result;
  }

  // ---- the way of a row ----

  /** Rows go left where x <= threshold, or x is one of the categories; `missing_left` decides the rest. */
  function goesLeft(tree, node, value) {
    const { feature, threshold, missing_left, level_start, left_levels } = tree.arrays;
    const isCategory = COLUMNS.get(feature[node]).kind === "category";
    if (value === null || (isCategory && value < 0)) return missing_left[node];
    if (isCategory) return left_levels.slice(level_start[node], level_start[node + 1]).includes(value);
    return value <= Number(threshold[node].toString().replace("inf", "Infinity"));
  }

  /** Tests that a row meets. `valueOf` gives a number, null (missing), or undefined: then it ends. */
  function follow(tree, valueOf, saysOf) {
    const { feature, left, right } = tree.arrays;
    const steps = [];
    let node = 0;
    while (feature[node] >= 0) {
      const value = valueOf(feature[node]);
      if (value === undefined) return { steps, end: node, leaf: null };
      const goes = goesLeft(tree, node, value);
      steps.push({ node, left: goes, said: saysOf(feature[node]) });
      node = goes ? left[node] : right[node];
    }
    return { steps, end: node, leaf: node };
  }

  function followAnswers(tree) {
    const { feature, left, right } = tree.arrays;
    let node = 0;
    const steps = state.answers.map(({ left: goes, said }) => {
      const step = { node, left: goes, said };
      node = goes ? left[node] : right[node];
      return step;
    });
    return { steps, end: node, leaf: feature[node] < 0 ? node : null };
  }

  /** What the tests of a path cost; what is bought once is paid for once. */
  function priceOf(tree, steps) {
    const bought = new Set();
    let price = 0;
    for (const { node } of steps) {
      const column = COLUMNS.get(tree.arrays.feature[node]);
      if (column.bought_with === null || !bought.has(column.bought_with)) price += column.price;
      if (column.bought_with !== null) bought.add(column.bought_with);
    }
    return price;
  }

  const leafOfRow = (tree, row) => follow(tree, (f) => row.values[COLUMNS.get(f).place], () => "").leaf;

  // ---- the front ----

  const AXES = [
    { key: "tests", name: "average number of tests per row", label: "Tests", of: F.mean_tests },
    { key: "leaves", name: "number of leaves", label: "Leaves", of: F.n_leaves },
  ];
  if (M.priced && M.complexity === "tests")
    AXES.push({ key: "price", name: "average price of a row's tests", label: "Price", of: F.complexity });

  const showsTested = T !== null && T.name !== "training";
  const best = T === null ? null : T.score.reduce((b, s, i) => (s > (T.score[b] ?? -Infinity) ? i : b), 0);

  function chart() {
    const figure = byId("chart");
    const axis = AXES.find(({ key }) => key === state.axis);
    const width = state.printing ? 620 : Math.max(280, figure.clientWidth);
    const height = 300;
    const edge = { left: 56, right: 14, top: 12, bottom: 42 };
    const order = axis.of.map((_, i) => i).sort((a, b) => axis.of[a] - axis.of[b] || a - b);
    const validation = showsTested ? T.loss : F.loss.map(() => null);
    const highest = Math.max(...F.loss, ...validation.map((l) => l ?? 0)) || 1;
    const x = d3.scaleLinear([Math.min(0, ...axis.of), Math.max(...axis.of) || 1], [edge.left, width - edge.right - 6]);
    const y = d3.scaleLinear([0, highest], [height - edge.bottom, edge.top]).nice();

    const svg = d3.select(document.createElementNS(SVG, "svg"));
    svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
    svg.attr("role", "radiogroup").attr("aria-label", `Trees: ${LOSS_NAME} against ${axis.name}`);
    const bottom = d3.axisBottom(x).ticks(Math.min(8, width / 70)).tickSizeOuter(0);
    const left = d3.axisLeft(y).ticks(6, IS_RATE ? "~%" : highest < 1e-3 ? "~g" : highest < 1e6 ? undefined : "~s").tickSize(-(width - edge.left - edge.right));
    svg.append("g").attr("class", "axis grid").attr("aria-hidden", "true")
      .attr("transform", `translate(${edge.left},0)`).call(left);
    svg.append("g").attr("class", "axis").attr("aria-hidden", "true")
      .attr("transform", `translate(0,${height - edge.bottom})`).call(bottom);
    svg.append("text").attr("class", "label").attr("x", (edge.left + width) / 2).attr("y", height - 6)
      .attr("text-anchor", "middle").attr("aria-hidden", "true").text(axis.name);

    const stairs = (losses, name) => {
      const points = order.filter((i) => losses[i] !== null).map((i) => [x(axis.of[i]), y(losses[i])]);
      svg.append("path").attr("class", `stairs ${name}`).attr("aria-hidden", "true")
        .attr("d", d3.line().curve(d3.curveStepAfter)(points));
    };
    stairs(F.loss, "training");
    if (showsTested) stairs(validation, "tested");

    order.forEach((i, place) => {
      const at = x(axis.of[i]);
      const from = place === 0 ? edge.left - 10 : (at + x(axis.of[order[place - 1]])) / 2;
      const to = place === order.length - 1 ? width : (at + x(axis.of[order[place + 1]])) / 2;
      const isCurrent = i === state.tree;
      const point = svg.append("g").attr("class", "point").attr("role", "radio")
        .attr("aria-checked", String(isCurrent)).attr("aria-label", pointSays(i))
        .attr("tabindex", isCurrent ? 0 : -1).attr("data-tree", i)
        .on("click", () => choose(i)).on("keydown", chartKey);
      point.append("title").text(pointSays(i));
      point.append("rect").attr("class", "reach").attr("x", from).attr("y", edge.top)
        .attr("width", Math.max(0, to - from)).attr("height", height - edge.bottom - edge.top);
      if (isCurrent)
        point.append("line").attr("class", "current").attr("x1", at).attr("x2", at)
          .attr("y1", edge.top).attr("y2", height - edge.bottom);
      for (const [losses, name] of [[F.loss, "training"], [validation, "tested"]]) {
        if (losses[i] === null) continue;
        if (name === "tested" && i === best)
          point.append("circle").attr("class", "best").attr("cx", at).attr("cy", y(losses[i])).attr("r", 10);
        point.append("circle").attr("class", name).attr("cx", at).attr("cy", y(losses[i]))
          .attr("r", isCurrent ? 6 : 4);
      }
    });

    const key = el("figcaption", { class: "key" },
      el("span", { class: "key-training" }, `training ${LOSS_NAME}`),
      showsTested ? el("span", { class: "key-tested" }, `${T.name} ${LOSS_NAME}`) : null,
      showsTested ? el("span", { class: "key-best" }, `best on ${T.name}`) : null,
      el("span", { class: "tools", role: "group", "aria-label": "Horizontal axis" },
        AXES.map(({ key: k, label }) =>
          button(label, () => { state.axis = k; chart(); byId(`axis-${k}`).focus(); },
            { id: `axis-${k}`, "aria-pressed": String(k === state.axis) }))));
    const hadFocus = figure.contains(document.activeElement) && document.activeElement.closest(".point");
    figure.replaceChildren(key, svg.node());
    if (hadFocus) svg.select(`[data-tree="${state.tree}"]`).node().focus();
  }

  function pointSays(i) {
    const figures = [
      `${count(F.n_leaves[i], "leaf", "leaves")}`,
      `${F.mean_tests[i].toFixed(2)} tests on average`,
      `training ${LOSS_NAME} ${loss(F.loss[i])}`,
    ];
    if (showsTested) figures.push(`${T.name} ${LOSS_NAME} ${loss(T.loss[i])}`);
    return `Tree ${i}: ${figures.join(", ")}`;
  }

  function chartKey(event) {
    const to = {
      ArrowRight: state.tree + 1, ArrowDown: state.tree + 1,
      ArrowLeft: state.tree - 1, ArrowUp: state.tree - 1,
      Home: 0, End: N_TREES - 1, " ": state.tree, Enter: state.tree,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(Math.min(N_TREES - 1, Math.max(0, to)));
  }

  function markTable() {
    for (const line of document.querySelectorAll("#table tbody tr")) {
      const isCurrent = Number(line.dataset.tree) === state.tree;
      line.classList.toggle("current", isCurrent);
      line.querySelector("button").setAttribute("aria-pressed", String(isCurrent));
    }
  }

  function makeTableChoices() {
    for (const line of document.querySelectorAll("#table tbody tr")) {
      const i = Number(line.dataset.tree);
      const cell = line.querySelector("th");
      const name = cell.firstChild;
      name.replaceWith(button(name.textContent, () => choose(i), { "aria-label": `Choose tree ${i}` }));
      line.addEventListener("click", (event) => event.target.closest("button") || choose(i));
    }
  }

  // ---- the tree ----

  function choose(i) {
    state.tree = i;
    state.answers = [];
    state.focused = 0;
    chart();
    markTable();
    showTree();
    byId("said").textContent = pointSays(i);
  }

  function showTree() {
    const tree = S.trees[state.tree];
    fill("tree-heading", `Tree ${state.tree}: ${count(F.n_leaves[state.tree], "leaf", "leaves")}`);
    facts();
    byId("app").classList.toggle("too-large", tree === null);
    if (tree === null) {
      fill("tree", el("p", {}, "This tree is too large to be shown here. In Python it is ",
        el("code", {}, `model.front_[${state.tree}]`), "."));
      return;
    }
    mode();
    rules(tree);
    errors(tree);
    neighbours();
  }

  function facts() {
    const i = state.tree;
    const high = F.alpha_high[i];
    const all = [
      ["Average tests", F.mean_tests[i], F.mean_tests[i].toFixed(2)],
      M.priced ? [M.complexity === "tests" ? "Average price" : "Price", F.complexity[i], short(F.complexity[i])] : null,
      ["Leaves", F.n_leaves[i], String(F.n_leaves[i])],
      ["Depth", F.depth[i], String(F.depth[i])],
      [`Training ${LOSS_NAME}`, F.loss[i], loss(F.loss[i])],
      T ? [`${capital(T.name)} ${T.weighted ? "weighted " : ""}${LOSS_NAME}${T.name === "training" && !T.weighted ? " of the rows given" : ""}`, T.loss[i], loss(T.loss[i])] : null,
      T ? [`${capital(T.name)} ${T.score_name}`, T.score[i], T.score_name === "accuracy" ? percent(T.score[i]) : short(T.score[i])] : null,
      FOLDS ? [`${capital(FOLDS.score_name)} in ${FOLDS.n_folds} folds`, FOLDS.score[i],
        short(FOLDS.score[i]) + (FOLDS.standard_error[i] === null ? "" : ` ± ${Number(FOLDS.standard_error[i].toPrecision(2))}`)] : null,
      ["Best for alpha", F.alpha_low[i], high === null ? `above ${short(F.alpha_low[i])}` : `${short(F.alpha_low[i])} to ${short(high)}`],
      F.proved[i] ? ["Proof", "proved", "no better tree of this depth"] : null,
    ];
    fill("facts", all.filter(Boolean).map(([name, value, text]) =>
      el("div", {}, el("dt", {}, name), el("dd", { "data-value": value === null ? null : String(value) }, text))));
  }

  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  function legend(tree) {
    if (CLASSES === null) {
      const what = M.loss_name === "absolute_error" ? "median" : "mean";
      return [el("span", { class: "key-mean" }, `bars: ${what}${tree.arrays.value[0].length > 1 ? " of the first target" : ""}, from the smallest to the largest leaf`)];
    }
    const shown = COLORED.map((k) => el("span", {}, el("i", { class: `swatch ${colorOf(k)}` }), CLASSES[k]));
    const more = CLASSES.length - COLORED.length;
    return more > 0 ? [...shown, el("span", {}, el("i", { class: "swatch others" }), count(more, "other"))] : shown;
  }

  const childrenOf = (tree, n) =>
    tree.arrays.left[n] < 0 ? [] : [tree.arrays.left[n], tree.arrays.right[n]];

  function foldedNodes() {
    if (!state.folded.has(state.tree)) state.folded.set(state.tree, foldedAtFirst(S.trees[state.tree]));
    return state.folded.get(state.tree);
  }

  /** Whole levels are shown as long as they have room. */
  function foldedAtFirst(tree) {
    const perLevel = [];
    for (const { level } of tree.nodes) perLevel[level] = (perLevel[level] || 0) + 1;
    let shown = 0;
    const last = perLevel.findIndex((n) => (shown += n) > MOST_NODES) - 1;
    const isFolded = (n) => last >= 0 && tree.nodes[n].level === Math.max(1, last) && tree.arrays.left[n] >= 0;
    return new Set(tree.nodes.map((_, n) => n).filter(isFolded));
  }

  function visibleNodes(tree) {
    const folded = state.printing && tree.nodes.length <= MOST_PRINTED ? new Set() : foldedNodes();
    const visible = [];
    const waiting = [0];
    while (waiting.length) {
      const n = waiting.pop();
      visible.push(n);
      if (!folded.has(n)) waiting.push(...childrenOf(tree, n).reverse());
    }
    return visible;
  }

  function drawTree() {
    const tree = S.trees[state.tree];
    const place = byId("tree");
    const visible = visibleNodes(tree);
    const hadFocus = place.contains(document.activeElement);
    const asOutline = state.printing || state.outline || byId("tree-side").clientWidth < NARROW;
    if (!visible.includes(state.focused)) state.focused = 0;
    place.className = asOutline ? "outline" : "diagram";
    place.removeAttribute("style");
    const boxes = new Map(visible.map((n) => [n, box(tree, n)]));
    place.replaceChildren(...boxes.values());
    if (!asOutline) layOut(tree, boxes, place);
    fill("legend", legend(tree));
    byId("shape").setAttribute("aria-pressed", String(asOutline));
    byId("unfold").disabled = foldedNodes().size === 0;
    if (hadFocus) boxes.get(state.focused).focus();
  }

  function box(tree, n) {
    const node = tree.nodes[n];
    const { arrays } = tree;
    const isLeaf = arrays.left[n] < 0;
    const isFolded = !isLeaf && foldedNodes().has(n) && !(state.printing && tree.nodes.length <= MOST_PRINTED);
    const isLeft = node.parent !== null && arrays.left[node.parent] === n;
    const share = CLASSES === null ? null : arrays.value[n][arrays.decision[n]] / arrays.value[n].reduce((a, b) => a + b, 0);
    const rows = count(arrays.n_rows[n], "row");
    const brief = CLASSES === null ? `${rows}${isLeaf ? "" : `, ${node.prediction}`}` : `${rows}${isLeaf ? `, ${Math.round(100 * share)}%` : ""}`;
    const onPath = state.path && (state.path.end === n || state.path.steps.some((step) => step.node === n));
    const element = el("div", {
      role: "treeitem",
      class: `node${isLeaf ? " leaf" : ""}${onPath ? " on-path" : ""}${isFolded ? " folded" : ""}`,
      "aria-level": node.level + 1,
      "aria-setsize": node.parent === null ? 1 : 2,
      "aria-posinset": node.parent === null || isLeft ? 1 : 2,
      "aria-expanded": isLeaf ? null : String(!isFolded),
      "aria-selected": String(Boolean(onPath)),
      tabindex: n === state.focused ? 0 : -1,
      "data-node": n,
      title: `${node.test ?? node.prediction}\n${node.rows}, ${node.spread}`,
      onclick: () => { state.focused = n; toggle(n); },
      onkeydown: treeKey,
    },
      node.parent === null ? null : el("span", { class: "answer" }, isLeft ? "yes" : "no"),
      el("span", { class: "says" }, isLeaf ? node.prediction : `${node.test}?`),
      node.missing && !isFolded && !isLeaf
        ? el("span", { class: "missing" }, `missing: ${node.missing === "left" ? "yes" : "no"}`) : null,
      bar(tree, n),
      el("span", { class: "brief" }, brief),
      el("span", { class: "spread" }, `${node.rows}, ${node.spread}`),
      isFolded ? el("span", { class: "hidden-nodes" }, `${below(tree, n)} nodes folded`) : null);
    element.style.setProperty("--level", node.level);
    return element;
  }

  function below(tree, n) {
    let found = -1;
    const waiting = [n];
    while (waiting.length) {
      found += 1;
      waiting.push(...childrenOf(tree, waiting.pop()));
    }
    return found;
  }

  /** Root at the left; a test stands half way between its children. */
  function layOut(tree, boxes, place) {
    const levels = Math.max(...[...boxes.keys()].map((n) => tree.nodes[n].level)) + 1;
    const room = byId("tree-side").clientWidth;
    const column = Math.min(270, Math.max(158, Math.floor(room / levels)));
    const boxWidth = column - 26;
    for (const element of boxes.values()) element.style.width = `${boxWidth}px`;
    const row = Math.max(...[...boxes.values()].map((element) => element.offsetHeight)) + 10;
    const root = d3.hierarchy({ n: 0 }, ({ n }) =>
      childrenOf(tree, n).filter((child) => boxes.has(child)).map((child) => ({ n: child })));
    d3.tree().nodeSize([row, column]).separation(() => 1)(root);
    const top = Math.min(...root.descendants().map((d) => d.x)) - row / 2;
    const bottom = Math.max(...root.descendants().map((d) => d.x)) + row / 2;
    place.style.height = `${bottom - top}px`;
    place.style.width = `${levels * column - 26}px`;
    for (const { x, y, data } of root) {
      const element = boxes.get(data.n);
      element.style.left = `${y}px`;
      element.style.top = `${x - top - element.offsetHeight / 2}px`;
    }
    const svg = d3.select(document.createElementNS(SVG, "svg"));
    svg.attr("class", "links").attr("aria-hidden", "true").attr("width", levels * column).attr("height", bottom - top);
    const curve = d3.linkHorizontal();
    const total = tree.arrays.weight[0];
    for (const { source, target } of root.links()) {
      const onPath = boxes.get(target.data.n).classList.contains("on-path");
      svg.append("path").attr("class", onPath ? "link on-path" : "link")
        .attr("stroke-width", 1 + (9 * tree.arrays.weight[target.data.n]) / total)
        .attr("d", curve({ source: [source.y + boxWidth, source.x - top], target: [target.y, target.x - top] }));
    }
    place.prepend(svg.node());
  }

  function toggle(n) {
    const folded = foldedNodes();
    if (S.trees[state.tree].arrays.left[n] >= 0 && !folded.delete(n)) folded.add(n);
    drawTree();
  }

  function treeKey(event) {
    const tree = S.trees[state.tree];
    const n = state.focused;
    const visible = visibleNodes(tree);
    const at = visible.indexOf(n);
    const [first] = childrenOf(tree, n);
    const isFolded = foldedNodes().has(n);
    let to = null;
    if (event.key === "ArrowDown") to = visible[at + 1];
    else if (event.key === "ArrowUp") to = visible[at - 1];
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = visible[visible.length - 1];
    else if (event.key === "ArrowRight") {
      if (isFolded) toggle(n);
      else to = first;
    } else if (event.key === "ArrowLeft") {
      if (first !== undefined && !isFolded) toggle(n);
      else to = tree.nodes[n].parent;
    } else if (event.key === "Enter" || event.key === " ") toggle(n);
    else return;
    event.preventDefault();
    if (to === null || to === undefined) return;
    const move = (node, tabindex) => byId("tree").querySelector(`[data-node="${node}"]`).setAttribute("tabindex", tabindex);
    move(n, -1);
    state.focused = to;
    move(to, 0);
    byId("tree").querySelector(`[data-node="${to}"]`).focus();
  }

  // ---- walking through it ----

  const MODES = [
    ...(S.rows.length ? [["row", "A row"]] : []),
    ["values", "Your values"],
    ["questions", "Questions"],
  ];

  function mode() {
    fill("modes", MODES.map(([key, name]) => el("button", {
      type: "button",
      role: "tab",
      id: `mode-${key}`,
      "aria-selected": String(key === state.mode),
      "aria-controls": "mode",
      tabindex: key === state.mode ? 0 : -1,
      onclick: () => setMode(key),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const place = MODES.findIndex(([k]) => k === state.mode);
        setMode(MODES[(place + step + MODES.length) % MODES.length][0]);
      },
    }, name)));
    byId("mode").setAttribute("aria-labelledby", `mode-${state.mode}`);
    ({ row: rowMode, values: valuesMode, questions: questionsMode })[state.mode]();
  }

  function setMode(key) {
    state.mode = key;
    mode();
    byId(`mode-${key}`).focus();
  }

  /** Shows a path in the tree and in words. */
  function walk(path, truth) {
    const tree = S.trees[state.tree];
    state.path = path;
    for (const { node } of path.steps) foldedNodes().delete(node);
    drawTree();
    const steps = path.steps.map(({ node, left, said }) =>
      el("li", { "data-node": node }, el("span", {}, `${tree.nodes[node].test}?`),
        " ", said ? el("span", { class: "value" }, `${said} → `) : null, el("strong", {}, left ? "yes" : "no")));
    const parts = [el("ol", { class: "steps" }, steps)];
    if (path.leaf === null) {
      const column = COLUMNS.get(tree.arrays.feature[path.end]);
      if (state.mode === "values") parts.push(el("p", { class: "hint" }, `Next it asks for ${column.name}.`));
    } else {
      const leaf = tree.nodes[path.leaf];
      const tests = count(path.steps.length, "test");
      const price = M.priced ? `, price ${short(priceOf(tree, path.steps))}` : "";
      parts.push(el("div", { class: "result", "data-leaf": path.leaf },
        el("span", {}, "Prediction"), el("strong", {}, leaf.prediction), bar(tree, path.leaf),
        el("span", { class: "hint" }, `after ${tests}${price}; in training: ${leaf.rows}, ${leaf.spread}`),
        truth ?? null));
    }
    fill("walk", parts);
    for (const rule of document.querySelectorAll("#rules li"))
      rule.classList.toggle("on-path", Number(rule.dataset.leaf) === path.leaf);
  }

  function rowMode() {
    const select = el("select", { id: "row", onchange: () => setRow(Number(select.value)) },
      S.rows.map((row, place) => el("option", { value: place, selected: place === state.row },
        `row ${row.name}: ${truthOf(row)}`)));
    const step = (by) => () => {
      setRow((state.row + by + S.rows.length) % S.rows.length);
      select.value = String(state.row);
    };
    fill("mode",
      el("label", { for: "row" }, `Row of the ${T.name} data`),
      el("div", { class: "tools" }, button("‹", step(-1), { "aria-label": "Previous row" }), select,
        button("›", step(1), { "aria-label": "Next row" })),
      S.rows.length < T.n_rows
        ? el("p", { class: "hint" }, `${count(S.rows.length, "row")} of ${T.n_rows.toLocaleString("en")} are in this page; those on which neighbouring trees differ come first.`) : null);
    setRow(state.row);
  }

  const truthOf = (row) => (CLASSES === null ? row.truth.map((number) => short(number)).join(", ") : row.truth);

  function setRow(place) {
    state.row = place;
    const tree = S.trees[state.tree];
    const row = S.rows[place];
    const path = follow(tree, (f) => row.values[COLUMNS.get(f).place], (f) => row.texts[COLUMNS.get(f).place]);
    const isRight = CLASSES !== null && tree.arrays.decision[path.leaf] === row.code;
    walk(path, el("p", { class: CLASSES === null ? "truth" : isRight ? "truth right" : "truth wrong" },
      `In truth: ${truthOf(row)}`, CLASSES === null ? "" : isRight ? " — right" : " — wrong"));
  }

  function valuesMode() {
    const tree = S.trees[state.tree];
    const asked = [...new Set(tree.arrays.feature.filter((f) => f >= 0))];
    if (!asked.length) fill("mode", el("p", {}, "This tree asks nothing."));
    else
      fill("mode",
        el("div", { class: "fields" }, asked.map(field)),
        el("div", { class: "tools" },
          S.rows.length ? button(`Take those of row ${S.rows[state.row].name}`, takeRow) : null,
          button("Clear", () => { state.given.clear(); state.typed.clear(); valuesMode(); })));
    walkValues();
  }

  function takeRow() {
    const row = S.rows[state.row];
    for (const { column, kind } of COLUMNS.values()) {
      const { place } = COLUMNS.get(column);
      const value = row.values[place];
      state.given.set(column, value);
      state.typed.set(column, value === null ? "" : kind === "category" ? String(value) : kind === "number" ? String(value) : row.texts[place].replace(" UTC", ""));
    }
    valuesMode();
  }

  function walkValues() {
    const tree = S.trees[state.tree];
    walk(follow(tree, (f) => state.given.get(f), (f) => {
      if (state.given.get(f) === null) return "missing";
      const { kind, categories } = COLUMNS.get(f);
      if (kind !== "category") return state.typed.get(f);
      return state.given.get(f) < 0 ? "(another value)" : categories[state.given.get(f)];
    }));
  }

  function field(column) {
    const { name, kind, zone, categories } = COLUMNS.get(column);
    const id = `value-${column}`;
    const isMissing = state.given.get(column) === null;
    const missing = el("input", { type: "checkbox", id: `missing-${column}`, checked: isMissing, onchange: given });
    const typed = state.typed.get(column) ?? "";
    const input = kind === "category"
      ? el("select", { id, disabled: isMissing, onchange: given },
          el("option", { value: "" }, "choose…"),
          categories.map((text, code) => el("option", { value: code, selected: typed === String(code) }, text)),
          el("option", { value: "-1", selected: typed === "-1" }, "(another value)"))
      : el("input", {
          id, value: typed, disabled: isMissing, oninput: given, autocomplete: "off", spellcheck: "false",
          inputmode: kind === "number" ? "decimal" : null,
          placeholder: kind === "number" ? "number" : `YYYY-MM-DD HH:MM${zone === "UTC" ? " in UTC" : ""}`,
        });
    function given() {
      input.disabled = missing.checked;
      state.typed.set(column, input.value);
      const text = input.value.trim();
      const value = missing.checked ? null : text === "" ? undefined : kind === "time" ? pointInTime(text) : Number(text);
      const isBad = typeof value === "number" && !Number.isFinite(value);
      input.setAttribute("aria-invalid", String(isBad));
      if (value === undefined || isBad) state.given.delete(column);
      else state.given.set(column, value);
      walkValues();
    }
    return el("div", { class: "field" }, el("label", { for: id }, name), input,
      el("label", { class: "check" }, missing, "missing"));
  }

  /** Microseconds since 1970-01-01 of a date, or date and time, in ISO 8601; NaN for other text. */
  function pointInTime(text) {
    const found = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?$/.exec(text);
    if (!found) return NaN;
    const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second);
    const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
    return isReal ? date.getTime() * 1000 + Number((found[7] ?? "").padEnd(6, "0")) : NaN;
  }

  function questionsMode() {
    const tree = S.trees[state.tree];
    const path = followAnswers(tree);
    const node = tree.nodes[path.end];
    const answer = (left, said) => () => {
      state.answers.push({ left, said });
      questionsMode();
      (document.querySelector("#mode .yes") ?? byId("again")).focus();
    };
    const back = el("div", { class: "tools" },
      button("Back", () => { state.answers.pop(); questionsMode(); document.querySelector("#mode .yes").focus(); },
        { disabled: !state.answers.length }),
      button("Start again", () => { state.answers = []; questionsMode(); },
        { id: "again", disabled: !state.answers.length }));
    if (path.leaf !== null) fill("mode", el("p", { class: "question" }, path.steps.length ? "That is all it asks." : "This tree asks nothing."), back);
    else {
      const asksOfMissing = /inf$/.test(String(tree.arrays.threshold[path.end])) || / is missing$/.test(node.test);
      fill("mode",
        el("p", { class: "hint" }, `Question ${path.steps.length + 1} of at most ${path.steps.length + deepest(tree, path.end)}`),
        el("p", { class: "question", "aria-live": "polite" }, `${node.test}?`),
        el("div", { class: "tools" },
          button("Yes", answer(true, ""), { class: "yes" }),
          button("No", answer(false, ""), { class: "no" }),
          asksOfMissing ? null : button("Not known", answer(tree.arrays.missing_left[path.end], "not known"), { class: "unknown" })),
        back);
    }
    walk(path);
  }

  function deepest(tree, n) {
    let most = 0;
    const waiting = [n];
    while (waiting.length) {
      const node = waiting.pop();
      most = Math.max(most, tree.nodes[node].level);
      waiting.push(...childrenOf(tree, node));
    }
    return most - tree.nodes[n].level;
  }

  // ---- rules, errors, neighbours ----

  function rules(tree) {
    const make = ({ leaf, conditions }) => {
      const node = tree.nodes[leaf];
      const figures = [`${node.rows}, ${node.spread}`];
      if (tree.tested) {
        const n = tree.tested.n_rows[leaf];
        const what = CLASSES === null
          ? n ? `, mean ${tree.tested.means[leaf].map(short).join(", ")}` : ""
          : `, ${tree.tested.right[leaf].toLocaleString("en")} right`;
        figures.push(`${T.name}: ${count(n, "row")}${what}`);
      }
      return el("li", { "data-leaf": leaf, class: state.path && state.path.leaf === leaf ? "on-path" : null },
        conditions.length ? "if " : "always ",
        conditions.flatMap((condition, place) => [place ? el("em", {}, " and ") : "", el("span", {}, condition)]),
        conditions.length ? ": " : "", el("strong", {}, node.prediction),
        el("span", { class: "hint" }, figures.join("; ")));
    };
    fill("rules", listed(make, tree.rules, el("ol", {})));
  }

  function errors(tree) {
    if (CLASSES === null) return fill("errors", leafTable(tree));
    const parts = [];
    if (tree.training) parts.push(confusion(tree.training, M.weighted ? "Training, by weight" : "Training"));
    if (tree.tested && showsTested) parts.push(confusion(tree.tested.confusion, `${capital(T.name)}${T.weighted ? ", by weight" : ""}`));
    fill("errors", parts.length ? el("div", { class: "matrices" }, parts) : el("p", {}, "Nothing is known of single classes."));
  }

  function confusion(cells, caption) {
    if (CLASSES.length > MOST_CLASSES) return commonErrors(cells, caption);
    const of = new Map(cells.map(([t, p, w]) => [`${t},${p}`, w]));
    const all = CLASSES.map((_, k) => k);
    const lines = cells.some(([t]) => t < 0) ? [...all, -1] : all;
    const sum = (k) => cells.reduce((s, [t, , w]) => (t === k ? s + w : s), 0);
    const head = el("tr", {}, el("td", {}), all.map((k) => el("th", { scope: "col" }, CLASSES[k])));
    const body = lines.map((t) => {
      const total = sum(t);
      return el("tr", {}, el("th", { scope: "row" }, className(t)), all.map((p) => {
        const w = of.get(`${t},${p}`) ?? 0;
        const cell = el("td", { class: t === p ? "right" : "wrong", "data-value": w }, weight(w),
          el("small", {}, total && w ? ` ${Math.round((100 * w) / total)}%` : ""));
        cell.style.setProperty("--share", total ? w / total : 0);
        return cell;
      }));
    });
    return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
      el("table", { class: "confusion" }, el("caption", {}, `${caption}: true class in rows, prediction in columns`),
        el("thead", {}, head), el("tbody", {}, body)));
  }

  function commonErrors(cells, caption) {
    const wrong = cells.filter(([t, p]) => t !== p).sort((a, b) => b[2] - a[2]);
    const make = ([t, p, w]) => el("tr", {}, el("td", {}, className(t)), el("td", {}, CLASSES[p]), el("td", { "data-value": w }, weight(w)));
    const body = el("tbody", {});
    const [, more] = listed(make, wrong, body);
    return el("div", {}, el("table", {}, el("caption", {}, `${caption}: most common errors`),
      el("thead", {}, el("tr", {}, ["true class", "prediction", "rows"].map((name) => el("th", { scope: "col" }, name)))), body), more);
  }

  function leafTable(tree) {
    const head = ["prediction", "training rows", "in training"];
    if (tree.tested) head.push(`${T.name} rows`, `${T.name} mean`);
    const make = ({ leaf }) => {
      const node = tree.nodes[leaf];
      const cells = [node.prediction, tree.arrays.n_rows[leaf].toLocaleString("en"), node.spread];
      if (tree.tested) cells.push(tree.tested.n_rows[leaf].toLocaleString("en"), tree.tested.means[leaf].map(short).join(", "));
      return el("tr", { "data-leaf": leaf }, cells.map((cell) => el("td", {}, cell)));
    };
    const body = el("tbody", {});
    const [, more] = listed(make, tree.rules, body);
    return [el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Leaves" },
      el("table", {}, el("caption", {}, "Leaves, from left to right"),
        el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))), body)), more].filter(Boolean);
  }

  function neighbours() {
    if (T === null) return fill("neighbours", el("p", {}, "This needs rows: in Python ", el("code", {}, "model.report(X, y)"),
      ", on the command line ", el("code", {}, "--holdout 0.25"), "."));
    const parts = [];
    if (state.tree > 0) parts.push(against(state.tree - 1));
    if (state.tree < N_TREES - 1) parts.push(against(state.tree + 1));
    fill("neighbours", parts.length ? el("div", { class: "matrices" }, parts.map((part) => el("div", {}, part))) : el("p", {}, "This is the only tree."));
  }

  function against(other) {
    const pair = S.neighbours[Math.min(other, state.tree)];
    const [better, worse] = other < state.tree
      ? [pair.larger_is_better, pair.smaller_is_better] : [pair.smaller_is_better, pair.larger_is_better];
    const word = CLASSES === null ? "closer" : "right";
    const head = el("h3", {}, `${other < state.tree ? "Smaller" : "Larger"}: ${treeName(other)}`);
    const says = el("p", { "data-rows": pair.n_rows }, pair.n_rows === 0
      ? `It predicts the same for all ${T.n_rows.toLocaleString("en")} rows of the ${T.name} data.`
      : `It predicts something else for ${pair.n_rows.toLocaleString("en")} of ${T.n_rows.toLocaleString("en")} rows of the ${T.name} data. There tree ${state.tree} is ${word} in ${better.toLocaleString("en")}, tree ${other} in ${worse.toLocaleString("en")}.`);
    const [tree, that] = [S.trees[state.tree], S.trees[other]];
    if (!pair.rows.length || that === null) return [head, says];
    const make = (place) => {
      const row = S.rows[place];
      const cells = [tree, that].map((t) => {
        const leaf = leafOfRow(t, row);
        const isRight = CLASSES !== null && t.arrays.decision[leaf] === row.code;
        return el("td", { class: CLASSES === null ? null : isRight ? "is-right" : "is-wrong" }, t.nodes[leaf].prediction, isRight ? " ✓" : "");
      });
      const link = button(row.name, () => {
        state.row = place;
        setMode("row");
        byId("tree-heading").scrollIntoView();
      }, { "aria-label": `Follow row ${row.name}` });
      return el("tr", {}, el("th", { scope: "row" }, link), el("td", {}, truthOf(row)), cells);
    };
    const body = el("tbody", {});
    const [, more] = listed(make, pair.rows, body);
    const names = ["row", "in truth", `tree ${state.tree}`, `tree ${other}`];
    return [head, says, el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Rows on which trees ${state.tree} and ${other} differ` },
      el("table", {}, el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name)))), body)), more].filter(Boolean);
  }

  // ---- the page ----

  function tools() {
    const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const label = () => { byId("theme").textContent = isDark() ? "Light" : "Dark"; };
    byId("theme").addEventListener("click", () => {
      document.documentElement.dataset.theme = isDark() ? "light" : "dark";
      label();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    label();
    byId("print").addEventListener("click", () => window.print());
    byId("shape").addEventListener("click", () => { state.outline = !state.outline; drawTree(); });
    byId("unfold").addEventListener("click", () => { foldedNodes().clear(); drawTree(); });
    byId("fold").addEventListener("click", () => {
      const tree = S.trees[state.tree];
      for (let n = 1; n < tree.nodes.length; n += 1) if (tree.arrays.left[n] >= 0) foldedNodes().add(n);
      drawTree();
    });
  }

  function redraw() {
    chart();
    if (S.trees[state.tree] !== null) drawTree();
  }

  /** Draws anew where the room has changed. */
  function watchWidth() {
    const seen = new Map();
    const observer = new ResizeObserver(() => {
      let hasChanged = false;
      for (const id of ["chart", "tree-side"]) {
        const width = byId(id).clientWidth;
        hasChanged ||= seen.get(id) !== width;
        seen.set(id, width);
      }
      if (hasChanged && !state.printing) requestAnimationFrame(redraw);
    });
    for (const id of ["chart", "tree-side"]) observer.observe(byId(id));
    for (const [event, printing] of [["beforeprint", true], ["afterprint", false]])
      addEventListener(event, () => {
        state.printing = printing;
        redraw();
      });
  }

  byId("plain").remove();
  for (const id of ["app", "tools", "chart"]) byId(id).hidden = false;
  makeTableChoices();
  tools();
  choose(S.chosen);
  byId("said").textContent = "";
  watchWidth();
})();
