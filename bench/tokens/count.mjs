// Counts the tokens of samples with the vocabularies that the npm package gpt-tokenizer carries; no network is used.
//   npm install gpt-tokenizer          (in a folder outside the project; run this file from a copy there)
//   node count.mjs < SAMPLES > COUNTS
import { createInterface } from "node:readline";
import { countTokens as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens as cl100k } from "gpt-tokenizer/encoding/cl100k_base";

for await (const line of createInterface({ input: process.stdin })) {
  const { text } = JSON.parse(line);
  console.log(JSON.stringify({ o200k_base: o200k(text), cl100k_base: cl100k(text) }));
}
