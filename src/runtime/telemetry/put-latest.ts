/** Puts a value to the end of `map`, which keeps `most`: who was put longest ago goes. */
export function putLatest<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
