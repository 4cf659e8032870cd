const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** How long ago something was, as `kubectl get` shows it: two units as long as the first is small. */
export function humanDuration(milliseconds: number): string {
  // A clock that is a little behind is no reason to say anything strange.
  if (milliseconds <= -2 * second) return '<invalid>';
  if (milliseconds < 0) return '0s';
  const of = (unit: number) => Math.floor(milliseconds / unit);
  const two = (big: number, bigName: string, small: number, smallName: string) => {
    const rest = Math.floor((milliseconds % big) / small);
    return rest === 0 ? `${of(big)}${bigName}` : `${of(big)}${bigName}${rest}${smallName}`;
  };
  if (of(second) < 120) return `${of(second)}s`;
  if (of(minute) < 10) return two(minute, 'm', second, 's');
  if (of(minute) < 180) return `${of(minute)}m`;
  if (of(hour) < 8) return two(hour, 'h', minute, 'm');
  if (of(hour) < 48) return `${of(hour)}h`;
  if (of(hour) < 192) return two(day, 'd', hour, 'h');
  if (of(day) < 730) return `${of(day)}d`;
  return of(year) < 8 ? two(year, 'y', day, 'd') : `${of(year)}y`;
}
