/** An event of sign-in that no audit row of an operation records. Ids are uuids. */
export type IdentityEvent =
  | {
      readonly type: 'sign_in_refused'
      readonly ip: string
      readonly userAgent: string | undefined
      /** `undefined` when no user has the address. */
      readonly accountId: string | undefined
      readonly userId: string | undefined
    }
  | {
      /** An old refresh token was used again, so it was copied; the session was ended. */
      readonly type: 'refresh_token_reused'
      readonly ip: string
      readonly userAgent: string | undefined
      readonly accountId: string
      readonly userId: string
      readonly sessionId: string
    }

/** Accepts events without waiting, so that recording one does not show in the time of a response. */
export type IdentityEventSink = (event: IdentityEvent) => void
