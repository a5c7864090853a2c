// Code that TypeScript must accept, and code that it must reject, in programs that import the package by its name.

import {
  type App, type ConnectOptions, connect, ExactNumber, type FeedView, type Id, type ListView, NagareError, type Outcome, type PagerView, parse, sameId,
  type SearchView, SourceError, type Store, stringify, type View, virtual, type VirtualRows, websocket, type WindowView,
} from "nagare";
import { stdio } from "nagare/stdio";

type Mail = { id: string; subject: string };
type Counter = { values: { count: number }; events: { rang: { times: number } }; inputs: { increment: void; add: { by: number } } };
type Screens = { inbox: ListView<Mail>; message: PagerView<Mail>; find: SearchView<Mail>; offers: FeedView; counter: View<Counter>; long: WindowView<Mail> };

export const options: ConnectOptions = {
  present: { prompt: (task) => task.title, confirm: async () => true },
  sources: {
    mine: async ({ key, size }, { signal }) => ({ items: [{ id: size }], next: signal.aborted ? null : key }),
    many: {
      page: () => ({ items: [] }),
      changeMarked: (edit) => [...(edit.all ? edit.except : edit.ids), edit.set.read],
      removeMarked: (edit, { signal }) => signal.aborted || edit.all,
    },
  },
};

export async function typed(signal: AbortSignal): Promise<void> {
  const app: App<Screens> = await connect<Screens>(stdio(["nagare", "--log"], { log: (line: string) => line }), { ...options, signal });
  const inbox = await app.open("inbox", { pageSize: 20 }, { signal, view: "v" });
  const subjects: string[] = inbox.items.map((mail) => mail.subject);
  const opened: View | undefined = await inbox.select.open({ id: subjects[0] ?? "" }, { signal });
  await opened?.swipe({ to: "next" });
  const outcome: Outcome = await inbox.reachBottom();
  if (outcome === "failed") await inbox.call("retry");
  inbox.viewport.send({ start: 0, end: 3 });
  inbox.send("viewport", { start: 0, end: 3 });
  const unsubscribe: () => void = inbox.subscribe("loading", (loading: boolean) => loading);
  unsubscribe();
  for await (const { phase } of inbox.values("state", { every: true, signal })) if (phase === "reachedBottom") break;
  const failure = await inbox.until("error", (error) => error?.retryable);
  const store: Store<readonly Mail[]> = inbox.store("items");
  const all: boolean = inbox.store().getSnapshot().loading;
  const ids: Id[] = [7, "a", 9007199254740993n, new ExactNumber("1e400")];
  for (const id of ids) await inbox.remove({ id });
  const same: boolean = sameId(ids[0], parse(stringify(ids[1])));
  const counter = await app.open("counter");
  await counter.add({ by: counter.count + (failure?.code ?? 0) + store.getSnapshot().length + Number(all && same) });
  counter.subscribe("rang", ({ times }) => times.toFixed());
  await (await app.open("find")).search({ text: "a" });
  await (await app.open("message")).swipe({ to: "next" });
  const long = await app.open("long", { window: { margin: 50 } });
  const first: Mail | null | undefined = long.items.at(0);
  const rows: VirtualRows<Mail> = virtual(long);
  rows.onRange({ startIndex: 0, endIndex: rows.count - 1 });
  long.subscribe("scrollTo", ({ index, id }) => rows.item(index)?.subject === first?.subject && id === rows.getItemKey(index));
  await inbox.mark({ from: "a", to: "b" });
  await inbox.unmark({ id: inbox.marks?.ids[0] ?? "" });
  await inbox.change({ marked: true, set: { read: inbox.marks?.count === null } });
  await inbox.remove({ marked: true });
  for (const { key, start, count } of inbox.sections ?? []) console.log(key === null ? "none" : key, start + (count ?? 0));
  const end: () => Promise<void> = app[Symbol.asyncDispose];
  await end.call(app);

  // @ts-expect-error the screen doesn't exist
  await app.open("outbox");
  // @ts-expect-error lists have no input swipe
  await inbox.swipe({ to: "next" });
  // @ts-expect-error the parameter id is missing
  await inbox.select();
  // @ts-expect-error all must be true
  await inbox.mark({ all: "some" });
  // @ts-expect-error send needs the parameter id, too
  inbox.select.send();
  // @ts-expect-error "half" is not an outcome
  (await inbox.refresh()) === "half";
  // @ts-expect-error the item's type has no field sender
  inbox.items[0]?.sender;
  // @ts-expect-error arrays are read-only
  inbox.items.push({ id: "a", subject: "b" });
  // @ts-expect-error outputs can't be set
  inbox.loading = true;
  // @ts-expect-error the output doesn't exist
  inbox.subscribe("page", () => {});
  // @ts-expect-error to must be "previous" or "next"
  await (await app.open("message")).swipe({ to: "up" });
}

export async function untyped(): Promise<void> {
  const app = await connect(websocket("ws://localhost"));
  const view = await app.open("anything");
  await view.whatever({ it: "takes" });
  console.log(view.something.or.other, view.current, view.isOpen);
  try {
    await app.request("ping");
  } catch (error) {
    if (error instanceof NagareError) throw new SourceError(error.message, { code: error.code, retryable: true });
  }
}
