// Parses a flowchart from standard input with Mermaid itself; prints the label of every node as JSON.
// Run in a folder of which node_modules holds mermaid and jsdom.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const require = createRequire(process.cwd() + "/");
const { JSDOM } = require("jsdom");
const { window } = new JSDOM("<!doctype html><body></body>");
globalThis.window = window;
globalThis.document = window.document;
const url = pathToFileURL(process.cwd() + "/node_modules/mermaid/dist/mermaid.core.mjs");
const mermaid = (await import(url)).default;
mermaid.initialize({ startOnLoad: false });
const diagram = await mermaid.mermaidAPI.getDiagramFromText(readFileSync(0, "utf-8"));
const vertices = Object.fromEntries(
  [...diagram.db.getVertices()].map(([name, vertex]) => [name, vertex.text]),
);
const edges = diagram.db.getEdges().map((edge) => [edge.start, edge.end, edge.text]);
console.log(JSON.stringify({ vertices, edges }));
