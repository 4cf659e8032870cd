/**
 * CPU milliseconds that the bench itself takes from now on: it makes the load and watches the outcome, on the cores that
 * the contender and the API server have too.
 */
export function sinceNow(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
