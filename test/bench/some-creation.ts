/** What W1 may come to, for tests in which it does not matter. */
export const someCreation = {
  perSecond: 100,
  apiMilliseconds: 4,
  etcdMilliseconds: 1,
  operatorMilliseconds: 1,
  writes: 3,
  rss: 80,
};
