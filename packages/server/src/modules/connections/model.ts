import type { connectionKinds, ConnectionSettings, connectionStates } from '@millrace/contract'
import type * as z from 'zod'

export type Settings = z.output<typeof ConnectionSettings>
export type ConnectionKind = (typeof connectionKinds)[number]
export type ConnectionState = (typeof connectionStates)[number]
export type SettingsOf<K extends ConnectionKind> = Extract<Settings, { readonly kind: K }>

/** A connection without its secrets. */
export interface Connection {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly settings: Settings
  readonly secretNames: readonly string[]
  readonly state: ConnectionState
  readonly problem: string | undefined
  readonly testedAt: Date | undefined
  readonly expiresAt: Date | undefined
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Secrets by name. */
export type ConnectionSecrets = Readonly<Record<string, string>>

/** What can be used: settings with secrets, and for OAuth a token that is valid. */
export interface UsableConnection {
  readonly name: string
  readonly settings: Settings
  readonly secrets: ConnectionSecrets
  readonly accessToken: string | undefined
}

/** What a test found. */
export interface TestResult {
  readonly state: ConnectionState
  readonly problem: string | undefined
}

/** Connections of one account. */
export const connectionsMax = 500
