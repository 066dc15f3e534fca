import { durationMs } from '@millrace/dsl'

/** A file of an account, by its name. */
export interface AccountFile {
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** The content, as a file of the platform. */
  readonly fileId: string
  readonly media: string
  readonly bytes: number
  /** As hexadecimal digits. */
  readonly sha256: string
  /** Who wrote the content last, as `kind:id`: a user, an API key, an execution or a trigger. */
  readonly writtenBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When the content was written, by the clock of the database. */
  readonly writtenAt: Date
  readonly expiresAt: Date | undefined
  /** The execution that wrote the content, or with whose start it was sent. */
  readonly executionId: string | undefined
}

/** What is said of a file when it is written. */
export interface FileDetails {
  readonly name: string
  readonly media: string
  readonly writtenBy: string
  readonly expiresInMs: number | undefined
  /** Idempotency key of the start that the file belongs to: the file is deleted unless it is kept, or the start turns out to have succeeded. */
  readonly startKey?: string | undefined
}

/** A media type. It becomes a header of downloads. */
export const mediaPattern = /^[\w.+-]+\/[\w.+-]+(?: *;[\x20-\x7e]*)?$/

const lifeMsMax = 100 * 365 * 24 * 60 * 60 * 1000

/** How long a file is kept, from an ISO 8601 duration of up to 100 years; undefined for any other value. */
export function lifeMsOf(expiresIn: unknown): number | undefined {
  const life = durationMs(expiresIn)
  return life !== undefined && life > 0 && life <= lifeMsMax ? life : undefined
}

/** Files of one account. */
export const filesMax = 100_000
