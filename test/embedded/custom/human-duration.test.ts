import { expect, it } from '@jest/globals';
import { humanDuration } from '../../../src/embedded/custom/human-duration.js';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

it.each([
  [-2, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [2 * minute, '2m'],
  [9 * minute + 59, '9m59s'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 59 * minute, '7h59m'],
  [47 * hour, '47h'],
  [2 * day, '2d'],
  [7 * day + 23 * hour, '7d23h'],
  [729 * day, '729d'],
  [2 * 365 * day, '2y'],
  [2 * 365 * day + day, '2y1d'],
  [8 * 365 * day + 5 * day, '8y'],
])('%d seconds ago is %s', (seconds, shown) => {
  expect(humanDuration(seconds * 1000)).toBe(shown);
});
