/** What the kernel says of processes: https://man7.org/linux/man-pages/man5/proc.5.html */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second, whatever its own tick is. */
const millisecondsPerTick = 10;

/** CPU time of a process and all that it started, in milliseconds. Nothing for what is gone. */
export function cpuMilliseconds(pid: number): number {
  return family(pid).reduce((sum, each) => sum + ownCpu(each), 0);
}

/** Resident memory of a process and all that it started, in mebibytes. */
export function rssMebibytes(pid: number): number {
  return (
    family(pid).reduce((sum, each) => sum + Number(/VmRSS:\s+(\d+)/.exec(read(each, 'status'))?.[1] ?? 0), 0) / 1024
  );
}

/** The process that was started with `argument` among its arguments. */
export function pidByArgument(argument: string): number {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    if (read(Number(entry), 'cmdline').split('\0').includes(argument)) return Number(entry);
  }
  throw new Error(`no process was started with ${argument}`);
}

/** The arguments of a process. */
export function argumentsOf(pid: number): readonly string[] {
  return read(pid, 'cmdline').split('\0');
}

function ownCpu(pid: number): number {
  // The name, which is in parentheses, may hold anything.
  const fields = read(pid, 'stat').replace(/^.*\)/s, '').trim().split(' ');
  const [user, system] = [Number(fields[11] ?? 0), Number(fields[12] ?? 0)];
  return (user + system) * millisecondsPerTick;
}

function family(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) =>
    read(pid, `task/${task}/children`)
      .split(' ')
      .filter((text) => text.trim() !== '')
      .map(Number),
  );
  return [pid, ...children.flatMap(family)];
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
