import { isIP } from 'node:net'

/** The party to which passkeys of this installation belong, after Web Authentication Level 3. */
export interface RelyingParty {
  /** A host name: passkeys of one name work on no other. */
  readonly id: string
  /** Whether a page of this origin may ask for passkeys. */
  isOrigin(origin: string): boolean
}

/**
 * The relying party of an installation; `undefined` when its address is no host name, for which browsers make no passkeys.
 * @param publicUrl the address of the installation; without one it serves only its own machine, as `localhost`
 */
export function relyingPartyOf(publicUrl: string | undefined): RelyingParty | undefined {
  if (publicUrl === undefined) return { id: 'localhost', isOrigin: (origin) => /^http:\/\/localhost(?::\d+)?$/.test(origin) }
  const { hostname, origin: own } = new URL(publicUrl)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return undefined
  return { id: hostname, isOrigin: (origin) => origin === own }
}
