import { randomBytes } from 'node:crypto'
import { Integer, OctetString } from 'asn1js'
import { AlgorithmIdentifier, MessageImprint, SignedData, TimeStampReq, TimeStampResp, TSTInfo } from 'pkijs'
import type { GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { sha256 } from '#modules/audit/log/evidence-keys.ts'

const sha256Id = '2.16.840.1.101.3.4.2.1'
const timeoutMs = 20_000
const maxResponseBytes = 256 * 1024
const granted: ReadonlySet<number> = new Set([0, 1])

/** Asks an authority for a time stamp over a text. @returns the token, in base64. Source: RFC 3161. */
export async function requestTimeStamp(
  http: Pick<GuardedFetch, 'request'>,
  url: string,
  text: string,
  signal: AbortSignal,
): Promise<string> {
  const digest = sha256(Buffer.from(text))
  // Positive: the first bit is 0.
  const nonce = randomBytes(8)
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: sha256Id }),
      hashedMessage: new OctetString({ valueHex: bytesOf(digest) }),
    }),
    nonce: new Integer({ valueHex: bytesOf(nonce) }),
    certReq: true,
  })
  const reply = await http.request(
    {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: new Uint8Array(request.toSchema().toBER()),
      followRedirects: false,
      timeoutMs,
      maxResponseBytes,
    },
    signal,
  )
  if (reply.status !== 200) throw new Error(`the time stamp authority replied with status ${reply.status}`)
  const { status, timeStampToken } = TimeStampResp.fromBER(bytesOf(reply.body))
  if (!granted.has(status.status) || timeStampToken === undefined)
    throw new Error(`the time stamp authority refused the request (status ${status.status})`)
  const info = tokenInfo(timeStampToken.content)
  if (!Buffer.from(info.messageImprint.hashedMessage.valueBlock.valueHexView).equals(digest))
    throw new Error('the time stamp is for something else')
  if (info.nonce === undefined || !Buffer.from(info.nonce.valueBlock.valueHexView).equals(nonce))
    throw new Error('the time stamp is the reply to another request')
  return Buffer.from(timeStampToken.toSchema().toBER()).toString('base64')
}

function tokenInfo(content: unknown): TSTInfo {
  const value = new SignedData({ schema: content }).encapContentInfo.eContent?.getValue()
  if (value === undefined) throw new Error('the time stamp has no content')
  return TSTInfo.fromBER(value)
}

/** A buffer of its own: the library reads the whole one. */
function bytesOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
