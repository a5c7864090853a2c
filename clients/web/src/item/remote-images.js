import { button } from "../ui/dom.js";

/**
 * A button for pictures from elsewhere, which would tell their senders that somebody reads: they come when they are asked for.
 *
 * @param {[picture: HTMLImageElement, address: string][]} held
 * @param {HTMLElement} next has the focus when the button is gone
 */
export function remoteImagesButton(held, next) {
  if (held.length === 0) return null;
  const show = button("button", () => {
    for (const [picture, address] of held) picture.src = address;
    next.focus();
    show.remove();
  }, `Show ${held.length === 1 ? "a picture" : `${held.length} pictures`} from elsewhere`);
  return show;
}
