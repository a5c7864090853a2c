/** The contents of `import … from "nagare"`: the code, and the types. */
export * from "./index.js";
export * from "./types.js";
