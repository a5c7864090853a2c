import { ChoiceScreen } from "./choice.js";
import { FeedScreen } from "./feed.js";
import { ListScreen } from "./list.js";
import { OtherScreen } from "./other.js";
import { Screen } from "./screen.js";
import { SearchScreen } from "./search.js";
import { TaskScreen } from "./task.js";

/** @type {Record<import("../net/discovery.js").Kind, typeof Screen>} */
const KINDS = {
  list: ListScreen,
  search: SearchScreen,
  choice: ChoiceScreen,
  feed: FeedScreen,
  task: TaskScreen,
  pager: OtherScreen,
  other: OtherScreen,
};

/**
 * Creates the screen for a view.
 *
 * @param {import("./screen.js").View} view
 * @param {import("./screen.js").Page} page
 * @param {import("../net/discovery.js").ScreenInfo} info
 */
export function createScreen(view, page, info) {
  return new KINDS[info.kind](view, page, info);
}
