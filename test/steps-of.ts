interface Steps {
  next: (this: unknown) => unknown;
}

function* none(): Generator<never> {}

const iterators = [new Map().keys(), new Set().values(), none.prototype].map(
  (each) => Object.getPrototypeOf(each) as Steps,
);

/** How many steps `work` takes over maps, sets and what else is in order: what it costs, however busy the machine is. */
export function stepsOf(work: () => void): number {
  const nexts = iterators.map(({ next }) => next);
  let steps = 0;
  for (const [index, next] of nexts.entries()) {
    (iterators[index] as Steps).next = function () {
      steps++;
      return next.call(this);
    };
  }
  try {
    work();
  } finally {
    for (const [index, next] of nexts.entries()) (iterators[index] as Steps).next = next;
  }
  return steps;
}
