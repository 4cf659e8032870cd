/** The major version of a V8: 11 in Node 20, 12 in Node 22, 13 in Node 24, and 14 in Node 26. */
export function v8Major(version = process.versions.v8): number {
  return Number.parseInt(version, 10);
}

export function nodeMajor(): number {
  return Number.parseInt(process.versions.node, 10);
}
