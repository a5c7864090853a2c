// The parts of Node that `src/stdio.js` uses, so that the type check needs no package.

interface Stream {
  on(event: "data", callback: (piece: string) => void): Stream;
  on(event: "error", callback: (error: Error) => void): Stream;
  once(event: "end", callback: () => void): Stream;
  setEncoding(encoding: "utf8"): Stream;
  write(text: string): boolean;
  end(): void;
  destroy(): void;
  readonly writable: boolean;
}

declare const process: { readonly platform: string; kill(pid: number, signal: string): void };

declare function setImmediate(callback: () => void): void;

declare module "node:fs" {
  export function readdirSync(path: string): string[];
  export function readFileSync(path: string, encoding: "latin1"): string;
}

declare module "node:child_process" {
  export interface ChildProcess {
    readonly stdin: Stream;
    readonly stdout: Stream;
    readonly stderr: Stream;
    readonly pid: number | undefined;
    readonly exitCode: number | null;
    readonly signalCode: string | null;
    kill(signal: string): boolean;
    once(event: "spawn" | "exit" | "close", callback: () => void): ChildProcess;
    once(event: "error", callback: (error: Error) => void): ChildProcess;
  }
  export function spawn(
    program: string,
    args: readonly string[],
    options: { cwd: string | undefined; env: Record<string, string | undefined> | undefined; stdio: string[]; detached: boolean; windowsHide: boolean },
  ): ChildProcess;
}
