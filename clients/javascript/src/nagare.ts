/** What `import … from "nagare"` brings: the program, and the types that only describe. */
export * from "./index.js";
export * from "./types.js";
