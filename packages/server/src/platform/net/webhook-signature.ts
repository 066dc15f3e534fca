import { createHmac } from 'node:crypto'

const prefix = 'whsec_'

/** A secret in the form that its owner receives. */
export function secretText(secret: Uint8Array): string {
  return `${prefix}${Buffer.from(secret).toString('base64')}`
}

export interface SignedContent {
  readonly id: string
  /** Seconds since the epoch. */
  readonly timestamp: number
  readonly body: string
}

/** The headers of a delivery, with one signature for each secret. Source: Standard Webhooks 1.0.0, "Webhook Headers" and "Signature scheme". */
export function signatureHeaders({ id, timestamp, body }: SignedContent, secrets: readonly Uint8Array[]): Readonly<Record<string, string>> {
  const content = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
