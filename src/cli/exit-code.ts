/** What a command ends with, where that is more than success and failure. */
export interface ExitCode {
  ofSuccess: number;
  ofFailure: number;
}
