/** The exit codes of the process: success, failure, wrong usage, stopped by Ctrl-C. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
