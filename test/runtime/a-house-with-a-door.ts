import { customResource, s } from '../../src/index.js';

/** A kind that some clusters do not serve. */
export const Door = customResource({
  group: 'doors.example.com',
  version: 'v1',
  kind: 'Door',
  spec: s.object({ color: s.string() }),
});
export const House = customResource({
  group: 'houses.example.com',
  version: 'v1',
  kind: 'House',
  spec: s.object({ color: s.string(), hasDoor: s.boolean({ default: true }) }),
});
/** The name of its definition. */
export const doors = 'doors.doors.example.com';
