import type { Trigger } from '#src/starts/what-starts.tsx'

export type Webhook = NonNullable<Trigger['webhook']>

const body = `'{ "order": 7 }'`
const json = `-H 'Content-Type: application/json'`

/** Lines for the shell that sign a call with the secret in $SECRET and send it. */
export function signedCall({ signature, methods }: Webhook, url: string): string {
  const call = `curl -X ${methods[0] ?? 'POST'} ${url} ${json} -d "$body"`
  const { scheme, username = '', header = 'X-Signature', algorithm = 'sha256', encoding = 'hex' } = signature
  switch (scheme) {
    case 'standard':
      return lines(
        'id=msg_$(date +%s%N); now=$(date +%s)',
        'key=$(printf %s "${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d \' \\n\')',
        'signature=$(printf %s "$id.$now.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)',
        `${call} -H "webhook-id: $id" -H "webhook-timestamp: $now" -H "webhook-signature: v1,$signature"`,
      )
    case 'github':
      return lines(hex('$body'), `${call} -H "X-Hub-Signature-256: sha256=$signature" -H "X-GitHub-Delivery: $(date +%s%N)"`)
    case 'stripe':
      return lines('now=$(date +%s)', hex('$now.$body'), `${call} -H "Stripe-Signature: t=$now,v1=$signature"`)
    case 'slack':
      return lines(
        'now=$(date +%s)',
        hex('v0:$now:$body'),
        `${call} -H "X-Slack-Request-Timestamp: $now" -H "X-Slack-Signature: v0=$signature"`,
      )
    case 'hmac':
      return lines(encoding === 'hex' ? hex('$body', algorithm) : base64('$body', algorithm), `${call} -H "${header}: $signature"`)
    case 'basic':
      return lines(`${call} -u "${username}:$SECRET"`)
    case 'none':
      return lines(call)
  }
}

function lines(...rest: readonly string[]): string {
  return [`body=${body}`, ...rest].join('\n')
}

function hex(text: string, algorithm = 'sha256'): string {
  return `signature=$(printf %s "${text}" | openssl dgst -${algorithm} -hmac "$SECRET" -r | cut -d' ' -f1)`
}

function base64(text: string, algorithm: string): string {
  return `signature=$(printf %s "${text}" | openssl dgst -${algorithm} -hmac "$SECRET" -binary | base64)`
}
