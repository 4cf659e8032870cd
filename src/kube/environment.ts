/** The variables of a process, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
