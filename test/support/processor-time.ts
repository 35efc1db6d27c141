/** What something costs, whatever else the machine does: a bound in seconds by the clock would fail on a busy one. */

/** The processor time that `action` takes, in milliseconds; of the whole process, so for what runs alone in it. */
export function processorMs(action: () => void): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
