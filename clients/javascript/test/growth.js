/** How many times as much processor time an input of ten times the length takes: some 10 if the time is linear, 100 if it is quadratic. */
export function growth(work, length) {
  const cost = (input) => {
    const times = Array.from({ length: 7 }, () => {
      const before = process.cpuUsage();
      work(input);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    // What is so short takes no time.
    return Math.max(200, Math.min(...times));
  };
  return cost(10 * length) / cost(length);
}
