import type { groups, Reply, Sent } from '@millrace/contract'

type Auth = (typeof groups)['auth']
/** What a passkey signed, as operations take it. */
export type PasskeyAssertion = Sent<Auth['passkeySignIn']>['body']['passkey']
type Attestation = Sent<Auth['passkeyAdd']>['body']['credential']
type Asked = Reply<Auth['passkeySignInOptions']>

/** Asks the person for a passkey of this installation, and has it sign the challenge. */
export async function signByPasskey({ request, options }: Asked): Promise<PasskeyAssertion> {
  const { challenge, ...others } = options
  const credential = await navigator.credentials.get({
    publicKey: { ...others, challenge: bytesOf(challenge) },
  })
  if (!(credential instanceof PublicKeyCredential) || !(credential.response instanceof AuthenticatorAssertionResponse)) throw refused()
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response
  return {
    request,
    credential: {
      ...namesOf(credential),
      response: {
        clientDataJSON: textOf(clientDataJSON),
        authenticatorData: textOf(authenticatorData),
        signature: textOf(signature),
        ...(userHandle === null ? {} : { userHandle: textOf(userHandle) }),
      },
    },
  }
}

/** Has the device or the password manager of the person make a passkey. */
export async function makePasskey(options: Record<string, unknown>): Promise<Attestation> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The server makes the options by a library, in the form of Web Authentication Level 3.
  const { challenge, user, excludeCredentials, rp, pubKeyCredParams, ...others } = options as unknown as CreationJSON
  const credential = await navigator.credentials.create({
    publicKey: {
      ...others,
      rp,
      pubKeyCredParams,
      challenge: bytesOf(challenge),
      user: { ...user, id: bytesOf(user.id) },
      excludeCredentials: (excludeCredentials ?? []).map(({ id }) => ({ type: 'public-key' as const, id: bytesOf(id) })),
    },
  })
  if (!(credential instanceof PublicKeyCredential) || !(credential.response instanceof AuthenticatorAttestationResponse)) throw refused()
  const { clientDataJSON, attestationObject } = credential.response
  return {
    ...namesOf(credential),
    response: {
      clientDataJSON: textOf(clientDataJSON),
      attestationObject: textOf(attestationObject),
      transports: credential.response.getTransports(),
    },
  }
}

/** The options of the server: JSON, with bytes as base64url. */
interface CreationJSON {
  readonly challenge: string
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly rp: { readonly id: string; readonly name: string }
  readonly pubKeyCredParams: PublicKeyCredentialParameters[]
  readonly excludeCredentials?: readonly { readonly id: string }[]
}

const namesOf = ({ id, rawId }: PublicKeyCredential) => ({ id, rawId: textOf(rawId), type: 'public-key' as const })

function bytesOf(text: unknown): Uint8Array<ArrayBuffer> {
  const base64 = String(text).replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
}

function textOf(buffer: ArrayBuffer): string {
  const binary = String.fromCodePoint(...new Uint8Array(buffer))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const refused = () => new Error('The browser gave no passkey.')
