/** What happened around sign-in that no operation's own audit row tells of. Ids are uuids. */
export type IdentityEvent =
  | {
      readonly type: 'sign_in_refused'
      readonly ip: string
      readonly userAgent: string | undefined
      /** Absent when nobody has the address. */
      readonly accountId: string | undefined
      readonly userId: string | undefined
    }
  | {
      /** An old refresh token came back: it was copied, so the session was ended. */
      readonly type: 'refresh_token_reused'
      readonly ip: string
      readonly userAgent: string | undefined
      readonly accountId: string
      readonly userId: string
      readonly sessionId: string
    }

/** Takes events in without waiting: what becomes of them must not be seen in the time of an answer. */
export type IdentityEventSink = (event: IdentityEvent) => void
