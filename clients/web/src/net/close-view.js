/**
 * Closes a view that nothing shows any more. An error means that the connection is lost, and the view with it.
 *
 * @param {{close: () => Promise<void>} | null | undefined} view
 */
export function closeView(view) {
  view?.close().catch(() => {});
}
