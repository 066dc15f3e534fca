/** True when an Ed25519 signature is valid. @param publicKey 32 bytes */
export async function isEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', owned(publicKey), { name: 'Ed25519' }, false, ['verify'])
  return crypto.subtle.verify({ name: 'Ed25519' }, key, owned(signature), owned(message))
}

/** True when an ECDSA signature with P-256 and SHA-256 is valid. @param spki SubjectPublicKeyInfo @param der the signature in DER */
export async function isEcdsa(spki: Uint8Array, message: Uint8Array, der: Uint8Array): Promise<boolean> {
  const key = await crypto.subtle.importKey('spki', owned(spki), { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])
  return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, rawSignature(der), owned(message))
}

const numberBytes = 32

/** The two numbers of a signature, from DER to 32 bytes each. Source: SEC 1, appendix C.8. */
function rawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(2 * numberBytes)
  let at = 2
  for (const end of [numberBytes, 2 * numberBytes]) {
    const length = der[at + 1] ?? 0
    const number = der.slice(at + 2, at + 2 + length).slice(-numberBytes)
    raw.set(number, end - number.length)
    at += 2 + length
  }
  return raw
}

/** A copy whose buffer is not shared, as Web Crypto asks for. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes)
}
