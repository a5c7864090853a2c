/** What the first rows don't need: each is a file of its own in the page as it is served, and is loaded when somebody needs it. */

export const dialogs = () => import("./dialogs.js");
export const dividing = () => import("./dividing.js");
export const long = () => import("./long.js");
export const palette = () => import("./palette.js");
