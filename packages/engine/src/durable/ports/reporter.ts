/** Told of what the engine cannot put into an execution: bugs and the state of its own machinery. */
export interface Reporter {
  warn(message: string, details: Readonly<Record<string, unknown>>): void
}
