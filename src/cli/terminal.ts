/** Where a command reads and writes: standard streams in the program, strings in tests. */
export interface Terminal {
  /** Standard output: what was asked for, and nothing else. */
  write(text: string): void;
  /** Standard error: everything that is said about it. */
  log(text: string): void;
  /** All of standard input. */
  read(): Promise<string>;
  /** For a command that runs until it is told to end, by Ctrl-C or a signal: aborts then. Others are ended by the signal. */
  interrupted(): AbortSignal;
  /** Whether standard error shows colours. */
  readonly colors: boolean;
}
