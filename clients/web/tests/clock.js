// The page's clock, which stands still. Timers fire only when a test advances the clock, and temporary messages stay until then.
const system = { setTimeout: setTimeout.bind(window), clearTimeout: clearTimeout.bind(window) };

window.clock = {
  system,
  now: 0,
  running: false,
  /** The waiting callbacks by their timer ids. */
  waiting: new Map(),
  // The system's timer ids don't get that high.
  last: 2 ** 40,

  wait(call, milliseconds, again) {
    const timer = { call, milliseconds: Math.max(1, milliseconds), again };
    timer.at = this.now + timer.milliseconds;
    this.waiting.set(++this.last, timer);
    if (this.running) this.start(this.last, timer);
    return this.last;
  },

  stop(number) {
    system.clearTimeout(this.waiting.get(number)?.started);
    this.waiting.delete(number);
  },

  act(number, timer) {
    this.now = Math.max(this.now, timer.at);
    timer.at += timer.milliseconds;
    if (!timer.again) this.waiting.delete(number);
    else if (this.running) this.start(number, timer);
    timer.call();
  },

  start(number, timer) {
    timer.started = system.setTimeout(() => this.act(number, timer), timer.milliseconds);
  },

  /** Advances the clock, and lets the page draw the result. */
  async pass(milliseconds) {
    const end = this.now + milliseconds;
    await eyes.frame();
    for (;;) {
      const [next] = [...this.waiting].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at);
      if (!next) break;
      this.act(...next);
      await null;
    }
    this.now = end;
    await eyes.frame();
  },

  /** Starts or stops the clock. */
  run(running) {
    this.running = running;
    for (const [number, timer] of this.waiting) running ? this.start(number, timer) : system.clearTimeout(timer.started);
  },
};

// Callbacks without a delay aren't controlled by the clock.
window.setTimeout = (call, milliseconds = 0, ...given) =>
  milliseconds > 0 ? clock.wait(() => call(...given), milliseconds, false) : system.setTimeout(call, 0, ...given);
window.setInterval = (call, milliseconds, ...given) => clock.wait(() => call(...given), milliseconds, true);
window.clearTimeout = window.clearInterval = (number) => (clock.waiting.has(number) ? clock.stop(number) : system.clearTimeout(number));
