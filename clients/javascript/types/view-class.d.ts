/**
 * The class of a screen's views: outputs as properties, inputs as methods.
 *
 * @param {{inputs: string[], outputs: string[]}} screen
 * @returns {typeof ViewBase}
 */
export function viewClass({ inputs, outputs }: {
    inputs: string[];
    outputs: string[];
}): typeof ViewBase;
import { ViewBase } from "./view.js";
