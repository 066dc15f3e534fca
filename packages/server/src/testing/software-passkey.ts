import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const present = 0x01
const verified = 0x04
const attested = 0x40

/** A passkey in software, for tests: it signs as an authenticator does whose owner has unlocked it. */
export interface SoftwarePasskey {
  readonly id: string
  /** What `navigator.credentials.create` gives for these options. */
  create(challenge: string, changes?: PasskeyChanges): object
  /** What `navigator.credentials.get` gives for these options. */
  get(challenge: string, changes?: PasskeyChanges): object
}

/** What a hostile page or device changes. */
export interface PasskeyChanges {
  readonly origin?: string
  readonly party?: string
  readonly isVerified?: boolean
  readonly userHandle?: string
  readonly type?: string
}

export function createSoftwarePasskey({ origin = 'http://localhost:8080', party = 'localhost' } = {}): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  let counter = 0

  function dataOf(changes: PasskeyChanges, more: Uint8Array | undefined): Buffer {
    counter += 1
    const flags = present | (changes.isVerified === false ? 0 : verified) | (more === undefined ? 0 : attested)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const partyHash = createHash('sha256')
      .update(changes.party ?? party)
      .digest()
    return Buffer.concat([partyHash, Buffer.of(flags), count, more ?? Buffer.alloc(0)])
  }

  const clientData = (type: string, challenge: string, changes: PasskeyChanges) =>
    Buffer.from(JSON.stringify({ type: changes.type ?? type, challenge, origin: changes.origin ?? origin, crossOrigin: false }))

  return {
    id,
    create(challenge, changes = {}) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // COSE: key type 2 (EC2), algorithm -7 (ES256), curve 1 (P-256), x and y.
      const point = (label: number, text: string) => Buffer.concat([Buffer.of(label, 0x58, 32), Buffer.from(text, 'base64url')])
      const cose = Buffer.concat([Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01), point(0x21, x), point(0x22, y)])
      const length = Buffer.of(0, rawId.length)
      const authData = dataOf(changes, Buffer.concat([Buffer.alloc(16), length, rawId, cose]))
      const text = (value: string) => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)])
      const attestationObject = Buffer.concat([
        Buffer.of(0xa3),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.of(0xa0),
        text('authData'),
        Buffer.of(0x58, authData.length),
        authData,
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, changes).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      }
      return { id, rawId: id, type: 'public-key', response }
    },
    get(challenge, changes = {}) {
      const authenticatorData = dataOf(changes, undefined)
      const clientDataJSON = clientData('webauthn.get', challenge, changes)
      const signature = createSign('sha256')
        .update(authenticatorData)
        .update(createHash('sha256').update(clientDataJSON).digest())
        .sign(privateKey)
      const response = {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(changes.userHandle === undefined ? {} : { userHandle: changes.userHandle }),
      }
      return { id, rawId: id, type: 'public-key', response }
    },
  }
}
