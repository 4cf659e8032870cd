/**
 * Listens for listeners that Node takes for a leak, until the returned function is called, which says what was heard.
 *
 * Jest gives tests a copy of `process`, which hears of nothing; a function from outside its realm knows the true one.
 */
export function listenForLeaks(): () => readonly string[] {
  const outside = setImmediate.constructor as (body: string) => () => NodeJS.Process;
  const node = outside('return process')();
  const heard: string[] = [];
  const listen = ({ name, message }: Error) => {
    if (name === 'MaxListenersExceededWarning') heard.push(message);
  };
  node.on('warning', listen);
  return () => {
    node.off('warning', listen);
    return heard;
  };
}
