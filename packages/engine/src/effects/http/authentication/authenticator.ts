import type { PreparedCall } from '#effects/http/arguments.ts'
import type { HttpCallContext } from '#effects/http/context.ts'
import type { TextMask } from '#core/secret-mask.ts'
import type { HttpReply } from '#effects/http/port.ts'

/** The context of a call, with the mask to which the schemes add their secrets. */
export interface AuthenticationContext extends HttpCallContext {
  readonly mask: TextMask
}

/** One authentication scheme with its credentials, ready for one call. */
export interface Authenticator {
  /** The headers to send with the first attempt. */
  authorize(call: PreparedCall): Promise<Readonly<Record<string, string>>>
  /** The headers for one more attempt after a 401; undefined when there is nothing better to send. */
  reauthorize(call: PreparedCall, reply: HttpReply): Promise<Readonly<Record<string, string>> | undefined>
}

/** An authenticator whose header follows from the credentials alone, so that a 401 is final. */
export function fixedAuthorization(value: string): Authenticator {
  return { authorize: async () => ({ authorization: value }), reauthorize: async () => undefined }
}
