/** Where a command reads and writes: standard streams in the program, strings in tests. */
export interface Terminal {
  /** Standard output: what was asked for, and nothing else. */
  write(text: string): void;
  /** Standard error: everything that is said about it. */
  log(text: string): void;
  /** All of standard input. */
  read(): Promise<string>;
  /** Whether standard error shows colours. */
  readonly colors: boolean;
}
