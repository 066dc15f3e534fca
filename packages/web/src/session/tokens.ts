/** The tokens of a session, as the server gives them. */
export interface Tokens {
  readonly accessToken: string
  readonly expiresIn: number
}

interface TokenPorts {
  /** Renews the tokens by the cookie of the session. */
  readonly refresh: () => Promise<Tokens>
  /** Whether an error says that the session has ended. */
  readonly isRefusal: (error: unknown) => boolean
  /** Acts while no other tab does. */
  readonly alone: (act: () => Promise<void>) => Promise<void>
  /** Whether this browser has a session. */
  readonly hasSession: () => boolean
  /** The id of the person that the page shows; undefined before it is known. */
  readonly person: () => string | undefined
  readonly onRenewed: () => void
  readonly onEnded: () => void
  /** Another person has signed in with this browser: what the page shows and sends is not theirs. */
  readonly onOther: () => void
}

/** A token that ends so soon is replaced first. */
const marginMs = 15_000

/** Keeps the access token of a page, and renews it; a page never gets that of another person. */
export function createTokens(ports: TokenPorts) {
  let access: { readonly token: string; readonly until: number } | undefined
  /** The session of the browser is asked for again after this time, when it was that of another person. */
  let othersUntil = 0
  const isFresh = () => access !== undefined && access.until - marginMs > Date.now()
  const areOthers = () => Date.now() < othersUntil

  function keep({ accessToken: token, expiresIn }: Tokens): void {
    othersUntil = 0
    access = { token, until: Date.now() + expiresIn * 1000 }
  }

  /** One renewal at a time in all tabs: a refresh token works once. */
  async function renew(): Promise<void> {
    if (isFresh() || areOthers()) return
    try {
      const tokens = await ports.refresh()
      const person = ports.person()
      if (person === undefined || person === personOf(tokens.accessToken)) {
        keep(tokens)
        ports.onRenewed()
      } else {
        access = undefined
        othersUntil = Date.now() + tokens.expiresIn * 1000
        ports.onOther()
      }
    } catch (error) {
      if (!ports.isRefusal(error)) throw error
      access = undefined
      ports.onEnded()
    }
  }

  return {
    keep,
    areOthers,
    now: () => access?.token,
    forget: () => {
      access = undefined
    },
    /** The token of a request; a new one if the present one is about to end. */
    async get(): Promise<string | undefined> {
      if (!isFresh() && !areOthers() && ports.hasSession()) await ports.alone(renew)
      return access?.token
    },
  }
}

/** The person of an access token: the subject among its claims. */
function personOf(token: string): unknown {
  const claims = token.split('.')[1] ?? ''
  return Object(JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))).sub
}
