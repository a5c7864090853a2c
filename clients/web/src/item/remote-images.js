import { button } from "../ui/dom.js";

/**
 * Creates the button that loads remote pictures. They aren't loaded before, because their senders would learn from the request that the message was read.
 *
 * @param {[picture: HTMLImageElement, address: string][]} held
 * @param {HTMLElement} next receives the focus when the button disappears
 */
export function remoteImagesButton(held, next) {
  if (held.length === 0) return null;
  const show = button("button", () => {
    for (const [picture, address] of held) picture.src = address;
    next.focus();
    show.remove();
  }, `Show ${held.length === 1 ? "a remote picture" : `${held.length} remote pictures`}`);
  return show;
}
