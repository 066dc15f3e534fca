/** Where events of the audit log go. */
export type AuditTarget =
  | { readonly kind: 'http'; readonly url: string }
  | {
      readonly kind: 's3'
      /** Of the service. */
      readonly url: string
      readonly region: string
      readonly bucket: string
      /** Folders, each followed by a slash, or empty. */
      readonly prefix: string
      readonly accessKeyId: string
    }
  | {
      readonly kind: 'syslog'
      readonly host: string
      readonly port: number
      readonly tls: boolean
      /** Certificates (PEM) that are trusted in place of the public authorities. */
      readonly ca?: string | undefined
    }

/** The next leaf to be sent. */
export interface LogPosition {
  readonly day: string
  readonly index: number
}

export interface AuditDestination {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly target: AuditTarget
  readonly state: 'active' | 'paused'
  readonly pausedReason: string | undefined
  readonly attempts: number
  readonly failingSince: Date | undefined
  readonly lastError: string | undefined
  readonly dueAt: Date
  readonly position: LogPosition
  readonly deliveredAt: Date | undefined
  readonly createdAt: Date
  /** Sealed. */
  readonly secret: Buffer | undefined
}

export const destinationsMax = 10
